//! A verification report as text for people, JSON for tools, JUnit for CI and annotations for GitHub; and how strong the
//! cases are ([`strength`]).
//!
//! Every function is pure: it takes a [`Report`](assay_model::Report) and gives text. Nothing here decides anything;
//! the verdict and the exit code are the report's own.

mod github;
mod json;
mod junit;
#[cfg(test)]
mod sample;
pub mod strength;
mod text;

pub use github::github;
pub use json::json;
pub use junit::junit;
pub use text::{Style, text};
