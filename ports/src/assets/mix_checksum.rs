//! `mix_checksum`: the digest of an archive's body against the one behind it.

use super::mix_list::{MixListInput, mix_list};
use super::sha1::Sha1;
use super::{hex, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "mix_checksum",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "SHA-1 of the body of a MIX archive, against the one that is stored behind it.",
    aliases: &["MIX digest", "SHA-1", "SHAStraw", "archive checksum", "damaged archive", "verify archive"],
    units: "bytes in; digests as 40 hexadecimal digits",
    example: r#"{"bytes":"hex:00000100000000000000da39a3ee5e6b4b0d3255bfef95601890afd80709"}"#,
};

/// The port.
pub static PORT: FnPort<MixChecksumInput, MixChecksum> = FnPort::new(&META, mix_checksum);

/// An archive.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixChecksumInput {
    /// Game whose archive it is. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The archive as `"hex:…"`, `"base64:…"` or a named source.
    pub bytes: Bytes,
}

/// The digests.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MixChecksum {
    /// Whether the flags promise a digest (stored.1).
    pub has_checksum: bool,
    /// First byte of the body.
    pub body_offset: u64,
    /// Bytes that are digested (body.1).
    pub body_size: u32,
    /// The digest behind the body; left out without one (stored.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
    /// The digest of the body (body.1).
    pub computed: String,
    /// Whether the two agree; left out without a stored one.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<bool>,
}

/// What is read at a time; whole blocks of the digest.
const PIECE: u64 = 1 << 20;

/// Compares the digests.
///
/// # Errors
/// `EINVAL` at `bytes` for an index that is none, and `truncated` for a body or digest that is cut off.
pub fn mix_checksum(input: &MixChecksumInput) -> Result<MixChecksum, PortError> {
    META.offers(input.game)?;
    let list = mix_list(&MixListInput { game: input.game, bytes: input.bytes.clone(), strict: false })?;
    if list.trailing < 0 {
        return Err(PortError::invalid("bytes", "truncated: the body or its digest is cut off"));
    }
    let end = list.body_offset + u64::from(list.body_size);
    let (mut digest, mut at, mut rest) = (Sha1::new(), list.body_offset, Vec::new());
    while at < end {
        let piece = input.bytes.range(at, PIECE.min(end - at) as usize)?;
        at += piece.len() as u64;
        rest = digest.blocks(&piece).to_vec();
    }
    let computed = hex(&digest.finish(&rest));
    let stored = if list.has_checksum { Some(hex(&input.bytes.range(end, 20)?)) } else { None };
    Ok(MixChecksum {
        has_checksum: list.has_checksum,
        body_offset: list.body_offset,
        body_size: list.body_size,
        matches: stored.as_ref().map(|stored| *stored == computed),
        stored,
        computed,
    })
}
