//! Engine systems of the area `movement`.

use assay_model::Game;

pub mod compute_facing_bucket;
pub mod compute_facing_from_delta;
pub mod simulate_facing_rotation;

/// The game of an input that names none.
pub(crate) const fn default_game() -> Game {
    Game::Yr
}
