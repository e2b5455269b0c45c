//! `fnt_decode`: the glyphs of a bitmap font, of three kinds.

use super::crc::crc32;
use super::source::{Source, attachment, capped, fault, unsupported};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "fnt_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Glyphs of a bitmap font: 4 bits a pixel (TD), 8 bits (TS), or Unicode slots of 1 bit (RA2, YR).",
    aliases: &["FNT", "font", "glyph", "game.fnt", "fonT", "bitmap font", "character width", "6point.fnt"],
    units: "sizes in pixels",
    example: r#"{"bytes":"hex:1b0002000e00140016001900170000000000020200000200010105"}"#,
};

/// The port.
pub static PORT: FnPort<FntDecodeInput, FntDecode> =
    FnPort::new(&META, fnt_decode).attaching(|font| attachment("glyphs", &font.data));

/// Bytes of the header of a font of TD or TS, and of one with Unicode slots.
const HEADER: u64 = 20;
const UNICODE: u64 = 28;
/// Bytes of the map from characters to slots.
const MAP: u64 = 2 * 65_536;
/// Most rows of a slot. A glyph is as wide as a byte says, so that one stays small.
const MAX_ROWS: u32 = 4096;

/// A font.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FntDecodeInput {
    /// Game that shows it; the file itself says of which kind it is. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB; its glyphs have at most 64 MiB of pixels, its slots at most 4096 rows.
    pub bytes: Bytes,
    /// A character whose glyph is shown: its number in the font, or its code of 16 bits. Default: none.
    #[serde(default)]
    pub code: Option<u16>,
}

/// The three kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FontKind {
    /// TD: 4 bits a pixel.
    Td4,
    /// TS: 8 bits a pixel.
    Ts8,
    /// RA2 and YR: slots of 1 bit a pixel, found by a map of 65536 characters.
    Unicode,
}

/// What a font holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FntDecode {
    /// Of which kind it is (header.1, unicode.1).
    pub kind: FontKind,
    /// Number of glyphs or slots (tables.1, unicode.1).
    pub glyphs: u32,
    /// Width of the widest glyph as the header says; of a slot, eight times its bytes a row.
    pub cell_width: u32,
    /// Height of a line as the header says.
    pub cell_height: u32,
    /// Glyphs that reach below the cell (tables.1); slots with more rows than the cell count all.
    pub too_tall: u32,
    /// Characters that have a slot (map.1); all glyphs of the other kinds.
    pub mapped: u32,
    /// Bytes of a slot as the header says; 0 for the other kinds.
    pub slot_bytes: u32,
    /// Whether that is one byte and the rows (slot.1); true for the other kinds.
    pub slot_fits: bool,
    /// Bytes behind the font.
    pub trailing: u64,
    /// CRC-32 of the attachment `glyphs`: for each glyph its width, the rows above it, its rows and a byte a pixel; or the slots
    /// as they are.
    pub crc32: u32,
    /// The glyph that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub glyph: Option<Glyph>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// One glyph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Glyph {
    /// Its number, or the number of its slot from 0.
    pub number: u32,
    /// Its width in pixels.
    pub width: u8,
    /// Empty rows above it.
    pub top: u8,
    /// Its rows from the top, a colour a pixel; 0 is clear.
    pub rows: Vec<Vec<u8>>,
}

/// Decodes a font.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (tables, glyphs, map or slots that are cut), `size_mismatch` (another length than the
/// header says, or slots shorter than their rows), `bad_count` (tables in the wrong order, slots of more than 4096 rows), `offset_out_of_range` (a table or glyph
/// behind the end, a character of a slot that is not there); at `code` for a character without glyph. `EFBIG` beyond 64 MiB;
/// `EOPNOTSUPP` for other kinds, and at `game`.
pub fn fnt_decode(input: &FntDecodeInput) -> Result<FntDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    if source.part(0, 4)? == b"fonT" {
        return unicode(&source, input.code);
    }
    let kind = match source.u8(2)? {
        0 => FontKind::Td4,
        2 => FontKind::Ts8,
        other => return Err(unsupported(format!("a font of kind {other}"))),
    };
    Classic::read(&source, kind)?.decode(input.code)
}

fn no_glyph(code: u16) -> PortError {
    PortError::invalid("code", format!("no glyph for character {code}"))
}

/// A font of TD or TS.
struct Classic<'a> {
    source: &'a Source,
    kind: FontKind,
    count: u64,
    offsets: u64,
    widths: u64,
    glyphs: u64,
    heights: u64,
}

impl<'a> Classic<'a> {
    fn read(source: &'a Source, kind: FontKind) -> Result<Self, PortError> {
        source.part(0, HEADER)?;
        let length = u64::from(source.u16(0)?);
        if length != source.length() {
            let message = format!("the header says {length} bytes, the file has {}", source.length());
            return Err(fault("size_mismatch", message));
        }
        let place = |at| source.u16(at).map(u64::from);
        let (offsets, widths) = (place(6)?, place(8)?);
        let Some(bytes) = widths.checked_sub(offsets).filter(|bytes| bytes % 2 == 0) else {
            return Err(fault("bad_count", format!("offsets from {offsets}, widths from {widths}")));
        };
        let (count, heights) = (bytes / 2, place(12)?);
        // Without glyphs it does not matter where their tables would be.
        for (table, length) in [(offsets, bytes), (widths, count), (heights, bytes)] {
            if count > 0 {
                source.stated(table, length)?;
            }
        }
        Ok(Self { source, kind, count, offsets, widths, glyphs: place(10)?, heights })
    }

