//! Asking the index: words of a question to slots of terms, slots to scores.

use super::index::Index;
use super::tokens::{one_edit, parts, words};
use std::collections::{BTreeMap, BTreeSet};

/// A synonym, a corrected word and a completed word, in hundredths of the word itself.
const SYNONYM: u64 = 45;
const CORRECTED: u64 = 60;
const COMPLETED: u64 = 50;
/// How much of a word counts as covered, in hundredths, when only a stand-in for it is found.
const COVERED: u64 = 75;
/// Words shorter than this are neither corrected nor completed.
const FUZZY_LENGTH: usize = 4;
/// Hits that cover less of the question than this, in thousandths of its weight, are weak.
const WEAK_BELOW: u64 = 450;
/// Above any sum of word scores: the question is the name.
const EXACT_NAME: u64 = 1_000_000;

/// One match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Position of the document as it was given to [`Index::new`].
    pub document: usize,
    /// Relevance in thousandths; comparable within one question only.
    pub score: u64,
    /// The match covers so little of the question that it is probably not meant.
    pub weak: bool,
}

/// One word of the question: the terms that can stand for it, each with a factor in hundredths.
struct Slot {
    terms: Vec<(String, u64)>,
    /// What the word weighs when coverage is reckoned.
    rarity: u64,
}

impl Index {
    /// Matches, best first; none when no word of the question is known.
    #[must_use]
    pub fn search(&self, question: &str) -> Vec<Hit> {
        let slots = self.slots(question);
        let total: u64 = slots.iter().map(|slot| slot.rarity).sum();
        let mut found: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for slot in &slots {
            for (document, (score, factor)) in self.best(slot) {
                let entry = found.entry(document).or_default();
                entry.0 += score;
                entry.1 += slot.rarity * factor.max(COVERED) / 100;
            }
        }
        let exact = question.trim().to_lowercase().replace([' ', '-'], "_");
        let named = self.names.iter().position(|name| *name == exact);
        if let Some(document) = named {
            found.insert(document, (EXACT_NAME, total));
        }
        let mut hits: Vec<Hit> = found
            .into_iter()
            .map(|(document, (score, covered))| Hit {
                document,
                score,
                weak: covered * 1000 < total * WEAK_BELOW,
            })
            .collect();
        hits.sort_by(|a, b| {
            b.score.cmp(&a.score).then_with(|| self.name(a.document).cmp(self.name(b.document)))
        });
        hits
    }

    /// The best stand-in of a slot for each document that has one: score, and the factor it came by.
    fn best(&self, slot: &Slot) -> BTreeMap<usize, (u64, u64)> {
        let mut best: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for (word, factor) in &slot.terms {
            let Some(term) = self.terms.get(word) else { continue };
            for posting in &term.postings {
                let score = term.rarity * posting.weight * factor / 100_000;
                let entry = best.entry(posting.document).or_default();
                *entry = (*entry).max((score, *factor));
            }
        }
        best
    }

    fn slots(&self, question: &str) -> Vec<Slot> {
        let mut seen = BTreeSet::new();
        let mut slots = Vec::new();
        for word in words(question) {
            let lower = word.to_lowercase();
            let whole = self.lexicon.stem(&lower);
            let pieces = parts(word);
            let spelled =
                if pieces.is_empty() || self.terms.contains_key(&whole) { vec![word] } else { pieces };
            for word in spelled {
                let lower = word.to_lowercase();
                // A number that no document has is a value of the question, not a word of it.
                let value =
                    lower.bytes().all(|byte| byte.is_ascii_digit()) && !self.terms.contains_key(&lower);
                if !value && !self.lexicon.is_stop(&lower) && seen.insert(self.lexicon.stem(&lower)) {
                    slots.push(self.slot(&lower));
                }
            }
        }
        slots
    }

