//! Rules text.

pub mod text;
