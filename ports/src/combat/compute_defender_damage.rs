//! What the target's house, crates and rank make of a hit before the warhead sees it.
//!
//! YR divides; TS multiplies by a reciprocal that is rounded first, which is why a quarter off 100 points is 79 there.

use super::{one, only, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_defender_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "What the target's house, armor crate and rank make of incoming damage before the warhead kernel.",
    aliases: &[
        "VeteranArmor",
        "Armor",
        "ArmorInfantryMult",
        "ArmorUnitsMult",
        "ArmorAircraftMult",
        "ArmorBuildingsMult",
        "ArmorDefensesMult",
        "STRONGER",
        "armor crate",
        "target armor",
        "damage reduction",
    ],
    units: "damage in points, divisors without unit",
    example: r#"{"damage":100,"stronger":true,"veteran_armor":1.5}"#,
};

/// The registered port.
pub static PORT: FnPort<DefenderDamageInput, DefenderDamage> = FnPort::new(&META, compute_defender_damage);

/// A hit and who takes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefenderDamageInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Points that arrive; negative heals.
    pub damage: i32,
    /// Whether the damage ignores defences, default false.
    #[serde(default)]
    pub forced: bool,
    /// TS only: `Armor` of the target's house, country times difficulty: a divisor, any finite value, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub house_armor: Option<RealArg>,
    /// YR only: the country's `Armor…Mult` for the target's category: a divisor, any finite binary32, default 1. The
    /// difficulty's `Armor` is no operand in YR.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub category_armor: Option<RealArg>,
    /// Divisor of the target's armor crate, any finite value, default 1 (stock crate 1.5).
    #[serde(default = "one")]
    pub unit_armor: RealArg,
    /// Whether the target's rank holds STRONGER, default false.
    #[serde(default)]
    pub stronger: bool,
    /// `VeteranArmor`, any finite value, default 1 (the constructors). YR: the divisor itself (stock 1.5). TS: what is
    /// added to 1 (stock .25).
    #[serde(default = "one")]
    pub veteran_armor: RealArg,
}

/// The stages on the target's side; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DefenderDamage {
    /// Whether the step acts (clauses gate.1, gate.2).
    pub applies: bool,
    /// YR: product of category and crate divisor, as held (clause house.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divisor: Option<Real>,
    /// TS: one divided by the product of house and crate divisor, as held (clause house.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<Real>,
    /// Damage after house and crate, truncated (clauses house.1, house.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house: Option<i32>,
    /// `house` after the rank, truncated (clauses veteran.1, veteran.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veteran: Option<i32>,
    /// At least 1 (clause floor.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floored: Option<i32>,
    /// Points that go on to the warhead.
    pub result: i32,
}

/// Damage after the defender step.
///
/// # Errors
/// `EINVAL` at the field for text without a number, values that are not finite, `house_armor` given for YR and
/// `category_armor` given for TS; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_defender_damage(input: &DefenderDamageInput) -> Result<DefenderDamage, PortError> {
    META.offers(input.game)?;
    let game = input.game;
    only(Game::Ts, game, input.house_armor.is_some(), "house_armor")?;
    only(Game::Yr, game, input.category_armor.is_some(), "category_armor")?;
    let unit = double(&input.unit_armor, "unit_armor", game, Reader::Double)?;
    let rank = double(&input.veteran_armor, "veteran_armor", game, Reader::Double)?;
    let house = match (&input.house_armor, &input.category_armor) {
        (Some(arg), _) => double(arg, "house_armor", game, Reader::Double)?,
        (None, Some(arg)) => f64::from(single(arg, "category_armor", game)?),
        (None, None) => 1.0,
    };
    // YR takes a zero as well, and raises it to 1; TS begins at 1.
    let least = i32::from(game == Game::Ts);
    let mut output = DefenderDamage {
        applies: !input.forced && input.damage >= least,
        divisor: None,
        factor: None,
        house: None,
        veteran: None,
        floored: None,
        result: input.damage,
    };
    if output.applies {
        let reduce = if game == Game::Ts { by_factor } else { by_divisor };
        let (held, damage) = reduce(input.damage, x87::mul(house, unit));
        let slot = if game == Game::Ts { &mut output.factor } else { &mut output.divisor };
        *slot = Some(held.into());
        output.house = Some(damage);
        output.veteran = input.stronger.then(|| {
            let rank = if game == Game::Ts { x87::add(rank, 1.0) } else { rank };
            reduce(damage, rank).1
        });
        output.result = output.veteran.unwrap_or(damage).max(1);
        output.floored = Some(output.result);
    }
    Ok(output)
}

/// YR: divides. A zero divisor gives infinity or NaN, which converts to 0 (clause zero.1).
fn by_divisor(damage: i32, divisor: f64) -> (f64, i32) {
    (divisor, x87::ftol(x87::div(f64::from(damage), divisor)))
}

/// TS: multiplies by the reciprocal.
fn by_factor(damage: i32, divisor: f64) -> (f64, i32) {
    let factor = x87::div(1.0, divisor);
    (factor, x87::ftol(x87::mul(factor, f64::from(damage))))
}
