//! `tmp_ts_decode`: a terrain template to its cells.

use super::crc::crc32;
use super::source::{Source, attachment, capped, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "tmp_ts_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Cells of an isometric terrain template: heights, ramps, diamonds, depths and extra pictures.",
    aliases: &[
        "TMP",
        "TEM",
        "SNO",
        "URB",
        "tile",
        "isometric terrain",
        "tileset",
        "ramp",
        "cliff",
        "radar colour",
    ],
    units: "pixels, heights in levels, bytes from the start of the file",
    example: r#"{"bytes":"hex:010000000100000008000000040000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<TmpTsDecodeInput, TmpTsDecode> =
    FnPort::new(&META, tmp_ts_decode).attaching(|tmp| attachment("cells", &tmp.data));

/// Bytes of the header of the file and of a cell.
const HEADER: u64 = 16;
const CELL: u64 = 52;
/// Most places of a grid, and longest side of a diamond or an extra picture.
const MAX_PLACES: u64 = 4096;
const MAX_SIDE: u32 = 4096;
/// Flags of a cell; the others are rubbish.
const EXTRA: u32 = 1;
const DEPTH: u32 = 2;
const FLAGS: u32 = 7;

/// A terrain template.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TmpTsDecodeInput {
    /// Game that reads it; the three differ in the size of a cell alone. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB, with at most 4096 places and as much output.
    pub bytes: Bytes,
}

/// What a template holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TmpTsDecode {
    /// Places from left to right (header.1).
    pub width: u32,
    /// Places from top to bottom (header.1).
    pub height: u32,
    /// Width of a diamond in pixels (header.1).
    pub cell_width: u32,
    /// Height of a diamond in pixels (header.1).
    pub cell_height: u32,
    /// Whether the diamonds have the size of a game's: 48 by 24 or 60 by 30.
    pub known_size: bool,
    /// Places with a cell (index.1).
    pub present: u32,
    /// Sections that begin inside the index or inside an earlier section; a cell that places share counts every time after the
    /// first (sections.2).
    pub overlapping: u32,
    /// Bytes behind the last section (sections.2).
    pub trailing: u64,
    /// CRC-32 of the attachment `cells`: 0 for an empty place, else 1 and the cell's four pictures as far as it has them.
    pub crc32: u32,
    /// The cells in order of their places.
    pub cells: Vec<TmpTsCell>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TmpTsCell {
    /// Its place, row by row from 0 (index.1).
    pub place: u32,
    /// Where it begins in the file (index.1).
    pub offset: u32,
    /// Left edge in pixels (cell.1).
    pub x: i32,
    /// Top edge in pixels (cell.1).
    pub y: i32,
    /// Whether that is where its place puts it (cell.1).
    pub at_place: bool,
    /// Whether its sections lie one after the other: diamond, depths, extra picture, its depths (sections.2).
    pub in_sequence: bool,
    /// Flags: 1 extra picture, 2 depths, 4 damaged art in another file (flags.1).
    pub flags: u32,
    /// Level of the ground (cell.1).
    pub level: u8,
    /// Land type (cell.1).
    pub land: u8,
    /// Ramp (cell.1).
    pub ramp: u8,
    /// Red, green and blue of the left half on the radar (cell.1).
    pub radar_left: [u8; 3],
    /// Red, green and blue of the right half on the radar (cell.1).
    pub radar_right: [u8; 3],
    /// CRC-32 of the diamond's pixels (diamond.1).
    pub diamond: u32,
    /// CRC-32 of the diamond's depths (sections.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The picture that goes beyond the diamond (sections.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<TmpTsExtra>,
}

/// A picture beyond the diamond.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TmpTsExtra {
    /// Left edge, measured as the cell's.
    pub x: i32,
    /// Top edge, measured as the cell's.
    pub y: i32,
    /// Width in pixels.
    pub w: u32,
    /// Height in pixels.
    pub h: u32,
    /// CRC-32 of its pixels, of which 0 is clear.
    pub pixels: u32,
    /// CRC-32 of its depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// Decodes a template.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_count` (an empty grid, too many places, sides of none or beyond 4096),
