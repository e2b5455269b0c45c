//! `pcx_decode`: a PCX picture to pixels.

use super::crc::crc32;
use super::source::{Source, capped, fault, overrun, unsupported};
use super::yr;
use assay_model::{Area, Attachment, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "pcx_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Pixels and palette of a PCX picture of one or three planes.",
    aliases: &["PCX", "ZSoft", "loading screen", "dialog background", "AltCameo PCX", "run length picture"],
    units: "palette indexes or red, green, blue out, sizes in pixels",
    example: "{\"bytes\":\"hex:0a050108000000000100010000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000003030000000000000000000000000000000000000000000000000\
        00000000000000000000000000000000000000000000000000000000000000000000000000a0b001415001e1f00282900323\
        3003c3d00\"}",
};

/// The port.
pub static PORT: FnPort<PcxDecodeInput, PcxDecode> = FnPort::new(&META, pcx_decode).attaching(attachments);

/// Bytes of the header.
const HEADER: u64 = 128;
/// Bytes of the palette at the end, its mark included.
const PALETTE: u64 = 769;
/// Longest side.
const MAX_SIDE: u32 = 16_384;

/// A PCX file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PcxDecodeInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB; its picture has sides of at most 16384 pixels, and lines of at most 64 MiB in all.
    pub bytes: Bytes,
}

/// What a picture shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PcxDecode {
    /// Version of the format; 5 as a rule.
    pub version: u8,
    /// Width in pixels (header.1).
    pub width: u32,
    /// Height in pixels (header.1).
    pub height: u32,
    /// 1 for palette indexes, 3 for red, green and blue (planes.1).
    pub planes: u8,
    /// Bytes of a line of one plane, which may be more than the width (planes.1).
    pub bytes_per_line: u16,
    /// Bytes that the last run has beyond the picture (run.1).
    pub clipped: u32,
    /// Bytes of codes after the picture.
    pub unread: u64,
    /// CRC-32 of the attachment `pixels`: a byte a pixel, or three in the order red, green, blue.
    pub crc32: u32,
    /// CRC-32 of the attachment `palette`, 768 bytes of whole colours; only with one plane (palette.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette_crc32: Option<u32>,
    /// The pixels.
    #[serde(skip)]
    pub pixels: Vec<u8>,
    /// The palette.
    #[serde(skip)]
    pub palette: Vec<u8>,
}

/// Decodes a picture.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic` (of the file or of its palette), `bad_count` (edges in the wrong
/// order), `size_mismatch` (lines shorter than the picture is wide), `unterminated` (a run without its byte). `EFBIG` beyond
/// the caps; `EOPNOTSUPP` for encodings, bits and planes that no picture of the games has, and at `game`.
pub fn pcx_decode(input: &PcxDecodeInput) -> Result<PcxDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let head = header(&source)?;
    let line = usize::from(head.bytes_per_line);
    let needed = usize::from(head.planes) * line * head.height as usize;
    let (end, palette) = match head.planes {
        1 => palette(&source)?,
        _ => (source.length(), Vec::new()),
    };
    let (lines, clipped, unread) = unpack(source.part(HEADER, end - HEADER)?, needed)?;
    let width = head.width as usize;
    let mut pixels = Vec::with_capacity(width * head.height as usize * usize::from(head.planes));
    for rows in lines.chunks(line * usize::from(head.planes)) {
        for x in 0..width {
            pixels.extend(rows.chunks(line).map(|plane| plane[x]));
        }
    }
    Ok(PcxDecode {
        clipped,
        unread,
        crc32: crc32(&pixels),
        palette_crc32: (head.planes == 1).then(|| crc32(&palette)),
        pixels,
        palette,
        ..head
    })
}

/// Reads the header; what comes after it is left empty.
fn header(source: &Source) -> Result<PcxDecode, PortError> {
    source.part(0, HEADER)?;
    if source.u8(0)? != 10 {
        return Err(fault("bad_magic", "the first byte is not 10"));
    }
    let (encoding, bits, planes) = (source.u8(2)?, source.u8(3)?, source.u8(65)?);
    if (encoding, bits) != (1, 8) || !matches!(planes, 1 | 3) {
        return Err(unsupported(format!("encoding {encoding}, {bits} bits, {planes} planes")));
    }
    let side = |from: u64| {
        let (first, last) = (source.u16(from)?, source.u16(from + 4)?);
        let wrong = || fault("bad_count", format!("edges {first} and {last}"));
        Ok(u32::from(last.checked_sub(first).ok_or_else(wrong)?) + 1)
    };
    let (width, height) = (side(4)?, side(6)?);
    let bytes_per_line = source.u16(66)?;
    if u32::from(bytes_per_line) < width {
        return Err(fault("size_mismatch", format!("{bytes_per_line} bytes a line, {width} pixels wide")));
    }
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(overrun(format!(
            "a picture of {width} by {height} pixels, sides have at most {MAX_SIDE}"
        )));
    }
    capped(u64::from(bytes_per_line) * u64::from(planes) * u64::from(height))?;
    Ok(PcxDecode {
        version: source.u8(1)?,
        width,
        height,
        planes,
        bytes_per_line,
        clipped: 0,
        unread: 0,
        crc32: 0,
        palette_crc32: None,
        pixels: Vec::new(),
        palette: Vec::new(),
    })
}

/// Where the codes end, and the colours after them.
fn palette(source: &Source) -> Result<(u64, Vec<u8>), PortError> {
    source.part(HEADER, PALETTE)?;
    let end = source.length() - PALETTE;
    if source.u8(end)? != 12 {
        return Err(fault("bad_magic", "no palette at the end"));
    }
    Ok((end, source.part(end + 1, PALETTE - 1)?.to_vec()))
}

/// The lines as they are, what the last run has too much, and the bytes left over.
fn unpack(codes: &[u8], needed: usize) -> Result<(Vec<u8>, u32, u64), PortError> {
    let mut lines = Vec::with_capacity(needed.min(codes.len()));
    let mut clipped = 0;
    let mut rest = codes.iter();
    while lines.len() < needed {
        let missing = || fault("truncated", "the codes end before the picture");
        let code = *rest.next().ok_or_else(missing)?;
        if code < 0xC0 {
            lines.push(code);
            continue;
        }
        let value = *rest.next().ok_or_else(|| fault("unterminated", "a run without its byte"))?;
        let wanted = lines.len() + usize::from(code & 0x3F);
        clipped = wanted.saturating_sub(needed) as u32;
        lines.resize(wanted.min(needed), value);
    }
    Ok((lines, clipped, rest.len() as u64))
}

fn attachments(picture: &PcxDecode) -> Vec<Attachment> {
    let parts = [("pixels", &picture.pixels), ("palette", &picture.palette)];
    let parts = parts.into_iter().filter(|(_, bytes)| !bytes.is_empty());
    parts.map(|(name, bytes)| super::artefact(name, bytes)).collect()
}
