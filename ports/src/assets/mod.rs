//! File formats and their codecs: bytes in, a breakdown out.

pub mod csf_decode;
pub mod hva_decode;
pub mod pal_decode;
pub mod pcx_decode;
pub mod shp_ts_decode;
pub mod shp_ts_list;
pub(crate) mod source;
pub mod tmp_ts_decode;
pub mod vxl_decode;
pub mod vxl_inspect;
pub mod zero_run_row;

use assay_model::Game;

/// Default of the field `game`.
fn yr() -> Game {
    Game::Yr
}