    /// Width of a glyph, the rows above it, and its own.
    fn sizes(&self, number: u64) -> Result<[u8; 3], PortError> {
        let heights = self.heights + 2 * number;
        Ok([self.source.u8(self.widths + number)?, self.source.u8(heights)?, self.source.u8(heights + 1)?])
    }

    fn decode(&self, code: Option<u16>) -> Result<FntDecode, PortError> {
        // Glyphs may share their data, so what comes out is counted before any of it is made.
        let mut total = 0;
        for number in 0..self.count {
            let [width, _, rows] = self.sizes(number)?;
            total += 3 + u64::from(width) * u64::from(rows);
        }
        capped(total)?;
        let (mut data, mut too_tall, mut glyph) = (Vec::with_capacity(total as usize), 0, None);
        let cell_height = self.source.u8(18)?;
        for number in 0..self.count {
            let [width, top, rows] = self.sizes(number)?;
            too_tall += u32::from(u16::from(top) + u16::from(rows) > u16::from(cell_height));
            data.extend([width, top, rows]);
            let start = data.len();
            self.pixels(number, width, rows, &mut data)?;
            if code.map(u64::from) == Some(number) {
                let lines = data[start..].chunks(usize::from(width.max(1))).map(<[u8]>::to_vec);
                glyph = Some(Glyph { number: number as u32, width, top, rows: lines.collect() });
            }
        }
        if let (Some(code), None) = (code, &glyph) {
            return Err(no_glyph(code));
        }
        Ok(FntDecode {
            kind: self.kind,
            glyphs: self.count as u32,
            cell_width: u32::from(self.source.u8(19)?),
            cell_height: u32::from(cell_height),
            too_tall,
            mapped: self.count as u32,
            slot_bytes: 0,
            slot_fits: true,
            trailing: 0,
            crc32: crc32(&data),
            glyph,
            data,
        })
    }

    /// Puts the pixels of a glyph behind `data`.
    fn pixels(&self, number: u64, width: u8, rows: u8, data: &mut Vec<u8>) -> Result<(), PortError> {
        let offset = u64::from(self.source.u16(self.offsets + 2 * number)?);
        let (start, pitch) = match self.kind {
            FontKind::Td4 => (offset, u64::from(width).div_ceil(2)),
            // Counted from the glyphs, not from the file: a known mistake of readers.
            _ => (self.glyphs + offset, u64::from(width)),
        };
        if rows == 0 {
            return Ok(());
        }
        let glyph = self.source.stated(start, pitch * u64::from(rows))?;
        if self.kind == FontKind::Td4 {
            for line in glyph.chunks(pitch.max(1) as usize) {
                let halves = line.iter().flat_map(|byte| [byte & 15, byte >> 4]);
                data.extend(halves.take(usize::from(width)));
            }
        } else {
            data.extend_from_slice(glyph);
        }
        Ok(())
    }
}

/// Reads a font with Unicode slots.
fn unicode(source: &Source, code: Option<u16>) -> Result<FntDecode, PortError> {
    source.part(0, UNICODE)?;
    let word = |number: u64| source.u32(4 + 4 * number);
    let (row_bytes, rows, cell_height) = (word(1)?, word(2)?, word(3)?);
    let (slots, slot_bytes) = (word(4)?, word(5)?);
    if rows > MAX_ROWS {
        return Err(fault("bad_count", format!("slots of {rows} rows, at most {MAX_ROWS} are read")));
    }
    let map = source.part(UNICODE, MAP)?;
    // Two factors below 2^32 fit 64 bits, and part() adds with a check.
    let size = u64::from(slots) * u64::from(slot_bytes);
    let data = source.part(UNICODE + MAP, size)?;
    let needed = 1 + u64::from(row_bytes) * u64::from(rows);
    if u64::from(slot_bytes) < needed {
        return Err(fault("size_mismatch", format!("slots of {slot_bytes} bytes, {needed} are needed")));
    }
    let entries = || map.chunks_exact(2).map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]])));
    if let Some(entry) = entries().find(|entry| *entry > slots) {
        return Err(fault("offset_out_of_range", format!("slot {entry} of {slots}")));
    }
    let mut glyph = None;
    if let Some(code) = code {
        let entry = entries().nth(usize::from(code)).unwrap_or(0);
        let number = entry.checked_sub(1).ok_or_else(|| no_glyph(code))?;
        let slot = source.part(UNICODE + MAP + u64::from(number) * u64::from(slot_bytes), needed)?;
        glyph = Some(slot_glyph(number, slot, row_bytes as usize, rows));
    }
    Ok(FntDecode {
        kind: FontKind::Unicode,
        glyphs: slots,
        cell_width: row_bytes.saturating_mul(8),
        cell_height,
        too_tall: if rows > cell_height { slots } else { 0 },
        mapped: entries().filter(|entry| *entry > 0).count() as u32,
        slot_bytes,
        slot_fits: u64::from(slot_bytes) == needed,
        trailing: source.length() - UNICODE - MAP - size,
        crc32: crc32(data),
        glyph,
        data: data.to_vec(),
    })
}

/// A slot: its width, then rows of bits, the highest one on the left (slot.1).
fn slot_glyph(number: u32, slot: &[u8], row_bytes: usize, rows: u32) -> Glyph {
    let width = slot[0];
    let shown = usize::from(width).min(8 * row_bytes);
    let bit = |line: &[u8], at: usize| line[at / 8] >> (7 - at % 8) & 1;
    let line = |line: &[u8]| (0..shown).map(|at| bit(line, at)).collect();
    let lines = slot[1..].chunks(row_bytes.max(1)).take(rows as usize).map(line);
    Glyph { number, width, top: 0, rows: lines.collect() }
}
