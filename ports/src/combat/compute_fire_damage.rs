//! The damage that a shot carries: weapon damage after house, crate, rank and container factors of the firer.

use super::{one, only, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_fire_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Damage that the bullet carries: weapon damage times house, crate, rank, garrison, bunker and \
              open-topped factors.",
    aliases: &[
        "Damage",
        "Firepower",
        "VeteranCombat",
        "OccupyDamageMultiplier",
        "BunkerDamageMultiplier",
        "OpenToppedDamageMultiplier",
        "IsSonic",
        "UseFireParticles",
        "attacker bonus",
        "garrison fire",
        "veteran firepower",
    ],
    units: "damage in points, factors without unit",
    example: r#"{"weapon_damage":65,"firepower_ability":true,"veteran_combat":"1.1"}"#,
};

/// The registered port.
pub static PORT: FnPort<FireDamageInput, FireDamage> = FnPort::new(&META, compute_fire_damage);

/// A weapon and who fires it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FireDamageInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Damage` of the weapon, in points; negative heals.
    pub weapon_damage: i32,
    /// `IsSonic`: the wave hurts, the bullet carries nothing. Default false.
    #[serde(default)]
    pub sonic: bool,
    /// `UseFireParticles`: the particles hurt, the bullet carries nothing. Default false.
    #[serde(default)]
    pub fire_particles: bool,
    /// `Firepower` of the firer's house, country times difficulty: a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub house_firepower: RealArg,
    /// Factor of the firer's firepower crate, any finite value, default 1 (stock crate 2).
    #[serde(default = "one")]
    pub unit_firepower: RealArg,
    /// Whether the firer's rank holds FIREPOWER, default false.
    #[serde(default)]
    pub firepower_ability: bool,
    /// `VeteranCombat`, any finite value, default 1 (the constructors). YR: the factor itself (stock 1.1). TS: what is
    /// added to 1 (stock .25).
    #[serde(default = "one")]
    pub veteran_combat: RealArg,
    /// YR only: whether the firer is a building that fires through its occupants, default false.
    #[serde(default)]
    pub occupied: bool,
    /// YR only: `OccupyDamageMultiplier`, any finite binary32, default 1 (stock 1.2).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub occupy_damage_multiplier: Option<RealArg>,
    /// YR only: whether the firer, no building itself, sits in a tank bunker, default false.
    #[serde(default)]
    pub bunkered: bool,
    /// YR only: `BunkerDamageMultiplier`, any finite binary32, default 1 (stock 1.3).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub bunker_damage_multiplier: Option<RealArg>,
    /// YR only: whether the firer rides in an open-topped transport, default false.
    #[serde(default)]
    pub open_topped: bool,
    /// YR only: `OpenToppedDamageMultiplier`, any finite binary32, default 1 (stock 1.2).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub open_topped_damage_multiplier: Option<RealArg>,
}

/// The stages on the firer's side; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FireDamage {
    /// Weapon damage, or 0 for a sonic or fire-particle weapon (clause base.1).
    pub base: i32,
    /// Times the product of house and crate factor, truncated; positive `base` only (clauses gate.1, house.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house_unit: Option<i32>,
    /// Times the rank's factor, truncated (clauses veteran.1, veteran.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veteran: Option<i32>,
    /// Times `OccupyDamageMultiplier`, truncated (clause garrison.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garrison: Option<i32>,
    /// Times `BunkerDamageMultiplier`, truncated (clause bunker.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bunker: Option<i32>,
    /// Times `OpenToppedDamageMultiplier`, truncated (clause open-topped.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_topped: Option<i32>,
    /// Points that the bullet carries.
    pub result: i32,
}

/// Damage that a shot carries.
///
/// # Errors
/// `EINVAL` at the field for text without a number, values that are not finite, and arguments of YR given for TS;
/// `EOPNOTSUPP` at `game` for any other game.
pub fn compute_fire_damage(input: &FireDamageInput) -> Result<FireDamage, PortError> {
    META.offers(input.game)?;
    let game = input.game;
    let house = double(&input.house_firepower, "house_firepower", game, Reader::Double)?;
    let unit = double(&input.unit_firepower, "unit_firepower", game, Reader::Double)?;
    let combat = double(&input.veteran_combat, "veteran_combat", game, Reader::Double)?;
    let [garrison, bunker, open_topped] = containers(input)?;

    let base = if input.sonic || input.fire_particles { 0 } else { input.weapon_damage };
    let mut damage = base;
    let house_unit = (base > 0).then(|| scale(&mut damage, x87::mul(house, unit)));
    let veteran = (base > 0 && input.firepower_ability).then(|| {
        let factor = if game == Game::Ts { x87::add(combat, 1.0) } else { combat };
        scale(&mut damage, factor)
    });
    // These three have no guard on the sign: a heal is scaled as well.
    let mut contain = |factor: Option<f32>| factor.map(|factor| scale(&mut damage, f64::from(factor)));
    let (garrison, bunker, open_topped) = (contain(garrison), contain(bunker), contain(open_topped));
    Ok(FireDamage { base, house_unit, veteran, garrison, bunker, open_topped, result: damage })
}

/// One stage: a product and its conversion.
fn scale(damage: &mut i32, factor: f64) -> i32 {
    *damage = x87::ftol(x87::mul(factor, f64::from(*damage)));
    *damage
}

/// The factors of the containers that the firer is in, in stage order.
fn containers(input: &FireDamageInput) -> Result<[Option<f32>; 3], PortError> {
    let read = |inside: bool, flag: &str, arg: &Option<RealArg>, field: &str| {
        only(Game::Yr, input.game, inside, flag)?;
        only(Game::Yr, input.game, arg.is_some(), field)?;
        let factor = arg.as_ref().map_or(Ok(1.0), |arg| single(arg, field, input.game))?;
        Ok(inside.then_some(factor))
    };
    Ok([
        read(input.occupied, "occupied", &input.occupy_damage_multiplier, "occupy_damage_multiplier")?,
        read(input.bunkered, "bunkered", &input.bunker_damage_multiplier, "bunker_damage_multiplier")?,
        read(
            input.open_topped,
            "open_topped",
            &input.open_topped_damage_multiplier,
            "open_topped_damage_multiplier",
        )?,
    ])
}
