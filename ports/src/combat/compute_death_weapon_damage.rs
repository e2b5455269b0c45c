//! The explosion of a dying object: what triggers it, which weapon goes off, and its damage.

use super::{one, yr};
use crate::math::x87;
use crate::rules::text::single;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_death_weapon_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Damage of the explosion of a dying unit: trigger, weapon and its damage after DeathWeaponDamageModifier.",
    aliases: &[
        "DeathWeapon",
        "DeathWeaponDamageModifier",
        "Explodes",
        "EXPLODES",
        "Suicide",
        "Crashable",
        "death explosion",
        "explodes on death",
        "crashing aircraft damage",
        "demo truck",
    ],
    units: "damage and strength in points",
    example: r#"{"strength":100,"explodes":true,"death_weapon":300,"modifier":".1"}"#,
};

/// The registered port.
pub static PORT: FnPort<DeathWeaponInput, DeathWeapon> = FnPort::new(&META, compute_death_weapon_damage);

/// Part of the strength that the weapon of the rules deals.
const OF_STRENGTH: f64 = 0.5;

/// A dying object.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeathWeaponInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Strength` of the type, in points.
    pub strength: i32,
    /// `Explodes` of the type, default false.
    #[serde(default)]
    pub explodes: bool,
    /// Whether the object's rank holds the ability EXPLODES, default false.
    #[serde(default)]
    pub explodes_ability: bool,
    /// `Suicide` of the object's current weapon, default false.
    #[serde(default)]
    pub suicide: bool,
    /// Whether the object is an aircraft that hits the ground, default false.
    #[serde(default)]
    pub crashing: bool,
    /// `Damage` of the type's `DeathWeapon`; left out when it has none.
    #[serde(default)]
    pub death_weapon: Option<i32>,
    /// `Damage` of the weapon in the object's own first slot; left out when it has none.
    #[serde(default)]
    pub selected_weapon: Option<i32>,
    /// Whether `[CombatDamage] DeathWeapon` names a weapon, default false (the constructor; the stock rules do).
    #[serde(default)]
    pub rules_weapon: bool,
    /// `DeathWeaponDamageModifier` of the type, any finite binary32, default 1.
    #[serde(default = "one")]
    pub modifier: RealArg,
}

/// Why an object explodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Its type explodes.
    Explodes,
    /// Its rank explodes.
    Ability,
    /// Its current weapon is a suicide.
    Suicide,
    /// It is an aircraft that hits the ground.
    Crash,
    /// It does not.
    None,
}

/// Where the weapon comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weapon {
    /// The type's `DeathWeapon`.
    Type,
    /// The object's own selection.
    Selected,
    /// The `DeathWeapon` of the rules.
    Rules,
    /// Nowhere: nothing goes off.
    None,
}

/// An explosion; what did not come to be is left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DeathWeapon {
    /// Why the object explodes: the first reason that holds (clauses trigger.1, trigger.2).
    pub trigger: Trigger,
    /// Where the weapon comes from (clause weapon.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weapon: Option<Weapon>,
    /// Points that the explosion carries, truncated (clauses damage.1, damage.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<i32>,
}

/// The explosion of a dying object.
///
/// # Errors
/// `EINVAL` at `modifier` for text without a number, values that are not finite and values that no binary32 holds;
/// `EOPNOTSUPP` at `game` for any other game.
pub fn compute_death_weapon_damage(input: &DeathWeaponInput) -> Result<DeathWeapon, PortError> {
    META.offers(input.game)?;
    let modifier = single(&input.modifier, "modifier", input.game)?;
    let trigger = trigger(input);
    if trigger == Trigger::None {
        return Ok(DeathWeapon { trigger, weapon: None, damage: None });
    }
    let scaled = |damage: i32| x87::ftol(x87::mul(f64::from(damage), f64::from(modifier)));
    let (weapon, damage) = match (input.death_weapon, input.selected_weapon) {
        (Some(damage), _) => (Weapon::Type, Some(scaled(damage))),
        (None, Some(damage)) => (Weapon::Selected, Some(scaled(damage))),
        (None, None) if input.rules_weapon => {
            (Weapon::Rules, Some(x87::ftol(x87::mul(f64::from(input.strength), OF_STRENGTH))))
        }
        (None, None) => (Weapon::None, None),
    };
    Ok(DeathWeapon { trigger, weapon: Some(weapon), damage })
}

const fn trigger(input: &DeathWeaponInput) -> Trigger {
    if input.explodes {
        Trigger::Explodes
    } else if input.explodes_ability {
        Trigger::Ability
    } else if input.suicide {
        Trigger::Suicide
    } else if input.crashing {
        Trigger::Crash
    } else {
        Trigger::None
    }
}
