//! `csf_decode`: a string table to labels and texts.

use super::crc::crc32;
use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Metadata.
pub static META: Meta = Meta {
    name: "csf_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ra2, Game::Yr],
    summary: "Labels and texts of a CSF string table, with repeated labels and broken characters.",
    aliases: &[
        "CSF",
        "string table",
        "ra2md.csf",
        "UIName",
        "WRTS",
        "label",
        "translation",
        "localised text",
    ],
    units: "bytes in, text out, lengths in 16-bit characters",
    example: r#"{"bytes":"hex:204653430300000000000000000000000000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<CsfDecodeInput, CsfDecode> =
    FnPort::new(&META, csf_decode).attaching(|table| attachment("table", &table.data));

/// Bytes of the header.
const HEADER: u64 = 24;
/// Fewest bytes of a label.
const LABEL: u64 = 12;
/// Most labels of a table.
const MAX_LABELS: u32 = 1_000_000;

/// A string table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsfDecodeInput {
    /// Game that reads it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB and 1000000 labels.
    pub bytes: Bytes,
}

/// What a string table holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CsfDecode {
    /// Version: 3, seldom 2 (header.1).
    pub version: u32,
    /// Whether the version is 2 or 3.
    pub known_version: bool,
    /// Number of the language; 0 for versions below 2 (header.1).
    pub language: u32,
    /// Labels by the header, and as many were found (header.1, label.1).
    pub label_count: u32,
    /// Texts by the header, and as many were found (header.1, label.1).
    pub string_count: u32,
    /// Texts with an extra value (extra.1).
    pub extras: u32,
    /// Halves of surrogate pairs that stand alone; `text` shows U+FFFD for them.
    pub unpaired: u32,
    /// Labels whose name an earlier one has as well, in whatever case.
    pub repeated: u32,
    /// Bytes after the last label.
    pub trailing: u64,
    /// CRC-32 of the attachment `table`: of each label its name, 0, its first text in 16-bit characters, 0 0.
    pub crc32: u32,
    /// The labels in the file's order.
    pub labels: Vec<CsfLabel>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// A label and its texts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CsfLabel {
    /// Name, one character a byte; it is looked up without regard to case (label.1).
    pub name: String,
    /// Its texts: one as a rule, none in an empty label (label.1).
    pub strings: Vec<CsfString>,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CsfString {
    /// The text itself (text.1).
    pub text: String,
    /// Its length in 16-bit characters (text.1).
    pub length: u32,
    /// The extra value, which names a sound (extra.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
}

/// Decodes a string table.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic` (the file, a label or a text without its mark), `bad_count` (more
/// labels than the cap or the bytes allow, or another number of texts than the header says). `EFBIG` beyond 64 MiB;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn csf_decode(input: &CsfDecodeInput) -> Result<CsfDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let mut walk = Walk { source: &source, at: 0 };
    walk.mark(b" FSC")?;
    let words = source
        .part(0, HEADER)
        .and_then(|_| Ok((source.u32(4)?, source.u32(8)?, source.u32(12)?, source.u32(20)?)));
    let (version, label_count, string_count, language) = words?;
    if label_count > MAX_LABELS || u64::from(label_count) * LABEL > source.length() - HEADER {
        return Err(fault("bad_count", format!("{label_count} labels in {} bytes", source.length())));
    }
    walk.at = HEADER;
    let mut table = CsfDecode {
        version,
        known_version: matches!(version, 2 | 3),
        language: if version < 2 { 0 } else { language },
        label_count,
        string_count,
        extras: 0,
        unpaired: 0,
        repeated: 0,
        trailing: 0,
        crc32: 0,
        labels: Vec::with_capacity(label_count as usize),
        data: Vec::new(),
    };
    let mut names: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    for _ in 0..label_count {
        let name = walk.label(&mut table)?;
        *names.entry(name.to_ascii_uppercase()).or_default() += 1;
    }
    let found: usize = table.labels.iter().map(|label| label.strings.len()).sum();
    if found as u64 != u64::from(string_count) {
        return Err(fault("bad_count", format!("{found} texts, the header says {string_count}")));
    }
    table.repeated = label_count - names.len() as u32;
    table.trailing = source.length() - walk.at;
    table.crc32 = crc32(&table.data);
    Ok(table)
}

/// A place in the file that moves on.
struct Walk<'a> {
    source: &'a Source,
    at: u64,
}

impl<'a> Walk<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], PortError> {
        let part = self.source.part(self.at, length)?;
        self.at += length;
        Ok(part)
    }

    fn word(&mut self) -> Result<u32, PortError> {
        let word = self.source.u32(self.at)?;
        self.at += 4;
        Ok(word)
    }

    fn mark(&mut self, wanted: &[u8; 4]) -> Result<(), PortError> {
        let at = self.at;
        if self.take(4)? == wanted {
            return Ok(());
        }
        let wanted = String::from_utf8_lossy(wanted);
        Err(fault("bad_magic", format!("no mark {wanted:?} at {at}")))
    }

    /// Reads a label into the table and gives its name.
    fn label(&mut self, table: &mut CsfDecode) -> Result<&'a [u8], PortError> {
        self.mark(b" LBL")?;
        let count = self.word()?;
        let length = self.word()?;
        let name = self.take(u64::from(length))?;
        let mut label = CsfLabel { name: latin(name), strings: Vec::new() };
        table.data.extend_from_slice(name);
        table.data.push(0);
        for index in 0..count {
            let characters = self.string(table, &mut label.strings)?;
            if index == 0 {
                table.data.extend(characters.into_iter().flat_map(u16::to_le_bytes));
            }
        }
        table.data.extend_from_slice(&[0, 0]);
        table.labels.push(label);
        Ok(name)
    }

    /// Reads a text and gives its characters.
    fn string(&mut self, table: &mut CsfDecode, into: &mut Vec<CsfString>) -> Result<Vec<u16>, PortError> {
        let wide = self.source.part(self.at, 4)? == b"WRTS";
        self.mark(if wide { b"WRTS" } else { b" RTS" })?;
        let length = self.word()?;
        let inverted = self.take(u64::from(length) * 2)?;
        let characters: Vec<u16> =
            inverted.chunks_exact(2).map(|pair| !u16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut shown = String::new();
        for character in char::decode_utf16(characters.iter().copied()) {
            table.unpaired += u32::from(character.is_err());
            shown.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let extra = if wide {
            table.extras += 1;
            let length = self.word()?;
            Some(latin(self.take(u64::from(length))?))
        } else {
            None
        };
        into.push(CsfString { text: shown, length, extra });
        Ok(characters)
    }
}

/// One character a byte.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
