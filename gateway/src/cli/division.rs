//! One part of a run, and what the pieces of a run cost.

use super::arguments::Verify;
use super::output;
use crate::corpus;
use assay_harness::{Costs, Monitor, Options, Registry, Selection, Slice, verify, verify_part};
use assay_model::Report;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Bytes of a file that is read: a report of a million cases has a few hundred million.
const MAX_FILE: u64 = 1 << 30;

/// Runs the selection, or the part of it that was asked for; writes down what it cost, if that was asked for too.
pub(super) fn run(
    registry: &Registry,
    selection: &Selection,
    mut options: Options,
    arguments: &Verify,
) -> Result<Report, String> {
    let stopwatch = arguments.write_costs.as_ref().map(|_| Arc::new(Stopwatch::default()));
    if let Some(stopwatch) = &stopwatch {
        options.monitor = Some(Arc::clone(stopwatch) as Arc<dyn Monitor>);
    }
    let report = match arguments.shard {
        None => verify(registry, selection, &options),
        Some(shard) => {
            let costs = arguments.costs.as_deref().map_or_else(|| Ok(Costs::default()), costs)?;
            let slice = Slice::new(registry, selection, shard, &costs);
            let slice = slice.map_err(|error| format!("failed to divide the run: {error}"))?;
            let (cases, selected) = (slice.ids().count(), slice.part().selected);
            output::note(&format!(
                "shard {shard}: {cases} of {selected} cases, which vouch for no suite by themselves"
            ));
            verify_part(registry, selection, &slice, &options)
        }
    };
    if let (Some(place), Some(stopwatch)) = (&arguments.write_costs, stopwatch) {
        let costs = stopwatch.costs.lock().unwrap_or_else(PoisonError::into_inner);
        corpus::write(place, &costs.to_string())?;
    }
    Ok(report)
}

fn costs(place: &Path) -> Result<Costs, String> {
    read(place)?.parse().map_err(|error| format!("failed to read {}: {error}", place.display()))
}

/// Reads a file that somebody named, never more than [`MAX_FILE`].
pub(super) fn read(place: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("failed to read {}: {error}", place.display());
    let mut text = String::new();
    let file = File::open(place).map_err(failed)?;
    file.take(MAX_FILE + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MAX_FILE {
        return Err(format!("failed to read {}: is over {} MiB", place.display(), MAX_FILE >> 20));
    }
    Ok(text)
}

/// How many threads a run has.
pub(super) fn threads(jobs: Option<u16>) -> u64 {
    let all = || std::thread::available_parallelism().map_or(1, |number| number.get() as u64);
    jobs.map_or_else(all, u64::from)
}

/// Notes how long each piece takes.
#[derive(Default)]
struct Stopwatch {
    costs: Mutex<Costs>,
}

impl Monitor for Stopwatch {
    fn ran(&self, _done: usize, _total: usize) {}

    fn stopped(&self) -> bool {
        false
    }

    fn took(&self, id: &str, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.costs.lock().unwrap_or_else(PoisonError::into_inner).set(id, microseconds);
    }
}
