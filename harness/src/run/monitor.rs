//! Watching a run from outside: how far it is, and an end before its end.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Who watches a run.
pub trait Monitor: Send + Sync {
    /// `done` of `total` pieces of work have run. Called from many threads, in no order.
    fn ran(&self, done: usize, total: usize);

    /// Whether to stop: pieces that have not started then never do.
    fn stopped(&self) -> bool;

    /// How long a piece took, by the clock of the thread that ran it. Called from many threads, in no order; nobody needs to
    /// listen.
    fn took(&self, _id: &str, _time: Duration) {}
}

impl fmt::Debug for dyn Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Monitor")
    }
}

/// Counts the pieces for a monitor, if there is one.
pub(super) struct Tally<'a> {
    monitor: Option<&'a dyn Monitor>,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Tally<'a> {
    pub const fn new(monitor: Option<&'a dyn Monitor>, total: usize) -> Self {
        Self { monitor, done: AtomicUsize::new(0), total }
    }

    /// One piece of work, unless the run was stopped; `id` if it is one case alone.
    pub fn unless_stopped<T>(&self, id: Option<&str>, work: impl FnOnce() -> T) -> Option<T> {
        let Some(monitor) = self.monitor else { return Some(work()) };
        if monitor.stopped() {
            return None;
        }
        let started = Instant::now();
        let result = work();
        if let Some(id) = id {
            monitor.took(id, started.elapsed());
        }
        monitor.ran(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.total);
        Some(result)
    }
}
