//! Whether steps are what a case expects, and how a disagreement reads.

mod common;

use assay_model::Tree;
use common::steps;

fn tree(json: &str) -> Tree {
    Tree::from_json(json.as_bytes()).expect(json)
}

#[test]
fn leaves_agree_by_exact_value() {
    for (expression, expected) in [
        ("65", "65"),
        ("65", "65.0"),
        ("f32(nearest64(0.7))", r#""f32:0x3f333333""#),
        ("nearest32(0.7)", "0.699999988079071"),
        ("1 / 4", "0.25"),
        ("-0.0", "-0.0"),
        ("inf", r#""f64:0x7ff0000000000000""#),
        ("nan", r#""f64:0x7ff8000000000000""#),
        ("nan", r#""f64:0xfff8000000000001""#),
        ("u64(-1)", "18446744073709551615"),
        ("u64(-1)", r#""u64:0xffffffffffffffff""#),
        ("1 << 70", "1180591620717411303424.0"),
        ("true", "true"),
        ("\"heal\"", "\"heal\""),
        ("null", "null"),
        ("[]", "[]"),
        ("{}", "{}"),
        ("[1, {a: 2}]", r#"[1, {"a": 2}]"#),
    ] {
        let steps = steps(&format!("r = {expression}"), &[]);
        assert_eq!(steps.agrees("r", &tree(expected)), Ok(()), "{expression} and {expected}");
    }
}

#[test]
fn disagreements_say_both_values() {
    for (expression, expected, message) in [
        ("65", "66", "derivation gives 65, expect says 66"),
        ("0", "-0.0", "derivation gives 0, expect says -0.0"),
        ("-0.0", "0.0", "derivation gives -0.0, expect says 0"),
        ("65", "\"65\"", "derivation gives 65, expect says \"65\""),
        ("1", "true", "derivation gives 1, expect says true"),
        ("nearest64(0.7)", "0.7000000000000001", "derivation gives 0.7, expect says 0.7000000000000001"),
        (
            "0.7",
            "0.7",
            "derivation gives 7/10, expect says 0.7; the step is no binary64 value, so round it as",
        ),
        (
            "1 << 62",
            "4611686018427387905",
            "derivation gives 4611686018427387904, expect says 4611686018427387905",
        ),
        ("nan", "0", "derivation gives nan, expect says 0"),
        ("[1, 2]", "[1]", "derivation gives a list of 2, expect says one of 1"),
        ("[1, 2]", "[]", "derivation gives a list of 2, expect says one of 0"),
        ("[1, [2, 3]]", "[1, [2, 4]]", "`r.1.1`: derivation gives 3, expect says 4"),
        ("{a: {b: 1}}", r#"{"a": {"b": 2}}"#, "`r.a.b`: derivation gives 1, expect says 2"),
        ("{a: 1}", r#"{"b": 1}"#, "no step or input gives `r.b`: add a step of that name"),
        ("{a: 1}", "{}", "derivation gives {a: 1}, expect says {}"),
        ("5", "[5]", "derivation gives 5, expect says [5]"),
        ("5", r#""f32:0x12""#, "tagged as bits and is none"),
        ("null", "0", "derivation gives null, expect says 0"),
    ] {
        let steps = steps(&format!("r = {expression}"), &[]);
        let found = steps.agrees("r", &tree(expected)).unwrap_err();
        assert!(found.starts_with(message) || found.contains(message), "{expression}: {found}");
    }
}

#[test]
fn a_whole_breakdown_agrees_at_once() {
    let text = "fire.base = damage\nfire.rate = 2\nresult = {last: fire.base}\nscratch = 9";
    let steps = steps(text, &[("damage", Tree::Int(7)), ("echo", tree(r#"{"x": [1]}"#))]);
    let expected = tree(r#"{"fire": {"base": 7, "rate": 2}, "result": {"last": 7}, "echo": {"x": [1]}}"#);
    assert_eq!(steps.agrees("", &expected), Ok(()));
    let wrong = tree(r#"{"fire": {"base": 7, "rate": 3}}"#);
    assert_eq!(steps.agrees("", &wrong).unwrap_err(), "`fire.rate`: derivation gives 2, expect says 3");
    assert_eq!(steps.tree("fire").unwrap(), tree(r#"{"base": 7, "rate": 2}"#));
    assert_eq!(
        steps.tree("").unwrap(),
        tree(r#"{"fire": {"base": 7, "rate": 2}, "result": {"last": 7}, "scratch": 9}"#)
    );
    assert_eq!((steps.tree("nothing"), steps.tree("fir")), (None, None));
    assert_eq!(steps.tree("echo.x.0"), Some(Tree::Int(1)));
}

#[test]
fn values_become_json_that_says_the_same() {
    for (expression, expected) in [
        ("2 / 2", Tree::Int(1)),
        ("u64(-1)", Tree::UInt(u64::MAX)),
        ("1 << 64", Tree::Float(18_446_744_073_709_551_616.0)),
        ("0.5", Tree::Float(0.5)),
        ("-inf", Tree::Float(f64::NEG_INFINITY)),
        ("0.1", Tree::Text("1/10".to_owned())),
    ] {
        assert_eq!(steps(&format!("r = {expression}"), &[]).tree("r"), Some(expected), "{expression}");
    }
    let zero = steps("r = -0.0", &[]).tree("r");
    assert!(matches!(zero, Some(Tree::Float(value)) if value.to_bits() == (-0.0_f64).to_bits()));
}

#[test]
fn long_values_are_cut_off_when_printed() {
    let steps = steps("r = fill(1000, 12345)\ns = 1 / (1 << 3000)\nt = fill(40, fill(40, 1))", &[]);
    let printed = steps.in_order();
    assert!(printed[0].1.ends_with("… 1000 in all]") && printed[0].1.len() < 300, "{}", printed[0].1);
    assert_eq!(printed[1].1, "about 0");
    assert!(printed[2].1.len() < 400, "{}", printed[2].1);
}
