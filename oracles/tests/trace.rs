//! A derivation watched: every statement with its place, its values, and what it would be without rounding.

mod common;

use assay_model::Tree;
use assay_oracles::derive::{Number, Outcome, Program, Scope, Sets, Trace, TracedStep, Value};
use common::steps;

fn trace(text: &str, inputs: &[(&str, Tree)]) -> Trace {
    let mut scope = Scope::default();
    for (name, value) in inputs {
        scope.bind(name, value).expect("an input that binds");
    }
    Trace::of(text, &scope).expect(text)
}

/// Source, value and exact value of each statement.
fn lines(text: &str, inputs: &[(&str, Tree)]) -> Vec<(String, String, String)> {
    let trace = trace(text, inputs);
    let line = |step: &TracedStep| {
        let latest = step.latest().expect("a run");
        let unrounded = latest.unrounded.as_ref().map(Value::exact).unwrap_or_default();
        (text[step.span.clone()].to_owned(), latest.value.to_string(), unrounded)
    };
    trace.steps.iter().map(line).collect()
}

fn unrounded(expression: &str) -> String {
    lines(&format!("r = {expression}"), &[]).remove(0).2
}

fn exact(expression: &str) -> String {
    steps(&format!("r = {expression}"), &[]).leaf("r").expect("a step").exact()
}

#[test]
fn a_hundred_at_seventy_percent_are_sixty_nine_and_the_trace_says_why() {
    let text = "factor = x87(atoi(verses) * nearest64(0.01))\nversed = ftol(x87(damage * factor)) # not 70\n";
    let inputs = [("damage", Tree::Int(100)), ("verses", Tree::Text("70%".to_owned()))];
    let triple = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    assert_eq!(
        lines(text, &inputs),
        [
            triple("factor = x87(atoi(verses) * nearest64(0.01))", "0.7", "0.7"),
            triple("versed = ftol(x87(damage * factor)) # not 70", "69", "69.9999999999999955591…"),
        ]
    );
    assert_eq!(exact("nearest64(0.7)"), "0.699999999999999955591…");
}

#[test]
fn everything_that_rounds_is_left_out_of_the_exact_value() {
    for (expression, expected) in [
        ("x87(1 / 3)", "1/3"),
        ("f32(0.1)", "0.1"),
        ("f64(0.1)", "0.1"),
        ("nearest32(0.1)", "0.1"),
        ("nearest64(0.1)", "0.1"),
        ("ftol(87.5)", "87.5"),
        ("trunc(-0.5)", "-0.5"),
        ("floor(-0.5)", "-0.5"),
        ("real32(\"1.3\")", "1.3"),
        ("real64(\"0.7\")", "0.7"),
        ("[f32(0.1), 2]", "[0.1, 2]"),
        ("{a: trunc(2.5)}", "{a: 2.5}"),
        // Nothing was rounded.
        ("f32(0.5)", ""),
        ("ftol(3)", ""),
        ("7 / 2", ""),
        ("x87(-0.0 * 5)", ""),
        // There is no exact value.
        ("x87(sqrt(2))", ""),
        ("x87(1 / 0)", ""),
        ("idiv(trunc(2.5), 2)", ""),
    ] {
        assert_eq!(unrounded(expression), expected, "{expression}");
    }
}

#[test]
fn numbers_are_written_exactly_where_that_is_short_and_never_at_length() {
    for (expression, expected) in [
        ("0", "0"),
        ("-0.0", "-0.0"),
        ("inf", "inf"),
        ("-12345678901234567890", "-12345678901234567890"),
        ("261 / 4", "65.25"),
        ("2 / 3", "2/3"),
        ("-1 / 1000000", "-0.000001"),
        ("1 / 100000000", "1e-8"),
        ("1234567 / 9876543", "0.124999911406248117382…"),
        ("nearest64(0.1) * 10", "1.00000000000000005551…"),
        ("(1 << 8000) + 0.5", "1.73766203193809456599…e2408"),
        ("1 << 8000", "1.73766203193809456599…e2408"),
        ("1 / (3 << 8000)", "1.91828633650671011584…e-2409"),
        ("10 / 1 - 1 / 7", "69/7"),
    ] {
        assert_eq!(exact(expression), expected, "{expression}");
    }
    assert_eq!(Number::from_f64(0.5).exact(), "0.5");
}

#[test]
fn a_loop_is_one_entry_with_its_ends_and_a_count() {
    let text =
        "sum = 0\ndraws = []\nfor i in 1 ..= 1000 {\n  sum = sum + i\n  push(draws, sum)\n}\ndraws[7] = -1";
    let trace = trace(text, &[]);
    let names: Vec<(&str, Sets, u64, bool)> =
        trace.steps.iter().map(|step| (step.name.as_str(), step.sets, step.times, step.last)).collect();
    assert_eq!(
        names,
        [
            ("sum", Sets::Whole, 1, false),
            ("draws", Sets::Whole, 1, false),
            ("sum", Sets::Whole, 1000, true),
            ("draws", Sets::Push, 1000, false),
            ("draws", Sets::Part, 1, true),
        ]
    );
    let sum = &trace.steps[2];
    let print = |value: &Value| value.to_string();
    let first: Vec<String> = sum.first.iter().map(|setting| print(&setting.value)).collect();
    let tail: Vec<String> = sum.tail.iter().map(|setting| print(&setting.value)).collect();
    assert_eq!((first.join(" "), tail.join(" ")), ("1 3 6".to_owned(), "498501 499500 500500".to_owned()));
    assert_eq!(trace.steps[4].latest().map(|setting| setting.place.as_str()), Some("[7]"));
    assert_eq!(trace.outcome.steps().leaf("draws.999").map(|value| value.to_string()), Some("500500".into()));
}

#[test]
fn statements_are_bounded_and_the_rest_is_counted() {
    let text: String = (0..2100).map(|index| format!("a{index} = {index}\n")).collect();
    let trace = trace(&text, &[]);
    assert_eq!((trace.steps.len(), trace.left_out), (2000, 100));
}

#[test]
fn a_refusal_names_its_line_and_keeps_the_steps_before() {
    let text = "a = 1\nif a == 1 {\n  require a > 1, \"EINVAL\", \"a\" # at least two\n}\nb = 2";
    let trace = trace(text, &[]);
    let refused = trace.refused.expect("a refusal");
    assert_eq!(&text[refused], "require a > 1, \"EINVAL\", \"a\" # at least two");
    assert!(matches!(trace.outcome, Outcome::Refused { .. }));
    assert_eq!(trace.steps.len(), 1);
}

#[test]
fn watching_changes_nothing() {
    let text = "held = [0.1, 0.2]\nfor i in 0 .. 2 { held[i] = nearest32(held[i]) }\nr = {x: f32(held[0] / 3)}\nz = r.x + held[1]";
    let scope = Scope::default();
    let Ok(Outcome::Steps(plain)) = Program::parse(text).and_then(|program| program.run(&scope)) else {
        panic!("it runs")
    };
    assert_eq!(trace(text, &[]).outcome.steps().in_order(), plain.in_order());
}

#[test]
fn what_only_runs_with_constants_computed_ahead_is_traced_all_the_same() {
    let sum = vec!["1"; 250].join(" + ");
    assert_eq!(lines(&format!("a = {sum}"), &[])[0].1, "250");
}
