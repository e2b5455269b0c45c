//! `pack_chunks`: a packed section of a map to its bytes.

use super::sha1::sha1;
use super::{Fault, MAX_INPUT, artefact, base64, hex, lcw, lzo, output_cap, usual_output, whole, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Metadata.
pub static META: Meta = Meta {
    name: "pack_chunks",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Unpacks the chunks of a packed map section: terrain and preview by LZO, overlay planes by LCW.",
    aliases: &[
        "IsoMapPack5",
        "PreviewPack",
        "OverlayPack",
        "OverlayDataPack",
        "map pack",
        "base64 section",
        "chunk",
    ],
    units: "bytes in, bytes out",
    example: r#"{"bytes":"base64:HgAaACsDAAQAAAAAAAAAAAQABAD//wAAAQIAAAAAABEAAA=="}"#,
};

/// The port.
pub static PORT: FnPort<PackInput, Pack> =
    FnPort::new(&META, pack_chunks).attaching(|pack| vec![artefact("output", &pack.output)]);

/// Most chunks of a section: with the usual 8192 bytes each they give 512 MiB, and every one takes a place in the result.
const MAX_CHUNKS: usize = 65_536;

/// How chunks are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Codec {
    /// LZO1X: IsoMapPack5 and PreviewPack.
    #[default]
    Lzo,
    /// LCW: OverlayPack and OverlayDataPack.
    Lcw,
}

/// The bytes of a section; base 64 is read as it stands in maps (text.1).
#[derive(Clone, Debug)]
pub struct PackText {
    bytes: Bytes,
    /// Whether padding was missing.
    unpadded: bool,
}

impl From<Bytes> for PackText {
    fn from(bytes: Bytes) -> Self {
        Self { bytes, unpadded: false }
    }
}

/// As [`Bytes`] but for base 64.
struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = PackText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"hex:…\", \"base64:…\", \"host:PATH\", or an object with `path` or `upload`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<PackText, E> {
        let Some(digits) = text.strip_prefix("base64:") else {
            return Bytes::deserialize(StrDeserializer::new(text)).map(PackText::from);
        };
        let wrong = "bad_text: the text is not base 64, of which only padding at the end may be missing";
        let decoded = base64::decode(digits.bytes()).ok_or_else(|| E::custom(wrong))?;
        Ok(PackText { bytes: Bytes::Inline(decoded.bytes.into()), unpadded: decoded.unpadded })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PackText, A::Error> {
        Bytes::deserialize(MapAccessDeserializer::new(map)).map(PackText::from)
    }
}

impl<'de> Deserialize<'de> for PackText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

/// A packed section.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackInput {
    /// Game whose map it is; all unpack alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The values of the section's keys, joined in file order, behind `"base64:"`; or the bytes as `"hex:…"` or a named
    /// source. At most 32 MiB.
    #[schemars(with = "Bytes")]
    pub bytes: PackText,
    /// `lzo` (default) or `lcw`.
    #[serde(default)]
    pub codec: Codec,
    /// Most bytes to write: 0 to 67108864 (64 MiB), default 16777216 (16 MiB).
    #[serde(default = "usual_output")]
    #[schemars(range(max = 67_108_864))]
    pub max_output: u32,
}

/// One chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Chunk {
    /// Offset of its header.
    pub offset: u32,
    /// Bytes behind the header (chunk.1).
    pub compressed: u16,
    /// Bytes that they stand for (chunk.1).
    pub uncompressed: u16,
}

/// What the section held.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pack {
    /// Bytes of the section.
    pub packed_len: u32,
    /// The chunks in order, at most 65536 (chunk.1, cap.1).
    pub chunks: Vec<Chunk>,
    /// Whether a header with a zero ended the list (end.1).
    pub ended_by_zero: bool,
    /// Bytes behind the last chunk and the header that ended the list (end.1).
    pub trailing: u32,
    /// Bytes written.
    pub output_len: u32,
    /// What is odd but no error: `missing_padding` (text.1); left out where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub warnings: Vec<String>,
    /// SHA-1 of what was written, 40 hexadecimal digits.
    pub sha1: String,
    /// What was written; goes out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

