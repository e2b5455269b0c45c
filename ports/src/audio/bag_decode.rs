//! `bag_decode`: the samples of one entry of an audio bag.

use super::idx_list::{Coding, IdxEntry, IdxListInput, idx_list};
use super::ima::{MAX_INDEX, State};
use super::{Pcm, attachment, bytes_of, yr};
use crate::assets::source::{capped, unsupported};
use assay_model::{Area, Bytes, Errno, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "bag_decode",
    area: Area::Audio,
    kind: Kind::Decode,
    games: &[Game::Ra2, Game::Yr],
    summary: "Samples of one sound of an audio bag, found by name or number in its IDX index.",
    aliases: &[
        "BAG",
        "audio.bag",
        "audio archive",
        "extract sound",
        "IMA ADPCM block",
        "sound effect",
        "bag to WAV",
    ],
    units: "rate in hertz; samples from -32768 to 32767",
    example: r#"{"index":"hex:474142410200000001000000626565700000000000000000000000000000000006000000225600000c00000006000000","bag":"hex:640000007008","name":"beep"}"#,
};

/// The port.
pub static PORT: FnPort<BagDecodeInput, BagDecode> =
    FnPort::new(&META, bag_decode).attaching(|sound| attachment(&sound.data));

/// A bag, its index, and the sound that is wanted: `name` or `entry`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BagDecodeInput {
    /// Game that plays it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The index, an IDX file.
    pub index: Bytes,
    /// The bag; only the sound itself is read from it, at most 16 MiB of ADPCM or 64 MiB of plain samples.
    pub bag: Bytes,
    /// Name of the sound, at most 16 letters of either case. The first entry of that name is taken.
    #[serde(default)]
    #[schemars(length(max = 16))]
    pub name: Option<String>,
    /// Number of its entry, from 0.
    #[serde(default)]
    pub entry: Option<u32>,
}

/// A sound of a bag.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BagDecode {
    /// Number of its entry, from 0 (find.1).
    pub number: u32,
    /// Its entry.
    pub entry: IdxEntry,
    /// Bits of a decoded sample: 16.
    pub bits: u8,
    /// Blocks of ADPCM (block.1).
    pub blocks: u32,
    /// Bytes of blocks in stereo that make no whole group (stereo.1).
    pub unread: u32,
    /// The samples in numbers.
    pub pcm: Pcm,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Decodes a sound.
///
/// # Errors
/// As `idx_list` for the index, at `index`. `EINVAL` at `name` unless exactly one of `name` and `entry` is given; at `bag`, by
/// name: `offset_out_of_range` (the entry leaves the bag), `truncated` (a block too short to begin), `bad_preamble` (its index
/// above 88, or its fourth byte not 0), `size_mismatch` (plain samples that are cut). `ENOENT` at `name` or `entry`. `EFBIG`
/// beyond the caps; `EOPNOTSUPP` for flags that no file has, for an ADPCM entry of version 1, and at `game`.
pub fn bag_decode(input: &BagDecodeInput) -> Result<BagDecode, PortError> {
    META.offers(input.game)?;
    let bytes = input.index.clone();
    let list = idx_list(&IdxListInput { game: input.game, bytes, bag_size: None });
    let list = list.map_err(|refused| at("index", refused))?;
    let number = wanted(input, &list.entries)?;
    let entry = list.entries[number].clone();
    if u64::from(entry.offset) + u64::from(entry.size) > input.bag.length() {
        let message = format!("offset_out_of_range: {:?} ends beyond the bag", entry.name);
        return Err(PortError::invalid("bag", message));
    }
    capped(entry.size.into()).map_err(|refused| at("bag", refused))?;
    let bytes = input.bag.range(u64::from(entry.offset), entry.size as usize)?;
    let mut sound = Blocks::default();
    match entry.coding {
        Coding::Pcm16 => sound.plain(&bytes, entry.channels)?,
        Coding::ImaAdpcm if entry.chunk > 0 => sound.adpcm(&bytes, &entry)?,
        _ => {
            let message = format!("flags {} with blocks of {} bytes", entry.flags, entry.chunk);
            return Err(at("bag", unsupported(message)));
        }
    }
    let data = bytes_of(&sound.samples);
    let pcm = Pcm::of(&sound.samples, &data, sound.clamped);
    let (blocks, unread) = (sound.blocks, sound.unread);
    Ok(BagDecode { number: number as u32, entry, bits: 16, blocks, unread, pcm, data })
}

/// The same refusal of another argument.
fn at(field: &str, refused: PortError) -> PortError {
    PortError { field: field.to_owned(), ..refused }
}

fn wanted(input: &BagDecodeInput, entries: &[IdxEntry]) -> Result<usize, PortError> {
    let (field, found) = match (&input.name, input.entry) {
        (Some(name), None) => {
            ("name", entries.iter().position(|entry| entry.name.eq_ignore_ascii_case(name)))
        }
        (None, Some(entry)) => ("entry", Some(entry as usize).filter(|entry| *entry < entries.len())),
        _ => return Err(PortError::invalid("name", "give exactly one of `name` and `entry`")),
    };
    found.ok_or_else(|| PortError {
        errno: Errno::Enoent,
        field: field.to_owned(),
        message: "not_found: the index has no such entry".to_owned(),
    })
}

fn wrong(name: &str, message: &str) -> PortError {
    PortError::invalid("bag", format!("{name}: {message}"))
}

/// Samples on their way out.
#[derive(Default)]
struct Blocks {
    samples: Vec<i16>,
    blocks: u32,
    unread: u32,
    clamped: u64,
}

impl Blocks {
    fn plain(&mut self, bytes: &[u8], channels: u8) -> Result<(), PortError> {
        if !bytes.len().is_multiple_of(2 * usize::from(channels)) {
            return Err(wrong("size_mismatch", "the samples are cut"));
        }
        self.samples = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(())
    }

    fn adpcm(&mut self, bytes: &[u8], entry: &IdxEntry) -> Result<(), PortError> {
        // A byte is two samples of two bytes.
        capped((bytes.len() as u64).saturating_mul(4)).map_err(|refused| at("bag", refused))?;
        for block in bytes.chunks(entry.chunk as usize) {
            self.blocks += 1;
            let (mut left, rest) = preamble(block)?;
            self.samples.push(left.predictor);
            if entry.channels == 1 {
                self.samples.extend(rest.iter().flat_map(|byte| left.byte(*byte)));
                self.clamped += left.clamped;
                continue;
            }
            let (mut right, rest) = preamble(rest)?;
            self.samples.push(right.predictor);
            let groups = rest.chunks_exact(8);
            self.unread += groups.remainder().len() as u32;
            for group in groups {
                let (first, second) = group.split_at(4);
                for (one, other) in first.iter().zip(second) {
                    let pairs = left.byte(*one).into_iter().zip(right.byte(*other));
                    self.samples.extend(pairs.flat_map(|(left, right)| [left, right]));
                }
            }
            self.clamped += left.clamped + right.clamped;
        }
        Ok(())
    }
}

/// How a channel of a block begins: its first sample, its index, 0 (block.1).
fn preamble(block: &[u8]) -> Result<(State, &[u8]), PortError> {
    let Some((&[low, high, index, zero], rest)) = block.split_first_chunk() else {
        return Err(wrong("truncated", "a block is too short to begin"));
    };
    if index > MAX_INDEX || zero != 0 {
        return Err(wrong("bad_preamble", &format!("a block begins with index {index} and {zero}")));
    }
    Ok((State { predictor: i16::from_le_bytes([low, high]), index, clamped: 0 }, rest))
}
