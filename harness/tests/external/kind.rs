//! Ports that keep to the protocol: judged as the ports of this process are, byte for byte.

use crate::rig::{Test, command, failure, quick, run, run_with, with};
use crate::support::{Corpus, RIGHT, ToyPort, result, right, said};
use assay_harness::external::{External, Limits, REFERENCE, schemas};
use assay_harness::{Options, Selection};
use assay_model::{FnPort, Report, Verdict};
use std::path::Path;

pub const TRIALS: &[Test] = &[
    ("a_right_port_gives_the_report_of_the_one_that_is_compiled_in", same),
    ("a_wrong_port_fails_at_the_same_stage_with_the_same_digest", wrong),
    ("answers_may_come_backwards_and_spelled_otherwise", backwards),
    ("one_question_at_a_time_is_enough", one_at_a_time),
    ("the_digest_does_not_depend_on_threads", threads),
    ("what_is_not_offered_is_skipped_and_never_sent", one_game),
    ("an_unknown_offer_is_a_remark_with_the_nearest_name", stranger),
    ("a_port_that_offers_nothing_is_not_green", nothing),
    ("a_selection_asks_for_what_it_takes", selected),
    ("the_schemas_beside_the_reference_are_those_of_the_types", pinned),
    ("the_conversation_of_the_reference_is_one", reference),
];

fn results(report: &Report) -> String {
    let mut results = report.results.clone();
    for failure in results.iter_mut().filter_map(|result| result.failure.as_mut()) {
        failure.repro.clear();
    }
    serde_json::to_string(&results).unwrap()
}

fn same() {
    let (ours, theirs) = (Corpus::whole().run(&RIGHT), run("right"));
    assert_eq!(theirs.verdict(), "pass", "{:#?}", theirs.problems);
    assert_eq!(results(&ours), results(&theirs));
    assert_eq!(ours.result_digest, theirs.result_digest);
    assert_eq!(ours.standings, theirs.standings);
    assert!(theirs.notes.is_empty(), "{:?}", theirs.notes);
    let port = theirs.port.unwrap();
    assert_eq!((port.name.as_str(), port.language.as_str(), port.version.as_str()), ("toy", "Rust", "7"));
    assert_eq!((port.offers, port.starts), (vec!["compute_toy".to_owned()], 1));
    assert!(ours.port.is_none());
}

static WRONG: ToyPort = FnPort::new(&crate::support::META, |input| {
    let mut toy = right(input)?;
    toy.kernel.draws[1] += 1;
    Ok(toy)
});

fn wrong() {
    let (ours, theirs) = (Corpus::whole().run(&WRONG), run("wrong"));
    assert_eq!((theirs.verdict(), theirs.exit_code()), ("fail", 1));
    assert_eq!(results(&ours), results(&theirs));
    assert_eq!(ours.result_digest, theirs.result_digest);
    assert_eq!(said(&theirs, "quarter").1, "kernel.draws.1");
    let repro = result(&theirs, "quarter").failure.clone().unwrap().repro;
    assert!(
        repro.starts_with("assay verify --port ") && repro.ends_with(" 'combat/compute_toy/quarter'"),
        "{repro}"
    );
}

fn backwards() {
    let theirs = run("backwards");
    assert_eq!(theirs.verdict(), "pass", "{:#?}", theirs.results);
    assert_eq!(Corpus::whole().run(&RIGHT).result_digest, theirs.result_digest);
}

fn one_at_a_time() {
    let theirs = run("one-at-a-time");
    assert_eq!((theirs.verdict(), theirs.port.unwrap().starts), ("pass", 1));
}

fn threads() {
    for behaviour in ["wrong", "dies-at-128", "malformed-at-128", "skips-at-128"] {
        let digest = |jobs| run_with(behaviour, quick(), Some(jobs), None).result_digest;
        let one = digest(1);
        assert_eq!((one.clone(), one), (digest(2), digest(8)), "{behaviour}");
    }
}

fn one_game() {
    let theirs = run("one-game");
    assert_eq!(with(&theirs, Verdict::Skipped), ["negative-storm", "storm"]);
    assert_eq!(result(&theirs, "storm").reason, "the port does not offer compute_toy for TS");
    assert_eq!((theirs.counts.skipped, theirs.counts.pass, theirs.verdict()), (2, 5, "pass"));
    // It is done for one game, so it has earned that one.
    let standing = &theirs.standings["compute_toy"];
    assert!(standing.missing.iter().all(|line| line.starts_with("TS: ")), "{:?}", standing.missing);
}

fn stranger() {
    let notes = run("stranger").notes.join("\n");
    assert!(
        notes.contains("`compute_tey`, which this corpus has not; did it mean `compute_toy`?"),
        "{notes}"
    );
    assert!(notes.contains("`xyzzy`, which this corpus has not"), "{notes}");
}

fn nothing() {
    let theirs = run("offers-nothing");
    assert_eq!((theirs.verdict(), theirs.exit_code()), ("broken", 2));
    assert_eq!(theirs.counts.skipped, theirs.counts.total());
}

fn selected() {
    let registry = Corpus::whole().registry(&RIGHT);
    let port = External::open(&command("dies-at-128"), Limits::default()).unwrap();
    let selection: Selection = "combat/compute_toy/storm".parse().unwrap();
    let report = port.verify(&registry, &selection, &Options::default(), None);
    assert_eq!((report.verdict(), report.counts.total(), report.complete), ("pass", 1, false));
    assert_eq!(failure(&report, "storm"), Default::default());
}

fn pinned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/external/schema");
    let stale: Vec<_> = schemas()
        .into_iter()
        .filter(|(name, text)| std::fs::read_to_string(folder.join(name)).ok().as_ref() != Some(text))
        .map(|(name, _)| name)
        .collect();
    assert!(stale.is_empty(), "run `assay port schema --out {}`: {stale:?}", folder.display());
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), schemas().len());
}

/// The lines of the reference are what the types read.
fn reference() {
    use assay_harness::external::{Answer, Bye, Hello, HelloReply, Run};
    let lines = REFERENCE
        .lines()
        .filter_map(|line| line.split_once(" {").map(|(who, text)| (who, format!("{{{text}"))));
    let said = |who: &str| -> Vec<String> {
        lines.clone().filter(|(speaker, _)| speaker.starts_with(who)).map(|(_, text)| text).collect()
    };
    let (harness, port) = (said("harness →"), said("port    →"));
    assert_eq!((harness.len(), port.len()), (3, 2));
    assert!(serde_json::from_str::<Hello>(&harness[0]).is_ok());
    assert!(serde_json::from_str::<Run>(&harness[1]).is_ok());
    assert!(serde_json::from_str::<Bye>(&harness[2]).is_ok());
    assert!(serde_json::from_str::<HelloReply>(&port[0]).is_ok());
    assert!(serde_json::from_str::<Answer>(&port[1]).is_ok());
}
