//! Watching a run from outside: how far it is, and an end before its end.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Who watches a run.
pub trait Monitor: Send + Sync {
    /// `done` of `total` pieces of work have run. Called from many threads, in no order.
    fn ran(&self, done: usize, total: usize);

    /// Whether to stop: pieces that have not started then never do.
    fn stopped(&self) -> bool;
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

    /// One piece of work, unless the run was stopped.
    pub fn unless_stopped<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let Some(monitor) = self.monitor else { return Some(work()) };
        if monitor.stopped() {
            return None;
        }
        let result = work();
        monitor.ran(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.total);
        Some(result)
    }
}
