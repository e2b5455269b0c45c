//! What a mutation run consists of: the files of `ports`, the suites that can see each, and what a result rests on.
//!
//! A mutant of a file shows in the suites of the capabilities that reach the file. Which those are is read off the names
//! that a file mentions, so it errs on the side of too many. The keys of a suite cover the ports that it reaches, its
//! cases and its spec. They do not cover the harness and the interpreter: those have tests of their own.

use assay_model::Files;
use assay_reports::strength::{Keys, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// The units of a checkout, by path. `ports` holds `ports/src/…`, `suites` the `area/capability` of every capability.
pub fn units(ports: &Files, specs: &Files, golden: &Files, suites: &[String]) -> Vec<Unit> {
    let mentions = mentions(&ports.texts);
    let mut units: BTreeMap<&str, Unit> = BTreeMap::new();
    let mut all = BTreeMap::new();
    for (file, text) in ports.texts.iter().filter(|(file, _)| *file != "ports/src/lib.rs") {
        let path = file.strip_prefix("ports/src/").unwrap_or(file);
        let capability = path.strip_suffix(".rs").filter(|path| suites.iter().any(|suite| suite == path));
        let row = capability.unwrap_or(path).to_owned();
        let text = digest([(file.as_str(), text.as_str())].into_iter());
        units.insert(file, Unit { file: file.clone(), row, text, suites: BTreeMap::new() });
    }
    for suite in suites {
        let reached = closure(&format!("ports/src/{suite}.rs"), &mentions);
        let folder = format!("golden/{suite}");
        let spec = specs.texts.get_key_value(&format!("oracles/specs/{suite}.md"));
        let spec = spec.map(|(path, text)| (path.as_str(), text.as_str()));
        let keys = Keys {
            ports: digest(reached.iter().map(|file| (*file, ports.texts[*file].as_str()))),
            cases: digest(golden.below(&folder).chain(spec)),
        };
        all.insert(suite.clone(), keys.clone());
        for file in reached {
            if let Some(unit) = units.get_mut(file) {
                unit.suites.insert(suite.clone(), keys.clone());
            }
        }
    }
    for unit in units.values_mut().filter(|unit| unit.suites.is_empty()) {
        // Nobody seems to use it. Then every suite is asked, and none will answer.
        unit.suites = all.clone();
    }
    units.into_values().collect()
}

/// Twelve hexadecimal digits: enough to tell two states of a file apart, short enough for a table.
fn digest<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in files.flat_map(|(path, text)| [path, text]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..12].to_owned()
}

/// The files that a file reaches by mentioning them, itself included.
fn closure<'a>(start: &str, mentions: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = mentions.get_key_value(start).map(|(file, _)| *file).into_iter().collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(&mentions[file]);
        }
    }
    reached
}

/// For each file the files whose module it names: its own area's, and those of `crate::area`, `mod.rs` too.
fn mentions(texts: &BTreeMap<String, String>) -> BTreeMap<&str, BTreeSet<&str>> {
    let named = |file: &str, text: &str| {
        let code = code(text);
        let words = words(&code);
        let inside = |other: &str| code.contains(&format!("{}::", folder(other)));
        let area = |other: &str| folder(other) == folder(file) || inside(other);
        let module = |other: &str| match stem(other) {
            "mod" => area(other),
            stem => words.contains(stem),
        };
        texts.keys().map(String::as_str).filter(|other| *other != file && module(other)).collect()
    };
    texts.iter().map(|(file, text)| (file.as_str(), named(file, text))).collect()
}

