//! Engine systems of the area `rules`, how rules text is read, and arguments that several areas check alike.

pub mod argument;
pub mod parse_ability_list;
pub mod text;
