//! What an author is told about a conversation.

use crate::rig::{Test, command, hasty, within};
use crate::support::{Corpus, RIGHT};
use assay_harness::external::{Check, Finding, check};

pub const TRIALS: &[Test] = &[
    ("a_port_that_keeps_to_the_protocol_is_told_so", good),
    ("each_slip_is_named_at_its_step", slips),
    ("a_port_that_is_none_is_told_why", none),
];

fn checked(behaviour: &str) -> Check {
    let registry = Corpus::whole().registry(&RIGHT);
    within(60, || check(&command(behaviour), hasty(), &registry).unwrap())
}

fn step<'a>(check: &'a Check, name: &str) -> (Finding, &'a str) {
    let step = check.steps.iter().find(|step| step.step == name);
    let step = step.unwrap_or_else(|| panic!("no step {name}: {check:#?}"));
    (step.finding, step.said[0].as_str())
}

fn good() {
    let check = checked("right");
    // What its reader of questions does with nonsense is its own: it leaves.
    assert_eq!(check.finding(), Finding::Good, "{check:#?}");
    let names: Vec<&str> = check.steps.iter().map(|step| step.step).collect();
    assert_eq!(
        names,
        [
            "hello",
            "capabilities",
            "examples",
            "window",
            "stranger",
            "input",
            "long",
            "nonsense",
            "bye",
            "end"
        ]
    );
    assert_eq!(step(&check, "window").1, "64 questions at a time, answered in order");
    assert_eq!(step(&checked("backwards"), "window").0, Finding::Good);
}

fn slips() {
    for (behaviour, at, said) in [
        ("never-answers", "examples", "it wrote nothing within 1000 ms"),
        ("answers-twice", "window", "twice"),
        ("wrong-id", "examples", "answered id 4000000 where 0 was asked; copy the id"),
        ("garbage", "examples", "wrote what is no answer: expected value: `Traceback"),
        ("dies-always", "examples", "it ended with status 5"),
        ("dies-after-ten", "window", "it ended with status 9"),
        ("stranger", "stranger", "gives a breakdown of a capability that does not exist"),
        ("stays", "bye", "after bye it does not leave"),
        ("last-word", "bye", "after bye it goes on speaking"),
        ("offers-nothing", "capabilities", "0 of the corpus' 1 capabilities"),
    ] {
        let check = checked(behaviour);
        let (finding, told) = step(&check, at);
        assert_eq!(finding, Finding::Wrong, "{behaviour}: {check:#?}");
        assert!(told.contains(said), "{behaviour}: {told}");
    }
    assert_eq!(step(&checked("leaves-with-7"), "bye").0, Finding::Remark);
    assert_eq!(step(&checked("skips"), "examples").0, Finding::Remark);
}

fn none() {
    let check = checked("dies-at-once");
    assert_eq!((check.finding(), check.steps.len()), (Finding::Wrong, 1));
    assert_eq!(
        step(&check, "hello").1,
        "before its hello it ended with status 3; standard error: no such map"
    );
    assert!(step(&checked("says-no-hello"), "hello").1.contains("`Toy 7.0 ready.`"));
}
