//! An explanation: of a case step by step, or of a capability clause by clause. Plain data; serialised in field order.
//!
//! Values stand as text, as people read them: integers plainly, floats by the shortest digits that read back as the
//! same float, exact values as short as they can be exact. Fields that say nothing for a case are left out.

use crate::case::Dispute;
use crate::files::Problem;
use crate::report::{CaseKind, CaseResult, Standing, Verdict};
use crate::tree::Tree;
use crate::vocab::{Area, Game, Kind, Status, Tier};
use serde::Serialize;
use std::collections::BTreeMap;

/// A case, sweep or vector line, from its evidence to its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct CaseExplained {
    /// `area/capability/case`.
    pub id: String,
    /// What it shows; empty for vector lines, which have no title.
    pub title: String,
    /// The file that holds it.
    pub file: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// How the expectation was derived.
    pub kind: CaseKind,
    /// The game that it is claimed for.
    pub game: Game,
    /// Free labels.
    pub tags: Vec<String>,
    /// A remark of its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The arguments as the port gets them.
    pub input: Tree,
    /// The clauses that it cites, in the order of the case.
    pub clauses: Vec<ClauseExplained>,
    /// The axes of a sweep and the point that is explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepExplained>,
    /// Where a recorded value came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<SourceExplained>,
    /// Why the expectation holds, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prose: Option<String>,
    /// The derivation, step by step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<DerivationExplained>,
    /// What the port did, run just now.
    pub port: PortAnswer,
    /// What is due, stage by stage in the order of the port's answer; lists stand as one stage.
    pub stages: Vec<StageExplained>,
    /// Stages that found no room.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_stages: u64,
    /// Every leaf that differs, in stage order: the first one is where the port went wrong.
    pub differences: Vec<Difference>,
    /// Leaves that differ and found no room.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_differences: u64,
    /// The result as `verify` gives it.
    pub result: CaseResult,
    /// What is wrong with spec, suite or sources.
    pub problems: Vec<Problem>,
}

impl CaseExplained {
    /// 0 pass, 1 drift, 2 a corpus that cannot be trusted, as `verify` has it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        code(&self.problems, self.result.verdict.is_drift())
    }
}

fn code(problems: &[Problem], drift: bool) -> u8 {
    if problems.is_empty() { u8::from(drift) } else { 2 }
}

/// A clause as it stands for one game, or for all its games.
#[derive(Clone, Debug, Serialize)]
pub struct ClauseExplained {
    /// `word.number`.
    pub id: String,
    /// The rest of its heading.
    pub title: String,
    /// Tier per game: of the case's game alone when a case is explained.
    pub tiers: BTreeMap<Game, Tier>,
    /// What is still open, if something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
    /// The spec that holds it.
    pub file: String,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Its prose.
    pub text: String,
    /// What it rests on.
    pub sources: Vec<SourceExplained>,
}

/// A source as it is cited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceExplained {
    /// Id in `oracles/sources.toml`.
    pub id: String,
    /// Sort of evidence.
    pub kind: String,
    /// What was read.
    pub subject: String,
    /// Where to find it.
    #[serde(rename = "where")]
    pub location: String,
    /// Independence group.
    pub group: String,
    /// Games that it is evidence for.
    pub games: Vec<Game>,
    /// Its authors took it back until reworked.
    #[serde(skip_serializing_if = "is_false")]
    pub withdrawn: bool,
    /// Line in `oracles/sources.toml`, from 1.
    pub line: usize,
}

/// The axes of a sweep, and one point of it.
#[derive(Clone, Debug, Serialize)]
pub struct SweepExplained {
    /// The axes in name order; the last one runs fastest.
    pub axes: Vec<AxisExplained>,
    /// Points in all.
    pub points: u64,
    /// The point that is explained, from 0.
    pub index: u64,
    /// Why this one.
    pub chosen: Chosen,
    /// Its arguments on the axes.
    pub at: Vec<(String, Tree)>,
}

/// Why a point of a sweep is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// It was asked for.
    Asked,
    /// It is the first at which the port differs.
    FirstFailing,
    /// It is the first of a sweep that passes.
    First,
}

/// One axis of a sweep.
#[derive(Clone, Debug, Serialize)]
pub struct AxisExplained {
    /// The argument.
    pub name: String,
    /// Its values: `0 to 300 in steps of 7`, or a list.
    pub values: String,
    /// How many they are.
    pub count: u64,
}

