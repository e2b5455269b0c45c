//! The warhead kernel: what is left of a positive hit after distance and armor.
//!
//! TS applies `Verses` first and then divides by a stepped distance; YR falls off linearly first, then applies `Verses`
//! and the cap. Both truncate at every conversion, and all arithmetic is the chopped one of [`crate::math::x87`].

use super::{max_damage, one, only, yes, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_warhead_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Warhead kernel of one hit: TS armor then stepped falloff and floor; YR linear falloff, then armor; \
              both end at MaxDamage.",
    aliases: &[
        "Verses",
        "CellSpread",
        "PercentAtMax",
        "Spread",
        "MaxDamage",
        "MinDamage",
        "warhead",
        "splash damage",
        "falloff",
        "armor effectiveness",
        "area of effect",
    ],
    units: "damage in points, distance in leptons (256 to a cell), CellSpread in cells",
    example: r#"{"damage":100,"verses":"70%","cell_spread":2.0,"percent_at_max":0.5,"distance":128}"#,
};

/// The registered port.
pub static PORT: FnPort<WarheadDamageInput, WarheadDamage> = FnPort::new(&META, compute_warhead_damage);

/// Leptons in a cell.
const LEPTONS_PER_CELL: f64 = 256.0;
/// Healing reaches less far than this, in leptons.
const HEAL_REACH: i32 = 8;

/// One hit on its way through a warhead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarheadDamageInput {
    /// Whose kernel runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Points that reach the warhead, after prone and defender steps; negative heals.
    pub damage: i32,
    /// `Verses` entry for the target's armor: a factor, any finite value, default 1. Text is one token of the key, so
    /// `"70%"` is the chopped 0.7 and `"0.7"` the binary64.
    #[serde(default = "one")]
    pub verses: RealArg,
    /// YR only: `CellSpread`, radius in cells, 0 to less than 8388608, default 0 (the warhead constructor).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cell_spread: Option<RealArg>,
    /// YR only: `PercentAtMax`, factor left at the radius, any finite binary32, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub percent_at_max: Option<RealArg>,
    /// TS only: `Spread`, three leptons of distance step for each point; 0 makes steps of two leptons, a negative value
    /// switches falloff off. Default 1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub spread: Option<i32>,
    /// `[CombatDamage] MinDamage`, least points within four distance steps in TS, default 1 (also stock). YR parses the
    /// key and never reads it: accepted there, and answered with a caveat.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub min_damage: Option<i32>,
    /// Leptons from the impact, at least 0, default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub distance: i32,
    /// `[CombatDamage] MaxDamage` in points, default 1000 (stock TS 1000, stock YR 10000).
    #[serde(default = "max_damage")]
    pub max_damage: i32,
    /// Whether the scenario switches damage off (`Inert`), default false.
    #[serde(default)]
    pub inert: bool,
    /// Whether the hit has a warhead at all, default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
}

/// What let the hit through or ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Positive damage: every stage ran.
    None,
    /// The incoming damage is 0 (clause gate.1).
    NoDamage,
    /// The scenario is inert (clause gate.1).
    Inert,
    /// There is no warhead (clause gate.1).
    NoWarhead,
    /// Negative damage: distance alone decides (clause heal.1).
    Heal,
}

/// TS stages, in the order in which they run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TsStages {
    /// TS: damage times `Verses`, truncated, a 0 counted as 1 (clauses verses.2, verses.3). YR: `clamped` times
    /// `Verses`, truncated (clause verses.1).
    pub versed: i32,
    /// Distance in steps, 0 to 16 (clauses step.1, step.2).
    pub step: i32,
    /// TS: `versed` divided by the step, unless that is 0 (clause falloff.4). YR: damage at the distance, truncated
    /// (clause falloff.2).
    pub falloff: i32,
    /// At least `MinDamage`, below step 4 only (clause floor.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floored: Option<i32>,
}

/// YR stages, in the order in which they run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct YrStages {
    /// `CellSpread` in whole leptons (clause spread.1).
    pub spread_leptons: i32,
    /// Damage at the centre, as spilled to binary32 (clause falloff.1).
    pub at_center: Real,
    /// Damage at the radius, as spilled to binary32 (clause falloff.1).
    pub at_edge: Real,
    /// TS: `versed` divided by the step, unless that is 0 (clause falloff.4). YR: damage at the distance, truncated
    /// (clause falloff.2).
    pub falloff: i32,
    /// `falloff`, not below 0 (clause falloff.3).
    pub clamped: i32,
    /// TS: damage times `Verses`, truncated, a 0 counted as 1 (clauses verses.2, verses.3). YR: `clamped` times
    /// `Verses`, truncated (clause verses.1).
    pub versed: i32,
}

/// The stages of the kernel. Those that the gate skipped, and those of the other game, are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WarheadDamage {
    /// What let the hit through or ended it.
    pub gate: Gate,
    /// TS stages. Both games' stages appear flat in the breakdown; `versed` and `falloff` are in both, in either order.
    #[serde(flatten)]
    pub ts: Option<TsStages>,
    /// YR stages.
    #[serde(flatten)]
    pub yr: Option<YrStages>,
    /// Whether the value reached `MaxDamage`, which then is the result (clause cap.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capped: Option<bool>,
    /// Points that the warhead leaves; negative heals.
    pub result: i32,
    /// Where the result leaves what evidence covers, or an argument had no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// The arguments as the engine holds them.
