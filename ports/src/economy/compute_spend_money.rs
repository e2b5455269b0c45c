//! `compute_spend_money`: where the credits for a purchase come from.
//!
//! Tiberian Sun and Yuri's Revenge empty the cash first and then sell stored ore, one unit at a time, until the rest is
//! covered; what the last unit brings too much comes back as cash. Red Alert spends stored money before cash. None of
//! the routines refuses: whoever calls them has looked at the money before.

use super::{held, owned, refuse_foreign, whole, within, yr};
use crate::math::x87;
use crate::rules::text;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_spend_money",
    area: Area::Economy,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Yr],
    summary: "How a house pays: from cash, then from ore stored in silos and refineries (Red Alert: stored money first).",
    aliases: &[
        "spend money",
        "pay",
        "purchase",
        "credits",
        "cash",
        "silo",
        "refinery",
        "Storage",
        "Value",
        "IncomeMult",
        "stored ore",
        "stored tiberium",
        "change",
    ],
    units: "money in credits, storage in bales (RA1: credits)",
    example: r#"{"cash":100,"amount":160,"storage":[{"units":[10]}],"values":[25,50,25,25]}"#,
};

/// The capability.
pub static PORT: FnPort<SpendMoneyInput, SpendMoney> = FnPort::new(&META, compute_spend_money);

/// Slots of a storage: one for each type of Tiberium.
const SLOTS: usize = 4;
const BUILDINGS: usize = 256;
/// Bales in a slot; the stock games stay below 2000. Bounds the loop, which takes one bale at a time.
const UNITS: f64 = 10_000.0;
const SHORT: &str = "the money does not suffice: the routine pays what it can and leaves the rest unpaid, and no \
                     evidence shows a caller that lets it come to this";
const DEBT: &str = "the money does not suffice: the routine lets the cash fall below zero, and no evidence shows a \
                    caller that lets it come to this";

/// A price and the pockets of the house.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpendMoneyInput {
    /// Game whose rule applies; default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Price in credits, from 0.
    #[schemars(range(min = 0))]
    pub amount: i32,
    /// Cash of the house in credits; may be negative.
    pub cash: i32,
    /// TS, YR: storage of the house's buildings in the order of its building list, at most 256; default none. Stock YR
    /// buildings hold nothing.
    #[schemars(length(max = 256), extend("default" = []))]
    pub storage: Option<Vec<BuildingStorage>>,
    /// TS, YR: credits per bale by slot, key `Value` of each type of Tiberium, at most 4, each 0 to 1000000; needed for
    /// every slot that `storage` has. Stock YR: 25, 50, 25, 25.
    #[schemars(length(max = 4), inner(range(min = 0, max = 1_000_000)), extend("default" = []))]
    pub values: Option<Vec<i32>>,
    /// YR: `IncomeMult` of the country, a binary32, which also scales ore that is sold; default 1.0.
    #[schemars(extend("default" = 1.0))]
    pub income_mult: Option<RealArg>,
    /// RA1: stored money (harvested ore) in credits, 0 to 1000000000; default 0.
    #[schemars(range(min = 0, max = 1_000_000_000), extend("default" = 0))]
    pub stored: Option<i32>,
}

/// What one building holds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildingStorage {
    /// Bales in each slot, lowest slot first, at most 4, each 0 to 10000. YR: a binary32, fractions allowed; TS: whole.
    #[schemars(length(max = 4))]
    pub units: Vec<RealArg>,
}

/// Where the money came from, stage by stage; a stage that the game does not have is absent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpendMoney {
    /// Credits taken from cash. With a negative balance that does not cover the price: that balance, which is wiped out
    /// (`cash.1`, `cash.2`; RA1 `stored.2`).
    pub from_cash: i32,
    /// What the first pocket left to pay: cash in TS and YR, stored money in RA1 (`cash.2`; RA1 `stored.2`).
    pub deficit: i32,
    /// TS, YR: bales sold, one entry for each slot that was touched, in order (`stored.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<Vec<Taken>>,
    /// Credits that stored ore brought (YR `unit.1`, TS `unit.2`, RA1 `stored.2`).
    pub ore_credits: i64,
    /// TS, YR: what the last bale brought too much, given back as cash (`change.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<i32>,
    /// Cash afterwards; RA1: below zero where the money did not suffice (`cash.1`, `change.1`; RA1 `stored.2`).
    pub cash_after: i32,
    /// RA1: stored money afterwards (`stored.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_after: Option<i32>,
    /// Part of the price that no money stood behind: never paid in TS and YR, a debt in RA1 (`short.1`; RA1 `short.2`).
    pub uncovered: i32,
    /// What the house's tally of credits spent rises by (`spent.1`; RA1 `spent.2`).
    pub spent: i32,
    /// Remarks on a price that the money does not cover.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Bales sold out of one slot of one building.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Taken {
    /// Index of the building in `storage`.
    pub building: u32,
    /// Slot, 0 to 3.
    pub slot: u32,
    /// Bales taken; the last one of a YR slot may be a fraction.
    pub units: Real,
    /// Credits they brought.
    pub credits: i64,
}

/// Pays a price.
///
/// # Errors
/// `EINVAL` for a negative price, a number out of range, storage without a value, fractional bales in TS, or an argument
/// that the game does not have; `EOPNOTSUPP` for a game without evidence.
pub fn compute_spend_money(input: &SpendMoneyInput) -> Result<SpendMoney, PortError> {
    META.offers(input.game)?;
    refuse_foreign(
        input.game,
        &[
            owned("storage", input.storage.as_ref(), &[Game::Ts, Game::Yr]),
            owned("values", input.values.as_ref(), &[Game::Ts, Game::Yr]),
            owned("income_mult", input.income_mult.as_ref(), &[Game::Yr]),
            owned("stored", input.stored.as_ref(), &[Game::Ra1]),
        ],
    )?;
    within(input.amount, "amount", 0, i32::MAX)?;
    match input.game {
        Game::Ra1 => stored_first(input),
        _ => cash_first(input),
    }
}

