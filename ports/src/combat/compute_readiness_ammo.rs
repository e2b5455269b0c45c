//! Ammunition that a hit costs an object whose type says `DamageReducesReadiness`.

use super::yr;
use crate::math::x87;
use crate::rules::text::single;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_readiness_ammo",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Ammo left after a hit on a type with DamageReducesReadiness.",
    aliases: &[
        "DamageReducesReadiness",
        "ReadinessReductionMultiplier",
        "Ammo",
        "readiness",
        "ammo loss on damage",
        "ammunition",
    ],
    units: "ammo in shots, damage and strength in points",
    example: r#"{"ammo":5,"max_ammo":5,"damage":100,"strength":400,"multiplier":1.0}"#,
};

/// The registered port.
pub static PORT: FnPort<ReadinessInput, Readiness> = FnPort::new(&META, compute_readiness_ammo);

/// A hit on an object with ammunition.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadinessInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Shots that the object has.
    pub ammo: i32,
    /// `Ammo` of the type: shots when full.
    pub max_ammo: i32,
    /// Points that arrive, before any immunity; negative heals.
    pub damage: i32,
    /// `Strength` of the type, in points, not 0.
    pub strength: i32,
    /// Multiplier of the type, any finite binary32, default 0 (the constructor).
    #[serde(default = "nothing")]
    pub multiplier: RealArg,
}

/// The stages of the loss.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Readiness {
    /// Damage divided by strength (clause ratio.1).
    pub ratio: Real,
    /// That times the multiplier (clause loss.1).
    pub scaled: Real,
    /// Shots lost: that times the full ammo (clause loss.1).
    pub lost: Real,
    /// Shots left, before truncation (clause loss.1).
    pub left: Real,
    /// Shots left, truncated, 0 at least (clauses floor.1, heal.1).
    pub ammo: i32,
}

fn nothing() -> RealArg {
    RealArg::Held(0.0)
}

/// Shots left after a hit.
///
/// # Errors
/// `EINVAL` at `strength` for 0, at `multiplier` for text without a number, values that are not finite and values that no
/// binary32 holds; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_readiness_ammo(input: &ReadinessInput) -> Result<Readiness, PortError> {
    META.offers(input.game)?;
    let multiplier = single(&input.multiplier, "multiplier", input.game)?;
    if input.strength == 0 {
        return Err(PortError::invalid("strength", "is 0, which no reading divides by"));
    }
    let ratio = x87::div(f64::from(input.damage), f64::from(input.strength));
    let scaled = x87::mul(f64::from(multiplier), ratio);
    let lost = x87::mul(f64::from(input.max_ammo), scaled);
    let left = x87::sub(f64::from(input.ammo), lost);
    Ok(Readiness {
        ratio: ratio.into(),
        scaled: scaled.into(),
        lost: lost.into(),
        left: left.into(),
        ammo: x87::ftol(left).max(0),
    })
}
