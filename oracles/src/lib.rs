//! Specs, sources, tiers and the exact derivation interpreter: the judge that never sees a port.
//!
//! [`Oracle::load`] reads `oracles/sources.toml`, `oracles/specs/<area>/<capability>.md` and `oracles/tables/<name>.json`
//! from a set of files and collects every problem with its place. [`Oracle::tier`] computes how well a clause is
//! supported for a game. [`mod@derive`] evaluates the derivations of golden cases exactly.

pub mod derive;

pub mod nearest;
pub mod reader;

mod clause;
mod oracle;
mod schema;
mod source;
mod spec;
mod table;
mod tier;

pub use clause::Clause;
pub use oracle::Oracle;
pub use schema::schemas;
pub use source::{Source, SourceKind, Sources};
pub use spec::{Spec, front_matter};
