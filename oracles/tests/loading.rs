//! Loading of sources, specs and tables: what is read, and each problem at its line and column.

mod common;

use assay_model::{Area, Game, Tree};
use assay_oracles::derive::{Outcome, Program, Scope};
use assay_oracles::{Oracle, SourceKind, schemas};
use common::{files, problems};

const SOURCES: &str = r#"
[[source]]
id = "vera-a"
kind = "disassembly"
subject = "gamemd.exe 1.001"
games = ["YR"]
where = "somewhere, 0x00489180"
group = "vera"

[[source]]
id = "open-b"
kind = "reconstruction"
subject = "Game.exe 2.03"
games = ["TS"]
where = "elsewhere"
group = "opents"
"#;

const SPEC: &str = r#"+++
title = "Warhead damage"
games = ["YR", "TS"]
[defaults]
max_damage = 1000
edge = 0.1
[defaults_by_game.TS]
max_damage = 10000
[constants]
leptons_per_cell = 256
half = "f32:0x3f000000"
[tables]
arc = "oracles/tables/arc.json"
+++
# Warhead damage

What it is.

### gate.1 Nothing without damage
- games: TS, YR
- sources: vera-a, open-b
- open: where X is read
  was never found

Prose of the clause.

```
### not.1 a heading
```
- a list of the prose

#### Deeper

### falloff.2 Linear

- games: YR
- sources: vera-a
## After

Not in a clause.
"#;

const TABLE: &str = r#"{"about": "x", "source": "vera-a", "type": "f32-bits", "values": [1065353216, 0]}"#;

fn good() -> Vec<(&'static str, &'static str)> {
    vec![
        ("oracles/sources.toml", SOURCES),
        ("oracles/specs/combat/compute_warhead_damage.md", SPEC),
        ("oracles/tables/arc.json", TABLE),
    ]
}

/// The problems after replacing `from` by `to` in the file whose path ends with `file`.
fn changed(file: &str, from: &str, to: &str) -> Vec<String> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for (path, text) in good() {
        let text = if path.ends_with(file) {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        } else {
            text.to_owned()
        };
        texts.push((path.to_owned(), text));
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    problems(&texts)
}

#[test]
fn a_good_corpus_is_read_whole() {
    let oracle = Oracle::load(&files(&good()));
    assert_eq!(oracle.problems, []);
    let spec = &oracle.specs["compute_warhead_damage"];
    assert_eq!(
        (spec.area, spec.title.as_str(), spec.games.as_slice()),
        (Area::Combat, "Warhead damage", [Game::Ts, Game::Yr].as_slice())
    );
    let [gate, falloff] = spec.clauses.as_slice() else { panic!("{:?}", spec.clauses) };
    assert_eq!((gate.id.as_str(), gate.title.as_str(), gate.line), ("gate.1", "Nothing without damage", 19));
    assert_eq!(
        (gate.games.as_slice(), gate.sources.join("+")),
        ([Game::Ts, Game::Yr].as_slice(), "vera-a+open-b".into())
    );
    assert!(
        gate.open
            .as_deref()
            .is_some_and(|open| open.starts_with("where X is read") && open.ends_with("found"))
    );
    assert!(
        gate.text.starts_with("Prose of the clause.") && gate.text.ends_with("#### Deeper"),
        "{}",
        gate.text
    );
    assert!(gate.text.contains("### not.1 a heading\n```\n- a list"), "{}", gate.text);
    assert_eq!((falloff.id.as_str(), falloff.text.as_str(), falloff.line), ("falloff.2", "", 34));
    assert_eq!(spec.clause("falloff.2"), Some(falloff));
    let source = oracle.sources.get("open-b").unwrap();
    assert_eq!((source.kind, source.group.as_str(), source.line), (SourceKind::Reconstruction, "opents", 11));
    assert!(!source.withdrawn && oracle.sources.iter().count() == 2);
    assert_eq!(spec.default(Game::Ts, "max_damage"), Some(&Tree::Int(10000)));
    assert_eq!(spec.default(Game::Yr, "max_damage"), Some(&Tree::Int(1000)));
    assert_eq!(spec.default(Game::Ts, "edge"), Some(&Tree::Float(0.1)));
    assert_eq!(spec.default(Game::Ts, "nothing"), None);
}

