//! A verification report as text for people, JSON for tools, JUnit for CI and annotations for GitHub; explanations and
//! coverage as text and JSON; several ports side by side ([`compare()`]); problems of the corpus ([`lint`]), also as SARIF;
//! the receipt of a run ([`receipt`]); and how strong the cases are ([`strength`]).
//!
//! Every function is pure: it takes a [`Report`](assay_model::Report) or another result and gives text. Nothing here
//! decides anything; the verdict and the exit code are the report's own.

mod capability;
mod cite;
mod compare;
mod coverage;
mod explain;
mod github;
mod json;
mod junit;
mod layout;
pub mod lint;
pub mod receipt;
#[cfg(test)]
mod sample;
mod sarif;
mod steps;
pub mod strength;
mod text;

pub use capability::explain_capability;
pub use compare::{Agreement, Comparison, Contestant, Divergence, Row, compare, compare_text};
pub use coverage::coverage;
pub use explain::explain_case;
pub use github::github;
pub use json::{document, json, json_all, read};
pub use junit::{junit, junit_all};
pub use layout::{align, fold};
pub use text::{Style, text};
