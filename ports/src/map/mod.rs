//! Cells of a map as its file writes them.

use assay_model::Game;

pub mod compute_map_cell_number;
pub mod parse_waypoint;

/// The game of an input that names none.
fn yr() -> Game {
    Game::Yr
}
