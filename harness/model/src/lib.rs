//! The words of Assay as types.
//!
//! Everything that ports, oracles, harness, reports and gateway say to each other is defined here, with no I/O and no
//! game knowledge: a [`Port`] and its [`Meta`], the numbers it takes and gives ([`RealArg`], [`Real`], [`Bytes`]), the
//! golden files ([`SuiteFile`]), and what a run says ([`Verdict`], [`Report`]).

pub mod bytes;
pub mod case;
pub mod coverage;
pub mod error;
pub mod explain;
pub mod files;
pub mod number;
pub mod port;
pub mod report;
pub mod rule;
pub mod tree;
pub mod vocab;

pub use bytes::{Attachment, Bytes, Host, Place, ReadAt, Source};
pub use case::{
    CaseEntry, Dispute, ExpectedError, SuiteFile, SweepEntry, Tolerance, Tombstone, VectorHeader,
};
pub use error::{Errno, PortError};
pub use files::{Files, Problem};
pub use number::{Real, RealArg};
pub use port::{Caveat, FnPort, Meta, Output, Port};
pub use report::{Build, CaseKind, CaseResult, Counts, Failure, Outsider, Part, Report, Standing, Verdict};
pub use rule::{Rule, Severity};
pub use tree::Tree;
pub use vocab::{Area, Game, Kind, Status, Tier};