#[test]
fn a_scope_binds_what_the_spec_says() {
    let oracle = Oracle::load(&files(&good()));
    let spec = &oracle.specs["compute_warhead_damage"];
    let program = Program::parse(
        "a = max_damage\nb = edge == nearest64(0.1) && edge != 0.1\nc = leptons_per_cell * half\nd = arc[0]\ne = game",
    );
    let program = program.unwrap();
    for (game, most) in [(Game::Ts, 10_000), (Game::Yr, 1000)] {
        let mut scope = Scope::new(spec, game);
        let Outcome::Steps(steps) = program.run(&scope).unwrap() else { panic!() };
        let expected = format!(r#"{{"a":{most},"b":true,"c":128,"d":1,"e":"{game}"}}"#);
        assert_eq!(steps.tree("").unwrap().to_string(), expected);
        scope.bind("max_damage", &Tree::Int(5)).unwrap();
        let Outcome::Steps(steps) = program.run(&scope).unwrap() else { panic!() };
        assert_eq!(steps.tree("a"), Some(Tree::Int(5)));
    }
}

#[test]
fn problems_of_sources_have_their_place() {
    const S: &str = "oracles/sources.toml";
    for (from, to, expected) in [
        (
            "group = \"vera\"",
            "group = \"vera\"\ncolour = 1",
            "9:1: unknown key `colour` (known here: games, group, id,",
        ),
        ("id = \"open-b\"", "id = \"vera-a\"", "11:6: duplicate source `vera-a` (first at line 3)"),
        ("\"reconstruction\"", "\"rumour\"", "12:8: unknown word `rumour` (one of original-program"),
        ("games = [\"TS\"]", "games = [\"RA3\"]", "14:10: unknown game `RA3` (one of TD, RA1, TS, RA2, YR)"),
        ("games = [\"TS\"]", "games = [\"ts\"]", "14:10: unknown game `ts` (it is written TS)"),
        ("games = [\"TS\"]", "games = [\"TS\", \"TS\"]", "14:16: TS is listed twice"),
        ("games = [\"TS\"]", "games = []", "14:9: the source is evidence for no game"),
        ("games = [\"TS\"]\n", "", "10:1: missing key `games`"),
        ("\"elsewhere\"", "\" \"", "15:9: `where` is empty"),
        ("\"opents\"", "\"opents2\"", "16:9: unknown independence group `opents2` (one of vera,"),
        ("\"opents\"", "\"Open TS\"", "16:9: `group` is `Open TS` (write lower-case words joined by `-`)"),
        ("id = \"open-b\"", "id = \"Open_b\"", "11:6: `id` is `Open_b` (write lower-case words"),
        ("id = \"open-b\"", "id = \"open-b", "11:"),
        ("subject = \"Game.exe 2.03\"", "subject = 5", "13:11: invalid type: integer `5`, expected a string"),
        (
            "\n[[source]]\nid = \"open-b\"",
            "\n[source2]\nid = \"open-b\"",
            "10:2: unknown key `source2` (write each source as",
        ),
    ] {
        let found = changed("sources.toml", from, to);
        let expected = format!("{S}:{expected}");
        assert!(found.iter().any(|problem| problem.starts_with(&expected)), "{expected}\n{found:#?}");
    }
    let two = problems(&[(S, "x = 1\n[[source]]\nid = 5\n[[source]]\nbad = 2\n")]);
    assert!(two.len() > 5 && two[0].starts_with(&format!("{S}:1:1: unknown key `x`")), "{two:#?}");
    assert!(problems(&[])[0].starts_with("oracles/sources.toml: the file is missing"));
}

#[test]
fn problems_of_front_matter_have_their_place() {
    const P: &str = "oracles/specs/combat/compute_warhead_damage.md";
    for (from, to, expected) in [
        (
            "title = ",
            "colour = 1\ntitle = ",
            "2:1: unknown key `colour` (known here: composes, constants, defaults,",
        ),
        ("title = \"Warhead damage\"\n", "", "2:1: missing key `title`"),
        ("\"Warhead damage\"", "\"\"", "2:9: `title` is empty"),
        ("[\"YR\", \"TS\"]", "[\"YR\", \"RA9\"]", "3:16: unknown game `RA9`"),
        ("[\"YR\", \"TS\"]", "[\"YR\", \"TS\", \"RA2\"]", "3:22: no clause is for RA2"),
        ("[\"YR\", \"TS\"]", "[\"YR\"]", "7:19: defaults for TS, which the spec does not list"),
        ("edge = 0.1", "edge-b = 0.1", "6:1: `edge-b` is no name in a derivation"),
        ("edge = 0.1", "edge = \"f32:0x1\"", "6:8: `f32:0x1` is tagged as bits and is none"),
        ("edge = 0.1", "edge = 2020-01-01", "6:8: a date has no meaning here"),
        ("leptons_per_cell = 256", "max_damage = 256", "10:1: `max_damage` means two things"),
        ("leptons_per_cell = 256", "game = 256", "10:1: `game` means two things"),
        ("[constants]", "[[constants]]", "9:1: `constants` is not a table (write `[constants]`)"),
        ("arc.json", "arx.json", "13:7: no usable table `oracles/tables/arx.json`"),
        ("max_damage = 1000\n", "max_damage = \n", "5:"),
        ("+++\ntitle", "++\ntitle", "1:1: no front matter"),
        ("+++\n# Warhead", "# Warhead", "1:1: no front matter"),
    ] {
        let found = changed("damage.md", from, to);
        let expected = format!("{P}:{expected}");
        assert!(found.iter().any(|problem| problem.starts_with(&expected)), "{expected}\n{found:#?}");
    }
}

#[test]
fn problems_of_clauses_have_their_place() {
    const P: &str = "oracles/specs/combat/compute_warhead_damage.md";
    for (from, to, expected) in [
        ("falloff.2", "gate.1", "34:5: duplicate clause `gate.1` (first at line 19) (number it anew)"),
        ("falloff.2", "Falloff.2", "34:5: `Falloff.2` is no clause id"),
        ("falloff.2", "falloff", "34:5: `falloff` is no clause id"),
        ("falloff.2", "2.2", "34:5: `2.2` is no clause id"),
        ("falloff.2", "falloff.2a", "34:5: `falloff.2a` is no clause id"),
        ("falloff.2 Linear", "falloff.2", "34:1: clause `falloff.2` has no title"),
        ("\n- games: YR\n", "\n", "34:1: clause `falloff.2` names no games (add `- games: YR` below"),
        ("- games: YR\n- sources: vera-a\n", "- games: YR\n", "34:1: clause `falloff.2` names no sources"),
        (
            "- games: YR\n",
            "- games: YR, RA2\n",
            "36:14: clause `falloff.2` is for RA2, which the spec does not list",
        ),
        ("- games: YR\n", "- games: YR, , TS\n", "36:14: expected a game"),
        ("- games: YR\n", "- games: YR, YR\n", "36:14: game `YR` is listed twice"),
        ("- games: YR\n", "- games: yr\n", "36:10: unknown game `yr` (it is written YR)"),
        (
            "vera-a, open-b",
            "vera-a, open-c",
            "21:20: unknown source `open-c` (add it to oracles/sources.toml)",
        ),
        ("vera-a, open-b", "vera-a", "19:1: clause `gate.1` has no source that is evidence for TS"),
        (
            "- sources: vera-a\n##",
            "- sources: vera-a, open-b\n##",
            "37:20: source `open-b` is evidence for TS, not for",
        ),
        (
            "- games: TS, YR",
            "- tier: verified\n- games: TS, YR",
            "20:1: unknown metadata `tier` (known are games, sources",
        ),
        ("- games: TS, YR", "- games: TS, YR\n- games: TS", "21:1: clause `gate.1` has `games` twice"),
        ("- open: where X is read\n  was never found", "- open:", "22:1: `open` says nothing"),
        ("\n\nProse of", "\n- a point\n\nProse of", "24:1: unknown metadata `a point`"),
    ] {
        let found = changed("damage.md", from, to);
        let expected = format!("{P}:{expected}");
        assert!(found.iter().any(|problem| problem.starts_with(&expected)), "{expected}\n{found:#?}");
    }
}

#[test]
fn problems_of_paths_and_tables() {
    for (path, expected) in [
        ("oracles/specs/cooking/compute_x.md", "unknown area `cooking`"),
        ("oracles/specs/Combat/compute_x.md", "unknown area `Combat` (it is written combat)"),
        ("oracles/specs/compute_x.md", "a spec is not in the folder of its area"),
        ("oracles/specs/combat/deep/compute_x.md", "a spec is not in the folder of its area"),
        ("oracles/specs/combat/computeX.md", "`computeX.md` is no file name of a spec"),
        ("oracles/specs/combat/compute_x.txt", "`compute_x.txt` is no file name of a spec"),
        (
            "oracles/specs/economy/compute_warhead_damage.md",
            "a second spec of `compute_warhead_damage` (the first is",
        ),
    ] {
        let mut texts = good();
        texts.push((path, SPEC));
        let found = problems(&texts);
        assert!(
            found.len() == 1 && found[0].starts_with(&format!("{path}: {expected}")),
            "{expected}\n{found:#?}"
        );
    }
    for (from, to, expected) in [
        ("\"vera-a\"", "\"vera-z\"", ":1:16: unknown source `vera-z`"),
        ("\"x\"", "\"\"", ":1:2: `about` is empty"),
        ("f32-bits", "f16-bits", ":1:"),
        ("1065353216", "4294967296", ":1:56: value 0 is 4294967296, which is beyond"),
        ("1065353216, 0", "", ":1:56: the table has no values"),
        ("0]", "0.5]", ":1:"),
        ("\"about\"", "\"colour\": 1, \"about\"", ":1:"),
        ("0]}", "0]", ":1:"),
    ] {
        let found = changed("arc.json", from, to);
        let expected = format!("oracles/tables/arc.json{expected}");
        assert!(found.iter().any(|problem| problem.starts_with(&expected)), "{expected}\n{found:#?}");
        let needs = "oracles/specs/combat/compute_warhead_damage.md:13:7: no usable table";
        assert!(found.iter().any(|problem| problem.starts_with(needs)), "{found:#?}");
    }
}

#[test]
fn several_problems_come_in_file_and_line_order() {
    let spec = SPEC.replace("vera-a, open-b", "nobody").replace("falloff.2", "x").replace("title", "titel");
    let found = problems(&[("oracles/specs/combat/compute_x.md", &spec), ("oracles/sources.toml", SOURCES)]);
    let places: Vec<&str> =
        found.iter().map(|problem| problem.split(": ").next().unwrap_or_default()).collect();
    let spec = |place: &str| format!("oracles/specs/combat/compute_x.md:{place}");
    // A front matter that is beyond use hides nothing of the clauses, and a key that is misspelt is not missing besides.
    assert_eq!(places, ["2:1", "21:12", "34:5"].map(spec), "{found:#?}");
}

#[test]
fn digests_follow_the_meaning_and_not_the_wrapping() {
    let digests = |spec: &str| {
        let mut texts = good();
        texts[1].1 = spec;
        let oracle = Oracle::load(&files(&texts));
        let spec = &oracle.specs["compute_warhead_damage"];
        (spec.clauses_digest(), spec.clauses[0].digest.clone())
    };
    let (spec, clause) = digests(SPEC);
    assert_eq!((spec.len(), clause.len()), (64, 64));
    for (from, to, same) in [
        ("Prose of the clause.", "Prose\nof   the clause.", true),
        ("vera-a, open-b", "open-b, vera-a", true),
        ("TS, YR", "YR, TS", true),
        ("What it is.", "What else it is.", true),
        ("Prose of the clause.", "Prose of a clause.", false),
        ("Nothing without damage", "Nothing with damage", false),
        ("- open: where X is read\n  was never found\n", "", false),
        ("- sources: vera-a, open-b", "- sources: vera-a", false),
        ("- games: TS, YR", "- games: TS", false),
    ] {
        let (spec_after, clause_after) = digests(&SPEC.replacen(from, to, 1));
        assert_eq!((spec_after == spec, clause_after == clause), (same, same), "{from} to {to}");
    }
    assert_ne!(digests(&SPEC.replace("falloff.2", "falloff.3")).0, spec);
}

#[test]
fn sources_that_nothing_cites_are_listed() {
    let more = format!(
        "{SOURCES}\n[[source]]\nid = \"doc-c\"\nkind = \"documentation\"\nsubject = \"x\"\ngames = [\"YR\"]\nwhere = \"y\"\ngroup = \"modenc\"\n"
    );
    let spec = SPEC.replace("vera-a, open-b", "open-b").replace("- sources: vera-a\n", "- sources: open-b\n");
    let mut texts = good();
    texts[0].1 = &more;
    texts[1].1 = &spec;
    let oracle = Oracle::load(&files(&texts));
    let uncited = |cited: &[&str]| -> Vec<String> {
        oracle.uncited_sources(cited.iter().copied()).iter().map(ToString::to_string).collect()
    };
    // The table cites vera-a.
    assert_eq!(uncited(&["doc-c"]), Vec::<String>::new());
    let found = uncited(&["nobody"]);
    assert!(
        found.len() == 1 && found[0].starts_with("oracles/sources.toml:19:6: nothing cites source `doc-c`"),
        "{found:?}"
    );
}

#[test]
fn schemas_know_the_keys_that_the_loader_knows() {
    let schemas = schemas();
    let names: Vec<&str> = schemas.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["sources.schema.json", "spec.schema.json", "table.schema.json"]);
    let source = &schemas[0].1["properties"]["source"]["items"];
    assert_eq!(source["additionalProperties"], false);
    assert_eq!(source["properties"]["games"]["items"]["enum"][4], "YR");
    assert!(source["properties"]["kind"].to_string().contains("ancestor-source"));
    assert!(source["required"].as_array().unwrap().iter().any(|key| key == "where"));
    assert_eq!(schemas[0].1["additionalProperties"], false);
    assert_eq!(schemas[1].1["properties"]["games"]["minItems"], 1);
    assert!(schemas[1].1["properties"]["defaults_by_game"].to_string().contains("object"));
    assert!(schemas[2].1["properties"]["type"].to_string().contains("f64-bits"));
}
