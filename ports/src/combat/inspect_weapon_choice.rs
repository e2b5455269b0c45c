//! `inspect_weapon_choice`: which of its weapons an object uses against a target, and by which rule.

use super::simulate_gattling_stage::weapon_index;
use super::{one, only, yes, yr};
use crate::math::x87;
use crate::rules::argument::within;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_weapon_choice",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Yr],
    summary: "Which weapon slot an object uses against a target, and the first rule that says so; in TS the two scores.",
    aliases: &[
        "Primary",
        "Secondary",
        "SelectWeapon",
        "What_Weapon_Should_I_Use",
        "NeverUse",
        "OpenTransportWeapon",
        "LandTargeting",
        "NavalTargeting",
        "weapon slot",
        "weapon selection",
        "switch weapon",
        "anti-air",
    ],
    units: "weapon indices from 0, Verses as factors",
    example: r#"{"primary_verses":"0%","secondary_verses":"100%"}"#,
};

/// The registered port.
pub static PORT: FnPort<WeaponChoiceInput, WeaponChoice> = FnPort::new(&META, inspect_weapon_choice);

/// What is fired at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Nothing.
    None,
    /// A cell.
    Cell,
    /// A unit, a soldier or an aircraft.
    #[default]
    Techno,
    /// A building.
    Building,
}

/// What an airstrike weapon makes of a building.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Airstrike {
    /// The secondary calls no airstrikes.
    #[default]
    None,
    /// It does, and C4 could destroy the target if that is a building.
    Suits,
    /// It does, and the type of the target rules it out if that is a building.
    RuledOut,
}

/// An object with two weapons, and a target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeaponChoiceInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// What is fired at. Default `techno`.
    #[serde(default)]
    pub target: Target,
    /// `Verses` of the primary against the target's armor, any finite value, default 1; text is one token of the key.
    #[serde(default = "one")]
    pub primary_verses: RealArg,
    /// `Verses` of the secondary, likewise.
    #[serde(default = "one")]
    pub secondary_verses: RealArg,
    /// TS: whether the primary is there and may fire at the target now. Default true.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub primary_can_fire: Option<bool>,
    /// TS: whether the target is in range of the primary. Default true.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub primary_in_range: Option<bool>,
    /// TS: as `primary_can_fire`, of the secondary.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub secondary_can_fire: Option<bool>,
    /// TS: as `primary_in_range`, of the secondary.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub secondary_in_range: Option<bool>,
    /// TS: whether the warhead of the primary throws webs. Default false.
    #[serde(default)]
    pub primary_web: bool,
    /// TS: whether that of the secondary does. Default false.
    #[serde(default)]
    pub secondary_web: bool,
    /// TS: whether the target is one for webs. Default false.
    #[serde(default)]
    pub web_target: bool,
    /// YR: whether there is a primary. Default true.
    #[serde(default = "yes")]
    pub primary: bool,
    /// YR: whether there is a secondary. Default true.
    #[serde(default = "yes")]
    pub secondary: bool,
    /// YR: `NeverUse` of the secondary. Default false.
    #[serde(default)]
    pub never_use: bool,
    /// YR: whether the type has several turrets with weapons of their own. Default false.
    #[serde(default)]
    pub multi_weapon: bool,
    /// YR: the current weapon of such a type, from -1 (none) up; default -1.
    #[serde(default = "unset")]
    #[schemars(range(min = -1))]
    pub current_weapon: i32,
    /// YR: `IsGattling` of the type. Default false.
    #[serde(default)]
    pub gattling: bool,
    /// YR: stage of the gattling, 0 to 5; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 5))]
    pub stage: i32,
    /// YR: whether the second weapon of that stage's pair has an anti-air projectile. Default false.
    #[serde(default)]
    pub pair_anti_air: bool,
    /// YR: whether the shooter is a building that fires through its occupants. Default false.
    #[serde(default)]
    pub occupied: bool,
    /// YR: whether the shooter rides in an open-topped transport. Default false.
    #[serde(default)]
    pub in_open_transport: bool,
    /// YR: `OpenTransportWeapon` of the type, from -1 (none) up; default -1.
    #[serde(default = "unset")]
    #[schemars(range(min = -1))]
    pub open_transport_weapon: i32,
    /// YR: what an airstrike warhead of the secondary makes of the target. Default `none`.
    #[serde(default)]
    pub airstrike: Airstrike,
    /// YR: whether the primary's warhead is `IsLocomotor`. Default false.
    #[serde(default)]
    pub locomotor: bool,
    /// YR: whether the secondary drains and the target is an enemy that can be drained. Default false.
    #[serde(default)]
    pub drain: bool,
    /// YR: whether the secondary is an area-fire weapon and the shooter is unloading. Default false.
    #[serde(default)]
    pub area_fire: bool,
    /// YR: whether the shooter is an overpowered building. Default false.
    #[serde(default)]
    pub overpowered: bool,
    /// YR: whether the secondary is an electric assault and the target an own building that can be overpowered. Default
    /// false.
    #[serde(default)]
    pub electric_assault: bool,
    /// YR: whether the target is a cell that the rules for water and bridges give to the secondary. Default false.
    #[serde(default)]
    pub cell_rule: bool,
    /// YR: whether the target stands on water or a beach. Default false.
    #[serde(default)]
    pub on_water: bool,
    /// YR: what the table of naval targets says of such a target: 0, 1, or -1 for nothing. Default -1.
    #[serde(default = "unset")]
    #[schemars(range(min = -1, max = 1))]
    pub naval_choice: i32,
    /// YR: whether the shooter's `LandTargeting` is 2. Default false.
    #[serde(default)]
    pub land_secondary: bool,
    /// YR: whether the secondary has an anti-air projectile. Default false.
    #[serde(default)]
    pub secondary_anti_air: bool,
    /// YR: whether the target is in the air, 208 leptons up or more. Default false.
    #[serde(default)]
    pub high_flying: bool,
}

