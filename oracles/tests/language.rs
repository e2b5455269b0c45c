//! The derivation language, statement by statement and operator by operator.

mod common;

use assay_model::Tree;
use assay_oracles::derive::{Outcome, Program, Scope};
use common::{error, run, steps, value};

fn check(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        assert_eq!(value(expression), *expected, "{expression}");
    }
}

fn refuse(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        let message = error(expression);
        assert!(message.contains(expected), "{expression}: {message}");
    }
}

#[test]
fn literals_are_exact() {
    check(&[
        ("0.01 == 1 / 100", "true"),
        ("0.1 + 0.2 == 0.3", "true"),
        ("0x1F", "31"),
        ("1_000_000", "1000000"),
        ("1e-3 * 1000", "1"),
        ("2.5E+2", "250"),
        ("-0.0", "-0.0"),
        ("-0", "0"),
        ("0.0", "0"),
        ("-inf", "-inf"),
        ("nan", "nan"),
        (r#""a \"b\" \\""#, r#""a \"b\" \\""#),
        ("[1, [2, 3], ]", "[1, [2, 3]]"),
        ("{lo: 1, hi: {x: true}}", "{lo: 1, hi: {x: true}}"),
        ("null", "null"),
    ]);
    refuse(&[
        ("1.2.3", "not a number"),
        ("2x", "not a number"),
        ("0x", "hexadecimal"),
        ("{a: 1, a: 2}", "twice"),
    ]);
}

#[test]
fn precedence_is_as_documented() {
    check(&[
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("10 - 4 - 3", "3"),
        ("100 / 10 / 5", "2"),
        ("1 << 2 + 1", "8"),
        ("1 | 2 ^ 3 & 6", "1"),
        ("6 & 3 == 2", "true"),
        ("1 | 2 == 3", "true"),
        ("5 & 4 << 0", "4"),
        ("-2 * -3", "6"),
        ("~1 + 1", "-1"),
        ("!false && false || true", "true"),
        ("-[1, 2][1]", "-2"),
        ("1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1 != 2", "true"),
    ]);
    refuse(&[("1 < 2 < 3", "do not chain"), ("1 == 1 != false", "do not chain")]);
}

#[test]
fn integers_have_two_complement_bits_of_any_width() {
    check(&[
        ("-1 & 0xFF", "255"),
        ("-8 | 3", "-5"),
        ("-1 ^ 5", "-6"),
        ("~0", "-1"),
        ("-5 >> 1", "-3"),
        ("-1 >> 200", "-1"),
        ("1 << 100 >> 98", "4"),
        ("((1 << 200) & (1 << 200 | 1)) == (1 << 200)", "true"),
        ("~(1 << 130) + (1 << 130)", "-1"),
        ("idiv(-7, 2)", "-3"),
        ("irem(-7, 2)", "-1"),
        ("idiv(1 << 140, 1 << 138)", "4"),
        ("irem(-(1 << 140) - 1, 1 << 139)", "-1"),
    ]);
    refuse(&[
        ("0.5 & 1", "needs integers, got 0.5"),
        ("1 << -1", "0 to 8192 places"),
        ("1 << 9000", "0 to 8192 places"),
        ("1 << 8192", "more than 8192 bits"),
        ("idiv(1, 0)", "divides by zero"),
        ("irem(1.5, 1)", "needs integers"),
    ]);
}

#[test]
fn wraps_keep_the_low_bits() {
    check(&[
        ("i8(128)", "-128"),
        ("u8(-1)", "255"),
        ("i16(0x18000)", "-32768"),
        ("u16(65537)", "1"),
        ("i32(2147483648)", "-2147483648"),
        ("i32(-2147483649)", "2147483647"),
        ("u32(-1)", "4294967295"),
        ("i64(1 << 63)", "-9223372036854775808"),
        ("u64(-1)", "18446744073709551615"),
        ("u8(1 << 300 | 7)", "7"),
        ("i8(-(1 << 300) - 1)", "-1"),
        ("i32(-0.0)", "0"),
    ]);
    refuse(&[("i32(0.5)", "`i32` needs integers, got 0.5: use trunc(…)"), ("u8(inf)", "needs integers")]);
}

#[test]
fn rounding_to_integers() {
    check(&[
        ("trunc(7 / 2)", "3"),
        ("trunc(-7 / 2)", "-3"),
        ("floor(-7 / 2)", "-4"),
        ("floor(-1 / 3)", "-1"),
        ("trunc(-1 / 3)", "0"),
        ("trunc(-0.0)", "0"),
        ("ftol(-3.99)", "-3"),
        ("ftol(4294967295.5)", "-1"),
        ("ftol(9223372036854775807)", "-1"),
        ("ftol(9223372036854775808)", "0"),
        ("ftol(-9223372036854775808)", "0"),
        ("ftol(1e30)", "0"),
        ("ftol(inf)", "0"),
        ("ftol(nan)", "0"),
    ]);
    refuse(&[("trunc(inf)", "inf has no exact arithmetic")]);
}

#[test]
fn choosing_functions() {
    check(&[
        ("min(3, 1 / 2, 2)", "0.5"),
        ("max(3, inf, 2)", "inf"),
        ("min(7)", "7"),
        ("clamp(5, 0, 3)", "3"),
        ("clamp(-5, 0, 3)", "0"),
        ("clamp(2, 0, 3)", "2"),
        ("abs(-1 / 3)", "1/3"),
        ("abs(-0.0)", "0"),
        ("abs(-inf)", "inf"),
        ("sign(-0.25)", "-1"),
        ("sign(-0.0)", "0"),
        ("sign(12)", "1"),
        ("if(true, 1, 1 / 0)", "1"),
        ("false && 1 / 0 == 1 || true", "true"),
    ]);
    refuse(&[
        ("clamp(1, 3, 0)", "bounds reversed"),
        ("min(1, nan)", "cannot order nan"),
        ("max()", "takes 1 to 64 arguments, not 0"),
        ("abs(1, 2)", "takes 1 argument, not 2"),
        ("if(1, 2, 3)", "expected a condition, got a number"),
        ("abs(true)", "`abs` needs a number, got a boolean"),
        ("frobnicate(1)", "no function `frobnicate`"),
        ("sqrt(4)", "write x87(sqrt(…))"),
    ]);
}

#[test]
fn comparing() {
    check(&[
        ("-0.0 == 0", "true"),
        ("nan == nan", "false"),
        ("nan != nan", "true"),
        ("nan < 1 || nan >= 1", "false"),
        ("-inf < -1e300 && 1e300 < inf && inf == inf", "true"),
        ("1 / 3 < 0.3333333333333334", "true"),
        ("1e-400 < 1e-399 && -1e-399 < -1e-400", "true"),
        ("1 << 200 > 1 << 199", "true"),
        ("\"heal\" == \"heal\" && \"a\" != \"b\"", "true"),
        ("true != false", "true"),
        ("null == null && 1 != null && null != \"\"", "true"),
    ]);
    refuse(&[
        ("1 == \"1\"", "a number does not compare with text"),
        ("\"a\" < \"b\"", "expected a number, got text"),
    ]);
}

#[test]
fn exact_arithmetic_has_no_specials() {
    check(&[
        ("-0.0 + 0", "0"),
        ("-(1 - 1)", "0"),
        ("-0.0 * 5", "0"),
        ("1e300 * 1e-300", "1"),
        ("7 / 7", "1"),
    ]);
    refuse(&[
        ("1 / 0", "only x87(…) gives inf"),
        ("inf + 1", "inf has no exact arithmetic"),
        ("nan * 0", "nan has no"),
    ]);
}

#[test]
fn lists_and_records() {
    let text = "
draws = []
for i in 0 .. 3 { push(draws, i * i) }
draws[1] = 7
grid = [fill(2, 0), fill(2, 0)]
grid[1][0] = 5
copy = grid
copy[1][0] = 6
units = {ore: [1, 2], name: \"x\"}
units.ore[1] = 9
push(units.ore, 4)
total = len(draws) + units.ore[2]
";
    let steps = steps(text, &[]);
    let printed: Vec<String> =
        steps.in_order().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        printed,
        [
            "draws=[0, 7, 4]",
            "grid=[[0, 0], [5, 0]]",
            "copy=[[0, 0], [6, 0]]",
            r#"units={ore: [1, 9, 4], name: "x"}"#,
            "total=7"
        ]
    );
    assert_eq!(steps.leaf("units.ore.1").unwrap().to_string(), "9");
    assert!(steps.leaf("units.ore.3").is_none() && steps.leaf("i").is_none());
    refuse(&[
        ("[1][1]", "index 1 is beyond the list of 1"),
        ("[1][-1]", "-1 is no index"),
        ("[1][0.5]", "0.5 is no index"),
        ("{a: 1}.b", "no field `b` (it has a)"),
        ("[1].a", "only a record has a field `a`"),
        ("len(\"abc\")", "`len` needs a list, got text"),
        ("fill(-1, 0)", "0 to 1000000"),
        ("3[0]", "only lists have an index, not a number"),
    ]);
}

#[test]
fn lists_of_inputs_are_changed_in_a_copy() {
    let storage = Tree::List(vec![Tree::Int(1), Tree::Int(2)]);
    let mut scope = Scope::default();
    scope.bind("storage", &storage).unwrap();
    let program = Program::parse("storage[0] = 5\nfirst = storage[0]").unwrap();
    for _ in 0..2 {
        let Outcome::Steps(steps) = program.run(&scope).unwrap() else { panic!() };
        assert_eq!(steps.leaf("storage").unwrap().to_string(), "[5, 2]");
    }
    let Outcome::Steps(untouched) = Program::parse("a = 1").unwrap().run(&scope).unwrap() else { panic!() };
    assert_eq!(untouched.leaf("storage.0").unwrap().to_string(), "1");
}

#[test]
fn blocks_branch_and_loop() {
    let text = "
a = 0
n = 0
while a < 10 {
  a = a + 3   # 3 6 9 12
  n = n + 1
}
kind = \"none\"
if a == 11 { kind = \"eleven\" } else if a == 12 {
  kind = \"twelve\"
}
else { kind = \"other\" }
sum = 0
for i in 1 ..= 4 { sum = sum + i }
for i in 5 .. 5 { sum = 99 }
wide = (1 +
  2)
";
    let steps = steps(text, &[]);
    let values = ["a", "n", "kind", "sum", "wide"].map(|name| steps.leaf(name).unwrap().to_string());
    assert_eq!(values, ["12", "4", "\"twelve\"", "10", "3"]);
    assert_eq!(steps.names().collect::<Vec<_>>(), ["a", "n", "kind", "sum", "wide"]);
}

#[test]
fn syntax_errors_say_where() {
    for (text, offset, message) in [
        ("a = 1 +", 7, "expected a value, found the end"),
        ("a = 1 +\nb = 2", 7, "expected a value, found the end of the line"),
        ("a = 1 b = 2", 6, "one statement a line"),
        ("a = (1", 6, "expected `)`"),
        ("if true { a = 1", 15, "expected `}`"),
        ("a = 1 }", 6, "expected a statement, found `}`"),
        ("for = 1", 4, "expected a name"),
        ("if = 1", 3, "expected a value, found `=`"),
        ("true = 1", 0, "word of the language"),
        ("a = else", 4, "word of the language"),
        ("a = $", 4, "`$` means nothing here"),
        ("a = \"x", 4, "does not end on its line"),
        ("é = 1", 0, "`é` means nothing here"),
        ("for i in 0 .. 3 { i = 2 }", 18, "`i` counts the loop around it"),
        ("require true, \"EBOGUS\", \"a\"", 14, "\"EBOGUS\" is no errno"),
        ("require true", 12, "expected `,`"),
        ("fire = {base: 1}\nfire.base = 2", 0, "overlaps step `fire.base`"),
        ("x87(1)", 3, "expected `=`, found `(`"),
    ] {
        let error = Program::parse(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
}

#[test]
fn evaluation_errors_name_the_step_and_the_place() {
    let error = run("a = 1\nfire.base = x87(a * 0.01)", &[]).unwrap_err();
    assert_eq!(error.offset, 26);
    assert!(
        error
            .message
            .starts_with("step `fire.base`: operand 1/100 is not a binary64 value: write nearest64(…)")
    );
    let error = run("a = missing + 1", &[]).unwrap_err();
    assert_eq!((error.offset, error.message.contains("`missing` is not known here")), (4, true), "{error}");
    let error = run("push(list, 1)", &[]).unwrap_err();
    assert!(error.message.contains("step `list`: it is not set yet"), "{error}");
    let error = run("for i in 0 .. 1.5 { a = i }", &[]).unwrap_err();
    assert!(error.message.contains("counts integers"), "{error}");
}

#[test]
fn a_false_requirement_ends_the_derivation() {
    let text = "a = 1\nrequire n >= 0, \"EINVAL\", \"n\"\nb = 2";
    let Outcome::Refused { errno, field, steps } = run(text, &[("n", Tree::Int(-1))]).unwrap() else {
        panic!()
    };
    assert_eq!((errno.as_str(), field.as_str(), steps.names().count()), ("EINVAL", "n", 1));
    assert!(
        matches!(run(text, &[("n", Tree::Int(0))]).unwrap(), Outcome::Steps(steps) if steps.names().count() == 2)
    );
    let inside = "while true {\nfor i in 0 .. 9 { if i == 3 { require i < 3, \"EFBIG\", \"\" } }\n}";
    assert!(matches!(run(inside, &[]).unwrap(), Outcome::Refused { errno, .. } if errno == "EFBIG"));
}

#[test]
fn dotted_names_are_steps_before_they_are_fields() {
    let fire = Tree::from_json(br#"{"base": 1, "rate": {"slow": 2}}"#).unwrap();
    let steps =
        steps("old = fire.base\nfire.base = 10\nsum = fire.base + fire.rate.slow + old", &[("fire", fire)]);
    assert_eq!(steps.leaf("sum").unwrap().to_string(), "13");
    assert_eq!(steps.leaf("fire.base").unwrap().to_string(), "10");
    assert_eq!(steps.leaf("fire.rate.slow").unwrap().to_string(), "2");
}

#[test]
fn words_of_statements_can_be_names() {
    let steps =
        steps("given = 2\npush = 3\nmin = given(given) && !given(other)\nx87 = min(given, push)", &[]);
    let values = ["min", "x87"].map(|name| steps.leaf(name).unwrap().to_string());
    assert_eq!(values, ["true", "2"]);
}
