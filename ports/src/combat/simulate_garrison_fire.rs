//! `simulate_garrison_fire`: which occupant of a garrison fires each shot, and with what.

use super::{yes, yr};
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_garrison_fire",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Which occupant of a garrisoned building fires each shot, with which weapon, and whose turn is next.",
    aliases: &[
        "OccupyWeapon",
        "EliteOccupyWeapon",
        "CanBeOccupied",
        "MaxNumberOccupants",
        "FiringOccupantIndex",
        "garrison",
        "occupants",
        "garrisoned building",
        "battle bunker",
        "UCPara",
        "firing order",
        "kill credit",
    ],
    units: "indices from 0",
    example: r#"{"occupants":[{"rank":"recruit"},{"rank":"elite"}],"shots":3}"#,
};

/// The registered port.
pub static PORT: FnPort<GarrisonFireInput, GarrisonFire> = FnPort::new(&META, simulate_garrison_fire);

/// Most occupants.
const OCCUPANTS: usize = 100;

/// A garrison.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GarrisonFireInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// The occupants in the order in which they came in, 1 to 100.
    #[schemars(length(min = 1, max = 100))]
    pub occupants: Vec<Occupant>,
    /// Index of the occupant that fires next, from 0 and below their number; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 99))]
    pub index: i32,
    /// Shots to fire, 0 to 1000.
    #[schemars(range(min = 0, max = 1000))]
    pub shots: i32,
}

/// One occupant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Occupant {
    /// Its rank.
    pub rank: Rank,
    /// Whether its type has an `OccupyWeapon`. Default true.
    #[serde(default = "yes")]
    pub occupy_weapon: bool,
    /// Whether its type has an `EliteOccupyWeapon`. Default true.
    #[serde(default = "yes")]
    pub elite_occupy_weapon: bool,
}

/// A rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// No rank.
    Recruit,
    /// Veteran.
    Veteran,
    /// Elite.
    Elite,
}

/// A weapon of an occupant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weapon {
    /// `EliteOccupyWeapon` (clause weapon.1).
    EliteOccupy,
    /// `OccupyWeapon` (clause weapon.2).
    Occupy,
    /// The primary (clause weapon.3).
    Primary,
}

/// What the garrison fired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GarrisonFire {
    /// Every shot.
    pub shots: Vec<Shot>,
    /// Index of the occupant that fires next (clause turn.2).
    pub index: i32,
}

/// One shot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shot {
    /// The occupant that fires, and whose a kill is (clause turn.1).
    pub occupant: i32,
    /// Its weapon.
    pub weapon: Weapon,
    /// The index after the shot (clause turn.2).
    pub next: i32,
}

/// Fires out of a garrison.
///
/// # Errors
/// `EINVAL` at the field for lists and numbers outside their bounds; `EOPNOTSUPP` at `game` for any other game.
pub fn simulate_garrison_fire(input: &GarrisonFireInput) -> Result<GarrisonFire, PortError> {
    META.offers(input.game)?;
    if input.occupants.is_empty() || input.occupants.len() > OCCUPANTS {
        return Err(PortError::invalid("occupants", format!("must be 1 to {OCCUPANTS}")));
    }
    let count = input.occupants.len() as i32;
    within(input.index, "index", 0, count - 1)?;
    within(input.shots, "shots", 0, 1000)?;
    let (mut shots, mut index) = (Vec::new(), input.index);
    for _ in 0..input.shots {
        let occupant = index;
        index = (index + 1) % count;
        shots.push(Shot { occupant, weapon: weapon(&input.occupants[occupant as usize]), next: index });
    }
    Ok(GarrisonFire { shots, index })
}

fn weapon(occupant: &Occupant) -> Weapon {
    match occupant.rank {
        Rank::Elite if occupant.elite_occupy_weapon => Weapon::EliteOccupy,
        Rank::Recruit | Rank::Veteran if occupant.occupy_weapon => Weapon::Occupy,
        _ => Weapon::Primary,
    }
}
