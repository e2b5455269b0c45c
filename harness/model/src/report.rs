//! What a verification says.

use crate::case::Dispute;
use crate::files::Problem;
use crate::vocab::{Area, Game, Status, Tier};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The outcome of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Every compared stage is the expected value.
    Pass,
    /// A stage differs, or a result came where an error was due.
    Fail,
    /// The port refused an input that has an expected breakdown, or refused it wrongly.
    Error,
    /// The port panicked.
    Panicked,
    /// Not run, with a reason.
    Skipped,
    /// Fails as `known-failures.toml` says it does.
    KnownFailure,
    /// Listed as a known failure and passes: the list must shrink.
    UnexpectedPass,
    /// Disputed: shown apart, never gates.
    Disputed,
}

impl Verdict {
    /// The word as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Error => "error",
            Self::Panicked => "panicked",
            Self::Skipped => "skipped",
            Self::KnownFailure => "known-failure",
            Self::UnexpectedPass => "unexpected-pass",
            Self::Disputed => "disputed",
        }
    }

    /// Whether the verdict turns a run red.
    #[must_use]
    pub const fn is_drift(self) -> bool {
        matches!(self, Self::Fail | Self::Error | Self::Panicked | Self::UnexpectedPass)
    }
}

/// How the expectation of a case was derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseKind {
    /// Evaluated by the exact interpreter.
    Computed,
    /// Came from the original program or its tables.
    Recorded,
    /// Explained in words.
    Prose,
    /// A domain computed point by point.
    Sweep,
    /// A line of bulk vectors.
    Vector,
}

impl CaseKind {
    /// Every kind, in order.
    pub const ALL: &'static [Self] =
        &[Self::Computed, Self::Recorded, Self::Prose, Self::Sweep, Self::Vector];

    /// The word as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Recorded => "recorded",
            Self::Prose => "prose",
            Self::Sweep => "sweep",
            Self::Vector => "vector",
        }
    }

    /// Whether a passing case of this kind can carry a verified clause.
    #[must_use]
    pub const fn carries_verified(self) -> bool {
        !matches!(self, Self::Prose)
    }
}

/// What went wrong in a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// First diverging stage in stage order, dotted; empty when there is none to name.
    pub stage: String,
    /// What was expected there.
    pub expected: String,
    /// What came.
    pub actual: String,
    /// The comparison rule: `exact`, `ulps=…`, `abs=…`, `error`; `time`, and for a port in another process `crash` and
    /// `protocol`.
    pub rule: String,
    /// One line for people.
    pub message: String,
    /// The case at the failing point, ready to paste (sweeps only; empty otherwise).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub point: String,
    /// The command that repeats it.
    pub repro: String,
    /// blake3 of what the port said, hex: the `digest` of an entry in `ports/known-failures.toml`. Empty where such an
    /// entry would not hold.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The end of what a port in another process wrote to standard error before it was lost; empty otherwise. No digest
    /// covers it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// The result of one case, sweep or vector line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// `area/capability/case`.
    pub id: String,
    /// Area.
    pub area: Area,
    /// Capability.
    pub capability: String,
    /// Game.
    pub game: Game,
    /// Kind of derivation.
    pub kind: CaseKind,
    /// Clauses exercised.
    pub clause: Vec<String>,
    /// Points checked: 1, or the points of a sweep.
    pub points: u64,
    /// Outcome.
    pub verdict: Verdict,
    /// Reason for a skip or a known failure; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The dispute, for disputed cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disputed: Option<Dispute>,
    /// blake3 over the id, the verdict without what the clock decides, and what the port said, hex. The result digest of a
    /// report is the blake3 over these in the order of the results, so reports of parts can be put together.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
}

/// Which part of a selection a report is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which part, from 1.
    pub shard: u32,
    /// Of how many.
    pub of: u32,
    /// Cases, sweeps and vectors that the whole selection takes.
    pub selected: u64,
    /// blake3 over what is in which part, hex: the same for all parts of one division.
    pub plan: String,
}

/// What a report was made by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Version of Assay.
    pub assay: String,
    /// blake3 over the sources of the ports, hex.
    pub ports: String,
}

