//! What lying down makes of a hit: the first step on the target's side, for infantry only.

use super::{one, only, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_prone_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Damage to prone infantry: positive, unforced damage times ProneDamage of the warhead, at least 1.",
    aliases: &["ProneDamage", "prone", "lying down", "crawling infantry", "infantry cover"],
    units: "damage in points, ProneDamage as a factor",
    example: r#"{"damage":100,"prone":true,"prone_damage":"70%"}"#,
};

/// The registered port.
pub static PORT: FnPort<ProneDamageInput, ProneDamage> = FnPort::new(&META, compute_prone_damage);

/// A hit on infantry.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProneDamageInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Points that arrive; negative heals.
    pub damage: i32,
    /// Whether the target is infantry that lies prone.
    pub prone: bool,
    /// `ProneDamage` of the warhead: a factor, any finite value, default 1 (the warhead constructor).
    #[serde(default = "one")]
    pub prone_damage: RealArg,
    /// Whether the damage ignores defences, default false.
    #[serde(default)]
    pub forced: bool,
    /// TS only: whether the hit has a warhead, default true.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub warhead_present: Option<bool>,
}

/// The stages of the prone step; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProneDamage {
    /// Whether the step acts (clauses gate.1, gate.2, gate.3).
    pub applies: bool,
    /// Damage times `ProneDamage`, truncated (clause scale.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<i32>,
    /// Points that go on to the defender step: at least 1 where the step acts (clause floor.1).
    pub result: i32,
}

/// Damage after the prone step.
///
/// # Errors
/// `EINVAL` at `prone_damage` for text without a number and values that are not finite, and at `warhead_present` when it
/// is given for YR; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_prone_damage(input: &ProneDamageInput) -> Result<ProneDamage, PortError> {
    META.offers(input.game)?;
    only(Game::Ts, input.game, input.warhead_present.is_some(), "warhead_present")?;
    let factor = double(&input.prone_damage, "prone_damage", input.game, Reader::Double)?;
    let applies = input.prone && input.damage > 0 && !input.forced && input.warhead_present.unwrap_or(true);
    let scaled = applies.then(|| x87::ftol(x87::mul(f64::from(input.damage), factor)));
    let result = scaled.map_or(input.damage, |scaled| scaled.max(1));
    Ok(ProneDamage { applies, scaled, result })
}
