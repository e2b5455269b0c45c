//! `inspect_voxel_normal`: the vector that a voxel's normal index stands for.

use super::voxel_normals::{TABLE_1, TABLE_2, TABLE_3, TABLE_4};
use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "inspect_voxel_normal",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Normal vector of an index in one of the four tables of voxel normals.",
    aliases: &[
        "voxel normal",
        "normal index",
        "normals table",
        "NormalType",
        "VXL normals",
        "voxel lighting",
    ],
    units: "unit vectors: x, y, z as binary32",
    example: r#"{"table":4,"index":241}"#,
};

/// The port.
pub static PORT: FnPort<VoxelNormalInput, VoxelNormal> = FnPort::new(&META, inspect_voxel_normal);

/// A place in a table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoxelNormalInput {
    /// Game whose table it is; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The table, 1 to 4, as the tail of a limb says; TS files have 2, RA2 and YR files 4.
    #[schemars(range(min = 1, max = 4))]
    pub table: u8,
    /// The index, 0 to 255, as a voxel has it.
    pub index: u8,
}

/// A normal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VoxelNormal {
    /// Number of vectors in the table: 16, 36, 64 or 245.
    pub entries: u32,
    /// Whether the table has the index; if not, the games read what is behind it (beyond.1).
    pub in_table: bool,
    /// Left and right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub x: Option<Real>,
    /// Front and back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub y: Option<Real>,
    /// Up and down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub z: Option<Real>,
}

/// Looks a normal up.
///
/// # Errors
/// `EINVAL` at `table` other than 1 to 4; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn inspect_voxel_normal(input: &VoxelNormalInput) -> Result<VoxelNormal, PortError> {
    META.offers(input.game)?;
    let table: &[[u32; 3]] = match input.table {
        1 => &TABLE_1,
        2 => &TABLE_2,
        3 => &TABLE_3,
        4 => &TABLE_4,
        other => return Err(PortError::invalid("table", format!("there is no table {other}, only 1 to 4"))),
    };
    let vector = table.get(usize::from(input.index));
    let part = |at: usize| vector.map(|vector| Real::from(f32::from_bits(vector[at])));
    Ok(VoxelNormal {
        entries: table.len() as u32,
        in_table: vector.is_some(),
        x: part(0),
        y: part(1),
        z: part(2),
    })
}
