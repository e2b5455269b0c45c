//! Rules text, and arguments that several areas check alike.

pub mod argument;
pub mod text;
