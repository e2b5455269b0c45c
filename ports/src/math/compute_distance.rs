//! `compute_distance`: whole leptons between two points, as range, threat and area damage measure them.
//!
//! Tiberian Sun and later take the table root, so a distance along an axis often measures one less than it is; the ancestor
//! adds half the shorter leg to the longer one.

use crate::math::compute_fast_sqrt::{FastSqrt, root};
use crate::math::{x87, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_distance",
    area: Area::Math,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Whole-lepton distance between two points or to a building: octagonal in RA1, table root in TS, RA2 and YR.",
    aliases: &[
        "distance",
        "Distance_To",
        "DistanceFrom",
        "Range",
        "weapon range",
        "leptons",
        "Euclidean distance",
        "octagonal distance",
        "Distance_Level_Snap",
        "distance to building",
        "foundation",
        "off by one distance",
    ],
    units: "leptons (256 to a cell), foundations in cells",
    example: r#"{"dx":768,"dy":1024}"#,
};

/// The port.
pub static PORT: FnPort<DistanceInput, Distance> = FnPort::new(&META, compute_distance);

/// Largest difference: its squares, and the sum of three of them, are exact in 53 bits.
const FARTHEST: i32 = 1 << 25;
/// Height of one level, in leptons.
const LEVEL: u32 = 104;
/// Leptons that each cell of a building's width and height takes off.
const FOOTPRINT: i32 = 64;

/// Two points by their difference, and what the second is.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistanceInput {
    /// Game whose rule applies. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Difference in x, in leptons (RA1: leptons or cells), -33554432 to 33554432.
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dx: i32,
    /// Difference in y, in the unit of `dx`, -33554432 to 33554432.
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dy: i32,
    /// Difference in height, in leptons, -33554432 to 33554432; 104 to a level. Not for RA1, which has no heights.
    /// Default 0.
    #[serde(default)]
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dz: i32,
    /// TS, RA2, YR: whether the height is dropped, as aircraft do on approach and overfly. Default false.
    #[serde(default)]
    pub planar: bool,
    /// TS: whether a difference of less than one level is dropped, as explosions do. Default false.
    #[serde(default)]
    pub level_snap: bool,
    /// TS, RA2, YR: foundation of the target, if it is a building.
    #[serde(default)]
    pub building: Option<Foundation>,
    /// TS, RA2, YR: whether there is a target at all; without one the distance is 0. Default true.
    #[serde(default = "yes")]
    pub target: bool,
}

/// A building's foundation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Foundation {
    /// Cells across, 1 to 255.
    #[schemars(range(min = 1))]
    pub width: u8,
    /// Cells down, 1 to 255.
    #[schemars(range(min = 1))]
    pub height: u8,
}

fn yes() -> bool {
    true
}

/// The stages of a distance; those that did not run are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Distance {
    /// TS, RA2, YR: height difference that counts (clauses planar.1, snap.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dz: Option<i32>,
    /// TS, RA2, YR: sum of the squares (clause sum.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squared: Option<Real>,
    /// TS, RA2, YR: its root out of the table, with the stages of `compute_fast_sqrt` (clause root.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<FastSqrt>,
    /// TS, RA2, YR: the root, truncated (clause root.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<i32>,
    /// TS, RA2, YR: the distance that an exact root would give, for comparison; no stage reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
    /// TS, RA2, YR: leptons that the building's foundation takes off (clause building.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footprint: Option<i32>,
    /// RA1: the longer leg (clause ra1.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longer: Option<u32>,
    /// RA1: the shorter leg (clause ra1.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shorter: Option<u32>,
    /// The distance, in the unit of the differences.
    pub result: i32,
}

/// Measures a distance.
///
/// # Errors
/// `EINVAL` at the field for differences beyond 33554432 either way, for a foundation without cells, and for arguments
/// that the game's rule does not have; `EOPNOTSUPP` for a game without evidence.
pub fn compute_distance(input: &DistanceInput) -> Result<Distance, PortError> {
    META.offers(input.game)?;
    for (field, value) in [("dx", input.dx), ("dy", input.dy), ("dz", input.dz)] {
        if value.unsigned_abs() > FARTHEST.unsigned_abs() {
            return Err(PortError::invalid(field, "must be from -33554432 to 33554432"));
        }
    }
    let ancestor = input.game == Game::Ra1;
    let foreign = [
        ("dz", ancestor && input.dz != 0),
        ("planar", ancestor && input.planar),
        ("level_snap", input.game != Game::Ts && input.level_snap),
        ("building", ancestor && input.building.is_some()),
        ("target", ancestor && !input.target),
    ];
    if let Some((field, _)) = foreign.into_iter().find(|(_, given)| *given) {
        return Err(PortError::invalid(field, format!("does not belong to the rule of {}", input.game)));
    }
    if let Some(Foundation { width, height }) = input.building {
        for (field, cells) in [("building.width", width), ("building.height", height)] {
            if cells == 0 {
                return Err(PortError::invalid(field, "must be at least 1"));
            }
        }
    }
    Ok(if ancestor { octagonal(input) } else { tabled(input) })
}

/// RA1: the longer leg and half the shorter one.
fn octagonal(input: &DistanceInput) -> Distance {
    let (across, along) = (input.dx.unsigned_abs(), input.dy.unsigned_abs());
    let (longer, shorter) = (across.max(along), across.min(along));
    let result = (longer + shorter / 2) as i32;
    Distance { longer: Some(longer), shorter: Some(shorter), result, ..Distance::default() }
}

/// TS, RA2, YR: the root out of the table.
fn tabled(input: &DistanceInput) -> Distance {
    if !input.target {
        return Distance::default();
    }
    let level = input.level_snap && input.dz.unsigned_abs() < LEVEL;
    let dz = if input.planar || level { 0 } else { input.dz };
    let square = |difference: i32| x87::mul(f64::from(difference), f64::from(difference));
    let squared = x87::add(x87::add(square(input.dx), square(input.dy)), square(dz));
    let root = root(squared);
    let raw = x87::ftol(root.root.0);
    let footprint = input.building.map(|it| FOOTPRINT * (i32::from(it.width) + i32::from(it.height)));
    Distance {
        dz: Some(dz),
        squared: Some(Real(squared)),
        exact: Some(x87::ftol(root.exact.0)),
        root: Some(root),
        raw: Some(raw),
        footprint,
        result: footprint.map_or(raw, |footprint| (raw - footprint).max(0)),
        ..Distance::default()
    }
}
