//! `map_overlay`: the overlays of a map (ore, walls, bridges, rails) and their data.

use super::artefact;
use super::ini_text::{Ini, IniText, told, whole_number};
use super::map_isomappack::on_map;
use super::pack_chunks::{Codec, Pack};
use super::source::fault;
use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Metadata.
pub static META: Meta = Meta {
    name: "map_overlay",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Overlays of a map (ore, walls, bridges) and the data of their cells, from OverlayPack and OverlayDataPack.",
    aliases: &[
        "OverlayPack",
        "OverlayDataPack",
        "NewINIFormat",
        "ore on the map",
        "walls",
        "bridges",
        "rails",
    ],
    units: "cells, overlay numbers, data bytes",
    example: "{\"bytes\":\"[Map]\\nSize=0,0,6,6\\n[OverlayPack]\\n1=CwD///4ECP+BZv769/+ABQD///7///+ABQD///7///+ABQD///7///+ABQAEAP4EAP+A\\n\"}",
};

/// The port.
pub static PORT: FnPort<MapOverlayInput, MapOverlay> = FnPort::new(&META, map_overlay)
    .attaching(|map| vec![artefact("overlay", &map.overlay), artefact("data", &map.data)]);

/// Cells on a side of a plane.
const SIDE: usize = 512;
/// Bytes of a plane with one byte a cell.
const PLANE: usize = SIDE * SIDE;
/// Most bytes that a pack may give before its size is looked at: those of a chunked stream.
const MOST: usize = 16 << 20;
/// A byte of the first plane for a cell without overlay.
const NONE: u16 = 0xFF;
/// The same where a cell has two bytes.
const WIDE_NONE: u16 = 0xFFFF;

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapOverlayInput {
    /// Game that reads it; all read alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB; `[Map]`, `[Basic]`,
    /// `[OverlayPack]` and `[OverlayDataPack]` are read.
    pub bytes: IniText,
}

/// The overlays of a map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapOverlay {
    /// Width of the map.
    pub width: i32,
    /// Height of the map.
    pub height: i32,
    /// `[Basic] NewINIFormat`; left out without the key (format.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_ini_format: Option<i32>,
    /// Whether the game reads the planes at all; left out without the key (format.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<bool>,
    /// Whether overlay numbers have two bytes, as extensions of the games write them (wide.1).
    pub wide: bool,
    /// Whether there is a plane of overlays; without one no cell has any (plane.1).
    pub has_overlay: bool,
    /// Whether there is a plane of data; without one all of it is 0 (data.1).
    pub has_data: bool,
    /// Bytes behind the last chunk of both packs.
    pub trailing: u32,
    /// What is odd but no error: `missing_padding` of base 64, of either pack; left out where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub warnings: Vec<String>,
    /// Cells with an overlay (plane.1).
    pub used: u32,
    /// Cells with a data byte other than 0 (data.1).
    pub with_data: u32,
    /// Those of them that have no overlay.
    pub data_alone: u32,
    /// Cells with an overlay that are not on the map.
    pub outside: u32,
    /// Overlay numbers, lowest first, with how many cells each has.
    pub kinds: Vec<OverlayKind>,
    /// Cells with an overlay, row by row (plane.1).
    pub cells: Vec<OverlayCell>,
    /// The attachment `overlay`: the first plane.
    #[serde(skip)]
    pub overlay: Vec<u8>,
    /// The attachment `data`: the second plane.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// An overlay number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OverlayKind {
    /// The number: a place in the rules' list of overlays.
    pub overlay: u16,
    /// Cells that have it.
    pub cells: u32,
}

/// A cell with an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OverlayCell {
    /// Cell.
    pub x: u16,
    /// Cell.
    pub y: u16,
    /// The number: a place in the rules' list of overlays (plane.1).
    pub overlay: u16,
    /// Its frame: density of ore, joints and health of a wall (data.1).
    pub data: u8,
    /// Whether the cell is on the map.
    pub inside: bool,
}

