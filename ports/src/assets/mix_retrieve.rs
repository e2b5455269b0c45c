//! `mix_retrieve`: one file out of an archive, by name or id.

use super::mix_id::{IdRule, id_of};
use super::mix_list::{Layout, MixList, MixListInput, mix_list};
use super::sha1::sha1;
use super::{MAX_INPUT, artefact, hex, whole, yr};
use assay_model::{Area, Bytes, Errno, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "mix_retrieve",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Bytes of one file of a MIX archive, found by its name under either rule, or by its id.",
    aliases: &[
        "extract file",
        "read from archive",
        "Retrieve",
        "CCFileClass",
        "MIX extract",
        "unpack archive",
    ],
    units: "bytes in, bytes out; offsets and sizes in bytes",
    example: r#"{"bytes":"hex:020005000000d65ca8b00000000002000000d85ca8b002000000030000006869796f21","name":"a.txt"}"#,
};

/// The port.
pub static PORT: FnPort<MixRetrieveInput, MixRetrieve> =
    FnPort::new(&META, mix_retrieve).attaching(|found| vec![artefact("file", &found.output)]);

/// An archive and a file: exactly one of `name`, `data` and `id`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixRetrieveInput {
    /// Game whose archive it is; the layout tells the rule. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The archive as `"hex:…"`, `"base64:…"` or a named source.
    pub bytes: Bytes,
    /// The file's name, at most 260 ASCII characters.
    #[schemars(length(max = 260))]
    pub name: Option<String>,
    /// The name as bytes, at most 260.
    pub data: Option<Bytes>,
    /// The file's id, 0 to 4294967295.
    pub id: Option<u32>,
    /// The rule that makes the id. Default: classic for a classic archive; for one with flags ts, and if nothing is
    /// found, classic.
    pub rule: Option<IdRule>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MixRetrieve {
    /// The id that was found (find.1).
    pub id: u32,
    /// The rule that made it; left out when the id was given (rule.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<IdRule>,
    /// Number of the entry, from 0: the first of that id (find.1).
    pub entry: u32,
    /// First byte, counted from the body.
    pub offset: u32,
    /// First byte, counted from the start of the archive (place.1).
    pub position: u64,
    /// Bytes.
    pub size: u32,
    /// SHA-1 of the bytes, 40 hexadecimal digits.
    pub sha1: String,
    /// The bytes; go out as an attachment.
    #[serde(skip)]
    pub output: Vec<u8>,
}

/// Finds a file and takes it out.
///
/// # Errors
/// `EINVAL` at `bytes` for an index that is none, by the names of `mix_list`, and `truncated` for a file that is cut off; at `name`
/// or `data` unless exactly one of `name`, `data` and `id` is given; `ENOENT`, `not_found`, for a file that is not there; `EFBIG`,
/// `output_overrun`, for one above 32 MiB, and for a name above 260 bytes; `EOPNOTSUPP`, `unsupported`, for a byte of the
/// name above 127.
pub fn mix_retrieve(input: &MixRetrieveInput) -> Result<MixRetrieve, PortError> {
    META.offers(input.game)?;
    let (field, name) = wanted(input)?;
    let list = mix_list(&MixListInput { game: input.game, bytes: input.bytes.clone(), strict: false })?;
    let rules: &[IdRule] = match (input.rule, list.kind) {
        (Some(IdRule::Ts), _) => &[IdRule::Ts],
        (Some(IdRule::Classic), _) | (None, Layout::Classic) => &[IdRule::Classic],
        (None, Layout::Flagged) => &[IdRule::Ts, IdRule::Classic],
    };
    let mut found = None;
    if let Some(name) = name {
        for rule in rules {
            let id = id_of(&name, *rule)?.1;
            found = found.or(position(&list, id).map(|entry| (entry, Some(*rule))));
        }
    } else {
        found = input.id.and_then(|id| position(&list, id)).map(|entry| (entry, None));
    }
    let Some((entry, rule)) = found else {
        let message = "not_found: the index has no such entry".to_owned();
        return Err(PortError { errno: Errno::Enoent, field: field.to_owned(), message });
    };
    take(input, &list, entry, rule)
}

/// The argument that names the file, and the name unless it is an id.
fn wanted(input: &MixRetrieveInput) -> Result<(&'static str, Option<Vec<u8>>), PortError> {
    let (field, bytes) = match (&input.name, &input.data, input.id) {
        (Some(name), None, None) => ("name", Bytes::Inline(name.as_bytes().into())),
        (None, Some(data), None) => ("data", data.clone()),
        (None, None, Some(_)) => return Ok(("id", None)),
        _ => return Err(PortError::invalid("name", "give exactly one of `name`, `data` and `id`")),
    };
    let name = whole(&bytes, field, 260)?;
    if !name.is_ascii() {
        return Err(PortError::unsupported(field, "unsupported: a byte above 127 depends on the code page"));
    }
    Ok((field, Some(name)))
}

fn position(list: &MixList, id: u32) -> Option<usize> {
    list.entries.iter().position(|entry| entry.id == id)
}

fn take(
    input: &MixRetrieveInput,
    list: &MixList,
    number: usize,
    rule: Option<IdRule>,
) -> Result<MixRetrieve, PortError> {
    let entry = list.entries[number];
    let position = list.body_offset + u64::from(entry.offset);
    if u64::from(entry.size) > MAX_INPUT {
        let message = format!("output_overrun: the file has {} bytes, more than {MAX_INPUT}", entry.size);
        return Err(PortError { errno: Errno::Efbig, field: "bytes".to_owned(), message });
    }
    if position + u64::from(entry.size) > input.bytes.length() {
        return Err(PortError::invalid("bytes", "truncated: the archive ends inside the file"));
    }
    let output = input.bytes.range(position, entry.size as usize)?;
    Ok(MixRetrieve {
        id: entry.id,
        rule,
        entry: number as u32,
        offset: entry.offset,
        position,
        size: entry.size,
        sha1: hex(&sha1(&output)),
        output,
    })
}
