//! `shp_td_decode`: the pixels of a SHP(TD) file.

use super::crc::crc32;
use super::source::{Source, attachment, capped, fault, unsupported};
use super::{format40, lcw};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::mem;

/// Metadata.
pub static META: Meta = Meta {
    name: "shp_td_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ra1],
    summary: "Pixels of a SHP(TD) sprite: key frames in LCW, the others as XOR deltas.",
    aliases: &[
        "SHP(TD)",
        "key frame",
        "XOR delta",
        "Format80",
        "Format40",
        "Format20",
        "old sprite",
        "mouse.shp",
    ],
    units: "sizes in pixels, a palette index a pixel",
    example: r#"{"bytes":"hex:030000000000020002000000000036000080000000003c0000403600008042000020010000484800000000000000000000000000000084010203048001ff83800000830110800000"}"#,
};

/// The port.
pub static PORT: FnPort<ShpTdDecodeInput, ShpTdDecode> =
    FnPort::new(&META, shp_td_decode).attaching(|shp| attachment("pixels", &shp.data));

/// Bytes of the header, of an entry of the table, and of a palette in front of data.
const HEADER: u64 = 14;
const ENTRY: u64 = 8;
const PALETTE: u64 = 768;

/// A sprite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShpTdDecodeInput {
    /// Game that draws it; the two are alike. Default RA1.
    #[serde(default = "ra1")]
    pub game: Game,
    /// The file, at most 64 MiB; its frames have at most 64 MiB of pixels together.
    pub bytes: Bytes,
    /// Whether flag 1 of the header means what it means to the games: 768 bytes of a palette in front of the data that every
    /// offset points to. Default false, as in all tools but one: files of one popular writer have the flag by accident.
    #[serde(default)]
    pub palette_flag: bool,
}

fn ra1() -> Game {
    Game::Ra1
}

/// What a sprite shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShpTdDecode {
    /// Width of every frame in pixels (header.1).
    pub width: u16,
    /// Height of every frame in pixels (header.1).
    pub height: u16,
    /// Number of frames (header.1).
    pub count: u16,
    /// Two words that say nothing: where the frames would be drawn (header.1).
    pub place: [u16; 2],
    /// Largest frame in bytes, as the header says; not to be trusted (header.1).
    pub largest: u16,
    /// Flags, as the header says; not to be trusted (palette.1).
    pub flags: u16,
    /// End of the data, as the table says (table.1).
    pub end: u32,
    /// Whether that is the end of the file.
    pub end_matches: bool,
    /// CRC-32 of the attachment `pixels`: all frames, a byte a pixel, row by row.
    pub crc32: u32,
    /// The frames in order.
    pub frames: Vec<ShpTdFrame>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShpTdFrame {
    /// Where its data begin in the file (table.1).
    pub offset: u32,
    /// 128 key frame, 64 delta to a key frame, 32 delta to the frame before (table.1).
    pub format: u8,
    /// Offset or number of another frame (table.1).
    pub reference: u32,
    /// 0, 128 or 72 as a rule; not looked at.
    pub reference_format: u8,
    /// The frame that it is a delta to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub base: Option<u16>,
    /// Bytes of its data, the end mark included.
    pub consumed: u32,
    /// CRC-32 of its pixels.
    pub crc32: u32,
}

/// Decodes all frames.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (header, table or data that are cut, or data of more than 8 bytes a pixel),
/// `offset_out_of_range` (data outside the file, a delta to what is no earlier key frame), `lookbehind` (a delta to the frame
/// before the first, a copy from where nothing is), `output_overrun` and `size_mismatch` (another number of pixels than a frame
/// has). `EFBIG` beyond 64 MiB; `EOPNOTSUPP` for other formats, and at `game`.
pub fn shp_td_decode(input: &ShpTdDecodeInput) -> Result<ShpTdDecode, PortError> {
    META.offers(input.game)?;
    let mut shp = pixels(input)?;
    let size = usize::from(shp.width) * usize::from(shp.height);
    for (number, frame) in shp.frames.iter_mut().enumerate() {
        frame.crc32 = crc32(&shp.data[number * size..(number + 1) * size]);
    }
    shp.crc32 = crc32(&shp.data);
    Ok(shp)
}

