//! Loads golden suites, runs ports against them, compares, and says which stage drifted first. No game knowledge.
//!
//! [`Registry::new`] is the one place where port, spec and suite meet; [`verify`] runs what a [`Selection`] takes and
//! gives a [`Report`](assay_model::Report). Nothing here writes an expected value, and nothing in a corpus makes it
//! panic: whatever is wrong is a [`Problem`](assay_model::Problem) with file, line, column and what to do.
//!
//! ```no_run
//! use assay_harness::{Options, Registry, Selection, disk, verify};
//!
//! # fn main() -> Result<(), String> {
//! let (specs, golden) = disk::read(".".as_ref()).map_err(|problem| problem.to_string())?;
//! let registry = Registry::new(&[], &specs, &golden);
//! let report = verify(&registry, &"combat tag=edge:*".parse::<Selection>()?, &Options::default());
//! assert_eq!(report.verdict(), "pass");
//! # Ok(())
//! # }
//! ```

mod agree;
mod bind;
mod compare;
mod coverage;
pub mod date;
pub mod determinism;
mod digest;
pub mod disk;
pub mod explain;
pub mod external;
pub mod gate;
pub mod lint;
mod load;
mod locate;
pub mod lock;
mod merge;
mod panics;
mod registry;
mod run;
pub mod schema;
pub mod selection;
pub mod shard;
mod standing;
pub mod suite;
pub mod toml_text;
pub mod watch;

use assay_oracles::nearest;
pub use bind::MAX_POINTS;
pub use compare::{EXACT, Mismatch, Rules, compare};
pub use coverage::coverage;
pub use determinism::determinism;
pub use digest::{corpus as corpus_digest, results as result_digest};
pub use gate::{Gate, gate};
pub use load::known::{KnownFailure, KnownFailures};
pub use merge::merge;
pub use nearest::nearest;
pub use registry::{Entry, Registry};
pub use run::{Monitor, Options, Round, Session, Stale, verify, verify_part};
pub use schema::schemas;
pub use selection::Selection;
pub use shard::{Costs, Shard, Slice};
pub use standing::standing;
pub use suite::Suite;
