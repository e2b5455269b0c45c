//! Running the made-up corpus against a child that behaves in some way.

use crate::support::{Corpus, RIGHT};
use assay_harness::external::{External, KnownList, Limits};
use assay_harness::{Options, Selection};
use assay_model::Report;
use std::time::{Duration, Instant};

/// A name and a body.
pub type Test = (&'static str, fn());

/// What starts a child that behaves like that.
pub fn command(behaviour: &str) -> String {
    let own = std::env::current_exe().unwrap();
    format!("'{}' child {behaviour}", own.display())
}

/// Limits that a loaded machine keeps, with fewer starts than there are questions.
pub fn quick() -> Limits {
    Limits { answer: Duration::from_secs(10), restarts: 400, ..Limits::default() }
}

/// Limits for a port that will say nothing.
pub fn hasty() -> Limits {
    Limits { answer: Duration::from_secs(1), ..quick() }
}

/// Judges a child by the whole made-up corpus.
pub fn run(behaviour: &str) -> Report {
    run_with(behaviour, quick(), None, None)
}

pub fn run_with(behaviour: &str, limits: Limits, jobs: Option<usize>, known: Option<&KnownList>) -> Report {
    let registry = Corpus::whole().registry(&RIGHT);
    let port = External::open(&command(behaviour), limits).unwrap();
    port.verify(&registry, &Selection::all(), &Options { jobs, ..Options::default() }, known)
}

/// Why a child cannot be judged at all.
pub fn refused(behaviour: &str, limits: Limits) -> String {
    External::open(&command(behaviour), limits).err().unwrap()
}

/// The same, which must be over in time: a hostile port is never waited on without a limit.
pub fn within<T>(seconds: u64, body: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = body();
    assert!(start.elapsed() < Duration::from_secs(seconds), "took {:?}", start.elapsed());
    done
}

/// Rule and message of a failure of the toy.
pub fn failure(report: &Report, case: &str) -> (String, String) {
    let result = crate::support::result(report, case);
    result.failure.as_ref().map(|f| (f.rule.clone(), f.message.clone())).unwrap_or_default()
}

/// Ids of the results with a verdict.
pub fn with(report: &Report, verdict: assay_model::Verdict) -> Vec<&str> {
    let results = report.results.iter().filter(|result| result.verdict == verdict);
    results.map(|result| result.id.rsplit('/').next().unwrap_or_default()).collect()
}