fn unset() -> i32 {
    -1
}

/// The rule that chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Clause none.1.
    NoTarget,
    /// TS: clause score.3.
    Score,
    /// TS: clause web.1.
    Web,
    /// Clause current.1.
    CurrentWeapon,
    /// Clause occupied.1.
    Occupied,
    /// Clause slots.1.
    Slots,
    /// Clause open.1.
    OpenTransport,
    /// Clause gattling.1.
    Gattling,
    /// Clause airstrike.1.
    Airstrike,
    /// Clause special.1.
    Locomotor,
    /// Clause special.1.
    Drain,
    /// Clause special.1.
    AreaFire,
    /// Clause special.1.
    Overpowered,
    /// Clause special.1.
    ElectricAssault,
    /// Clause cell.1.
    Cell,
    /// Clause verses.1.
    Verses,
    /// Clause naval.1.
    Naval,
    /// Clause land.1.
    Land,
    /// Clause air.1.
    AntiAir,
    /// Clause last.1.
    Last,
}

/// A weapon in the eyes of TS.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Score {
    /// A thousand times `Verses` (clause score.1); left out for a weapon that may not fire.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<Real>,
    /// The score (clause score.2).
    pub score: i32,
}

/// The weapon that is used.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WeaponChoice {
    /// TS: the primary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<Score>,
    /// TS: the secondary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secondary: Option<Score>,
    /// The rule that chose.
    pub rule: Choice,
    /// Index of the weapon, from 0.
    pub weapon: i32,
}

/// Chooses a weapon.
///
/// # Errors
/// `EINVAL` at the field for text without a number, values that are not finite, indices outside their bounds, and arguments
/// of the other game; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_weapon_choice(input: &WeaponChoiceInput) -> Result<WeaponChoice, PortError> {
    META.offers(input.game)?;
    refuse(input)?;
    let verses = |arg: &RealArg, field: &str| double(arg, field, input.game, Reader::Verses);
    let primary = verses(&input.primary_verses, "primary_verses")?;
    let secondary = verses(&input.secondary_verses, "secondary_verses")?;
    Ok(if input.game == Game::Ts {
        scored(input, primary, secondary)
    } else {
        let (rule, weapon) = slots(input)
            .or_else(|| special(input))
            .or_else(|| compared(input, primary, secondary))
            .unwrap_or((Choice::Last, 0));
        WeaponChoice { primary: None, secondary: None, rule, weapon }
    })
}

