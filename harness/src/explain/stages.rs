//! What is due and what came, stage by stage, and where the two differ.

use crate::agree::{self, Disagreement};
use crate::compare::{Rules, differences};
use assay_model::Tree;
use assay_model::explain::{Beside, Difference, StageExplained};
use assay_oracles::derive::{Steps, Value};

/// Stages and differences that an explanation holds.
const MOST: usize = 500;
/// Characters of a value that an explanation shows.
const LONGEST: usize = 400;

/// Where port and expectation differ.
#[derive(Default)]
pub(super) struct Compared {
    pub differences: Vec<Difference>,
    pub more: u64,
}

impl Compared {
    /// The differences between an expectation and the port's answer.
    pub fn of(expected: &Tree, actual: &Tree, rules: Rules, steps: Option<&Steps>) -> Self {
        let found = differences(expected, actual, rules, usize::MAX);
        let found = found.into_iter().map(|mismatch| Difference {
            derived: steps.and_then(|steps| agree::derived(steps, &mismatch.stage)).map(clip),
            stage: mismatch.stage,
            expected: clip(mismatch.expected),
            actual: clip(mismatch.actual),
            rule: mismatch.rule,
        });
        Self::bounded(found.collect())
    }

    /// The differences between a derivation and the port's answer, as at a point of a sweep.
    pub fn derived(steps: &Steps, stages: &[String], actual: &Tree) -> Self {
        let mut found = agree::disagreements(steps, actual);
        found.extend(agree::left_out(steps, stages, actual));
        let found = found.into_iter().map(|Disagreement { stage, derived, found }| Difference {
            stage,
            expected: derived.clone().map_or_else(|| "nothing".to_owned(), clip),
            derived: derived.map(clip),
            actual: clip(found),
            rule: "exact".to_owned(),
        });
        Self::bounded(found.collect())
    }

    fn bounded(mut differences: Vec<Difference>) -> Self {
        let more = differences.len().saturating_sub(MOST) as u64;
        differences.truncate(MOST);
        Self { differences, more }
    }

    /// Whether anything at a stage, in it or around it differs.
    fn at(&self, stage: &str) -> bool {
        self.differences.iter().any(|difference| related(&difference.stage, stage))
    }

    /// The port's stage beside a step of that name, if it is one.
    pub fn beside(&self, step: &str, actual: Option<&Tree>) -> Option<Beside> {
        let port = actual.and_then(|actual| agree::reach(actual, step));
        let differs = self.at(step);
        if port.is_none() && !differs {
            return None;
        }
        let first = self.differences.first().is_some_and(|first| related(&first.stage, step));
        Some(Beside { port: port.map_or_else(|| "nothing".to_owned(), print), differs, first })
    }
}

/// Whether two dotted paths are the same, or one lies in the other.
fn related(one: &str, other: &str) -> bool {
    let inside = |path: &str, of: &str| path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'));
    one == other || inside(one, other) || inside(other, one)
}

/// Every stage in the order of the port's answer, those that are missing there after the others.
pub(super) fn stages(
    expected: Option<&Tree>,
    actual: Option<&Tree>,
    compared: &Compared,
    steps: Option<&Steps>,
) -> (Vec<StageExplained>, u64) {
    let mut walk = Walk { path: String::new(), found: Vec::new(), more: 0, compared, steps };
    walk.pair(expected, actual);
    (walk.found, walk.more)
}

struct Walk<'a> {
    path: String,
    found: Vec<StageExplained>,
    more: u64,
    compared: &'a Compared,
    steps: Option<&'a Steps>,
}

impl Walk<'_> {
    /// Maps are entered; everything else, lists included, is a stage.
    fn pair(&mut self, expected: Option<&Tree>, actual: Option<&Tree>) {
        let is_map = |tree: Option<&Tree>| tree.is_some_and(|tree| !tree.entries().is_empty());
        if !is_map(expected) && !is_map(actual) {
            return self.stage(expected, actual);
        }
        let entries = |tree: Option<&'_ Tree>| tree.map(Tree::entries).unwrap_or_default().to_vec();
        for (name, value) in entries(actual) {
            self.below(&name, expected.and_then(|expected| expected.get(&name)), Some(&value));
        }
        for (name, value) in entries(expected) {
            if actual.and_then(|actual| actual.get(&name)).is_none() {
                self.below(&name, Some(&value), None);
            }
        }
    }

    fn below(&mut self, name: &str, expected: Option<&Tree>, actual: Option<&Tree>) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        self.pair(expected, actual);
        self.path.truncate(length);
    }

    fn stage(&mut self, expected: Option<&Tree>, actual: Option<&Tree>) {
        if self.path.is_empty() {
            return;
        }
        if self.found.len() == MOST {
            self.more += 1;
            return;
        }
        let stage = self.path.clone();
        let given = |steps: &Steps| steps.names().any(|name| related(name, &stage));
        self.found.push(StageExplained {
            expected: expected.map(print),
            actual: actual.map(print),
            derived: self.steps.is_some_and(given),
            differs: self.compared.at(&stage),
            stage,
        });
    }
}

/// A value of a breakdown as derivations print theirs.
pub(super) fn print(tree: &Tree) -> String {
    clip(Value::from_tree(tree).map_or_else(|_| tree.to_string(), |value| value.to_string()))
}

pub(super) fn clip(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
