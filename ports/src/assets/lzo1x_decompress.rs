//! `lzo1x_decompress`: an LZO1X stream to bytes.

use super::lzo::{self, Commands};
use super::sha1::sha1;
use super::{Fault, MAX_INPUT, artefact, hex, of_stated_size, output_cap, usual_output, whole, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "lzo1x_decompress",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Decompresses LZO1X: terrain and preview packs of maps.",
    aliases: &[
        "LZO",
        "LZO1X",
        "minilzo",
        "IsoMapPack5",
        "PreviewPack",
        "lzo1x_decompress_safe",
        "decompress",
        "unpack",
    ],
    units: "bytes in, bytes out; counts of commands",
    example: r#"{"bytes":"hex:1561626364110000"}"#,
};

/// The port.
pub static PORT: FnPort<LzoInput, Lzo> =
    FnPort::new(&META, lzo1x_decompress).attaching(|decoded| vec![artefact("output", &decoded.output)]);

/// A stream.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LzoInput {
    /// Game whose file it is; all decode alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The stream as `"hex:…"`, `"base64:…"` or a named source, at most 32 MiB.
    pub bytes: Bytes,
    /// Most bytes to write: 0 to 67108864 (64 MiB), default 16777216 (16 MiB).
    #[serde(default = "usual_output")]
    #[schemars(range(max = 67_108_864))]
    pub max_output: u32,
    /// Size that a header states, in bytes; another one is refused. Default: any.
    pub expected_len: Option<u32>,
}

/// What the stream held.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lzo {
    /// Bytes written.
    pub output_len: u32,
    /// Bytes of the input up to and with the end mark (end.1).
    pub consumed: u32,
    /// What it held, by kind.
    pub commands: Commands,
    /// SHA-1 of what was written, 40 hexadecimal digits.
    pub sha1: String,
    /// What was written; goes out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

/// Decodes a stream.
///
/// # Errors
/// `EINVAL` at `bytes` for a stream that ends early or late, copies what is not there or writes too much, at `expected_len` for
/// another size, at `max_output` beyond its range; `EFBIG` at `bytes` beyond 32 MiB.
pub fn lzo1x_decompress(input: &LzoInput) -> Result<Lzo, PortError> {
    META.offers(input.game)?;
    let cap = output_cap(input.max_output)?;
    let bytes = whole(&input.bytes, "bytes", MAX_INPUT)?;
    let decoded = lzo::decompress(&bytes, cap).map_err(|fault| fault.refusal("bytes"))?;
    if decoded.consumed < bytes.len() {
        return Err(Fault::new("trailing_bytes", decoded.consumed).refusal("bytes"));
    }
    let output_len = of_stated_size(&decoded.output, input.expected_len)?;
    Ok(Lzo {
        output_len,
        consumed: decoded.consumed as u32,
        commands: decoded.commands,
        sha1: hex(&sha1(&decoded.output)),
        output: decoded.output,
    })
}
