//! `map_isomappack`: the terrain of a map, tile by tile.

use super::ini_text::{Ini, IniText};
use super::pack_chunks::Codec;
use super::sha1::sha1;
use super::source::{attachment, fault, unsupported};
use super::{hex, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Metadata.
pub static META: Meta = Meta {
    name: "map_isomappack",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Tile records of a map's IsoMapPack5: cell, tile, sub-tile, level, ice, and what is missing or outside.",
    aliases: &[
        "IsoMapPack5",
        "map tiles",
        "terrain",
        "isometric tiles",
        "sub-tile",
        "height level",
        "ice growth",
        "cell records",
    ],
    units: "cells, tile numbers, levels of height",
    example: "{\"bytes\":\"[Map]\\nSize=0,0,6,6\\n[IsoMapPack5]\\n1=HgAaACsDAAQAAAAAAAAAAAQABAD//wAAAQIAAAAAABEAAA==\\n\"}",
};

/// The port.
pub static PORT: FnPort<MapIsomappackInput, MapIsomappack> =
    FnPort::new(&META, map_isomappack).attaching(|map| attachment("records", &map.data));

/// Most bytes that a pack may give: a record for each of 512 by 512 cells, and the end mark.
const MOST: usize = 2_883_588;
/// Bytes of a record.
const RECORD: usize = 11;
/// The number that stands for the clear tile.
const CLEAR: i32 = 0xFFFF;

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapIsomappackInput {
    /// Game that reads it; all read alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB; `[Map]` and `[IsoMapPack5]`
    /// are read.
    pub bytes: IniText,
}

/// The terrain of a map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapIsomappack {
    /// Width of the map in cells of its upper edge (grid.1).
    pub width: i32,
    /// Height of the map (grid.1).
    pub height: i32,
    /// Chunks of the pack.
    pub chunks: u32,
    /// Bytes behind the last chunk.
    pub trailing: u32,
    /// What is odd but no error: `missing_padding` of base 64; left out where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub warnings: Vec<String>,
    /// Bytes unpacked.
    pub output_len: u32,
    /// SHA-1 of them, 40 hexadecimal digits; they are the attachment `records`.
    pub sha1: String,
    /// Records before the end (record.1).
    pub records: u32,
    /// Whether a record for cell 0, 0 ended the list (end.1).
    pub ended: bool,
    /// Bytes from that record on, its first four included: 4 as a rule, 0 where the list ended with the bytes (end.1).
    pub tail: u32,
    /// Cells of the map: `(2 * width - 1) * height` (grid.1).
    pub cells: u32,
    /// Cells of the map without a record: level 0, clear (grid.1).
    pub missing: u32,
    /// Records for cells outside the map, which the game drops (grid.1).
    pub outside: u32,
    /// Records for a cell that an earlier one has; the last counts.
    pub duplicates: u32,
    /// Records of the clear tile by the number 65535 (clear.1).
    pub clear_ffff: u32,
    /// Records with ice growth, in maps of TS.
    pub ice_cells: u32,
    /// Different tile numbers.
    pub tiles_used: u32,
    /// Lowest level; left out without records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_level: Option<u8>,
    /// Highest level; left out without records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_level: Option<u8>,
    /// The records in the file's order.
    pub tiles: Vec<TileRecord>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TileRecord {
    /// Cell.
    pub x: u16,
    /// Cell.
    pub y: u16,
    /// Tile number as it stands in the file, counted over the tile sets of the theater (record.1).
    pub tile: i32,
    /// Whether it is the clear tile: number 65535 or 0 (clear.1).
    pub clear: bool,
    /// Cell of the tile (record.1).
    pub sub: u8,
    /// Height level (record.1).
    pub level: u8,
    /// Ice growth (record.1).
    pub ice: u8,
    /// Whether the cell is on the map (grid.1).
    pub inside: bool,
}

/// Decodes the terrain of a map.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (a section or key), `bad_number`, `bad_count` (size of the map), `bad_text` (no
/// base 64), those of `pack_chunks`, `truncated` (a record that is cut off). `EOPNOTSUPP` for a map with one of the packs
/// before the fifth, which the games read and no file shows, for a pack line of more than 127 characters, and at `game`
/// for a game without evidence. `EFBIG` beyond 32 MiB.
pub fn map_isomappack(input: &MapIsomappackInput) -> Result<MapIsomappack, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let (width, height) = ini.map_size()?;
    for older in ["IsoMapPack", "IsoMapPack2", "IsoMapPack3", "IsoMapPack4"] {
        if ini.find(older).is_some_and(|section| !section.entries.is_empty()) {
            return Err(unsupported(format!("the map has tiles in [{older}]")));
        }
    }
    let pack = ini.section("IsoMapPack5")?.unpack(Codec::Lzo, MOST)?;
    let mut map = MapIsomappack {
        width,
        height,
        chunks: pack.chunks.len() as u32,
        trailing: pack.trailing,
        warnings: pack.warnings,
        output_len: pack.output_len,
        sha1: hex(&sha1(&pack.output)),
        records: 0,
        ended: false,
        tail: 0,
        cells: ((2 * width - 1) * height) as u32,
        missing: 0,
        outside: 0,
        duplicates: 0,
        clear_ffff: 0,
        ice_cells: 0,
        tiles_used: 0,
        min_level: None,
        max_level: None,
        tiles: Vec::new(),
        data: pack.output,
    };
    map.walk()?;
    map.count();
    Ok(map)
}

