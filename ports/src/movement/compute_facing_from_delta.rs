//! Heading of one point from another: the arctangent table in Tiberian Sun and later, whole numbers in the ancestor.
//!
//! Two things surprise people. A computed quarter turn is `0x3FFF`, not `0x4000`, because a turn counts 65534 units;
//! and the table is coarse, so north-east comes out as `0x207B`.

use super::compute_facing_bucket::rounded;
use crate::math::arctangent::{QUARTER, arctangent};
use crate::math::x87;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `compute_facing_from_delta` says of itself.
pub static META: Meta = Meta {
    name: "compute_facing_from_delta",
    area: Area::Movement,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Heading of one point from another: integer in RA1, arctangent table in TS, RA2 and YR.",
    aliases: &[
        "facing",
        "heading",
        "direction",
        "bearing",
        "angle between two points",
        "atan2",
        "arctangent",
        "DirStruct",
        "DirType",
        "Desired_Facing",
        "turret aim",
    ],
    units: "dx and dy in leptons or cells; facings: 65536 (RA1: 256) to a turn, north 0, clockwise",
    example: r#"{"game":"YR","dx":256,"dy":-256}"#,
};

/// `compute_facing_from_delta` as a capability.
pub static PORT: FnPort<FacingFromDeltaInput, FacingFromDelta> =
    FnPort::new(&META, compute_facing_from_delta);

/// Radians to facing units, clockwise: -65534 to a turn (clause `scale.1`).
const SCALE: f64 = f64::from_bits(0xc0c4_5f07_af68_ecef);

/// Arguments of [`compute_facing_from_delta`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacingFromDeltaInput {
    /// Game whose rule is wanted. Default YR.
    #[serde(default = "super::default_game")]
    pub game: Game,
    /// Target x minus source x, in leptons or in cells (only the ratio counts); -2147483647 to 2147483647. East is
    /// positive.
    #[schemars(range(min = -2_147_483_647))]
    pub dx: i32,
    /// Target y minus source y, in the unit of `dx`; -2147483647 to 2147483647. South is positive.
    #[schemars(range(min = -2_147_483_647))]
    pub dy: i32,
    /// Precision of the RA1 routine: 256 headings, or 8 for its cheaper sibling. Other games have 256 only. Default 256.
    #[serde(default = "finest")]
    #[schemars(extend("enum" = [8, 256]))]
    pub directions: u16,
}

const fn finest() -> u16 {
    256
}

/// Stages of [`compute_facing_from_delta`]. A stage that a branch does not compute is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct FacingFromDelta {
    /// TS, RA2, YR: dx as a binary32, chopped (clause `delta.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<Real>,
    /// TS, RA2, YR: -dy as a binary32, chopped: upward is positive (clause `delta.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<Real>,
    /// TS, RA2, YR, off the vertical: y / x (clause `table.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Real>,
    /// TS, RA2, YR, off the vertical: table entry asked for, without sign; above 4096 it is beyond the table
    /// (clause `table.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_index: Option<u32>,
    /// TS, RA2, YR, off the vertical: the entry, in radians, 0 to π/2 (clauses `table.2`, `table.3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_angle: Option<Real>,
    /// TS, RA2, YR: angle in radians, counter-clockwise from east, -π to π (clauses `axis.1`, `quadrant.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<Real>,
    /// TS, RA2, YR: facing units before truncation, clockwise from north (clause `scale.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<Real>,
    /// TS, RA2, YR: the facing word, 65536 to a turn (clause `scale.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing16: Option<u16>,
    /// RA1: where the quadrant starts: 0, 64, 128 or 192 (clause `ra1-quadrant.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quadrant: Option<u16>,
    /// RA1: the greater of the two distances (clause `ra1-quadrant.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub larger: Option<u32>,
    /// RA1: the lesser of the two distances (clause `ra1-quadrant.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smaller: Option<u32>,
    /// RA1 with 256 directions: distance from the nearer axis, 0 to 32 (clause `ra1-fine.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<u32>,
    /// RA1: 64 when the heading is counted back from the end of the quadrant, else 0 (clauses `ra1-fine.2`,
    /// `ra1-coarse.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adder: Option<u16>,
    /// RA1: the heading before it is kept as a byte; 256 is possible with 8 directions (clause `ra1-coarse.2`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<u32>,
    /// The heading as a byte, 256 to a turn: the high byte of `facing16` (clause `byte.1`), in RA1 the result itself.
    pub byte: u8,
    /// The nearest of the eight directions, north 0, clockwise (clause `byte.1`).
    pub octant: u8,
}

