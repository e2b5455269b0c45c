//! The numeric model and the generators.

pub mod x87;
