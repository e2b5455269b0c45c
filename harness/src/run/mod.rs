//! Runs the selected cases in parallel and says what came of them.
//!
//! Results are ordered by id after the parallel phase, and no digest covers the clock, so a report has the same bytes
//! for any number of threads.

pub(crate) mod call;
pub(crate) mod callee;
mod judge;
mod monitor;
mod outcome;
mod session;
pub(crate) mod sweep;
mod work;

use crate::registry::{Entry, Registry};
use crate::selection::Selection;
use crate::shard::Slice;
use assay_model::{CaseKind, CaseResult, Output, Report};
use callee::{Here, Subject};
use monitor::Tally;
use outcome::{Tail, problems, report, standings};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use work::{Job, Ran, Work, pieces, some};

pub use monitor::Monitor;
pub(crate) use outcome::concerns;
pub use session::{Round, Session, Stale};

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; as many as there are processors if `None`.
    pub jobs: Option<usize>,
    /// Today, `YYYY-MM-DD`, against which known failures expire. `None`: they do not, and the run is the same every
    /// day.
    pub today: Option<String>,
    /// Longest time for one call of a port. A call is not interrupted: it is an error afterwards.
    pub slow: Duration,
    /// Who is told of the progress and may stop the run. A report of a stopped run is not worth reading.
    pub monitor: Option<Arc<dyn Monitor>>,
}

impl Options {
    /// The usual options with today's date, so that known failures expire.
    #[must_use]
    pub fn dated() -> Self {
        Self { today: Some(crate::date::today()), ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { jobs: None, today: None, slow: Duration::from_secs(2), monitor: None }
    }
}

/// Runs what `selection` takes. Never panics; whatever a port does is a verdict.
///
/// Problems of the corpus are those of the registry, or of the selected suites alone when the selection leaves suites
/// out; a complete run must match the lock.
#[must_use]
pub fn verify(registry: &Registry, selection: &Selection, options: &Options) -> Report {
    verify_subject(registry, selection, options, &ours(registry))
}

/// Judges somebody else by the same cases.
pub(crate) fn verify_subject(
    registry: &Registry,
    selection: &Selection,
    options: &Options,
    who: &Subject,
) -> Report {
    let jobs = jobs(registry, selection);
    let ran = in_parallel(&jobs, options, who);
    conclude(registry, selection, ran)
}

/// The ports of this process with their own list of known failures.
fn ours(registry: &Registry) -> Subject<'_> {
    Subject { callee: &Here, known: registry.known_failures(), list: crate::load::known::PATH, via: "" }
}

/// Runs one part of what `selection` takes. Standings are those of the suites that lie in the part as a whole; what a run
/// of everything demands beyond its own results (a lock that fits) is demanded of every part of everything.
#[must_use]
pub fn verify_part(registry: &Registry, selection: &Selection, slice: &Slice, options: &Options) -> Report {
    let mut jobs = jobs(registry, selection);
    jobs.retain(|job| slice.takes(job.work.subject().id));
    let ran = in_parallel(&jobs, options, &ours(registry));
    let mut report = conclude(registry, selection, ran);
    if selection.is_all() && !report.complete {
        report.problems.extend(crate::lock::check(registry));
        report.problems.sort();
        report.problems.dedup();
    }
    report.part = Some(slice.part().clone());
    report
}

/// Runs what `selection` takes in an order that a seed decides. The report is that of [`verify`] unless a port remembers
/// what it was asked before.
pub(crate) fn shuffled(
    registry: &Registry,
    selection: &Selection,
    options: &Options,
    seed: Option<u64>,
) -> Report {
    let mut jobs = jobs(registry, selection);
    if let Some(seed) = seed {
        crate::determinism::shuffle(&mut jobs, seed);
    }
    let ran = in_parallel(&jobs, options, &ours(registry));
    conclude(registry, selection, ran)
}

/// The report that a run would have given, from results that are there already: those of the parts of a selection.
pub(crate) fn assemble(registry: &Registry, selection: &Selection, results: Vec<CaseResult>) -> Report {
    let ran =
        results.into_iter().map(|result| Ran { chosen: true, result, notes: Vec::new(), problem: None });
    conclude(registry, selection, ran.collect())
}

/// Ids and points of what `selection` takes, in registry order.
pub(crate) fn selected<'a>(registry: &'a Registry, selection: &Selection) -> Vec<(&'a str, CaseKind, u64)> {
    let chosen = jobs(registry, selection).into_iter().filter(|job| job.chosen);
    chosen.map(|job| (job.work.subject().id, job.work.kind(), job.work.points())).collect()
}

/// The report on what ran.
fn conclude(registry: &Registry, selection: &Selection, mut ran: Vec<Ran>) -> Report {
    ran.sort_by(|a, b| a.result.id.cmp(&b.result.id));
    let names: BTreeSet<&str> = ran.iter().map(|ran| ran.result.capability.as_str()).collect();
    let touched: Vec<&Entry> =
        registry.entries().iter().filter(|entry| names.contains(entry.name())).collect();
    let standings = standings(registry, &touched, &ran);
    ran.retain(|ran| {
        let standing = standings.get(&ran.result.capability);
        ran.chosen && standing.is_none_or(|standing| selection.stands(standing, ran.result.game))
    });
    // A pattern cannot take what does not load.
    let loaded = || registry.entries().iter().all(|entry| entry.suite.is_some());
    let complete = ran.len() == registry.ids().count() && (selection.is_all() || loaded());
    let mut problems = problems(registry, selection, &touched, complete.then_some(ran.len()));
    problems.extend(ran.iter().filter_map(|ran| ran.problem.clone()));
    report(registry, selection, ran, Tail { complete, standings, problems })
}

/// What there is to run, a capability after the other.
fn jobs<'a>(registry: &'a Registry, selection: &Selection) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for entry in registry.entries() {
        let Some(suite) = &entry.suite else { continue };
        let job = |work: Work<'a>| {
            let subject = work.subject();
            let chosen = selection.names(subject.id) && selection.admits(registry, entry, &subject);
            Job { entry, work, chosen }
        };
        let all: Vec<Job> = Work::all(suite).map(job).collect();
        // A status is earned by the whole suite, so the whole suite runs before it can be asked for.
        let whole = selection.wants_status() && all.iter().any(|job| job.chosen);
        jobs.extend(all.into_iter().filter(|job| job.chosen || whole));
    }
    jobs
}

fn in_parallel(jobs: &[Job], options: &Options, who: &Subject) -> Vec<Ran> {
    let pieces = pieces(jobs, who.callee.appetite());
    let tally = Tally::new(options.monitor.as_deref(), pieces.len());
    let run = || -> Vec<Ran> {
        let each = |output: &mut Output, piece: &&[Job]| {
            // Time is told of a case, and several at once have none of their own.
            let alone = if let [job] = piece { Some(job.work.subject().id) } else { None };
            tally.unless_stopped(alone, || some(piece, who, options, output)).unwrap_or_default()
        };
        pieces.par_iter().map_init(Output::default, each).flatten_iter().collect()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).build();
    // Without threads of its own it still runs, on the process-wide pool.
    pool.map_or_else(|_| run(), |pool| pool.install(run))
}
