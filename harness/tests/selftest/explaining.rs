//! What an explanation shows of a case: steps beside stages, the first that differs, refusals, points of sweeps.

use crate::support::*;
use assay_harness::explain::{Found, capability, case, find};
use assay_harness::{Options, Registry};
use assay_model::explain::{CaseExplained, Chosen, PortAnswer, StepExplained};
use assay_model::{CaseKind, FnPort, Game, Port, Real, Tier, Verdict};

fn explain_at(
    corpus: &Corpus,
    port: &'static dyn Port,
    id: &str,
    at: &[&str],
) -> Result<CaseExplained, String> {
    let at: Vec<String> = at.iter().map(|word| (*word).to_owned()).collect();
    case(&corpus.registry(port), &Options::default(), &format!("combat/compute_toy/{id}"), &at)
}

fn explain(corpus: &Corpus, port: &'static dyn Port, id: &str) -> CaseExplained {
    explain_at(corpus, port, id, &[]).unwrap()
}

fn step<'a>(case: &'a CaseExplained, name: &str) -> &'a StepExplained {
    let steps = &case.derivation.as_ref().unwrap().steps;
    steps.iter().rfind(|step| step.step == name).unwrap_or_else(|| panic!("no step {name}"))
}

/// A suite of one case, whose derivation has these steps.
fn one_case(input: &str, steps: &str, expect: &str) -> Corpus {
    Corpus::of(&format!(
        "[[case]]\nid = \"one\"\ntitle = \"one\"\ngame = \"YR\"\nclause = [\"falloff.1\"]\ninput = {input}\n\
         derivation = '''\n{steps}'''\n[case.expect]\n{expect}\n\
         [[case]]\nid = \"storm\"\ntitle = \"ts\"\ngame = \"TS\"\nclause = [\"storm.1\"]\ninput = {{}}\n\
         prose = \"because\"\npartial = true\nexpect = {{ firestorm = true }}\n"
    ))
}

/// Wrong from the third stage on: `kernel.falloff` and `kernel.draws.0` are right.
static THIRD: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    toy.kernel.draws[1] += 1;
    toy.result += 1;
    Ok(toy)
});

#[test]
fn a_passing_case_shows_every_step_beside_its_stage() {
    let case = explain(&Corpus::whole(), &RIGHT, "quarter");
    assert_eq!((case.result.verdict, case.exit_code(), case.kind), (Verdict::Pass, 0, CaseKind::Computed));
    assert_eq!(
        (case.differences.len(), case.title.as_str()),
        (0, "a quarter of the way leaves three quarters")
    );
    assert_eq!(case.input.to_string(), r#"{"game":"YR","distance":128}"#);
    let derivation = case.derivation.as_ref().unwrap();
    let sources: Vec<&str> = derivation.steps.iter().map(|step| step.source.as_str()).collect();
    assert_eq!(
        sources,
        [
            "kernel.falloff = x87(1 - distance / reach)",
            "kernel.draws = [damage, distance]",
            "result = trunc(damage * kernel.falloff)",
        ]
    );
    assert_eq!(derivation.name.as_deref(), Some("kernel"));
    // Places are those of the file: the defaults and constants of the spec were bound as for a verification.
    let line = |text: &str| SUITE.lines().position(|line| line == text).unwrap() + 1;
    assert_eq!(derivation.steps[2].line, line("result = trunc(damage * kernel.falloff)"));
    assert_eq!(case.line, line("id = \"quarter\"") - 1);
    let draws = step(&case, "kernel.draws");
    assert_eq!(draws.last.value, "[100, 128]");
    let beside = draws.stage.as_ref().unwrap();
    assert_eq!((beside.port.as_str(), beside.differs, beside.first), ("[100, 128]", false, false));
    assert!(case.stages.iter().all(|stage| stage.derived && !stage.differs), "{:?}", case.stages);
}

#[test]
fn clauses_come_with_text_tier_place_and_sources() {
    let case = explain(&Corpus::whole(), &RIGHT, "storm");
    let clause = &case.clauses[1];
    assert_eq!((clause.id.as_str(), clause.text.as_str()), ("storm.1", "The other does not."));
    assert_eq!(clause.tiers, [(Game::Ts, Tier::Verified)].into());
    let heading = TOY.lines().position(|line| line.starts_with("### storm.1")).unwrap() + 1;
    assert_eq!((clause.file.as_str(), clause.line), (SPEC, heading));
    let source = &clause.sources[0];
    assert_eq!(
        (source.id.as_str(), source.kind.as_str(), source.group.as_str(), source.location.as_str()),
        ("tape", "original-program", "ours", "the tape")
    );
}

#[test]
fn the_third_stage_that_differs_is_the_first_and_the_others_come_after() {
    let case = explain(&Corpus::whole(), &THIRD, "quarter");
    assert_eq!((case.result.verdict, case.exit_code()), (Verdict::Fail, 1));
    let stages: Vec<&str> = case.differences.iter().map(|found| found.stage.as_str()).collect();
    assert_eq!(stages, ["kernel.draws.1", "result"]);
    let first = &case.differences[0];
    assert_eq!(
        (first.expected.as_str(), first.derived.as_deref(), first.actual.as_str()),
        ("128", Some("128"), "129")
    );
    // Explanation and verification name the same stage.
    assert_eq!(case.result.failure.as_ref().unwrap().stage, first.stage);
    let marks = ["kernel.falloff", "kernel.draws", "result"].map(|name| {
        let stage = step(&case, name).stage.clone().unwrap();
        (stage.differs, stage.first)
    });
    assert_eq!(marks, [(false, false), (true, true), (true, false)]);
}

static SEVENTY: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    toy.kernel = Kernel { falloff: Real(0.7), draws: Vec::new() };
    toy.result = 70;
    Ok(toy)
});

