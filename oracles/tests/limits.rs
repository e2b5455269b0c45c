//! Derivations that are hostile or have run away end in an error: no hang, no overflow of the stack, no panic.

mod common;

use assay_model::Tree;
use assay_oracles::derive::{Outcome, Program, Scope};
use common::run;
use proptest::prelude::*;

/// The error of a derivation, found on a thread with as little stack as any that will run one.
fn error(text: String) -> String {
    let thread = std::thread::Builder::new().stack_size(1 << 21);
    let result = thread.spawn(move || match run(&text, &[]) {
        Ok(_) => String::new(),
        Err(error) => error.message,
    });
    result.expect("a thread").join().expect("no panic")
}

#[test]
fn endless_loops_run_out_of_steps() {
    assert!(error("while true { }".into()).contains("more than 20000000 steps"));
    assert!(error("for i in 0 .. 1 << 100 { }".into()).contains("more than 20000000 steps"));
    assert!(error("a = 0\nwhile a >= 0 { a = a + 1 }".into()).contains("more than 20000000 steps"));
    assert!(error("for i in 0 ..= (1 << 126) + ((1 << 126) - 1) { }".into()).contains("steps"));
}

#[test]
fn copies_and_large_numbers_are_paid_for() {
    let copies = "a = fill(1000000, 0)\nwhile true {\nb = a\nb[0] = 1\n}";
    assert!(error(copies.into()).contains("steps"));
    let fills = "while true { a = fill(1000000, 0) }";
    assert!(error(fills.into()).contains("steps"));
    let fractions = "a = 3 / 7\nfor i in 0 .. 2500 { a = a * 3 / 7 }\nwhile true { b = a + 1 / 11 }";
    assert!(error(fractions.into()).contains("steps"));
}

#[test]
fn numbers_stop_at_8192_bits() {
    assert!(error("a = 3\nwhile true { a = a * a }".into()).contains("more than 8192 bits"));
    assert!(error("a = 1 / 3\nwhile true { a = a * a }".into()).contains("more than 8192 bits"));
    assert!(error("a = 0.5\nwhile true { a = a * a }".into()).contains("more than 8192 bits"));
    assert!(error("a = 1e2000 * 1e2000".into()).contains("more than 8192 bits"));
    assert!(error("a = 1e999999999999999999999".into()).contains("1200 digits"));
    assert!(error(format!("a = 0x{}", "f".repeat(3000))).contains("more than 8192 bits"));
    assert!(error(format!("a = {}", "9".repeat(3000))).contains("1200 digits"));
    assert!(error(format!("a = real64(\"0.{}\")", "9".repeat(3000))).contains("1200 digits"));
}

#[test]
fn lists_stop_at_a_million_elements() {
    assert!(error("a = []\nwhile true { push(a, 0) }".into()).contains("more than 1000000 elements"));
    assert!(error("a = fill(1000001, 0)".into()).contains("0 to 1000000"));
    assert!(error("a = fill(1000, fill(1001, 0))".into()).contains("more than 1000000 elements"));
    assert!(error("a = [0]\nwhile true { a = [a, a] }".into()).contains("elements"));
    assert!(error("a = [0]\nwhile true { a = [a] }".into()).contains("nest deeper than 32"));
    assert!(error("a = [0]\nwhile true { a[0] = a }".into()).contains("nest deeper than 32"));
    assert!(error("a = [{b: 0}]\nwhile true { a[0].b = a }".into()).contains("nest deeper than 32"));
    let full = run("a = fill(1000000, 7)\nr = len(a)", &[]).unwrap();
    assert!(matches!(full, Outcome::Steps(steps) if steps.tree("r") == Some(Tree::Int(1_000_000))));
}

#[test]
fn shrinking_a_list_gives_its_room_back() {
    let text = "a = [0]\nfor i in 0 .. 100 { a[0] = fill(9000, 0)\na[0] = 1 }\nr = len(a)";
    assert!(run(text, &[]).is_ok());
}

#[test]
fn nesting_is_bounded() {
    let many = 60_000;
    for text in [
        format!("a = {}1{}", "(".repeat(many / 2), ")".repeat(many / 2)),
        format!("a = {}1", "-".repeat(many / 2)),
        format!("a = {}true", "!".repeat(many / 2)),
        format!("a = b{}", " + 1".repeat(10_000)),
        format!("a = [0]{}", "[0]".repeat(10_000)),
        format!("a = {}", "abs(".repeat(10_000)),
        format!("a = {}", "[".repeat(many / 2)),
        format!("a = {}", "{a: ".repeat(10_000)),
        format!("a = {}1", "1 || 1 && 1 == 1 | 1 ^ 1 & 1 << 1 + 1 * (".repeat(1_000)),
        "if true {\n".repeat(5_000),
        format!("a[{}", "a[".repeat(10_000)),
    ] {
        let message = error(text.clone());
        assert!(message.contains("nest"), "{}…: {message}", &text[..20]);
    }
    let flat = format!("a = 0\n{}", "if false { a = 1 } else ".repeat(2_000));
    assert_eq!(error(format!("{flat}{{ a = 2 }}")), "");
    let deep = format!("a = {}b{}", "(1 + ".repeat(45), ")".repeat(45));
    let long = format!("a = {}b{}", "b + ".repeat(50), " - 1 * b".repeat(149));
    let blocks = format!("{}{deep}\n{long}{}", "if b == 1 {\n".repeat(30), "\n}".repeat(30));
    assert_eq!(error(format!("b = 1\n{blocks}")), "");
    assert!(error("#".repeat(70_000)).contains("longer than 65536 bytes"));
    assert!(error(format!("a = b{}", ".c".repeat(3_000))).contains("not known here"));
}

