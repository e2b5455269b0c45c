//! Words: splitting text, the stop list, stems and synonym groups.

use rust_stemmers::{Algorithm, Stemmer};
use std::collections::{BTreeMap, BTreeSet};

static STOP_WORDS: &str = include_str!("stopwords.txt");
static SYNONYMS: &str = include_str!("synonyms.txt");

/// Lower-case words of a text: runs of letters, digits and `_`, in any script.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.chars().any(char::is_alphanumeric))
}

/// The parts of one written word: split at `_` and where a capital follows a small letter (`PercentAtMax`).
/// A word of one part gives nothing.
#[must_use]
pub fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut previous = '_';
    for (index, c) in word.char_indices() {
        if c == '_' || (c.is_uppercase() && previous.is_lowercase()) {
            parts.push(&word[start..index]);
            start = if c == '_' { index + 1 } else { index };
        }
        previous = c;
    }
    parts.push(&word[start..]);
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 { Vec::new() } else { parts }
}

/// Stop list, stemmer and synonyms, read once.
pub struct Lexicon {
    stemmer: Stemmer,
    stop: BTreeSet<&'static str>,
    synonyms: BTreeMap<String, BTreeSet<String>>,
    spoken: BTreeSet<&'static str>,
}

impl Lexicon {
    /// Reads the data files that are compiled in.
    #[must_use]
    pub fn new() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
        let stop = lines(STOP_WORDS).flat_map(str::split_whitespace).collect();
        let mut synonyms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for group in lines(SYNONYMS) {
            let stems: BTreeSet<String> = group.split_whitespace().map(|word| stem(&stemmer, word)).collect();
            for word in &stems {
                let others = stems.iter().filter(|other| *other != word).cloned();
                synonyms.entry(word.clone()).or_default().extend(others);
            }
        }
        let spoken = lines(SYNONYMS).flat_map(str::split_whitespace).collect();
        Self { stemmer, stop, synonyms, spoken }
    }

    /// The stem of a lower-case word. Only ASCII words are stemmed: the rules are English.
    #[must_use]
    pub fn stem(&self, word: &str) -> String {
        stem(&self.stemmer, word)
    }

    /// Whether a lower-case word says nothing.
    #[must_use]
    pub fn is_stop(&self, word: &str) -> bool {
        self.stop.contains(word)
    }

    /// Stems that mean nearly the same as `stem`, in order.
    pub fn synonyms(&self, stem: &str) -> impl Iterator<Item = &str> {
        self.synonyms.get(stem).into_iter().flatten().map(String::as_str)
    }

    /// Every word of the synonym groups, for the correction of typing errors.
    pub fn spoken(&self) -> impl Iterator<Item = &str> + Clone {
        self.spoken.iter().copied()
    }
}

impl Default for Lexicon {
    fn default() -> Self {
        Self::new()
    }
}

fn stem(stemmer: &Stemmer, word: &str) -> String {
    if word.is_ascii() { stemmer.stem(word).into_owned() } else { word.to_owned() }
}

/// Whether one insertion, deletion, replacement or swap of neighbours turns `a` into `b`.
#[must_use]
pub fn one_edit(a: &str, b: &str) -> bool {
    distance(a, b, 1) == 1
}

/// Edits between two words, swaps of neighbours counted once; anything above `limit` is `limit + 1`.
#[must_use]
pub fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()].min(limit + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_split_in_any_script_and_keep_names_whole() {
        assert_eq!(
            words("a Shell's  compute_damage – Схема 損害!").collect::<Vec<_>>(),
            ["a", "Shell", "s", "compute_damage", "Схема", "損害"]
        );
        assert!(words("_ — __").next().is_none());
    }

    #[test]
    fn parts_split_names_and_keys() {
        assert_eq!(parts("PercentAtMax"), ["Percent", "At", "Max"]);
        assert_eq!(parts("compute_x87_chop"), ["compute", "x87", "chop"]);
        assert!(parts("damage").is_empty());
        assert!(parts("HTTP").is_empty());
    }

    #[test]
    fn stems_and_synonyms_meet() {
        let lexicon = Lexicon::new();
        assert_eq!(lexicon.stem("damages"), lexicon.stem("damaging"));
        assert!(lexicon.synonyms(&lexicon.stem("hurting")).any(|other| other == lexicon.stem("damage")));
        assert!(lexicon.is_stop("how") && !lexicon.is_stop("damage"));
    }

    #[test]
    fn edits() {
        assert!(one_edit("damge", "damage") && one_edit("fcaing", "facing") && one_edit("oree", "ore"));
        assert!(!one_edit("damage", "damage") && !one_edit("ab", "ba_x"));
        assert_eq!(distance("kitten", "sitting", 5), 3);
        assert_eq!(distance("a", "abcdef", 2), 3);
    }
}