/// The same for those who want the pixels alone: without checksums, which stay 0.
///
/// # Errors
/// As [`shp_td_decode`].
pub fn pixels(input: &ShpTdDecodeInput) -> Result<ShpTdDecode, PortError> {
    let source = &Source::read(&input.bytes)?;
    source.part(0, HEADER)?;
    let word = |number: u64| source.u16(2 * number);
    let (count, width, height, flags) = (word(0)?, word(3)?, word(4)?, word(6)?);
    let size = u64::from(width) * u64::from(height);
    let end = HEADER + ENTRY * u64::from(count);
    source.part(HEADER, ENTRY * (u64::from(count) + 2))?;
    capped(size.saturating_mul(u64::from(count)))?;
    let ahead = if input.palette_flag && flags & 1 != 0 { PALETTE } else { 0 };
    let mut pixels = Pixels {
        source,
        ahead,
        size: size as usize,
        frames: Vec::new(),
        keys: BTreeMap::new(),
        data: Vec::new(),
    };
    for number in 0..u64::from(count) {
        pixels.frame(HEADER + ENTRY * number)?;
    }
    let end = source.u32(end)? & 0x00FF_FFFF;
    Ok(ShpTdDecode {
        width,
        height,
        count,
        place: [word(1)?, word(2)?],
        largest: word(5)?,
        flags,
        end,
        end_matches: u64::from(end) == source.length(),
        crc32: 0,
        frames: pixels.frames,
        data: pixels.data,
    })
}

/// The frames decoded so far.
struct Pixels<'a> {
    source: &'a Source,
    ahead: u64,
    size: usize,
    frames: Vec<ShpTdFrame>,
    /// The last key frame whose data begin at an offset.
    keys: BTreeMap<u32, usize>,
    data: Vec<u8>,
}

impl<'a> Pixels<'a> {
    /// Decodes the next frame, whose entry is at `at`.
    fn frame(&mut self, at: u64) -> Result<(), PortError> {
        let (first, second) = (self.source.u32(at)?, self.source.u32(at + 4)?);
        let (offset, format) = (first & 0x00FF_FFFF, (first >> 24) as u8);
        let (reference, reference_format) = (second & 0x00FF_FFFF, (second >> 24) as u8);
        let base = match format {
            0x80 => None,
            0x40 => Some(self.key_frame(reference)?),
            0x20 => Some(
                self.frames
                    .len()
                    .checked_sub(1)
                    .ok_or_else(|| fault("lookbehind", "the first frame is a delta to the one before it"))?,
            ),
            _ => return Err(unsupported(format!("frame {} has format {format}", self.frames.len()))),
        };
        let consumed = match base {
            None => self.key(offset)?,
            Some(base) => self.delta(offset, base)?,
        };
        if base.is_none() {
            self.keys.insert(offset, self.frames.len());
        }
        let base = base.map(|base| base as u16);
        let consumed = consumed as u32;
        self.frames.push(ShpTdFrame {
            offset,
            format,
            reference,
            reference_format,
            base,
            consumed,
            crc32: 0,
        });
        Ok(())
    }

    /// The key frame before this one whose data begin at `offset`.
    fn key_frame(&self, offset: u32) -> Result<usize, PortError> {
        self.keys.get(&offset).copied().ok_or_else(|| {
            fault("offset_out_of_range", format!("no key frame before this one begins at {offset}"))
        })
    }

    /// The data at `offset`. No useful stream has more than six bytes a pixel, and one of idle commands would cost time.
    fn stream(&self, offset: u32) -> Result<&'a [u8], PortError> {
        let start = u64::from(offset) + self.ahead;
        let Some(there) = self.source.length().checked_sub(start) else {
            return Err(fault("offset_out_of_range", format!("data at {start} of {}", self.source.length())));
        };
        self.source.part(start, there.min(8 * self.size as u64 + 64))
    }

    fn key(&mut self, offset: u32) -> Result<usize, PortError> {
        let before = mem::take(&mut self.data);
        let start = before.len();
        let decoded = lcw::decompress_onto(before, self.stream(offset)?, false, self.size);
        let decoded = decoded.map_err(|fault| fault.refusal("bytes"))?;
        let written = decoded.output.len() - start;
        if written != self.size {
            return Err(fault("size_mismatch", format!("{written} pixels of {}", self.size)));
        }
        self.data = decoded.output;
        Ok(decoded.consumed)
    }

    fn delta(&mut self, offset: u32, base: usize) -> Result<usize, PortError> {
        let (start, stream) = (self.data.len(), self.stream(offset)?);
        self.data.extend_from_within(base * self.size..(base + 1) * self.size);
        let (_, frame) = self.data.split_at_mut(start);
        let applied = format40::apply(frame, stream);
        Ok(applied.map_err(|fault| fault.refusal("bytes"))?.consumed)
    }
}
