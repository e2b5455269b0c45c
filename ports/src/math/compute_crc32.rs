//! `compute_crc32`: the engine's checksum over a stream of bytes, with what it does to a tail that is no whole word.
//!
//! The polynomial is the usual one; the tail is not. One to three bytes that are left over are filled up to four before
//! they go in: the number of them once, then the first of them. So `A` hashes as `41 01 41 41`.

use crate::math::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_crc32",
    area: Area::Math,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "The engine's CRC-32 over a byte stream, with its rule for a tail of one to three bytes.",
    aliases: &[
        "CRC",
        "CRC-32",
        "CRCEngine",
        "checksum",
        "hash",
        "0xEDB88320",
        "MIX file id",
        "file name hash",
        "sync checksum",
        "desync",
        "INI section hash",
        "padding",
    ],
    units: "bytes in, an unsigned 32-bit checksum out",
    example: r#"{"bytes":[65,66]}"#,
};

/// The port.
pub static PORT: FnPort<Crc32Input, Crc32> = FnPort::new(&META, compute_crc32);

/// Most bytes, however they are given.
const MAX_BYTES: u64 = 4096;

/// A stream of bytes: exactly one of the two forms.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Crc32Input {
    /// Game whose routine runs; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The bytes as numbers 0 to 255, at most 4096 of them. File names are hashed in upper case; do that first.
    #[schemars(length(max = 4096))]
    pub bytes: Option<Vec<u8>>,
    /// The bytes as `"hex:…"`, `"base64:…"` or a named source, at most 4096 of them.
    pub data: Option<Bytes>,
}

/// The stages of a checksum.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Crc32 {
    /// Number of bytes.
    pub length: u32,
    /// Checksum of the whole words, which is that of the stream if there is no tail (crc.1).
    pub words: u32,
    /// Bytes left over: 0 to 3 (tail.1).
    pub tail: u32,
    /// The four bytes that stand for the tail; left out without one (tail.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filled: Option<[u8; 4]>,
    /// The checksum (crc.1, tail.1).
    pub crc: u32,
    /// The same number as the signed one that indexes are sorted by.
    pub signed: i32,
}

/// Computes a checksum.
///
/// # Errors
/// `EINVAL` for none or both of `bytes` and `data`, and for more bytes than each takes; what a named source says when it
/// cannot be read; `EOPNOTSUPP` for a game without evidence.
pub fn compute_crc32(input: &Crc32Input) -> Result<Crc32, PortError> {
    META.offers(input.game)?;
    let (field, bytes) = match (&input.bytes, &input.data) {
        (Some(bytes), None) => ("bytes", Bytes::Inline(bytes.as_slice().into())),
        (None, Some(data)) => ("data", data.clone()),
        (None, None) => return Err(PortError::invalid("bytes", "is needed, or `data`")),
        (Some(_), Some(_)) => return Err(PortError::invalid("data", "give either `bytes` or `data`")),
    };
    if bytes.length() > MAX_BYTES {
        return Err(PortError::invalid(field, "must have at most 4096 bytes"));
    }
    let length = bytes.length() as usize;
    let all = bytes.range(0, length)?;
    let (whole, rest) = all.split_at(length & !3);
    let state = advance(u32::MAX, whole);
    let filled = fill(rest);
    let crc = filled.map_or(!state, |filled| !advance(state, &filled));
    Ok(Crc32 {
        length: length as u32,
        words: !state,
        tail: rest.len() as u32,
        filled,
        crc,
        signed: crc as i32,
    })
}

/// The word that stands for a tail: its bytes, their number, and the first of them for what is left.
fn fill(rest: &[u8]) -> Option<[u8; 4]> {
    let first = *rest.first()?;
    let mut word = [first; 4];
    word[..rest.len()].copy_from_slice(rest);
    word[rest.len()] = rest.len() as u8;
    Some(word)
}

/// The running remainder after some bytes; it starts as all ones, and the checksum is its complement.
fn advance(state: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(state, |state, byte| state >> 8 ^ TABLE[usize::from(state as u8 ^ byte)])
}

/// Remainders of the 256 bytes, at 0x0081F7B4 of the YR executable.
static TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut remainder, mut bit) = (byte as u32, 0);
        while bit < 8 {
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ 0xEDB8_8320 } else { remainder >> 1 };
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}
