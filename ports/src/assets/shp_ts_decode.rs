//! `shp_ts_decode`: the pixels of a SHP(TS) file.

use super::crc::crc32;
use super::shp_ts_list::{ShpTsFrame, ShpTsList, list, rows};
use super::source::{Source, attachment, fault};
use super::yr;
use super::zero_run_row::unpack;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "shp_ts_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Pixels of every frame of a SHP(TS) sprite file, with checksums and what its rows have too much.",
    aliases: &["SHP", "sprite", "cameo", "unpack SHP", "shape file pixels", "infantry art", "building art"],
    units: "palette indexes out, sizes in pixels",
    example: r#"{"bytes":"hex:000002000200010000000000020002000000000000000000000000002000000001020304"}"#,
};

/// The port.
pub static PORT: FnPort<ShpTsDecodeInput, ShpTsDecode> =
    FnPort::new(&META, shp_ts_decode).attaching(|shp| attachment("frames", &shp.data));

/// How the rows of a frame of kind 2 are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind2 {
    /// Plain, as the community's tools read them.
    #[default]
    Raw,
    /// Packed as in kind 3, as the flag that the engine tests has it.
    ZeroRun,
}

/// A SHP(TS) file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShpTsDecodeInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB; its frames have at most 67108864 pixels in all, and as many bytes of data, those that frames
    /// share counted for each.
    pub bytes: Bytes,
    /// Reading of kind 2, on which sources differ. Default raw.
    #[serde(default)]
    pub kind2: Kind2,
}

/// What a SHP(TS) file shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShpTsDecode {
    /// Headers of the file and of its frames.
    pub layout: ShpTsList,
    /// The frames in order.
    pub frames: Vec<ShpTsPixels>,
    /// CRC-32 of the attachment `frames`: of each frame its width and height as 16-bit words, then its pixels.
    pub crc32: u32,
    /// That attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// The pixels of one frame, from the left and from the top.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ShpTsPixels {
    /// Number of pixels.
    pub pixels: u32,
    /// Pixels of index 0, which are clear.
    pub clear: u32,
    /// Clear pixels that runs have beyond their rows.
    pub clipped: u32,
    /// Bytes of rows that nothing reads.
    pub unread: u32,
    /// CRC-32 of the pixels.
    pub crc32: u32,
}

/// Decodes all frames.
///
/// # Errors
/// As `shp_ts_list`; further `EINVAL` at `bytes`: `short_row` and `unterminated` in packed rows, `size_mismatch` for a plain
/// row that is not as long as the frame is wide.
pub fn shp_ts_decode(input: &ShpTsDecodeInput) -> Result<ShpTsDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let layout = list(&source)?;
    let (mut frames, mut data) = (Vec::with_capacity(layout.frames.len()), Vec::new());
    for frame in &layout.frames {
        data.extend_from_slice(&frame.w.to_le_bytes());
        data.extend_from_slice(&frame.h.to_le_bytes());
        let start = data.len();
        let mut decoded = ShpTsPixels::default();
        if !frame.empty {
            pixels(&source, frame, input.kind2, &mut decoded, &mut data)?;
        }
        let shown = &data[start..];
        decoded.pixels = shown.len() as u32;
        decoded.clear = shown.iter().filter(|pixel| **pixel == 0).count() as u32;
        decoded.crc32 = crc32(shown);
        frames.push(decoded);
    }
    Ok(ShpTsDecode { layout, frames, crc32: crc32(&data), data })
}

fn pixels(
    source: &Source,
    frame: &ShpTsFrame,
    kind2: Kind2,
    decoded: &mut ShpTsPixels,
    data: &mut Vec<u8>,
) -> Result<(), PortError> {
    let width = usize::from(frame.w.unsigned_abs());
    if frame.kind < 2 {
        data.extend_from_slice(source.part(u64::from(frame.offset), frame.pixels())?);
        return Ok(());
    }
    let packed = frame.kind == 3 || kind2 == Kind2::ZeroRun;
    rows(source, frame, |row| {
        if packed {
            let row = unpack(row, width)?;
            decoded.clipped += row.clipped;
            decoded.unread += row.unread;
            data.extend_from_slice(&row.pixels);
        } else if row.len() == width {
            data.extend_from_slice(row);
        } else {
            let message = format!("a plain row of {} bytes in a frame {width} wide", row.len());
            return Err(fault("size_mismatch", message));
        }
        Ok(())
    })?;
    Ok(())
}
