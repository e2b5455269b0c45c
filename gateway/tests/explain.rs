//! `assay explain` and `assay coverage`: what people see, word for word, over a small made-up corpus; and the exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_harness::{Options, Registry, Selection, coverage, explain};
use assay_model::{Files, Port};
use assay_reports::{Style, document, explain_capability, explain_case};
use insta::assert_snapshot;
use serde_json::Value;
use std::path::Path;
use support::{assay, stderr, stdout};

const SOURCES: &str = r#"
[[source]]
id = "reading"
kind = "disassembly"
subject = "gamemd.exe 1.001"
games = ["YR"]
where = "somebody/notes, the receiver of hits at 0x00517FA0"
group = "vera"

[[source]]
id = "run"
kind = "original-program"
subject = "gamemd.exe 1.001, emulated"
games = ["TS", "YR"]
where = "the tape of the run"
group = "ours"
"#;

const SPEC: &str = r#"+++
title = "Damage to prone infantry"
games = ["TS", "YR"]
[defaults]
game = "YR"
prone_damage = 1.0
forced = false
warhead_present = true
+++
# Damage to prone infantry

### scale.1 Damage times ProneDamage, truncated
- games: TS, YR
- sources: reading, run

A percent token is a single times 0.01, cut off to 53 bits; the product is truncated. The prose of a clause is as long as
the finding needs, and is folded here.

### floor.1 At least one point is left
- games: YR
- sources: reading
- open: whether a heal was ever meant to pass here

Half of one point is one point.
"#;

const CASES: &str = r#"
[derivations]
step = '''
factor = real32(prone_damage)
factor = x87(factor * nearest64(0.01)) # a percent token
applies = true
scaled = ftol(x87(damage * factor))
result = max(scaled, 1)
'''

[[case]]
id = "seventy"
title = "100 points at 70% are 69, for the double is just below seven tenths"
game = "YR"
clause = ["scale.1"]
tags = ["edge:truncation"]
input = { damage = 100, prone = true, prone_damage = "70%" }
derivation = "@step"
expect = { applies = true, scaled = 69, result = 69 }

[[case]]
id = "wrong"
title = "Somebody believed that the product is rounded"
game = "YR"
clause = ["scale.1", "floor.1"]
input = { damage = 100, prone = true, prone_damage = "70%" }
derivation = '''
applies = true
# Rounded to the nearest integer.
scaled = floor(damage * 7 / 10 + 0.5)
points = []
for point in 0 .. scaled { push(points, point) }
result = len(points)
'''
expect = { applies = true, scaled = 70, result = 70 }

[[case]]
id = "told"
title = "A warhead is asked for"
game = "TS"
clause = ["scale.1"]
input = { damage = 100, prone = true, prone_damage = 0.5, warhead_present = false }
prose = "The reconstruction asks for a warhead first, and no derivation would say more."
expect = { applies = false, result = 100 }

[[case]]
id = "taped"
title = "A run of the program"
game = "YR"
clause = ["scale.1"]
input = { damage = 10, prone = true, prone_damage = 0.5 }
recorded = "run"
partial = true
expect = { result = 5 }

[[sweep]]
id = "hits"
title = "Hits at two factors"
game = "YR"
clause = ["floor.1"]
input = { prone = true }
derivation = "@step"
[sweep.axes]
damage = { from = 1, to = 3 }
prone_damage = ["30%", "70%"]
"#;

fn files(list: &[(&str, &str)]) -> Files {
    let texts = list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Files { origin: "made up".to_owned(), texts: texts.collect() }
}

/// One real port, judged by made-up findings.
fn registry(cases: &str) -> Registry {
    let port: &'static dyn Port =
        *assay_ports::ALL.iter().find(|port| port.meta().name == "compute_prone_damage").unwrap();
    let specs =
        files(&[("oracles/sources.toml", SOURCES), ("oracles/specs/combat/compute_prone_damage.md", SPEC)]);
    let golden = files(&[("golden/combat/compute_prone_damage/cases.toml", cases)]);
    Registry::new(Box::leak(Box::new([port])), &specs, &golden)
}

fn case(id: &str, at: &[&str]) -> assay_model::explain::CaseExplained {
    let at: Vec<String> = at.iter().map(|word| (*word).to_owned()).collect();
    let id = format!("combat/compute_prone_damage/{id}");
    explain::case(&registry(CASES), &Options::default(), &id, &at).unwrap()
}

fn shown(id: &str, at: &[&str]) -> String {
    explain_case(&case(id, at), &Style::default())
}

#[test]
fn a_passing_case() {
    assert_snapshot!(shown("seventy", &[]));
}

#[test]
fn a_failing_case() {
    assert_snapshot!(shown("wrong", &[]));
}

#[test]
fn a_case_in_prose_and_a_recorded_one() {
    assert_snapshot!(format!("{}\n\n{}", shown("told", &[]), shown("taped", &[])));
}

#[test]
fn a_point_of_a_sweep() {
    assert_snapshot!(shown("hits", &["damage=1", "prone_damage=30%"]));
}

#[test]
fn a_capability() {
    let registry = registry(CASES);
    let entry = registry.get("compute_prone_damage").unwrap();
    let explained = explain::capability(&registry, &Options::default(), entry).unwrap();
    assert_snapshot!(explain_capability(&explained, &Style::default()));
}

