//! One golden folder as read: the typed `cases.toml` and the vector files beside it, not yet judged.

use super::vectors::{self, RawVectors};
use assay_model::{Area, Files, Problem, SuiteFile, Tree};
use rayon::prelude::*;

/// The name of the hand-written file of a suite.
const CASES: &str = "cases.toml";

/// A suite as its files say it.
#[derive(Debug)]
pub(crate) struct RawSuite {
    /// Area, from the path.
    pub area: Area,
    /// Capability, from the path.
    pub capability: String,
    /// `golden/<area>/<capability>/cases.toml`.
    pub path: String,
    /// Its text, for places in it.
    pub text: String,
    /// What it says.
    pub file: SuiteFile,
    /// The same content as one value in canonical bytes, for the digest: neither comments nor layout count.
    pub canonical: Vec<u8>,
    /// Bulk vectors, by path.
    pub vectors: Vec<RawVectors>,
}

/// Every suite of the golden side, in path order, and what is wrong with the files. A suite with a problem is left out.
/// Files are read in parallel.
pub(crate) fn load(golden: &Files) -> (Vec<RawSuite>, Vec<Problem>) {
    let files: Vec<(&str, &str)> = golden.below("golden").collect();
    let parts: Vec<Part> = files.par_iter().map(|(path, text)| part(golden, path, text)).collect();
    let (mut suites, mut vectors, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Cases(suite) => suites.push(*suite),
            Part::Vectors(file) => vectors.push(file),
            Part::Other => {}
            Part::Broken(mut found) => problems.append(&mut found),
        }
    }
    for file in vectors {
        if let Some(suite) = suites.iter_mut().find(|suite| suite.path == beside(&file.path)) {
            suite.vectors.push(file);
        }
    }
    // Half a suite is no suite.
    suites.retain(|suite| !problems.iter().any(|problem: &Problem| suite.path == beside(&problem.file)));
    (suites, problems)
}

/// What one file is.
enum Part {
    Cases(Box<RawSuite>),
    Vectors(RawVectors),
    /// Not a part of any suite, and not meant to be.
    Other,
    Broken(Vec<Problem>),
}

fn part(golden: &Files, path: &str, text: &str) -> Part {
    match path.split('/').collect::<Vec<_>>()[1..] {
        ["index.lock"] | ["schema", ..] => Part::Other,
        [area, capability, CASES] => match read(area, capability, path, text) {
            Ok(suite) => Part::Cases(Box::new(suite)),
            Err(problem) => Part::Broken(vec![problem]),
        },
        [_, _, "vectors", name] if name.ends_with(".jsonl") => {
            let cases = beside(path);
            if !golden.texts.contains_key(&cases) {
                let help = format!("add `{cases}`, be it with a comment alone");
                return Part::Broken(vec![Problem::whole(path, "has no suite to belong to", help)]);
            }
            vectors::read(path, text).map_or_else(Part::Broken, Part::Vectors)
        }
        _ => Part::Broken(vec![Problem::whole(
            path,
            "belongs to no suite",
            "a suite is `golden/<area>/<capability>/cases.toml` with `vectors/*.jsonl` beside it",
        )]),
    }
}

/// The `cases.toml` of the suite that a vector file is in.
fn beside(path: &str) -> String {
    let folder = path.split_once("/vectors/").map_or(path, |(folder, _)| folder);
    format!("{folder}/{CASES}")
}

fn read(area: &str, capability: &str, path: &str, text: &str) -> Result<RawSuite, Problem> {
    let area: Area = area
        .parse()
        .map_err(|error: String| Problem::whole(path, error, "the folder below `golden/` is the area"))?;
    let file: SuiteFile = super::toml(path, text)?;
    let canonical = super::toml::<Tree>(path, text)?.to_json();
    Ok(RawSuite {
        area,
        capability: capability.to_owned(),
        path: path.to_owned(),
        text: text.to_owned(),
        file,
        canonical,
        vectors: Vec::new(),
    })
}

impl RawSuite {
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
        let (suites, problems) = load(&golden(&[("golden/combat/x/cases.toml", &text)]));
        assert!(suites.is_empty());
        assert_eq!((problems[0].line, problems[0].column), (7, 3), "{problems:?}");
        assert!(problems[0].message.contains("unknown field `expct`"), "{problems:?}");
    }

    #[test]
    fn syntax_and_duplicate_keys_are_located() {
        for (text, place) in [("[[case]\n", (1, 8)), ("[derivations]\na = 'x'\na = 'y'\n", (3, 1))] {
            let (_, problems) = load(&golden(&[("golden/combat/x/cases.toml", text)]));
            assert_eq!((problems[0].line, problems[0].column), place, "{problems:?}");
        }
    }

    #[test]
    fn stray_files_unknown_areas_and_orphaned_vectors_are_named() {
        let (_, problems) = load(&golden(&[
            ("golden/combat/x/case.toml", ""),
            ("golden/warfare/x/cases.toml", ""),
            ("golden/combat/y/vectors/v.jsonl", ""),
            ("golden/schema/cases.schema.toml", ""),
        ]));
        let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert!(all[0].starts_with("golden/combat/x/case.toml: belongs to no suite"), "{all:?}");
        assert!(all[2].contains("unknown area `warfare`"), "{all:?}");
        assert!(all[1].contains("has no suite to belong to"), "{all:?}");
    }

    #[test]
    fn the_digest_sees_content_and_neither_comments_nor_layout() {
        let digest = |text: &str| load(&golden(&[("golden/combat/x/cases.toml", text)])).0[0].digest();
        let plain = digest(CASE);
        assert_eq!(plain, digest(&format!("# remark\n\n{CASE}")));
        assert_ne!(plain, digest(&CASE.replace("'t'", "'u'")));
    }
}
