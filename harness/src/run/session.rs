//! Verifying again and again: what nothing touched is not run a second time.

use super::work::{Job, Ran};
use super::{Options, conclude, in_parallel, jobs};
use crate::load::known::KnownFailure;
use crate::registry::{Entry, Registry};
use crate::selection::Selection;
use crate::suite::Suite;
use assay_model::{CaseResult, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A selection that is verified over and over, and the results so far.
pub struct Session {
    selection: Selection,
    /// By capability.
    kept: BTreeMap<String, Kept>,
}

/// What one verification of a session found.
pub struct Round {
    /// The report that [`verify`](super::verify) would give, digest and all.
    pub report: Report,
    /// Paths (`area/capability`) of the suites that ran for it, in order; the results of the others are from before.
    pub ran: Vec<String>,
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

/// Results, and what they are the results of.
struct Kept {
    suite: Arc<Suite>,
    known: Vec<KnownFailure>,
    today: Option<String>,
    ran: Vec<Ran>,
}

impl Kept {
    /// Whether a run now would give the same. The same suite is bound from the same cases, spec and sources, so that
    /// only the list of known failures, the day, and what the selection takes are left to differ.
    fn holds(&self, suite: &Arc<Suite>, known: &[KnownFailure], options: &Options, jobs: &[Job]) -> bool {
        Arc::ptr_eq(&self.suite, suite)
            && self.known == known
            && (known.is_empty() || self.today == options.today)
            && self.ran.len() == jobs.len()
            && self.ran.iter().zip(jobs).all(|(ran, job)| ran.result.id == job.work.subject().id)
    }
}

impl Session {
    /// A session in which nothing has run yet.
    #[must_use]
    pub fn new(selection: Selection) -> Self {
        Self { selection, kept: BTreeMap::new() }
    }

    /// Verifies, running only the suites for which an earlier round does not vouch. Registries of a session come from
    /// each other by [`Registry::renew`]; from an unrelated one everything runs.
    #[must_use]
    pub fn verify(&mut self, registry: &Registry, options: &Options) -> Round {
        let all = jobs(registry, &self.selection);
        let (mut ran, mut due, mut again) = (Vec::new(), Vec::new(), Vec::new());
        for group in all.chunk_by(|a, b| a.entry.name() == b.entry.name()) {
            let entry = group[0].entry;
            let known = known(registry, entry);
            let kept = self.kept.get(entry.name()).zip(entry.suite.as_ref());
            match kept.filter(|(kept, suite)| kept.holds(suite, &known, options, group)) {
                Some((kept, _)) => {
                    let chosen = group.iter().map(|job| job.chosen);
                    ran.extend(
                        kept.ran.iter().cloned().zip(chosen).map(|(ran, chosen)| Ran { chosen, ..ran }),
                    );
                }
                None => {
                    due.extend(group.iter().copied());
                    again.push(entry);
                }
            }
        }
        let fresh = in_parallel(registry, &due, options);
        for (entry, ran) in
            again.iter().zip(fresh.chunk_by(|a, b| a.result.capability == b.result.capability))
        {
            let Some(suite) = entry.suite.clone() else { continue };
            let (known, today) = (known(registry, entry), options.today.clone());
            self.kept.insert(entry.name().to_owned(), Kept { suite, known, today, ran: ran.to_vec() });
        }
        ran.extend(fresh);
        let taken: BTreeSet<&str> = all.iter().map(|job| job.entry.name()).collect();
        let broken = |name: &str| registry.get(name).is_some_and(|entry| entry.suite.is_none());
        self.kept.retain(|name, _| taken.contains(name.as_str()) || broken(name));
        let stale = registry.entries().iter().filter(|entry| entry.suite.is_none());
        Round {
            ran: again.iter().map(|entry| entry.path()).collect(),
            stale: stale.filter_map(|entry| self.stale(entry)).collect(),
            report: conclude(registry, &self.selection, ran),
        }
    }

    fn stale(&self, entry: &Entry) -> Option<Stale> {
        let kept = self.kept.get(entry.name())?;
        let mut results: Vec<CaseResult> = kept.ran.iter().map(|ran| ran.result.clone()).collect();
        results.sort_by(|a, b| a.id.cmp(&b.id));
        Some(Stale { path: entry.path(), results })
    }
}

/// The known failures of one capability.
fn known(registry: &Registry, entry: &Entry) -> Vec<KnownFailure> {
    let start = format!("{}/", entry.path());
    registry.all_known().filter(|known| known.id.starts_with(&start)).cloned().collect()
}
