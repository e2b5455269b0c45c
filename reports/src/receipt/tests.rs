//! Receipts written, read back, held against other runs, and tampered with.

use super::*;
use crate::sample;
use assay_model::Build;

fn facts() -> Facts {
    Facts {
        executable: "e".repeat(64),
        lockfile: "1".repeat(64),
        toolchain: "rustc 1.95.0".to_owned(),
        target: "s390x-unknown-linux-gnu".to_owned(),
        opt_level: "3".to_owned(),
        profile: "release".to_owned(),
        spread: ("threads", 2),
        day: "2026-11-30".to_owned(),
        time: "2026-11-30T20:21:40Z".to_owned(),
    }
}

fn digest(results: &[&CaseResult]) -> String {
    results.iter().map(|result| format!("{}={};", result.id, result.fingerprint)).collect()
}

fn built(mut report: Report) -> Report {
    report.build = Some(Build { assay: "0.1.0".to_owned(), ports: "a".repeat(64) });
    report.corpus_digest = "c".repeat(64);
    report
}

fn receipt(report: &Report) -> Receipt {
    Receipt::new(report, &facts(), digest).unwrap()
}

#[test]
fn it_is_a_statement_that_reads_back() {
    let report = built(sample::green());
    let made = receipt(&report);
    let value: Value = serde_json::from_str(&made.json()).unwrap();
    assert_eq!(value["_type"], STATEMENT);
    assert_eq!(value["predicateType"], PREDICATE);
    assert_eq!(value["subject"][0]["digest"]["blake3"], "a".repeat(64));
    assert_eq!(value["predicate"]["result"], "PASSED");
    assert_eq!(value["predicate"]["passedTests"][0], "combat/compute_damage");
    assert_eq!(value["predicate"]["configuration"][0]["annotations"]["threads"], 2);
    assert_eq!(value["predicate"]["assay"]["time"], "2026-11-30T20:21:40Z");
    let read = Receipt::read(&made.json()).unwrap();
    assert_eq!((read.ports(), read.corpus()), ("a".repeat(64).as_str(), "c".repeat(64).as_str()));
    assert_eq!((read.selection(), read.day(), read.result()), ("*", Some("2026-11-30"), "PASSED"));
    assert_eq!(read, made);
    assert!(read.differences(&report, digest).is_empty());
}

#[test]
fn drift_fails_and_what_is_known_warns() {
    let made = receipt(&built(sample::red()));
    assert_eq!(made.result(), "FAILED");
    assert_eq!(made.predicate.failed_tests, ["combat/compute_damage", "math/simulate_rng"]);
    let mut known = built(sample::red());
    known.results.retain(|result| !result.verdict.is_drift());
    known.counts = Counts { pass: 1, known_failure: 1, ..Counts::default() };
    let made = receipt(&known);
    assert_eq!((made.result(), made.predicate.warned_tests.len()), ("WARNED", 1));
    assert!(Receipt::read(&made.json()).is_ok());
    let nothing = receipt(&built(sample::empty()));
    assert_eq!(nothing.result(), "FAILED");
}

#[test]
fn other_results_are_named_by_suite() {
    let report = built(sample::green());
    let made = receipt(&report);
    let mut other = report;
    other.results[0].fingerprint = "00aa".to_owned();
    other.result_digest = "00aa".to_owned();
    let lines = made.differences(&other, digest);
    assert!(lines.len() == 1 && lines[0].starts_with("combat/compute_damage: 1 of 1 pass"), "{lines:?}");
    other.results.clear();
    other.counts = Counts::default();
    let lines = made.differences(&other, digest).join("\n");
    assert!(
        lines.contains("nothing here") && lines.contains("the verdict is broken here, pass in"),
        "{lines}"
    );
}

#[test]
fn what_contradicts_itself_is_malformed() {
    let good: Value = serde_json::from_str(&receipt(&built(sample::red())).json()).unwrap();
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: [(Change, &str); 8] = [
        (&|value| value["_type"] = "x".into(), "is a `x`"),
        (&|value| value["predicateType"] = "x".into(), "of `x`"),
        (&|value| value["subject"][1]["name"] = "x".into(), "no subject `corpus`"),
        (&|value| value["subject"][0]["digest"]["blake3"] = "x".into(), "no subject `ports`"),
        (&|value| value["predicate"]["result"] = "PASSED".into(), "says PASSED"),
        (&|value| value["predicate"]["failedTests"] = Value::Array(Vec::new()), "lists other tests"),
        (&|value| value["predicate"]["assay"]["counts"]["fail"] = 0.into(), "counts other cases"),
        (&|value| value["predicate"]["assay"]["format"] = 2.into(), "has format 2"),
    ];
    for (change, why) in changes {
        let mut value = good.clone();
        change(&mut value);
        let error = Receipt::read(&value.to_string()).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
    assert!(Receipt::read("{}").unwrap_err().contains("is no receipt"));
    assert!(Receipt::read("").unwrap_err().contains("is no receipt"));
}

#[test]
fn a_part_has_no_receipt() {
    let mut report = built(sample::green());
    report.part = Some(assay_model::Part { shard: 1, of: 2, selected: 2, plan: String::new() });
    assert!(Receipt::new(&report, &facts(), digest).unwrap_err().contains("merge the parts first"));
    report.build = None;
    assert!(Receipt::new(&report, &facts(), digest).unwrap_err().contains("which ports"));
}
