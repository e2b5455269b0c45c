//! Explains a case step by step and a capability clause by clause: what stands in the files, what the interpreter makes
//! of it, and what the port says to it just now.
//!
//! Nothing here judges. The verdict is that of [`verify`](crate::verify), and the first difference is the one that it
//! names.

mod capability;
mod case;
mod clause;
mod find;
mod port;
mod stages;
mod steps;
mod sweep;

pub use capability::capability;
pub use case::case;
pub use find::{Found, find};
