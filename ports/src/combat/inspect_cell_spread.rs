//! `inspect_cell_spread`: radius, number and order of the cells that an area effect or a reveal looks at.

use super::cell_spread_table::{COUNTS, OFFSETS};
use super::yr;
use crate::math::x87;
use crate::rules::text::single;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_cell_spread",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Radius, cell count and ordered offset list of a warhead's CellSpread, or of a reveal with a Sight.",
    aliases: &[
        "CellSpread",
        "splash radius",
        "blast radius",
        "area of effect",
        "AoE",
        "spread table",
        "cell offsets",
        "cells hit",
        "Sight",
        "reveal",
        "shroud",
        "spiral",
    ],
    units: "spread and sight in cells, radius in leptons (256 to a cell), offsets in cells",
    example: r#"{"cell_spread":1.5}"#,
};

/// The registered port.
pub static PORT: FnPort<CellSpreadInput, CellSpread> = FnPort::new(&META, inspect_cell_spread);

/// Added before the spread is cut to a ring: a double of the program.
const NEXT_RING: f64 = 0.99;
/// The last ring that a reveal uses.
const LAST_SEEN: u32 = 10;
/// Rings of buckets that the search for aircraft takes at least.
const LEAST_BUCKETS: i32 = 2;

/// A spread, or a sight: exactly one of the two.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellSpreadInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `CellSpread` of a warhead, in cells, a binary32: 0 up to the last one that takes ring 11, below 11.0100002.
    pub cell_spread: Option<RealArg>,
    /// `Sight` of an object, in cells, 0 to 2147483647.
    #[schemars(range(max = 2_147_483_647))]
    pub sight: Option<u32>,
}

/// The stages; those of the other form are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CellSpread {
    /// Spread: the binary32 that the engine holds (clause ring.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Real>,
    /// Spread: farthest distance that is hit, in leptons, inclusive (clause radius.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<i32>,
    /// Spread plus 0.99, or the sight (clauses ring.1, sight.1).
    pub reach: Real,
    /// The outermost ring, 0 to 11 (clauses ring.1, sight.1).
    pub ring: u32,
    /// Number of cells, up to the end of that ring (clause count.1).
    pub cells: u32,
    /// Spread: rings of buckets that the search for aircraft takes (clause air.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub air_buckets: Option<i32>,
    /// Spread: whether the blast counts as a wide one (clause air.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wide: Option<bool>,
    /// The cells in the order in which they are walked: x and y from the centre, in cells (clauses walk.1 to walk.3).
    pub offsets: Vec<[i8; 2]>,
}

/// Lists the cells of a spread or a sight.
///
/// # Errors
/// `EINVAL` for none or both of the two forms, for text without a number, and for spreads below 0 or beyond ring 11;
/// `EOPNOTSUPP` for a game without evidence.
pub fn inspect_cell_spread(input: &CellSpreadInput) -> Result<CellSpread, PortError> {
    META.offers(input.game)?;
    match (&input.cell_spread, input.sight) {
        (Some(spread), None) => splash(f64::from(single(spread, "cell_spread", input.game)?)),
        (None, Some(sight)) if sight > i32::MAX as u32 => {
            Err(PortError::invalid("sight", "must be at most 2147483647"))
        }
        (None, Some(sight)) => Ok(reveal(sight)),
        (None, None) => Err(PortError::invalid("cell_spread", "is needed, or `sight`")),
        (Some(_), Some(_)) => Err(PortError::invalid("sight", "give either `cell_spread` or `sight`")),
    }
}

fn splash(spread: f64) -> Result<CellSpread, PortError> {
    let wrong = |message: &str| Err(PortError::invalid("cell_spread", message));
    let reach = x87::add(spread, NEXT_RING);
    // Larger than any ring, so that the conversion below cannot wrap back into the table.
    if reach >= 12.0 {
        return wrong("reaches beyond ring 11, where the engine reads past its table");
    }
    if spread < 0.0 {
        return wrong("must not be negative");
    }
    let (ring, cells, offsets) = cells(x87::ftol(reach) as u32);
    Ok(CellSpread {
        spread: Some(Real(spread)),
        radius: Some(x87::ftol(x87::mul(spread, 256.0))),
        reach: Real(reach),
        ring,
        cells,
        air_buckets: Some(x87::ftol(spread).max(LEAST_BUCKETS)),
        wide: Some(spread > 0.5),
        offsets,
    })
}

fn reveal(sight: u32) -> CellSpread {
    let (ring, cells, offsets) = cells(sight.min(LAST_SEEN));
    CellSpread {
        spread: None,
        radius: None,
        reach: Real(f64::from(sight)),
        ring,
        cells,
        air_buckets: None,
        wide: None,
        offsets,
    }
}

/// The cells up to the end of a ring of 0 to 11.
fn cells(ring: u32) -> (u32, u32, Vec<[i8; 2]>) {
    let count = COUNTS[ring as usize];
    (ring, count as u32, OFFSETS[..count].to_vec())
}
