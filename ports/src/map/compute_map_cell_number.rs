//! `compute_map_cell_number`: a cell as one number, the way map files, the engine's cell store and triggers write it.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_map_cell_number",
    area: Area::Map,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Cell number of map files, y * 1000 + x, its inverse, and the place of the cell in the engine's store.",
    aliases: &[
        "Waypoints number",
        "Terrain key",
        "CellTags key",
        "cell number",
        "y*1000+x",
        "packed cell",
        "cell index",
    ],
    units: "cells; numbers without unit",
    example: r#"{"x":30,"y":40}"#,
};

/// The port.
pub static PORT: FnPort<MapCellNumberInput, MapCellNumber> = FnPort::new(&META, compute_map_cell_number);

/// Cells on a side of the store.
const SIDE: u32 = 512;
/// What the high word of a packed cell counts.
const WORD: u32 = 0x1_0000;
/// Cells of a row in the numbers of map files.
const ROW: u32 = 1000;

/// What a number stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CellForm {
    /// A number of a map file: `[Waypoints]` values, `[Terrain]` and `[CellTags]` keys.
    #[default]
    Map,
    /// A place in the engine's store, and in the overlay planes of a map.
    Array,
    /// Two words, x in the low one.
    Packed,
}

/// A cell, as two numbers or as one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapCellNumberInput {
    /// Game whose map it is; all are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Cell: 0 to 511. With `y` and without `number`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 511))]
    pub x: Option<u32>,
    /// Cell: 0 to 511.
    #[serde(default)]
    #[schemars(range(min = 0, max = 511))]
    pub y: Option<u32>,
    /// The cell as one number, without `x` and `y`.
    #[serde(default)]
    pub number: Option<u32>,
    /// What `number` is. Default `map`.
    #[serde(default)]
    pub form: CellForm,
}

/// A cell in every form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MapCellNumber {
    /// Toward the lower right.
    pub x: u32,
    /// Toward the lower left.
    pub y: u32,
    /// Number in map files (number.1).
    pub map_number: u32,
    /// Place in the store (array.1).
    pub array_index: u32,
    /// Two words in one (packed.1).
    pub packed: u32,
}

/// Computes the numbers of a cell.
///
/// # Errors
/// `EINVAL` at `number` for a cell given in both ways or in neither, and for a number of a cell beyond 511; at `x` or `y`
/// beyond 511, and for one without the other; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn compute_map_cell_number(input: &MapCellNumberInput) -> Result<MapCellNumber, PortError> {
    META.offers(input.game)?;
    let (x, y) = match (input.number, input.x, input.y) {
        (Some(number), None, None) => split(number, input.form)?,
        (None, Some(x), Some(y)) => (within(x, "x")?, within(y, "y")?),
        (None, Some(_), None) => return Err(PortError::invalid("y", "is missing beside `x`")),
        (None, None, Some(_)) => return Err(PortError::invalid("x", "is missing beside `y`")),
        _ => return Err(PortError::invalid("number", "give either `number`, or `x` and `y`")),
    };
    Ok(MapCellNumber { x, y, map_number: y * ROW + x, array_index: y * SIDE + x, packed: y * WORD + x })
}

/// The cell that a number stands for.
fn split(number: u32, form: CellForm) -> Result<(u32, u32), PortError> {
    let row = match form {
        CellForm::Map => ROW,
        CellForm::Array => SIDE,
        CellForm::Packed => WORD,
    };
    Ok((within(number % row, "number")?, within(number / row, "number")?))
}

fn within(number: u32, field: &str) -> Result<u32, PortError> {
    if number < SIDE { Ok(number) } else { Err(PortError::invalid(field, "the cell is beyond 511")) }
}
