//! Known failures of a port in another process: a list of its own, that only shrinks.

use crate::rig::{Test, failure, quick, run, run_with, with};
use crate::support::result;
use assay_harness::external::KnownList;
use assay_model::{Report, Verdict};

pub const TRIALS: &[Test] = &[
    ("a_listed_failure_is_known", known),
    ("a_listed_crash_is_known", crash),
    ("a_pass_that_is_listed_and_an_id_without_a_case_are_errors", shrinks),
];

/// The list that pins what a run said of some cases.
fn list(report: &Report, cases: &[&str]) -> String {
    let entry = |case: &&str| {
        let digest = result(report, case).failure.as_ref().unwrap().digest.clone();
        format!(
            "[[known]]\nid = 'combat/compute_toy/{case}'\nreason = 'next week'\ndigest = '{digest}'\nexpires = '2099-01-01'\n"
        )
    };
    cases.iter().map(entry).collect()
}

fn judged(behaviour: &str, text: &str) -> Report {
    run_with(behaviour, quick(), None, Some(&KnownList::read("mine/known.toml", text)))
}

fn known() {
    let all = ["all-near", "quarter", "storm", "taped.v1", "taped.v2"];
    let report = judged("wrong", &list(&run("wrong"), &all));
    assert_eq!(with(&report, Verdict::KnownFailure), all);
    assert_eq!((report.verdict(), result(&report, "storm").reason.as_str()), ("pass", "next week"));
}

fn crash() {
    let report = judged("dies-at-128", &list(&run("dies-at-128"), &["all-near", "quarter"]));
    assert_eq!(with(&report, Verdict::KnownFailure), ["all-near", "quarter"]);
    assert_eq!(report.verdict(), "pass");
}

fn shrinks() {
    let text = list(&run("wrong"), &["quarter"]).replace("quarter", "storm");
    let report = judged("right", &text);
    assert_eq!(with(&report, Verdict::UnexpectedPass), ["storm"]);
    assert!(failure(&report, "storm").1.contains("mine/known.toml lists it as failing"));
    // In another way than listed.
    let report = judged("wrong", &text);
    assert!(failure(&report, "storm").1.contains("a known failure, but not with this output"));
    let report = judged("right", &text.replace("storm", "no-such-case"));
    assert_eq!(report.exit_code(), 2);
    assert!(report.problems[0].to_string().starts_with("mine/known.toml:2:"), "{}", report.problems[0]);
}
