//! `simulate_chain_reaction`: Tiberium that explodes when it is hit, and what the hit takes away on top.

use super::{ts, yes};
use crate::math::random::Generator;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_chain_reaction",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts],
    summary: "Exploding Tiberium: chance by density, amount that goes off, damage, neighbours, and what the hit removes.",
    aliases: &[
        "ChainReaction",
        "Chain_Reaction_Damage",
        "exploding Tiberium",
        "blue Tiberium",
        "Vinifera",
        "Power",
        "Tiberium explosion",
        "Reduce_Tiberium",
        "ore density",
        "Tiberium warhead",
    ],
    units: "density as the overlay holds it (0 to 11 in stock), damage in points, delays in frames (15 a second)",
    example: r#"{"density":11,"power":10,"strength":50,"seed":1}"#,
};

/// The registered port.
pub static PORT: FnPort<ChainInput, Chain> = FnPort::new(&META, simulate_chain_reaction);

/// Percent for each point of density.
const CHANCE: i32 = 5;
/// Percent for a neighbour to be set off.
const SET_OFF: i32 = 80;
/// Frames until a neighbour goes off, 1 to 8 seconds.
const DELAY: (i32, i32) = (15, 120);

/// A hit on a cell of Tiberium.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainInput {
    /// Whose rule runs.
    #[serde(default = "ts")]
    pub game: Game,
    /// `ChainReaction` of the overlay. Default true.
    #[serde(default = "yes")]
    pub chain_reaction: bool,
    /// Whether the overlay is Tiberium. Default true.
    #[serde(default = "yes")]
    pub tiberium: bool,
    /// `Tiberium` of the warhead, which it needs to set Tiberium off. Default true.
    #[serde(default = "yes")]
    pub tiberium_warhead: bool,
    /// Density that the overlay of the cell holds, 0 to 255; 11 is full in stock.
    pub density: u8,
    /// `Power` of the Tiberium type: points of damage for each point of density that goes off.
    pub power: i32,
    /// Strength of the hit in points, a tenth of which is taken away.
    pub strength: i32,
    /// Densities of the eight neighbours, from the north clockwise, at most 8; 0 for a cell without Tiberium.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub neighbours: Vec<u8>,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
}

/// What the hit did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Chain {
    /// Whether the hit sets anything off (clause gate.1).
    pub open: bool,
    /// Chance in percent; above a density of 1 only (clause chance.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<i32>,
    /// The number drawn, 0 to 99 (clause chance.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Whether the cell goes off (clause chance.1).
    pub explodes: bool,
    /// Density that goes off (clause amount.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<u8>,
    /// Damage of the explosion in points (clause amount.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<i32>,
    /// Neighbours that may be set off, after the explosion (clause neighbours.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub neighbours: Vec<Neighbour>,
    /// Density that the hit asks to remove, explosion or not; behind an open gate only (clause reduce.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<i32>,
    /// Density that it removes by its own count (clause reduce.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<i32>,
    /// Whether the overlay is gone (clause reduce.2).
    pub cleared: bool,
    /// Density at the end.
    pub density: u8,
    /// Draws made here. The explosion between the draw of the cell and those of its neighbours may make more.
    pub draw_count: u64,
}

/// A neighbour dense enough to be set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Neighbour {
    /// Which of the eight, from 0 in the north, clockwise.
    pub direction: usize,
    /// The number drawn, 0 to 99.
    pub roll: i32,
    /// Frames until it is set off, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<i32>,
}

/// A hit on a cell of Tiberium.
///
/// # Errors
/// `EINVAL` at `neighbours` for more than 8; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_chain_reaction(input: &ChainInput) -> Result<Chain, PortError> {
    META.offers(input.game)?;
    if input.neighbours.len() > 8 {
        return Err(PortError::invalid("neighbours", "must be at most 8 numbers"));
    }
    let mut generator = Generator::seeded(input.game, input.seed);
    let mut chain = Chain {
        open: input.chain_reaction && (!input.tiberium || input.tiberium_warhead),
        chance: None,
        roll: None,
        explodes: false,
        amount: None,
        damage: None,
        neighbours: Vec::new(),
        asked: None,
        reduced: None,
        cleared: false,
        density: input.density,
        draw_count: 0,
    };
    if chain.open {
        if input.tiberium && input.density > 1 {
            explode(&mut chain, input, &mut generator);
        }
        reduce(&mut chain, input.tiberium, input.strength / 10);
    }
    chain.draw_count = generator.draws();
    Ok(chain)
}

/// The draw of the cell, its explosion, and the draws of its neighbours.
fn explode(chain: &mut Chain, input: &ChainInput, generator: &mut Generator) {
    let chance = CHANCE * i32::from(input.density);
    let roll = generator.pick(0, 99).value;
    (chain.chance, chain.roll, chain.explodes) = (Some(chance), Some(roll), roll < chance);
    if !chain.explodes {
        return;
    }
    let amount = input.density / 2;
    chain.amount = Some(amount);
    chain.damage = Some(i32::from(amount).wrapping_mul(input.power));
    chain.density -= amount;
    let dense = input.neighbours.iter().enumerate().filter(|(_, density)| **density > 2);
    chain.neighbours = dense
        .map(|(direction, _)| {
            let roll = generator.pick(0, 99).value;
            let delay = (roll < SET_OFF).then(|| generator.pick(DELAY.0, DELAY.1).value);
            Neighbour { direction, roll, delay }
        })
        .collect();
}

/// What the hit itself takes away; the last point of density goes with the overlay and is not counted.
fn reduce(chain: &mut Chain, tiberium: bool, asked: i32) {
    chain.asked = Some(asked);
    let held = i32::from(chain.density);
    let reduced = if !tiberium || asked <= 0 {
        0
    } else if held + 1 > asked {
        chain.density -= asked as u8;
        asked
    } else {
        (chain.cleared, chain.density) = (true, 0);
        held
    };
    chain.reduced = Some(reduced);
}
