//! `compute_house_color_ramp`: the sixteen shades of a house colour.

use super::yr;
use crate::math::x87::{ftol, mul};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_house_color_ramp",
    area: Area::Lighting,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Sixteen remap shades of a house colour, palette slots 16 to 31, from hue, saturation and value.",
    aliases: &[
        "house colour",
        "remap",
        "colour scheme",
        "player colour",
        "HSV",
        "[Colors]",
        "remap palette",
        "team colour",
    ],
    units: "hue, saturation, value and channels from 0 to 255",
    example: r#"{"hue":43,"saturation":239,"value":255}"#,
};

/// The port.
pub static PORT: FnPort<HouseRampInput, HouseRamp> = FnPort::new(&META, compute_house_color_ramp);

/// Palette slot of the first shade.
const FIRST_SLOT: u32 = 16;

/// Sines from 50 to 90 degrees as binary32, by shade (factor.1).
const SATURATION: [u32; 16] = [
    0x3F4422AA, 0x3F4B7F08, 0x3F5289B4, 0x3F591E6A, 0x3F5F397A, 0x3F64C0EE, 0x3F69E0D7, 0x3F6E7DB7,
    0x3F7284E4, 0x3F76167A, 0x3F791E30, 0x3F7B9107, 0x3F7D8284, 0x3F7EE5F9, 0x3F7FB848, 0x3F800000,
];

/// Cosines from 20 to 90 degrees as binary32, by shade; the first is of a sixteenth of half a turn (factor.1).
const VALUE: [u32; 16] = [
    0x3F7B14BE, 0x3F68AA48, 0x3F5F397A, 0x3F54330F, 0x3F47DE65, 0x3F3A37B6, 0x3F2B561A, 0x3F1B52BB,
    0x3F0A1E5D, 0x3EF050C4, 0x3ECACE62, 0x3EA3F505, 0x3E780CBD, 0x3E25C58B, 0x3DA6522F, 0x250D3000,
];

/// Colour schemes of the priorities of players from 0 on (scheme.1).
const SCHEMES: [u32; 9] = [3, 11, 21, 29, 13, 25, 17, 15, 5];

/// A house colour as `[Colors]` has it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseRampInput {
    /// Game that shades. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Hue, 0 to 255 around the circle.
    pub hue: u8,
    /// Saturation, 0 to 255.
    pub saturation: u8,
    /// Value, 0 to 255.
    pub value: u8,
    /// Priority of a player, -2 or 0 to 9, to be told its colour scheme; the shades are of the colour that is given all the
    /// same. Default: none is told.
    #[serde(default)]
    #[schemars(range(min = -2, max = 9))]
    pub priority: Option<i32>,
}

/// The shades, and the scheme of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HouseRamp {
    /// Number of the colour scheme of the player; left out without a priority (scheme.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<u32>,
    /// Place of its colour in `[Colors]`, from 0; left out without a priority (scheme.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors_entry: Option<u32>,
    /// Sextant of the hue, 0 to 6 (hsv.1).
    pub sextant: u32,
    /// Place within the sextant, 0 to 254 (hsv.1).
    pub fraction: u32,
    /// The shades from the lightest on (slot.1).
    pub shades: Vec<Shade>,
}

/// A shade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shade {
    /// Palette slot, 16 to 31 (slot.1).
    pub slot: u32,
    /// Its saturation (factor.1).
    pub saturation: u32,
    /// Its value (factor.1).
    pub value: u32,
    /// Red, green and blue (hsv.1).
    pub rgb: [u32; 3],
}

/// Makes the shades.
///
/// # Errors
/// `EINVAL` at `priority` for one that was not read: anything but -2 and 0 to 9. `EOPNOTSUPP` at `game` for a game without
/// evidence.
pub fn compute_house_color_ramp(input: &HouseRampInput) -> Result<HouseRamp, PortError> {
    META.offers(input.game)?;
    let scheme = input.priority.map(scheme).transpose()?;
    let turned = u32::from(input.hue) * 6;
    let (sextant, fraction) = (turned / 255, turned % 255);
    let shade = |(slot, (saturation, value)): (u32, (&u32, &u32))| {
        let (saturation, value) = (scaled(*saturation, input.saturation), scaled(*value, input.value));
        Shade { slot, saturation, value, rgb: rgb(sextant, fraction, saturation, value) }
    };
    let shades = (FIRST_SLOT..).zip(SATURATION.iter().zip(&VALUE)).map(shade).collect();
    Ok(HouseRamp { scheme, colors_entry: scheme.map(|scheme| scheme / 2), sextant, fraction, shades })
}

/// The colour scheme of a priority (scheme.1).
fn scheme(priority: i32) -> Result<u32, PortError> {
    match priority {
        -2 => Ok(SCHEMES[8]),
        0..=8 => Ok(SCHEMES[priority as usize]),
        9 => Ok(9),
        _ => Err(PortError::invalid("priority", "must be -2 or 0 to 9: what others give was not read")),
    }
}

/// A channel times a factor below 1, toward zero.
fn scaled(factor: u32, channel: u8) -> u32 {
    ftol(mul(f64::from(f32::from_bits(factor)), f64::from(channel))).unsigned_abs()
}

/// The colour in whole numbers (hsv.1).
fn rgb(sextant: u32, fraction: u32, saturation: u32, value: u32) -> [u32; 3] {
    let least = (255 - saturation) * value / 255;
    let falling = (255 - fraction * saturation / 255) * value / 255;
    let rising = (255 - (255 - fraction) * saturation / 255) * value / 255;
    match sextant {
        1 => [falling, value, least],
        2 => [least, value, rising],
        3 => [least, falling, value],
        4 => [rising, least, value],
        5 => [value, least, falling],
        _ => [value, rising, least],
    }
}
