//! `assay new`: what it writes loads, compiles and runs as it is.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

/// The port that `assay new capability` renders, compiled here as it stands. Another test compares it with the template.
#[path = "skeleton/compute_skeleton.rs"]
mod compute_skeleton;

use assay_gateway::corpus::{embedded, from_root};
use assay_gateway::skeleton::case;
use assay_harness::{Options, Registry, Selection, verify};
use assay_model::{Game, Port, Problem, Status, Tier, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use support::{assay, checkout, stderr, stdout};

const NEW: [&str; 11] = [
    "new",
    "capability",
    "compute_skeleton",
    "--area",
    "physics",
    "--kind",
    "compute",
    "--game",
    "YR",
    "--game",
    "TS",
];

/// A checkout with the modules of the ports, and a name for it.
fn desk() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    checkout(folder.path());
    let ports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ports/src");
    for entry in fs::read_dir(&ports).unwrap() {
        let entry = entry.unwrap();
        let to = folder.path().join("ports/src").join(entry.file_name());
        fs::create_dir_all(folder.path().join("ports/src")).unwrap();
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&to).unwrap();
            fs::copy(entry.path().join("mod.rs"), to.join("mod.rs")).unwrap();
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    let name = folder.path().to_str().unwrap().to_owned();
    (folder, name)
}

/// Every file below a folder with its text.
fn all(root: &Path) -> BTreeMap<PathBuf, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

fn new(arguments: &[&str], root: &str) -> (i32, String) {
    let output = assay(&[arguments, &["--root", root]].concat());
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

/// What `new` wrote, compared with the example that is kept, which the compiler has seen.
#[test]
fn what_is_written_is_the_example_that_compiles() {
    let (folder, root) = desk();
    let (code, said) = new(&NEW, &root);
    assert_eq!(code, 0, "{said}");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/skeleton");
    for (written, example) in [
        ("ports/src/physics/compute_skeleton.rs", "compute_skeleton.rs"),
        ("oracles/specs/physics/compute_skeleton.md", "compute_skeleton.md"),
        ("golden/physics/compute_skeleton/cases.toml", "cases.toml"),
    ] {
        assert!(said.contains(written), "{said}");
        let written = fs::read_to_string(folder.path().join(written)).unwrap();
        assert_eq!(
            written,
            fs::read_to_string(kept.join(example)).unwrap(),
            "{example} is not what `assay new` writes"
        );
    }
    assert_eq!(said.lines().skip_while(|line| *line != "next:").skip(1).count(), 3, "{said}");
}

#[test]
fn a_new_capability_loads_passes_and_claims_nothing() {
    let (folder, root) = desk();
    assert_eq!(new(&NEW, &root).0, 0);
    let (specs, golden) = from_root(folder.path()).unwrap();
    let ports: Vec<&'static dyn Port> =
        assay_ports::ALL.iter().copied().chain([&compute_skeleton::PORT as &dyn Port]).collect();
    let registry = Registry::new(Box::leak(ports.into_boxed_slice()), &specs, &golden);
    assert_eq!(registry.problems(), []);
    let selection: Selection = "physics/compute_skeleton".parse().unwrap();
    let report = verify(&registry, &selection, &Options::default());
    assert_eq!(
        (report.verdict(), report.counts.pass, report.counts.total()),
        ("pass", 4, 4),
        "{:?}",
        report.results
    );
    let standing = &report.standings["compute_skeleton"];
    assert_eq!(standing.status, Status::Partial);
    assert_eq!(standing.tiers, [(Game::Ts, Tier::InProgress), (Game::Yr, Tier::InProgress)].into());
}

#[test]
fn a_new_capability_is_registered_in_order() {
    let (folder, root) = desk();
    assert_eq!(new(&NEW, &root).0, 0);
    let economy = ["new", "capability", "inspect_anything", "--area", "economy", "--kind", "inspect"];
    assert_eq!(new(&economy, &root).0, 0);
    let read = |path: &str| fs::read_to_string(folder.path().join("ports/src").join(path)).unwrap();
    let sorted = |text: &str, start: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(start)).collect();
        assert!(!lines.is_empty() && lines.is_sorted(), "{text}");
    };
    for (path, line) in [
        ("lib.rs", "pub mod physics;"),
        ("lib.rs", "    &physics::compute_skeleton::PORT,"),
        ("lib.rs", "    &economy::inspect_anything::PORT,"),
        ("physics/mod.rs", "pub mod compute_skeleton;"),
        ("economy/mod.rs", "pub mod inspect_anything;"),
    ] {
        let text = read(path);
        assert_eq!(text.lines().filter(|found| *found == line).count(), 1, "{line} in {path}:\n{text}");
        sorted(&text, if line.starts_with(' ') { "    &" } else { "pub mod " });
    }
    assert!(read("physics/mod.rs").starts_with("//!"));
}

