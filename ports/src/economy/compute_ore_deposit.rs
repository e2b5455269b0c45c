//! `compute_ore_deposit`: what a house gains when a harvester hands over a load of ore.
//!
//! Yuri's Revenge pays twice, once for the load and once for what ore purifiers add, and each payment is added to the
//! balance before it is truncated, so the fraction of a payment is lost but never the fraction of a sum. Tiberian Sun
//! and Red Alert put the load into storage and lose what does not fit.

use super::{owned, refuse_foreign, single, whole, within, yr};
use crate::math::x87;
use crate::rules::text;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_ore_deposit",
    area: Area::Economy,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Yr],
    summary: "Credits, ore purifier bonus and score that a house gains for a load of unloaded ore or Tiberium.",
    aliases: &[
        "IncomeMult",
        "PurifierBonus",
        "AIVirtualPurifiers",
        "OrePurifier",
        "Value",
        "Storage",
        "ore purifier",
        "harvester unload",
        "refinery",
        "silo",
        "tiberium",
        "gems",
        "credits",
        "money",
        "income",
    ],
    units: "amounts in bales (storage units), money in credits, score in points",
    example: r#"{"credits":1000,"amount":20,"value":25,"purifiers":1}"#,
};

/// The capability.
pub static PORT: FnPort<OreDepositInput, OreDeposit> = FnPort::new(&META, compute_ore_deposit);

/// A load and the house that gets it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OreDepositInput {
    /// Game whose rule applies; default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Load in bales. YR: the binary32 that the harvester holds in the slot, 0 or more, fractions allowed. TS, RA1: a
    /// whole number from 0.
    pub amount: RealArg,
    /// Credits per bale, key `Value` of the ore's type (RA1: `GoldValue`, `GemValue`). Stock YR: 25 for ore, 50 for
    /// gems.
    pub value: i32,
    /// YR, TS: cash of the house before the deposit, in credits; default 0. RA1 puts the load into storage and leaves
    /// the cash alone.
    #[schemars(extend("default" = 0))]
    pub credits: Option<i32>,
    /// YR: `IncomeMult` of the country, a binary32; default 1.0. Rules text such as `"90%"` goes through the key's reader.
    #[schemars(extend("default" = 1.0))]
    pub income_mult: Option<RealArg>,
    /// YR: ore purifiers (`OrePurifier=yes`) that the house owns, from 0; default 0.
    #[schemars(range(min = 0), extend("default" = 0))]
    pub purifiers: Option<i32>,
    /// YR: entry of `AIVirtualPurifiers` that counts besides, from 0; default 0. Only a computer house outside a
    /// campaign has one; stock rules give 4 to a hard, 2 to a medium and 0 to an easy one.
    #[schemars(range(min = 0), extend("default" = 0))]
    pub virtual_purifiers: Option<i32>,
    /// YR: `PurifierBonus` of `[General]`, the part of a load that one purifier adds, a binary32; default 0.25.
    #[schemars(extend("default" = 0.25))]
    pub purifier_bonus: Option<RealArg>,
    /// YR, TS: score counter of the house before the deposit, in points; default 0.
    #[schemars(extend("default" = 0))]
    pub score: Option<i32>,
    /// TS: whether the house is played by the computer; default false.
    #[schemars(extend("default" = false))]
    pub computer: Option<bool>,
    /// TS: whether a campaign is being played; default false.
    #[schemars(extend("default" = false))]
    pub campaign: Option<bool>,
    /// TS, RA1: room of all storage buildings together (key `Storage`), 0 to 1000000000; TS counts bales, RA1 credits.
    /// Needed unless a TS computer house is paid in cash.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub capacity: Option<i32>,
    /// TS, RA1: what storage holds before the deposit, 0 to 1000000000, in the unit of `capacity`; default 0.
    #[schemars(range(min = 0, max = 1_000_000_000), extend("default" = 0))]
    pub stored: Option<i32>,
    /// RA1: tally of credits harvested before the deposit; default 0.
    #[schemars(extend("default" = 0))]
    pub harvested: Option<i32>,
}

