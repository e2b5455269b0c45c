//! The core of `assay watch`: which suites a change touches, and what the whole looks like after it.
//!
//! [`Watch::apply`] is told which paths may have changed, reads those again, binds and runs what they touched, and gives
//! the state of everything. Who watches the disk, and who draws, is no concern of it.

use crate::disk::Checkout;
use crate::registry::Registry;
use crate::run::{Options, Round, Session, Stale};
use crate::selection::Selection;
use assay_model::{Files, Port, Problem, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A checkout under watch.
pub struct Watch {
    files: Checkout,
    registry: Arc<Registry>,
    session: Session,
}

/// The state of everything after a change.
pub struct Screen {
    /// What a run of everything selected would report, but for the lock. A file that cannot be read is one of its
    /// problems.
    pub report: Report,
    /// Where the lock is out of date: usual while cases are being written, so it is told apart.
    pub lock: Vec<Problem>,
    /// Files whose content changed, relative to the checkout.
    pub changed: Vec<String>,
    /// Paths of the suites that were bound anew.
    pub bound: Vec<String>,
    /// How many cases, sweeps and vectors ran, by the path of their suite; what is shown of the others is from before.
    pub ran: BTreeMap<String, usize>,
    /// Suites that do not load now, with their last good results.
    pub stale: Vec<Stale>,
    /// How long each part took.
    pub took: Took,
}

/// Wall time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// Reading files.
    pub read: Duration,
    /// Parsing and binding.
    pub bind: Duration,
    /// Running and judging.
    pub run: Duration,
}

impl Watch {
    /// Reads the checkout at `root` and verifies what `selection` takes.
    ///
    /// # Errors
    /// A problem when `root` is no Assay checkout. Whatever is wrong inside it is on the screen.
    pub fn open(
        ports: &'static [&'static dyn Port],
        root: &Path,
        selection: Selection,
        options: &Options,
    ) -> Result<(Self, Screen), Problem> {
        let started = Instant::now();
        let files = Checkout::open(root)?;
        let read = started.elapsed();
        let nothing = Files { origin: files.specs.origin.clone(), ..Files::default() };
        let registry = Arc::new(Registry::new(ports, &nothing, &nothing));
        let mut watch = Self { files, registry, session: Session::new(selection) };
        let screen = watch.show(Vec::new(), read, options);
        Ok((watch, screen))
    }

    /// Reads again what lies at these paths (relative, `/` between parts, files or folders; the empty path is
    /// everything), and verifies what they touch. `None` when nothing that is read has changed.
    pub fn apply(&mut self, paths: &BTreeSet<String>, options: &Options) -> Option<Screen> {
        let started = Instant::now();
        let changed: BTreeSet<String> = paths.iter().flat_map(|path| self.files.refresh(path)).collect();
        let read = started.elapsed();
        (!changed.is_empty()).then(|| self.show(changed.into_iter().collect(), read, options))
    }

    /// The registry as it is now; whoever keeps it keeps this state.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    fn show(&mut self, changed: Vec<String>, read: Duration, options: &Options) -> Screen {
        let started = Instant::now();
        let renewed = self.registry.renew(&self.files.specs, &self.files.golden);
        let pairs = self.registry.entries().iter().zip(renewed.entries());
        let another = pairs.filter(|(before, now)| match (&before.suite, &now.suite) {
            (Some(before), Some(now)) => !Arc::ptr_eq(before, now),
            (before, now) => before.is_some() != now.is_some(),
        });
        let bound = another.map(|(_, now)| now.path()).collect();
        self.registry = Arc::new(renewed);
        let bind = started.elapsed();
        let Round { mut report, ran, stale } = self.session.verify(&self.registry, options);
        self.unread(&mut report.problems);
        let (lock, problems) =
            report.problems.into_iter().partition(|problem| problem.file == crate::lock::PATH);
        report.problems = problems;
        let took = Took { read, bind, run: started.elapsed() - bind };
        Screen { report, lock, changed, bound, ran, stale, took }
    }

    /// What cannot be read is not missing.
    fn unread(&self, problems: &mut Vec<Problem>) {
        problems.retain(|problem| !self.files.unread.contains_key(&problem.file));
        problems.extend(self.files.unread.values().cloned());
        problems.sort();
    }
}
