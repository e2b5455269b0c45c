//! `inspect_warhead_cascade`: which one special effect a detonation has, and whether it still does damage.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_warhead_cascade",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Which one of eleven special effects a warhead performs when it goes off, or ordinary area damage.",
    aliases: &[
        "MindControl",
        "IvanBomb",
        "ElectricAssault",
        "Parasite",
        "Temporal",
        "IsLocomotor",
        "Airstrike",
        "DirectRocker",
        "BombDisarm",
        "MakesDisguise",
        "NukeMaker",
        "special warhead",
        "no damage",
    ],
    units: "flags",
    example: r#"{"ivan_bomb":true,"electric_assault":true}"#,
};

/// The registered port.
pub static PORT: FnPort<CascadeInput, Cascade> = FnPort::new(&META, inspect_warhead_cascade);

/// The flags of a warhead, and what it hit.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CascadeInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `MindControl`. Default false.
    #[serde(default)]
    pub mind_control: bool,
    /// `IvanBomb`. Default false.
    #[serde(default)]
    pub ivan_bomb: bool,
    /// `ElectricAssault`. Default false.
    #[serde(default)]
    pub electric_assault: bool,
    /// `Parasite`. Default false.
    #[serde(default)]
    pub parasite: bool,
    /// `Temporal`. Default false.
    #[serde(default)]
    pub temporal: bool,
    /// `IsLocomotor`. Default false.
    #[serde(default)]
    pub is_locomotor: bool,
    /// `Airstrike`. Default false.
    #[serde(default)]
    pub airstrike: bool,
    /// `DirectRocker`. Default false.
    #[serde(default)]
    pub direct_rocker: bool,
    /// `BombDisarm`. Default false.
    #[serde(default)]
    pub bomb_disarm: bool,
    /// `MakesDisguise`. Default false.
    #[serde(default)]
    pub makes_disguise: bool,
    /// `NukeMaker`. Default false.
    #[serde(default)]
    pub nuke_maker: bool,
    /// Whether the bullet's target is a vehicle. Default false.
    #[serde(default)]
    pub target_is_unit: bool,
}

/// Effects of a detonation, in the order in which they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The target changes sides.
    MindControl,
    /// A bomb is planted on it.
    IvanBomb,
    /// It charges a coil.
    ElectricAssault,
    /// The shooter enters it.
    Parasite,
    /// It is erased.
    Temporal,
    /// It is lifted.
    Locomotor,
    /// Aircraft are called.
    Airstrike,
    /// It is rocked.
    DirectRocker,
    /// Its bomb is taken off.
    BombDisarm,
    /// The shooter takes its looks.
    MakesDisguise,
    /// A missile comes down.
    NukeMaker,
    /// None of them.
    AreaDamage,
}

/// What a detonation does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cascade {
    /// The one effect (clauses order.1, rocker.1).
    pub effect: Effect,
    /// Tests that were made, the one that held included, 1 to 11 (clause order.1).
    pub tests: u32,
    /// Whether shrapnel is let out and the area is damaged (clause else.1).
    pub damages: bool,
}

/// What a warhead does when it goes off.
///
/// # Errors
/// `EOPNOTSUPP` for a game without evidence.
pub fn inspect_warhead_cascade(input: &CascadeInput) -> Result<Cascade, PortError> {
    META.offers(input.game)?;
    let chain = [
        (input.mind_control, Effect::MindControl),
        (input.ivan_bomb, Effect::IvanBomb),
        (input.electric_assault, Effect::ElectricAssault),
        (input.parasite, Effect::Parasite),
        (input.temporal, Effect::Temporal),
        (input.is_locomotor, Effect::Locomotor),
        (input.airstrike, Effect::Airstrike),
        (input.direct_rocker && input.target_is_unit, Effect::DirectRocker),
        (input.bomb_disarm, Effect::BombDisarm),
        (input.makes_disguise, Effect::MakesDisguise),
        (input.nuke_maker, Effect::NukeMaker),
    ];
    let found = chain.iter().position(|(holds, _)| *holds);
    Ok(Cascade {
        effect: found.map_or(Effect::AreaDamage, |index| chain[index].1),
        tests: found.map_or(chain.len(), |index| index + 1) as u32,
        damages: found.is_none(),
    })
}