/// What the deposit did, stage by stage; a stage that the game does not have is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct OreDeposit {
    /// YR, TS computer house: cash after the load itself (YR `deposit.1`, TS `cash.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_total: Option<i32>,
    /// YR, TS computer house: what the load itself added to the cash (YR `deposit.1`, TS `cash.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_credits: Option<i32>,
    /// YR: purifiers that count, real and virtual (`purifier.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purifier_count: Option<i32>,
    /// YR: bales that the purifiers add, a binary32 (`purifier.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus_amount: Option<Real>,
    /// YR: cash after the bonus (`purifier.3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus_total: Option<i32>,
    /// YR: what the bonus added to the cash (`purifier.3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus_credits: Option<i32>,
    /// RA1: worth of the load in credits (`store.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offered: Option<i32>,
    /// TS, RA1: what storage took, in bales or credits (`store.1`, `store.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<i32>,
    /// TS, RA1: what found no room and is gone (`store.1`, `store.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<i32>,
    /// TS, RA1: what storage holds afterwards (`store.1`, `store.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<i32>,
    /// YR, TS: cash after the deposit, in credits (`deposit.1`, `purifier.3`, `cash.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i32>,
    /// YR, TS: score counter after the deposit (`score.1`, `score.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// RA1: tally of credits harvested after the deposit (`tally.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvested: Option<i32>,
}

/// Pays a house for a load.
///
/// # Errors
/// `EINVAL` for an amount that the game cannot hold, a number out of range, rules text without a number, an argument
/// that the game does not have, or storage without a `capacity`; `EOPNOTSUPP` for a game without evidence.
pub fn compute_ore_deposit(input: &OreDepositInput) -> Result<OreDeposit, PortError> {
    META.offers(input.game)?;
    refuse_foreign(
        input.game,
        &[
            owned("credits", input.credits.as_ref(), &[Game::Ts, Game::Yr]),
            owned("income_mult", input.income_mult.as_ref(), &[Game::Yr]),
            owned("purifiers", input.purifiers.as_ref(), &[Game::Yr]),
            owned("virtual_purifiers", input.virtual_purifiers.as_ref(), &[Game::Yr]),
            owned("purifier_bonus", input.purifier_bonus.as_ref(), &[Game::Yr]),
            owned("score", input.score.as_ref(), &[Game::Ts, Game::Yr]),
            owned("computer", input.computer.as_ref(), &[Game::Ts]),
            owned("campaign", input.campaign.as_ref(), &[Game::Ts]),
            owned("capacity", input.capacity.as_ref(), &[Game::Ra1, Game::Ts]),
            owned("stored", input.stored.as_ref(), &[Game::Ra1, Game::Ts]),
            owned("harvested", input.harvested.as_ref(), &[Game::Ra1]),
        ],
    )?;
    match input.game {
        Game::Ts => tiberian_sun(input),
        Game::Ra1 => red_alert(input),
        _ => yuris_revenge(input),
    }
}

fn yuris_revenge(input: &OreDepositInput) -> Result<OreDeposit, PortError> {
    let amount = single(&input.amount, "amount")?;
    let income = real(input.income_mult.as_ref(), 1.0, "income_mult")?;
    let bonus = real(input.purifier_bonus.as_ref(), 0.25, "purifier_bonus")?;
    let (purifiers, virtual_ones) = (input.purifiers.unwrap_or(0), input.virtual_purifiers.unwrap_or(0));
    within(purifiers, "purifiers", 0, i32::MAX)?;
    within(virtual_ones, "virtual_purifiers", 0, i32::MAX)?;

    let before = Account { credits: input.credits.unwrap_or(0), score: input.score.unwrap_or(0) };
    let base = before.deposit(input.value, income, amount);

    let count = purifiers.wrapping_add(virtual_ones);
    let per_bale = x87::mul(f64::from(count), f64::from(bonus));
    let bonus_amount = x87::store32(x87::mul(per_bale, f64::from(amount)));
    // The engine makes the second call only for a bonus above 0; a call with nothing changes nothing.
    let after = base.deposit(input.value, income, bonus_amount.max(0.0));

    Ok(OreDeposit {
        base_total: Some(base.credits),
        base_credits: Some(base.credits.wrapping_sub(before.credits)),
        purifier_count: Some(count),
        bonus_amount: Some(Real::from(bonus_amount)),
        bonus_total: Some(after.credits),
        bonus_credits: Some(after.credits.wrapping_sub(base.credits)),
        total: Some(after.credits),
        score: Some(after.score),
        ..OreDeposit::default()
    })
}

