//! `compute_repair_step`: price, points and pace of a building's repair, a depot and a hospital.
//!
//! Both quotients of the price are integers in the engine. The ancestor multiplies in fixed point and rounds.

use super::{only, within, yr};
use crate::math::compute_x87_chop::{Op, Store, X87Chop, X87ChopInput, compute_x87_chop};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use crate::timing::compute_minutes_to_frames::{
    MinutesToFrames, MinutesToFramesInput, compute_minutes_to_frames,
};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_repair_step",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Yr],
    summary: "Price, hit points and pace of one step of building, depot or hospital repair, and of the whole repair.",
    aliases: &[
        "RepairStep",
        "RepairPercent",
        "RepairRate",
        "URepairRate",
        "IRepairRate",
        "IRepairStep",
        "Repair_Cost",
        "GetRepairStepCost",
        "repair cost",
        "wrench",
        "service depot",
        "hospital",
        "repair building",
    ],
    units: "prices in credits, strength in points, rates in minutes, time in frames (15 a second)",
    example: r#"{"cost":2000,"strength":1000,"step":8,"percent":"15%","rate":".016"}"#,
};

/// The registered port.
pub static PORT: FnPort<RepairStepInput, RepairStep> = FnPort::new(&META, compute_repair_step);

/// Frames to a minute, for the fixed-point product of the ancestor.
const FRAMES_PER_MINUTE: i64 = 900;
/// Longest rate in minutes: its frames are far inside 32 bits.
const LONGEST: f64 = 1_000_000.0;
/// The same for the ancestor, whose product of 16 bits of fraction holds 32 bits.
const ANCESTOR_LONGEST: f64 = 72.0;

/// What is repaired, and the rules of repair.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairStepInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Where; default `building`. The others are read about for YR only.
    #[serde(default)]
    pub place: Place,
    /// Price of the type in credits, 0 or more; RA1: 65535 at most.
    #[schemars(range(min = 0))]
    pub cost: i32,
    /// `Strength` of the type in points, at least `step`.
    #[schemars(range(min = 1))]
    pub strength: i32,
    /// `RepairStep` in points, 1 or more, default 5 (stock 8); RA1 units: `URepairStep`; YR soldiers: `IRepairStep`.
    #[serde(default = "step")]
    #[schemars(range(min = 1))]
    pub step: i32,
    /// `RepairPercent`, a share, any finite value, default .25 (stock: YR 15%, TS 20%); RA1: 0 to 1.
    #[serde(default = "percent")]
    pub percent: RealArg,
    /// `RepairRate` in minutes, 0 to 1000000, RA1 0 to 72; default .016. Depots have `URepairRate`, hospitals `IRepairRate`
    /// (stock .001).
    #[serde(default = "rate")]
    pub rate: RealArg,
    /// Health before the step in points, 0 to `strength`; default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub health: i32,
    /// Money of the house in credits; without it there is enough.
    #[serde(default)]
    #[schemars(with = "i32")]
    pub money: Option<i32>,
    /// RA1 only: whether it is the remaster, default false.
    #[serde(default)]
    pub remaster: bool,
}

/// Where a repair takes place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A building that repairs itself.
    #[default]
    Building,
    /// A vehicle in a depot.
    Depot,
    /// A soldier in a hospital.
    Hospital,
}

fn step() -> i32 {
    5
}

fn percent() -> RealArg {
    RealArg::Held(0.25)
}

fn rate() -> RealArg {
    RealArg::Held(0.016)
}

/// One step and the whole repair.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepairStep {
    /// Steps that the price is spread over (clause steps.1).
    pub steps: i32,
    /// Price of the type over the steps (clause raw.1).
    pub raw: i32,
    /// RA1: the share as a fixed-point number, in 256ths or 65536ths (clauses price.2, price.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<i64>,
    /// TS and YR: that times the share (clause price.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<X87Chop>,
    /// Depots: what the price would be with real quotients, for comparison; no stage reads it (clause depot.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_price: Option<i32>,
    /// Price of one step in credits (clauses price.1 to price.3, hospital.1).
    pub price: i32,
    /// TS and YR: the rate in frames (clause pace.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<MinutesToFrames>,
    /// Frames from one step to the next (clauses pace.1 to pace.3).
    pub period: i32,
    /// Steps until the health is whole.
    pub pulses: i32,
    /// Price of all of them.
    pub total: i64,
    /// Whether the money suffices for a step (clause health.1).
    pub paid: bool,
    /// Health after the step (clause health.1).
    pub health: i32,
}