#[test]
fn a_suite_that_does_not_load() {
    let registry = registry(&CASES.replace("scaled = 69", "scaled = 70"));
    let entry = registry.get("compute_prone_damage").unwrap();
    let explained = explain::capability(&registry, &Options::default(), entry).unwrap();
    let text = explain_capability(&explained, &Style::default());
    assert!(text.contains("problem golden/combat/compute_prone_damage/cases.toml:"), "{text}");
    assert!(text.contains("the suite does not load"), "{text}");
}

#[test]
fn clauses_and_their_cases() {
    let found = coverage(&registry(CASES), &Selection::all(), &Options::default(), false).unwrap();
    assert_snapshot!(assay_reports::coverage(&found, &Style::default()));
}

#[test]
fn json_is_the_document_with_its_format_first() {
    let text = document(&case("wrong", &[]));
    assert!(
        text.starts_with("{\n  \"format\": 1,\n  \"id\": \"combat/compute_prone_damage/wrong\""),
        "{text}"
    );
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["differences"][0]["stage"], "scaled");
    assert_eq!(value["result"]["verdict"], "fail");
    assert_eq!(value["derivation"]["steps"][1]["exact"], "70.5");
    assert_eq!(text, document(&case("wrong", &[])), "the same bytes every time");
}

#[test]
fn what_differs_stands_out_in_colour_alone() {
    let plain = shown("wrong", &[]);
    assert!(!plain.contains('\u{1b}'));
    let painted = explain_case(&case("wrong", &[]), &Style { color: true, ..Style::default() });
    assert_eq!(anstream::adapter::strip_str(&painted).to_string(), plain);
    let marked: Vec<&str> = painted.lines().filter(|line| line.contains('►')).collect();
    assert!(!marked.is_empty() && marked.iter().all(|line| line.contains("\u{1b}[31m")), "{marked:?}");
}

fn code(arguments: &[&str]) -> i32 {
    assay(arguments).status.code().unwrap()
}

#[test]
fn exit_codes_tell_pass_drift_and_usage_apart() {
    let half = "combat/compute_prone_damage/yr-half";
    for (expected, arguments) in [
        (0, vec!["explain", half]),
        (0, vec!["explain", "compute_prone_damage/yr-half"]),
        (0, vec!["explain", "compute_prone_damage", "--format", "json"]),
        (
            0,
            vec!["explain", "compute_prone_damage/yr-hits", "--at", "damage=100", "--at", "prone_damage=70%"],
        ),
        (2, vec!["explain", "compute_prone_damage/yr-hits", "--at", "damage=100"]),
        (2, vec!["explain", half, "--at", "damage=100"]),
        (2, vec!["explain", "compute_prone_damage", "--at", "damage=100"]),
        (2, vec!["explain", "compute_prone_damge"]),
        (2, vec!["explain"]),
        (0, vec!["coverage", "compute_prone_damage", "--missing"]),
        (0, vec!["coverage", "combat", "game=YR", "--format", "json"]),
        (2, vec!["coverage", "compute_prone_damge"]),
        (2, vec!["coverage", "tag=edge:*"]),
    ] {
        assert_eq!(code(&arguments), expected, "{arguments:?}");
    }
    let wrong = assay(&["explain", "compute_prone_damage/yr-haf"]);
    assert_eq!(stdout(&wrong), "");
    assert!(stderr(&wrong).contains("nearest: `combat/compute_prone_damage/yr-half`"), "{}", stderr(&wrong));
}

/// Writes the embedded corpus as a checkout, one file changed.
fn checkout(root: &Path, path: &str, from: &str, to: &str) {
    let (specs, golden) = assay_gateway::corpus::embedded();
    for (name, text) in specs.texts.iter().chain(&golden.texts) {
        let place = root.join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let text = if name == path { text.replacen(from, to, 1) } else { text.clone() };
        std::fs::write(place, text).unwrap();
    }
    std::fs::create_dir_all(root.join("ports")).unwrap();
}

#[test]
fn drift_exits_1_and_a_suite_that_does_not_load_2() {
    let path = "golden/combat/compute_prone_damage/cases.toml";
    let old = "derivation = \"@step\"\nexpect = { applies = true, scaled = 50, result = 50 }";
    let own = "derivation = '''\napplies = true\nscaled = 51\nresult = 51\n'''\nexpect = { applies = true, scaled = 51, result = 51 }";
    for (to, expected) in [(own, 1), (&old.replace("= 50", "= 51"), 2)] {
        let folder = tempfile::tempdir().unwrap();
        checkout(folder.path(), path, old, to);
        let root = folder.path().to_str().unwrap();
        let output = assay(&["explain", "compute_prone_damage/yr-half", "--root", root]);
        assert_eq!(output.status.code(), Some(expected), "{}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&["explain", "compute_prone_damage", "--root", root]), expected);
        assert_eq!(code(&["coverage", "compute_prone_damage", "--root", root]), 0, "whatever it finds");
        let word = if expected == 1 {
            "►  scaled"
        } else {
            "problem golden/combat/compute_prone_damage/cases.toml:"
        };
        assert!(stdout(&output).contains(word), "{}", stdout(&output));
    }
}
