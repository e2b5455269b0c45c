//! `simulate_credits_counter`: how the sidebar's money counter rolls toward the money of the house.
//!
//! A step is an eighth of the way, at least 1 and at most 143. Tiberian Sun and Red Alert wait three frames between the
//! steps of a fall; Yuri's Revenge writes the same wait and never looks at it.

use super::yr;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_credits_counter",
    area: Area::Economy,
    kind: Kind::Simulate,
    games: &[Game::Ra1, Game::Ts, Game::Yr],
    summary: "Rolling credits counter of the sidebar, frame by frame from the shown value to the house's money.",
    aliases: &[
        "credits counter",
        "credits display",
        "money counter",
        "sidebar credits",
        "rolling counter",
        "credits",
        "money",
        "CreditTicks",
        "tick sound",
    ],
    units: "money in credits, time in frames (15 a second at normal speed)",
    example: r#"{"shown":0,"money":1000}"#,
};

/// The capability.
pub static PORT: FnPort<CreditsCounterInput, CreditsCounter> = FnPort::new(&META, simulate_credits_counter);

/// Frames of one run at most.
const FRAMES: u16 = 4096;
const WAIT_UP: u16 = 1;
const WAIT_DOWN: u16 = 3;
const NO_WAIT: &str = "YR steps in every frame here, as its instructions were read; another account gives it the wait of its \
                       ancestors";
/// Written 71 + 72 in the ancestor's source.
const LARGEST_STEP: i32 = 143;

/// A counter and the money it rolls toward.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreditsCounterInput {
    /// Game whose rule applies; default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Value that the counter shows before the first frame, in credits.
    pub shown: i32,
    /// Money of the house, cash and stored ore together, in credits; constant during the run. The counter treats a
    /// negative balance as 0.
    pub money: i32,
    /// Frames to run, 1 to 4096. Without it the run ends in the frame in which the counter settles, after 4096 frames
    /// at the latest.
    #[schemars(range(min = 1, max = 4096))]
    pub frames: Option<u16>,
    /// Frames until the next step, 1 to 4096; default 1. The engines leave 1 after a step up and 3 after a step down.
    /// YR holds the number too, but steps in every frame.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 4096))]
    pub wait: u16,
}

/// Which way the counter rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Toward more money.
    Up,
    /// Toward less money.
    Down,
    /// The counter shows the money already.
    None,
}

/// The run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CreditsCounter {
    /// Value that the counter rolls toward: the money, or 0 for a negative balance (`target.1`).
    pub target: i32,
    /// Which way it rolls.
    pub direction: Direction,
    /// Value shown after each frame of the run, the first frame first (`step.1`, `wait.1`, `wait.2`).
    pub shown_by_frame: Vec<i32>,
    /// Value shown after each frame that changed it (`step.1`).
    pub steps: Vec<i32>,
    /// Number of changes.
    pub step_count: u32,
    /// Frame after which the counter shows the target, counted from 1; 0 if it did before; absent if the run ended first
    /// (`equal.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_frame: Option<u32>,
    /// Frames until the next step that the counter holds after the run; give it as `wait` to go on (`wait.1`, `wait.2`).
    pub wait_after: u16,
    /// Where accounts of YR differ: a fall, or a wait that holds nothing back (`wait.2`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

const fn one() -> u16 {
    1
}

/// Rolls the counter.
///
/// # Errors
/// `EINVAL` for `frames` or `wait` outside 1 to 4096; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_credits_counter(input: &CreditsCounterInput) -> Result<CreditsCounter, PortError> {
    META.offers(input.game)?;
    let frames = input.frames.unwrap_or(FRAMES);
    for (field, value) in [("frames", frames), ("wait", input.wait)] {
        if !(1..=FRAMES).contains(&value) {
            return Err(PortError::invalid(field, "must be from 1 to 4096"));
        }
    }
    let target = input.money.max(0);
    let mut counter = Counter { shown: input.shown, wait: input.wait, waits: input.game != Game::Yr };
    let mut settled_frame = (counter.shown == target).then_some(0);
    let (mut shown_by_frame, mut steps) = (Vec::new(), Vec::new());
    for frame in 1..=u32::from(frames) {
        if settled_frame.is_some() && input.frames.is_none() {
            break;
        }
        if counter.advance(target) {
            steps.push(counter.shown);
            if counter.shown == target {
                settled_frame = Some(frame);
            }
        }
        shown_by_frame.push(counter.shown);
    }
    let direction = match input.shown.cmp(&target) {
        Ordering::Less => Direction::Up,
        Ordering::Greater => Direction::Down,
        Ordering::Equal => Direction::None,
    };
    let unsure = match direction {
        Direction::Up => input.wait > 1,
        Direction::Down => true,
        Direction::None => false,
    };
    Ok(CreditsCounter {
        target,
        direction,
        shown_by_frame,
        step_count: steps.len() as u32,
        steps,
        settled_frame,
        wait_after: counter.wait,
        caveats: if unsure && input.game == Game::Yr {
            vec![Caveat::new("wait.2", NO_WAIT)]
        } else {
            Vec::new()
        },
    })
}

struct Counter {
    shown: i32,
    wait: u16,
    /// Whether the wait holds the counter back.
    waits: bool,
}

impl Counter {
    /// One frame; true if the shown value changed. The difference wraps as a 32-bit subtraction does, which only a
    /// counter below zero can bring about.
    fn advance(&mut self, target: i32) -> bool {
        let falls = match self.shown.cmp(&target) {
            Ordering::Equal => return false,
            Ordering::Less => false,
            Ordering::Greater => true,
        };
        self.wait = self.wait.saturating_sub(1);
        if self.waits && self.wait > 0 {
            return false;
        }
        let difference = target.wrapping_sub(self.shown);
        self.wait = if difference.is_negative() { WAIT_DOWN } else { WAIT_UP };
        let step = (difference.wrapping_abs() >> 3).clamp(1, LARGEST_STEP);
        self.shown += if falls { -step } else { step };
        true
    }
}