#[test]
fn what_cannot_be_made_leaves_everything_as_it_was() {
    let (folder, root) = desk();
    let before = all(folder.path());
    for (name, area, why) in [
        ("compute", "combat", "begin with what it does"),
        ("Compute_X", "combat", "lower-case words"),
        ("self", "combat", "begin with what it does"),
        ("compute_damage", "physics", "it exists, see "),
        ("compute_x", "service", "no engine systems"),
    ] {
        let (code, said) = new(&["new", "capability", name, "--area", area, "--kind", "compute"], &root);
        assert_eq!((code, said.contains(why)), (2, true), "{name}: {said}");
        assert_eq!(all(folder.path()), before, "{name}");
    }
    fs::write(folder.path().join("ports/src/lib.rs"), "//! No list.\n").unwrap();
    let before = all(folder.path());
    let (code, said) = new(&NEW, &root);
    assert_eq!((code, said.contains("there is no line `pub static ALL")), (2, true), "{said}");
    assert_eq!(all(folder.path()), before);
}

/// For every capability and game: the case loads, adds itself and nothing else, and never passes by its placeholders
/// being what a port says.
#[test]
fn a_new_case_loads_in_every_suite() {
    let (specs, golden) = embedded();
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let mut wrong = Vec::new();
    for entry in registry.entries() {
        for game in entry.port.meta().games.iter().copied() {
            let path = case::cases(entry);
            let new = case::append(&registry, &golden.texts[&path], entry.name(), None, Some(game)).unwrap();
            let mut with = golden.clone();
            with.texts.insert(path, new.text.clone());
            let renewed = registry.renew(&specs, &with);
            wrong.extend(renewed.problems().iter().map(|problem| format!("{game}: {problem}")));
            let Some(suite) = &renewed.get(entry.name()).unwrap().suite else { continue };
            let last = suite.cases.last().unwrap();
            assert_eq!(suite.cases.len(), entry.suite.as_ref().unwrap().cases.len() + 1);
            assert_eq!(
                (last.entry.id.as_str(), last.line, last.entry.game),
                (new.id.as_str(), new.line, game)
            );
            let selection = Selection::all().pattern(&last.id).unwrap();
            let report = verify(&renewed, &selection, &Options::default());
            if report.results[0].verdict == Verdict::Pass {
                wrong.push(format!("{}: the placeholders pass", last.id));
            }
        }
    }
    assert_eq!(wrong, [""; 0], "{}", wrong.join("\n"));
}

#[test]
fn ids_are_the_next_free_ones_and_what_is_wrong_is_named() {
    let (specs, mut golden) = embedded();
    let name = "compute_prone_damage";
    let path = format!("golden/combat/{name}/cases.toml");
    golden.texts.get_mut(&path).unwrap().push_str("\n[[removed]]\nid = \"case-1\"\nreason = \"r\"\n");
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let text = &golden.texts[&path];
    let append = |name: &str, id: Option<&str>, game| case::append(&registry, text, name, id, game);
    let second = append(name, None, None).unwrap();
    assert_eq!(second.id, "case-2");
    assert!(second.text.starts_with(text.trim_end()) && second.text.contains("`derivation = \"@step\"`"));
    assert_eq!(append("combat/compute_prone_damage", Some("mine"), Some(Game::Ts)).unwrap().id, "mine");
    for (name, id, game, why) in [
        (name, Some("case-1"), None, "never used again"),
        (name, Some("yr-half"), None, "never used again"),
        (name, Some("Mine"), None, "lower-case words"),
        (name, None, Some(Game::Td), "is offered for TS, YR"),
        ("compute_prone_damag", None, None, "nearest: compute_prone_damage"),
    ] {
        let error = append(name, id, game).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_new_case_is_written_where_it_says_and_is_red() {
    let (folder, root) = desk();
    let (code, said) = new(&["new", "case", "compute_prone_damage", "--id", "mine", "--game", "ts"], &root);
    assert_eq!(code, 0, "{said}");
    let path = "golden/combat/compute_prone_damage/cases.toml";
    let line: usize =
        said.split(&format!("{path}:")).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let text = fs::read_to_string(folder.path().join(path)).unwrap();
    let at: Vec<&str> = text.lines().skip(line - 1).take(2).collect();
    assert_eq!(at, ["[[case]]", "id = \"mine\""]);
    assert!(said.contains("red until"), "{said}");
    assert_eq!(new(&["verify", "compute_prone_damage"], &root).0, 1);
    let before = all(folder.path());
    assert_eq!(new(&["new", "case", "compute_prone_damage", "--id", "mine"], &root).0, 2);
    assert_eq!(all(folder.path()), before);
}

/// A suite that has a slip elsewhere may still grow.
#[test]
fn a_slip_elsewhere_is_no_obstacle() {
    let (folder, root) = desk();
    let place = folder.path().join("golden/combat/compute_prone_damage/cases.toml");
    let text =
        fs::read_to_string(&place).unwrap().replacen("clause = [\"gate.2\"]", "clause = [\"gate.22\"]", 1);
    fs::write(&place, text).unwrap();
    assert_eq!(new(&["new", "case", "compute_prone_damage"], &root).0, 0);
    let (specs, golden) = from_root(folder.path()).unwrap();
    let problems: Vec<String> =
        Registry::new(assay_ports::ALL, &specs, &golden).problems().iter().map(Problem::to_string).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
}
