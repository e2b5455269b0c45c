//! `simulate_temporal_erase`: how long chrono beams take to erase a target, with beams that join and let go.

use super::yr;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_temporal_erase",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Frames until chrono beams erase a target: ten points for each point of strength, less every beam's damage.",
    aliases: &[
        "Temporal",
        "TemporalClass",
        "Chrono Legionnaire",
        "NeutronRifle",
        "WarpPerStep",
        "OpenToppedWarpDistance",
        "chrono beam",
        "erase",
        "warp out",
        "chrono freeze",
    ],
    units: "strength and damage in points, times in frames, distances in leptons (256 to a cell)",
    example: r#"{"strength":400,"beams":[{"damage":8},{"damage":8}]}"#,
};

/// The registered port.
pub static PORT: FnPort<TemporalInput, Temporal> = FnPort::new(&META, simulate_temporal_erase);

/// Points for each point of strength.
const POINTS: i32 = 10;
/// Beams that all readings of the chain count.
const MAX_BEAMS: usize = 51;
/// The last frame that is looked at.
const MAX_FRAME: i32 = 1_000_000;

/// A target and the beams on it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TemporalInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Strength` of the target's type in points, 1 to 100000000, whatever health it has left.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub strength: i32,
    /// The beams, 1 to 51.
    #[schemars(length(min = 1, max = 51))]
    pub beams: Vec<Beam>,
    /// Last frame to look at, 1 to 1000000; default 1000000.
    #[serde(default = "last_frame")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub frames: i32,
    /// For one beam fired out of an open-topped transport: how far the firer is from the target in leptons, at least 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub ride_distance: Option<i32>,
    /// `OpenToppedWarpDistance` in cells, 0 to 8388607; default 5 (the constructor; stock 7).
    #[serde(default = "warp_distance")]
    #[schemars(range(min = 0, max = 8_388_607))]
    pub warp_distance: i32,
}

fn last_frame() -> i32 {
    MAX_FRAME
}

fn warp_distance() -> i32 {
    5
}

/// A beam.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// `Damage` of the weapon in points, 0 to 100000.
    #[schemars(range(min = 0, max = 100_000))]
    pub damage: i32,
    /// First frame in which it counts, 1 to 1000000; default 1.
    #[serde(default = "first")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub first: i32,
    /// Last frame in which it counts, not before the first; without it the beam stays.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub last: Option<i32>,
}

fn first() -> i32 {
    1
}

/// How the target fares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Temporal {
    /// Points of the target when the first beam takes hold (clause points.1).
    pub points: i32,
    /// Of a beam out of a transport: leptons that it reaches (clause ride.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach: Option<i32>,
    /// Whether it holds (clause ride.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// What the beams did, from one change among them to the next.
    pub stages: Vec<Stage>,
    /// Frame in which the target is erased, if it is (clause erased.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erased_at: Option<i32>,
    /// Points left in the end; all of them where nobody holds the target (clause release.1).
    pub left: i32,
}

/// The same beams for some frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stage {
    /// First frame.
    pub from: i32,
    /// Frames that count.
    pub frames: i32,
    /// Beams on the target.
    pub beams: u32,
    /// Points that a frame takes (clause frame.1).
    pub per_frame: i32,
    /// Points left after the last of them (clauses pass.1, release.1).
    pub left: i32,
}

/// Chrono beams on a target.
///
/// # Errors
/// `EINVAL` at the field for values out of their ranges, at `beams` for a beam that ends before it begins and for none or
/// more than 51, and at `ride_distance` when there is more than one beam; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_temporal_erase(input: &TemporalInput) -> Result<Temporal, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let points = input.strength * POINTS;
    let reach = input.ride_distance.map(|_| input.warp_distance << 8);
    let holds = input.ride_distance.zip(reach).map(|(distance, reach)| distance <= reach);
    let mut result = Temporal { points, reach, holds, stages: Vec::new(), erased_at: None, left: points };
    if holds == Some(false) {
        return Ok(result);
    }
    let bounds = bounds(input);
    for pair in bounds.windows(2) {
        let (from, until) = (pair[0], pair[1]);
        let on = || {
            input.beams.iter().filter(|beam| beam.first <= from && beam.last.is_none_or(|last| from <= last))
        };
        let (beams, per_frame) = (on().count() as u32, on().map(|beam| beam.damage).sum::<i32>());
        let mut frames = until - from;
        if beams == 0 {
            result.left = points;
        } else if per_frame > 0 && needed(result.left, per_frame) <= frames {
            frames = needed(result.left, per_frame);
            result.erased_at = Some(from + frames - 1);
            result.left -= per_frame * frames;
        } else {
            result.left -= per_frame * frames;
        }
        result.stages.push(Stage { from, frames, beams, per_frame, left: result.left });
        if result.erased_at.is_some() {
            break;
        }
    }
    Ok(result)
}

/// Frames until no point is left.
fn needed(points: i32, per_frame: i32) -> i32 {
    (points - 1) / per_frame + 1
}

/// The frames in which the beams change, the first of all and the one after the last.
fn bounds(input: &TemporalInput) -> Vec<i32> {
    let end = input.frames + 1;
    let changes = input.beams.iter().flat_map(|beam| [Some(beam.first), beam.last.map(|last| last + 1)]);
    let mut bounds: Vec<i32> = changes.flatten().chain([1, end]).map(|frame| frame.min(end)).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

/// The ranges that the schema states.
fn check(input: &TemporalInput) -> Result<(), PortError> {
    within(input.strength, "strength", 1, 100_000_000)?;
    within(input.frames, "frames", 1, MAX_FRAME)?;
    within(input.warp_distance, "warp_distance", 0, 8_388_607)?;
    if input.beams.is_empty() || input.beams.len() > MAX_BEAMS {
        return Err(PortError::invalid(
            "beams",
            "must be 1 to 51: the accounts of a longer chain differ by one",
        ));
    }
    for beam in &input.beams {
        within(beam.damage, "beams", 0, 100_000)?;
        within(beam.first, "beams", 1, MAX_FRAME)?;
        within(beam.last.unwrap_or(MAX_FRAME), "beams", beam.first, MAX_FRAME)?;
    }
    if let Some(distance) = input.ride_distance {
        within(distance, "ride_distance", 0, i32::MAX)?;
        if input.beams.len() > 1 {
            return Err(PortError::invalid(
                "ride_distance",
                "is asked of the first beam of a chain only, and when the next one takes over was not read: give one beam",
            ));
        }
    }
    Ok(())
}