/// A file without its comments and the lines that only declare modules: a `mod.rs` does not use what it declares.
fn code(text: &str) -> String {
    let declares = |line: &&str| line.trim_end().ends_with(';') && line.contains("mod ");
    let lines = text.lines().filter_map(|line| line.split("//").next()).filter(|line| !declares(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn words(code: &str) -> BTreeSet<&str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

fn stem(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).unwrap_or(path)
}

fn folder(path: &str) -> &str {
    path.rsplit('/').nth(1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> Files {
        let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Files { origin: "made".to_owned(), texts }
    }

    fn made() -> (Files, Files, Files, Vec<String>) {
        let ports = files(&[
            ("ports/src/lib.rs", "pub mod a; pub mod b;"),
            ("ports/src/a/mod.rs", "pub mod one;\npub mod two;\nfn help() {}"),
            ("ports/src/a/one.rs", "use crate::b::deep;"),
            ("ports/src/a/two.rs", "use super::one::f;"),
            ("ports/src/b/mod.rs", "pub mod deep;\npub mod three;"),
            ("ports/src/b/deep.rs", "// nothing"),
            ("ports/src/b/three.rs", "// nothing"),
            ("ports/src/b/idle.rs", "// nothing"),
        ]);
        let golden = files(&[("golden/a/one/cases.toml", "1"), ("golden/b/three/cases.toml", "3")]);
        let specs = files(&[("oracles/specs/a/one.md", "one")]);
        let suites = ["a/one", "a/two", "b/three"].map(str::to_owned).to_vec();
        (ports, specs, golden, suites)
    }

    fn unit(file: &str, change: impl Fn(&mut Files, &mut Files, &mut Files)) -> Unit {
        let (mut ports, mut specs, mut golden, suites) = made();
        change(&mut ports, &mut specs, &mut golden);
        units(&ports, &specs, &golden, &suites).into_iter().find(|unit| unit.file == file).unwrap()
    }

    #[test]
    fn a_file_is_seen_by_the_suites_that_reach_it() {
        let seen = |file| unit(file, |_, _, _| ()).suites.into_keys().collect::<Vec<_>>();
        assert_eq!(seen("ports/src/a/two.rs"), ["a/two"]);
        assert_eq!(seen("ports/src/a/one.rs"), ["a/one", "a/two"]);
        assert_eq!(seen("ports/src/b/deep.rs"), ["a/one", "a/two"], "through one");
        assert_eq!(seen("ports/src/a/mod.rs"), ["a/one", "a/two"]);
        assert_eq!(seen("ports/src/b/mod.rs"), ["a/one", "a/two", "b/three"]);
        assert_eq!(seen("ports/src/b/idle.rs"), ["a/one", "a/two", "b/three"], "used by none, asked of all");
        let (ports, specs, golden, suites) = made();
        assert!(units(&ports, &specs, &golden, &suites).iter().all(|unit| unit.file != "ports/src/lib.rs"));
    }

    #[test]
    fn rows_are_capabilities_and_shared_files() {
        assert_eq!(unit("ports/src/a/one.rs", |_, _, _| ()).row, "a/one");
        assert_eq!(unit("ports/src/b/deep.rs", |_, _, _| ()).row, "b/deep.rs");
    }

    #[test]
    fn keys_follow_ports_cases_and_specs_that_matter_and_no_other() {
        let deep = "ports/src/b/deep.rs";
        let set = |files: &mut Files, path: &str| drop(files.texts.insert(path.to_owned(), "new".to_owned()));
        let before = unit(deep, |_, _, _| ());
        let one = |unit: &Unit| unit.suites["a/one"].clone();
        let changed = unit(deep, |ports, _, _| set(ports, deep));
        assert_ne!((&changed.text, &one(&changed).ports), (&before.text, &one(&before).ports));
        let changed = unit(deep, |ports, _, _| set(ports, "ports/src/a/mod.rs"));
        assert_eq!(changed.text, before.text, "the file itself is the same");
        assert_ne!(one(&changed).ports, one(&before).ports);
        assert_eq!(one(&changed).cases, one(&before).cases);
        let changed = unit(deep, |_, specs, _| set(specs, "oracles/specs/a/one.md"));
        assert_ne!(one(&changed).cases, one(&before).cases);
        let changed = unit(deep, |_, _, golden| set(golden, "golden/a/two/vectors/v.jsonl"));
        assert_ne!(changed.suites["a/two"].cases, before.suites["a/two"].cases);
        assert_eq!(one(&changed), one(&before), "another suite");
        assert_eq!(before, unit(deep, |_, _, golden| set(golden, "golden/b/three/cases.toml")));
        assert_eq!(before, unit(deep, |ports, _, _| set(ports, "ports/src/b/three.rs")));
    }
}
