//! The golden files as types: `cases.toml` and the header of bulk vectors. Editor schemas are generated from these, so a
//! schema cannot drift from what is loaded.

use crate::error::Errno;
use crate::tree::Tree;
use crate::vocab::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One `golden/<area>/<capability>/cases.toml`; the path names the capability.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteFile {
    /// Derivations that several cases or sweeps share, by name; a case writes `derivation = "@name"`.
    #[serde(default)]
    pub derivations: BTreeMap<String, String>,
    /// The hand-written cases.
    #[serde(default, rename = "case")]
    pub cases: Vec<CaseEntry>,
    /// Whole domains that the interpreter computes point by point.
    #[serde(default, rename = "sweep")]
    pub sweeps: Vec<SweepEntry>,
    /// Cases that were taken out; their ids are never used again.
    #[serde(default, rename = "removed")]
    pub removed: Vec<Tombstone>,
}

/// One golden case: an input, the expected breakdown or error, and how that was derived.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseEntry {
    /// Unique in the suite, never reused: lower-case words joined by `-`.
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub id: String,
    /// One line: what the case shows.
    pub title: String,
    /// The game that the expectation is claimed for; bound to the input's `game` where there is one.
    pub game: Game,
    /// Clauses of the spec that the case exercises.
    #[schemars(length(min = 1))]
    pub clause: Vec<String>,
    /// Free labels, such as `edge:truncation`.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Arguments of the port. Anything left out takes the default.
    pub input: Tree,
    /// *computed*: named steps, one a line, that the exact interpreter evaluates; or `@name` of a shared derivation.
    #[serde(default)]
    pub derivation: Option<String>,
    /// *recorded*: the source whose program or tables gave the value.
    #[serde(default)]
    pub recorded: Option<String>,
    /// *prose*: why the expectation holds, where neither of the others is possible.
    #[serde(default)]
    pub prose: Option<String>,
    /// A remark, for instance that a port or a report was found wrong.
    #[serde(default)]
    pub note: Option<String>,
    /// The expected breakdown: every stage, unless `partial`.
    #[serde(default)]
    pub expect: Option<Tree>,
    /// The expected error, instead of `expect`.
    #[serde(default)]
    pub error: Option<ExpectedError>,
    /// Only the stages listed are compared.
    #[serde(default)]
    pub partial: bool,
    /// Exceptions from exact comparison, by dotted stage.
    #[serde(default)]
    pub tolerance: BTreeMap<String, Tolerance>,
    /// Somebody has shown reasons against the expectation: it runs, is shown apart, and never gates.
    #[serde(default)]
    pub disputed: Option<Dispute>,
}

/// An expected refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The error name.
    pub errno: Errno,
    /// Dotted path of the offending field; empty for the input as a whole.
    #[serde(default)]
    pub field: String,
    /// What is wrong, where the spec has a name for it: the word that the message begins with, as in `truncated: …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z0-9]+(_[a-z0-9]+)*$"))]
    pub name: Option<String>,
}

/// One rule for one stage, with the reason.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Units in the last place of a binary64.
    #[serde(default)]
    pub ulps: Option<u32>,
    /// Absolute difference.
    #[serde(default)]
    pub abs: Option<f64>,
    /// Why exact comparison is not possible.
    pub why: String,
}

/// Reasons against an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// Where it is discussed.
    pub issue: String,
    /// What speaks against the expectation.
    pub reason: String,
    /// Day it was opened, `YYYY-MM-DD`.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub opened: String,
}

/// A domain that the interpreter computes and the port must match point by point.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepEntry {
    /// Unique in the suite, never reused.
    #[schemars(regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub id: String,
    /// One line: what the sweep covers.
    pub title: String,
    /// The game that it is claimed for.
    pub game: Game,
    /// Clauses that it exercises.
    #[schemars(length(min = 1))]
    pub clause: Vec<String>,
    /// Free labels.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Arguments that stay the same at every point.
    #[serde(default)]
    pub input: Option<Tree>,
    /// The axes: name of a top-level argument → its values. Points are the product, last axis fastest.
    pub axes: BTreeMap<String, Axis>,
    /// Steps that give every stage at each point, or `@name`.
    pub derivation: String,
}

/// The values of one argument in a sweep.
// The list stands first: serde reads a struct from a sequence as well, and `[3, 9]` would be a range.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Axis {
    /// A list of values.
    List(#[schemars(with = "Vec<serde_json::Value>")] Vec<Tree>),
    /// Every `step`-th integer from `from` to `to`, both included.
    Range(AxisRange),
}

/// An inclusive integer range.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisRange {
    /// First value.
    pub from: i64,
    /// Last value at most.
    pub to: i64,
    /// Distance between values, at least 1.
    #[serde(default = "one")]
    pub step: u32,
}

fn one() -> u32 {
    1
}

/// A removed case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tombstone {
    /// The id, never to be used again.
    pub id: String,
    /// Why it went.
    pub reason: String,
}

/// First line of a `vectors/*.jsonl`; each further line is `{"id": …, "in": …, "out": …}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorHeader {
    /// Format version: 1.
    pub vectors: u32,
    /// The source that recorded the values.
    pub source: String,
    /// The game they are claimed for.
    pub game: Game,
    /// Clauses that they exercise.
    pub clause: Vec<String>,
    /// Number of lines that follow.
    pub count: usize,
    /// Only the stages in `out` are compared.
    #[serde(default)]
    pub partial: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_integers_are_a_list_and_no_range() {
        let axis = |text: &str| serde_json::from_str::<Axis>(text).unwrap();
        assert!(matches!(axis("[3, 9]"), Axis::List(values) if values.len() == 2));
        assert!(matches!(axis(r#"{"from":3,"to":9}"#), Axis::Range(AxisRange { from: 3, to: 9, step: 1 })));
    }
}
