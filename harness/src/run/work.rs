//! One piece of work: a case, a vector line or a sweep, from its input to its result.

use super::judge::{self, Judged};
use super::{Options, call, call::Question, sweep};
use crate::compare::{EXACT, Rules};
use crate::registry::{Entry, Registry};
use crate::selection::Subject;
use crate::suite::{Case, Due, Key, Suite, Sweep, Vector, VectorFile};
use assay_model::{CaseKind, CaseResult, Failure, Output, Problem, Tree, Verdict};
use std::borrow::Cow;

/// One thing to run.
#[derive(Clone, Copy)]
pub(super) enum Work<'a> {
    Case(&'a Case),
    Sweep(&'a Sweep),
    Vector(&'a VectorFile, &'a Vector),
}

impl<'a> Work<'a> {
    pub fn all(suite: &'a Suite) -> impl Iterator<Item = Self> {
        let vectors =
            suite.vectors.iter().flat_map(|file| file.lines.iter().map(move |v| Self::Vector(file, v)));
        suite.cases.iter().map(Self::Case).chain(suite.sweeps.iter().map(Self::Sweep)).chain(vectors)
    }

    pub fn subject(self) -> Subject<'a> {
        match self {
            Self::Case(Case { id, entry: e, .. }) => {
                Subject { id, game: e.game, clauses: &e.clause, tags: &e.tags }
            }
            Self::Sweep(Sweep { id, entry: e, .. }) => {
                Subject { id, game: e.game, clauses: &e.clause, tags: &e.tags }
            }
            Self::Vector(VectorFile { header: h, .. }, vector) => {
                Subject { id: &vector.id, game: h.game, clauses: &h.clause, tags: &[] }
            }
        }
    }

    /// Two pieces of work with the same id and key come to the same.
    pub fn key(self) -> Key {
        match self {
            Self::Case(case) => case.key,
            Self::Sweep(sweep) => sweep.key,
            Self::Vector(file, _) => file.key,
        }
    }

    fn kind(self) -> CaseKind {
        match self {
            Self::Case(case) => case.kind,
            Self::Sweep(_) => CaseKind::Sweep,
            Self::Vector(..) => CaseKind::Vector,
        }
    }
}

/// A piece of work with its capability.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub entry: &'a Entry,
    pub work: Work<'a>,
    /// Whether its result was asked for, or is needed for the standing alone.
    pub chosen: bool,
}

/// What one piece of work came to.
#[derive(Clone)]
pub(super) struct Ran {
    pub chosen: bool,
    pub result: CaseResult,
    /// What the result digest covers.
    pub fingerprint: [u8; 32],
    pub notes: Vec<String>,
    /// A derivation that broke.
    pub problem: Option<Problem>,
}

/// Runs one piece of work.
pub(super) fn one(registry: &Registry, job: &Job, options: &Options, output: &mut Output) -> Ran {
    let Job { entry, work, chosen } = *job;
    let subject = work.subject();
    let (judged, problem) = judged(entry, work, options, output);
    let disputed = if let Work::Case(case) = work { case.entry.disputed.clone() } else { None };
    let notes = unneeded(work, &judged);
    let known = registry.known(subject.id);
    let settled = judge::settle(judged, disputed.is_some(), known, options.today.as_deref());
    let mut hasher = blake3::Hasher::new();
    for part in [subject.id.as_bytes(), settled.lasting.as_str().as_bytes(), &settled.said] {
        crate::digest::part(&mut hasher, part);
    }
    let repro = format!("assay verify '{}'", subject.id);
    // What a list of known failures pins: a wrong output, and nothing that the clock alone makes wrong.
    let pinned = matches!(settled.lasting, Verdict::Fail | Verdict::Error | Verdict::Panicked);
    let digest = if pinned { crate::digest::hex(&settled.said) } else { String::new() };
    let result = CaseResult {
        id: subject.id.to_owned(),
        area: entry.area(),
        capability: entry.name().to_owned(),
        game: subject.game,
        kind: work.kind(),
        clause: subject.clauses.to_vec(),
        points: if let Work::Sweep(sweep) = work { sweep.points } else { 1 },
        verdict: settled.verdict,
        reason: settled.reason,
        failure: settled.failure.map(|failure| Failure { repro, digest, ..failure }),
        disputed,
    };
    Ran { chosen, result, fingerprint: *hasher.finalize().as_bytes(), notes, problem }
}

/// Calls the port and judges it; also gives the problem of a sweep whose derivation breaks.
fn judged(entry: &Entry, work: Work, options: &Options, output: &mut Output) -> (Judged, Option<Problem>) {
    let slow = options.slow;
    match work {
        Work::Case(case) => {
            let rules = Rules { partial: case.entry.partial, tolerance: &case.entry.tolerance };
            let expect = || Cow::Borrowed(case.entry.expect.as_ref().unwrap_or(&Tree::Null));
            (
                call::case(
                    entry.port,
                    &case.input,
                    &Question { due: &case.due, rules, slow },
                    expect,
                    output,
                ),
                None,
            )
        }
        Work::Vector(file, vector) => {
            let rules = Rules { partial: file.header.partial, ..EXACT };
            let expect = || match &vector.due {
                Due::Breakdown(bytes) => Cow::Owned(Tree::from_json(bytes).unwrap_or(Tree::Null)),
                Due::Refusal(_) => Cow::Owned(Tree::Null),
            };
            (
                call::case(
                    entry.port,
                    &vector.input,
                    &Question { due: &vector.due, rules, slow },
                    expect,
                    output,
                ),
                None,
            )
        }
        Work::Sweep(sweep) => sweep::run(entry.port, sweep, slow),
    }
}

/// Tolerances that made no difference, if the case passes.
fn unneeded(work: Work, judged: &Judged) -> Vec<String> {
    let Work::Case(case) = work else { return Vec::new() };
    let unneeded = case.entry.tolerance.keys().filter(|stage| !judged.needed.contains(*stage));
    let note = |stage| format!("{}: the tolerance for `{stage}` was not needed; remove it", case.id);
    if judged.verdict == Verdict::Pass { unneeded.map(note).collect() } else { Vec::new() }
}
