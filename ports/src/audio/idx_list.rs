//! `idx_list`: the index of an audio bag.

use super::yr;
use crate::assets::source::{Source, fault, text, unsupported};
use assay_model::{Area, Bytes, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Metadata.
pub static META: Meta = Meta {
    name: "idx_list",
    area: Area::Audio,
    kind: Kind::Inspect,
    games: &[Game::Ra2, Game::Yr],
    summary: "Names, places, rates and codecs of the sounds that an IDX file lists for its audio bag.",
    aliases: &["IDX", "audio.idx", "GABA", "audio bag index", "sound archive", "sound names", "audiomd"],
    units: "offsets and sizes in bytes, rates in hertz",
    example: r#"{"bytes":"hex:474142410200000001000000626565700000000000000000000000000000000006000000225600000c00000006000000"}"#,
};

/// The port.
pub static PORT: FnPort<IdxListInput, IdxList> = FnPort::new(&META, idx_list);

/// Bytes of the header and of a name.
const HEADER: u64 = 12;
const NAME: u64 = 16;
/// Most entries of one index.
const MAX_ENTRIES: u32 = 65_535;

/// An index.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdxListInput {
    /// Game that reads it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file: at most 65535 entries of 36 bytes (version 2) or 32 (version 1).
    pub bytes: Bytes,
    /// Length of the bag in bytes; entries that leave it are refused. Default: any.
    #[serde(default)]
    pub bag_size: Option<u64>,
}

/// What an index lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct IdxList {
    /// 2, or 1 without the column `chunk` (header.1, old.1).
    pub version: u32,
    /// Number of entries (header.1).
    pub count: u32,
    /// Whether names go up, letters of either case alike; the game sorts them anyway.
    pub sorted: bool,
    /// Entries whose name an earlier one has, letters of either case alike.
    pub repeated: u32,
    /// Names that fill their 16 bytes without a 0 (entry.1).
    pub unterminated: u32,
    /// Names with other bytes than 0 behind their first 0, left over from longer names.
    pub left_over: u32,
    /// End of the entry that reaches farthest into the bag.
    pub reach: u64,
    /// What the result reaches of uncertain readings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
    /// The entries in order.
    pub entries: Vec<IdxEntry>,
}

/// How the samples of an entry are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Coding {
    /// 16-bit samples as they are.
    Pcm16,
    /// Blocks of IMA ADPCM.
    ImaAdpcm,
    /// Flags that no file has.
    Unknown,
}

/// A sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IdxEntry {
    /// Its name, one character a byte (entry.1).
    pub name: String,
    /// Where it begins in the bag (entry.1).
    pub offset: u32,
    /// Its bytes there (entry.1).
    pub size: u32,
    /// Samples a second of one channel, in hertz (entry.1).
    pub rate: u32,
    /// The flags as they are (flags.1).
    pub flags: u32,
    /// 1 or 2 (flags.1).
    pub channels: u8,
    /// How it is stored (flags.1).
    pub coding: Coding,
    /// Bytes of a block of IMA ADPCM; 0 otherwise, and in version 1 (chunk.1).
    pub chunk: u32,
}

impl IdxEntry {
    /// Reads the flags: 1 stereo, 2 plain, 4 sixteen bits, 8 IMA ADPCM.
    fn coded(mut self) -> Self {
        self.channels = 1 + (self.flags & 1) as u8;
        self.coding = match self.flags & !1 {
            6 => Coding::Pcm16,
            8 | 12 => Coding::ImaAdpcm,
            _ => Coding::Unknown,
        };
        self
    }
}

/// Lists an index.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic`, `bad_count` (too many entries), `size_mismatch` (another length than
/// the count gives, or blocks too short for their channels); at `bag_size`, `offset_out_of_range`. `EFBIG` beyond 64 MiB;
/// `EOPNOTSUPP` for other versions, which are of other games, for version 1 but in YR, and at `game`.
pub fn idx_list(input: &IdxListInput) -> Result<IdxList, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let (version, count) = header(&source, input.game)?;
    let stride = if version == 1 { 32 } else { 36 };
    let length = HEADER + stride * u64::from(count);
    if length != source.length() {
        let message = format!("{count} entries take {length} bytes, not {}", source.length());
        return Err(fault("size_mismatch", message));
    }
    let mut list = IdxList { version, count, sorted: true, ..IdxList::default() };
    if version == 1 {
        list.caveats.push(Caveat::new("old.1", "no index of version 1 was ever seen"));
    }
    let (mut names, mut before) = (BTreeSet::new(), String::new());
    for number in 0..u64::from(count) {
        let entry = entry(&source, HEADER + stride * number, version, &mut list)?;
        let name = entry.name.to_ascii_lowercase();
        list.reach = list.reach.max(u64::from(entry.offset) + u64::from(entry.size));
        list.sorted &= before <= name;
        before.clone_from(&name);
        list.repeated += u32::from(!names.insert(name));
        list.entries.push(entry);
    }
    if let Some(bag) = input.bag_size.filter(|bag| list.reach > *bag) {
        let message =
            format!("offset_out_of_range: the entries reach {}, the bag has {bag} bytes", list.reach);
        return Err(PortError::invalid("bag_size", message));
    }
    Ok(list)
}

fn header(source: &Source, game: Game) -> Result<(u32, u32), PortError> {
    if source.part(0, HEADER)?.starts_with(b"GABA") {
        let (version, count) = (source.u32(4)?, source.u32(8)?);
        return match (version, game) {
            (2, _) | (1, Game::Yr) if count <= MAX_ENTRIES => Ok((version, count)),
            (2, _) | (1, Game::Yr) => {
                Err(fault("bad_count", format!("{count} entries, at most {MAX_ENTRIES} are read")))
            }
            _ => Err(unsupported(format!("an index of version {version} in {game}"))),
        };
    }
    Err(fault("bad_magic", "the file does not begin with GABA"))
}

fn entry(source: &Source, at: u64, version: u32, list: &mut IdxList) -> Result<IdxEntry, PortError> {
    let field = source.part(at, NAME)?;
    match field.iter().position(|byte| *byte == 0) {
        None => list.unterminated += 1,
        Some(end) => list.left_over += u32::from(field[end..].iter().any(|byte| *byte != 0)),
    }
    let word = |number: u64| source.u32(at + NAME + 4 * number);
    let entry = IdxEntry {
        name: text(field),
        offset: word(0)?,
        size: word(1)?,
        rate: word(2)?,
        flags: word(3)?,
        channels: 1,
        coding: Coding::Unknown,
        chunk: if version == 1 { 0 } else { word(4)? },
    };
    let entry = entry.coded();
    let least = 4 * u32::from(entry.channels);
    if version == 2 && entry.coding == Coding::ImaAdpcm && entry.chunk < least {
        let message = format!("{:?} has blocks of {} bytes, the least is {least}", entry.name, entry.chunk);
        return Err(fault("size_mismatch", message));
    }
    Ok(entry)
}
