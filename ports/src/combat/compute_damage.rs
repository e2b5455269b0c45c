//! The whole way of one hit: what the shot carries, what lying down and the target's defences make of it, and what the
//! warhead leaves. Nothing is computed here: the four finer ports are called in the engine's order.

use super::compute_defender_damage::{DefenderDamage, DefenderDamageInput, compute_defender_damage};
use super::compute_fire_damage::{FireDamage, FireDamageInput, compute_fire_damage};
use super::compute_prone_damage::{ProneDamage, ProneDamageInput, compute_prone_damage};
use super::compute_warhead_damage::{self, WarheadDamage, WarheadDamageInput, compute_warhead_damage};
use super::{max_damage, one, yes, yr};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Full damage pipeline of one hit: firer multipliers, prone and target armor, warhead falloff, Verses and cap.",
    aliases: &[
        "Damage",
        "Verses",
        "CellSpread",
        "PercentAtMax",
        "MaxDamage",
        "warhead",
        "weapon damage",
        "splash",
        "armor",
        "shell hits tank",
        "hit points lost",
        "attack strength",
    ],
    units: "damage in points, distance in leptons (256 to a cell), CellSpread in cells, factors without unit",
    example: r#"{"weapon_damage":100,"verses":0.75,"cell_spread":2.0,"distance":128}"#,
};

/// The registered port.
pub static PORT: FnPort<DamageInput, Damage> = FnPort::new(&META, compute_damage);

/// One hit: weapon, firer, target, warhead and distance.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DamageInput {
    /// Whose rules run.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Damage` of the weapon, in points; negative heals.
    pub weapon_damage: i32,
    /// Firer: `IsSonic` weapon, whose bullet carries nothing. Default false.
    #[serde(default)]
    pub sonic: bool,
    /// Firer: `UseFireParticles` weapon, whose bullet carries nothing. Default false.
    #[serde(default)]
    pub fire_particles: bool,
    /// Firer: house `Firepower`, a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub house_firepower: RealArg,
    /// Firer: firepower crate, a factor, any finite value, default 1 (stock crate 2).
    #[serde(default = "one")]
    pub unit_firepower: RealArg,
    /// Firer: rank holds FIREPOWER. Default false.
    #[serde(default)]
    pub firepower_ability: bool,
    /// Firer: `VeteranCombat`, default 1. YR: the factor (stock 1.1). TS: what is added to 1 (stock .25).
    #[serde(default = "one")]
    pub veteran_combat: RealArg,
    /// Firer, YR only: a building that fires through its occupants. Default false.
    #[serde(default)]
    pub occupied: bool,
    /// Firer, YR only: `OccupyDamageMultiplier`, default 1 (stock 1.2).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub occupy_damage_multiplier: Option<RealArg>,
    /// Firer, YR only: a non-building in a tank bunker. Default false.
    #[serde(default)]
    pub bunkered: bool,
    /// Firer, YR only: `BunkerDamageMultiplier`, default 1 (stock 1.3).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub bunker_damage_multiplier: Option<RealArg>,
    /// Firer, YR only: a passenger of an open-topped transport. Default false.
    #[serde(default)]
    pub open_topped: bool,
    /// Firer, YR only: `OpenToppedDamageMultiplier`, default 1 (stock 1.2).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub open_topped_damage_multiplier: Option<RealArg>,
    /// Whether the damage ignores defences: prone step, defender step and warhead are skipped. Default false.
    #[serde(default)]
    pub forced: bool,
    /// Target: infantry that lies prone. Default false.
    #[serde(default)]
    pub prone: bool,
    /// Warhead: `ProneDamage`, a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub prone_damage: RealArg,
    /// Target, TS only: house `Armor`, a divisor, any finite value, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub house_armor: Option<RealArg>,
    /// Target, YR only: the country's `Armor…Mult` for the target's category, a divisor, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub category_armor: Option<RealArg>,
    /// Target: armor crate, a divisor, any finite value, default 1 (stock crate 1.5).
    #[serde(default = "one")]
    pub unit_armor: RealArg,
    /// Target: rank holds STRONGER. Default false.
    #[serde(default)]
    pub stronger: bool,
    /// Target: `VeteranArmor`, default 1. YR: the divisor (stock 1.5). TS: what is added to 1 (stock .25).
    #[serde(default = "one")]
    pub veteran_armor: RealArg,
    /// Warhead: `Verses` for the target's armor, any finite value, default 1; text is one token of the key (`"70%"`).
    #[serde(default = "one")]
    pub verses: RealArg,
    /// Warhead, YR only: `CellSpread` in cells, 0 to less than 8388608, default 0.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cell_spread: Option<RealArg>,
    /// Warhead, YR only: `PercentAtMax`, factor left at the radius, default 1 (no falloff).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub percent_at_max: Option<RealArg>,
    /// Warhead, TS only: `Spread`, three leptons of distance step for each point, default 1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub spread: Option<i32>,
    /// `MinDamage` in points, default 1. Acts in TS; YR parses it and never reads it (answered with a caveat).
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub min_damage: Option<i32>,
    /// Leptons from the impact, at least 0, default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub distance: i32,
    /// `MaxDamage` in points, default 1000 (stock TS 1000, stock YR 10000).
    #[serde(default = "max_damage")]
    pub max_damage: i32,
    /// Whether the scenario switches damage off (`Inert`). Default false.
    #[serde(default)]
    pub inert: bool,
    /// Whether the hit has a warhead. Default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
}

