//! `mix_list`: the index of an archive of any layout.

use super::blowfish::Blowfish;
use super::{mix_key, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "mix_list",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Index of a MIX archive of any layout, decrypted when needed: flags, entries, order, overlaps, what is left over.",
    aliases: &[
        "MIX",
        "mmx",
        "yro",
        "archive index",
        "MixFileClass",
        "list archive",
        "encrypted MIX",
        "file table",
    ],
    units: "bytes in; offsets and sizes in bytes, ids as unsigned 32-bit numbers",
    example: r#"{"bytes":"hex:020005000000d65ca8b00000000002000000d85ca8b002000000030000006869796f21"}"#,
};

/// The port.
pub static PORT: FnPort<MixListInput, MixList> = FnPort::new(&META, mix_list);

/// An archive.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixListInput {
    /// Game whose archive it is; the layout tells itself. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The archive as `"hex:…"`, `"base64:…"` or a named source; only the header and index are read.
    pub bytes: Bytes,
    /// Whether a file that is longer or shorter than its header says is refused; default false: a warning.
    #[serde(default)]
    pub strict: bool,
}

/// A layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Count first, no flags: TD and early RA1.
    Classic,
    /// Flags first.
    Flagged,
}

/// One file of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Id of the name.
    pub id: u32,
    /// First byte, counted from the body.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// What an index says.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MixList {
    /// The layout (layout.1).
    pub kind: Layout,
    /// The flags, 0 for a classic archive (flags.1).
    pub flags: u32,
    /// Flags that nobody knows (flags.1).
    pub unknown_flags: u32,
    /// Whether the index was encrypted (crypt.1).
    pub encrypted: bool,
    /// Whether a SHA-1 of the body follows it (flags.1).
    pub has_checksum: bool,
    /// Number of entries.
    pub count: u32,
    /// Offset of the body in the file (body.1).
    pub body_offset: u64,
    /// Bytes of the body, as stated.
    pub body_size: u32,
    /// Bytes of the file beyond what the header accounts for; negative when it is too short (body.1).
    pub trailing: i64,
    /// Whether ids rise as signed numbers, which the games' search needs (order.1).
    pub sorted_signed: bool,
    /// Entries whose id an earlier one has (order.1).
    pub duplicates: u32,
    /// Entries that begin inside an earlier one, by offset (overlap.1).
    pub overlaps: u32,
    /// Largest power of two up to 16 that divides every offset (overlap.1).
    pub alignment: u32,
    /// What is odd but no error: `unknown_flags`, `size_mismatch`, `unsorted`, `duplicate_ids`, `overlap`.
    pub warnings: Vec<String>,
    /// The entries in file order.
    pub entries: Vec<Entry>,
}

const CHECKSUM: u32 = 0x0001_0000;
const ENCRYPTED: u32 = 0x0002_0000;

fn refuse<T>(name: &str, what: &str) -> Result<T, PortError> {
    Err(PortError::invalid("bytes", format!("{name}: {what}")))
}

/// Lists an archive.
///
/// # Errors
/// `EINVAL` at `bytes`: `truncated` header, key or index, `offset_out_of_range` for an entry past the body, and with
/// `strict` `size_mismatch`.
pub fn mix_list(input: &MixListInput) -> Result<MixList, PortError> {
    META.offers(input.game)?;
    let bytes = &input.bytes;
    let start = header(bytes, 0, 4)?;
    let first = u32_at(&start, 0);
    let classic = first & 0xFFFF != 0;
    let flags = if classic { 0 } else { first };
    let encrypted = flags & ENCRYPTED != 0;
    let (index, body_offset) = index(bytes, classic, encrypted)?;
    let body_size = u32_at(&index, 2);
    let entries: Vec<Entry> = index[6..].as_chunks::<12>().0.iter().map(entry_of).collect();
    let beyond = |entry: &Entry| u64::from(entry.offset) + u64::from(entry.size) > u64::from(body_size);
    if let Some(number) = entries.iter().position(beyond) {
        return refuse("offset_out_of_range", &format!("entry {number} ends beyond the body"));
    }
    let has_checksum = flags & CHECKSUM != 0;
    let accounted = body_offset + u64::from(body_size) + if has_checksum { 20 } else { 0 };
    let trailing = bytes.length() as i64 - accounted as i64;
    if input.strict && trailing != 0 {
        return refuse("size_mismatch", &format!("the header accounts for {accounted} bytes"));
    }
    let sorted_signed = entries.is_sorted_by_key(|entry| entry.id as i32);
    let mut list = MixList {
        kind: if classic { Layout::Classic } else { Layout::Flagged },
        flags,
        unknown_flags: flags & !(CHECKSUM | ENCRYPTED),
        encrypted,
        has_checksum,
        count: entries.len() as u32,
        body_offset,
        body_size,
        trailing,
        sorted_signed,
        duplicates: duplicates(&entries, sorted_signed),
        overlaps: overlaps(&entries),
        alignment: 1 << entries.iter().fold(16, |all, entry| all | entry.offset).trailing_zeros(),
        warnings: Vec::new(),
        entries,
    };
    list.warnings = warnings(&list);
    Ok(list)
}