/// `size_mismatch` (diamonds that are not twice as wide as high, or of an odd height), `offset_out_of_range` (a cell or section
/// behind the end, or a section without a place). `EFBIG` beyond 64 MiB in or out; `EOPNOTSUPP` at `game` for a game without
/// evidence.
pub fn tmp_ts_decode(input: &TmpTsDecodeInput) -> Result<TmpTsDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let mut tmp = header(&source)?;
    // Places may share a cell, so what comes out is counted before any of it is made.
    let places = u64::from(tmp.width) * u64::from(tmp.height);
    let area = u64::from(tmp.cell_width) * u64::from(tmp.cell_height) / 2;
    let (mut found, mut total) = (Vec::new(), places);
    for place in 0..places {
        let offset = source.u32(HEADER + 4 * place)?;
        let cell = if offset == 0 { None } else { Some(Cell::new(&source, offset, area)?) };
        total += cell.as_ref().map_or(0, Cell::length);
        found.push(cell);
    }
    capped(total)?;
    let mut taken = Taken::default();
    for (place, cell) in found.iter().enumerate() {
        taken.data.push(u8::from(cell.is_some()));
        if let Some(cell) = cell {
            let cell = cell.read(&tmp, place as u32, &mut taken)?;
            tmp.cells.push(cell);
        }
    }
    let (overlapping, end) = taken.spans(HEADER + 4 * places);
    Ok(TmpTsDecode {
        present: tmp.cells.len() as u32,
        overlapping,
        trailing: source.length() - end,
        crc32: crc32(&taken.data),
        data: taken.data,
        ..tmp
    })
}

/// Reads what stands in front of the index, all of which must be there; what comes after it is left empty.
fn header(source: &Source) -> Result<TmpTsDecode, PortError> {
    let (width, height, cell_width, cell_height) =
        (source.u32(0)?, source.u32(4)?, source.u32(8)?, source.u32(12)?);
    let places = u64::from(width) * u64::from(height);
    if places == 0 || places > MAX_PLACES {
        return Err(fault("bad_count", format!("a grid of {width} by {height}")));
    }
    if !(1..=MAX_SIDE).contains(&cell_height) {
        return Err(fault(
            "bad_count",
            format!("diamonds {cell_height} pixels high, 1 to {MAX_SIDE} are read"),
        ));
    }
    if cell_height % 2 != 0 || cell_width != 2 * cell_height {
        return Err(fault("size_mismatch", format!("diamonds of {cell_width} by {cell_height}")));
    }
    source.part(HEADER, 4 * places)?;
    Ok(TmpTsDecode {
        width,
        height,
        cell_width,
        cell_height,
        known_size: matches!((cell_width, cell_height), (48, 24) | (60, 30)),
        present: 0,
        overlapping: 0,
        trailing: 0,
        crc32: 0,
        cells: Vec::new(),
        data: Vec::new(),
    })
}

/// What was taken out of the file so far.
#[derive(Default)]
struct Taken {
    data: Vec<u8>,
    /// Where each section began, and its bytes; the diamond is one with the header of its cell.
    spans: Vec<(u64, u64)>,
}

impl Taken {
    /// How many sections begin before the end of the index or of an earlier one, and where the last of all ends.
    fn spans(&mut self, index: u64) -> (u32, u64) {
        self.spans.retain(|(_, length)| *length > 0);
        self.spans.sort_unstable();
        let (mut overlapping, mut reached) = (0, index);
        for (start, length) in &self.spans {
            overlapping += u32::from(*start < reached);
            reached = reached.max(start + length);
        }
        (overlapping, reached)
    }
}

/// A cell before its pictures are taken.
struct Cell<'a> {
    source: &'a Source,
    start: u64,
    /// Bytes of a diamond.
    area: u64,
    flags: u32,
    /// Sides of the extra picture, and whether it has depths.
    extra: Option<(u32, u32, bool)>,
}

