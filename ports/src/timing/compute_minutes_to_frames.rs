//! `compute_minutes_to_frames`: how a rules time in minutes becomes frames.
//!
//! 900 frames to a minute, and truncation: `.03` is 26 frames and not 27, because the single nearest to .03 is below it.

use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_minutes_to_frames",
    area: Area::Timing,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "A rules time in minutes as frames: times 900, truncated; .03 makes 26.",
    aliases: &[
        "minutes to frames",
        "frames per minute",
        "900 frames",
        "ticks per minute",
        "TICKS_PER_MINUTE",
        "Rate",
        "RepairRate",
        "IRepairRate",
        "ReloadRate",
        "HarvesterDumpRate",
        "C4Delay",
        "BuildupTime",
        "GateCloseDelay",
        "DeployTime",
        "GrowthRate",
        "rules time",
    ],
    units: "minutes in, frames out (15 a second, 900 a minute)",
    example: r#"{"minutes":".03"}"#,
};

/// The port.
pub static PORT: FnPort<MinutesToFramesInput, MinutesToFrames> =
    FnPort::new(&META, compute_minutes_to_frames);

/// Frames to a minute: the double at 0x007E27F8 of the YR executable.
const FRAMES_PER_MINUTE: f64 = 900.0;

/// A time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinutesToFramesInput {
    /// Game whose reader and rule apply. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Minutes: rules text goes through the generic real reader (nearest binary32, then widened; `%` scales); a number is
    /// the binary64 that the engine holds, such as a constructor's default. Any finite value.
    pub minutes: RealArg,
}

fn yr() -> Game {
    Game::Yr
}

/// The stages of the conversion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MinutesToFrames {
    /// Minutes that the engine holds, a binary64 (clause held.1).
    pub minutes: Real,
    /// Minutes times 900, rounded toward zero (clauses factor.1, product.1).
    pub product: Real,
    /// Frames that a machine which rounds to nearest gives, for comparison; no stage reads it.
    pub nearest: i32,
    /// The frames (clause product.1).
    pub frames: i32,
}

/// Converts a time in minutes to frames.
///
/// # Errors
/// `EINVAL` at `minutes` for text without a number and for values that are not finite; `EOPNOTSUPP` for a game without
/// evidence.
pub fn compute_minutes_to_frames(input: &MinutesToFramesInput) -> Result<MinutesToFrames, PortError> {
    META.offers(input.game)?;
    let minutes = double(&input.minutes, "minutes", input.game, Reader::Double)?;
    let product = x87::mul(minutes, FRAMES_PER_MINUTE);
    Ok(MinutesToFrames {
        minutes: Real(minutes),
        product: Real(product),
        nearest: x87::ftol(minutes * FRAMES_PER_MINUTE),
        frames: x87::ftol(product),
    })
}
