//! `compute_sound_volume`: how loud a sound is by its distance from the view.

use super::yr;
use crate::math::x87::div;
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_sound_volume",
    area: Area::Audio,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Share of its volume that a sound keeps at a distance from the view.",
    aliases: &[
        "sound volume",
        "Range",
        "MinVolume",
        "GLOBAL",
        "PLAYER",
        "sound attenuation",
        "soundmd.ini",
        "loudness",
    ],
    units: "pixels on the screen; volume as a share from 0 to 1",
    example: r#"{"x":700,"y":0,"range":10,"half_width":400,"half_height":300}"#,
};

/// The port.
pub static PORT: FnPort<SoundVolumeInput, SoundVolume> = FnPort::new(&META, compute_sound_volume);

/// Pixels of one unit of `Range`: the width of a cell.
const CELL: i64 = 60;
/// What is quieter is not heard.
const AUDIBLE: f64 = 0.05;
/// Within this the width of the constant decides: 2^-27, two units in the last place of a binary32 there, and less than from
/// it to any other share that whole pixels leave of a range.
const NEAR: f64 = 1.0 / 134_217_728.0;

/// A sound and the view.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoundVolumeInput {
    /// Game that plays it. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Pixels from the centre of the view to the right.
    pub x: i32,
    /// Pixels from the centre of the view down.
    pub y: i32,
    /// `Range` of the sound in cells, 1 to 1000000. The stock sound rules have 10 as default.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub range: u32,
    /// Half the width of the view in pixels.
    pub half_width: u16,
    /// Half the height of the view in pixels.
    pub half_height: u16,
    /// Whether `Type` has `PLAYER`, so that distances count from the centre and not from the edge. Default false.
    #[serde(default)]
    pub player: bool,
    /// Whether `Type` has `GLOBAL`, so that it never falls below `min_volume`. Default false.
    #[serde(default)]
    pub global: bool,
    /// The least share of a `GLOBAL` sound, 0 to 1; as text a percentage such as `"50%"`, which is what `MinVolume=50` means.
    /// Default 0.
    #[serde(default = "none")]
    pub min_volume: RealArg,
}

fn none() -> RealArg {
    RealArg::Held(0.0)
}

/// How loud it is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SoundVolume {
    /// `Range` in pixels (range.1).
    pub range_pixels: i64,
    /// Pixels beyond the view to the side (edge.1).
    pub aside: i64,
    /// Pixels beyond it up or down (edge.1).
    pub above: i64,
    /// The distance that counts (distance.1).
    pub distance: i64,
    /// What is left of the volume at it (fall.1).
    pub attenuated: Real,
    /// The same, not below the least one of a `GLOBAL` sound (global.1).
    pub floored: Real,
    /// Whether it is heard (audible.1).
    pub audible: bool,
    /// The share of the volume, 0 to 1.
    pub result: Real,
    /// What the result reaches of the open clause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Works the volume out.
///
/// # Errors
/// `EINVAL` at `range` outside 1 to 1000000, at `min_volume` outside 0 to 1; `EOPNOTSUPP` at `game` for a game without
/// evidence.
pub fn compute_sound_volume(input: &SoundVolumeInput) -> Result<SoundVolume, PortError> {
    META.offers(input.game)?;
    if !(1..=1_000_000).contains(&input.range) {
        return Err(PortError::invalid("range", "must be from 1 to 1000000"));
    }
    let least = double(&input.min_volume, "min_volume", input.game, Reader::Double)?;
    if !(0.0..=1.0).contains(&least) {
        return Err(PortError::invalid("min_volume", "must be from 0 to 1"));
    }
    let beyond = |offset: i32, half: u16| {
        let edge = if input.player { 0 } else { i64::from(half) };
        (i64::from(offset).abs() - edge).max(0)
    };
    let range_pixels = CELL * i64::from(input.range);
    let (aside, above) = (beyond(input.x, input.half_width), beyond(input.y, input.half_height));
    let distance = aside.max(2 * above);
    let left = (range_pixels - distance).max(0);
    let attenuated = div(left as f64, range_pixels as f64);
    let floored = if input.global { attenuated.max(least) } else { attenuated };
    let audible = floored >= AUDIBLE;
    let result = if audible { floored } else { 0.0 };
    let mut caveats = Vec::new();
    if (floored - AUDIBLE).abs() < NEAR {
        let text = "at a twentieth it depends on how wide the constant is, which was not read";
        caveats.push(Caveat::new("width.1", text));
    }
    Ok(SoundVolume {
        range_pixels,
        aside,
        above,
        distance,
        attenuated: Real(attenuated),
        floored: Real(floored),
        audible,
        result: Real(result),
        caveats,
    })
}
