//! `simulate_self_heal`: the points that a self-healing type or rank gets back over a run of frames.

use super::{only, within, yes, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use crate::timing::compute_minutes_to_frames::{
    MinutesToFrames, MinutesToFramesInput, compute_minutes_to_frames,
};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_self_heal",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "Self-healing pulse of units: a point on every frame that the repair rate divides.",
    aliases: &[
        "SelfHealing",
        "SELF_HEAL",
        "self-healing",
        "regeneration",
        "heal over time",
        "RepairRate",
        "ConditionYellow",
        "elite self repair",
    ],
    units: "health in points, rates in minutes, time in frames (15 a second)",
    example: r#"{"health":100,"strength":400,"rate":".016","frames":60}"#,
};

/// The registered port.
pub static PORT: FnPort<SelfHealInput, SelfHeal> = FnPort::new(&META, simulate_self_heal);

/// Latest frame to begin with.
const LATEST: i32 = 1_000_000_000;
/// Frames of one run at most.
const FRAMES: i32 = 4096;

/// An object and a run of frames.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelfHealInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Health before the run in points, 1 or more.
    #[schemars(range(min = 1))]
    pub health: i32,
    /// `Strength` of the type in points, 1 or more.
    #[schemars(range(min = 1))]
    pub strength: i32,
    /// `RepairRate` in minutes, a frame at least; default .016 (also stock).
    #[serde(default = "rate")]
    pub rate: RealArg,
    /// `SelfHealing` of the type. Default true.
    #[serde(default = "yes")]
    pub self_healing: bool,
    /// Whether the object's rank holds SELF_HEAL. Default false.
    #[serde(default)]
    pub self_heal_ability: bool,
    /// TS only: `ConditionYellow`, a share from 0 to less than 1, default .5 (also stock).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.5))]
    pub condition_yellow: Option<RealArg>,
    /// First frame of the run, counted from the start of the game, 0 to 1000000000; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub frame: i32,
    /// Frames to run, 1 to 4096.
    #[schemars(range(min = 1, max = 4096))]
    pub frames: i32,
}

fn rate() -> RealArg {
    RealArg::Held(0.016)
}

/// The run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SelfHeal {
    /// The rate in frames (clause period.1).
    pub pace: MinutesToFrames,
    /// Whether the object heals by itself at all (clause who.1).
    pub able: bool,
    /// The frames that the rate divides, if it does (clause period.1).
    pub pulses: Vec<Pulse>,
    /// Points gained in the run.
    pub gained: i32,
    /// Health after the run.
    pub health: i32,
}

/// A frame that the rate divides.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pulse {
    /// The frame, counted from the start of the game.
    pub frame: i32,
    /// TS: health over strength before the point (clause limit.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Real>,
    /// Whether a point comes (clauses limit.1, limit.2).
    pub healed: bool,
    /// Health after the frame (clause amount.1).
    pub health: i32,
}

/// Runs the frames.
///
/// # Errors
/// `EINVAL` at the field for a number out of its range, a rate of less than a frame, text without a number, and
/// `condition_yellow` in YR; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn simulate_self_heal(input: &SelfHealInput) -> Result<SelfHeal, PortError> {
    META.offers(input.game)?;
    only(Game::Ts, input.game, input.condition_yellow.is_some(), "condition_yellow")?;
    let minutes = MinutesToFramesInput { game: input.game, minutes: input.rate.clone() };
    let pace =
        compute_minutes_to_frames(&minutes).map_err(|error| PortError::invalid("rate", error.message))?;
    if pace.frames < 1 {
        return Err(PortError::invalid("rate", "is less than a frame, and the engine divides by it"));
    }
    within(input.health, "health", 1, i32::MAX)?;
    within(input.strength, "strength", 1, i32::MAX)?;
    within(input.frame, "frame", 0, LATEST)?;
    within(input.frames, "frames", 1, FRAMES)?;
    let yellow = yellow(input)?;
    let able = input.self_healing || input.self_heal_ability;
    let mut health = input.health;
    let mut pulse = |frame: i32| {
        let ratio = yellow.map(|_| x87::div(f64::from(health), f64::from(input.strength)));
        let healed = match (ratio, yellow) {
            (Some(ratio), Some(yellow)) => ratio <= yellow,
            _ => health < input.strength,
        };
        health += i32::from(healed);
        Pulse { frame, ratio: ratio.map(Real), healed, health }
    };
    let due = (input.frame..input.frame + input.frames).filter(|frame| able && frame % pace.frames == 0);
    let pulses: Vec<_> = due.map(&mut pulse).collect();
    Ok(SelfHeal { pace, able, pulses, gained: health - input.health, health })
}

/// TS: the share up to which an object heals.
fn yellow(input: &SelfHealInput) -> Result<Option<f64>, PortError> {
    if input.game != Game::Ts {
        return Ok(None);
    }
    let default = RealArg::Held(0.5);
    let arg = input.condition_yellow.as_ref().unwrap_or(&default);
    let yellow = double(arg, "condition_yellow", input.game, Reader::Double)?;
    if (0.0..1.0).contains(&yellow) {
        Ok(Some(yellow))
    } else {
        Err(PortError::invalid("condition_yellow", "must be from 0 to less than 1"))
    }
}
