//! What a hit does to an object's health, and the state that the object reports for it.

use super::compute_damage::of_warhead;
use super::compute_warhead_damage::{WarheadDamage, WarheadDamageInput, compute_warhead_damage};
use super::{max_damage, one, only, yes, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_object_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Health after a hit or a heal, and the state it leads to: damaged, yellow, red or destroyed.",
    aliases: &[
        "Strength",
        "ConditionRed",
        "ConditionYellow",
        "CanC4",
        "Immune",
        "Cyborg",
        "hit points",
        "health bar colour",
        "damage state",
        "lethal hit",
        "healing cap",
    ],
    units: "health and damage in points, distance in leptons",
    example: r#"{"health":160,"strength":300,"damage":90,"condition_red":"25%"}"#,
};

/// The registered port.
pub static PORT: FnPort<ObjectDamageInput, ObjectDamage> = FnPort::new(&META, compute_object_damage);

/// Part of the strength that a saved cyborg keeps.
const SAVED: f64 = 0.25;

/// An object and what arrives at it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectDamageInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Health before the hit, in points.
    pub health: i32,
    /// `Strength` of the type, in points.
    pub strength: i32,
    /// Points that arrive, after the steps of the target and before the warhead; negative heals.
    pub damage: i32,
    /// Whether the damage ignores defences: no warhead, no immunity. Default false.
    #[serde(default)]
    pub forced: bool,
    /// `Immune` of the type, default false.
    #[serde(default)]
    pub immune: bool,
    /// YR only: whether the object is a building with `CanC4=no`, default false.
    #[serde(default)]
    pub building_no_c4: bool,
    /// Whether the object is infantry with `Cyborg=yes`, default false.
    #[serde(default)]
    pub cyborg: bool,
    /// Whether that cyborg has been saved from death before (in TS: lies prone), default false.
    #[serde(default)]
    pub cyborg_used: bool,
    /// `ConditionRed`, a part of 1, any finite value, default .5 (the constructor; stock 25%).
    #[serde(default = "half")]
    pub condition_red: RealArg,
    /// `Verses` entry for the object's armor, any finite value, default 1; text is one token of the key.
    #[serde(default = "one")]
    pub verses: RealArg,
    /// YR only: `CellSpread` in cells, 0 to less than 8388608, default 0.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cell_spread: Option<RealArg>,
    /// YR only: `PercentAtMax`, factor left at the radius, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub percent_at_max: Option<RealArg>,
    /// TS only: `Spread`, default 1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub spread: Option<i32>,
    /// `MinDamage` in points, default 1; YR never reads it.
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
    /// Whether the scenario switches damage off, default false.
    #[serde(default)]
    pub inert: bool,
    /// Whether the hit has a warhead, default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
}

/// What the object reports of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Code 0: no damage was done.
    None,
    /// Code 1: damaged, without crossing a line.
    Damaged,
    /// Code 2: fell below half of its strength.
    Yellow,
    /// Code 3: fell below `ConditionRed`.
    Red,
    /// Code 4: destroyed.
    Destroyed,
}

/// The stages of a hit on health; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ObjectDamage {
    /// What the warhead leaves (clause kernel.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warhead: Option<WarheadDamage>,
    /// At least one point for a building with `CanC4=no` (clause c4.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raised: Option<i32>,
    /// Whether health fell below half of the strength and stayed above 0 (clause yellow.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yellow: Option<bool>,
    /// Strength times `ConditionRed` (clause red.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red_line: Option<Real>,
    /// Whether health fell below that line from above it (clause red.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub red: Option<bool>,
    /// Health of a cyborg that was saved from death (clauses cyborg.1, cyborg.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<i32>,
    /// Damage as it is left for the caller: what was dealt, at most the health there was (clause dealt.1).
    pub written_back: i32,
    /// Health after the hit (clauses heal.1, dealt.1).
    pub health: i32,
    /// What the object reports (clauses gate.1, yellow.1, red.1, destroyed.1).
    pub state: State,
    /// Remarks of the warhead step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

fn half() -> RealArg {
    RealArg::Held(0.5)
}

/// Health and state after a hit.
///
/// # Errors
/// What the warhead step refuses, at the same fields; `EINVAL` at `condition_red` for text without a number and values that
/// are not finite, and at `building_no_c4` for TS; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_object_damage(input: &ObjectDamageInput) -> Result<ObjectDamage, PortError> {
    META.offers(input.game)?;
    only(Game::Yr, input.game, input.building_no_c4, "building_no_c4")?;
    let condition_red = double(&input.condition_red, "condition_red", input.game, Reader::Double)?;
    let mut warhead = compute_warhead_damage(&input.warhead())?;
    let mut output = ObjectDamage {
        warhead: None,
        raised: None,
        yellow: None,
        red_line: None,
        red: None,
        saved: None,
        written_back: input.damage,
        health: input.health,
        state: State::None,
        caveats: Vec::new(),
    };
    if input.health <= 0 || input.damage == 0 || (input.immune && !input.forced) {
        return Ok(output);
    }
    if !input.forced {
        output.written_back = warhead.result;
        output.caveats = std::mem::take(&mut warhead.caveats).into_iter().map(of_warhead).collect();
        output.warhead = Some(warhead);
    }
    if input.building_no_c4 {
        output.written_back = output.written_back.max(1);
        output.raised = Some(output.written_back);
    }
    match output.written_back {
        0 => {}
        // A heal beyond 32 bits wraps before it meets the strength.
        heal @ ..0 => output.health = input.health.wrapping_sub(heal).min(input.strength),
        damage => output.deal(input, damage, condition_red),
    }
    Ok(output)
}

impl ObjectDamage {
    /// A positive hit on an object that lives.
    fn deal(&mut self, input: &ObjectDamageInput, damage: i32, condition_red: f64) {
        let (old, half) = (input.health, input.strength >> 1);
        let dealt = damage.min(old);
        let left = old - dealt;
        let yellow = damage < old && old >= half && left < half;
        let line = x87::mul(f64::from(input.strength), condition_red);
        let red = f64::from(old) > line && f64::from(left) < line;
        self.state = match (red, yellow) {
            (true, _) => State::Red,
            (false, true) => State::Yellow,
            (false, false) => State::Damaged,
        };
        (self.health, self.written_back) = (left, dealt);
        (self.yellow, self.red_line, self.red) = (Some(yellow), Some(line.into()), Some(red));
        if left == 0 {
            self.state = State::Destroyed;
            if input.cyborg && !input.cyborg_used && !input.forced {
                self.state = State::Red;
                self.health = x87::ftol(x87::mul(f64::from(input.strength), SAVED)).max(1);
                self.saved = Some(self.health);
            }
        }
    }
}

impl ObjectDamageInput {
    fn warhead(&self) -> WarheadDamageInput {
        WarheadDamageInput {
            game: self.game,
            damage: self.damage,
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