/// Computes the heading of a point that lies `dx`, `dy` away.
///
/// # Errors
/// `EOPNOTSUPP` at `game`; `EINVAL` at `dx` or `dy` for -2147483648, which has no negative, and at `directions` for
/// anything but 8 and 256, or for 8 outside RA1.
pub fn compute_facing_from_delta(input: &FacingFromDeltaInput) -> Result<FacingFromDelta, PortError> {
    META.offers(input.game)?;
    for (field, value) in [("dx", input.dx), ("dy", input.dy)] {
        if value == i32::MIN {
            return Err(PortError::invalid(field, "must be above -2147483648, which has no negative"));
        }
    }
    match (input.game, input.directions) {
        (Game::Ra1, 256) => Ok(fine(input.dx, input.dy)),
        (Game::Ra1, 8) => Ok(coarse(input.dx, input.dy)),
        (_, 256) => Ok(tabled(input.dx, input.dy)),
        _ => Err(PortError::invalid("directions", "must be 256, or 8 in RA1")),
    }
}

/// The routine of TS, RA2 and YR.
fn tabled(dx: i32, dy: i32) -> FacingFromDelta {
    let x = x87::store32(f64::from(dx));
    let y = x87::store32(f64::from(-dy));
    let found = arctangent(y, x);
    let scaled = x87::mul(x87::sub(found.angle, QUARTER), SCALE);
    let facing = x87::ftol(scaled) as u16;
    FacingFromDelta {
        x: Some(x.into()),
        y: Some(y.into()),
        ratio: found.lookup.map(|lookup| lookup.ratio.into()),
        table_index: found.lookup.map(|lookup| lookup.index),
        table_angle: found.lookup.map(|lookup| lookup.entry.into()),
        angle: Some(found.angle.into()),
        scaled: Some(scaled.into()),
        facing16: Some(facing),
        byte: (facing >> 8) as u8,
        octant: (rounded(facing, 3) & 7) as u8,
        ..FacingFromDelta::default()
    }
}

/// The quadrant and the distances that both RA1 routines start from.
fn quadrant(dx: i32, dy: i32) -> (u16, u32, u32) {
    let west = if dx < 0 { 0xc0 } else { 0 };
    let south = if dy > 0 { 0x40 } else { 0 };
    (west ^ south, dx.unsigned_abs(), dy.unsigned_abs())
}

/// RA1 with 256 directions.
fn fine(dx: i32, dy: i32) -> FacingFromDelta {
    let (quadrant, across, along) = quadrant(dx, dy);
    let (smaller, larger) = (across.min(along), across.max(along));
    if larger == 0 {
        return FacingFromDelta { quadrant: Some(quadrant), ..bytes(0xff) };
    }
    // 32-bit unsigned, so distances from 2^27 on wrap; no map is that large.
    let fraction = smaller.wrapping_mul(32) / larger;
    let adder = (quadrant & 0x40) ^ if across > along { 0x40 } else { 0 };
    let within = if adder == 0 { fraction } else { u32::from(adder) - fraction - 1 };
    let sum = u32::from(quadrant) + within;
    FacingFromDelta {
        quadrant: Some(quadrant),
        larger: Some(larger),
        smaller: Some(smaller),
        fraction: Some(fraction),
        adder: Some(adder),
        sum: Some(sum),
        ..bytes(sum as u8)
    }
}

/// RA1 with 8 directions.
fn coarse(dx: i32, dy: i32) -> FacingFromDelta {
    let (quadrant, across, along) = quadrant(dx, dy);
    let (smaller, larger) = (across.min(along), across.max(along));
    let diagonal = larger.div_ceil(2) <= smaller;
    let adder = (quadrant & 0x40) ^ if across == larger { 0x40 } else { 0 };
    let sum = u32::from(quadrant + if diagonal { 0x20 } else { adder });
    FacingFromDelta {
        quadrant: Some(quadrant),
        larger: Some(larger),
        smaller: Some(smaller),
        adder: (!diagonal).then_some(adder),
        sum: Some(sum),
        ..bytes(sum as u8)
    }
}

/// An RA1 heading and the nearest of eight directions.
fn bytes(byte: u8) -> FacingFromDelta {
    FacingFromDelta { byte, octant: byte.wrapping_add(0x10) >> 5, ..FacingFromDelta::default() }
}
