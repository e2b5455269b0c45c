//! `blowfish_ecb`: the cipher that the index of an archive is encrypted with.

use super::blowfish::Blowfish;
use super::{artefact, hex, whole, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "blowfish_ecb",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Blowfish on blocks of eight bytes by themselves, as the encrypted index of a MIX archive has it.",
    aliases: &["Blowfish", "BlowfishEngine", "ECB", "decrypt header", "encrypted MIX", "cipher"],
    units: "bytes in, bytes out",
    example: r#"{"key":"hex:0000000000000000","data":"hex:0000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<BlowfishInput, BlowfishRun> =
    FnPort::new(&META, blowfish_ecb).attaching(|run| vec![artefact("output", &run.output)]);

/// Which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Plain to encrypted.
    Encrypt,
    /// Encrypted to plain.
    #[default]
    Decrypt,
}

/// A key and blocks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlowfishInput {
    /// Game whose archive it is; all decrypt alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The key, 1 to 56 bytes; archives use 56.
    pub key: Bytes,
    /// Whole blocks of eight bytes, at most 65536 bytes.
    pub data: Bytes,
    /// `decrypt` (default) or `encrypt`.
    #[serde(default)]
    pub direction: Direction,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BlowfishRun {
    /// Bytes of the key (key.1).
    pub key_len: u32,
    /// Blocks of eight bytes (block.1).
    pub blocks: u32,
    /// The result as hexadecimal digits (block.1).
    pub output_hex: String,
    /// The result; goes out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

const MAX_DATA: u64 = 65_536;

/// Encrypts or decrypts.
///
/// # Errors
/// `EINVAL` at `key` for none, at `data` for a ragged tail; `EFBIG` for a key above 56 bytes and data above 65536.
pub fn blowfish_ecb(input: &BlowfishInput) -> Result<BlowfishRun, PortError> {
    META.offers(input.game)?;
    let key = whole(&input.key, "key", 56)?;
    if key.is_empty() {
        return Err(PortError::invalid("key", "truncated: needs at least one byte"));
    }
    let mut output = whole(&input.data, "data", MAX_DATA)?;
    if !output.len().is_multiple_of(8) {
        return Err(PortError::invalid("data", "truncated: the last block is not whole"));
    }
    Blowfish::new(&key).apply(&mut output, input.direction == Direction::Decrypt);
    Ok(BlowfishRun {
        key_len: key.len() as u32,
        blocks: (output.len() / 8) as u32,
        output_hex: hex(&output),
        output,
    })
}
