//! `lcw_decompress`: a stream of LCW commands to bytes.

use super::lcw::{self, Commands};
use super::sha1::sha1;
use super::{MAX_INPUT, artefact, hex, of_stated_size, output_cap, usual_output, whole, yr};
use assay_model::{Area, Bytes, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "lcw_decompress",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Decompresses LCW (Format80): sprites of the ancestors, overlay packs of maps.",
    aliases: &[
        "LCW",
        "Format80",
        "LCW_Uncomp",
        "LCW_Uncompress",
        "OverlayPack",
        "OverlayDataPack",
        "SHP compression",
        "VQA codebook",
        "decompress",
        "unpack",
    ],
    units: "bytes in, bytes out; counts of commands",
    example: r#"{"bytes":"hex:8461626364c1000080"}"#,
};

/// The port.
pub static PORT: FnPort<LcwInput, Lcw> =
    FnPort::new(&META, lcw_decompress).attaching(|decoded| vec![artefact("output", &decoded.output)]);

/// A stream.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LcwInput {
    /// Game whose file it is; all decode alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The stream as `"hex:…"`, `"base64:…"` or a named source, at most 32 MiB.
    pub bytes: Bytes,
    /// The variant of later films: positions count back from the write position, and a first byte 0 is skipped. Default
    /// false; maps and sprites never use it, and films of TS and RA2 alone are known to.
    #[serde(default)]
    pub relative: bool,
    /// Most bytes to write: 0 to 67108864 (64 MiB), default 16777216 (16 MiB).
    #[serde(default = "usual_output")]
    #[schemars(range(max = 67_108_864))]
    pub max_output: u32,
    /// Size that a header states, in bytes; another one is refused. Default: any.
    pub expected_len: Option<u32>,
}

/// What the stream held.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lcw {
    /// Bytes written.
    pub output_len: u32,
    /// Bytes of the input up to and with the end mark (end.1).
    pub consumed: u32,
    /// Bytes after it, which nothing reads (end.1).
    pub trailing: u32,
    /// Commands before the end mark by kind.
    pub commands: Commands,
    /// SHA-1 of what was written, 40 hexadecimal digits.
    pub sha1: String,
    /// What is not known of a result: the relative form in a game that nobody found it in (relative.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
    /// What was written; goes out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

/// Decodes a stream.
///
/// # Errors
/// `EINVAL` at `bytes` for a stream that ends early, copies what is not there or writes too much, at `expected_len` for
/// another size, at `max_output` beyond its range; `EFBIG` at `bytes` beyond 32 MiB.
pub fn lcw_decompress(input: &LcwInput) -> Result<Lcw, PortError> {
    META.offers(input.game)?;
    let cap = output_cap(input.max_output)?;
    let bytes = whole(&input.bytes, "bytes", MAX_INPUT)?;
    let decoded = lcw::decompress(&bytes, input.relative, cap).map_err(|fault| fault.refusal("bytes"))?;
    let output_len = of_stated_size(&decoded.output, input.expected_len)?;
    Ok(Lcw {
        output_len,
        consumed: decoded.consumed as u32,
        trailing: (bytes.len() - decoded.consumed) as u32,
        commands: decoded.commands,
        sha1: hex(&sha1(&decoded.output)),
        caveats: caveats(input),
        output: decoded.output,
    })
}

/// The relative form is of the films of TS and RA2.
fn caveats(input: &LcwInput) -> Vec<Caveat> {
    if !input.relative || matches!(input.game, Game::Ts | Game::Ra2) {
        return Vec::new();
    }
    vec![Caveat::new("relative.1", "no reading says that this game has the relative form")]
}
