//! A suite that has been bound to its port and spec: what [`crate::verify`] runs and the gateway shows.

use assay_model::case::Axis;
use assay_model::{CaseEntry, CaseKind, ExpectedError, SweepEntry, Tombstone, Tree, VectorHeader};
use assay_oracles::derive::{Program, Scope};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Digest of all that an outcome rests on, but for the port: two of the same key come to the same.
pub(crate) type Key = [u8; 32];

/// The cases of one capability, each checked against the spec.
#[derive(Debug)]
pub struct Suite {
    /// `golden/<area>/<capability>/cases.toml`.
    pub path: String,
    /// Hand-written cases in file order.
    pub cases: Vec<Case>,
    /// Sweeps in file order.
    pub sweeps: Vec<Sweep>,
    /// Bulk vectors by path.
    pub vectors: Vec<VectorFile>,
    /// Cases that were taken out.
    pub removed: Vec<Tombstone>,
    /// Shared derivations by name.
    pub derivations: BTreeMap<String, String>,
    /// The whole file.
    pub text: Arc<str>,
}

impl Suite {
    /// Results that a run of the whole suite gives: one a case, a sweep and a vector line.
    #[must_use]
    pub fn total(&self) -> usize {
        self.cases.len() + self.sweeps.len() + self.vectors.iter().map(|file| file.lines.len()).sum::<usize>()
    }
}

/// One hand-written case.
#[derive(Debug)]
pub struct Case {
    /// `area/capability/case`.
    pub id: String,
    /// How the expectation was derived.
    pub kind: CaseKind,
    /// Line in the file, from 1.
    pub line: usize,
    /// What the file says.
    pub entry: CaseEntry,
    /// The derivation itself, where `entry` may only name a shared one.
    pub derivation: Option<String>,
    /// The arguments as the port gets them: canonical JSON, with the game where the port takes one.
    pub input: Vec<u8>,
    /// What must come back.
    pub(crate) due: Due,
    pub(crate) key: Key,
}

/// What a port must answer.
#[derive(Clone, Debug)]
pub(crate) enum Due {
    /// This breakdown, as canonical JSON.
    Breakdown(Vec<u8>),
    /// This refusal.
    Refusal(ExpectedError),
}

/// A domain checked point by point.
#[derive(Debug)]
pub struct Sweep {
    /// `area/capability/sweep`.
    pub id: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// What the file says.
    pub entry: SweepEntry,
    /// The derivation itself, where `entry` may only name a shared one.
    pub derivation: String,
    /// Number of points.
    pub points: u64,
    pub(crate) program: Program,
    /// Everything bound but the axes.
    pub(crate) scope: Scope,
    /// Arguments that stay the same, with the game where the port takes one.
    pub(crate) base: Vec<(String, Tree)>,
    /// Top-level stages of the port's breakdown.
    pub(crate) stages: Vec<String>,
    /// `golden/…/cases.toml`, for problems that only a run finds.
    pub(crate) path: String,
    pub(crate) key: Key,
}

impl Sweep {
    /// The arguments on the axes at a point: the product of the axes in name order, the last one fastest.
    #[must_use]
    pub fn point(&self, index: u64) -> Vec<(String, Tree)> {
        let mut rest = index;
        let mut values: Vec<_> = (self.entry.axes.iter().rev())
            .map(|(name, axis)| {
                let count = axis_length(axis).max(1);
                let value = axis_value(axis, rest % count);
                rest /= count;
                (name.clone(), value)
            })
            .collect();
        values.reverse();
        values
    }

    /// What the derivation starts from at a point.
    pub(crate) fn scope_at(&self, axes: &[(String, Tree)]) -> Result<Scope, String> {
        let mut scope = self.scope.clone();
        for (name, value) in axes {
            scope.bind(name, value)?;
        }
        Ok(scope)
    }

    /// The arguments of the port at a point.
    pub(crate) fn input_at(&self, axes: &[(String, Tree)]) -> Tree {
        Tree::Map(self.base.iter().chain(axes).cloned().collect())
    }
}

/// Number of values of an axis; 0 for an empty one or a step of 0.
pub(crate) fn axis_length(axis: &Axis) -> u64 {
    match axis {
        Axis::List(values) => values.len() as u64,
        Axis::Range(range) if range.step == 0 || range.to < range.from => 0,
        Axis::Range(range) => (range.to.abs_diff(range.from) / u64::from(range.step)).saturating_add(1),
    }
}

fn axis_value(axis: &Axis, index: u64) -> Tree {
    match axis {
        Axis::List(values) => values.get(index as usize).cloned().unwrap_or(Tree::Null).integral(),
        // Below `to`, since `index` is below the length.
        Axis::Range(range) => Tree::Int(range.from.wrapping_add((index * u64::from(range.step)) as i64)),
    }
}

/// The place of a value on an axis, by what is typed for it: text without its quotes.
pub(crate) fn axis_index(axis: &Axis, typed: &str) -> Option<u64> {
    match axis {
        Axis::List(values) => {
            let is =
                |value: &Tree| value.as_str() == Some(typed) || value.clone().integral().to_string() == typed;
            values.iter().position(is).map(|index| index as u64)
        }
        Axis::Range(range) => {
            let value: i64 = typed.parse().ok().filter(|value| (range.from..=range.to).contains(value))?;
            let steps = value.abs_diff(range.from);
            steps.is_multiple_of(u64::from(range.step)).then(|| steps / u64::from(range.step))
        }
    }
}

/// Bulk vectors from one recording.
#[derive(Debug)]
pub struct VectorFile {
    /// Path in the repository.
    pub path: String,
    /// File name without `.jsonl`.
    pub stem: String,
    /// Source, game and clauses.
    pub header: VectorHeader,
    /// The vectors in file order.
    pub lines: Vec<Vector>,
    pub(crate) key: Key,
}

/// One recorded vector.
#[derive(Debug)]
pub struct Vector {
    /// `area/capability/stem.id`: a `.` never stands in the id of a case, so the two cannot meet.
    pub id: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The arguments as the port gets them.
    pub input: Vec<u8>,
    /// What must come back.
    pub(crate) due: Due,
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_model::case::AxisRange;

    #[test]
    fn ranges_include_both_ends_and_never_overflow() {
        let range = |from, to, step| Axis::Range(AxisRange { from, to, step });
        assert_eq!(axis_length(&range(0, 10, 5)), 3);
        assert_eq!(axis_length(&range(0, 9, 5)), 2);
        assert_eq!(axis_length(&range(1, 0, 1)), 0);
        assert_eq!(axis_length(&range(0, 1, 0)), 0);
        assert_eq!(axis_length(&range(i64::MIN, i64::MAX, 1)), u64::MAX);
        assert_eq!(axis_value(&range(-3, 9, 4), 2), Tree::Int(5));
        assert_eq!(
            axis_value(&range(i64::MIN, i64::MAX, u32::MAX), 1),
            Tree::Int(i64::MIN + i64::from(u32::MAX))
        );
        assert_eq!(axis_value(&Axis::List(vec![Tree::Float(2.0)]), 0), Tree::Int(2));
    }
}
