//! From a change on the disk to a new snapshot, or to the reason why the old one stays.
//!
//! Only what can be trusted replaces what is served: everything loads, and `golden/index.lock` is current, so that half of
//! a file, even one cut between two cases, never gets out. Drift is no reason to stay: it is what a reply has to say.

use super::gateway::{Gateway, Kept};
use super::{Snapshot, now};
use crate::eyes::{Eyes, Heard, gather, relative};
use assay_harness::watch::{Screen, Watch};
use assay_harness::{Options, Selection};
use assay_model::{Problem, Report};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A new snapshot answers from now on.
    Published {
        /// Its sequence number.
        sequence: u64,
        /// `pass` or `fail`.
        verdict: &'static str,
        /// Files that changed since the one before.
        changed: Vec<String>,
    },
    /// The old snapshot stays.
    Kept {
        /// Its sequence number.
        sequence: u64,
        /// What is wrong on the disk.
        problems: Vec<Problem>,
    },
    /// The disk says again what is served.
    Restored {
        /// Sequence number of what is served.
        sequence: u64,
    },
    /// It cannot go on watching.
    Blind(String),
}

impl News {
    /// One line for people.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Published { sequence, verdict, changed } => {
                format!("snapshot {sequence} published: {verdict}; changed {}", few(changed))
            }
            Self::Kept { sequence, problems } => {
                let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
                format!("snapshot {sequence} kept: {}", few(&shown))
            }
            Self::Restored { sequence } => format!("snapshot {sequence} is again what the checkout says"),
            Self::Blind(why) => format!("the checkout is not watched any more: {why}"),
        }
    }
}

fn few(lines: &[String]) -> String {
    const SHOWN: usize = 3;
    let more = lines.len().saturating_sub(SHOWN);
    let shown = lines.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    if more == 0 { shown } else { format!("{shown}; and {more} more") }
}

/// What tells two states of a checkout apart.
#[derive(PartialEq, Eq)]
struct Identity {
    corpus: String,
    results: String,
    problems: Vec<Problem>,
}

/// A checkout, and which state of it is served.
pub(super) struct Renewal {
    watch: Watch,
    served: Identity,
    /// Files that changed since it has been served.
    changed: BTreeSet<String>,
}

impl Renewal {
    /// Reads and verifies the checkout at `root` for the first snapshot. There is no older one to keep, so it is made
    /// whatever is wrong with the checkout; replies then say that it is broken.
    pub(super) fn open(root: &Path) -> Result<(Self, Snapshot), Problem> {
        let (watch, screen) = Watch::open(assay_ports::ALL, root, Selection::all(), &Options::dated())?;
        let snapshot = Snapshot::verified(Arc::clone(watch.registry()), screen.report.standings.clone());
        let served = identity(&screen.report, &problems(&screen));
        Ok((Self { watch, served, changed: BTreeSet::new() }, snapshot))
    }

    /// Reads what lies at these paths again. `None` when that changes nothing.
    fn apply(&mut self, gateway: &Gateway, paths: &BTreeSet<String>) -> Option<News> {
        let screen = self.watch.apply(paths, &Options::dated())?;
        let current = gateway.snapshot().ok()?;
        self.changed.extend(screen.changed.iter().cloned());
        let problems = problems(&screen);
        let identity = identity(&screen.report, &problems);
        if self.served == identity {
            let strayed = gateway.kept().is_some();
            self.changed.clear();
            gateway.keep(None);
            return strayed.then(|| News::Restored { sequence: current.sequence() });
        }
        if !problems.is_empty() {
            gateway.keep(Some(Kept { ut: now(), problems: problems.clone() }));
            return Some(News::Kept { sequence: current.sequence(), problems });
        }
        let verdict = screen.report.verdict();
        let next = current.renewed(Arc::clone(self.watch.registry()), screen.report.standings);
        let sequence = next.sequence();
        gateway.publish(next);
        self.served = identity;
        let changed = std::mem::take(&mut self.changed).into_iter().collect();
        Some(News::Published { sequence, verdict, changed })
    }
}

/// Everything wrong, the lock included.
fn problems(screen: &Screen) -> Vec<Problem> {
    screen.report.problems.iter().chain(&screen.lock).cloned().collect()
}

fn identity(report: &Report, problems: &[Problem]) -> Identity {
    Identity {
        corpus: report.corpus_digest.clone(),
        results: report.result_digest.clone(),
        problems: problems.to_vec(),
    }
}

/// Watches for as long as it is kept.
pub struct Watcher {
    stop: Sender<Heard>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.stop.send(Heard::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Gateway {
    /// Watches the checkout on a thread of its own and publishes a new snapshot whenever a change leaves it sound. To be
    /// called before the first snapshot is asked for: the watch reads, binds and verifies that one too. `tell` hears what
    /// became of each change, and `note` what the system cannot do.
    ///
    /// # Errors
    /// There is no checkout to watch, or a snapshot stands already; a fragment that fits after "failed to".
    pub fn watch(
        self: &Arc<Self>,
        tell: impl Fn(&News) + Send + 'static,
        note: fn(&str),
    ) -> Result<Watcher, String> {
        let root = self.root().ok_or("watch: name a checkout with --root")?;
        let root = root.canonicalize().map_err(|error| format!("find {}: {error}", root.display()))?;
        let (stop, receiver) = channel();
        // Watched before anything is read, so that no save falls between the two.
        let mut eyes = Eyes::open(&root, &stop, note);
        self.expect_watch()?;
        let gateway = Arc::clone(self);
        let thread = std::thread::spawn(move || {
            let mut renewal = match gateway.take_renewal() {
                Ok(renewal) => renewal,
                Err(why) => return tell(&News::Blind(why)),
            };
            while let Some((paths, _)) = gather(&receiver, &eyes) {
                eyes.follow(&paths);
                let applied =
                    catch_unwind(AssertUnwindSafe(|| renewal.apply(&gateway, &relative(&root, &paths))));
                match applied {
                    Ok(news) => news.iter().for_each(&tell),
                    // Half of a step may be done; what is served stands all the same.
                    Err(_) => return tell(&News::Blind("unexpected failure".to_owned())),
                }
            }
        });
        Ok(Watcher { stop, thread: Some(thread) })
    }
}