#[test]
fn a_hundred_at_seventy_percent_are_sixty_nine_and_both_values_show() {
    let steps = "kernel.falloff = x87(70 * nearest64(0.01))\nkernel.draws = []\n\
                 result = ftol(x87(damage * kernel.falloff))\n";
    let corpus = one_case("{ damage = 100 }", steps, "kernel = { falloff = 0.7, draws = [] }\nresult = 69");
    // 0.7 is cut off from 0.70000000000000001 here, and is the double of that name: just below seven tenths.
    assert_eq!(
        corpus.registry(&SEVENTY).problems().iter().map(ToString::to_string).find(|p| p.contains("falloff")),
        None
    );
    let case = explain(&corpus, &SEVENTY, "one");
    let factor = &step(&case, "kernel.falloff").last;
    assert_eq!(
        (factor.value.as_str(), factor.exact.as_deref(), factor.digits.as_deref()),
        ("0.7", Some("0.7"), Some("0.699999999999999955591…"))
    );
    let result = step(&case, "result");
    assert_eq!(
        (result.last.value.as_str(), result.last.exact.as_deref()),
        ("69", Some("69.9999999999999955591…"))
    );
    assert_eq!(result.stage.as_ref().unwrap().port, "70");
    assert_eq!(case.differences[0].stage, "result");
}

#[test]
fn a_refusal_shows_the_line_that_refuses_and_the_ports_own() {
    let case = explain(&Corpus::whole(), &RIGHT, "negative");
    assert_eq!(case.result.verdict, Verdict::Pass);
    let refusal = case.derivation.as_ref().unwrap().refusal.as_ref().unwrap();
    assert_eq!(refusal.source, "require distance >= 0, \"EINVAL\", \"distance\"");
    assert_eq!((refusal.errno.as_str(), refusal.field.as_str()), ("EINVAL", "distance"));
    let PortAnswer::Refused { errno, field, message } = &case.port else { panic!("{:?}", case.port) };
    assert_eq!((errno.as_str(), field.as_str(), message.as_str()), ("EINVAL", "distance", "is below zero"));
}

static PANICS: ToyPort = FnPort::new(&META, |_| panic!("out of its depth"));

#[test]
fn a_port_that_panics_is_explained_all_the_same() {
    let case = explain(&Corpus::whole(), &PANICS, "quarter");
    assert_eq!((case.result.verdict, case.exit_code()), (Verdict::Panicked, 1));
    assert!(matches!(&case.port, PortAnswer::Panicked { message, .. } if message == "out of its depth"));
    assert_eq!(case.stages.len(), 3, "what is due shows");
}

#[test]
fn recorded_and_prose_have_their_source_and_words_in_place_of_steps() {
    let corpus = Corpus::whole();
    let vector = explain(&corpus, &THIRD, "taped.v1");
    assert_eq!(vector.recorded.as_ref().unwrap().id, "tape");
    assert_eq!((vector.file.as_str(), vector.line), (VECTORS, 2));
    assert!(vector.derivation.is_none());
    assert_eq!(vector.differences[0].stage, "kernel.draws.1");
    assert_eq!(vector.stages[0].expected.as_deref(), Some("0.875"));
    let told = suite("derivation = \"@kernel\"\nerror", "prose = \"the reader says so\"\nerror");
    let prose = explain(&Corpus::of(&told), &RIGHT, "negative");
    assert_eq!(prose.prose.as_deref(), Some("the reader says so"));
    assert!(prose.derivation.is_none());
}

