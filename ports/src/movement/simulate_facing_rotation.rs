//! The facing that a turning body or turret shows at each frame.
//!
//! TS, RA2 and YR do not step a facing: they note when the turn began, and a reader works out where it stands. The arc is
//! divided before it is multiplied, so the remainder is made up at once: the first reading of a quarter turn in twelve
//! frames is four units ahead of the start.

use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `simulate_facing_rotation` says of itself.
pub static META: Meta = Meta {
    name: "simulate_facing_rotation",
    area: Area::Movement,
    kind: Kind::Simulate,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Facing shown at each frame of a timed turn.",
    aliases: &[
        "ROT",
        "rate of turn",
        "turning",
        "turret rotation",
        "FacingClass",
        "DirStruct",
        "heading",
        "clockwise",
        "Rotation_Adjust",
    ],
    units: "facings: 65536 (RA1: 256) to a turn, north 0, clockwise; rot in 256ths of a turn a frame",
    example: r#"{"game":"YR","from":0,"to":16384,"rot":5}"#,
};

/// `simulate_facing_rotation` as a capability.
pub static PORT: FnPort<FacingRotationInput, FacingRotation> = FnPort::new(&META, simulate_facing_rotation);

/// The fastest rate; anything above counts as this (clause `rate.1`).
const MAX_ROT: u16 = 127;
/// Frames that one run lists at most, and the last frame that a list may begin at.
const FRAME_LIMIT: u16 = 4096;

/// Arguments of [`simulate_facing_rotation`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacingRotationInput {
    /// Game whose rule is wanted. Default YR.
    #[serde(default = "super::default_game")]
    pub game: Game,
    /// Facing at the start: 0 to 65535; in RA1 a byte, 0 to 255.
    pub from: u16,
    /// Facing wanted: 0 to 65535; in RA1 a byte, 0 to 255.
    pub to: u16,
    /// Rate of turn, the rules key `ROT=`, in 256ths of a turn a frame; 0 to 32767, above 127 it counts as 127. In RA1 it
    /// is the rate after its caller's bias.
    #[schemars(range(max = 32_767))]
    pub rot: u16,
    /// First frame to list, 0 to 4096. Default 0, the frame in which the turn is ordered.
    #[serde(default)]
    #[schemars(range(max = 4_096))]
    pub first: u16,
    /// Frames to list, 1 to 4096, or 0 for all through arrival (one, if that is past or never comes). Default 0.
    #[serde(default)]
    #[schemars(range(max = 4_096))]
    pub frames: u16,
}

/// The way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// Facings rise.
    Clockwise,
    /// Facings fall.
    CounterClockwise,
    /// Already there.
    None,
}

/// Stages of [`simulate_facing_rotation`]. A stage that does not apply is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FacingRotation {
    /// Facing units a frame: the clamped rate times 256; in RA1 the clamped rate (clauses `rate.1`, `ra1-step.1`).
    pub rate: u16,
    /// Wanted minus start, the short way round; half a turn counts as negative (clauses `arc.1`, `ra1-step.2`).
    pub difference: i16,
    /// The way round that `difference` says.
    pub direction: Turn,
    /// Frames that the turn takes; left out when it never ends (clauses `timer.1`, `snap.1`, `ra1-step.3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u16>,
    /// TS, RA2, YR, when the turn takes time: units a step, truncated (clause `reading.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_step: Option<i16>,
    /// The first frame that shows the wanted facing; left out when none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrives: Option<u16>,
    /// The facing shown at frame `first` and those after it (clauses `reading.1`, `ra1-step.3`).
    pub facings: Vec<u16>,
}

/// Lists the facings of a turn.
///
/// # Errors
/// `EOPNOTSUPP` at `game`; `EINVAL` at `rot`, `first` or `frames` beyond their ranges, and (RA1) at `from` or `to` above
/// 255.
pub fn simulate_facing_rotation(input: &FacingRotationInput) -> Result<FacingRotation, PortError> {
    META.offers(input.game)?;
    for (field, value, limit) in [
        ("rot", input.rot, 32_767),
        ("first", input.first, FRAME_LIMIT),
        ("frames", input.frames, FRAME_LIMIT),
    ] {
        if value > limit {
            return Err(PortError::invalid(field, format!("must be at most {limit}")));
        }
    }
    if input.game == Game::Ra1 { ancestor(input) } else { Ok(timed(input)) }
}

/// TS, RA2, YR: a timer and a division.
fn timed(input: &FacingRotationInput) -> FacingRotation {
    let rate = input.rot.min(MAX_ROT) << 8;
    let difference = input.to.wrapping_sub(input.from) as i16;
    let steps = difference.unsigned_abs().checked_div(rate).unwrap_or(0);
    // At most one step of a full half turn, so the quotient fits.
    let per_step = (i32::from(difference)).checked_div(i32::from(steps)).map(|units| units as i16);
    let shown = |frame: u16| {
        let behind = i32::from(per_step.unwrap_or(0)) * i32::from(steps.saturating_sub(frame));
        (i32::from(input.to) - behind) as u16
    };
    FacingRotation {
        rate,
        difference,
        direction: turn(difference),
        steps: Some(steps),
        per_step,
        arrives: Some(steps),
        facings: listed(input, steps).map(shown).collect(),
    }
}

/// RA1: a byte stepped every tick until the rest is less than the rate.
fn ancestor(input: &FacingRotationInput) -> Result<FacingRotation, PortError> {
    let byte =
        |field, value| u8::try_from(value).map_err(|_| PortError::invalid(field, "must be 0 to 255 in RA1"));
    let (from, to) = (byte("from", input.from)?, byte("to", input.to)?);
    let rate = input.rot.min(MAX_ROT) as u8;
    let difference = to.wrapping_sub(from) as i8;
    let distance = difference.unsigned_abs();
    let steps = match (distance, rate) {
        (0, _) => Some(0),
        (_, 0) => None,
        _ => Some(u16::from(distance.div_ceil(rate))),
    };
    let frames = listed(input, steps.unwrap_or(0));
    let mut current = from;
    let mut facings = Vec::with_capacity(frames.len());
    for frame in 0..frames.end {
        if frame >= frames.start {
            facings.push(u16::from(current));
        }
        current = tick(current, to, rate);
    }
    Ok(FacingRotation {
        rate: u16::from(rate),
        difference: i16::from(difference),
        direction: turn(i16::from(difference)),
        steps,
        per_step: None,
        arrives: steps,
        facings,
    })
}

/// One tick of the RA1 rule: the shorter way round, `rate` at most. A half turn goes counter-clockwise.
fn tick(current: u8, wanted: u8, rate: u8) -> u8 {
    let (difference, rate) = (i16::from(wanted.wrapping_sub(current) as i8), i16::from(rate));
    current.wrapping_add(difference.clamp(-rate, rate) as u8)
}

fn turn(difference: i16) -> Turn {
    match difference {
        0 => Turn::None,
        1.. => Turn::Clockwise,
        _ => Turn::CounterClockwise,
    }
}

/// The frames to list, at least one.
fn listed(input: &FacingRotationInput, arrives: u16) -> std::ops::Range<u16> {
    let count = match input.frames {
        0 => (arrives + 1).saturating_sub(input.first).max(1),
        count => count,
    };
    input.first..input.first + count
}
