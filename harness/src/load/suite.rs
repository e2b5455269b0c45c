//! One golden folder as read: the typed `cases.toml` and the vector files beside it, not yet judged.
//!
//! A file is read entry by entry, so that what is wrong in one hides nothing of the others.

use super::entries::{Entries, Half};
use super::vectors::{self, RawVectors};
use assay_model::{Area, CaseEntry, Files, Problem, Rule, SuiteFile, SweepEntry, Tombstone};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the hand-written file of a suite.
const CASES: &str = "cases.toml";

/// A suite as its files say it. What is large is shared, so that a file that did not change is not read again.
#[derive(Clone, Debug)]
pub(crate) struct RawSuite {
    /// Area, from the path.
    pub area: Area,
    /// Capability, from the path.
    pub capability: String,
    /// `golden/<area>/<capability>/cases.toml`.
    pub path: String,
    /// Its text, for places in it. Parts that do not parse are blank.
    pub text: Arc<str>,
    /// The entries that are well-formed.
    pub file: Arc<SuiteFile>,
    /// Where each of those stands in its list: cases, sweeps, tombstones.
    places: [Vec<usize>; 3],
    /// What can be told of entries that are not well-formed.
    pub halves: Arc<[Half]>,
    /// The same content as one value in canonical bytes, for the digest: neither comments nor layout count.
    pub canonical: Arc<[u8]>,
    /// Bulk vectors, by path.
    pub vectors: Vec<Arc<RawVectors>>,
    /// The whole text of each file of the suite in which something could not be read.
    pub hidden: Vec<String>,
}

/// What was read before: each file of the golden side by path, with the blake3 of the text that it was read from.
#[derive(Default)]
pub(crate) struct Parts(BTreeMap<String, (blake3::Hash, Read)>);

/// What one file is, and what is wrong with it.
type Read = (Part, Vec<Problem>);

