//! `inspect_crush`: whether a vehicle that drives through a cell crushes an object in it.

use super::{within, yr};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_crush",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Whether a vehicle may drive over an object: crusher and omni-crusher rules, protection, distance.",
    aliases: &[
        "Crusher",
        "OmniCrusher",
        "Crushable",
        "OmniCrushResistant",
        "DeployedCrushable",
        "CRUSHER",
        "crush",
        "run over infantry",
        "squish",
        "drive over",
        "Battle Fortress",
    ],
    units: "offsets in leptons (256 to a cell)",
    example: r#"{"crusher":true,"victim":"infantry","crushable":true,"dx":100}"#,
};

/// The registered port.
pub static PORT: FnPort<CrushInput, Crush> = FnPort::new(&META, inspect_crush);

/// Largest square of a distance that crushes.
const FARTHEST: i32 = 16383;
/// Largest offset: two squares of it stay inside 32 bits.
const OFFSET: i32 = 32767;
const OMNI_ALONE: &str = "one reading lets OmniCrusher alone crush; whether the caller asks for Crusher before was not told by the other";

/// A vehicle and what stands in its way.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrushInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Vehicle: `OmniCrusher`, default false.
    #[serde(default)]
    pub omni_crusher: bool,
    /// Vehicle: `Crusher`, default false.
    #[serde(default)]
    pub crusher: bool,
    /// Vehicle: whether its rank holds CRUSHER, default false.
    #[serde(default)]
    pub crusher_ability: bool,
    /// What the victim is.
    pub victim: Victim,
    /// Victim: `Crushable`, default false.
    #[serde(default)]
    pub crushable: bool,
    /// Victim: `OmniCrushResistant`, default false.
    #[serde(default)]
    pub omni_crush_resistant: bool,
    /// Victim: deployed, with `DeployedCrushable=no`. Default false.
    #[serde(default)]
    pub deployed: bool,
    /// Whether the victim is an ally of the vehicle, default false.
    #[serde(default)]
    pub allied: bool,
    /// Victim: under an iron curtain or force shield, default false.
    #[serde(default)]
    pub invulnerable: bool,
    /// Offset of the victim from the vehicle along x in leptons, -32767 to 32767; default 0.
    #[serde(default)]
    #[schemars(range(min = -32767, max = 32767))]
    pub dx: i32,
    /// The same along y.
    #[serde(default)]
    #[schemars(range(min = -32767, max = 32767))]
    pub dy: i32,
}

/// What can stand in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Victim {
    /// A soldier.
    Infantry,
    /// A vehicle.
    Vehicle,
    /// An aircraft.
    Aircraft,
    /// A building.
    Building,
    /// A tree or another thing that is no combat object.
    Other,
}

/// What the engine asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Crush {
    /// Whether the victim is a combat object (clause object.1).
    pub techno: bool,
    /// Whether the way of the omni-crusher is open (clause omni.1).
    pub omni: bool,
    /// Whether the way of every crusher is open (clause crusher.1).
    pub normal: bool,
    /// Whether the victim is spared (clauses ally.1, invulnerable.1).
    pub spared: bool,
    /// Square of the horizontal distance in leptons (clause distance.1).
    pub distance_squared: i32,
    /// Whether that is near enough (clause distance.1).
    pub near: bool,
    /// Whether the victim is crushed.
    pub crushed: bool,
    /// Set where `OmniCrusher` alone decides (clause omni.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Asks whether the victim is crushed.
///
/// # Errors
/// `EINVAL` at `dx` or `dy` for an offset out of range; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn inspect_crush(input: &CrushInput) -> Result<Crush, PortError> {
    META.offers(input.game)?;
    within(input.dx, "dx", -OFFSET, OFFSET)?;
    within(input.dy, "dy", -OFFSET, OFFSET)?;
    let techno = input.victim != Victim::Other;
    let crusher = input.crusher || input.crusher_ability;
    let omni = input.omni_crusher && input.victim != Victim::Building && !input.omni_crush_resistant;
    let normal = crusher && input.crushable && !input.deployed;
    let spared = input.allied || input.invulnerable;
    let distance_squared = input.dx * input.dx + input.dy * input.dy;
    let near = distance_squared <= FARTHEST;
    let crushed = techno && (omni || normal) && !spared && near;
    Ok(Crush {
        techno,
        omni,
        normal,
        spared,
        distance_squared,
        near,
        crushed,
        caveats: if crushed && !crusher { vec![Caveat::new("omni.1", OMNI_ALONE)] } else { Vec::new() },
    })
}