/// The two counters of a house that the YR deposit routine raises.
#[derive(Clone, Copy)]
struct Account {
    credits: i32,
    score: i32,
}

impl Account {
    /// One call of the deposit routine: both sums are made in floats and truncated once. A sum beyond 32 bits keeps its
    /// low half, as float to int does.
    fn deposit(self, value: i32, income: f32, amount: f32) -> Self {
        let amount = f64::from(amount);
        let per_bale = x87::mul(f64::from(value), f64::from(income));
        let points = x87::mul(amount, 5.0);
        Self {
            credits: x87::ftol(x87::add(x87::mul(per_bale, amount), f64::from(self.credits))),
            score: x87::ftol(x87::add(points, f64::from(self.score))),
        }
    }
}

fn real(arg: Option<&RealArg>, default: f32, field: &str) -> Result<f32, PortError> {
    arg.map_or(Ok(default), |arg| text::single(arg, field, Game::Yr))
}

/// Integer sums; they wrap as 32-bit adds and multiplies do.
fn tiberian_sun(input: &OreDepositInput) -> Result<OreDeposit, PortError> {
    let amount = whole(&input.amount, "amount", Game::Ts)?;
    let before = input.stored.unwrap_or(0);
    within(before, "stored", 0, 1_000_000_000)?;
    let credits = input.credits.unwrap_or(0);
    let score = Some(input.score.unwrap_or(0).wrapping_add(amount.wrapping_mul(5)));

    if input.computer == Some(true) && input.campaign != Some(true) {
        let worth = amount.wrapping_mul(input.value);
        let total = credits.wrapping_add(worth);
        return Ok(OreDeposit {
            base_total: Some(total),
            base_credits: Some(worth),
            kept: Some(0),
            lost: Some(0),
            stored: Some(before),
            total: Some(total),
            score,
            ..OreDeposit::default()
        });
    }
    let kept = amount.min(capacity(input)?.saturating_sub(before)).max(0);
    Ok(OreDeposit {
        kept: Some(kept),
        lost: Some(amount - kept),
        stored: Some(before + kept),
        total: Some(credits),
        score,
        ..OreDeposit::default()
    })
}

/// Storage that already holds more than its capacity is cut down to it: `kept` is negative then.
fn red_alert(input: &OreDepositInput) -> Result<OreDeposit, PortError> {
    let offered = whole(&input.amount, "amount", Game::Ra1)?.wrapping_mul(input.value);
    let before = input.stored.unwrap_or(0);
    within(before, "stored", 0, 1_000_000_000)?;
    let stored = before.wrapping_add(offered).min(capacity(input)?);
    let kept = stored.wrapping_sub(before);
    Ok(OreDeposit {
        offered: Some(offered),
        kept: Some(kept),
        lost: Some(offered.wrapping_sub(kept)),
        stored: Some(stored),
        harvested: Some(input.harvested.unwrap_or(0).wrapping_add(offered)),
        ..OreDeposit::default()
    })
}

fn capacity(input: &OreDepositInput) -> Result<i32, PortError> {
    let capacity = input
        .capacity
        .ok_or_else(|| PortError::invalid("capacity", "is needed: the load goes into storage"))?;
    within(capacity, "capacity", 0, 1_000_000_000)?;
    Ok(capacity)
}
