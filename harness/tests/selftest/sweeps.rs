//! Sweeps: every point is checked, the first that differs prints as a case ready to paste.

use crate::support::*;
use assay_model::{CaseEntry, FnPort, PortError, SuiteFile, Verdict};

static LATE: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    if toy.kernel.draws[1] >= 300 {
        toy.result = -1;
    }
    Ok(toy)
});

/// The case that a failing sweep prints.
fn pasted(report: &assay_model::Report) -> CaseEntry {
    let point = &result(report, "all-near").failure.as_ref().unwrap().point;
    let mut file: SuiteFile = toml::from_str(point).unwrap();
    assert_eq!(file.cases.len(), 1);
    file.cases.remove(0)
}

#[test]
fn the_first_failing_point_is_a_case_with_the_derived_expectation() {
    let corpus = Corpus::whole();
    let report = corpus.run(&LATE);
    let (verdict, stage, message) = said(&report, "all-near");
    assert_eq!((verdict, stage.as_str()), (Verdict::Fail, "result"));
    // From 300 to 600, less the sixteen from 528 to 543 where -1 is right.
    assert!(
        message.starts_with(
            "285 of 602 points differ, first at distance=300: stage `result` is -1, expected 13"
        ),
        "{message}"
    );
    let case = pasted(&report);
    assert_eq!((case.id.as_str(), case.derivation.as_deref()), ("all-near-301", Some("@kernel")));
    assert_eq!(case.input.to_string(), r#"{"damage":33,"distance":300}"#);
    let expect = case.expect.unwrap();
    assert_eq!(expect.get("result").unwrap().to_string(), "13");
    // Pasted as it is, it loads, and fails on the wrong port alone.
    let point = result(&report, "all-near").failure.clone().unwrap().point;
    let grown = Corpus::whole().with(CASES, &format!("{SUITE}\n{point}")).locked();
    assert_eq!(grown.problems(), [""; 0]);
    assert_eq!(said(&grown.run(&RIGHT), "all-near-301").0, Verdict::Pass);
    assert_eq!(said(&grown.run(&LATE), "all-near-301").1, "result");
}

static ACCEPTING: ToyPort = FnPort::new(&META, |input| match right(input) {
    Err(_) => right(&serde_json::from_str("{}").map_err(|_| busy())?),
    ok => ok,
});

#[test]
fn a_refusal_that_is_derived_is_due_at_its_point() {
    let report = Corpus::whole().run(&ACCEPTING);
    let (verdict, _, message) = said(&report, "all-near");
    assert_eq!(verdict, Verdict::Fail);
    assert!(
        message
            .starts_with("1 of 602 points differ, first at distance=-1: gave a breakdown, expected EINVAL"),
        "{message}"
    );
    assert_eq!(pasted(&report).error.unwrap().field, "distance");
}

static REFUSING: ToyPort = FnPort::new(&META, |input| match right(input)? {
    toy if toy.result == 0 => Err(PortError::invalid("damage", "is nothing")),
    toy => Ok(toy),
});

#[test]
fn a_refusal_that_is_not_derived_is_an_error() {
    let (verdict, _, message) = said(&Corpus::whole().run(&REFUSING), "all-near");
    assert_eq!(verdict, Verdict::Error);
    assert!(message.contains("refused with EINVAL at `damage`"), "{message}");
}

#[test]
fn a_stage_that_the_derivation_gives_must_be_there_and_one_that_it_does_not_give_must_not() {
    let sweep = |from: &str, to: &str| Corpus::of(&SUITE.replacen(from, to, 1)).locked();
    let axes = "derivation = \"@kernel\"\n[sweep.axes]";
    let own = |steps: &str| format!("derivation = '''\n{steps}'''\n[sweep.axes]");
    let full = "require distance >= 0, \"EINVAL\", \"distance\"\nkernel.falloff = x87(1 - distance / reach)\nkernel.draws = [damage, distance]\n";
    let without = sweep(axes, &own(full));
    let (_, stage, message) = said(&without.run(&RIGHT), "all-near");
    assert_eq!(stage, "result");
    assert!(message.contains("and nothing is expected there"), "{message}");
    let result = "result = trunc(damage * kernel.falloff)\n";
    let more = sweep(axes, &own(&format!("{full}{result}firestorm = false\n")));
    let (_, stage, message) = said(&more.run(&RIGHT), "all-near");
    assert_eq!(stage, "firestorm");
    assert!(message.contains("stage `firestorm` is missing, expected false"), "{message}");
    let third = full.replace("[damage, distance]", "[damage, distance, 5]");
    let longer = sweep(axes, &own(&format!("{third}{result}")));
    let (_, stage, message) = said(&longer.run(&RIGHT), "all-near");
    assert_eq!(stage, "kernel.draws.2");
    assert!(message.contains("is missing, expected 5"), "{message}");
}

#[test]
fn a_derivation_that_breaks_at_some_point_breaks_the_corpus() {
    let text = SUITE.replacen(
        "derivation = \"@kernel\"\n[sweep.axes]",
        "derivation = '''\nrequire distance >= 0, \"EINVAL\", \"distance\"\nkernel.falloff = 1 / (distance - 500)\n'''\n[sweep.axes]",
        1,
    );
    let report = Corpus::of(&text).locked().run(&RIGHT);
    assert_eq!(report.verdict(), "broken");
    assert_eq!(said(&report, "all-near").0, Verdict::Error);
    let all: Vec<_> = report.problems.iter().map(ToString::to_string).collect();
    assert!(all[0].contains("derivation of `all-near` fails at distance=500: "), "{all:?}");
}
