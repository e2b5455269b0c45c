//! Calls from asynchronous transports: on threads that may block, with no more heavy ones at a time than processors.

use crate::control::Control;
use crate::envelope::Reply;
use crate::snapshot::Gateway;
use crate::surface::Tool;
use prometheus::{HistogramOpts, HistogramVec};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 9] = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 1.0, 10.0];

/// Runs calls. Clones share their limit and their figures.
#[derive(Clone)]
pub struct Pool {
    heavy: Arc<Semaphore>,
    calls: Option<HistogramVec>,
}

impl Default for Pool {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let options =
            HistogramOpts::new("assay_call_duration_seconds", "Calls of tools, whatever the transport.");
        let calls = HistogramVec::new(options.buckets(BUCKETS.to_vec()), &["tool", "outcome"]).ok();
        Self { heavy: Arc::new(Semaphore::new(processors)), calls }
    }
}

/// Stops a call whose caller went away: the future that waited for it was dropped.
struct Waiting(Control);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Pool {
    /// Durations of calls by tool and outcome.
    #[must_use]
    pub const fn calls(&self) -> Option<&HistogramVec> {
        self.calls.as_ref()
    }

    /// Does work that is no call of a tool, such as reading a resource; it may run ports, so it waits for a processor.
    ///
    /// # Errors
    /// The work broke.
    pub async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, &'static str> {
        let permit = Arc::clone(&self.heavy).acquire_owned().await.ok();
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        done.await.map_err(|_| "unexpected failure")
    }

    /// Answers one call. Running and verifying wait for a processor; finding and describing never wait for them.
    ///
    /// # Errors
    /// The call broke outside of everything that turns a panic into a reply.
    pub async fn call(
        &self,
        gateway: &Arc<Gateway>,
        tool: Tool,
        arguments: Value,
        control: Control,
    ) -> Result<Reply, &'static str> {
        let waiting = Waiting(control.clone());
        let permit = match tool {
            Tool::Find | Tool::Describe => None,
            Tool::Run | Tool::Verify => Arc::clone(&self.heavy).acquire_owned().await.ok(),
        };
        let gateway = Arc::clone(gateway);
        let calls = self.calls.clone();
        let called = tokio::task::spawn_blocking(move || {
            let started = Instant::now();
            let reply = gateway.call_with(tool, &arguments, &control);
            let outcome = reply.outcome.as_ref().map_or_else(|refusal| refusal.outcome.as_str(), |_| "ok");
            if let Some(calls) = calls {
                calls.with_label_values(&[tool.name(), outcome]).observe(started.elapsed().as_secs_f64());
            }
            // The processor is busy until the work ends, also when nobody waits for it any more.
            drop(permit);
            reply
        });
        let reply = called.await.map_err(|_| "unexpected failure");
        drop(waiting);
        reply
    }
}
