//! Light and colour: house colours, palettes, tints.

use assay_model::Game;

pub mod compute_house_color_ramp;

/// The game of an input that names none.
fn yr() -> Game {
    Game::Yr
}