/// Refuses what belongs to the other game, and indices that are none.
fn refuse(input: &WeaponChoiceInput) -> Result<(), PortError> {
    let ancestor = [
        ("primary_can_fire", input.primary_can_fire.is_some()),
        ("primary_in_range", input.primary_in_range.is_some()),
        ("secondary_can_fire", input.secondary_can_fire.is_some()),
        ("secondary_in_range", input.secondary_in_range.is_some()),
        ("primary_web", input.primary_web),
        ("secondary_web", input.secondary_web),
        ("web_target", input.web_target),
    ];
    for (field, given) in ancestor {
        only(Game::Ts, input.game, given, field)?;
    }
    let successor = [
        ("primary", !input.primary),
        ("secondary", !input.secondary),
        ("never_use", input.never_use),
        ("multi_weapon", input.multi_weapon),
        ("current_weapon", input.current_weapon != -1),
        ("gattling", input.gattling),
        ("stage", input.stage != 0),
        ("pair_anti_air", input.pair_anti_air),
        ("occupied", input.occupied),
        ("in_open_transport", input.in_open_transport),
        ("open_transport_weapon", input.open_transport_weapon != -1),
        ("airstrike", input.airstrike != Airstrike::None),
        ("locomotor", input.locomotor),
        ("drain", input.drain),
        ("area_fire", input.area_fire),
        ("overpowered", input.overpowered),
        ("electric_assault", input.electric_assault),
        ("cell_rule", input.cell_rule),
        ("on_water", input.on_water),
        ("naval_choice", input.naval_choice != -1),
        ("land_secondary", input.land_secondary),
        ("secondary_anti_air", input.secondary_anti_air),
        ("high_flying", input.high_flying),
    ];
    for (field, given) in successor {
        only(Game::Yr, input.game, given, field)?;
    }
    within(input.current_weapon, "current_weapon", -1, i32::MAX)?;
    within(input.stage, "stage", 0, 5)?;
    within(input.open_transport_weapon, "open_transport_weapon", -1, i32::MAX)?;
    within(input.naval_choice, "naval_choice", -1, 1)
}

/// TS: the better score, or the web.
fn scored(input: &WeaponChoiceInput, primary: f64, secondary: f64) -> WeaponChoice {
    if input.target == Target::None {
        return WeaponChoice { primary: None, secondary: None, rule: Choice::NoTarget, weapon: 0 };
    }
    let score = |verses: f64, can_fire: bool, in_range: Option<bool>| {
        let scaled = can_fire.then(|| x87::mul(verses, 1000.0));
        let whole = scaled.map_or(0, x87::ftol);
        let score = if in_range.unwrap_or(true) { whole.wrapping_mul(2) } else { whole };
        Score { scaled: scaled.map(Real), score }
    };
    let first_fires = input.primary_can_fire.unwrap_or(true);
    let second_fires = input.secondary_can_fire.unwrap_or(true);
    let primary = score(primary, first_fires, input.primary_in_range);
    let secondary = score(secondary, second_fires, input.secondary_in_range);
    let webs = [input.primary_web && first_fires, input.secondary_web && second_fires];
    let (rule, second) = if webs.contains(&true) {
        (Choice::Web, input.web_target == webs[1])
    } else {
        (Choice::Score, secondary.score > primary.score)
    };
    WeaponChoice { primary: Some(primary), secondary: Some(secondary), rule, weapon: i32::from(second) }
}

/// YR: the rungs about the shooter and its weapons.
fn slots(input: &WeaponChoiceInput) -> Option<(Choice, i32)> {
    if input.multi_weapon && !input.gattling {
        Some((Choice::CurrentWeapon, input.current_weapon.max(0)))
    } else if input.occupied {
        Some((Choice::Occupied, 0))
    } else if !input.primary || !input.secondary || input.never_use {
        Some((Choice::Slots, 0))
    } else if input.target == Target::None {
        Some((Choice::NoTarget, 0))
    } else if input.in_open_transport && input.open_transport_weapon != -1 {
        Some((Choice::OpenTransport, input.open_transport_weapon))
    } else if input.gattling {
        Some((Choice::Gattling, weapon_index(input.stage, input.pair_anti_air, input.high_flying)))
    } else {
        None
    }
}

/// YR: the rungs about special weapons and cells.
fn special(input: &WeaponChoiceInput) -> Option<(Choice, i32)> {
    let building = input.target == Target::Building;
    if building && input.airstrike != Airstrike::None {
        return Some((Choice::Airstrike, i32::from(input.airstrike == Airstrike::Suits)));
    }
    let rungs = [
        (building && input.locomotor, Choice::Locomotor),
        (input.drain, Choice::Drain),
        (input.area_fire, Choice::AreaFire),
        (input.overpowered, Choice::Overpowered),
        (input.electric_assault, Choice::ElectricAssault),
        (input.target == Target::Cell && input.cell_rule, Choice::Cell),
    ];
    rungs.into_iter().find(|(holds, _)| *holds).map(|(_, rule)| (rule, 1))
}

/// YR: the rungs about what the weapons do to an object.
fn compared(input: &WeaponChoiceInput, primary: f64, secondary: f64) -> Option<(Choice, i32)> {
    if input.target == Target::Cell || secondary == 0.0 {
        None
    } else if primary == 0.0 {
        Some((Choice::Verses, 1))
    } else if input.high_flying {
        input.secondary_anti_air.then_some((Choice::AntiAir, 1))
    } else if input.on_water {
        Some((Choice::Naval, input.naval_choice.max(0)))
    } else {
        input.land_secondary.then_some((Choice::Land, 1))
    }
}
