//! Verifying again and again: what nothing touched is not run a second time.

use super::work::{Job, Ran};
use super::{Options, conclude, in_parallel, jobs, ours};
use crate::load::known::KnownFailure;
use crate::registry::{Entry, Registry};
use crate::selection::Selection;
use crate::suite::Key;
use assay_model::{CaseResult, Report};
use std::collections::{BTreeMap, BTreeSet};

/// A selection that is verified over and over, and the results so far.
pub struct Session {
    selection: Selection,
    /// By capability, then by id.
    kept: BTreeMap<String, BTreeMap<String, Kept>>,
}

/// What one verification of a session found.
pub struct Round {
    /// The report that [`verify`](super::verify) would give, digest and all.
    pub report: Report,
    /// How many cases, sweeps and vectors ran for it, by the path (`area/capability`) of their suite; the results of all
    /// others are from before.
    pub ran: BTreeMap<String, usize>,
    /// Suites that do not load now and did before.
    pub stale: Vec<Stale>,
}

/// The last good results of a suite that does not load.
#[derive(Clone, Debug)]
pub struct Stale {
    /// `area/capability`.
    pub path: String,
    /// Its results, ordered by id. They are no part of any report.
    pub results: Vec<CaseResult>,
}

/// A result, and what it is the result of.
struct Kept {
    key: Key,
    known: Option<KnownFailure>,
    today: Option<String>,
    ran: Ran,
}

impl Kept {
    /// Whether a run now would give the same. A call that was too slow may be fast the next time, and the place of a
    /// derivation that broke may have moved.
    fn holds(&self, job: &Job, known: Option<&KnownFailure>, options: &Options) -> bool {
        let by_clock = self.ran.result.failure.as_ref().is_some_and(|failure| failure.rule == "time");
        self.key == job.work.key()
            && self.known.as_ref() == known
            && (known.is_none() || self.today == options.today)
            && !by_clock
            && self.ran.problem.is_none()
    }
}

impl Session {
    /// A session in which nothing has run yet.
    #[must_use]
    pub fn new(selection: Selection) -> Self {
        Self { selection, kept: BTreeMap::new() }
    }

    /// Verifies, running only what no earlier round vouches for: a case, sweep or vector that says what it said, under a
    /// spec that says what it said where the derivation reads it. All registries of a session have the same ports.
    #[must_use]
    pub fn verify(&mut self, registry: &Registry, options: &Options) -> Round {
        let all = jobs(registry, &self.selection);
        let (mut ran, mut due) = (Vec::with_capacity(all.len()), Vec::new());
        for job in &all {
            let id = job.work.subject().id;
            let kept = self.kept.get(job.entry.name()).and_then(|suite| suite.get(id));
            match kept.filter(|kept| kept.holds(job, registry.known(id), options)) {
                Some(kept) => ran.push(Ran { chosen: job.chosen, ..kept.ran.clone() }),
                None => due.push(*job),
            }
        }
        let fresh = in_parallel(&due, options, &ours(registry));
        let mut count = BTreeMap::new();
        // A stopped run leaves holes, and nothing of it is worth keeping.
        let whole = fresh.len() == due.len();
        for (job, ran) in due.iter().zip(&fresh).filter(|_| whole) {
            let id = job.work.subject().id;
            *count.entry(job.entry.path()).or_default() += 1;
            let (known, today) = (registry.known(id).cloned(), options.today.clone());
            let kept = Kept { key: job.work.key(), known, today, ran: ran.clone() };
            self.kept.entry(job.entry.name().to_owned()).or_default().insert(id.to_owned(), kept);
        }
        ran.extend(fresh);
        self.forget(registry, &all);
        let stale = registry.entries().iter().filter(|entry| entry.suite.is_none());
        let stale = stale.filter_map(|entry| self.stale(entry)).collect();
        Round { report: conclude(registry, &self.selection, ran), ran: count, stale }
    }

    /// Drops what is no longer there; a suite that does not load keeps what it had.
    fn forget(&mut self, registry: &Registry, all: &[Job]) {
        let there: BTreeSet<&str> = all.iter().map(|job| job.work.subject().id).collect();
        for (name, suite) in &mut self.kept {
            if registry.get(name).is_some_and(|entry| entry.suite.is_some()) {
                suite.retain(|id, _| there.contains(id.as_str()));
            }
        }
        self.kept.retain(|_, suite| !suite.is_empty());
    }

    fn stale(&self, entry: &Entry) -> Option<Stale> {
        let kept = self.kept.get(entry.name())?.values();
        Some(Stale { path: entry.path(), results: kept.map(|kept| kept.ran.result.clone()).collect() })
    }
}
