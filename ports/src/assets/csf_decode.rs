//! `csf_decode`: a string table to labels and texts.

use super::crc::crc32;
use super::csf_fold::{self, fold};
use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
/// Fewest bytes of a text.
const STRING: u64 = 8;
/// Most labels of a table, and most texts.
const MOST: u32 = 1_000_000;
/// Most repeated names that are listed.
const LISTED: usize = 256;

/// A string table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsfDecodeInput {
    /// Game that reads it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB, 1000000 labels and 1000000 texts.
    pub bytes: Bytes,
    /// Whether texts are shown without the blanks that the loader of YR drops, as `csf_fold` has them (fold.1). Default false.
    #[serde(default)]
    pub fold: bool,
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
    /// Labels by the header, and as many were found: at most 1000000 (header.1, label.1).
    pub label_count: u32,
    /// Texts by the header, and as many were found: at most 1000000 (header.1, label.1).
    pub string_count: u32,
    /// Texts with an extra value (extra.1).
    pub extras: u32,
    /// Halves of surrogate pairs that stand alone; `text` shows U+FFFD for them.
    pub unpaired: u32,
    /// Labels whose name an earlier one has as well, in whatever case (label.1).
    pub repeated: u32,
    /// The first 256 names that more than one label has, in the order of their first labels; left out without one (label.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, length(max = 256))]
    pub repeats: Vec<CsfRepeat>,
    /// Bytes after the last label.
    pub trailing: u64,
    /// CRC-32 of the attachment `table`: of each label its name, 0, its first text as it stands in the file, in 16-bit
    /// characters, 0 0.
    pub crc32: u32,
    /// The labels in the file's order.
    pub labels: Vec<CsfLabel>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// A name that more than one label has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CsfRepeat {
    /// The name as the first of them has it.
    pub name: String,
    /// Labels of that name, in whatever case: 2 or more.
    pub count: u32,
    /// Place of the first of them in `labels`, from 0.
    pub first: u32,
    /// Place of the last of them.
    pub last: u32,
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
    /// The text itself (text.1), folded where that is asked for (fold.1).
    pub text: String,
    /// Its length in the file in 16-bit characters (text.1).
    pub length: u32,
    /// The extra value, which names a sound (extra.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
}

/// Decodes a string table.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic` (the file, a label or a text without its mark), `bad_count` (more
/// labels or texts than the caps or the bytes allow, or another number of texts than the header says). `EFBIG` beyond
/// 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence, and at `fold` for one whose loader was not read.
pub fn csf_decode(input: &CsfDecodeInput) -> Result<CsfDecode, PortError> {
    META.offers(input.game)?;
    if input.fold && !csf_fold::META.games.contains(&input.game) {
        return Err(PortError::unsupported("fold", format!("how {} folds blanks was not read", input.game)));
    }
    let source = Source::read(&input.bytes)?;
    let mut table = header(&source)?;
    let mut walk = Walk { source: &source, at: HEADER, fold: input.fold, left: table.string_count };
    let mut names = Vec::with_capacity(table.label_count as usize);
    for _ in 0..table.label_count {
        names.push(walk.label(&mut table)?);
    }
    if walk.left > 0 {
        let message = format!("{} texts of the {} in the header are missing", walk.left, table.string_count);
        return Err(fault("bad_count", message));
    }
    (table.repeated, table.repeats) = repeats(&names, &table.labels);
    table.trailing = source.length() - walk.at;
    table.crc32 = crc32(&table.data);
    Ok(table)
}

/// Reads the header, and refuses counts that the file cannot hold before anything is made of them.
fn header(source: &Source) -> Result<CsfDecode, PortError> {
    if source.part(0, 4)? != b" FSC" {
        return Err(fault("bad_magic", "no mark \" FSC\" at 0"));
    }
    source.part(0, HEADER)?;
    let (version, labels, strings) = (source.u32(4)?, source.u32(8)?, source.u32(12)?);
    let language = source.u32(20)?;
    let least = u64::from(labels) * LABEL + u64::from(strings) * STRING;
    if labels.max(strings) > MOST || least > source.length() - HEADER {
        let message =
            format!("{labels} labels and {strings} texts in {} bytes, at most {MOST}", source.length());
        return Err(fault("bad_count", message));
    }
    Ok(CsfDecode {
        version,
        known_version: matches!(version, 2 | 3),
        language: if version < 2 { 0 } else { language },
        label_count: labels,
        string_count: strings,
        extras: 0,
        unpaired: 0,
        repeated: 0,
        repeats: Vec::new(),
        trailing: 0,
        crc32: 0,
        labels: Vec::with_capacity(labels as usize),
        data: Vec::new(),
    })
}

/// Labels whose name an earlier one has, and the first names of which there are more than one.
fn repeats(names: &[&[u8]], labels: &[CsfLabel]) -> (u32, Vec<CsfRepeat>) {
    let mut keys: Vec<(Vec<u8>, u32)> =
        names.iter().zip(0..).map(|(name, place)| (name.to_ascii_uppercase(), place)).collect();
    keys.sort_unstable();
    let alike = keys.chunk_by(|one, other| one.0 == other.0).filter_map(|alike| match alike {
        [first, .., last] => Some((first.1, last.1, alike.len() as u32)),
        _ => None,
    });
    let mut alike: Vec<(u32, u32, u32)> = alike.collect();
    alike.sort_unstable();
    let repeated = alike.iter().map(|(_, _, count)| count - 1).sum();
    let listed = alike.into_iter().take(LISTED).map(|(first, last, count)| {
        let name = labels[first as usize].name.clone();
        CsfRepeat { name, count, first, last }
    });
    (repeated, listed.collect())
}

/// A place in the file that moves on.
struct Walk<'a> {
    source: &'a Source,
    at: u64,
    /// Whether texts are folded.
    fold: bool,
    /// Texts that the header still leaves.
    left: u32,
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
        let at = self.at;
        self.mark(b" LBL")?;
        let count = self.word()?;
        let length = self.word()?;
        let name = self.take(u64::from(length))?;
        // Before the texts are walked: a text of nothing costs eight bytes of file, and far more of memory.
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            let said = table.string_count;
            fault(
                "bad_count",
                format!("the label at {at} has {count} texts, {} of {said} are left", self.left),
            )
        })?;
        let mut label = CsfLabel { name: latin(name), strings: Vec::with_capacity(count as usize) };
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
        if self.fold {
            shown = fold(&shown).folded;
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
