//! `vqa_header`: the header of a VQA movie and the list of its chunks.

use super::source::{Source, attachment, fault};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "vqa_header",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2],
    summary: "Size, frames, rate, sound and chunks of a VQA movie, without its pictures.",
    aliases: &["VQA", "movie", "VQHD", "WVQA", "FINF", "cutscene", "vector quantized animation", "video"],
    units: "sizes in pixels, frames a second, hertz; offsets in bytes",
    example: r#"{"bytes":"hex:464f524d0000003657565141565148440000002a0300150001000400040004041e000000a00f000000000000225602100000000000000000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<VqaHeaderInput, VqaHeader> =
    FnPort::new(&META, vqa_header).attaching(|movie| attachment("header", &movie.data));

/// Where the header begins, and its bytes.
const START: u64 = 20;
const HEADER: u64 = 42;
/// Most chunks: four a frame and some.
const MAX_CHUNKS: usize = 1 << 18;
/// Offsets of frames that are shown.
const SHOWN: usize = 64;
/// Bytes of a list of frames that are read at a time; a multiple of a word.
const PIECE: u64 = 4096;

/// A movie.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VqaHeaderInput {
    /// Game that plays it; the four are alike. Default TS.
    #[serde(default = "ts")]
    pub game: Game,
    /// The file, of any length, with at most 262144 chunks. Nothing is read but the headers of chunks and the list of frames.
    pub bytes: Bytes,
}

fn ts() -> Game {
    Game::Ts
}

/// What a movie says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VqaHeader {
    /// Bytes behind the first eight, as the file says (form.1).
    pub form_size: u32,
    /// Whether that is what is there.
    pub form_matches: bool,
    /// Version: 1 to 3 (header.1).
    pub version: u16,
    /// The flags as they are (flags.1).
    pub flags: u16,
    /// Whether it has sound (flags.1).
    pub sound: bool,
    /// Whether colours have 15 bits instead of a palette (flags.1).
    pub high_colour: bool,
    /// Number of frames (header.1).
    pub frames: u16,
    /// Width in pixels (header.1).
    pub width: u16,
    /// Height in pixels (header.1).
    pub height: u16,
    /// Width of a block in pixels (header.1).
    pub block_width: u8,
    /// Height of a block in pixels (header.1).
    pub block_height: u8,
    /// Frames a second (header.1).
    pub fps: u8,
    /// Frames over which a codebook is spread (header.1).
    pub parts: u8,
    /// Colours of the palette (header.1).
    pub colours: u16,
    /// Most blocks of a codebook (header.1).
    pub max_blocks: u16,
    /// Samples a second (header.1).
    pub rate: u16,
    /// Channels of the sound (header.1).
    pub channels: u8,
    /// Bits of a sample (header.1).
    pub bits: u8,
    /// Chunks behind the header (chunk.1).
    pub chunks: Vec<VqaChunk>,
    /// Offsets in the list of frames; 0 without one (index.1).
    pub indexed: u32,
    /// Those of them that lie outside the file.
    pub outside: u32,
    /// The first offsets of frames, at most 64 (index.1).
    pub frame_offsets: Vec<u32>,
    /// Bytes behind what the file says.
    pub trailing: u64,
    /// The attachment: the header of 42 bytes.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VqaChunk {
    /// Its four letters.
    pub id: String,
    /// Where it begins in the file.
    pub offset: u64,
    /// Bytes of its data.
    pub size: u32,
}

