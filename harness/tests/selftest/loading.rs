//! Everything that can be wrong with a suite is a problem with its place; nothing panics, nothing passes unseen.

use crate::support::*;

/// The problems of the suite with one text replaced.
fn wrong(from: &str, to: &str) -> Vec<String> {
    Corpus::of(&suite(from, to)).problems()
}

/// Exactly one problem, at the line and column of `marker` in the changed suite, with this message.
fn one(from: &str, to: &str, marker: &str, message: &str) {
    let text = suite(from, to);
    let (line, column) = assay_model::files::position(&text, text.find(marker).unwrap());
    let problems = Corpus::of(&text).problems();
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let place = format!("{CASES}:{line}:{column}: ");
    assert!(problems[0].starts_with(&place), "{place}\n{}", problems[0]);
    assert!(problems[0].contains(message), "{message}\n{}", problems[0]);
}

#[test]
fn the_toy_itself_is_without_a_problem() {
    assert_eq!(Corpus::whole().problems(), [""; 0]);
}

#[test]
fn an_unknown_key_is_told_at_its_place() {
    one("title = \"a quarter", "titel = \"a quarter", "titel", "unknown key `titel` (did you mean `title`?");
}

#[test]
fn ids_are_ids_and_unique_over_cases_sweeps_and_tombstones() {
    one("id = \"quarter\"", "id = \"Quarter\"", "id = \"Quarter\"", "`Quarter` is no id");
    let all = wrong("id = \"storm\"", "id = \"quarter\"");
    assert!(all[0].contains("`quarter` is used twice"), "{all:?}");
    let all = wrong("id = \"all-near\"", "id = \"storm\"");
    assert!(all[0].contains("`storm` is used twice"), "{all:?}");
    let removed = format!("{SUITE}[[removed]]\nid = \"storm\"\nreason = \"\"\n");
    let all = Corpus::of(&removed).problems();
    assert!(all[0].contains("`storm` was removed"), "{all:?}");
    assert!(all[1].contains("`storm` has no reason"), "{all:?}");
}

#[test]
fn clauses_exist_and_hold_for_the_game() {
    one(
        "clause = [\"falloff.1\", \"storm.1\"]",
        "clause = [\"falloff.1\", \"strom.1\"]",
        "\"strom.1\"",
        "no clause `strom.1` (nearest: `storm.1`",
    );
    one(
        "clause = [\"bounds.1\"]",
        "clause = [\"storm.1\"]",
        "\"storm.1\"]\ninput = { distance = -1",
        "clause `storm.1` does not hold for YR",
    );
    let all = wrong("clause = [\"bounds.1\"]", "clause = []");
    assert!(all[0].contains("no clause is named"), "{all:?}");
}

#[test]
fn games_are_those_of_port_and_input() {
    let all = wrong(
        "game = \"TS\"\nclause = [\"falloff.1\", \"storm.1\"]",
        "game = \"RA2\"\nclause = [\"falloff.1\"]",
    );
    assert!(
        all.iter().any(|p| p.contains("`compute_toy` is not offered for RA2 (it is offered for TS, YR)")),
        "{all:?}"
    );
    one(
        "input = { distance = 128 }",
        "input = { distance = 128, game = \"TS\" }",
        "input = { distance = 128, game",
        "another game than YR",
    );
}

#[test]
fn a_case_is_derived_in_exactly_one_way() {
    one(
        "input = { distance = 128 }\nderivation = \"@kernel\"",
        "input = { distance = 128 }",
        "[[case]]\nid = \"quarter\"",
        "`quarter` does not say how it was derived",
    );
    let both = "derivation = \"@kernel\"\nprose = \"so it is\"\n[case.expect]";
    one("derivation = \"@kernel\"\n[case.expect]", both, "prose = ", "is derived in two ways");
    one(
        "input = { distance = 128 }\nderivation = \"@kernel\"",
        "input = { distance = 128 }\nprose = \" \"",
        "[[case]]\nid = \"quarter\"",
        "does not say how",
    );
}

#[test]
fn recorded_sources_are_known_and_evidence_for_the_game() {
    one(
        "derivation = \"@kernel\"\n[case.expect]",
        "recorded = \"tap\"\n[case.expect]",
        "recorded",
        "`tap` is no source",
    );
    let narrow = SOURCES.replace("[\"TS\", \"YR\"]", "[\"TS\"]");
    let recorded = suite("derivation = \"@kernel\"\n[case.expect]", "recorded = \"tape\"\n[case.expect]");
    let all = Corpus::of(&recorded).with("oracles/sources.toml", &narrow).problems();
    assert!(all.iter().any(|p| p.contains("source `tape` is no evidence for YR")), "{all:?}");
}

#[test]
fn a_recorded_case_is_held_to_its_derivation_too() {
    let both = suite(
        "derivation = \"@kernel\"\n[case.expect]",
        "recorded = \"tape\"\nderivation = \"@kernel\"\n[case.expect]",
    );
    assert_eq!(Corpus::of(&both).problems(), [""; 0]);
    let all = Corpus::of(&both.replacen("result = 75", "result = 76", 1)).problems();
    assert!(all[0].contains("`result` is 76 here, and its derivation gives 75"), "{all:?}");
}

