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
    assert!(message.ends_with("; a known failure, but not with this output"), "{message}");
    let today = result(&report, "quarter").failure.clone().unwrap().digest;
    assert_ne!(today, digest());
    // Listed with the digest that the failure names, it is known.
    let relisted = on(&listed(&today, "2027-01-01"), &OTHERWISE, "2026-12-31");
    assert_eq!(said(&relisted, "quarter").0, Verdict::KnownFailure);
}

#[test]
fn a_failure_names_the_digest_that_would_pin_it_and_a_pass_names_none() {
    let plain = Corpus::whole().without("ports/known-failures.toml");
    let named =
        |port: &'static ToyPort, case: &str| result(&plain.run(port), case).failure.clone().unwrap().digest;
    assert_eq!(named(&ULP, "quarter"), digest());
    assert_eq!(named(&REFUSING, "quarter"), blake3::hash(b"EBUSY: is somewhere else").to_hex().to_string());
    assert_eq!(named(&PANICKING, "quarter"), blake3::hash(b"off the map").to_hex().to_string());
    let passing = on(&listed(&digest(), "2027-01-01"), &RIGHT, "2026-12-31");
    assert_eq!(result(&passing, "quarter").failure.clone().unwrap().digest, "");
}

/// Refusals, panics and sweeps are pinned like wrong values.
#[test]
fn every_way_of_failing_can_be_known() {
    for (port, case) in
        [(&REFUSING, "quarter"), (&PANICKING, "quarter"), (&ULP, "taped.v1"), (&OTHERWISE, "all-near")]
    {
        let suite = Corpus::whole();
        let found = result(&suite.run(port), case).failure.clone();
        let Some(failure) = found else { continue };
        let list = format!(
            "[[known]]\nid = \"combat/compute_toy/{case}\"\nreason = \"r\"\ndigest = \"{}\"\nexpires = \"2027-01-01\"\n",
            failure.digest
        );
        let corpus = suite.with("ports/known-failures.toml", &list);
        assert_eq!(said(&on(&corpus, port, "2026-12-31"), case).0, Verdict::KnownFailure, "{case}");
        assert!(said(&on(&corpus, port, "2027-01-01"), case).0.is_drift(), "{case}");
        assert_eq!(said(&on(&corpus, &RIGHT, "2026-12-31"), case).0, Verdict::UnexpectedPass, "{case}");
    }
}

#[test]
fn a_known_failure_keeps_its_clause_from_verified() {
    let report = on(&listed(&digest(), "2027-01-01"), &ULP, "2026-12-31");
    let missing = &report.standings["compute_toy"].missing;
    assert!(
        missing.iter().any(|line| line.ends_with("combat/compute_toy/quarter is known to fail")),
        "{missing:?}"
    );
}

/// The gates of this repository take the real day: without one nothing would ever expire.
#[test]
fn the_usual_options_of_a_gate_have_todays_date() {
    let today = Options::dated().today.unwrap();
    assert_eq!(today, assay_harness::date::today());
    assert!(today.as_str() > "2026-01-01" && today.len() == 10, "{today}");
    let golden = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.rs")).unwrap();
    assert!(!golden.contains("Options::default()"), "golden.rs runs without a date");
}

#[test]
fn an_id_that_only_begins_like_a_broken_suite_is_still_unknown() {
    let entry = |id: &str| {
        format!("[[known]]\nid = \"{id}\"\nreason = \"r\"\ndigest = \"d\"\nexpires = \"2027-01-01\"\n")
    };
    let list = entry("combat/compute_toy/hidden") + &entry("combat/compute_toys/other");
    let broken = Corpus::of("[[case]\n").with("ports/known-failures.toml", &list).problems();
    let unknown: Vec<_> = broken.iter().filter(|problem| problem.contains("no suite has a case")).collect();
    assert_eq!(unknown.len(), 1, "{broken:?}");
    assert!(unknown[0].contains("compute_toys/other"), "{unknown:?}");
}

static REFUSING: ToyPort = FnPort::new(&META, |input| {
    let toy = right(input)?;
    if toy.kernel.falloff.0 == 0.75 { Err(busy()) } else { Ok(toy) }
});

static PANICKING: ToyPort = FnPort::new(&META, |input| {
    let toy = right(input)?;
    assert!(toy.kernel.falloff.0 != 0.75, "off the map");
    Ok(toy)
});

static SLOW: ToyPort = FnPort::new(&META, |input| {
    std::thread::sleep(std::time::Duration::from_millis(30));
    right(input)
});

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

/// Whatever a port does with a disputed case, it gates nothing and keeps its clause from verified.
#[test]
fn no_verdict_of_a_disputed_case_gates() {
    // Without the sweep, which would fail beside it.
    let text = disputed().text(CASES).split("[[sweep]]").next().unwrap().to_owned();
    let corpus = Corpus::of(&text).locked();
    for (port, complaint) in [(&RIGHT, ""), (&ULP, "stage"), (&REFUSING, "refused"), (&PANICKING, "panicked")]
    {
        let report = corpus.run(port);
        let (verdict, _, message) = said(&report, "quarter");
        assert_eq!((verdict, report.exit_code()), (Verdict::Disputed, 0), "{message}");
        assert!(message.starts_with(complaint), "{message}");
        let missing = &report.standings["compute_toy"].missing;
        assert!(
            missing.iter().any(|line| line.ends_with("combat/compute_toy/quarter is disputed")),
            "{missing:?}"
        );
        // Alone it is a run of one case, and green.
        let alone = Selection::all().pattern("combat/compute_toy/quarter").unwrap();
        assert_eq!(verify(&corpus.registry(port), &alone, &Options::default()).exit_code(), 0);
    }
    let slow = Options { slow: std::time::Duration::from_millis(1), ..Options::default() };
    let alone = Selection::all().pattern("combat/compute_toy/quarter").unwrap();
    assert_eq!(verify(&corpus.registry(&SLOW), &alone, &slow).exit_code(), 0, "nor does a slow one");
    // A dispute is not shown as a known failure, nor as an unexpected pass, whatever the list says.
    let list = "[[known]]\nid = \"combat/compute_toy/quarter\"\nreason = \"r\"\ndigest = \"d\"\nexpires = \"2020-01-01\"\n";
    let both = on(&corpus.with("ports/known-failures.toml", list), &RIGHT, "2026-12-31");
    assert_eq!((said(&both, "quarter").0, both.exit_code()), (Verdict::Disputed, 0));
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
