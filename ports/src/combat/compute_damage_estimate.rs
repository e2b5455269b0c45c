//! `compute_damage_estimate`: what the computer expects of a shot before it is fired.

use super::compute_fire_damage::{FireDamage, FireDamageInput, compute_fire_damage};
use super::compute_warhead_damage::{WarheadDamage, WarheadDamageInput, compute_warhead_damage};
use super::{max_damage, one, yes, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_damage_estimate",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Damage that the computer expects of one shot, with the shooter's own armor crate in the wrong place.",
    aliases: &[
        "EstimateDamage",
        "AdjustDamage",
        "estimated health",
        "expected damage",
        "AI damage prediction",
        "overkill",
        "threat",
        "armor crate bug",
    ],
    units: "damage in points, factors without unit",
    example: r#"{"weapon_damage":100,"verses":"50%","shooter_armor":1.5}"#,
};

/// The registered port.
pub static PORT: FnPort<EstimateInput, Estimate> = FnPort::new(&META, compute_damage_estimate);

/// A shot that is considered.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EstimateInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Whether there is a target. Default true.
    #[serde(default = "yes")]
    pub target_present: bool,
    /// `Damage` of the weapon, in points; negative heals.
    pub weapon_damage: i32,
    /// `IsSonic` of the weapon. Default false.
    #[serde(default)]
    pub sonic: bool,
    /// `UseFireParticles` of the weapon. Default false.
    #[serde(default)]
    pub fire_particles: bool,
    /// `Firepower` of the shooter's house: a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub house_firepower: RealArg,
    /// Factor of the shooter's firepower crate, any finite value, default 1 (stock crate 2).
    #[serde(default = "one")]
    pub unit_firepower: RealArg,
    /// Whether the shooter's rank holds FIREPOWER. Default false.
    #[serde(default)]
    pub firepower_ability: bool,
    /// `VeteranCombat`, any finite value, default 1 (stock 1.1).
    #[serde(default = "one")]
    pub veteran_combat: RealArg,
    /// `Armor…Mult` of the target's country for the **shooter's** category: a divisor, any finite binary32, default 1.
    #[serde(default = "one")]
    pub category_armor: RealArg,
    /// Divisor of the **shooter's** armor crate, any finite value, default 1 (stock crate 1.5).
    #[serde(default = "one")]
    pub shooter_armor: RealArg,
    /// Whether the target's rank holds STRONGER. Default false.
    #[serde(default)]
    pub stronger: bool,
    /// `VeteranArmor`, a divisor, any finite value, default 1 (stock 1.5).
    #[serde(default = "one")]
    pub veteran_armor: RealArg,
    /// `Verses` entry for the target's armor: a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub verses: RealArg,
    /// `CellSpread` of the warhead in cells, 0 to less than 8388608, default 0.
    #[serde(default = "zero")]
    pub cell_spread: RealArg,
    /// `PercentAtMax` of the warhead, any finite binary32, default 1.
    #[serde(default = "one")]
    pub percent_at_max: RealArg,
    /// `[CombatDamage] MaxDamage` in points, default 1000 (stock 10000).
    #[serde(default = "max_damage")]
    pub max_damage: i32,
    /// Whether the scenario switches damage off (`Inert`). Default false.
    #[serde(default)]
    pub inert: bool,
    /// Whether the weapon has a warhead. Default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
}

fn zero() -> RealArg {
    RealArg::Held(0.0)
}

/// What ends the estimate early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EstimateGate {
    /// Nothing: every stage ran.
    None,
    /// There is no target (clause gate.1).
    NoTarget,
    /// The weapon hurts by its wave or its particles (clause gate.1).
    NoBullet,
    /// The damage is not positive (clause gate.2).
    NotPositive,
}

/// The stages of an estimate; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Estimate {
    /// What ends the estimate early.
    pub gate: EstimateGate,
    /// What the shot carries, with the stages of `compute_fire_damage` (clause fire.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fire: Option<FireDamage>,
    /// Product of the two divisors, as held (clause armor.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divisor: Option<Real>,
    /// Damage divided by it, truncated (clause armor.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armored: Option<i32>,
    /// That divided by `VeteranArmor`, truncated (clause stronger.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veteran: Option<i32>,
    /// At least 1 (clause floor.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floored: Option<i32>,
    /// What the warhead leaves, with the stages of `compute_warhead_damage` (clause kernel.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<WarheadDamage>,
    /// Points that are expected.
    pub result: i32,
}

/// Damage that is expected of a shot.
///
/// # Errors
/// `EINVAL` at the field for what `compute_fire_damage` and `compute_warhead_damage` refuse, and for divisors that are no
/// finite number; `EOPNOTSUPP` for a game without evidence.
pub fn compute_damage_estimate(input: &EstimateInput) -> Result<Estimate, PortError> {
    META.offers(input.game)?;
    let fire = compute_fire_damage(&input.shot())?;
    let category = f64::from(single(&input.category_armor, "category_armor", input.game)?);
    let shooter = double(&input.shooter_armor, "shooter_armor", input.game, Reader::Double)?;
    let rank = double(&input.veteran_armor, "veteran_armor", input.game, Reader::Double)?;
    let divisor = x87::mul(category, shooter);
    let divide = |damage: i32, by: f64| x87::ftol(x87::div(f64::from(damage), by));
    let armored = divide(fire.result, divisor);
    let veteran = input.stronger.then(|| divide(armored, rank));
    let floored = veteran.unwrap_or(armored).max(1);
    let kernel = compute_warhead_damage(&input.hit(floored))?;
    let gate = input.gate();
    if gate != EstimateGate::None {
        let result = if gate == EstimateGate::NotPositive { input.weapon_damage } else { 0 };
        let (fire, divisor, armored, veteran, floored, kernel) = (None, None, None, None, None, None);
        return Ok(Estimate { gate, fire, divisor, armored, veteran, floored, kernel, result });
    }
    Ok(Estimate {
        gate,
        fire: Some(fire),
        divisor: Some(divisor.into()),
        armored: Some(armored),
        veteran,
        floored: Some(floored),
        result: kernel.result,
        kernel: Some(kernel),
    })
}

impl EstimateInput {
    fn gate(&self) -> EstimateGate {
        if !self.target_present {
            EstimateGate::NoTarget
        } else if self.sonic || self.fire_particles {
            EstimateGate::NoBullet
        } else if self.weapon_damage <= 0 {
            EstimateGate::NotPositive
        } else {
            EstimateGate::None
        }
    }

    /// The shot, from the open.
    fn shot(&self) -> FireDamageInput {
        FireDamageInput {
            game: self.game,
            weapon_damage: self.weapon_damage,
            sonic: false,
            fire_particles: false,
            house_firepower: self.house_firepower.clone(),
            unit_firepower: self.unit_firepower.clone(),
            firepower_ability: self.firepower_ability,
            veteran_combat: self.veteran_combat.clone(),
            occupied: false,
            occupy_damage_multiplier: None,
            bunkered: false,
            bunker_damage_multiplier: None,
            open_topped: false,
            open_topped_damage_multiplier: None,
        }
    }

    /// The hit, on the spot.
    fn hit(&self, damage: i32) -> WarheadDamageInput {
        WarheadDamageInput {
            game: self.game,
            damage,
            verses: self.verses.clone(),
            cell_spread: Some(self.cell_spread.clone()),
            percent_at_max: Some(self.percent_at_max.clone()),
            spread: None,
            min_damage: None,
            distance: 0,
            max_damage: self.max_damage,
            inert: self.inert,
            warhead_present: self.warhead_present,
        }
    }
}
