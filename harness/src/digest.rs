//! What the digests cover, and how parts are kept apart.

use assay_model::{CaseResult, Files};
use blake3::Hasher;

/// Adds one part, its length first, so that no two lists of parts look alike.
pub(crate) fn part(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

/// Adds the fingerprint of a result: its 32 bytes, or the text itself where that is no such fingerprint, so that what was
/// tampered with never looks like what it was.
pub(crate) fn fingerprint(hasher: &mut Hasher, hex: &str) {
    match blake3::Hash::from_hex(hex) {
        Ok(hash) => hasher.update(hash.as_bytes()),
        Err(_) => hasher.update(hex.as_bytes()),
    };
}

/// The result digest of some results, which are ordered by id: blake3 over their fingerprints, hex.
#[must_use]
pub fn results<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> String {
    let mut hasher = Hasher::new();
    for result in results {
        fingerprint(&mut hasher, &result.fingerprint);
    }
    hasher.finalize().to_hex().to_string()
}

/// blake3 over the paths and texts of specs, sources, tables, cases and vectors, in path order, hex. Neither the
/// lock, nor the editor schemas, nor known failures count: they say nothing about the game.
#[must_use]
pub fn corpus(specs: &Files, golden: &Files) -> String {
    let mut hasher = Hasher::new();
    let golden = golden.below("golden").filter(|(path, _)| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name == "cases.toml" || name.ends_with(".jsonl")
    });
    // Paths of the two sides do not interleave: `golden/…` comes before `oracles/…`.
    for (path, text) in golden.chain(specs.below("oracles")) {
        part(&mut hasher, path.as_bytes());
        part(&mut hasher, text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// blake3 over every path and text, hex.
pub(crate) fn all(files: &Files) -> String {
    let mut hasher = Hasher::new();
    for (path, text) in &files.texts {
        part(&mut hasher, path.as_bytes());
        part(&mut hasher, text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// blake3 of some bytes, hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_digest_covers_evidence_alone() {
        let files = |list: &[(&str, &str)]| Files {
            texts: list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
            ..Files::default()
        };
        let specs = files(&[("oracles/sources.toml", "s")]);
        let cases = ("golden/combat/x/cases.toml", "c");
        let plain = corpus(&specs, &files(&[cases]));
        assert_eq!(
            plain,
            corpus(&specs, &files(&[cases, ("golden/index.lock", "l"), ("ports/known-failures.toml", "k")]))
        );
        assert_ne!(plain, corpus(&specs, &files(&[cases, ("golden/combat/x/vectors/v.jsonl", "v")])));
        assert_ne!(plain, corpus(&files(&[("oracles/sources.toml", "t")]), &files(&[cases])));
    }
}
