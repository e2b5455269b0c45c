//! The numeric model and the generators.

use assay_model::Game;

pub mod arctangent;
pub mod compute_crc32;
pub mod compute_distance;
pub mod compute_fast_sqrt;
pub mod compute_x87_chop;
pub mod random;
pub mod root_table;
pub mod simulate_random_range;
pub mod simulate_random_stream;
pub mod sine;
pub mod sine_table;
pub mod x87;

/// The game of an input that names none.
fn yr() -> Game {
    Game::Yr
}