/// The stages of a hit, one breakdown for each step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Damage {
    /// What the bullet carries (clause order.1).
    pub fire: FireDamage,
    /// What lying down leaves (clauses order.1, forced.1).
    pub prone: ProneDamage,
    /// What the target's house, crate and rank leave (clauses order.1, forced.1).
    pub defender: DefenderDamage,
    /// What the warhead leaves; left out when the damage is forced (clauses order.1, forced.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warhead: Option<WarheadDamage>,
    /// Points that health loses; negative heals.
    pub result: i32,
    /// Where the result leaves what evidence covers, or an argument had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// The full pipeline of one hit.
///
/// # Errors
/// What the four steps refuse, at the same fields; arguments of a step that is skipped are checked all the same.
pub fn compute_damage(input: &DamageInput) -> Result<Damage, PortError> {
    META.offers(input.game)?;
    let fire = compute_fire_damage(&input.fire())?;
    let prone = compute_prone_damage(&input.prone(fire.result))?;
    let defender = compute_defender_damage(&input.defender(prone.result))?;
    let mut warhead = compute_warhead_damage(&input.warhead(defender.result))?;
    if input.forced {
        let result = defender.result;
        return Ok(Damage { fire, prone, defender, warhead: None, result, caveats: Vec::new() });
    }
    let caveats = std::mem::take(&mut warhead.caveats).into_iter().map(of_warhead).collect();
    let result = warhead.result;
    Ok(Damage { fire, prone, defender, warhead: Some(warhead), result, caveats })
}

/// A remark of the warhead step, whose clause is one of that capability's spec.
pub(super) fn of_warhead(caveat: Caveat) -> Caveat {
    Caveat { clause: format!("{}/{}", compute_warhead_damage::META.name, caveat.clause), ..caveat }
}

impl DamageInput {
    fn fire(&self) -> FireDamageInput {
        FireDamageInput {
            game: self.game,
            weapon_damage: self.weapon_damage,
            sonic: self.sonic,
            fire_particles: self.fire_particles,
            house_firepower: self.house_firepower.clone(),
            unit_firepower: self.unit_firepower.clone(),
            firepower_ability: self.firepower_ability,
            veteran_combat: self.veteran_combat.clone(),
            occupied: self.occupied,
            occupy_damage_multiplier: self.occupy_damage_multiplier.clone(),
            bunkered: self.bunkered,
            bunker_damage_multiplier: self.bunker_damage_multiplier.clone(),
            open_topped: self.open_topped,
            open_topped_damage_multiplier: self.open_topped_damage_multiplier.clone(),
        }
    }

    fn prone(&self, damage: i32) -> ProneDamageInput {
        ProneDamageInput {
            game: self.game,
            damage,
            prone: self.prone,
            prone_damage: self.prone_damage.clone(),
            forced: self.forced,
            warhead_present: (self.game == Game::Ts).then_some(self.warhead_present),
        }
    }

    fn defender(&self, damage: i32) -> DefenderDamageInput {
        DefenderDamageInput {
            game: self.game,
            damage,
            forced: self.forced,
            house_armor: self.house_armor.clone(),
            category_armor: self.category_armor.clone(),
            unit_armor: self.unit_armor.clone(),
            stronger: self.stronger,
            veteran_armor: self.veteran_armor.clone(),
        }
    }

    fn warhead(&self, damage: i32) -> WarheadDamageInput {
        WarheadDamageInput {
            game: self.game,
            damage,
            verses: self.verses.clone(),
            cell_spread: self.cell_spread.clone(),
            percent_at_max: self.percent_at_max.clone(),
            spread: self.spread,
            min_damage: self.min_damage,
            distance: self.distance,
            max_damage: self.max_damage,
            inert: self.inert,
            warhead_present: self.warhead_present,
        }
    }
}