#[test]
fn inputs_are_bounded_too() {
    let mut scope = Scope::default();
    let deep = (0..40).fold(Tree::Int(1), |tree, _| Tree::List(vec![tree]));
    assert!(scope.bind("a", &deep).unwrap_err().contains("input `a`: lists and records nest deeper than 32"));
    let long = Tree::List(vec![Tree::Int(0); 1_000_001]);
    assert!(scope.bind("a", &long).unwrap_err().contains("more than 1000000 elements"));
    for wrong in ["f32:0x1", "f64:7", "u64:0xg", "f32:"] {
        assert!(
            scope.bind("a", &Tree::Text(wrong.into())).unwrap_err().contains("tagged as bits"),
            "{wrong}"
        );
    }
    assert_eq!(scope.bind("a", &Tree::Text("f3".into())), Ok(()));
}

#[test]
fn a_scope_can_be_shared_and_rebound() {
    let mut scope = Scope::default();
    scope.bind("a", &Tree::Int(1)).unwrap();
    let mut copy = scope.clone();
    copy.bind("a", &Tree::Int(2)).unwrap();
    let program = Program::parse("r = a").unwrap();
    let read = |scope: &Scope| match program.run(scope) {
        Ok(Outcome::Steps(steps)) => steps.tree("r"),
        other => panic!("{other:?}"),
    };
    assert_eq!((read(&scope), read(&copy)), (Some(Tree::Int(1)), Some(Tree::Int(2))));
}

/// Pieces that make mostly well-formed nonsense.
fn nonsense() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b.c",
        "=",
        " = ",
        "1",
        "0.1",
        "0x7f",
        "1e30",
        "\"t%\"",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        ":",
        "+",
        "-",
        "*",
        "/",
        "<<",
        ">>",
        "==",
        "<",
        "&&",
        "||",
        "!",
        "~",
        "&",
        "|",
        "^",
        "\n",
        "if ",
        "else ",
        "for i in ",
        "while ",
        "..",
        "..=",
        "require ",
        "push(",
        "x87(",
        "f32(",
        "ftol(",
        "sqrt(",
        "fill(",
        "real64(",
        "to_bits32(",
        "inf",
        "nan",
        "-0.0",
        "null",
        "true",
        "# c\n",
        "é",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Expressions that parse, and mostly mean something.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b.c",
        "t",
        "l",
        "r",
        "1",
        "0.1",
        "-0.0",
        "inf",
        "nan",
        "1e300",
        "0xffffffff",
        "null",
        "true",
        "\"-7%\"",
        "1 << 4000",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(5, 40, 3, |inner| {
        let operators = vec!["+", "-", "*", "/", "<<", ">>", "&", "|", "^", "==", "<", ">=", "&&", "||"];
        let functions = vec![
            "f32",
            "nearest32",
            "ftol",
            "trunc",
            "i16",
            "u64",
            "abs",
            "sign",
            "bits64",
            "to_bits32",
            "len",
            "atoi",
            "real32",
            "-",
            "!",
            "~",
            "x87",
        ];
        prop_oneof![
            (inner.clone(), prop::sample::select(operators), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (prop::sample::select(functions), inner.clone())
                .prop_map(|(function, a)| format!("{function}({a})")),
            inner.clone().prop_map(|a| format!("x87(sqrt({a}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("x87({a} / {b} - {a} * {b})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("if({a}, {b}, {c})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("idiv(min({a}, {b}), {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}][{b}]")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{{a: {a}, c: {b}}}.c")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nonsense_never_panics(text in nonsense()) {
        if let Err(error) = run(&text, &[("a", Tree::Int(3))]) {
            prop_assert!(error.offset <= text.len() && !error.message.is_empty());
        }
    }

    #[test]
    fn well_formed_nonsense_never_panics(steps in prop::collection::vec(expressions(), 1..6)) {
        let text: Vec<String> = steps.iter().map(|step| format!("r = {step}\nif r == r {{ a = r }}\nl[0] = a")).collect();
        let record = Tree::Map(vec![("c".to_owned(), Tree::Float(0.75))]);
        let list = Tree::List(vec![Tree::Int(-3), Tree::UInt(u64::MAX)]);
        let inputs = [("a", Tree::Int(3)), ("b", record), ("l", list), ("r", Tree::Float(1e-310)), ("t", Tree::Text("5".into()))];
        match run(&text.join("\n"), &inputs) {
            Ok(Outcome::Steps(steps)) => prop_assert!(steps.in_order().len() <= 3 && steps.tree("").is_some()),
            Ok(other) => prop_assert!(false, "{other:?}"),
            Err(error) => prop_assert!(!error.message.contains("expected a value"), "{error}\n{}", text.join("\n")),
        }
    }

    #[test]
    fn functions_take_anything(
        function in prop::sample::select(vec!["f32", "nearest64", "ftol", "i8", "u64", "abs", "sign", "bits32", "to_bits64",
            "len", "is_text", "atoi", "real32", "trunc", "floor"]),
        argument in prop::sample::select(vec!["1", "-0.0", "inf", "nan", "1 / 3", "1 << 8000", "1 / (1 << 8000)", "\"7%\"", "[1]",
            "{a: 1}", "null", "true", "-1e-400", "1 << 4000 | 1"]),
    ) {
        if let Err(error) = run(&format!("r = {function}({argument})"), &[]) {
            prop_assert!(error.message.starts_with("step `r`: "), "{error}");
        }
    }
}