/// Verdict counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Passing.
    pub pass: u64,
    /// Differing.
    pub fail: u64,
    /// Refused by the port.
    pub error: u64,
    /// Panicked.
    pub panicked: u64,
    /// Skipped.
    pub skipped: u64,
    /// Failing as known.
    pub known_failure: u64,
    /// Passing though listed as failing.
    pub unexpected_pass: u64,
    /// Disputed.
    pub disputed: u64,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Fail => &mut self.fail,
            Verdict::Error => &mut self.error,
            Verdict::Panicked => &mut self.panicked,
            Verdict::Skipped => &mut self.skipped,
            Verdict::KnownFailure => &mut self.known_failure,
            Verdict::UnexpectedPass => &mut self.unexpected_pass,
            Verdict::Disputed => &mut self.disputed,
        } += 1;
    }

    /// Adds the counts of another. Sums saturate: counts may have been read from anywhere.
    pub const fn merge(&mut self, other: &Self) {
        self.pass = self.pass.saturating_add(other.pass);
        self.fail = self.fail.saturating_add(other.fail);
        self.error = self.error.saturating_add(other.error);
        self.panicked = self.panicked.saturating_add(other.panicked);
        self.skipped = self.skipped.saturating_add(other.skipped);
        self.known_failure = self.known_failure.saturating_add(other.known_failure);
        self.unexpected_pass = self.unexpected_pass.saturating_add(other.unexpected_pass);
        self.disputed = self.disputed.saturating_add(other.disputed);
    }

    /// Verdicts that turn a run red.
    #[must_use]
    pub const fn drift(&self) -> u64 {
        self.fail
            .saturating_add(self.error)
            .saturating_add(self.panicked)
            .saturating_add(self.unexpected_pass)
    }

    /// Cases that ran.
    #[must_use]
    pub const fn executed(&self) -> u64 {
        (self.pass.saturating_add(self.drift()))
            .saturating_add(self.known_failure)
            .saturating_add(self.disputed)
    }

    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.executed().saturating_add(self.skipped)
    }
}

/// What a capability has earned, computed from sources, cases and verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Verified only if every listed game is.
    pub status: Status,
    /// Status per game.
    pub games: BTreeMap<Game, Status>,
    /// Weakest clause tier per game.
    pub tiers: BTreeMap<Game, Tier>,
    /// Why a game is partial, a line each: `YR: clause falloff.3 has no passing case`.
    pub missing: Vec<String>,
}

/// A port in another process, as it introduced itself and as it behaved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outsider {
    /// Its name.
    pub name: String,
    /// The language it is written in.
    pub language: String,
    /// Its version.
    pub version: String,
    /// The command that starts it.
    pub command: String,
    /// Version of the protocol that it speaks.
    pub protocol: u32,
    /// Capabilities of the corpus that it offers, of any game, in order.
    pub offers: Vec<String>,
    /// Processes that were started for it: 1 if nothing went wrong.
    pub starts: u64,
    /// The end of what it wrote to standard error; empty for a silent port.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// The whole of one verification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `embedded` or a directory.
    pub corpus_origin: String,
    /// blake3 over specs and cases, hex.
    pub corpus_digest: String,
    /// blake3 over the ordered results, hex.
    pub result_digest: String,
    /// Who was judged, if it was not the ports that are compiled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<Outsider>,
    /// What ran them, where the caller knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// The part of the selection that ran, unless it is the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The selection, as given.
    pub selection: String,
    /// Whether the selection took everything.
    pub complete: bool,
    /// Counts over all selected cases.
    pub counts: Counts,
    /// Points checked by sweeps.
    pub sweep_points: u64,
    /// Counts per area.
    pub areas: BTreeMap<Area, Counts>,
    /// Standing per capability; only from complete runs of its suite.
    pub standings: BTreeMap<String, Standing>,
    /// What is wrong with the corpus itself: a red run of its own kind.
    pub problems: Vec<Problem>,
    /// Remarks that never gate (a tolerance that no run needs, a stale embedded corpus).
    pub notes: Vec<String>,
    /// Every result, ordered by id.
    pub results: Vec<CaseResult>,
}

impl Report {
    /// `pass`, `fail` (drift) or `broken` (the corpus cannot be trusted, or nothing ran).
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if !self.problems.is_empty() || self.counts.executed() == 0 {
            "broken"
        } else if self.counts.drift() > 0 {
            "fail"
        } else {
            "pass"
        }
    }

    /// 0 pass, 1 drift, 2 broken: drift of a corpus that cannot be trusted proves nothing.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.verdict() {
            "pass" => 0,
            "fail" => 1,
            _ => 2,
        }
    }
}
