//! The link between a running call and whoever waits for it: how far it is, and that it should stop.

use assay_harness::Monitor;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Told `done` and `total`, from many threads and in no order.
type Listener = dyn Fn(usize, usize) + Send + Sync;

/// One call as its caller sees it. Clones are the same call.
#[derive(Clone, Default)]
pub struct Control {
    stopped: Arc<AtomicBool>,
    listener: Option<Arc<Listener>>,
}

impl Control {
    /// A call whose progress somebody wants to know.
    pub fn listening(listener: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self { stopped: Arc::default(), listener: Some(Arc::new(listener)) }
    }

    /// Asks the call to stop. What is under way finishes its piece.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl Monitor for Control {
    fn ran(&self, done: usize, total: usize) {
        if let Some(listener) = &self.listener {
            listener(done, total);
        }
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("stopped", &self.stopped()).finish_non_exhaustive()
    }
}
