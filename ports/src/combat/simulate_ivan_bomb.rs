//! `simulate_ivan_bomb`: a bomb that Crazy Ivan planted, in one frame: its fuse, what sets it off does, and its clock.

use super::yr;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_ivan_bomb",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "A planted bomb in one frame: when its fuse is over, whether it goes off, and the image of its clock.",
    aliases: &[
        "IvanTimedDelay",
        "IvanDamage",
        "IvanWarhead",
        "IvanIconFlickerRate",
        "IvanBomb",
        "BombClass",
        "Crazy Ivan",
        "time bomb",
        "fuse",
        "bomb clock",
        "C4 timer",
    ],
    units: "times in frames, damage in points",
    example: r#"{"planted":1000,"now":1451,"damage":450}"#,
};

/// The registered port.
pub static PORT: FnPort<IvanBombInput, IvanBomb> = FnPort::new(&META, simulate_ivan_bomb);

/// Steps of the clock in the delay.
const STEPS: i32 = 6;
/// Last image of a clock that runs.
const LAST_IMAGE: i32 = 11;
/// Image of a bomb without a clock.
const DEATH_IMAGE: i32 = 12;

/// A bomb and the frame.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IvanBombInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Number of the frame in which it was planted.
    pub planted: i32,
    /// Number of the frame now.
    pub now: i32,
    /// `IvanTimedDelay` in frames, 6 to 2147483647; default 450 (the constructor; stock 450).
    #[serde(default = "delay")]
    #[schemars(range(min = 6))]
    pub delay: i32,
    /// `IvanIconFlickerRate` in frames, 1 to 1073741823; default 8 (the constructor; stock 8).
    #[serde(default = "flicker_rate")]
    #[schemars(range(min = 1, max = 1_073_741_823))]
    pub flicker_rate: i32,
    /// `IvanDamage` in points, default 100 (the constructor; stock 450).
    #[serde(default = "damage")]
    pub damage: i32,
    /// Whether it has gone off already or was defused. Default false.
    #[serde(default)]
    pub spent: bool,
    /// Whether its carrier is in limbo, in a transport for one. Default false.
    #[serde(default)]
    pub in_limbo: bool,
    /// Whether something other than the fuse sets it off now, such as the carrier's death. Default false.
    #[serde(default)]
    pub set_off: bool,
    /// Whether it is the sort of bomb that has no fuse and waits for the carrier's death; nothing in the game plants one.
    /// Default false.
    #[serde(default)]
    pub death_bomb: bool,
}

fn delay() -> i32 {
    450
}

fn flicker_rate() -> i32 {
    8
}

fn damage() -> i32 {
    100
}

/// What the bomb does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IvanBomb {
    /// Number of the last frame of the fuse (clause end.1).
    pub end: i32,
    /// Frames since it was planted.
    pub elapsed: i32,
    /// Whether the fuse is over (clause fuse.1).
    pub expired: bool,
    /// What happens in this frame (clauses fuse.1, blast.1).
    pub event: Event,
    /// Points of the explosion, where there is one (clause blast.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealt: Option<i32>,
    /// Its clock (clauses clock.1, clock.2).
    pub clock: Clock,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It is spent.
    Spent,
    /// It ticks.
    Ticks,
    /// The carrier is in limbo, where the fuse is not asked.
    Waits,
    /// It is used up without an explosion, for the carrier is in limbo.
    Fizzles,
    /// It explodes.
    Explodes,
}

/// The image over the carrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Clock {
    /// Frames of each step of the hand.
    pub step: i32,
    /// Twice the steps that the hand has made.
    pub hand: i32,
    /// Whether it blinks.
    pub blink: bool,
    /// Number of the image, at most 12.
    pub image: i32,
}

/// A planted bomb.
///
/// # Errors
/// `EINVAL` at the field for a delay below 6, of which a sixth is 0 and divides, and for a flicker rate out of its range;
/// `EOPNOTSUPP` for a game without evidence.
pub fn simulate_ivan_bomb(input: &IvanBombInput) -> Result<IvanBomb, PortError> {
    META.offers(input.game)?;
    within(input.delay, "delay", STEPS, i32::MAX)?;
    within(input.flicker_rate, "flicker_rate", 1, 1_073_741_823)?;
    let end = input.planted.wrapping_add(input.delay);
    let elapsed = input.now.wrapping_sub(input.planted);
    let expired = end < input.now && !input.death_bomb && !input.spent;
    let event = match (input.set_off, input.in_limbo) {
        _ if input.spent => Event::Spent,
        (true, true) => Event::Fizzles,
        (true, false) => Event::Explodes,
        (false, true) => Event::Waits,
        (false, false) if expired => Event::Explodes,
        (false, false) => Event::Ticks,
    };
    let dealt = (event == Event::Explodes).then_some(input.damage);
    Ok(IvanBomb { end, elapsed, expired, event, dealt, clock: clock(input, elapsed) })
}

/// The clock over the carrier.
fn clock(input: &IvanBombInput, elapsed: i32) -> Clock {
    let step = input.delay / STEPS;
    let hand = (elapsed / step).wrapping_mul(2);
    let blink = input.now % (input.flicker_rate * 2) >= input.flicker_rate;
    let image = if input.death_bomb { DEATH_IMAGE } else { (hand + i32::from(blink)).min(LAST_IMAGE) };
    Clock { step, hand, blink, image }
}
