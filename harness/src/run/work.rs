//! One piece of work: a case, a vector line or a sweep, from its input to its result.

use super::call::{self, Attempt, Question};
use super::callee::{Ask, Subject};
use super::judge::{self, Judged};
use super::{Options, sweep};
use crate::compare::{EXACT, Rules};
use crate::registry::Entry;
use crate::selection;
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

    pub fn subject(self) -> selection::Subject<'a> {
        match self {
            Self::Case(Case { id, entry: e, .. }) => {
                selection::Subject { id, game: e.game, clauses: &e.clause, tags: &e.tags }
            }
            Self::Sweep(Sweep { id, entry: e, .. }) => {
                selection::Subject { id, game: e.game, clauses: &e.clause, tags: &e.tags }
            }
            Self::Vector(VectorFile { header: h, .. }, vector) => {
                selection::Subject { id: &vector.id, game: h.game, clauses: &h.clause, tags: &[] }
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

    /// Calls of the port: 1, or the points of a sweep.
    pub fn points(self) -> u64 {
        if let Self::Sweep(sweep) = self { sweep.points } else { 1 }
    }

    pub fn kind(self) -> CaseKind {
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
    pub notes: Vec<String>,
    /// A derivation that broke.
    pub problem: Option<Problem>,
}

/// Runs some pieces of work, as [`pieces`] cut them: a sweep alone, or cases and vectors that are asked together.
pub(super) fn some(jobs: &[Job], who: &Subject, options: &Options, output: &mut Output) -> Vec<Ran> {
    let mut found: Vec<Option<(Judged, Option<Problem>)>> = jobs.iter().map(|_| None).collect();
    let (mut asked, mut places) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
    for (place, Job { entry, work, .. }) in jobs.iter().enumerate() {
        if let Err(reason) = who.callee.offers(entry.name(), work.subject().game) {
            found[place] = Some((Judged::skipped(reason), None));
            continue;
        }
        match work {
            Work::Case(Case { input, .. }) | Work::Vector(_, Vector { input, .. }) => {
                asked.push(Ask { port: entry.port, input });
                places.push(place);
            }
            Work::Sweep(sweep) => {
                found[place] = Some(sweep::run(who.callee, entry.port, sweep, options.slow));
            }
        }
    }
    who.callee.ask(&asked, output, &mut |at, attempt, json, took| {
        let place = places[at];
        let mut judged = judged(jobs[place].work, attempt, json);
        judged.timed(took, options.slow);
        found[place] = Some((judged, None));
    });
    let silent = || (Judged::skipped("was not asked".to_owned()), None);
    let found = found.into_iter().map(|found| found.unwrap_or_else(silent));
    jobs.iter().zip(found).map(|(job, (judged, problem))| ran(job, who, options, judged, problem)).collect()
}

/// Jobs cut into what is asked at a time: `appetite` cases and vectors, and not too much of them, or one sweep.
pub(super) fn pieces<'a, 'b>(jobs: &'b [Job<'a>], appetite: usize) -> Vec<&'b [Job<'a>]> {
    const BYTES: usize = 4 << 20;
    let mut pieces = Vec::with_capacity(jobs.len());
    let (mut start, mut bytes) = (0, 0);
    for (place, job) in jobs.iter().enumerate() {
        let size = match job.work {
            Work::Case(case) => Some(case.input.len()),
            Work::Vector(_, vector) => Some(vector.input.len()),
            Work::Sweep(_) => None,
        };
        let full = place - start >= appetite || bytes + size.unwrap_or(0) > BYTES;
        if start < place && (full || size.is_none()) {
            pieces.push(&jobs[start..place]);
            (start, bytes) = (place, 0);
        }
        match size {
            Some(size) => bytes += size,
            None => {
                pieces.push(&jobs[place..=place]);
                (start, bytes) = (place + 1, 0);
            }
        }
    }
    pieces.extend(jobs.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

/// From a verdict to a result.
fn ran(job: &Job, who: &Subject, options: &Options, judged: Judged, problem: Option<Problem>) -> Ran {
    let Job { entry, work, chosen } = *job;
    let subject = work.subject();
    let disputed = if let Work::Case(case) = work { case.entry.disputed.clone() } else { None };
    let notes = unneeded(work, &judged);
    let known = who.known.get(subject.id);
    let settled = judge::settle(judged, disputed.is_some(), known, (who.list, options.today.as_deref()));
    let mut hasher = blake3::Hasher::new();
    for part in [subject.id.as_bytes(), settled.lasting.as_str().as_bytes(), &settled.said] {
        crate::digest::part(&mut hasher, part);
    }
    let repro = format!("assay verify{} '{}'", who.via, subject.id);
    let digest = if settled.pinned { crate::digest::hex(&settled.said) } else { String::new() };
    let result = CaseResult {
        id: subject.id.to_owned(),
        area: entry.area(),
        capability: entry.name().to_owned(),
        game: subject.game,
        kind: work.kind(),
        clause: subject.clauses.to_vec(),
        points: work.points(),
        verdict: settled.verdict,
        reason: settled.reason,
        failure: settled.failure.map(|failure| Failure { repro, digest, ..failure }),
        disputed,
        fingerprint: hasher.finalize().to_hex().to_string(),
    };
    Ran { chosen, result, notes, problem }
}

/// Judges the answer to a case or a vector.
fn judged(work: Work, attempt: Attempt, json: &[u8]) -> Judged {
    match work {
        Work::Case(case) => {
            let rules = Rules { partial: case.entry.partial, tolerance: &case.entry.tolerance };
            let expect = || Cow::Borrowed(case.entry.expect.as_ref().unwrap_or(&Tree::Null));
            call::judged(attempt, json, &Question { due: &case.due, rules }, expect)
        }
        Work::Vector(file, vector) => {
            let rules = Rules { partial: file.header.partial, ..EXACT };
            let expect = || match &vector.due {
                Due::Breakdown(bytes) => Cow::Owned(Tree::from_json(bytes).unwrap_or(Tree::Null)),
                Due::Refusal(_) => Cow::Owned(Tree::Null),
            };
            call::judged(attempt, json, &Question { due: &vector.due, rules }, expect)
        }
        // A sweep asks, and judges, by itself.
        Work::Sweep(_) => Judged::skipped("was not asked".to_owned()),
    }
}

/// Tolerances that made no difference, if the case passes.
fn unneeded(work: Work, judged: &Judged) -> Vec<String> {
    let Work::Case(case) = work else { return Vec::new() };
    let unneeded = case.entry.tolerance.keys().filter(|stage| !judged.needed.contains(*stage));
    let note = |stage| format!("{}: the tolerance for `{stage}` was not needed; remove it", case.id);
    if judged.verdict == Verdict::Pass { unneeded.map(note).collect() } else { Vec::new() }
}
