//! `randmap_sed`: settings of the random map generator.

use super::ini_text::{Ini, IniText, Section, pieces, shown, told, whole_number};
use super::source::fault;
use super::yr;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "randmap_sed",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ra2, Game::Yr],
    summary: "Settings of a saved random map: title, size, players, seed and sliders, with defaults and ranges.",
    aliases: &["RandMap.Sed", "random map settings", "map seed", "RandomMap", "Ruggedness", "WaterAmount"],
    units: "settings as whole numbers",
    example: r#"{"bytes":"[RandomMap]\nDescription=52,61,6e,64,6f,6d,20,4d,61,70,\nWidth=2\nHeight=2\nNumPlayers=4\nSeed=1234\n"}"#,
};

/// The port.
pub static PORT: FnPort<RandmapSedInput, RandmapSed> = FnPort::new(&META, randmap_sed);

/// Settings in the file's order: name, lowest, highest, what a missing one is.
const SETTINGS: [(&str, i32, i32, i32); 16] = [
    ("Width", 0, 3, 0),
    ("Height", 0, 3, 0),
    ("NumPlayers", 2, 8, 2),
    ("Seed", 0, 65535, -1),
    ("MapType", 0, 4, 1),
    ("Theater", 0, 100, 0),
    ("Time", 0, 3, 1),
    ("RegionSize", 0, 100, 0),
    ("Ruggedness", 0, 100, 0),
    ("Accessibility", 0, 100, 0),
    ("WaterAmount", 0, 100, 0),
    ("Tiberium", 1, 100, 0),
    ("TiberiumLayout", 0, 100, 0),
    ("Vegetation", 0, 100, 0),
    ("UrbanPresence", 0, 100, 0),
    ("Resources", 0, 3, 1),
];

/// A settings file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandmapSedInput {
    /// Game that reads it; the two are taken to be alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB.
    pub bytes: IniText,
}

/// The settings of a random map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RandmapSed {
    /// The title (title.1); U+FFFD stands for half of a surrogate pair.
    pub description: String,
    /// Its 16-bit characters.
    pub characters: u32,
    /// The settings in the file's order (keys.1).
    pub settings: Vec<SedSetting>,
    /// Settings that the file does not have (defaults.1).
    pub missing: u32,
    /// Settings out of their range (ranges.1).
    pub out_of_range: u32,
    /// Keys that are no setting.
    pub unknown: Vec<String>,
    /// What is not known of a result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SedSetting {
    /// Its key.
    pub key: String,
    /// Its value, or what it is without one (keys.1, defaults.1).
    pub value: i32,
    /// Whether the file has it.
    pub given: bool,
    /// Whether a value of the file is within its range (ranges.1).
    pub in_range: bool,
}

/// Reads the settings of a random map.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (no section `[RandomMap]`), `bad_number` (a setting that is no whole number, a
/// character of the title that is no 16-bit number in hexadecimal digits), `bad_count` (more than 1,000,000 lines of text). `EFBIG` beyond 32 MiB; `EOPNOTSUPP` at `game`
/// for a game without evidence.
pub fn randmap_sed(input: &RandmapSedInput) -> Result<RandmapSed, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let section = ini.section("RandomMap")?;
    let title = title(section.value("Description").unwrap_or_default())?;
    let settings: Vec<SedSetting> =
        SETTINGS.iter().map(|entry| setting(section, *entry)).collect::<Result<_, _>>()?;
    let known =
        |key: &[u8]| key == b"Description" || SETTINGS.iter().any(|(name, ..)| name.as_bytes() == key);
    let unknown = section.entries.iter().map(|(key, _)| *key).filter(|key| !known(key));
    let out_of_range = settings.iter().filter(|setting| !setting.in_range).count() as u32;
    let caveat = Caveat::new("ranges.1", "what the game makes of a setting out of its range was not read");
    Ok(RandmapSed {
        description: String::from_utf16_lossy(&title),
        characters: title.len() as u32,
        missing: settings.iter().filter(|setting| !setting.given).count() as u32,
        out_of_range,
        unknown: unknown.map(shown).collect(),
        settings,
        caveats: if out_of_range > 0 { vec![caveat] } else { Vec::new() },
    })
}

/// The characters of a title, each with a comma behind it.
fn title(value: &[u8]) -> Result<Vec<u16>, PortError> {
    let character = |piece: &[u8]| u16::from_str_radix(std::str::from_utf8(piece).ok()?, 16).ok();
    let characters: Option<Vec<u16>> =
        pieces(value).filter(|piece| !piece.is_empty()).map(character).collect();
    characters
        .ok_or_else(|| fault("bad_number", format!("Description={} is no list of characters", told(value))))
}

fn setting(
    section: &Section<'_>,
    (key, low, high, default): (&str, i32, i32, i32),
) -> Result<SedSetting, PortError> {
    let key_name = key.to_owned();
    let Some(value) = section.value(key) else {
        return Ok(SedSetting { key: key_name, value: default, given: false, in_range: true });
    };
    let number = whole_number(value);
    let value =
        number.ok_or_else(|| fault("bad_number", format!("{key}={} is not a whole number", told(value))))?;
    Ok(SedSetting { key: key_name, value, given: true, in_range: (low..=high).contains(&value) })
}
