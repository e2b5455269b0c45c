//! `compute_refinery_pile`: which pile of ore a refinery shows for what it stores.

use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_refinery_pile",
    area: Area::Economy,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Visible ore pile of a refinery: the tier of its stored ore by quarters of Storage, and the animation slot.",
    aliases: &[
        "refinery pile",
        "ore pile",
        "pile tier",
        "pile animation",
        "Storage",
        "stored ore",
        "how full",
        "fill level",
        "storage tier",
    ],
    units: "stored and capacity in bales",
    example: r#"{"stored":149,"capacity":200}"#,
};

/// The capability.
pub static PORT: FnPort<RefineryPileInput, RefineryPile> = FnPort::new(&META, compute_refinery_pile);

/// Animation slot of the lowest pile.
const FIRST_SLOT: i32 = 3;
/// Last tier that has a slot of its own.
const LAST_TIER: i32 = 3;

/// A store and what it can hold.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefineryPileInput {
    /// Game whose rule applies; default YR.
    #[serde(default = "super::yr")]
    pub game: Game,
    /// Bales in the building, any 32-bit number; from 536870912 on the shift wraps.
    pub stored: i32,
    /// `Storage` of the building's type in bales, any 32-bit number; not 0 unless `stored` is.
    pub capacity: i32,
}

/// The pile, stage by stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefineryPile {
    /// Full quarters of the capacity, without an upper bound (`tier.1`, `tier.2`, `tier.3`).
    pub tier: i32,
    /// Animation slot of the pile, 3 to 6; absent when nothing is drawn (`slot.1`, `slot.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<i32>,
}

/// Picks the pile.
///
/// # Errors
/// `EINVAL` at `capacity` where the division has no 32-bit result (clause `divide.1`), `EOPNOTSUPP` at `game` for a game
/// without evidence.
pub fn compute_refinery_pile(input: &RefineryPileInput) -> Result<RefineryPile, PortError> {
    META.offers(input.game)?;
    let tier = if input.stored == 0 { 0 } else { quarters(input.stored, input.capacity)? };
    let slot = (tier >= 0).then(|| FIRST_SLOT + tier.min(LAST_TIER));
    Ok(RefineryPile { tier, slot })
}

/// Four times the bales by the capacity, as a 32-bit shift and a signed division do it.
fn quarters(stored: i32, capacity: i32) -> Result<i32, PortError> {
    (stored << 2).checked_div(capacity).ok_or_else(|| {
        PortError::invalid("capacity", "must not be 0, nor -1 when four times `stored` wraps to -2147483648")
    })
}
