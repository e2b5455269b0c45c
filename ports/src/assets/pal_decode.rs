//! `pal_decode`: a palette of 6-bit colours, as the games widen them to 8 bits.

use super::crc::crc32;
use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "pal_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Td, Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "256 colours of a palette file to 8 bits a channel by the games' shift, beside the scaling of tools.",
    aliases: &["PAL", "palette", "6-bit colour", "VGA DAC", "unittem.pal", "cameo.pal", "isotem.pal", "RGB"],
    units: "0 to 63 in, 0 to 252 (shifted) or 0 to 255 (scaled) out, colours as 0xRRGGBB",
    example: "{\"bytes\":\"hex:000b1607121d0e192415202b1c2732232e392a3500313c0738030e3f0a1506111c0d1823141f2a1b263\
        1222d3829343f303b0637020d3e091405101b0c1722131e291a2530212c3728333e2f3a0536010c3d0813040f1a0b1621121\
        d2819242f202b3627323d2e390435000b3c0712030e190a1520111c2718232e1f2a3526313c2d3803343f0a3b0611020d180\
        9141f101b2617222d1e293425303b2c3702333e093a0510010c1708131e0f1a2516212c1d2833242f3a2b3601323d0839040\
        f000b1607121d0e192415202b1c2732232e392a3500313c0738030e3f0a1506111c0d1823141f2a1b2631222d3829343f303\
        b0637020d3e091405101b0c1722131e291a2530212c3728333e2f3a0536010c3d0813040f1a0b1621121d2819242f202b362\
        7323d2e390435000b3c0712030e190a1520111c2718232e1f2a3526313c2d3803343f0a3b0611020d1809141f101b2617222\
        d1e293425303b2c3702333e093a0510010c1708131e0f1a2516212c1d2833242f3a2b3601323d0839040f000b1607121d0e1\
        92415202b1c2732232e392a3500313c0738030e3f0a1506111c0d1823141f2a1b2631222d3829343f303b0637020d3e09140\
        5101b0c1722131e291a2530212c3728333e2f3a0536010c3d0813040f1a0b1621121d2819242f202b3627323d2e390435000\
        b3c0712030e190a1520111c2718232e1f2a3526313c2d3803343f0a3b0611020d1809141f101b2617222d1e293425303b2c3\
        702333e093a0510010c1708131e0f1a2516212c1d2833242f3a2b3601323d0839040f000b1607121d0e192415202b1c27322\
        32e392a3500313c0738030e3f0a1506111c0d1823141f2a1b2631222d3829343f303b0637020d3e091405101b0c1722131e2\
        91a2530212c3728333e2f3a0536010c3d0813040f1a0b1621121d2819242f202b3627323d2e390435000b3c0712030e190a1\
        520111c2718232e1f2a3526313c2d3803343f0a3b0611020d1809141f101b2617222d1e293425303b2c3702333e093a05100\
        10c1708131e0f1a2516212c1d2833242f3a2b3601323d0839040f\"}",
};

/// The port.
pub static PORT: FnPort<PalDecodeInput, PalDecode> =
    FnPort::new(&META, pal_decode).attaching(|palette| attachment("rgb8_shift", &palette.data));

/// Bytes of a palette.
const SIZE: u64 = 768;

/// A palette file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PalDecodeInput {
    /// Game that reads it; all are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file: 768 bytes.
    pub bytes: Bytes,
}

/// The colours of a palette, each as red * 65536 + green * 256 + blue.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PalDecode {
    /// Largest byte of the file.
    pub largest: u8,
    /// Bytes above 63, of which the low six bits are taken.
    pub over_range: u32,
    /// Colours of six bits (layout.1).
    pub raw6: Vec<u32>,
    /// Colours as the games have them: shifted left by two (shift.1).
    pub rgb8_shift: Vec<u32>,
    /// Colours as some tools have them, and no game: v * 255 / 63, cut to a whole number.
    pub rgb8_scaled: Vec<u32>,
    /// CRC-32 of the shifted bytes, which are the attachment.
    pub crc32: u32,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Widens a palette.
///
/// # Errors
/// `EINVAL` at `bytes`: `size_mismatch` for a file that has not 768 bytes, such as a palette in text; `EFBIG` beyond 64 MiB;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn pal_decode(input: &PalDecodeInput) -> Result<PalDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    if source.length() != SIZE {
        return Err(fault("size_mismatch", format!("{} bytes are no palette of 768", source.length())));
    }
    let file = source.part(0, SIZE)?;
    let widened = |rule: fn(u8) -> u8| file.iter().map(|byte| rule(byte & 63)).collect::<Vec<u8>>();
    let data = widened(|value| value << 2);
    Ok(PalDecode {
        largest: file.iter().copied().max().unwrap_or(0),
        over_range: file.iter().filter(|byte| **byte > 63).count() as u32,
        raw6: colours(&widened(|value| value)),
        rgb8_shift: colours(&data),
        rgb8_scaled: colours(&widened(|value| (u32::from(value) * 255 / 63) as u8)),
        crc32: crc32(&data),
        data,
    })
}

fn colours(bytes: &[u8]) -> Vec<u32> {
    let packed = |colour: &[u8]| colour.iter().fold(0, |packed, channel| packed << 8 | u32::from(*channel));
    bytes.chunks(3).map(packed).collect()
}
