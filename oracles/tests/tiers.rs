//! The tier rules, case by case, with made-up sources.

mod common;

use assay_model::{Game, Tier};
use assay_oracles::Oracle;
use common::files;
use std::fmt::Write as _;

/// The tier of a clause for a game, from sources written `kind/group/games` with `!` in front of a withdrawn one.
fn tier(game: Game, open: bool, sources: &[&str]) -> Tier {
    let mut toml = String::new();
    for (index, source) in sources.iter().enumerate() {
        let parts: Vec<&str> = source.trim_start_matches('!').split('/').collect();
        let games: Vec<String> = parts[2].split('+').map(|game| format!("{game:?}")).collect();
        let withdrawn = source.starts_with('!');
        let _ = writeln!(
            toml,
            "[[source]]\nid = \"s{index}\"\nkind = {:?}\nsubject = \"x\"\ngames = [{}]\nwhere = \"y\"\ngroup = {:?}\nwithdrawn = {withdrawn}",
            parts[0],
            games.join(", "),
            parts[1],
        );
    }
    let ids: Vec<String> = (0..sources.len()).map(|index| format!("s{index}")).collect();
    let open = if open { "- open: something\n" } else { "" };
    let spec = format!(
        "+++\ntitle = \"x\"\ngames = [\"{game}\"]\n+++\n### a.1 x\n- games: {game}\n- sources: {}\n{open}\nProse.\n",
        ids.join(", ")
    );
    let oracle =
        Oracle::load(&files(&[("oracles/sources.toml", &toml), ("oracles/specs/math/compute_x.md", &spec)]));
    let spec = &oracle.specs["compute_x"];
    let broken = oracle.problems.iter().filter(|problem| !problem.message.contains("is evidence for"));
    assert_eq!(broken.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    oracle.tier(&spec.clauses[0], game)
}

#[test]
fn rules() {
    use Game::{Ra1, Ra2, Td, Ts, Yr};
    use Tier::{HighConfidence, InProgress, Initial, Verified};
    let cases: &[(Game, &[&str], Tier)] = &[
        (Yr, &["original-program/rets/YR"], Verified),
        (Yr, &["original-program/rets/TS"], Initial),
        (Yr, &["!original-program/rets/YR"], InProgress),
        (Yr, &["!original-program/rets/YR", "disassembly/vera/YR"], HighConfidence),
        (Yr, &["disassembly/vera/YR"], HighConfidence),
        (Ts, &["reconstruction/opents/TS"], HighConfidence),
        (Ts, &["hook/ts-patches/TS"], HighConfidence),
        (Yr, &["disassembly/vera/YR", "hook/vera/YR"], HighConfidence),
        (Yr, &["disassembly/vera/YR", "hook/phobos/YR"], Verified),
        (Yr, &["disassembly/vera/YR", "hook/phobos/TS"], HighConfidence),
        (Yr, &["disassembly/vera/YR", "hook/phobos/YR+TS"], Verified),
        (Ts, &["disassembly/vera/YR", "hook/phobos/YR+TS"], HighConfidence),
        (Yr, &["!disassembly/rets/YR"], InProgress),
        (Yr, &["!disassembly/rets/YR", "!hook/ares/YR"], InProgress),
        (Yr, &["!disassembly/rets/YR", "disassembly/vera/YR"], Verified),
        (Yr, &["!disassembly/vera/YR", "disassembly/vera/YR"], HighConfidence),
        (Yr, &["ancestor-source/ea/RA1+YR"], Initial),
        (Ts, &["ancestor-source/ea/RA1+TS", "reconstruction/opents/TS"], Verified),
        (Ts, &["ancestor-source/ea/RA1+TS", "!reconstruction/rets/TS"], InProgress),
        (Ra2, &["ancestor-source/ea/RA1", "disassembly/rets/RA2"], HighConfidence),
        (Ra1, &["ancestor-source/ea/RA1"], Verified),
        (Td, &["ancestor-source/ea/TD+RA1"], Verified),
        (Ra1, &["!ancestor-source/ea/RA1"], InProgress),
        (Ra1, &["ancestor-source/ea/TD"], Initial),
        (Yr, &["documentation/modenc/YR"], Initial),
        (Yr, &["data-file/westwood/YR", "documentation/modenc/YR"], Initial),
        (Yr, &["documentation/modenc/YR", "disassembly/vera/YR"], HighConfidence),
        (Yr, &["!documentation/modenc/YR"], Initial),
        (Yr, &["disassembly/vera/TS"], Initial),
    ];
    for (game, sources, expected) in cases {
        assert_eq!(tier(*game, false, sources), *expected, "{game} {sources:?}");
    }
}

#[test]
fn an_open_part_outweighs_every_source() {
    assert_eq!(tier(Game::Yr, true, &["original-program/rets/YR", "disassembly/vera/YR"]), Tier::InProgress);
    assert_eq!(tier(Game::Yr, true, &["documentation/modenc/YR"]), Tier::InProgress);
}

#[test]
fn a_composition_is_as_weak_as_its_weakest_part() {
    let sources = "[[source]]\nid = \"run\"\nkind = \"original-program\"\nsubject = \"x\"\ngames = [\"YR\", \"TS\"]\nwhere = \"y\"\n\
                   group = \"vera\"\n[[source]]\nid = \"notes\"\nkind = \"disassembly\"\nsubject = \"x\"\ngames = [\"YR\", \"TS\"]\n\
                   where = \"y\"\ngroup = \"vera\"\n";
    let spec = |composes: &str, yr: &str, ts: &str| {
        format!(
            "+++\ntitle = \"x\"\ngames = [\"TS\", \"YR\"]\ncomposes = [{composes}]\n+++\n### a.1 x\n- games: YR\n- sources: {yr}\n\nProse.\n\n\
             ### b.1 x\n- games: TS\n- sources: {ts}\n\nProse.\n"
        )
    };
    let oracle = Oracle::load(&files(&[
        ("oracles/sources.toml", sources),
        ("oracles/specs/math/whole.md", &spec("\"part\"", "run", "run")),
        // A circle ends, and the weak clause of a part of a part counts.
        ("oracles/specs/math/part.md", &spec("\"deep\"", "run", "run")),
        ("oracles/specs/math/deep.md", &spec("\"whole\"", "run", "notes")),
        ("oracles/specs/math/lost.md", &spec("\"nowhere\"", "run", "notes")),
        // A part that is not of the game takes no part there.
        ("oracles/specs/math/mixed.md", &spec("\"other\"", "run", "run")),
        (
            "oracles/specs/math/other.md",
            "+++\ntitle = \"x\"\ngames = [\"TS\"]\n+++\n### a.1 x\n- games: TS\n- sources: notes\n\nProse.\n",
        ),
    ]));
    assert_eq!(oracle.weakest("whole", Game::Yr), Tier::Verified);
    assert_eq!(oracle.weakest("whole", Game::Ts), Tier::HighConfidence);
    assert_eq!(oracle.weakest("mixed", Game::Yr), Tier::Verified);
    assert_eq!(oracle.weakest("mixed", Game::Ts), Tier::HighConfidence);
    assert_eq!(oracle.weakest("lost", Game::Yr), Tier::Initial);
    assert_eq!(oracle.weakest("nowhere", Game::Yr), Tier::Initial);
    assert_eq!(oracle.weakest("part", Game::Td), Tier::Initial);
    let problems: Vec<String> = oracle.problems.iter().map(ToString::to_string).collect();
    assert!(
        problems[0].starts_with("oracles/specs/math/lost.md:4:14: `composes` names `nowhere`"),
        "{problems:?}"
    );
    assert_eq!(problems.len(), 1, "{problems:?}");
}
