//! `shp_ts_list`: the frames of a SHP(TS) file, without their pixels.

use super::source::{MAX_BYTES, Source, capped, fault, unsupported, within};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "shp_ts_list",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Canvas and frame headers of a SHP(TS) sprite file, and where the data of each frame lies.",
    aliases: &[
        "SHP",
        "sprite header",
        "ShapeSet",
        "frame count",
        "radar colour",
        "shape file",
        "frame offset",
    ],
    units: "pixels, bytes from the start of the file",
    example: r#"{"bytes":"hex:000002000200010000000000020002000000000000000000000000002000000001020304"}"#,
};

/// The port.
pub static PORT: FnPort<ShpTsListInput, ShpTsList> = FnPort::new(&META, shp_ts_list);

/// Bytes of the file's header.
const HEADER: u64 = 8;
/// Bytes of a frame's header.
const FRAME: u64 = 24;

/// A SHP(TS) file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShpTsListInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB; its frames have at most 67108864 pixels in all, and as many bytes of data, those that frames
    /// share counted for each (rows.1).
    pub bytes: Bytes,
}

/// What a SHP(TS) file holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShpTsList {
    /// Width of the canvas in pixels (header.1).
    pub width: u16,
    /// Height of the canvas in pixels (header.1).
    pub height: u16,
    /// Number of frames, shadows included (header.1).
    pub count: u16,
    /// Frames without data (empty.1).
    pub empty: u32,
    /// Frames that are not within the canvas.
    pub outside: u32,
    /// Frames whose data begins inside that of another; legal, for sharing.
    pub overlapping: u32,
    /// Bytes after the last data; most files are padded.
    pub trailing: u64,
    /// The frames in order.
    pub frames: Vec<ShpTsFrame>,
}

/// One frame.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShpTsFrame {
    /// Left edge on the canvas (frame.1).
    pub x: i16,
    /// Top edge on the canvas (frame.1).
    pub y: i16,
    /// Width in pixels (frame.1).
    pub w: i16,
    /// Height in pixels (frame.1).
    pub h: i16,
    /// Form of the data: 0 and 1 plain, 2 plain rows, 3 packed rows; anything in an empty frame (kind.1).
    pub kind: u8,
    /// Red, green and blue on the radar (frame.1).
    pub colour: [u8; 3],
    /// Where the data begins (frame.1).
    pub offset: u32,
    /// Bytes of data, the lengths of rows included (plain.1, rows.1).
    pub size: u32,
    /// Whether there is no pixel, and so no data (empty.1).
    pub empty: bool,
}

/// Lists the frames of a file.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic`, `bad_count` (a negative size), `offset_out_of_range`,
/// `size_mismatch` (a row shorter than its own length word). `EFBIG` beyond the caps; `EOPNOTSUPP` for a frame with data
/// of a kind above 3, and at `game` for a game without evidence.
pub fn shp_ts_list(input: &ShpTsListInput) -> Result<ShpTsList, PortError> {
    META.offers(input.game)?;
    list(&Source::read(&input.bytes)?)
}

/// The same of a file in memory.
pub(crate) fn list(source: &Source) -> Result<ShpTsList, PortError> {
    if source.u16(0)? != 0 {
        return Err(fault("bad_magic", "the first word is not 0"));
    }
    let (width, height, count) = (source.u16(2)?, source.u16(4)?, source.u16(6)?);
    source.part(HEADER, FRAME * u64::from(count))?;
    let headers = (0..u64::from(count)).map(|index| header(source, HEADER + FRAME * index));
    let mut frames = headers.collect::<Result<Vec<_>, _>>()?;
    capped(frames.iter().map(ShpTsFrame::pixels).sum())?;
    // Codes can be many and give no pixel, and frames share them: what a decoder has to read is bounded as well.
    let mut stored = 0;
    for frame in frames.iter_mut().filter(|frame| !frame.empty) {
        frame.size = size(source, frame)?;
        stored += u64::from(frame.size);
        within(stored, || format!("the frames have more than {MAX_BYTES} bytes of data together"))?;
    }
    let (overlapping, end) = spans(&frames, HEADER + FRAME * u64::from(count));
    let number = |of: &dyn Fn(&ShpTsFrame) -> bool| frames.iter().filter(|frame| of(frame)).count() as u32;
    Ok(ShpTsList {
        width,
        height,
        count,
        empty: number(&|frame| frame.empty),
        outside: number(&|frame| frame.leaves(width, height)),
        overlapping,
        trailing: source.length() - end,
        frames,
    })
}

fn header(source: &Source, at: u64) -> Result<ShpTsFrame, PortError> {
    let (w, h) = (source.i16(at + 4)?, source.i16(at + 6)?);
    if w < 0 || h < 0 {
        return Err(fault("bad_count", format!("a frame of {w} by {h} pixels")));
    }
    Ok(ShpTsFrame {
        x: source.i16(at)?,
        y: source.i16(at + 2)?,
        w,
        h,
        kind: source.u8(at + 8)?,
        colour: source.triple(at + 12)?,
        offset: source.u32(at + 20)?,
        size: 0,
        empty: w == 0 || h == 0,
    })
}

/// Bytes of a frame's data, which must all be there.
fn size(source: &Source, frame: &ShpTsFrame) -> Result<u32, PortError> {
    let offset = u64::from(frame.offset);
    source.stated(offset, 0)?;
    match frame.kind {
        0 | 1 => {
            source.part(offset, frame.pixels())?;
            Ok(frame.pixels() as u32)
        }
        2 | 3 => rows(source, frame, |_| Ok(())),
        kind => Err(unsupported(format!("a frame of kind {kind}"))),
    }
}

/// Hands each row of a frame of kind 2 or 3 to `each`, without its length word; gives the bytes of all.
pub(crate) fn rows<'a>(
    source: &'a Source,
    frame: &ShpTsFrame,
    mut each: impl FnMut(&'a [u8]) -> Result<(), PortError>,
) -> Result<u32, PortError> {
    let mut at = u64::from(frame.offset);
    for _ in 0..frame.h {
        let length = u64::from(source.u16(at)?);
        if length < 2 {
            return Err(fault("size_mismatch", format!("a row of {length} bytes counts its own two")));
        }
        each(source.part(at + 2, length - 2)?)?;
        at += length;
    }
    Ok((at - u64::from(frame.offset)) as u32)
}

/// How many spans begin inside an earlier one, and where the last of all ends.
fn spans(frames: &[ShpTsFrame], table: u64) -> (u32, u64) {
    let mut spans: Vec<(u32, u32)> =
        frames.iter().filter(|frame| !frame.empty).map(|frame| (frame.offset, frame.size)).collect();
    spans.sort_unstable();
    let (mut overlapping, mut reached) = (0, 0);
    for (offset, size) in spans {
        overlapping += u32::from(u64::from(offset) < reached);
        reached = reached.max(u64::from(offset) + u64::from(size));
    }
    (overlapping, reached.max(table))
}

impl ShpTsFrame {
    /// Number of pixels; both sides are known not to be negative.
    pub(crate) fn pixels(&self) -> u64 {
        u64::from(self.w.unsigned_abs()) * u64::from(self.h.unsigned_abs())
    }

    fn leaves(&self, width: u16, height: u16) -> bool {
        let beyond =
            |from: i16, size: i16, most: u16| from < 0 || i32::from(from) + i32::from(size) > i32::from(most);
        !self.empty && (beyond(self.x, self.w, width) || beyond(self.y, self.h, height))
    }
}
