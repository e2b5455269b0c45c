//! `aud_decode`: an AUD file to samples.

use super::ima::State;
use super::westwood::{Clamp, Decoder};
use super::{Pcm, attachment, bytes_of};
use crate::assets::source::{Source, capped, fault, unsupported};
use assay_model::{Area, Bytes, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "aud_decode",
    area: Area::Audio,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2],
    summary: "AUD sound file to PCM samples, by compression 99 (IMA ADPCM) or 1 (Westwood).",
    aliases: &[
        "AUD",
        "sound file",
        "Westwood ADPCM",
        "SOS compression",
        "speech file",
        "music file",
        "AUD to WAV",
    ],
    units: "rate in hertz; samples from -32768 to 32767, eight bits widened by 256",
    example: r#"{"bytes":"hex:22560a00000008000000026302000800afde00007770"}"#,
};

/// The port.
pub static PORT: FnPort<AudDecodeInput, AudDecode> =
    FnPort::new(&META, aud_decode).attaching(|sound| attachment(&sound.data));

/// Bytes of the headers of a file and of a chunk.
const HEADER: u64 = 12;
const CHUNK: u64 = 8;
/// What stands at the end of each header of a chunk.
const MARK: u32 = 0x0000_DEAF;

/// An AUD file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AudDecodeInput {
    /// Game that plays it; the four are alike. Default TS.
    #[serde(default = "ts")]
    pub game: Game,
    /// The file, at most 64 MiB, which gives at most 64 MiB of samples.
    pub bytes: Bytes,
    /// What compression 1 does with a value that leaves its range; readers differ. Default `program`.
    #[serde(default)]
    pub westwood_clamp: Clamp,
}

fn ts() -> Game {
    Game::Ts
}

/// What an AUD file holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AudDecode {
    /// Samples a second of one channel, in hertz (header.1).
    pub rate: u16,
    /// The flags as they are: 1 stereo, 2 sixteen bits (header.1).
    pub flags: u8,
    /// 1 or 2 (header.1).
    pub channels: u8,
    /// Bits of a sample as the codec makes them: 8 or 16.
    pub bits: u8,
    /// 1 or 99 (header.1).
    pub compression: u8,
    /// Bytes after the header, as it says.
    pub size_in: u32,
    /// Bytes of decoded samples, as the header says.
    pub size_out: u32,
    /// Number of chunks (chunk.1).
    pub chunks: u32,
    /// Bytes of all chunks, their headers included.
    pub chunk_bytes: u64,
    /// Decoded bytes as the chunks say.
    pub chunk_output: u64,
    /// Whether both sums are those of the header.
    pub sums_match: bool,
    /// Nibbles at the end that are no sample (last.1).
    pub spare: u8,
    /// Decoded bytes that the last chunk says and has not (last.1).
    pub short_by: u8,
    /// Bytes of chunks behind their last sample.
    pub unread: u64,
    /// Bytes behind the last chunk.
    pub trailing: u64,
    /// The samples in numbers.
    pub pcm: Pcm,
    /// Whether compression 1 leaves its range in a game other than RA1, of which alone it was read (clamp.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Decodes a file.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (a header or chunk that is cut), `bad_magic` (a chunk without its mark),
/// `size_mismatch` (a chunk that gives another number of samples than it says, or that cuts a pair of channels),
/// `output_overrun` (more than the header or the chunk says). `EFBIG` beyond 64 MiB; `EOPNOTSUPP` for other compressions, for
/// compression 1 in stereo, and at `game`.
pub fn aud_decode(input: &AudDecodeInput) -> Result<AudDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let mut sound = header(&source)?;
    let mut reader =
        Chunks { source: &source, at: HEADER, states: [State::default(); 2], samples: Vec::new() };
    let (mut clamped, mut wrapped) = (0, 0);
    while let Some(chunk) = reader.next(&mut sound)? {
        if sound.compression == 99 {
            reader.ima(&chunk, &mut sound)?;
        } else {
            let mut decoder = Decoder::new(chunk.data, chunk.wanted, input.westwood_clamp);
            sound.unread += decoder.run()? as u64;
            clamped += decoder.clamped;
            wrapped += decoder.wrapped;
            reader.samples.extend(decoder.output.iter().map(|byte| (i16::from(*byte) - 128) << 8));
        }
        // A chunk gives few, so that they are counted when they are there.
        capped(size_of_val(&*reader.samples) as u64)?;
    }
    if clamped + wrapped > 0 && input.game != Game::Ra1 {
        let text = "the sound leaves the range of its codec; what follows was read of RA1 alone";
        sound.caveats.push(Caveat::new("clamp.1", text));
    }
    clamped += reader.states.iter().map(|state| state.clamped).sum::<u64>();
    sound.chunk_bytes = reader.at - HEADER;
    sound.trailing = source.length() - reader.at;
    let sums = (u64::from(sound.size_in), u64::from(sound.size_out));
    sound.sums_match = (sound.chunk_bytes, sound.chunk_output) == sums;
    sound.data = bytes_of(&reader.samples);
    sound.pcm = Pcm::of(&reader.samples, &sound.data, clamped);
    Ok(sound)
}

