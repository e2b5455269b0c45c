//! Building the index, once a snapshot.

use super::tokens::{Lexicon, parts, words};
use assay_model::Meta;
use std::collections::{BTreeMap, BTreeSet};

/// Field weights: a word of the name says most.
const NAME: f64 = 3.0;
const AREA: f64 = 1.5;
const KIND: f64 = 1.0;
const ALIASES: f64 = 1.0;
const SUMMARY: f64 = 1.0;
/// Saturation of repeated words.
const K1: f64 = 1.2;
/// How far a long field dilutes its words.
const B: f64 = 0.5;

/// What is searched of one capability.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Unique name.
    pub name: &'a str,
    /// Area.
    pub area: &'a str,
    /// Kind.
    pub kind: &'a str,
    /// INI keys and other words that people use.
    pub aliases: &'a [&'a str],
    /// One sentence.
    pub summary: &'a str,
}

impl Document<'static> {
    /// What is searched of a port.
    #[must_use]
    pub const fn of(meta: &'static Meta) -> Self {
        Self {
            name: meta.name,
            area: meta.area.as_str(),
            kind: meta.kind.as_str(),
            aliases: meta.aliases,
            summary: meta.summary,
        }
    }
}

/// How much one word says about one document.
pub(super) struct Posting {
    pub document: usize,
    /// Saturated, length-normalised frequency, in thousandths.
    pub weight: u64,
}

pub(super) struct Term {
    /// Rarity in thousandths.
    pub rarity: u64,
    pub postings: Vec<Posting>,
}

/// A BM25F index over capabilities.
pub struct Index {
    pub(super) lexicon: Lexicon,
    pub(super) names: Vec<String>,
    pub(super) terms: BTreeMap<String, Term>,
    /// Written words of the documents, for corrections.
    pub(super) written: BTreeSet<String>,
    /// Rarity of a word that no document has.
    pub(super) unknown: u64,
}

impl Index {
    /// Builds the index. The order of `documents` only names them.
    #[must_use]
    pub fn new(documents: &[Document<'_>]) -> Self {
        let lexicon = Lexicon::new();
        let mut written = BTreeSet::new();
        let fields: Vec<[Vec<String>; 5]> =
            documents.iter().map(|d| field_terms(&lexicon, d, &mut written)).collect();
        let weights = [NAME, AREA, KIND, ALIASES, SUMMARY];
        let average: Vec<f64> = (0..weights.len())
            .map(|field| {
                let total: usize = fields.iter().map(|document| document[field].len()).sum();
                (total as f64 / documents.len().max(1) as f64).max(1.0)
            })
            .collect();
        let mut terms: BTreeMap<String, Term> = BTreeMap::new();
        for (document, document_fields) in fields.iter().enumerate() {
            let mut frequency: BTreeMap<&str, f64> = BTreeMap::new();
            for (field, words) in document_fields.iter().enumerate() {
                let dilution = 1.0 - B + B * words.len() as f64 / average[field];
                for word in words {
                    *frequency.entry(word).or_default() += weights[field] / dilution;
                }
            }
            for (word, frequency) in frequency {
                let weight = (1000.0 * frequency / (K1 + frequency)).round() as u64;
                let term = terms.entry(word.to_owned()).or_insert(Term { rarity: 0, postings: Vec::new() });
                term.postings.push(Posting { document, weight });
            }
        }
        for term in terms.values_mut() {
            term.rarity = rarity(documents.len(), term.postings.len());
        }
        let names = documents.iter().map(|document| document.name.to_owned()).collect();
        Self { lexicon, names, terms, written, unknown: rarity(documents.len(), 0) }
    }

    /// Every name, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The name of a document; empty for a position that was never given.
    #[must_use]
    pub fn name(&self, document: usize) -> &str {
        self.names.get(document).map_or("", String::as_str)
    }
}

/// Rarity of a word that `containing` of `documents` have, in thousandths.
fn rarity(documents: usize, containing: usize) -> u64 {
    let (n, df) = (documents as f64, containing as f64);
    (1000.0 * (1.0 + (n - df + 0.5) / (df + 0.5)).ln()).round() as u64
}

fn field_terms(
    lexicon: &Lexicon,
    document: &Document<'_>,
    written: &mut BTreeSet<String>,
) -> [Vec<String>; 5] {
    let mut terms = |text: &str| {
        let mut terms = Vec::new();
        for word in words(text) {
            for word in std::iter::once(word).chain(parts(word)) {
                let lower = word.to_lowercase();
                if !lexicon.is_stop(&lower) {
                    terms.push(lexicon.stem(&lower));
                    written.insert(lower);
                }
            }
        }
        terms
    };
    [
        terms(document.name),
        terms(document.area),
        terms(document.kind),
        terms(&document.aliases.join(" ")),
        terms(document.summary),
    ]
}
