//! The ordered tests that cancel a hit on a unit or building between its defences and the warhead.

use super::compute_warhead_damage::{WarheadDamage, WarheadDamageInput, compute_warhead_damage};
use super::{max_damage, one, yes, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_damage_gates",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "First immunity test that cancels a hit, in the engine's order, and whether it writes 0 back.",
    aliases: &[
        "TypeImmune",
        "ImmuneToRadiation",
        "ImmuneToPsionicWeapons",
        "ImmuneToPsionics",
        "ImmuneToPoison",
        "AffectsAllies",
        "Psychedelic",
        "PenetratesBunker",
        "iron curtain",
        "force shield",
        "immunity",
        "chaos gas",
        "invulnerable",
    ],
    units: "damage in points, duration in frames",
    example: r#"{"damage":100,"invulnerable":true}"#,
};

/// The registered port.
pub static PORT: FnPort<DamageGatesInput, DamageGates> = FnPort::new(&META, inspect_damage_gates);

/// A hit, its warhead and its target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DamageGatesInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Points that the target's defences left; negative heals.
    pub damage: i32,
    /// Whether the damage ignores defences, default false.
    #[serde(default)]
    pub forced: bool,
    /// Target: whether it is a building, default false.
    #[serde(default)]
    pub building: bool,
    /// Target: `TypeImmune`, default false.
    #[serde(default)]
    pub type_immune: bool,
    /// Whether the attacker is of the target's type, default false.
    #[serde(default)]
    pub same_type: bool,
    /// Whether the attacker has the target's owner, default false.
    #[serde(default)]
    pub same_owner: bool,
    /// Target: under an iron curtain or force shield, default false.
    #[serde(default)]
    pub invulnerable: bool,
    /// Target: being warped out, default false.
    #[serde(default)]
    pub warping: bool,
    /// Whether the hit has a warhead, default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
    /// Target: linked to a tank bunker, as its occupant or as the bunker. Default false.
    #[serde(default)]
    pub bunker_linked: bool,
    /// Target: whether the building in its cell is that bunker, default false.
    #[serde(default)]
    pub in_bunker_cell: bool,
    /// Warhead: `PenetratesBunker`, default false.
    #[serde(default)]
    pub penetrates_bunker: bool,
    /// Warhead: `Radiation`, default false.
    #[serde(default)]
    pub radiation: bool,
    /// Target: `ImmuneToRadiation`, default false.
    #[serde(default)]
    pub immune_to_radiation: bool,
    /// Warhead: `PsychicDamage`, default false.
    #[serde(default)]
    pub psychic_damage: bool,
    /// Target: `ImmuneToPsionicWeapons`, default true for buildings and false for others.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub immune_to_psionic_weapons: Option<bool>,
    /// Warhead: `Poison`, default false.
    #[serde(default)]
    pub poison: bool,
    /// Target: `ImmuneToPoison`, default false.
    #[serde(default)]
    pub immune_to_poison: bool,
    /// Warhead: `AffectsAllies`, default true.
    #[serde(default = "yes")]
    pub affects_allies: bool,
    /// Whether there is an attacker whose owner is allied with the target's, default false.
    #[serde(default)]
    pub attacker_allied: bool,
    /// Warhead: `Psychedelic`, default false.
    #[serde(default)]
    pub psychedelic: bool,
    /// Whether the target's owner is allied with the house that the damage comes from, default false.
    #[serde(default)]
    pub source_house_allied: bool,
    /// Target: `ImmuneToPsionics`, default true for buildings and false for others.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub immune_to_psionics: Option<bool>,
    /// Warhead, for the frames of a psychedelic hit: `Verses` for the target's armor, any finite value, default 1; text is
    /// one token of the key.
    #[serde(default = "one")]
    pub verses: RealArg,
    /// Warhead, for those frames: `CellSpread` in cells, 0 to less than 8388608, default 0.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cell_spread: Option<RealArg>,
    /// Warhead, for those frames: `PercentAtMax`, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub percent_at_max: Option<RealArg>,
    /// For those frames: `MaxDamage` in points, default 1000 (stock 10000).
    #[serde(default = "max_damage")]
    pub max_damage: i32,
    /// For those frames: whether the scenario switches damage off, default false.
    #[serde(default)]
    pub inert: bool,
}

