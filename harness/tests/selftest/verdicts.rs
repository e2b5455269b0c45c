//! Ports that are wrong in one way each: the verdict is the one that is due, and the message names the stage.

use crate::support::*;
use assay_harness::{Options, Selection, verify};
use assay_model::{FnPort, PortError, Real, Verdict};
use std::time::Duration;

#[test]
fn a_right_port_passes_and_nothing_else_is_said() {
    let report = Corpus::whole().run(&RIGHT);
    assert_eq!(report.problems, []);
    assert_eq!(report.verdict(), "pass", "{:#?}", report.results);
    assert_eq!((report.counts.pass, report.counts.total(), report.sweep_points), (7, 7, 602));
    assert!(report.complete && report.notes.is_empty());
    assert!(report.results.is_sorted_by(|a, b| a.id < b.id));
}

static WRONG_INSIDE: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    toy.kernel.draws[1] += 1;
    toy.result += 1;
    Ok(toy)
});

#[test]
fn the_first_wrong_stage_is_named_also_inside_a_stage() {
    let report = Corpus::whole().run(&WRONG_INSIDE);
    let message = "stage `kernel.draws.1` is 129, expected 128".to_owned();
    assert_eq!(said(&report, "quarter"), (Verdict::Fail, "kernel.draws.1".to_owned(), message));
    let failure = result(&report, "quarter").failure.clone().unwrap();
    assert_eq!(
        (failure.expected.as_str(), failure.actual.as_str(), failure.rule.as_str()),
        ("128", "129", "exact")
    );
    assert_eq!(failure.repro, "assay verify 'combat/compute_toy/quarter'");
    assert_eq!(said(&report, "taped.v1").1, "kernel.draws.1");
    assert_eq!(said(&report, "negative").0, Verdict::Pass);
    assert_eq!((report.verdict(), report.exit_code()), ("fail", 1));
}

static NAMING: ToyPort = FnPort::new(&META, |input| {
    let named = |error: PortError| PortError { message: format!("below_zero: {}", error.message), ..error };
    right(input).map_err(named)
});

#[test]
fn a_name_that_is_due_begins_the_message() {
    let due = |name: &str| {
        let error = "error = { errno = \"EINVAL\", field = \"distance\"";
        Corpus::of(&suite(&format!("{error} }}"), &format!("{error}, name = \"{name}\" }}")))
    };
    assert_eq!(said(&due("below_zero").run(&NAMING), "negative").0, Verdict::Pass);
    let (verdict, _, message) = said(&due("truncated").run(&NAMING), "negative");
    let refused = "refused with EINVAL at `distance`: below_zero: is below zero";
    assert_eq!(verdict, Verdict::Error);
    assert_eq!(message, format!("{refused}, expected EINVAL at `distance`: truncated"));
    assert_eq!(said(&due("below_zero").run(&RIGHT), "negative").0, Verdict::Error, "it names nothing");
    assert_eq!(said(&Corpus::whole().run(&NAMING), "negative").0, Verdict::Pass, "no name is due");
}

static ULP: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    toy.kernel.falloff = Real(f64::from_bits(toy.kernel.falloff.0.to_bits() + 1));
    Ok(toy)
});

#[test]
fn one_unit_in_the_last_place_is_seen() {
    let report = Corpus::whole().run(&ULP);
    let (verdict, stage, message) = said(&report, "quarter");
    assert_eq!((verdict, stage.as_str()), (Verdict::Fail, "kernel.falloff"));
    assert_eq!(message, "stage `kernel.falloff` is 0.7500000000000001, expected 0.75");
    assert_eq!(said(&report, "all-near").1, "kernel.falloff");
    assert_eq!(said(&report, "taped.v2").2, "stage `kernel.falloff` is 5e-324, expected 0.0");
}

static PANICKING: ToyPort = FnPort::new(&META, |input| {
    assert!(input_distance(input) != 128 && input_distance(input) >= 0, "off the map");
    right(input)
});

fn input_distance(input: &Input) -> i32 {
    right(input).map_or(-1, |toy| toy.kernel.draws[1])
}

#[test]
fn a_panic_is_a_verdict_also_where_an_error_is_due() {
    let report = Corpus::whole().run(&PANICKING);
    for case in ["quarter", "negative"] {
        let (verdict, _, message) = said(&report, case);
        assert_eq!(verdict, Verdict::Panicked, "{case}");
        assert!(message.contains("verdicts.rs:") && message.ends_with(": off the map"), "{message}");
    }
    assert_eq!(said(&report, "storm").0, Verdict::Pass);
    let (verdict, _, message) = said(&report, "all-near");
    assert_eq!(verdict, Verdict::Panicked);
    assert!(message.starts_with("2 of 602 points differ, first at distance=-1: panicked at"), "{message}");
}

