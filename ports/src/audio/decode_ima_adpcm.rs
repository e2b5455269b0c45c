//! `decode_ima_adpcm`: nibbles of IMA ADPCM to samples.

use super::ima::{MAX_INDEX, State};
use super::{Pcm, attachment, bytes_of, yr};
use crate::assets::source::{Source, capped, fault};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "decode_ima_adpcm",
    area: Area::Audio,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Yr],
    summary: "IMA ADPCM nibbles to 16-bit samples from a given predictor and step index.",
    aliases: &[
        "IMA ADPCM",
        "ADPCM nibble",
        "SOS codec",
        "step table",
        "predictor",
        "sound codec",
        "4-bit sound",
    ],
    units: "nibbles in, samples from -32768 to 32767 out",
    example: r#"{"bytes":"hex:0123456789abcdef"}"#,
};

/// The port.
pub static PORT: FnPort<ImaInput, Ima> =
    FnPort::new(&META, decode_ima_adpcm).attaching(|sound| attachment(&sound.data));

/// Nibbles without a frame around them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImaInput {
    /// Game that plays it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The nibbles, two a byte, the low one first; at most 16 MiB, which gives 64 MiB of samples.
    pub bytes: Bytes,
    /// The sample before the first one, -32768 to 32767. Default 0.
    #[serde(default)]
    pub predictor: i16,
    /// Index of the step before the first nibble, 0 to 88. Default 0.
    #[serde(default)]
    #[schemars(range(max = 88))]
    pub index: u8,
    /// How many nibbles to decode. Default: all of them.
    #[serde(default)]
    pub nibbles: Option<u32>,
}

/// What the nibbles say.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ima {
    /// The samples in numbers (step.1, clamp.1).
    pub pcm: Pcm,
    /// The predictor after the last nibble.
    pub predictor: i16,
    /// The index after the last nibble (index.1).
    pub index: u8,
    /// Nibbles that were not asked for.
    pub unread: u64,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Decodes nibbles.
///
/// # Errors
/// `EINVAL` at `index` above 88, at `nibbles` for more than there are; `EFBIG` at `bytes` beyond 16 MiB; `EOPNOTSUPP` at `game`
/// for a game without evidence.
pub fn decode_ima_adpcm(input: &ImaInput) -> Result<Ima, PortError> {
    META.offers(input.game)?;
    if input.index > MAX_INDEX {
        return Err(PortError::invalid("index", format!("{} is above {MAX_INDEX}", input.index)));
    }
    capped(input.bytes.length().saturating_mul(4))?;
    let source = Source::read(&input.bytes)?;
    let there = source.length() * 2;
    let wanted = input.nibbles.map_or(there, u64::from);
    if wanted > there {
        let fault = fault("truncated", format!("{wanted} nibbles wanted, {there} are there"));
        return Err(PortError { field: "nibbles".to_owned(), ..fault });
    }
    let mut state = State { predictor: input.predictor, index: input.index, clamped: 0 };
    let mut samples = Vec::with_capacity(wanted as usize);
    for byte in source.part(0, wanted / 2)? {
        samples.extend(state.byte(*byte));
    }
    if wanted % 2 == 1 {
        samples.push(state.nibble(source.u8(wanted / 2)?));
    }
    let data = bytes_of(&samples);
    Ok(Ima {
        pcm: Pcm::of(&samples, &data, state.clamped),
        predictor: state.predictor,
        index: state.index,
        unread: there - wanted,
        data,
    })
}
