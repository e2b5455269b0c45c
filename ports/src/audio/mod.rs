//! Sound: codecs, archives of sounds, lists of sounds. Samples leave as 16-bit little-endian PCM, channels interleaved.

use assay_model::{Attachment, Game};
use schemars::JsonSchema;
use serde::Serialize;

pub mod aud_decode;
pub mod bag_decode;
pub mod compute_sound_volume;
pub mod decode_ima_adpcm;
pub mod idx_list;
pub mod ima;
pub mod sound_ini_list;
pub mod westwood;

/// Samples that a breakdown shows; the attachment has all of them.
const SHOWN: usize = 64;

/// Decoded samples in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pcm {
    /// Number of samples, those of all channels together.
    pub samples: u64,
    /// Samples that the codec would have put beyond the range, and that were held at its end.
    pub clamped: u64,
    /// Lowest sample, -32768 to 32767; 0 without samples.
    pub lowest: i16,
    /// Highest sample, -32768 to 32767; 0 without samples.
    pub highest: i16,
    /// CRC-32 of the attachment `pcm`: every sample as 16 bits, low byte first, channels in turn.
    pub crc32: u32,
    /// The first samples, at most 64.
    pub first: Vec<i16>,
}

impl Pcm {
    /// Describes samples, of which `clamped` were held at the end of the range.
    fn of(samples: &[i16], bytes: &[u8], clamped: u64) -> Self {
        Self {
            samples: samples.len() as u64,
            clamped,
            lowest: samples.iter().copied().min().unwrap_or(0),
            highest: samples.iter().copied().max().unwrap_or(0),
            crc32: crate::assets::crc::crc32(bytes),
            first: samples.iter().copied().take(SHOWN).collect(),
        }
    }
}

/// Samples as the bytes of the attachment.
fn bytes_of(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

/// The attachment of a decoded sound.
fn attachment(bytes: &[u8]) -> Vec<Attachment> {
    crate::assets::source::attachment("pcm", bytes)
}

/// The game of an input that names none.
fn yr() -> Game {
    Game::Yr
}
