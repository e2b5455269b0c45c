//! `simulate_disc_laser`: the nine beats of the floating disc's laser, and the one that hurts.

use super::{within, yr};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_disc_laser",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Nine beats of the floating disc's laser: where the light starts, what is drawn, which beat hurts.",
    aliases: &[
        "DiskLaser",
        "DiskLaserClass",
        "IsDiskLaser",
        "floating disc",
        "flying saucer",
        "disc beam",
        "DiskLaserChargeUp",
        "saucer laser",
    ],
    units: "bearings 65536 to a turn (north 0, clockwise), damage in points",
    example: r#"{"bearing":16384,"damage":75}"#,
};

/// The registered port.
pub static PORT: FnPort<DiscLaserInput, DiscLaser> = FnPort::new(&META, simulate_disc_laser);

const HALF_TURN: u16 = 32768;
/// The beat in which the arms meet.
const LAST: i32 = 8;
const OFFSETS: &str = "no reading prints where the arms are in each beat, so the breakdown does not say";

/// An activation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscLaserInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Bearing from the disc to its target: 0 to 65535, north 0, clockwise.
    pub bearing: u16,
    /// Damage of the weapon in points.
    pub damage: i32,
    /// Beats to run, 1 to 9; default 9, a whole activation.
    #[serde(default = "beats")]
    #[schemars(range(min = 1, max = 9))]
    pub beats: i32,
    /// Beats whose picture cannot be allocated, 0 to 8; nine at most, none by default.
    #[serde(default)]
    #[schemars(length(max = 9))]
    pub failed: Vec<i32>,
}

fn beats() -> i32 {
    LAST + 1
}

/// The run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DiscLaser {
    /// Bearing at which the light starts (clause start.1).
    pub start: u16,
    /// The beats in order (clause beats.1).
    pub beats: Vec<Beat>,
    /// Times that damage is done (clause damage.1).
    pub hits: i32,
    /// Points that are done in all, in 32 bits (clause damage.1).
    pub damage: i32,
    /// What is not covered.
    pub caveats: Vec<Caveat>,
}

/// A beat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Beat {
    /// Its number, from 0.
    pub beat: i32,
    /// Whether the arms meet: the beam is real and hurts (clauses beats.1, damage.1).
    pub meets: bool,
    /// Whether its picture is drawn (clause picture.1).
    pub drawn: bool,
    /// Points that it does (clause damage.1).
    pub damage: i32,
}

/// Runs an activation.
///
/// # Errors
/// `EINVAL` at `beats` outside 1 to 9, at `failed` for more than nine entries or one that is no beat; `EOPNOTSUPP` at `game` for
/// a game without evidence.
pub fn simulate_disc_laser(input: &DiscLaserInput) -> Result<DiscLaser, PortError> {
    META.offers(input.game)?;
    within(input.beats, "beats", 1, LAST + 1)?;
    if input.failed.len() > 9 {
        return Err(PortError::invalid("failed", "are more than nine"));
    }
    input.failed.iter().try_for_each(|beat| within(*beat, "failed", 0, LAST))?;
    let beat = |beat: i32| {
        let meets = beat == LAST;
        let drawn = !input.failed.contains(&beat);
        Beat { beat, meets, drawn, damage: if meets { input.damage } else { 0 } }
    };
    let beats: Vec<_> = (0..input.beats).map(beat).collect();
    Ok(DiscLaser {
        start: input.bearing.wrapping_add(HALF_TURN),
        hits: beats.iter().map(|beat| i32::from(beat.meets)).sum(),
        damage: beats.iter().map(|beat| beat.damage).sum(),
        beats,
        caveats: vec![Caveat::new("arms.1", OFFSETS)],
    })
}