/// Every suite of the golden side, in path order, and what is wrong with the files. Files are read in parallel; those
/// that say what they said in `before` are not read again.
pub(crate) fn load(golden: &Files, before: &Parts) -> (Vec<RawSuite>, Vec<Problem>, Parts) {
    let files: Vec<(&str, &str)> = golden.below("golden").collect();
    let read: Vec<(blake3::Hash, Read)> = files
        .par_iter()
        .map(|(path, text)| {
            let hash = blake3::hash(text.as_bytes());
            let same = before.0.get(*path).filter(|(read, _)| *read == hash);
            (hash, same.map_or_else(|| part(path, text), |(_, read)| read.clone()))
        })
        .collect();
    let (mut suites, mut vectors, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for ((path, _), (_, (part, found))) in files.iter().zip(&read) {
        match part {
            Part::Cases(suite) => suites.push(RawSuite::clone(suite)),
            Part::Vectors(_) if !golden.texts.contains_key(&beside(path)) => {
                let help = format!("add `{}`, be it with a comment alone", beside(path));
                problems.push(Problem::whole(Rule::File, *path, "has no suite to belong to", help));
            }
            Part::Vectors(file) => vectors.push(Arc::clone(file)),
            Part::Other => {}
        }
        problems.extend(found.iter().cloned());
    }
    for file in vectors {
        if let Some(suite) = suites.iter_mut().find(|suite| suite.path == beside(&file.path)) {
            suite.vectors.push(file);
        }
    }
    // Half a suite is no suite, but what is whole in it is still looked at.
    for suite in &mut suites {
        let broken = files.iter().filter(|(path, _)| {
            beside(path) == suite.path && problems.iter().any(|problem: &Problem| problem.file == *path)
        });
        suite.hidden = broken.map(|(_, text)| (*text).to_owned()).collect();
    }
    let parts = files.iter().map(|(path, _)| (*path).to_owned()).zip(read).collect();
    (suites, problems, Parts(parts))
}

/// What one file is.
#[derive(Clone)]
enum Part {
    Cases(Box<RawSuite>),
    Vectors(Arc<RawVectors>),
    /// Not a part of any suite, or beyond use.
    Other,
}

/// Reads one file, by itself: the outcome depends on its path and text alone.
fn part(path: &str, text: &str) -> Read {
    let broken =
        |message: &str, help: &str| (Part::Other, vec![Problem::whole(Rule::File, path, message, help)]);
    match path.split('/').collect::<Vec<_>>()[1..] {
        ["index.lock"] | ["schema", ..] => (Part::Other, Vec::new()),
        [area, capability, CASES] => match area.parse() {
            Ok(area) => read(area, capability, path, text),
            Err(error) => {
                let error: String = error;
                broken(&error, "the folder below `golden/` is the area")
            }
        },
        [_, _, "vectors", name] if name.ends_with(".jsonl") => {
            let (vectors, problems) = vectors::read(path, text);
            (vectors.map_or(Part::Other, |file| Part::Vectors(Arc::new(file))), problems)
        }
        _ => {
            let help = "a suite is `golden/<area>/<capability>/cases.toml` with `vectors/*.jsonl` beside it";
            broken("belongs to no suite", help)
        }
    }
}

/// The `cases.toml` of the suite that a vector file is in.
fn beside(path: &str) -> String {
    let folder = path.split_once("/vectors/").map_or(path, |(folder, _)| folder);
    if folder.ends_with(CASES) { folder.to_owned() } else { format!("{folder}/{CASES}") }
}

fn read(area: Area, capability: &str, path: &str, text: &str) -> (Part, Vec<Problem>) {
    let mut problems = Vec::new();
    let Entries { file, places, halves, canonical, readable } = Entries::read(path, text, &mut problems);
    let suite = RawSuite {
        area,
        capability: capability.to_owned(),
        path: path.to_owned(),
        text: readable.into(),
        file: Arc::new(file),
        places,
        halves: halves.into(),
        canonical: canonical.into(),
        vectors: Vec::new(),
        hidden: Vec::new(),
    };
    (Part::Cases(Box::new(suite)), problems)
}

impl RawSuite {
    /// The well-formed cases, each with its position in the file.
    pub fn cases(&self) -> impl Iterator<Item = (usize, &CaseEntry)> {
        self.places[0].iter().copied().zip(&self.file.cases)
    }

    /// The well-formed sweeps, each with its position in the file.
    pub fn sweeps(&self) -> impl Iterator<Item = (usize, &SweepEntry)> {
        self.places[1].iter().copied().zip(&self.file.sweeps)
    }

    /// The well-formed tombstones, each with its position in the file.
    pub fn removed(&self) -> impl Iterator<Item = (usize, &Tombstone)> {
        self.places[2].iter().copied().zip(&self.file.removed)
    }

    /// Whether anything in its files could not be read: it vouches for nothing then.
    pub fn is_broken(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Whether a word stands in a file of which not everything could be read: it may be meant there.
    pub fn hides(&self, word: &str) -> bool {
        self.hidden.iter().any(|text| text.contains(word))
    }

    /// blake3 over what the cases and vectors say, hex.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        crate::digest::part(&mut hasher, &self.canonical);
        for vectors in &self.vectors {
            crate::digest::part(&mut hasher, vectors.stem.as_bytes());
            crate::digest::part(&mut hasher, vectors.digest.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(files: &[(&str, &str)]) -> Files {
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Files { origin: "test".into(), texts }
    }

    const CASE: &str = "[[case]]\nid = 'a'\ntitle = 't'\ngame = 'YR'\nclause = ['x.1']\ninput = {}\n";

    #[test]
    fn an_unknown_key_is_located() {
        let text = format!("{CASE}  expct = {{ a = 1 }}\n");
        let (suites, problems, _) =
            load(&golden(&[("golden/combat/x/cases.toml", &text)]), &Parts::default());
        assert!(suites[0].is_broken() && suites[0].file.cases.is_empty());
        assert_eq!((problems[0].line, problems[0].column), (7, 3), "{problems:?}");
        assert!(problems[0].message.contains("unknown key `expct`"), "{problems:?}");
    }

    #[test]
    fn syntax_and_duplicate_keys_are_located() {
        for (text, place) in [("[[case]\n", (1, 8)), ("[derivations]\na = 'x'\na = 'y'\n", (3, 1))] {
            let (_, problems, _) = load(&golden(&[("golden/combat/x/cases.toml", text)]), &Parts::default());
            assert_eq!((problems[0].line, problems[0].column), place, "{problems:?}");
        }
    }

    #[test]
    fn stray_files_unknown_areas_and_orphaned_vectors_are_named() {
        let vectors = "{\"vectors\":1,\"source\":\"s\",\"game\":\"YR\",\"clause\":[\"x.1\"],\"count\":0}\n";
        let files = golden(&[
            ("golden/combat/x/case.toml", ""),
            ("golden/warfare/x/cases.toml", ""),
            ("golden/combat/y/vectors/v.jsonl", vectors),
            ("golden/schema/cases.schema.toml", ""),
        ]);
        let (_, problems, _) = load(&files, &Parts::default());
        let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert!(all[0].starts_with("golden/combat/x/case.toml: belongs to no suite"), "{all:?}");
        assert!(all[2].contains("unknown area `warfare`"), "{all:?}");
        assert!(all[1].contains("has no suite to belong to"), "{all:?}");
    }

    #[test]
    fn the_digest_sees_content_and_neither_comments_nor_layout() {
        let digest = |text: &str| {
            load(&golden(&[("golden/combat/x/cases.toml", text)]), &Parts::default()).0[0].digest()
        };
        let plain = digest(CASE);
        assert_eq!(plain, digest(&format!("# remark\n\n{CASE}")));
        assert_ne!(plain, digest(&CASE.replace("'t'", "'u'")));
    }
}