#[test]
fn a_case_expects_a_breakdown_or_an_error() {
    let expect = "[case.expect]\nkernel = { falloff = 0.75, draws = [100, 128] }\nresult = 75\n";
    one(expect, "", "[[case]]\nid = \"quarter\"", "`quarter` expects nothing");
    one(
        "[case.expect]\nkernel = { falloff = 0.75",
        "error = { errno = \"EINVAL\" }\n[case.expect]\nkernel = { falloff = 0.75",
        "error = { errno = \"EINVAL\" }",
        "expects a breakdown and an error",
    );
    one(expect, "expect = {}\n", "expect = {}", "`quarter` expects no stage");
    one(
        "error = { errno = \"EINVAL\", field = \"distance\" }",
        "error = { errno = \"EINVAL\", field = \"distance\" }\npartial = true",
        "error = { errno",
        "`partial` and `tolerance`",
    );
}

#[test]
fn tolerances_are_one_rule_with_a_reason_for_numbers_that_are_there() {
    for (rule, message) in [
        ("\"kernel.falloff\" = { ulps = 1, why = \"\" }", "has no reason"),
        ("\"kernel.falloff\" = { ulps = 1, abs = 0.5, why = \"w\" }", "has two rules"),
        ("\"kernel.falloff\" = { why = \"w\" }", "has no rule"),
        ("\"kernel.falloff\" = { ulps = 0, why = \"w\" }", "tolerates nothing"),
        ("\"kernel.falloff\" = { abs = -1.0, why = \"w\" }", "is no distance"),
        ("\"kernel.fallof\" = { ulps = 1, why = \"w\" }", "names no stage"),
    ] {
        let changed = format!("tolerance.{rule}\ninput = {{ distance = 128 }}\n");
        let text = suite("input = { distance = 128 }\n", &changed);
        let problems = Corpus::of(&text).problems();
        assert_eq!(problems.len(), 1, "{problems:#?}");
        let place = assay_model::files::position(&text, text.find("\"kernel.fall").unwrap());
        assert!(problems[0].starts_with(&format!("{CASES}:{}:{}: ", place.0, place.1)), "{problems:?}");
        assert!(problems[0].contains(message), "{problems:?}");
    }
}

#[test]
fn derivations_name_what_exists_and_none_is_idle() {
    let all = wrong("derivation = \"@kernel\"\n[case.expect]", "derivation = \"@kernl\"\n[case.expect]");
    assert!(all[0].contains("no derivation is called `kernl` (nearest: `kernel`)"), "{all:?}");
    one(
        "[derivations]\n",
        "[derivations]\nidle = \"a = 1\"\n",
        "idle",
        "derivation `idle` is used by nothing",
    );
}

#[test]
fn derivation_errors_are_told_at_their_line_in_the_file() {
    one("firestorm = true\n'''", "firestorm = true\nlast = 1 +* 2\n'''", "* 2\n'''", "derivation fails");
    let text = suite("firestorm = true\n'''", "firestorm = true\nlast = unbound_name\n'''");
    let problems = Corpus::of(&text).problems();
    let line = assay_model::files::position(&text, text.find("last = unbound").unwrap()).0;
    assert!(problems[0].starts_with(&format!("{CASES}:{line}:")), "{problems:?}");
    assert!(problems[0].contains("derivation fails for `storm`"), "{problems:?}");
}

#[test]
fn a_derivation_refuses_where_an_error_is_expected_and_nowhere_else() {
    let all = wrong("input = { distance = 128 }", "input = { distance = -128 }");
    assert!(
        all[0].contains("a breakdown is expected, and the derivation refuses with EINVAL at `distance`"),
        "{all:?}"
    );
    let all = wrong("input = { distance = -1 }", "input = { distance = 1 }");
    assert!(all[0].contains("EINVAL is expected, and the derivation refuses nothing"), "{all:?}");
    let all = wrong(
        "error = { errno = \"EINVAL\", field = \"distance\" }",
        "error = { errno = \"EFBIG\", field = \"distance\" }",
    );
    assert!(
        all[0].contains("EFBIG at `distance` is expected, and the derivation refuses with EINVAL"),
        "{all:?}"
    );
}

#[test]
fn every_leaf_is_derived() {
    one("result = 75", "result = 75\nresultat = 75", "resultat", "no step of `quarter` gives `resultat`");
    one(
        "draws = [100, 128]",
        "draws = [100]",
        "draws = [100]",
        "`kernel.draws.1` is nothing here, and its derivation gives 128",
    );
}