impl<'a> Cell<'a> {
    fn new(source: &'a Source, offset: u32, area: u64) -> Result<Self, PortError> {
        let start = u64::from(offset);
        source.stated(start, CELL)?;
        let flags = source.u32(start + 36)? & FLAGS;
        let mut extra = None;
        if flags & EXTRA != 0 {
            let (w, h) = (source.u32(start + 28)?, source.u32(start + 32)?);
            if w > MAX_SIDE || h > MAX_SIDE {
                return Err(fault("bad_count", format!("an extra picture of {w} by {h}")));
            }
            extra = Some((w, h, flags & DEPTH != 0 && source.u32(start + 16)? != 0));
        }
        Ok(Self { source, start, area, flags, extra })
    }

    /// Bytes of all its pictures.
    fn length(&self) -> u64 {
        let diamonds = if self.flags & DEPTH != 0 { 2 } else { 1 };
        let extra = self.extra.map_or(0, |(w, h, deep)| u64::from(w) * u64::from(h) * (1 + u64::from(deep)));
        self.area * diamonds + extra
    }

    fn read(&self, tmp: &TmpTsDecode, place: u32, taken: &mut Taken) -> Result<TmpTsCell, PortError> {
        let (source, at) = (self.source, self.start);
        let diamond = self.diamond(taken)?;
        let depth = if self.flags & DEPTH != 0 { Some(self.stored(12, self.area, taken)?) } else { None };
        let extra = self.extra.map(|extra| self.extra(extra, taken)).transpose()?;
        let (x, y) = (source.i32(at)?, source.i32(at + 4)?);
        let (column, row) = (i64::from(place % tmp.width), i64::from(place / tmp.width));
        let due_x = (column - row) * i64::from(tmp.cell_width / 2);
        let due_y = (column + row) * i64::from(tmp.cell_height / 2);
        Ok(TmpTsCell {
            place,
            offset: at as u32,
            x,
            y,
            at_place: (i64::from(x), i64::from(y)) == (due_x, due_y),
            in_sequence: self.in_sequence()?,
            flags: self.flags,
            level: source.u8(at + 40)?,
            land: source.u8(at + 41)?,
            ramp: source.u8(at + 42)?,
            radar_left: source.triple(at + 43)?,
            radar_right: source.triple(at + 46)?,
            diamond,
            depth,
            extra,
        })
    }

    /// Whether every section that the cell has begins where the one before it ends.
    fn in_sequence(&self) -> Result<bool, PortError> {
        let (mut due, mut kept) = (CELL + self.area, true);
        let (w, h, deep) = self.extra.unwrap_or_default();
        let picture = u64::from(w) * u64::from(h);
        let sections = [
            (12, self.area, self.flags & DEPTH != 0),
            (8, picture, self.extra.is_some()),
            (16, picture, deep),
        ];
        for (field, length, _) in sections.into_iter().filter(|(_, _, there)| *there) {
            kept &= u64::from(self.source.u32(self.start + field)?) == due;
            due += length;
        }
        Ok(kept)
    }

    fn extra(&self, (w, h, deep): (u32, u32, bool), taken: &mut Taken) -> Result<TmpTsExtra, PortError> {
        let (source, at) = (self.source, self.start);
        let area = u64::from(w) * u64::from(h);
        let pixels = self.stored(8, area, taken)?;
        let depth = if deep { Some(self.stored(16, area, taken)?) } else { None };
        Ok(TmpTsExtra { x: source.i32(at + 20)?, y: source.i32(at + 24)?, w, h, pixels, depth })
    }

    /// The diamond, which follows the header.
    fn diamond(&self, taken: &mut Taken) -> Result<u32, PortError> {
        let diamond = self.source.part(self.start + CELL, self.area)?;
        taken.data.extend_from_slice(diamond);
        taken.spans.push((self.start, CELL + self.area));
        Ok(crc32(diamond))
    }

    /// The section whose place stands at `field` of the cell's header.
    fn stored(&self, field: u64, length: u64, taken: &mut Taken) -> Result<u32, PortError> {
        let offset = u64::from(self.source.u32(self.start + field)?);
        if offset == 0 {
            return Err(fault("offset_out_of_range", format!("a section of {length} bytes has no place")));
        }
        let section = self.source.stated(self.start + offset, length)?;
        taken.data.extend_from_slice(section);
        taken.spans.push((self.start + offset, length));
        Ok(crc32(section))
    }
}