/// Unpacks a section.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `bad_text` (no base 64), `truncated` (a header or chunk that is cut off), `output_overrun` (sizes beyond the cap together),
/// `bad_count` (more than 65536 chunks), what the codec says of a chunk, `size_mismatch` (a chunk of another size than stated);
/// at `max_output` beyond its range; `EFBIG` at `bytes` beyond 32 MiB.
pub fn pack_chunks(input: &PackInput) -> Result<Pack, PortError> {
    META.offers(input.game)?;
    let cap = output_cap(input.max_output)?;
    let bytes = whole(&input.bytes.bytes, "bytes", MAX_INPUT)?;
    let mut pack = unpack(&bytes, input.codec, cap).map_err(|fault| fault.refusal("bytes"))?;
    pack.sha1 = hex(&sha1(&pack.output));
    pack.warnings.extend(padding(input.bytes.unpadded));
    Ok(pack)
}

/// The warning of a text without its padding.
pub(super) fn padding(missing: bool) -> Option<String> {
    missing.then(|| "missing_padding".to_owned())
}

/// The same for bytes in memory, without the digest of what comes out.
///
/// # Errors
/// The name and place of what is wrong with the chunks.
pub(super) fn unpack(bytes: &[u8], codec: Codec, cap: usize) -> Result<Pack, Fault> {
    let list = list(bytes, cap)?;
    let mut output = Vec::with_capacity(list.output_len);
    for chunk in &list.chunks {
        output = chunk.unpack(bytes, codec, output)?;
    }
    Ok(Pack {
        packed_len: bytes.len() as u32,
        chunks: list.chunks,
        ended_by_zero: list.ended_by_zero,
        trailing: (bytes.len() - list.end) as u32,
        output_len: output.len() as u32,
        warnings: Vec::new(),
        sha1: String::new(),
        output,
    })
}

/// The chunks of a section by their headers.
#[derive(Default)]
struct List {
    chunks: Vec<Chunk>,
    ended_by_zero: bool,
    /// Offset behind the last thing read.
    end: usize,
    /// Bytes that the chunks stand for.
    output_len: usize,
}

/// Reads the headers alone, so that what is too much is refused before anything is unpacked (cap.1).
fn list(bytes: &[u8], cap: usize) -> Result<List, Fault> {
    let mut list = List::default();
    while list.end < bytes.len() {
        let at = list.end;
        let truncated = Fault::new("truncated", at);
        let Some(&[a, b, c, d]) = bytes[at..].first_chunk::<4>() else { return Err(truncated) };
        let (compressed, uncompressed) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        list.end = at + 4;
        if compressed == 0 || uncompressed == 0 {
            list.ended_by_zero = true;
            break;
        }
        list.end += usize::from(compressed);
        if list.end > bytes.len() {
            return Err(truncated);
        }
        if usize::from(uncompressed) > cap - list.output_len {
            return Err(Fault::new("output_overrun", at));
        }
        if list.chunks.len() == MAX_CHUNKS {
            return Err(Fault::new("bad_count", at));
        }
        list.output_len += usize::from(uncompressed);
        list.chunks.push(Chunk { offset: at as u32, compressed, uncompressed });
    }
    Ok(list)
}

impl Chunk {
    /// The output so far with what this chunk gives behind it (chunk.1).
    fn unpack(&self, bytes: &[u8], codec: Codec, before: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let at = self.offset as usize;
        let data = &bytes[at + 4..at + 4 + usize::from(self.compressed)];
        let (size, wanted) = (usize::from(self.uncompressed), before.len() + usize::from(self.uncompressed));
        let (output, consumed) = match codec {
            Codec::Lzo => {
                lzo::decompress_onto(before, data, size).map(|decoded| (decoded.output, decoded.consumed))
            }
            Codec::Lcw => lcw::decompress_onto(before, data, false, size)
                .map(|decoded| (decoded.output, decoded.consumed)),
        }
        .map_err(|fault| Fault::new(fault.name, at))?;
        if output.len() != wanted || consumed != data.len() {
            return Err(Fault::new("size_mismatch", at));
        }
        Ok(output)
    }
}