static ERRING: ToyPort = FnPort::new(&META, |_| Err::<Toy, PortError>(busy()));

#[test]
fn an_error_where_a_value_is_due_and_the_wrong_error_are_errors() {
    let report = Corpus::whole().run(&ERRING);
    let (verdict, _, message) = said(&report, "quarter");
    assert_eq!(
        (verdict, message.as_str()),
        (Verdict::Error, "refused with EBUSY: is somewhere else, expected a breakdown")
    );
    let (verdict, _, message) = said(&report, "negative");
    assert_eq!(verdict, Verdict::Error);
    assert_eq!(message, "refused with EBUSY: is somewhere else, expected EINVAL at `distance`");
}

static ELSEWHERE: ToyPort = FnPort::new(&META, |input| {
    right(input).map_err(|error| PortError { field: "damage".to_owned(), ..error })
});

#[test]
fn an_error_at_another_field_is_another_error() {
    let report = Corpus::whole().run(&ELSEWHERE);
    let message = "refused with EINVAL at `damage`: is below zero, expected EINVAL at `distance`".to_owned();
    assert_eq!(said(&report, "negative"), (Verdict::Error, String::new(), message));
}

static LENIENT: ToyPort = FnPort::new(&META, |input| right(&input.nearer()));

impl Input {
    /// The same input with the distance made acceptable.
    fn nearer(&self) -> Self {
        let distance = input_distance(self).max(0);
        let text = format!("{{\"distance\":{distance}}}");
        serde_json::from_str(&text).unwrap()
    }
}

#[test]
fn a_value_where_an_error_is_due_fails() {
    let report = Corpus::whole().run(&LENIENT);
    let (verdict, stage, message) = said(&report, "negative");
    assert_eq!((verdict, stage.as_str()), (Verdict::Fail, ""));
    assert_eq!(message, "gave a breakdown, expected EINVAL at `distance`");
}

static MORE: ToyPort = FnPort::new(&META, |input| {
    right(input).map(|toy| Toy { firestorm: Some(toy.firestorm.unwrap_or(false)), ..toy })
});

#[test]
fn a_stage_too_many_is_seen() {
    let report = Corpus::whole().run(&MORE);
    let message = "stage `firestorm` is false, and nothing is expected there".to_owned();
    assert_eq!(said(&report, "quarter"), (Verdict::Fail, "firestorm".to_owned(), message));
}

static LESS: ToyPort = FnPort::new(&META, |input| right(input).map(|toy| Toy { firestorm: None, ..toy }));

#[test]
fn a_missing_stage_is_seen() {
    let report = Corpus::whole().run(&LESS);
    let message = "stage `firestorm` is missing, expected true".to_owned();
    assert_eq!(said(&report, "storm"), (Verdict::Fail, "firestorm".to_owned(), message));
}

static SLOW: ToyPort = FnPort::new(&META, |input| {
    if input_distance(input) == 128 {
        std::thread::sleep(Duration::from_millis(30));
    }
    right(input)
});

#[test]
fn a_call_over_the_limit_is_an_error_and_the_clock_is_in_no_digest() {
    let corpus = Corpus::whole();
    let run = |slow| {
        let options = Options { slow: Duration::from_millis(slow), ..Options::default() };
        verify(&corpus.registry(&SLOW), &Selection::all(), &options)
    };
    let (strict, lenient) = (run(20), run(20_000));
    for case in ["quarter", "all-near"] {
        let (verdict, _, message) = said(&strict, case);
        assert_eq!(verdict, Verdict::Error, "{case}");
        assert!(message.starts_with("too slow: took ") && message.ends_with(" ms, limit 20 ms"), "{message}");
    }
    assert_eq!(said(&strict, "taped.v1").0, Verdict::Pass);
    assert_eq!(lenient.verdict(), "pass");
    assert_eq!(strict.result_digest, lenient.result_digest);
}

#[test]
fn the_same_bytes_come_from_any_number_of_threads() {
    let corpus = Corpus::whole();
    for port in [&RIGHT, &WRONG_INSIDE, &PANICKING] {
        let bytes = |jobs| {
            let options = Options { jobs: Some(jobs), ..Options::default() };
            serde_json::to_string(&verify(&corpus.registry(port), &Selection::all(), &options)).unwrap()
        };
        let one = bytes(1);
        assert_eq!(one, bytes(2));
        assert_eq!(one, bytes(8));
    }
}

#[test]
fn the_result_digest_tells_ports_apart() {
    let corpus = Corpus::whole();
    let digest = |port| corpus.run(port).result_digest;
    assert_eq!(digest(&RIGHT), digest(&RIGHT));
    assert_ne!(digest(&RIGHT), digest(&ULP));
    assert_ne!(digest(&MORE), digest(&LESS));
}
