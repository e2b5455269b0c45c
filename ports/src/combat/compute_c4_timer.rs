//! `compute_c4_timer`: frames until a building blows up, after a charge was planted or its death was delayed.

use super::{within, yr};
use crate::timing::compute_minutes_to_frames::{
    MinutesToFrames, MinutesToFramesInput, compute_minutes_to_frames,
};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_c4_timer",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Frames of a planted C4 charge and its flash, and of a kill that a CausesDelayKill warhead delays.",
    aliases: &[
        "C4Delay",
        "C4",
        "CausesDelayKill",
        "DelayKillFrames",
        "C4Timer",
        "sabotage",
        "planted charge",
        "Tanya demolition",
        "SEAL explosives",
        "bomb timer building",
    ],
    units: "delay in minutes, timers in frames (15 a second), health in points",
    example: r#"{"cause":"planted","c4_delay":".03"}"#,
};

/// The registered port.
pub static PORT: FnPort<C4TimerInput, C4Timer> = FnPort::new(&META, compute_c4_timer);

/// What starts the timer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct C4TimerInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// What happened to the building.
    pub cause: Cause,
    /// `planted`: `C4Delay` in minutes, 0 to 1000000, default .03 (also stock).
    #[serde(default = "delay")]
    pub c4_delay: RealArg,
    /// `delay_kill`, needed there and refused for `planted`: `DelayKillFrames`, 0 or more.
    #[serde(default)]
    #[schemars(with = "i32", range(min = 0))]
    pub delay_kill_frames: Option<i32>,
    /// `delay_kill` only: frames left of a timer that runs, 0 or more; without it none runs.
    #[serde(default)]
    #[schemars(with = "i32", range(min = 0))]
    pub running: Option<i32>,
}

/// What starts a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A soldier with C4 has arrived.
    Planted,
    /// A hit by a warhead with `CausesDelayKill` would have destroyed the building.
    DelayKill,
}

fn delay() -> RealArg {
    RealArg::Held(0.03)
}

/// The timer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct C4Timer {
    /// `planted`: the delay in frames (clause planted.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<MinutesToFrames>,
    /// `planted`: frames of the flash (clause flash.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash: Option<i32>,
    /// `delay_kill`: health that is left, in points (clause kill.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<i32>,
    /// Frames until the building blows up (clauses planted.1, kill.1, kill.2).
    pub frames: i32,
}

/// Starts a timer.
///
/// # Errors
/// `EINVAL` at the field for a number out of its range, text without a number, and arguments of the other cause;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn compute_c4_timer(input: &C4TimerInput) -> Result<C4Timer, PortError> {
    META.offers(input.game)?;
    let minutes = MinutesToFramesInput { game: input.game, minutes: input.c4_delay.clone() };
    let delay =
        compute_minutes_to_frames(&minutes).map_err(|error| PortError::invalid("c4_delay", error.message))?;
    if !(0.0..=1_000_000.0).contains(&delay.minutes.0) {
        return Err(PortError::invalid("c4_delay", "must be from 0 to 1000000"));
    }
    let running = input.running.unwrap_or(i32::MAX);
    within(running, "running", 0, i32::MAX)?;
    match (input.cause, input.delay_kill_frames) {
        (Cause::Planted, Some(_)) => {
            Err(PortError::invalid("delay_kill_frames", "is read by a delayed kill only"))
        }
        (Cause::Planted, None) if input.running.is_some() => {
            Err(PortError::invalid("running", "nobody read what a charge does to a timer that runs"))
        }
        (Cause::Planted, None) => {
            let frames = delay.frames;
            Ok(C4Timer { delay: Some(delay), flash: Some(frames / 2), health: None, frames })
        }
        (Cause::DelayKill, None) => {
            Err(PortError::invalid("delay_kill_frames", "is needed by a delayed kill"))
        }
        (Cause::DelayKill, Some(frames)) => {
            within(frames, "delay_kill_frames", 0, i32::MAX)?;
            Ok(C4Timer { delay: None, flash: None, health: Some(1), frames: frames.min(running) })
        }
    }
}