/// Decodes the overlays of a map.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (the size of the map; data without overlays), `bad_number`, `bad_count` (size of
/// the map), `bad_text` (no base 64), those of `pack_chunks` (a pack gives 16 MiB at most), `size_mismatch` (a plane of
/// another size). `EOPNOTSUPP` for a pack line of more than 127 characters, and at `game` for a game without evidence.
/// `EFBIG` beyond 32 MiB.
pub fn map_overlay(input: &MapOverlayInput) -> Result<MapOverlay, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let (width, height) = ini.map_size()?;
    let new_ini_format = format(&ini)?;
    let overlay = plane(&ini, "OverlayPack", &[PLANE, 2 * PLANE])?;
    let data = plane(&ini, "OverlayDataPack", &[PLANE])?;
    if overlay.is_none() && data.is_some() {
        return Err(fault("missing", "[OverlayDataPack] is there without [OverlayPack]"));
    }
    let packs = || [&overlay, &data].into_iter().flatten();
    let warnings = packs().map(|pack| pack.warnings.clone()).find(|warnings| !warnings.is_empty());
    let mut map = MapOverlay {
        width,
        height,
        new_ini_format,
        read: new_ini_format.map(|format| format > 1),
        wide: overlay.as_ref().is_some_and(|pack| pack.output.len() > PLANE),
        has_overlay: overlay.is_some(),
        has_data: data.is_some(),
        trailing: packs().map(|pack| pack.trailing).sum(),
        warnings: warnings.unwrap_or_default(),
        used: 0,
        with_data: 0,
        data_alone: 0,
        outside: 0,
        kinds: Vec::new(),
        cells: Vec::new(),
        overlay: overlay.map_or_else(|| vec![NONE as u8; PLANE], |pack| pack.output),
        data: data.map_or_else(|| vec![0; PLANE], |pack| pack.output),
    };
    map.fill();
    Ok(map)
}

/// `[Basic] NewINIFormat`.
fn format(ini: &Ini<'_>) -> Result<Option<i32>, PortError> {
    let Some(value) = ini.find("Basic").and_then(|section| section.value("NewINIFormat")) else {
        return Ok(None);
    };
    let wrong = || fault("bad_number", format!("[Basic] NewINIFormat={} is no whole number", told(value)));
    whole_number(value).map(Some).ok_or_else(wrong)
}

/// A plane, where there is one; it has one of the sizes.
fn plane(ini: &Ini<'_>, name: &str, sizes: &[usize]) -> Result<Option<Pack>, PortError> {
    let Some(section) = ini.find(name) else { return Ok(None) };
    let pack = section.unpack(Codec::Lcw, MOST)?;
    if sizes.contains(&pack.output.len()) {
        return Ok(Some(pack));
    }
    let message = format!("[{name}] has {} bytes, a plane {PLANE}", pack.output.len());
    Err(fault("size_mismatch", message))
}

impl MapOverlay {
    /// Lists the cells with an overlay and counts.
    fn fill(&mut self) {
        let mut kinds: BTreeMap<u16, u32> = BTreeMap::new();
        let none = if self.wide { WIDE_NONE } else { NONE };
        let step = if self.wide { 2 } else { 1 };
        for ((index, bytes), data) in self.overlay.chunks(step).enumerate().zip(&self.data) {
            let overlay = u16::from_le_bytes([bytes[0], bytes.get(1).copied().unwrap_or(0)]);
            self.with_data += u32::from(*data > 0);
            if overlay == none {
                self.data_alone += u32::from(*data > 0);
                continue;
            }
            let (x, y) = ((index % SIDE) as u16, (index / SIDE) as u16);
            let inside = on_map(i32::from(x), i32::from(y), self.width, self.height);
            self.outside += u32::from(!inside);
            *kinds.entry(overlay).or_default() += 1;
            self.cells.push(OverlayCell { x, y, overlay, data: *data, inside });
        }
        self.used = self.cells.len() as u32;
        self.kinds = kinds.into_iter().map(|(overlay, cells)| OverlayKind { overlay, cells }).collect();
    }
}