/// A derivation with what each of its statements set.
#[derive(Clone, Debug, Serialize)]
pub struct DerivationExplained {
    /// Name of the shared derivation, where the case only names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file that holds it.
    pub file: String,
    /// Line of its first statement's text, from 1.
    pub line: usize,
    /// The statements that set something, in the order of their first run.
    pub steps: Vec<StepExplained>,
    /// Runs of statements that found no room.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_steps: u64,
    /// The `require` that refused, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalExplained>,
    /// Why the derivation could not be followed to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// One statement.
#[derive(Clone, Debug, Serialize)]
pub struct StepExplained {
    /// Line in the file, from 1.
    pub line: usize,
    /// The statement as it is written.
    pub source: String,
    /// The step that it sets; may be dotted.
    pub step: String,
    /// How often it ran.
    pub times: u64,
    /// What its last run set.
    #[serde(flatten)]
    pub last: SettingExplained,
    /// The first and last runs of a statement that ran more than once, with `None` where runs were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Option<SettingExplained>>,
    /// The whole list or record, when the statement sets a part of it and no later one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// The port's stage of the same name, where this statement is the last to set the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Beside>,
}

/// What one run of a statement set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingExplained {
    /// Number of the run, from 1.
    #[serde(skip_serializing_if = "is_first")]
    pub run: u64,
    /// Place inside the step, such as `[3]`; empty for the whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The value, as the engine has it.
    pub value: String,
    /// What the expression gives when nothing in it rounds, where that is another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// The digits of the engine's value, where rounding made it and its shortest form does not show them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<String>,
}

/// The port's stage beside a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Beside {
    /// What the port gave; `nothing` if the stage is not there.
    pub port: String,
    /// Whether anything in it differs from what is due.
    pub differs: bool,
    /// Whether the first difference of all is in it.
    pub first: bool,
}

/// The `require` that was false.
#[derive(Clone, Debug, Serialize)]
pub struct RefusalExplained {
    /// Line in the file, from 1.
    pub line: usize,
    /// The statement as it is written.
    pub source: String,
    /// Error name.
    pub errno: String,
    /// Field; empty for the input as a whole.
    pub field: String,
}

/// What a port did with an input.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum PortAnswer {
    /// It gave a breakdown.
    Breakdown {
        /// Every stage.
        breakdown: Tree,
    },
    /// It refused.
    Refused {
        /// Error name.
        errno: String,
        /// Field; empty for the input as a whole.
        field: String,
        /// Its words.
        message: String,
    },
    /// It panicked.
    Panicked {
        /// File and line.
        place: String,
        /// Its words.
        message: String,
    },
    /// What it gave is no JSON.
    Unreadable {
        /// Why.
        message: String,
    },
}

/// One stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageExplained {
    /// Dotted path.
    pub stage: String,
    /// What the case expects, or the derivation for a point of a sweep; absent where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What the port gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// Whether a step of the derivation gives it.
    pub derived: bool,
    /// Whether anything in it differs.
    pub differs: bool,
}

/// One leaf that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Dotted path.
    pub stage: String,
    /// What is due there, or `nothing`.
    pub expected: String,
    /// What the derivation gives there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<String>,
    /// What came, or `nothing`.
    pub actual: String,
    /// The rule that was applied: `exact`, `ulps=…`, `abs=…`.
    pub rule: String,
}

/// A capability, clause by clause.
#[derive(Clone, Debug, Serialize)]
pub struct CapabilityExplained {
    /// Name.
    pub name: String,
    /// Area.
    pub area: Area,
    /// Sort of answer.
    pub kind: Kind,
    /// What the port says of itself, in a sentence.
    pub summary: String,
    /// Title of the spec; empty without one.
    pub title: String,
    /// The spec.
    pub spec: String,
    /// The suite.
    pub suite: String,
    /// What it has earned. `partial` and nothing else for a suite that does not load.
    pub status: Status,
    /// Status, tiers and what is missing, from a run just now; absent when the suite does not load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// Capabilities whose rules it calls: it is worth no more than they are.
    pub composes: Vec<Composed>,
    /// The clauses in file order, each with its cases.
    pub clauses: Vec<ClauseCases>,
    /// What is wrong with spec or suite.
    pub problems: Vec<Problem>,
}

impl CapabilityExplained {
    /// 0 pass, 1 when any of its cases drifts, 2 a corpus that cannot be trusted, as `verify` has it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let mut cases = self.clauses.iter().flat_map(|clause| &clause.cases);
        code(&self.problems, cases.any(|case| case.verdict.is_drift()))
    }
}

/// A capability that another one calls.
#[derive(Clone, Debug, Serialize)]
pub struct Composed {
    /// Name.
    pub capability: String,
    /// Weakest clause tier per game of the caller.
    pub tiers: BTreeMap<Game, Tier>,
}

/// A clause and what exercises it.
#[derive(Clone, Debug, Serialize)]
pub struct ClauseCases {
    /// The clause.
    #[serde(flatten)]
    pub clause: ClauseExplained,
    /// Its cases by kind, then in order of id; the lines of one vector file are one entry.
    pub cases: Vec<CaseLine>,
}

/// A case in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseLine {
    /// Id within the suite; `stem.*` for the lines of a vector file.
    pub id: String,
    /// How the expectation was derived.
    pub kind: CaseKind,
    /// Game.
    pub game: Game,
    /// Outcome; of a vector file: that of its first line that does not pass, or `pass`.
    pub verdict: Verdict,
    /// Lines of a vector file, points of a sweep, or 1.
    pub count: u64,
    /// Reason of a known failure; empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The dispute, for disputed cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disputed: Option<Dispute>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_first(run: &u64) -> bool {
    *run == 1
}

fn is_false(truth: &bool) -> bool {
    !truth
}