static LATE: ToyPort = FnPort::new(&META, |input| {
    let mut toy = right(input)?;
    if toy.kernel.draws[1] >= 300 {
        toy.result = -1;
    }
    Ok(toy)
});

#[test]
fn a_sweep_shows_its_first_failing_point_or_the_one_asked_for() {
    let corpus = Corpus::whole();
    let failing = explain(&corpus, &LATE, "all-near");
    let sweep = failing.sweep.as_ref().unwrap();
    assert_eq!((sweep.index, sweep.chosen, sweep.points), (301, Chosen::FirstFailing, 602));
    assert_eq!((sweep.axes[0].values.as_str(), sweep.axes[0].count), ("-1 to 600", 602));
    assert_eq!(failing.input.to_string(), r#"{"game":"YR","damage":33,"distance":300}"#);
    let first = &failing.differences[0];
    assert_eq!(
        (first.stage.as_str(), first.expected.as_str(), first.actual.as_str()),
        ("result", "13", "-1")
    );
    assert_eq!(failing.exit_code(), 1);
    let passing = explain(&corpus, &RIGHT, "all-near");
    assert_eq!((passing.sweep.as_ref().unwrap().chosen, passing.exit_code()), (Chosen::First, 0));
    assert!(passing.derivation.unwrap().refusal.is_some(), "the first point is -1");
    let asked = explain_at(&corpus, &RIGHT, "all-near", &["distance=256"]).unwrap();
    assert_eq!(
        (asked.sweep.as_ref().unwrap().index, asked.sweep.as_ref().unwrap().chosen),
        (257, Chosen::Asked)
    );
    assert_eq!(step(&asked, "result").last.value, "16");
    assert_eq!(step(&asked, "result").last.exact.as_deref(), Some("16.5"));
}

#[test]
fn a_point_that_is_none_is_refused_with_what_there_is() {
    for (at, why) in [
        (&["distance"][..], "is no point: write axis=value"),
        (&["distnce=3"], "no axis `distnce`; it has `distance`"),
        (&["distance=601"], "never is `601`: it is -1 to 600"),
        (&["distance=1", "distance=2"], "is given twice"),
    ] {
        let error = explain_at(&Corpus::whole(), &RIGHT, "all-near", at).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    let error = explain_at(&Corpus::whole(), &RIGHT, "quarter", &["distance=1"]).unwrap_err();
    assert!(error.contains("only a sweep has axes"), "{error}");
    let text = SUITE.replace(
        "distance = { from = -1, to = 600 }",
        "distance = { from = -1, to = 5, step = 3 }\ndamage = [1, 2.0, 7]",
    );
    let text = text.replacen("input = { damage = 33 }\n", "", 1);
    let two = Corpus::of(&text);
    let error = explain_at(&two, &RIGHT, "all-near", &["distance=2"]).unwrap_err();
    assert!(error.contains("axis `damage` is missing"), "{error}");
    let at = |at: &[&str]| explain_at(&two, &RIGHT, "all-near", at).map(|case| case.sweep.unwrap().index);
    // Axes run in name order: damage, then distance fastest.
    assert_eq!(at(&["distance=5", "damage=2"]), Ok(5));
    assert!(at(&["distance=4", "damage=2"]).is_err());
}

#[test]
fn a_loop_shows_its_ends_and_a_count() {
    let steps = "sum = 0\nwhile sum < 1000 {\n  sum = sum + 1\n}\nlist = []\nfor i in 0 .. 9 { push(list, i) }\n\
                 kernel.falloff = 1\nkernel.draws = [100, 0]\nresult = 100\n";
    let corpus = one_case("{}", steps, "kernel = { falloff = 1.0, draws = [100, 0] }\nresult = 100");
    let case = explain(&corpus, &RIGHT, "one");
    let sum = step(&case, "sum");
    assert_eq!((sum.times, sum.last.value.as_str(), sum.last.run), (1000, "1000", 1000));
    let runs: Vec<String> = sum
        .runs
        .iter()
        .map(|run| run.as_ref().map_or("…".to_owned(), |run| format!("{}:{}", run.run, run.value)))
        .collect();
    assert_eq!(runs, ["1:1", "2:2", "3:3", "…", "998:998", "999:999", "1000:1000"]);
    assert_eq!(step(&case, "list").whole.as_deref(), Some("[0, 1, 2, 3, 4, 5, 6, 7, 8]"));
}

#[test]
fn names_are_found_by_any_of_their_parts() {
    let registry = Corpus::whole().registry(&RIGHT);
    let id = |case: &str| Ok(Found::Case(format!("combat/compute_toy/{case}")));
    let toy = Ok(Found::Capability("compute_toy".to_owned()));
    for name in ["compute_toy", "combat/compute_toy"] {
        assert_eq!(find(&registry, name), toy, "{name}");
    }
    for name in ["combat/compute_toy/quarter", "compute_toy/quarter", "quarter"] {
        assert_eq!(find(&registry, name), id("quarter"), "{name}");
    }
    assert_eq!(find(&registry, "compute_toy/taped.v1"), id("taped.v1"));
    for (wrong, near) in [
        ("compute_toi", "nearest: `combat/compute_toy`"),
        ("compute_toy/quater", "nearest: `combat/compute_toy/quarter`"),
        ("combat/compute_toy/negatve", "nearest: `combat/compute_toy/negative`"),
        ("zzzzzzzzzzzzzzzzzzzz", "`assay list` shows the capabilities"),
    ] {
        let error = find(&registry, wrong).unwrap_err();
        assert!(error.contains(near), "{error}");
    }
}

#[test]
fn a_suite_that_does_not_load_is_explained_by_its_problems() {
    let registry: Registry = Corpus::of(&suite("result = 75", "result = 76")).registry(&RIGHT);
    for name in ["compute_toy", "compute_toy/quarter", "combat/compute_toy/quarter"] {
        assert_eq!(find(&registry, name), Ok(Found::Capability("compute_toy".to_owned())), "{name}");
    }
    let broken = capability(&registry, &Options::default(), registry.get("compute_toy").unwrap()).unwrap();
    assert_eq!((broken.exit_code(), broken.standing.is_none()), (2, true));
    assert!(broken.problems[0].message.contains("`result` is 76 here"), "{:?}", broken.problems);
    assert_eq!(broken.clauses.len(), 3, "the spec shows all the same");
}

#[test]
fn a_capability_shows_its_clauses_cases_and_what_is_missing() {
    let corpus = Corpus::whole();
    let explained = |port: &'static dyn Port| {
        let registry = corpus.registry(port);
        capability(&registry, &Options::default(), registry.get("compute_toy").unwrap()).unwrap()
    };
    let whole = explained(&RIGHT);
    assert_eq!((whole.exit_code(), whole.standing.as_ref().unwrap().missing.len()), (0, 0));
    let falloff = &whole.clauses[0];
    let lines: Vec<(&str, CaseKind, u64, Verdict)> =
        falloff.cases.iter().map(|case| (case.id.as_str(), case.kind, case.count, case.verdict)).collect();
    assert_eq!(
        lines,
        [
            ("quarter", CaseKind::Computed, 1, Verdict::Pass),
            ("storm", CaseKind::Computed, 1, Verdict::Pass),
            ("all-near", CaseKind::Sweep, 602, Verdict::Pass),
            ("taped.*", CaseKind::Vector, 2, Verdict::Pass),
        ]
    );
    assert_eq!(falloff.clause.tiers, [(Game::Ts, Tier::Verified), (Game::Yr, Tier::Verified)].into());
    let failing = explained(&THIRD);
    assert_eq!((failing.exit_code(), failing.clauses[0].cases[3].verdict), (1, Verdict::Fail));
    assert!(!failing.standing.unwrap().missing.is_empty());
}

#[test]
fn known_failures_and_disputes_show_their_reasons() {
    let disputed = suite(
        "derivation = \"@kernel\"\n[case.expect]",
        "derivation = \"@kernel\"\ndisputed = { issue = \"https://x\", reason = \"a run says else\", opened = \"2026-01-02\" }\n[case.expect]",
    );
    let case = explain(&Corpus::of(&disputed).locked(), &THIRD, "quarter");
    assert_eq!((case.result.verdict, case.exit_code()), (Verdict::Disputed, 0));
    assert_eq!(case.result.disputed.as_ref().unwrap().reason, "a run says else");
    assert_eq!(case.differences[0].stage, "kernel.draws.1", "what differs shows all the same");
}
