//! `format40_apply`: an XOR delta over a frame.

use super::format40::{self, Commands};
use super::sha1::sha1;
use super::{MAX_INPUT, artefact, hex, whole};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "format40_apply",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Td, Game::Ra1],
    summary: "Applies an XOR delta (Format40) to a frame: sprites and films of TD and RA1.",
    aliases: &["Format40", "Format20", "XOR delta", "Apply_XOR_Delta", "WSA", "SHP frame delta", "key frame"],
    units: "bytes in, as many bytes out; counts of commands",
    example: r#"{"base":"hex:0a0b0c0d","delta":"hex:8202f0f1800000"}"#,
};

/// The port.
pub static PORT: FnPort<Format40Input, Format40> =
    FnPort::new(&META, format40_apply).attaching(|done| vec![artefact("frame", &done.output)]);

/// A frame and a delta.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Format40Input {
    /// Game whose file it is; both apply alike. Default RA1.
    #[serde(default = "ra1")]
    pub game: Game,
    /// The frame before, as `"hex:…"`, `"base64:…"` or a named source, at most 32 MiB.
    pub base: Bytes,
    /// The delta, at most 32 MiB.
    pub delta: Bytes,
}

fn ra1() -> Game {
    Game::Ra1
}

/// What the delta did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Format40 {
    /// Bytes of the frame, before and after (cursor.1).
    pub output_len: u32,
    /// Bytes of the delta up to and with the end mark (end.1).
    pub consumed: u32,
    /// Bytes of the delta after it, which nothing reads (end.1).
    pub trailing: u32,
    /// Where the cursor stood at the end; what is behind it stays (cursor.1).
    pub cursor: u32,
    /// Bytes of the frame that are not what they were.
    pub changed: u32,
    /// Commands before the end mark by kind.
    pub commands: Commands,
    /// SHA-1 of the frame after, 40 hexadecimal digits.
    pub sha1: String,
    /// The frame after; goes out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

/// Applies a delta.
///
/// # Errors
/// `EINVAL` at `delta` for one that ends early or leaves the frame; `EFBIG` at `base` or `delta` beyond 32 MiB.
pub fn format40_apply(input: &Format40Input) -> Result<Format40, PortError> {
    META.offers(input.game)?;
    let base = whole(&input.base, "base", MAX_INPUT)?;
    let delta = whole(&input.delta, "delta", MAX_INPUT)?;
    let mut output = base.clone();
    let applied = format40::apply(&mut output, &delta).map_err(|fault| fault.refusal("delta"))?;
    Ok(Format40 {
        output_len: output.len() as u32,
        consumed: applied.consumed as u32,
        trailing: (delta.len() - applied.consumed) as u32,
        cursor: applied.cursor as u32,
        changed: base.iter().zip(&output).filter(|(before, after)| before != after).count() as u32,
        commands: applied.commands,
        sha1: hex(&sha1(&output)),
        output,
    })
}
