//! `simulate_bomb_visibility`: whether a player sees the clock of a planted bomb, and in which frames that is asked.

use super::{yes, yr};
use crate::math::compute_distance::{Distance, DistanceInput, compute_distance};
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_bomb_visibility",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Whether a planted bomb can be seen: always by its owner, by others within BombSight, asked every 46 frames.",
    aliases: &[
        "BombSight",
        "BombVisible",
        "BombListClass",
        "BombDisarm",
        "Crazy Ivan",
        "see a bomb",
        "bomb detector",
        "engineer defuse",
        "detect bombs",
    ],
    units: "offsets and ranges in leptons (256 to a cell), sight in cells, times in frames",
    example: r#"{"detectors":[{"dx":1023,"sight":4}],"calls":46}"#,
};

/// The registered port.
pub static PORT: FnPort<BombVisibilityInput, BombVisibility> = FnPort::new(&META, simulate_bomb_visibility);

/// What the countdown begins with.
const PERIOD: i32 = 45;
/// Farthest offset of a detector.
const FARTHEST: i32 = 1_000_000;

/// A bomb and who might see it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BombVisibilityInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Whether the player who looks owns the house that planted it. Default false.
    #[serde(default)]
    pub own: bool,
    /// The player's objects with a `BombSight`, up to 64.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub detectors: Vec<Detector>,
    /// Whether the bomb has a carrier still; it loses it by going off and by being defused. Default true.
    #[serde(default = "yes")]
    pub carrier: bool,
    /// Whether it is seen so far. Default false.
    #[serde(default)]
    pub shown: bool,
    /// Frames left in the countdown of all bombs; default 45, which every refresh sets. A note has 1 after a bomb is planted.
    #[serde(default = "period")]
    pub countdown: i32,
    /// Frames to run, 0 to 1000; default 1.
    #[serde(default = "one_call")]
    #[schemars(range(min = 0, max = 1_000))]
    pub calls: i32,
}

fn period() -> i32 {
    PERIOD
}

fn one_call() -> i32 {
    1
}

/// An object that detects bombs.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Detector {
    /// Leptons from the carrier east, -1000000 to 1000000; default 0.
    #[serde(default)]
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub dx: i32,
    /// Leptons from the carrier south, -1000000 to 1000000; default 0.
    #[serde(default)]
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub dy: i32,
    /// Leptons above the carrier, -1000000 to 1000000; default 0.
    #[serde(default)]
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    pub dz: i32,
    /// `BombSight` of its type in cells, 0 to 8388607 (stock: 4 for engineers).
    #[schemars(range(min = 0, max = 8_388_607))]
    pub sight: i32,
}

/// Whether the bomb is seen.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BombVisibility {
    /// Whether the bomb is struck from the list, for it has no carrier (clause purge.1).
    pub purged: bool,
    /// The detectors, in the order given (clause detect.1).
    pub detectors: Vec<Detected>,
    /// What a refresh finds (clauses own.1, detect.1).
    pub seen: bool,
    /// The frames that refresh, counted from 1 (clause period.1).
    pub refreshes: Vec<i32>,
    /// Whether the bomb is seen after the last frame.
    pub shown: bool,
    /// The countdown after the last frame.
    pub countdown: i32,
}

/// What one detector sees.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Detected {
    /// From the carrier to the detector, with the stages of `compute_distance`.
    pub distance: Distance,
    /// Leptons that it must be nearer than.
    pub range: i32,
    /// Whether it is.
    pub sees: bool,
}

/// Whether a bomb is seen.
///
/// # Errors
/// `EINVAL` at the field for values out of their ranges and for more than 64 detectors; `EOPNOTSUPP` for a game without
/// evidence.
pub fn simulate_bomb_visibility(input: &BombVisibilityInput) -> Result<BombVisibility, PortError> {
    META.offers(input.game)?;
    within(input.calls, "calls", 0, 1_000)?;
    if input.detectors.len() > 64 {
        return Err(PortError::invalid("detectors", "must be at most 64"));
    }
    let detectors = input.detectors.iter().map(|detector| detected(detector, input.game));
    let detectors = detectors.collect::<Result<Vec<_>, _>>()?;
    let seen = input.carrier && (input.own || detectors.iter().any(|detector| detector.sees));
    let mut result = BombVisibility {
        purged: !input.carrier,
        detectors,
        seen,
        refreshes: Vec::new(),
        shown: input.shown && input.carrier,
        countdown: input.countdown,
    };
    for call in 1..=input.calls {
        if result.countdown > 0 {
            result.countdown -= 1;
        } else {
            result.countdown = PERIOD;
            result.shown = seen;
            result.refreshes.push(call);
        }
    }
    Ok(result)
}

/// One detector.
fn detected(detector: &Detector, game: Game) -> Result<Detected, PortError> {
    let Detector { dx, dy, dz, sight } = *detector;
    for offset in [dx, dy, dz] {
        within(offset, "detectors", -FARTHEST, FARTHEST)?;
    }
    within(sight, "detectors", 0, 8_388_607)?;
    let way =
        DistanceInput { game, dx, dy, dz, planar: false, level_snap: false, building: None, target: true };
    let distance = compute_distance(&way)?;
    let range = sight << 8;
    Ok(Detected { sees: distance.result < range, distance, range })
}
