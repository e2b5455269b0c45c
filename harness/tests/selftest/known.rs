//! Known failures, disputed cases and tolerances: what does not gate, and when it does again.

use crate::support::*;
use assay_harness::{Options, Selection, verify};
use assay_model::{FnPort, Real, Report, Verdict};

static ULP: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    if toy.kernel.falloff.0 == 0.75 {
        toy.kernel.falloff = Real(0.750_000_000_000_000_1);
    }
    Ok(toy)
});

static OTHERWISE: ToyPort =
    FnPort::new(&META, |input| right(input).map(|toy| Toy { result: toy.result + 9, ..toy }));

/// The wrong output that `ULP` gives today, as the port prints it.
const TODAY: &str = r#"{"kernel":{"falloff":0.7500000000000001,"draws":[100,128]},"result":75}"#;

fn listed(digest: &str, expires: &str) -> Corpus {
    let entry = |id: &str| {
        format!(
            "[[known]]\nid = \"combat/compute_toy/{id}\"\nreason = \"the root is not chopped yet\"\ndigest = \"{digest}\"\nexpires = \"{expires}\"\n"
        )
    };
    // The sweep passes the same point and would fail beside it.
    let suite = SUITE.replace("from = -1, to = 600", "from = 0, to = 100");
    Corpus::of(&suite).with("ports/known-failures.toml", &entry("quarter")).locked()
}

fn on(corpus: &Corpus, port: &'static ToyPort, today: &str) -> Report {
    let options = Options { today: Some(today.to_owned()), ..Options::default() };
    verify(&corpus.registry(port), &Selection::all(), &options)
}

fn digest() -> String {
    blake3::hash(TODAY.as_bytes()).to_hex().to_string()
}

#[test]
fn a_failure_that_is_known_does_not_gate_until_it_expires() {
    let corpus = listed(&digest(), "2027-01-01");
    let report = on(&corpus, &ULP, "2026-12-31");
    assert_eq!(said(&report, "quarter").0, Verdict::KnownFailure);
    assert_eq!(result(&report, "quarter").reason, "the root is not chopped yet");
    assert_eq!((report.verdict(), report.counts.known_failure), ("pass", 1));
    let late = on(&corpus, &ULP, "2027-01-01");
    let (verdict, stage, message) = said(&late, "quarter");
    assert_eq!((verdict, stage.as_str()), (Verdict::Fail, "kernel.falloff"));
    assert!(message.ends_with("; a known failure that expired on 2027-01-01"), "{message}");
}

#[test]
fn a_known_failure_that_passes_must_leave_the_list() {
    let report = on(&listed(&digest(), "2027-01-01"), &RIGHT, "2026-12-31");
    let (verdict, _, message) = said(&report, "quarter");
    assert_eq!(verdict, Verdict::UnexpectedPass);
    assert!(message.contains("remove it"), "{message}");
    assert_eq!(report.verdict(), "fail");
}

#[test]
fn another_wrong_output_is_another_failure() {
    let report = on(&listed(&digest(), "2027-01-01"), &OTHERWISE, "2026-12-31");
    let (verdict, _, message) = said(&report, "quarter");
    assert_eq!(verdict, Verdict::Fail);
    assert!(message.contains("but not with this output: its digest is "), "{message}");
}

#[test]
fn a_listed_id_that_no_suite_has_is_a_problem() {
    let list = "[[known]]\nid = \"combat/compute_toy/quarters\"\nreason = \"r\"\ndigest = \"d\"\nexpires = \"2027-01-01\"\n";
    let all = Corpus::whole().with("ports/known-failures.toml", list).problems();
    assert_eq!(
        all,
        ["ports/known-failures.toml:2:7: no suite has a case `combat/compute_toy/quarters` (remove it)"]
    );
}

fn disputed() -> Corpus {
    let dispute =
        "disputed = { issue = \"7\", reason = \"a second reading differs\", opened = \"2026-11-01\" }\n";
    Corpus::of(&suite("input = { distance = 128 }\n", &format!("input = {{ distance = 128 }}\n{dispute}")))
        .locked()
}

#[test]
fn a_disputed_case_runs_is_shown_apart_and_never_gates() {
    let report = disputed().run(&RIGHT);
    let result = result(&report, "quarter");
    assert_eq!((result.verdict, result.failure.is_none()), (Verdict::Disputed, true));
    assert_eq!(result.disputed.as_ref().unwrap().reason, "a second reading differs");
    assert_eq!((report.verdict(), report.counts.disputed), ("pass", 1));
    let wrong = disputed().run(&OTHERWISE);
    let (verdict, stage, _) = said(&wrong, "quarter");
    assert_eq!((verdict, stage.as_str()), (Verdict::Disputed, "result"));
}

/// The suite with a tolerance of one unit in the last place for the falloff of `quarter`.
fn tolerant() -> Corpus {
    let rule = "tolerance.\"kernel.falloff\" = { ulps = 1, why = \"double rounding\" }\ninput = { distance = 128 }\n";
    let suite =
        suite("input = { distance = 128 }\n", rule).replace("from = -1, to = 600", "from = 0, to = 100");
    Corpus::of(&suite).locked()
}

#[test]
fn a_tolerance_is_used_or_told_to_be_idle() {
    let needed = tolerant().run(&ULP);
    assert_eq!(said(&needed, "quarter").0, Verdict::Pass);
    assert_eq!(needed.notes, [""; 0]);
    let idle = tolerant().run(&RIGHT);
    assert_eq!(idle.verdict(), "pass");
    let note = "combat/compute_toy/quarter: the tolerance for `kernel.falloff` was not needed; remove it";
    assert_eq!(idle.notes, [note]);
}