    fn slot(&self, word: &str) -> Slot {
        let mut terms = self.stand_ins(&self.lexicon.stem(word), 100);
        if terms.is_empty() && word.chars().count() >= FUZZY_LENGTH {
            let known = self.written.iter().map(String::as_str).chain(self.lexicon.spoken());
            let corrected: BTreeSet<&str> = known.clone().filter(|other| one_edit(word, other)).collect();
            let (candidates, factor) = if corrected.is_empty() {
                (known.filter(|other| other.starts_with(word)).collect(), COMPLETED)
            } else {
                (corrected, CORRECTED)
            };
            let stems: BTreeSet<String> = candidates.iter().map(|other| self.lexicon.stem(other)).collect();
            terms = stems.iter().flat_map(|stem| self.stand_ins(stem, factor)).collect();
        }
        let rarity = terms.iter().filter_map(|(word, _)| self.terms.get(word)).map(|term| term.rarity).max();
        Slot { terms, rarity: rarity.unwrap_or(self.unknown) }
    }

    /// The terms of the index that a stem reaches, directly and by synonyms.
    fn stand_ins(&self, stem: &str, factor: u64) -> Vec<(String, u64)> {
        let synonyms = self.lexicon.synonyms(stem).map(|other| (other, factor * SYNONYM / 100));
        let all = std::iter::once((stem, factor)).chain(synonyms);
        all.filter(|(word, _)| self.terms.contains_key(*word)).map(|(word, f)| (word.to_owned(), f)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Document, nearest};
    use super::*;

    const DOCUMENTS: [Document<'static>; 4] = [
        Document {
            name: "compute_damage",
            area: "combat",
            kind: "compute",
            aliases: &["Verses", "MaxDamage"],
            summary: "Full damage pipeline of one hit.",
        },
        Document {
            name: "compute_facing_bucket",
            area: "movement",
            kind: "compute",
            aliases: &["sprite frame"],
            summary: "Rounds a facing to steps.",
        },
        Document {
            name: "simulate_random_stream",
            area: "math",
            kind: "simulate",
            aliases: &["seed"],
            summary: "Seeds the generator and makes raw draws.",
        },
        Document {
            name: "compute_ore_deposit",
            area: "economy",
            kind: "compute",
            aliases: &["OrePurifier"],
            summary: "Credits for unloaded ore.",
        },
    ];

    fn first(question: &str) -> Option<&'static str> {
        let index = Index::new(&DOCUMENTS);
        index.search(question).first().map(|hit| DOCUMENTS[hit.document].name)
    }

    #[test]
    fn names_stems_synonyms_and_typing_errors_are_found() {
        for (question, name) in [
            ("compute_facing_bucket", "compute_facing_bucket"),
            ("Compute Ore Deposit", "compute_ore_deposit"),
            ("how much does a shell hurt a tank", "compute_damage"),
            ("MaxDamage", "compute_damage"),
            ("max damage", "compute_damage"),
            ("purifier", "compute_ore_deposit"),
            ("randm strem", "simulate_random_stream"),
            ("direction of a sprite", "compute_facing_bucket"),
            ("cash from tiberium", "compute_ore_deposit"),
        ] {
            assert_eq!(first(question), Some(name), "{question}");
        }
    }

    #[test]
    fn questions_without_a_known_word_find_nothing_and_poor_matches_are_weak() {
        assert_eq!(first("bake sourdough bread"), None);
        assert_eq!(first("how does it do that"), None);
        let index = Index::new(&DOCUMENTS);
        let hits = index.search("hotel booking calendar reminder seed");
        assert!(hits.iter().all(|hit| hit.weak) && !hits.is_empty());
        assert!(!index.search("damage").iter().any(|hit| hit.weak));
    }

    #[test]
    fn the_order_of_registration_changes_nothing() {
        let mut turned = DOCUMENTS;
        turned.reverse();
        for question in ["damage hit ore facing", "random draws", "combat economy math"] {
            let named = |documents: &[Document<'_>]| -> Vec<(String, u64, bool)> {
                let index = Index::new(documents);
                let hits = index.search(question);
                hits.iter().map(|hit| (index.name(hit.document).to_owned(), hit.score, hit.weak)).collect()
            };
            assert_eq!(named(&DOCUMENTS), named(&turned), "{question}");
        }
    }

    #[test]
    fn nearest_names_take_spelling_first_and_meaning_next() {
        let index = Index::new(&DOCUMENTS);
        assert_eq!(nearest(&index, "compute_damge", 3)[0], "compute_damage");
        assert_eq!(nearest(&index, "ore_income", 3)[0], "compute_ore_deposit");
        assert_eq!(nearest(&index, "x", 3).len(), 3);
        assert_eq!(nearest(&index, "x", 9).len(), 4);
    }
}