impl MapIsomappack {
    /// Takes the records up to the end.
    fn walk(&mut self) -> Result<(), PortError> {
        let mut rest = self.data.as_slice();
        while !rest.is_empty() {
            let number = self.tiles.len();
            let cut = || fault("truncated", format!("the unpacked bytes end within record {number}"));
            let cell = rest.first_chunk::<4>().ok_or_else(cut)?;
            if *cell == [0; 4] {
                self.ended = true;
                self.tail = rest.len() as u32;
                break;
            }
            let (record, behind) = rest.split_first_chunk::<RECORD>().ok_or_else(cut)?;
            self.tiles.push(TileRecord::read(record, self.width, self.height));
            rest = behind;
        }
        self.records = self.tiles.len() as u32;
        Ok(())
    }

    fn count(&mut self) {
        let tiles = &self.tiles;
        let number =
            |wanted: fn(&TileRecord) -> bool| tiles.iter().filter(|tile| wanted(tile)).count() as u32;
        let inside: BTreeSet<_> =
            tiles.iter().filter(|tile| tile.inside).map(|tile| (tile.x, tile.y)).collect();
        self.outside = number(|tile| !tile.inside);
        self.clear_ffff = number(|tile| tile.tile == CLEAR);
        self.ice_cells = number(|tile| tile.ice > 0);
        self.missing = self.cells - inside.len() as u32;
        let cells: BTreeSet<_> = tiles.iter().map(|tile| (tile.x, tile.y)).collect();
        self.duplicates = self.records - cells.len() as u32;
        self.tiles_used = tiles.iter().map(|tile| tile.tile).collect::<BTreeSet<_>>().len() as u32;
        self.min_level = tiles.iter().map(|tile| tile.level).min();
        self.max_level = tiles.iter().map(|tile| tile.level).max();
    }
}

impl TileRecord {
    fn read(record: &[u8; RECORD], width: i32, height: i32) -> Self {
        let [x0, x1, y0, y1, t0, t1, t2, t3, sub, level, ice] = *record;
        let (x, y) = (u16::from_le_bytes([x0, x1]), u16::from_le_bytes([y0, y1]));
        let tile = i32::from_le_bytes([t0, t1, t2, t3]);
        let inside = on_map(i32::from(x), i32::from(y), width, height);
        Self { x, y, tile, clear: matches!(tile, 0 | CLEAR), sub, level, ice, inside }
    }
}

/// Whether a cell is on a map: the sum and the difference of its numbers run along the map's two axes.
pub(crate) fn on_map(x: i32, y: i32, width: i32, height: i32) -> bool {
    (0..2 * width - 1).contains(&(x - y + width - 1)) && (0..2 * height).contains(&(x + y - width - 1))
}
