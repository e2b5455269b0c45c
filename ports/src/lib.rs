//! The engine systems of Tiberian Sun, Red Alert 2 and Yuri's Revenge as pure functions.
//!
//! One file a capability: metadata, input, breakdown, function. Nothing here reads a file, a clock or the environment,
//! keeps state, or calls a float function that the platform decides. A port never sees the specs and cases that judge it.

use assay_model::Port;

pub mod combat;
pub mod economy;
pub mod math;
pub mod movement;
pub mod rules;

/// Every capability, by area and name.
pub static ALL: &[&dyn Port] = &[];