fn stored_first(input: &SpendMoneyInput) -> Result<SpendMoney, PortError> {
    let stored = input.stored.unwrap_or(0);
    within(stored, "stored", 0, 1_000_000_000)?;
    let from_stored = input.amount.min(stored);
    let from_cash = input.amount - from_stored;
    let uncovered = from_cash.saturating_sub(input.cash.max(0)).max(0);
    Ok(SpendMoney {
        from_cash,
        deficit: from_cash,
        taken: None,
        ore_credits: i64::from(from_stored),
        change: None,
        cash_after: input.cash.wrapping_sub(from_cash),
        stored_after: Some(stored - from_stored),
        uncovered,
        // The price is reduced by the stored money before it is added to the tally.
        spent: if from_cash > 0 { from_cash } else { input.amount },
        caveats: if uncovered > 0 { vec![Caveat::new("short.2", DEBT)] } else { Vec::new() },
    })
}

fn cash_first(input: &SpendMoneyInput) -> Result<SpendMoney, PortError> {
    let income = match &input.income_mult {
        Some(arg) => text::single(arg, "income_mult", input.game)?,
        None => 1.0,
    };
    let stores = stores(input, income)?;
    let from_cash = if input.amount <= input.cash { input.amount } else { input.cash };
    let deficit = input.amount.wrapping_sub(from_cash);
    let mut bill = Bill { left: deficit, change: 0, spent: from_cash };
    let mut taken = Vec::new();
    for store in stores {
        if bill.left <= 0 {
            break;
        }
        taken.extend(bill.sell(&store));
    }
    let uncovered = bill.left.max(0);
    Ok(SpendMoney {
        from_cash,
        deficit,
        ore_credits: taken.iter().map(|taken| taken.credits).sum(),
        taken: Some(taken),
        change: Some(bill.change),
        cash_after: input.cash.wrapping_sub(from_cash).wrapping_add(bill.change),
        stored_after: None,
        uncovered,
        spent: bill.spent,
        caveats: if uncovered > 0 { vec![Caveat::new("short.1", SHORT)] } else { Vec::new() },
    })
}

/// One slot of one building, and what its ore is worth.
struct Store {
    building: u32,
    slot: u32,
    units: f32,
    /// `Value` times `IncomeMult`; TS has no multiplier, and whole units make the same product exact.
    per_unit: f64,
}

/// Every slot in the order in which the engine empties them.
fn stores(input: &SpendMoneyInput, income: f32) -> Result<Vec<Store>, PortError> {
    let buildings = input.storage.as_deref().unwrap_or_default();
    let values = input.values.as_deref().unwrap_or_default();
    if buildings.len() > BUILDINGS {
        return Err(PortError::invalid("storage", "must have at most 256 buildings"));
    }
    if values.len() > SLOTS {
        return Err(PortError::invalid("values", "must have at most 4 slots"));
    }
    for (slot, value) in values.iter().enumerate() {
        within(*value, &format!("values.{slot}"), 0, 1_000_000)?;
    }
    let mut stores = Vec::new();
    for (building, storage) in (0_u32..).zip(buildings) {
        if storage.units.len() > SLOTS {
            let field = format!("storage.{building}.units");
            return Err(PortError::invalid(field, "must have at most 4 slots"));
        }
        for (slot, units) in (0_u32..).zip(&storage.units) {
            let units = bales(units, &format!("storage.{building}.units.{slot}"), input.game)?;
            let Some(value) = values.get(slot as usize) else {
                return Err(PortError::invalid(
                    "values",
                    format!("has no value for slot {slot} of `storage`"),
                ));
            };
            stores.push(Store {
                building,
                slot,
                units,
                per_unit: x87::mul(f64::from(*value), f64::from(income)),
            });
        }
    }
    Ok(stores)
}

fn bales(arg: &RealArg, field: &str, game: Game) -> Result<f32, PortError> {
    let units = if game == Game::Ts { f64::from(whole(arg, field, game)?) } else { held(arg, field)? };
    if (0.0..=UNITS).contains(&units) {
        Ok(units as f32)
    } else {
        Err(PortError::invalid(field, "must be from 0 to 10000"))
    }
}

/// What is still to pay. The sums wrap as 32-bit adds do.
struct Bill {
    left: i32,
    change: i32,
    spent: i32,
}

impl Bill {
    /// Sells one bale after the other out of a slot, until it is empty or nothing is left to pay.
    fn sell(&mut self, store: &Store) -> Option<Taken> {
        let mut units = store.units;
        let mut credits = 0_i64;
        while units > 0.0 && self.left > 0 {
            let bale = units.min(1.0);
            // Exact: at most 10000, so a whole bale is a multiple of the last place.
            units -= bale;
            let worth = x87::ftol(x87::mul(store.per_unit, f64::from(bale)));
            credits += i64::from(worth);
            self.left = self.left.wrapping_sub(worth);
            self.spent = self.spent.wrapping_add(worth);
        }
        let beyond = self.left.min(0);
        self.change = beyond.wrapping_neg();
        self.spent = self.spent.wrapping_add(beyond);
        self.left = self.left.max(0);
        let sold = f64::from(store.units) - f64::from(units);
        (sold > 0.0).then_some(Taken {
            building: store.building,
            slot: store.slot,
            units: Real(sold),
            credits,
        })
    }
}