/// The count, the body's size and the entries as plain bytes, and where the body starts.
fn index(bytes: &Bytes, classic: bool, encrypted: bool) -> Result<(Vec<u8>, u64), PortError> {
    if encrypted {
        let source = header(bytes, 4, 80)?;
        let (first, second) = source.split_at(40);
        let cipher = Blowfish::new(&mix_key::key_of(first, second).0);
        let mut block = header(bytes, 84, 8)?;
        cipher.apply(&mut block, true);
        let length = 6 + 12 * usize::from(u16_at(&block));
        let mut index = header(bytes, 84, length.next_multiple_of(8))?;
        let body = 84 + index.len() as u64;
        cipher.apply(&mut index, true);
        index.truncate(length);
        return Ok((index, body));
    }
    let at = if classic { 0 } else { 4 };
    let count = u16_at(&header(bytes, at, 6)?);
    let index = header(bytes, at, 6 + 12 * usize::from(count))?;
    let body = at + index.len() as u64;
    Ok((index, body))
}

fn header(bytes: &Bytes, at: u64, length: usize) -> Result<Vec<u8>, PortError> {
    if bytes.length() < at + length as u64 {
        return refuse("truncated", &format!("{length} bytes are needed at {at}"));
    }
    bytes.range(at, length)
}

/// A number out of bytes that were checked to be there.
fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

fn u16_at(bytes: &[u8]) -> u16 {
    bytes.first_chunk().map_or(0, |word| u16::from_le_bytes(*word))
}

fn entry_of(entry: &[u8; 12]) -> Entry {
    Entry { id: u32_at(entry, 0), offset: u32_at(entry, 4), size: u32_at(entry, 8) }
}

/// Entries whose id an earlier one has. In a list that rises, as the games write them, those are neighbours.
fn duplicates(entries: &[Entry], sorted: bool) -> u32 {
    let mut ids: Vec<u32> = entries.iter().map(|entry| entry.id).collect();
    if !sorted {
        ids.sort_unstable();
    }
    ids.windows(2).filter(|pair| pair[0] == pair[1]).count() as u32
}

/// Entries that begin inside an earlier one. Bodies mostly follow in the order of the index, and then nothing is sorted.
fn overlaps(entries: &[Entry]) -> u32 {
    let bodies = entries.iter().filter(|entry| entry.size > 0);
    if entries.is_sorted_by_key(|entry| entry.offset) {
        return overlaps_in_order(bodies);
    }
    let mut bodies: Vec<&Entry> = bodies.collect();
    bodies.sort_unstable_by_key(|entry| entry.offset);
    overlaps_in_order(bodies)
}

fn overlaps_in_order<'a>(bodies: impl IntoIterator<Item = &'a Entry>) -> u32 {
    let (mut end, mut found) = (0, 0);
    for body in bodies {
        let start = u64::from(body.offset);
        found += u32::from(start < end);
        end = end.max(start + u64::from(body.size));
    }
    found
}

fn warnings(list: &MixList) -> Vec<String> {
    let all = [
        (list.unknown_flags != 0, "unknown_flags"),
        (list.trailing != 0, "size_mismatch"),
        (!list.sorted_signed, "unsorted"),
        (list.duplicates > 0, "duplicate_ids"),
        (list.overlaps > 0, "overlap"),
    ];
    all.into_iter().filter(|(odd, _)| *odd).map(|(_, name)| name.to_owned()).collect()
}
