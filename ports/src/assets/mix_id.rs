//! `mix_id`: the number that an archive's index has in place of a file's name.

use super::{hex, whole, yr};
use crate::math::compute_crc32::{Crc32Input, compute_crc32};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "mix_id",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "The 32-bit id that a MIX index has for a file name, by the classic rule or the one of TS and later.",
    aliases: &[
        "MIX id",
        "file name hash",
        "name to id",
        "index entry",
        "Calculate_CRC",
        "Obfuscate",
        "MixFileClass",
        "file CRC",
    ],
    units: "a name in, an unsigned and a signed 32-bit number out",
    example: r#"{"name":"rules.ini"}"#,
};

/// The port.
pub static PORT: FnPort<MixIdInput, MixId> = FnPort::new(&META, mix_id);

/// How a name becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IdRule {
    /// TD and RA1: rotate and add.
    Classic,
    /// TS, RA2 and YR: CRC-32 with a filled tail.
    Ts,
}

/// A name: exactly one of `name` and `data`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixIdInput {
    /// Game whose rule is used unless `rule` says otherwise. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file name, at most 260 ASCII characters; letters count as capitals, folders are not taken off.
    #[schemars(length(max = 260))]
    pub name: Option<String>,
    /// The same as `"hex:…"`, `"base64:…"` or a named source, at most 260 bytes.
    pub data: Option<Bytes>,
    /// The rule; default that of the game: classic for TD and RA1, ts for the others.
    pub rule: Option<IdRule>,
}

/// An id and what was hashed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MixId {
    /// The rule used (classic.1, ts.1).
    pub rule: IdRule,
    /// Bytes of the name.
    pub length: u32,
    /// The capitals with their filling, as hexadecimal digits (case.1, classic.1, ts.1).
    pub padded_hex: String,
    /// The id (classic.1, ts.1).
    pub id_u32: u32,
    /// The same number signed, which is how an index is sorted.
    pub id_i32: i32,
}

const MAX_NAME: u64 = 260;

/// Computes an id.
///
/// # Errors
/// `EINVAL` for none or both of `name` and `data`; `EOPNOTSUPP` for a byte above 127, whose capital depends on the code
/// page; `EFBIG` for more than 260 bytes.
pub fn mix_id(input: &MixIdInput) -> Result<MixId, PortError> {
    META.offers(input.game)?;
    let (field, bytes) = match (&input.name, &input.data) {
        (Some(name), None) => ("name", Bytes::Inline(name.as_bytes().into())),
        (None, Some(data)) => ("data", data.clone()),
        (None, None) => return Err(PortError::invalid("name", "is needed, or `data`")),
        (Some(_), Some(_)) => return Err(PortError::invalid("data", "give either `name` or `data`")),
    };
    let name = whole(&bytes, field, MAX_NAME)?;
    if !name.is_ascii() {
        return Err(PortError::unsupported(field, "unsupported: a byte above 127 depends on the code page"));
    }
    let ancestor = matches!(input.game, Game::Td | Game::Ra1);
    let rule = input.rule.unwrap_or(if ancestor { IdRule::Classic } else { IdRule::Ts });
    let (padded, id) = id_of(&name, rule)?;
    Ok(MixId { rule, length: name.len() as u32, padded_hex: hex(&padded), id_u32: id, id_i32: id as i32 })
}

/// What is hashed, and the id.
///
/// # Errors
/// None for names of at most 4096 bytes.
pub fn id_of(name: &[u8], rule: IdRule) -> Result<(Vec<u8>, u32), PortError> {
    let mut padded = name.to_ascii_uppercase();
    match rule {
        IdRule::Classic => {
            padded.resize(name.len().next_multiple_of(4), 0);
            let words = padded.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
            let id = words.fold(0_u32, |id, word| id.rotate_left(1).wrapping_add(word));
            Ok((padded, id))
        }
        IdRule::Ts => {
            let stream = Crc32Input { game: Game::Yr, bytes: Some(padded.clone()), data: None };
            let crc = compute_crc32(&stream)?;
            if let Some(filled) = crc.filled {
                padded.truncate(name.len() & !3);
                padded.extend(filled);
            }
            Ok((padded, crc.crc))
        }
    }
}
