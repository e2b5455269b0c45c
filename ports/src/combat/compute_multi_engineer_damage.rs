//! What an engineer does to an enemy building when several are needed to take it.

use super::{ts, yes};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_multi_engineer_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts],
    summary: "Damage that an engineer does to an enemy building under multi-engineer, or the capture instead of it.",
    aliases: &[
        "multi engineer",
        "MultiEngineer",
        "Engineer",
        "Capturable",
        "ConditionRed",
        "C4Warhead",
        "engineer capture",
        "engineer damage",
    ],
    units: "health, strength and damage in points",
    example: r#"{"health":1000,"strength":1000,"condition_red":"25%"}"#,
};

/// The registered port.
pub static PORT: FnPort<MultiEngineerInput, MultiEngineer> =
    FnPort::new(&META, compute_multi_engineer_damage);

/// An enemy building that an engineer enters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MultiEngineerInput {
    /// Whose rule runs.
    #[serde(default = "ts")]
    pub game: Game,
    /// Health of the building, in points.
    pub health: i32,
    /// `Strength` of its type, in points, at least 1.
    #[schemars(range(min = 1))]
    pub strength: i32,
    /// `ConditionRed`, a part of 1, any finite value, default .5 (the constructor; stock 25%).
    #[serde(default = "half")]
    pub condition_red: RealArg,
    /// Whether the game is a campaign, which knows no multi-engineer, default false.
    #[serde(default)]
    pub campaign: bool,
    /// Whether the multi-engineer option is on, default true.
    #[serde(default = "yes")]
    pub multi_engineer: bool,
    /// `Capturable` of the type, default true.
    #[serde(default = "yes")]
    pub capturable: bool,
}

/// What the engineer achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The building is damaged.
    Damaged,
    /// The building changes hands.
    Captured,
    /// Nothing.
    Nothing,
}

/// The stages of the visit; those that did not run are left out. The engineer is used up in any case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MultiEngineer {
    /// Health divided by strength (clause gate.1).
    pub ratio: Real,
    /// What the engineer achieves (clauses gate.1, capture.1).
    pub outcome: Outcome,
    /// Damage that leaves half of the red part of the strength (clause limit.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<i32>,
    /// Half of the strength above that, as held (clause half.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<Real>,
    /// The smaller of both, truncated; it ignores defences (clause damage.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<i32>,
    /// Health afterwards.
    pub health: i32,
}

fn half() -> RealArg {
    RealArg::Held(0.5)
}

/// Damage or capture by an engineer.
///
/// # Errors
/// `EINVAL` at `strength` below 1, at `condition_red` for text without a number and values that are not finite; `EOPNOTSUPP`
/// at `game` for any other game.
pub fn compute_multi_engineer_damage(input: &MultiEngineerInput) -> Result<MultiEngineer, PortError> {
    META.offers(input.game)?;
    let red = double(&input.condition_red, "condition_red", input.game, Reader::Double)?;
    if input.strength < 1 {
        return Err(PortError::invalid("strength", "must be at least 1"));
    }
    let (health, strength) = (f64::from(input.health), f64::from(input.strength));
    let ratio = x87::div(health, strength);
    if input.campaign || !input.multi_engineer || ratio <= red {
        let outcome = if input.capturable { Outcome::Captured } else { Outcome::Nothing };
        let ratio = ratio.into();
        return Ok(MultiEngineer {
            ratio,
            outcome,
            limit: None,
            half: None,
            damage: None,
            health: input.health,
        });
    }
    let kept = x87::ftol(x87::div(x87::mul(strength, red), 2.0));
    let limit = input.health.wrapping_sub(kept);
    let half = x87::mul(strength, x87::div(x87::sub(1.0, x87::div(red, 2.0)), 2.0));
    let damage = x87::ftol(half.min(f64::from(limit)));
    Ok(MultiEngineer {
        ratio: ratio.into(),
        outcome: Outcome::Damaged,
        limit: Some(limit),
        half: Some(half.into()),
        damage: Some(damage),
        health: input.health.wrapping_sub(damage),
    })
}
