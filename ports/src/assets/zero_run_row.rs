//! `zero_run_row`: one row of a SHP(TS) frame of kind 3, in which only runs of the clear pixel are packed.

use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "zero_run_row",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "One packed row of a SHP(TS) frame to pixels: runs of 0 are packed, everything else is plain.",
    aliases: &["RLE-Zero", "Format2", "SHP compression 3", "zero run", "run length", "transparent pixels"],
    units: "bytes in, palette indexes out, width in pixels",
    example: r#"{"bytes":"hex:09000205","width":4}"#,
};

/// The port.
pub static PORT: FnPort<ZeroRunRowInput, ZeroRunRow> =
    FnPort::new(&META, zero_run_row).attaching(|row| attachment("pixels", &row.pixels));

/// A packed row.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZeroRunRowInput {
    /// Game whose codec runs; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The codes of the row, without the length word before them; at most 64 MiB.
    pub bytes: Bytes,
    /// Pixels of the row, 0 to 65535.
    pub width: u16,
}

/// A row of pixels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ZeroRunRow {
    /// Palette indexes from left to right, as many as the row is wide (literal.1, run.1).
    pub pixels: Vec<u8>,
    /// Clear pixels that the last run has beyond the width (clip.1).
    pub clipped: u32,
    /// Bytes that were read.
    pub used: u32,
    /// Bytes after them, which nothing reads (width.1).
    pub unread: u32,
}

/// Unpacks a row.
///
/// # Errors
/// `EINVAL` at `bytes`: `short_row` when the codes end before the width is reached, `unterminated` for a run without its
/// length; `EFBIG` beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn zero_run_row(input: &ZeroRunRowInput) -> Result<ZeroRunRow, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    unpack(source.part(0, source.length())?, usize::from(input.width))
}

/// The codec itself.
pub(crate) fn unpack(codes: &[u8], width: usize) -> Result<ZeroRunRow, PortError> {
    let mut row = ZeroRunRow::default();
    let mut rest = codes.iter();
    while row.pixels.len() < width {
        let pixel = *rest.next().ok_or_else(|| {
            fault("short_row", format!("{} of {width} pixels before the codes end", row.pixels.len()))
        })?;
        if pixel != 0 {
            row.pixels.push(pixel);
            continue;
        }
        let run = *rest.next().ok_or_else(|| fault("unterminated", "a run of 0 without its length"))?;
        let wanted = row.pixels.len() + usize::from(run);
        row.clipped = wanted.saturating_sub(width) as u32;
        row.pixels.resize(wanted.min(width), 0);
    }
    row.unread = rest.len() as u32;
    row.used = (codes.len() - rest.len()) as u32;
    Ok(row)
}