/// A step of repair.
///
/// # Errors
/// `EINVAL` at the field for a number out of its range, a strength below the step, a rate of less than a frame for a building,
/// text without a number, a place or a remaster that the game does not have; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn compute_repair_step(input: &RepairStepInput) -> Result<RepairStep, PortError> {
    META.offers(input.game)?;
    only(Game::Yr, input.game, input.place != Place::Building, "place")?;
    only(Game::Ra1, input.game, input.remaster, "remaster")?;
    let ancestor = input.game == Game::Ra1;
    within(input.cost, "cost", 0, if ancestor { 65535 } else { i32::MAX })?;
    within(input.step, "step", 1, i32::MAX)?;
    within(input.strength, "strength", input.step, i32::MAX)?;
    within(input.health, "health", 0, input.strength)?;
    let share = number(input, &input.percent, "percent", if ancestor { 1.0 } else { f64::INFINITY })?;
    let minutes = number(input, &input.rate, "rate", if ancestor { ANCESTOR_LONGEST } else { LONGEST })?;
    let steps = input.strength / input.step;
    let raw = input.cost / steps;
    let priced = if ancestor { fixed(input, raw, share, minutes) } else { chopped(input, raw, share)? };
    if input.place == Place::Building && priced.period < 1 {
        return Err(PortError::invalid("rate", "is less than a frame, and the engine divides by it"));
    }
    let missing = i64::from(input.strength) - i64::from(input.health);
    let pulses = (missing + i64::from(input.step) - 1) / i64::from(input.step);
    let paid = input.money.is_none_or(|money| money >= priced.price);
    let health =
        if paid { input.health.saturating_add(input.step).min(input.strength) } else { input.health };
    Ok(RepairStep {
        steps,
        raw,
        fixed: priced.fixed,
        product: priced.product,
        real_price: priced.real_price,
        price: priced.price,
        pace: priced.pace,
        period: priced.period,
        pulses: pulses as i32,
        total: pulses * i64::from(priced.price),
        paid,
        health,
    })
}

/// The stages in which the games differ.
#[derive(Default)]
struct Priced {
    fixed: Option<i64>,
    product: Option<X87Chop>,
    real_price: Option<i32>,
    price: i32,
    pace: Option<MinutesToFrames>,
    period: i32,
}

/// Share or rate as the game holds it.
fn number(input: &RepairStepInput, arg: &RealArg, field: &str, most: f64) -> Result<f64, PortError> {
    let ancestor = input.game == Game::Ra1;
    if let RealArg::Text(text) = arg
        && ancestor
        && text.contains('%')
        && text.contains('.')
    {
        return Err(PortError::invalid(field, "RA1 reads a percentage with a point as a plain number"));
    }
    // A percentage of the ancestor is divided by 100, as in TS.
    let reader = if ancestor { Game::Ts } else { input.game };
    let value = double(arg, field, reader, Reader::Double)?;
    let least = if most.is_finite() { 0.0 } else { f64::NEG_INFINITY };
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(PortError::invalid(field, format!("must be from 0 to {most}")))
    }
}

/// Price and pace of TS and YR.
fn chopped(input: &RepairStepInput, raw: i32, share: f64) -> Result<Priced, PortError> {
    let product = compute_x87_chop(&X87ChopInput {
        game: input.game,
        op: Op::Mul,
        a: RealArg::Held(f64::from(raw)),
        b: Some(RealArg::Held(share)),
        store: Store::None,
    })?;
    let pace =
        compute_minutes_to_frames(&MinutesToFramesInput { game: input.game, minutes: input.rate.clone() })?;
    let (mut price, mut period, mut real_price) = (product.integer.max(1), pace.frames, None);
    if input.place != Place::Building {
        // The count of frames must not be below the real product.
        period = if f64::from(period) < pace.product.0 { period + 1 } else { period.max(1) };
    }
    match input.place {
        Place::Building => {}
        Place::Depot => {
            let steps = x87::div(f64::from(input.strength), f64::from(input.step));
            let real = x87::mul(x87::div(f64::from(input.cost), steps), share);
            real_price = Some(x87::ftol(real).max(1));
        }
        Place::Hospital => price = 0,
    }
    Ok(Priced { product: Some(product), real_price, price, pace: Some(pace), period, ..Priced::default() })
}

/// Price and pace of the ancestor, in fixed point.
fn fixed(input: &RepairStepInput, raw: i32, share: f64, minutes: f64) -> Priced {
    let scale = if input.remaster { 65536 } else { 256 };
    let cut = |value: f64| (value * f64::from(scale)) as i64;
    let rounded = |value: i64| ((value + i64::from(scale / 2)) / i64::from(scale)) as i32;
    let fixed = cut(share);
    let price = rounded(fixed * i64::from(raw));
    Priced {
        fixed: Some(fixed),
        price: if input.remaster { price.max(1) } else { price },
        period: rounded(cut(minutes) * FRAMES_PER_MINUTE),
        ..Priced::default()
    }
}