fn header(source: &Source) -> Result<AudDecode, PortError> {
    source.part(0, HEADER)?;
    let (flags, compression) = (source.u8(10)?, source.u8(11)?);
    let channels = 1 + (flags & 1);
    match (compression, channels) {
        (99, _) | (1, 1) => {}
        _ => return Err(unsupported(format!("compression {compression} with {channels} channels"))),
    }
    Ok(AudDecode {
        rate: source.u16(0)?,
        flags,
        channels,
        bits: if compression == 99 { 16 } else { 8 },
        compression,
        size_in: source.u32(2)?,
        size_out: source.u32(6)?,
        ..AudDecode::default()
    })
}

/// A chunk: its data, the decoded bytes that it says, and whether it is the last.
struct Chunk<'a> {
    data: &'a [u8],
    wanted: usize,
    last: bool,
}

/// The chunks of a file in order.
struct Chunks<'a> {
    source: &'a Source,
    at: u64,
    states: [State; 2],
    samples: Vec<i16>,
}

impl<'a> Chunks<'a> {
    /// The next chunk, whose figures go into `sound`.
    fn next(&mut self, sound: &mut AudDecode) -> Result<Option<Chunk<'a>>, PortError> {
        let end = self.source.length().min(HEADER + u64::from(sound.size_in));
        if self.at >= end {
            return Ok(None);
        }
        self.source.part(self.at, CHUNK)?;
        let (size, wanted) = (self.source.u16(self.at)?, self.source.u16(self.at + 2)?);
        if self.source.u32(self.at + 4)? != MARK {
            return Err(fault("bad_magic", format!("no chunk at {}", self.at)));
        }
        let data = self.source.part(self.at + CHUNK, u64::from(size))?;
        self.at += CHUNK + u64::from(size);
        sound.chunks += 1;
        sound.chunk_output += u64::from(wanted);
        if sound.chunk_output > u64::from(sound.size_out) {
            let message = format!("the chunks give more than the {} bytes of the header", sound.size_out);
            return Err(fault("output_overrun", message));
        }
        Ok(Some(Chunk { data, wanted: usize::from(wanted), last: self.at >= end }))
    }

    fn ima(&mut self, chunk: &Chunk<'_>, sound: &mut AudDecode) -> Result<(), PortError> {
        let Chunk { data, wanted, last } = *chunk;
        let whole = 4 * data.len();
        let mono = sound.channels == 1;
        // A whole chunk; or the last one, which may lack a nibble or a sample (last.1).
        match (last && mono, wanted) {
            (true, wanted) if wanted + 2 == whole => sound.spare = 1,
            (true, wanted) if wanted == whole + 2 => sound.short_by = 2,
            (_, wanted) if wanted == whole && (mono || data.len().is_multiple_of(2)) => {}
            _ => {
                let message = format!("{} bytes of a chunk should give {wanted}", data.len());
                return Err(fault("size_mismatch", message));
            }
        }
        if !mono {
            self.stereo(data);
            return Ok(());
        }
        let (bytes, half) = data.split_at(data.len() - usize::from(sound.spare));
        for byte in bytes {
            self.samples.extend(self.states[0].byte(*byte));
        }
        self.samples.extend(half.iter().map(|byte| self.states[0].nibble(*byte)));
        Ok(())
    }

    /// Bytes in turn for left and right, each two samples (stereo.1).
    fn stereo(&mut self, data: &[u8]) {
        let [left, right] = &mut self.states;
        for pair in data.chunks_exact(2) {
            let pairs = left.byte(pair[0]).into_iter().zip(right.byte(pair[1]));
            self.samples.extend(pairs.flat_map(|(left, right)| [left, right]));
        }
    }
}
