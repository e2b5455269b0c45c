//! Finding the revision: which to look at next, and what follows from what was seen. Knows neither git nor cargo.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a case comes to at a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The verdict, as a report says it.
    pub verdict: String,
    /// The first stage that differs; empty where there is none.
    pub stage: String,
    /// One line on it; empty when it passes.
    pub message: String,
}

impl Outcome {
    /// Whether the case fails in the same place, or passes, in both. The value may be another.
    pub fn is_like(&self, other: &Self) -> bool {
        (&self.verdict, &self.stage) == (&other.verdict, &other.stage)
    }
}

/// What looking at a revision gave: an outcome, or why it has none.
pub type Seen = Result<Outcome, String>;

/// What a search came to. Revisions are counted from the good one, which is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The revisions of which one made the change, oldest first: one, or also those before it that have no outcome.
    pub candidates: Vec<usize>,
    /// What the case came to before the first of them.
    pub before: Outcome,
    /// What it came to at the last of them.
    pub after: Outcome,
}

/// Looks for the revision at which a case began to come to something else, between 0, which gave `good`, and `last`, which
/// gave `bad`. `look` is asked about as few revisions as halving needs; where one has no outcome, about its neighbours.
///
/// # Errors
/// Those of `look`, which end the search.
pub fn search<E>(
    last: usize,
    good: Outcome,
    bad: Outcome,
    mut look: impl FnMut(usize) -> Result<Seen, E>,
) -> Result<Found, E> {
    let (mut low, mut high) = (0, last);
    let (mut before, mut after) = (good.clone(), bad);
    let mut skipped = BTreeSet::new();
    while let Some(next) = next(low, high, &skipped) {
        match look(next)? {
            Ok(outcome) if outcome.is_like(&good) => {
                low = next;
                before = outcome;
            }
            Ok(outcome) => {
                high = next;
                after = outcome;
            }
            Err(_) => {
                skipped.insert(next);
            }
        }
    }
    Ok(Found { candidates: (low + 1..=high).collect(), before, after })
}

/// The revision nearest to the middle that is still of use.
fn next(low: usize, high: usize, skipped: &BTreeSet<usize>) -> Option<usize> {
    let middle = low + (high - low) / 2;
    let open = (low + 1..high).filter(|revision| !skipped.contains(revision));
    open.min_by_key(|revision| revision.abs_diff(middle))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stage: &str) -> Outcome {
        let verdict = if stage.is_empty() { "pass" } else { "fail" };
        Outcome { verdict: verdict.to_owned(), stage: stage.to_owned(), message: String::new() }
    }

    /// Searches a history in which each revision has a stage, or `?` for one that does not build.
    fn found(history: &[&str]) -> (Found, usize) {
        let mut looked = 0;
        let last = history.len() - 1;
        let look = |revision: usize| {
            looked += 1;
            let stage = history[revision];
            Ok::<_, ()>(if stage == "?" { Err("does not build".to_owned()) } else { Ok(outcome(stage)) })
        };
        let found = search(last, outcome(history[0]), outcome(history[last]), look).unwrap();
        (found, looked)
    }

    #[test]
    fn the_first_change_is_found_in_few_looks() {
        for change in 1..100 {
            let history: Vec<&str> =
                (0..100).map(|revision| if revision < change { "" } else { "a.b" }).collect();
            let (found, looked) = found(&history);
            assert_eq!(found.candidates, [change]);
            assert!(looked <= 7, "{looked}");
            assert_eq!((found.before.stage.as_str(), found.after.stage.as_str()), ("", "a.b"));
        }
    }

    #[test]
    fn a_stage_that_moves_is_a_change() {
        let (found, _) = found(&["late", "late", "early", "early"]);
        assert_eq!((found.candidates.as_slice(), found.after.stage.as_str()), (&[2][..], "early"));
    }

    #[test]
    fn what_lies_beyond_is_the_departure_from_the_good_one() {
        let (found, _) = found(&["", "", "x", "y", "y"]);
        assert_eq!((found.candidates.as_slice(), found.after.stage.as_str()), (&[2][..], "x"));
    }

    #[test]
    fn revisions_without_an_outcome_are_gone_around() {
        assert_eq!(found(&["", "?", "?", "", "x", "?", "x"]).0.candidates, [4]);
        // Where they stand in the way, the change lies in one of them or in the next.
        assert_eq!(found(&["", "", "?", "?", "x", "x"]).0.candidates, [2, 3, 4]);
        assert_eq!(found(&["", "?", "x"]).0.candidates, [1, 2]);
        assert_eq!(
            found(&["", "x"]),
            (Found { candidates: vec![1], before: outcome(""), after: outcome("x") }, 0)
        );
    }
}
