//! Specs and cases: those that are compiled in, or those of a checkout.

use assay_harness::{corpus_digest, disk};
use assay_model::{Files, Problem};
use std::path::{Path, PathBuf};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
}

/// What a snapshot is built from.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// `oracles/…`.
    pub specs: Files,
    /// `golden/…` and the known failures.
    pub golden: Files,
    /// Remarks for whoever reads a result.
    pub notes: Vec<String>,
}

impl Corpus {
    /// The embedded corpus, or that of the checkout at `root`. The embedded one carries a note when the working directory
    /// stands in a checkout that says something else.
    ///
    /// # Errors
    /// `root` is no checkout, or cannot be read.
    pub fn open(root: Option<&Path>) -> Result<Self, Problem> {
        if let Some(root) = root {
            let (specs, golden) = from_root(root)?;
            return Ok(Self { specs, golden, notes: Vec::new() });
        }
        let (specs, golden) = embedded();
        let here = std::env::current_dir().ok().and_then(|here| checkout_around(&here));
        let notes = here.and_then(|root| stale(&root, &specs, &golden)).into_iter().collect();
        Ok(Self { specs, golden, notes })
    }
}

/// The corpus that was compiled in: specs side and golden side.
#[must_use]
pub fn embedded() -> (Files, Files) {
    let texts = |files: &[(&str, &str)]| {
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    };
    let side = |files| Files { origin: "embedded".to_owned(), texts: texts(files) };
    (side(generated::SPECS), side(generated::GOLDEN))
}

/// Vectors that are too large to be compiled in; only `--root` reads them.
#[must_use]
pub const fn left_out() -> &'static [&'static str] {
    generated::LEFT_OUT
}

/// The corpus of a checkout.
///
/// # Errors
/// `root` is no checkout, or cannot be read.
pub fn from_root(root: &Path) -> Result<(Files, Files), Problem> {
    disk::read(root)
}

/// The checkout that a folder lies in, if any.
#[must_use]
pub fn checkout_around(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|root| is_checkout(root)).map(Path::to_path_buf)
}

/// The checkout to work on: the one that was named, or the one around the working directory.
#[must_use]
pub fn checkout(named: Option<&Path>) -> Option<PathBuf> {
    let around = || std::env::current_dir().ok().and_then(|here| checkout_around(&here));
    named.map(Path::to_path_buf).or_else(around)
}

/// Writes a file of a checkout: beside the target, then renamed, so that no reader sees half of it.
///
/// # Errors
/// What the system says, as a fragment.
pub fn write(place: &Path, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("failed to write {}: {error}", place.display());
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = place.with_extension("new");
    std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, place)).map_err(failed)
}

/// Whether a folder looks like a checkout, without reading any of it.
#[must_use]
pub fn is_checkout(root: &Path) -> bool {
    ["oracles/sources.toml", "golden"].iter().all(|mark| root.join(mark).exists())
}

/// A note when the checkout at `root` holds another corpus than the embedded one.
fn stale(root: &Path, specs: &Files, golden: &Files) -> Option<String> {
    let (there_specs, mut there_golden) = from_root(root).ok()?;
    there_golden.texts.retain(|path, _| !left_out().contains(&path.as_str()));
    let (here, there) = (corpus_digest(specs, golden), corpus_digest(&there_specs, &there_golden));
    (here != there).then(|| {
        format!(
            "the embedded corpus ({}) differs from the checkout at {} ({}): build again, or use --root",
            short(&here),
            root.display(),
            short(&there)
        )
    })
}

fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_found_from_below_and_a_changed_one_is_called_out() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["oracles", "golden/combat/x", "ports/src"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        assert_eq!(checkout_around(&root.path().join("ports/src")), None);
        std::fs::write(root.path().join("oracles/sources.toml"), "").unwrap();
        let found = checkout_around(&root.path().join("ports/src")).unwrap();
        assert_eq!(found, root.path());
        let (specs, golden) = from_root(root.path()).unwrap();
        assert_eq!(stale(root.path(), &specs, &golden), None);
        std::fs::write(root.path().join("golden/combat/x/cases.toml"), "x = 1").unwrap();
        let note = stale(root.path(), &specs, &golden).unwrap();
        assert!(note.contains("differs from the checkout") && note.contains("--root"), "{note}");
    }

    /// The lock counts every vector, so a binary without some of them could never pass.
    #[test]
    fn nothing_is_left_out_of_the_binary() {
        assert_eq!(left_out(), [""; 0], "split these vectors into files of at most 256 KiB");
    }

    #[test]
    fn the_embedded_corpus_has_both_sides() {
        let (specs, golden) = embedded();
        assert!(specs.texts.keys().all(|path| path.starts_with("oracles/")));
        assert!(
            golden
                .texts
                .keys()
                .all(|path| path.starts_with("golden/") || path == "ports/known-failures.toml")
        );
    }
}