/// Reads the header and walks the chunks.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (a header, or a chunk that leaves the file), `bad_magic` (a mark that is another),
/// `size_mismatch` (a header of another size, a width that is no number of blocks), `bad_count` (more chunks than are read).
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn vqa_header(input: &VqaHeaderInput) -> Result<VqaHeader, PortError> {
    META.offers(input.game)?;
    let (bytes, length) = (&input.bytes, input.bytes.length());
    let mut movie = header(&Source::head(bytes, START + HEADER)?)?;
    let end = length.min(8 + u64::from(movie.form_size));
    let mut at = START + HEADER;
    while at < end {
        if movie.chunks.len() == MAX_CHUNKS {
            return Err(fault("bad_count", format!("more than {MAX_CHUNKS} chunks")));
        }
        let chunk = chunk(bytes, at)?;
        let size = u64::from(chunk.size);
        if chunk.id == "FINF" {
            movie.index(bytes, at + 8, size)?;
        }
        movie.chunks.push(chunk);
        // Chunks begin at even offsets.
        at += 8 + size + (size & 1);
    }
    movie.trailing = length.saturating_sub(at.max(end));
    movie.form_matches = 8 + u64::from(movie.form_size) == length;
    Ok(movie)
}

/// The header of the chunk at `at`, whose data must be there.
fn chunk(bytes: &Bytes, at: u64) -> Result<VqaChunk, PortError> {
    let left = bytes.length() - at;
    if left < 8 {
        return Err(fault("truncated", format!("{left} bytes at {at} are no header of a chunk")));
    }
    let head = bytes.range(at, 8)?;
    let (id, size) = (latin(&head[..4]), head[4..].iter().fold(0, |size, byte| size << 8 | u32::from(*byte)));
    if left - 8 < u64::from(size) {
        return Err(fault("truncated", format!("chunk {id} at {at} of {size} bytes leaves the file")));
    }
    Ok(VqaChunk { id, offset: at, size })
}

fn header(source: &Source) -> Result<VqaHeader, PortError> {
    for (at, mark) in [(0, b"FORM"), (8, b"WVQA"), (12, b"VQHD")] {
        if source.part(at, 4)? != mark {
            return Err(fault("bad_magic", format!("no mark {} at {at}", latin(mark))));
        }
    }
    let size = big(source, 16)?;
    if u64::from(size) != HEADER {
        return Err(fault("size_mismatch", format!("a header of {size} bytes, not {HEADER}")));
    }
    let data = source.part(START, HEADER)?.to_vec();
    let word = |at| source.u16(START + at);
    let byte = |at| source.u8(START + at);
    let (flags, width, block_width) = (word(2)?, word(6)?, byte(10)?);
    if block_width == 0 || width % u16::from(block_width) != 0 {
        return Err(fault("size_mismatch", format!("{width} pixels in blocks of {block_width}")));
    }
    Ok(VqaHeader {
        form_size: big(source, 4)?,
        form_matches: false,
        version: word(0)?,
        flags,
        sound: flags & 1 != 0,
        high_colour: flags & 0x10 != 0,
        frames: word(4)?,
        width,
        height: word(8)?,
        block_width,
        block_height: byte(11)?,
        fps: byte(12)?,
        parts: byte(13)?,
        colours: word(14)?,
        max_blocks: word(16)?,
        rate: word(24)?,
        channels: byte(26)?,
        bits: byte(27)?,
        chunks: Vec::new(),
        indexed: 0,
        outside: 0,
        frame_offsets: Vec::new(),
        trailing: 0,
        data,
    })
}

impl VqaHeader {
    /// Reads the list of frames in `size` bytes at `at`: words of four flags and half an offset (index.1).
    fn index(&mut self, bytes: &Bytes, at: u64, size: u64) -> Result<(), PortError> {
        for from in (0..size).step_by(PIECE as usize) {
            let piece = bytes.range(at + from, PIECE.min(size - from) as usize)?;
            for word in piece.chunks_exact(4) {
                let word = word.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                let offset = (word & 0x0FFF_FFFF) * 2;
                self.indexed += 1;
                self.outside += u32::from(u64::from(offset) >= bytes.length());
                if self.frame_offsets.len() < SHOWN {
                    self.frame_offsets.push(offset);
                }
            }
        }
        Ok(())
    }
}

/// The 32 bits at `at`, the high byte first.
fn big(source: &Source, at: u64) -> Result<u32, PortError> {
    source.u32(at).map(u32::swap_bytes)
}

/// One character a byte.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