#[test]
fn sweeps_have_axes_that_exist_with_a_bounded_number_of_points() {
    let axes = "distance = { from = -1, to = 600 }";
    one(
        axes,
        "distanse = { from = -1, to = 600 }",
        "distanse",
        "has no input `distanse` (nearest: `distance`",
    );
    one(axes, "distance = { from = 1, to = 0 }", "distance = { from = 1", "axis `distance` has no value");
    one(axes, "distance = []", "distance = []", "axis `distance` has no value");
    one(axes, "distance = { from = 0, to = 9000000 }", "axes]", "9000001 points, at most 2000000");
    let all = wrong(axes, "distance = { from = 0, to = 9 }\ndamage = [1, 2]");
    assert!(all[0].contains("`damage` is an axis and an input"), "{all:?}");
    let all = wrong(axes, "game = [\"TS\"]");
    assert!(all[0].contains("`game` is no axis"), "{all:?}");
}

#[test]
fn inputs_are_tables() {
    one("input = { distance = 128 }", "input = [1]", "input = [1]", "the input is no table");
}

#[test]
fn port_spec_and_suite_meet() {
    let whole = Corpus::of(SUITE);
    let all = whole.clone().without(SPEC).problems();
    assert!(
        all.iter().any(|p| p.starts_with(&format!("{SPEC}: is missing, so nothing says what port"))),
        "{all:?}"
    );
    let all = whole.clone().without(CASES).problems();
    assert!(
        all.iter().any(|p| p.starts_with(&format!("{CASES}: is missing, so nothing judges port"))),
        "{all:?}"
    );
    let all = whole.clone().with("golden/combat/compute_other/cases.toml", SUITE).problems();
    assert!(
        all.iter().any(|p| p.contains("compute_other/cases.toml: no port is called `compute_other`")),
        "{all:?}"
    );
    let all = whole.clone().with("oracles/specs/combat/compute_other.md", TOY).problems();
    assert!(all.iter().any(|p| p.contains("compute_other.md: no port is called `compute_other`")), "{all:?}");
    let all = whole.with(CASES, "# nothing yet\n").problems();
    assert!(all.iter().any(|p| p.contains("the suite has no case")), "{all:?}");
}

#[test]
fn games_of_spec_port_and_cases_are_the_same() {
    let all = Corpus::of(SUITE)
        .with(
            SPEC,
            &TOY.replace("[\"TS\", \"YR\"]", "[\"TS\", \"RA2\", \"YR\"]")
                .replace("- games: TS, YR", "- games: TS, RA2, YR"),
        )
        .problems();
    assert!(
        all.iter()
            .any(|p| p.contains(&format!("{SPEC}:3:1: the spec is for TS, RA2, YR, the port lists TS, YR"))),
        "{all:?}"
    );
    let ts_only = SUITE.replace("game = \"YR\"", "game = \"TS\"");
    let all = Corpus::of(&ts_only).problems();
    assert!(all.iter().any(|p| p.contains("`compute_toy` lists YR, and no case is of that game")), "{all:?}");
}

#[test]
fn defaults_of_spec_and_schema_are_the_same() {
    let all = Corpus::of(SUITE).with(SPEC, &TOY.replace("damage = 100", "damage = 101")).problems();
    let place = format!("{SPEC}:5:1: `damage` defaults to 101 here and to 100 in the port");
    assert!(all.iter().any(|p| p.starts_with(&place)), "{all:?}");
    // And the derivations that use it no longer give what is expected.
    assert!(
        all.iter().any(|p| p.contains("`kernel.draws.0` is 100 here, and its derivation gives 101")),
        "{all:?}"
    );
    let all =
        Corpus::of(SUITE).with(SPEC, &TOY.replace("damage = 100", "damage = 100\nspeed = 1")).problems();
    assert!(all[0].starts_with(&format!("{SPEC}:6:1: the port has no input `speed`")), "{all:?}");
}

#[test]
fn vectors_are_held_to_their_header() {
    let with = |text: &str| Corpus::of(SUITE).with(VECTORS, text).problems();
    let all = with(&TAPED.replace("falloff.1", "fallof.1"));
    assert!(all[0].starts_with(&format!("{VECTORS}:1:1: the spec has no clause `fallof.1`")), "{all:?}");
    let all = with(&TAPED.replace("\"tape\"", "\"disc\""));
    assert!(all.iter().any(|p| p.starts_with(&format!("{VECTORS}:1:1: `disc` is no source"))), "{all:?}");
    let all = with(TAPED.trim_end().rsplit_once('\n').unwrap().0);
    assert!(all[0].contains("holds 1 vectors, its header counts 2"), "{all:?}");
    let all = with(&TAPED.replace("\"distance\":64", "\"distance\":64,\"game\":\"TS\""));
    assert!(all[0].starts_with(&format!("{VECTORS}:2:1: the input says another game than YR")), "{all:?}");
}

#[test]
fn every_problem_is_told_at_once() {
    let text = suite("result = 75", "result = 76").replacen("result = 3", "result = 4", 1);
    let all = Corpus::of(&text).problems();
    assert_eq!(all.len(), 2, "{all:?}");
}