/// The test that ended a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// None: the hit goes on to the warhead.
    Passed,
    /// One of the same type and owner (clause type.1).
    TypeImmune,
    /// Iron curtain or force shield (clause invulnerable.1).
    Invulnerable,
    /// Being warped out (clause warping.1).
    Warping,
    /// A bunker that the warhead would penetrate (clause bunker.1).
    BunkerBuilding,
    /// Inside a bunker that the warhead does not penetrate (clause bunker.2).
    BunkerOccupant,
    /// `ImmuneToRadiation` (clause immune.1).
    Radiation,
    /// `ImmuneToPsionicWeapons` (clause immune.1).
    PsychicDamage,
    /// `ImmuneToPoison` (clause immune.1).
    Poison,
    /// `AffectsAllies=no` (clause allies.1).
    Allies,
    /// A psychedelic hit on what cannot go berserk (clause psychedelic.1).
    PsychedelicImmune,
    /// A psychedelic hit: the target goes berserk instead (clause psychedelic.2).
    Psychedelic,
}

/// How a hit fared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DamageGates {
    /// The test that ended it.
    pub gate: Gate,
    /// Whether that test wrote 0 over the damage.
    pub zeroed: bool,
    /// Damage as it is left for the caller.
    pub damage: i32,
    /// Strength of the flash of an invulnerable target (clause invulnerable.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash: Option<i32>,
    /// Whether the hit came far enough to cost ammunition (clause readiness.1).
    pub readiness: bool,
    /// What the warhead makes of a psychedelic hit (clause psychedelic.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<WarheadDamage>,
    /// Frames for which the target is berserk (clause psychedelic.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub berserk: Option<i32>,
}

/// The fate of a hit at the immunities.
///
/// # Errors
/// `EINVAL` at the fields of the warhead for text without a number, values that are not finite, and a `cell_spread` out of
/// range; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_damage_gates(input: &DamageGatesInput) -> Result<DamageGates, PortError> {
    META.offers(input.game)?;
    let kernel = compute_warhead_damage(&input.warhead())?;
    let early = early(input);
    let gate = early.unwrap_or_else(|| late(input));
    let zeroed =
        !matches!(gate, Gate::Passed | Gate::TypeImmune | Gate::PsychedelicImmune | Gate::Psychedelic);
    let berserk = gate == Gate::Psychedelic;
    Ok(DamageGates {
        gate,
        zeroed,
        damage: if zeroed { 0 } else { input.damage },
        flash: (gate == Gate::Invulnerable).then(|| input.damage.wrapping_mul(2)),
        readiness: early.is_none(),
        berserk: berserk.then_some(kernel.result),
        kernel: berserk.then_some(kernel),
    })
}

/// The tests before the ammunition.
fn early(input: &DamageGatesInput) -> Option<Gate> {
    let heals = input.damage < 0;
    if input.forced {
        None
    } else if !heals && input.type_immune && input.same_type && input.same_owner {
        Some(Gate::TypeImmune)
    } else if !heals && input.invulnerable {
        Some(Gate::Invulnerable)
    } else if input.warping {
        Some(Gate::Warping)
    } else {
        None
    }
}

/// The tests of the warhead.
fn late(input: &DamageGatesInput) -> Gate {
    if !input.warhead_present {
        return Gate::Passed;
    }
    if input.bunker_linked && !input.forced {
        match (input.building, input.penetrates_bunker) {
            (true, true) => return Gate::BunkerBuilding,
            (false, false) if input.in_bunker_cell => return Gate::BunkerOccupant,
            _ => {}
        }
    }
    let psionic_weapons = input.immune_to_psionic_weapons.unwrap_or(input.building);
    let psionics = input.immune_to_psionics.unwrap_or(input.building);
    if input.radiation && input.immune_to_radiation {
        Gate::Radiation
    } else if input.psychic_damage && psionic_weapons {
        Gate::PsychicDamage
    } else if input.poison && input.immune_to_poison {
        Gate::Poison
    } else if !input.affects_allies && input.attacker_allied {
        Gate::Allies
    } else if !input.psychedelic {
        Gate::Passed
    } else if input.source_house_allied || psionics || input.building {
        Gate::PsychedelicImmune
    } else {
        Gate::Psychedelic
    }
}

impl DamageGatesInput {
    fn warhead(&self) -> WarheadDamageInput {
        WarheadDamageInput {
            game: self.game,
            damage: self.damage,
            verses: self.verses.clone(),
            cell_spread: self.cell_spread.clone(),
            percent_at_max: self.percent_at_max.clone(),
            spread: None,
            min_damage: None,
            distance: 0,
            max_damage: self.max_damage,
            inert: self.inert,
            warhead_present: self.warhead_present,
        }
    }
}