struct Held {
    verses: f64,
    cell_spread: f32,
    percent_at_max: f32,
    spread: i32,
    min_damage: i32,
}

impl Held {
    fn read(input: &WarheadDamageInput) -> Result<Self, PortError> {
        let game = input.game;
        only(Game::Yr, game, input.cell_spread.is_some(), "cell_spread")?;
        only(Game::Yr, game, input.percent_at_max.is_some(), "percent_at_max")?;
        only(Game::Ts, game, input.spread.is_some(), "spread")?;
        if input.distance < 0 {
            return Err(PortError::invalid("distance", "is below 0 leptons"));
        }
        let real = |arg: &Option<RealArg>, field, default| {
            arg.as_ref().map_or(Ok(default), |arg| single(arg, field, game))
        };
        let cell_spread = real(&input.cell_spread, "cell_spread", 0.0)?;
        // Below 2^31 leptons, so that the radius and its difference to a distance stay inside 32 bits.
        if !(0.0..8_388_608.0).contains(&cell_spread) {
            return Err(PortError::invalid("cell_spread", "is not between 0 and 8388608 cells"));
        }
        Ok(Self {
            verses: double(&input.verses, "verses", game, Reader::Verses)?,
            cell_spread,
            percent_at_max: real(&input.percent_at_max, "percent_at_max", 1.0)?,
            spread: input.spread.unwrap_or(1),
            min_damage: input.min_damage.unwrap_or(1),
        })
    }
}

/// Damage of a warhead at a distance against one armor.
///
/// # Errors
/// `EINVAL` at the field for text without a number, values that are not finite, a negative `distance`, a `cell_spread`
/// below 0 or of 8388608 cells and more, and an argument of the other game; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_warhead_damage(input: &WarheadDamageInput) -> Result<WarheadDamage, PortError> {
    META.offers(input.game)?;
    let held = Held::read(input)?;
    let mut output =
        WarheadDamage { gate: gate(input), ts: None, yr: None, capped: None, result: 0, caveats: Vec::new() };
    match (output.gate, input.game) {
        (Gate::NoDamage | Gate::Inert | Gate::NoWarhead, _) => {}
        (Gate::Heal, _) => output.result = if input.distance < HEAL_REACH { input.damage } else { 0 },
        (Gate::None, Game::Ts) => {
            let stages = ts_stages(input, &held);
            output.cap(stages.floored.unwrap_or(stages.falloff), input.max_damage);
            if held.verses < 0.0 {
                let message =
                    "readings of TS differ for a negative product: kept here, raised to 1 in another";
                output.caveats.push(Caveat::new("verses.3", message));
            }
            output.ts = Some(stages);
        }
        (Gate::None, _) => {
            let stages = yr_stages(input, &held);
            output.cap(stages.versed, input.max_damage);
            output.yr = Some(stages);
        }
    }
    if input.game == Game::Yr && input.min_damage.is_some() {
        output.caveats.push(Caveat::new("floor.1", "YR parses MinDamage and never reads it: no effect"));
    }
    Ok(output)
}

fn gate(input: &WarheadDamageInput) -> Gate {
    match input.damage {
        0 => Gate::NoDamage,
        _ if input.inert => Gate::Inert,
        _ if !input.warhead_present => Gate::NoWarhead,
        ..0 => Gate::Heal,
        _ => Gate::None,
    }
}

fn ts_stages(input: &WarheadDamageInput, held: &Held) -> TsStages {
    let product = x87::ftol(x87::mul(f64::from(input.damage), held.verses));
    let versed = if product == 0 { 1 } else { product };
    // Three is odd, so the product of a nonzero Spread is never 0, wrapped or not.
    let size = if held.spread == 0 { 2 } else { held.spread.wrapping_mul(3) };
    let step = (input.distance / size).clamp(0, 16);
    let falloff = if step == 0 { versed } else { versed / step };
    let floored = (step < 4).then(|| falloff.max(held.min_damage));
    TsStages { versed, step, falloff, floored }
}

fn yr_stages(input: &WarheadDamageInput, held: &Held) -> YrStages {
    let spread_leptons = x87::ftol(x87::mul(f64::from(held.cell_spread), LEPTONS_PER_CELL));
    // The centre is spilled by a store that leaves the whole integer in the register; the edge is made from that.
    let exact = f64::from(input.damage);
    let at_center = f64::from(x87::store32(exact));
    let at_edge = f64::from(x87::store32(x87::mul(exact, f64::from(held.percent_at_max))));
    let falloff = if at_edge != at_center && spread_leptons != 0 {
        let rest = f64::from(spread_leptons - input.distance);
        let risen = x87::div(x87::mul(x87::sub(at_center, at_edge), rest), f64::from(spread_leptons));
        x87::ftol(x87::add(risen, at_edge))
    } else {
        input.damage
    };
    let clamped = falloff.max(0);
    let versed = x87::ftol(x87::mul(f64::from(clamped), held.verses));
    YrStages {
        spread_leptons,
        at_center: at_center.into(),
        at_edge: at_edge.into(),
        falloff,
        clamped,
        versed,
    }
}

impl WarheadDamage {
    /// Ends at `MaxDamage`, inclusive.
    fn cap(&mut self, value: i32, max_damage: i32) {
        self.capped = Some(value >= max_damage);
        self.result = value.min(max_damage);
    }
}
