//! `pkt_list`: the maps that a PKT file offers.

use super::ini_text::{Ini, IniText, Section, pieces, shown, whole_number};
use super::source::fault;
use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Metadata.
pub static META: Meta = Meta {
    name: "pkt_list",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ra2, Game::Yr],
    summary: "Maps that a PKT file offers: titles, players, game modes, and what its list and its sections lack.",
    aliases: &[
        "PKT",
        "missions.pkt",
        "MultiMaps",
        "GameMode",
        "MinPlayers",
        "MaxPlayers",
        "mmx map",
        "multiplayer maps",
    ],
    units: "players",
    example: r#"{"bytes":"[MultiMaps]\n1=EB1\n[EB1]\nDescription=NAME:WEEK39\nCD=0,1\nMinPlayers=2\nMaxPlayers=4\nGameMode=standard\n"}"#,
};

/// The port.
pub static PORT: FnPort<PktListInput, PktList> = FnPort::new(&META, pkt_list);

/// The list of maps.
const LIST: &str = "MultiMaps";
/// Modes that such files name.
const MODES: [&str; 10] = [
    "standard",
    "meatgrind",
    "navalwar",
    "nukewar",
    "airwar",
    "cooperative",
    "duel",
    "megawealth",
    "teamgame",
    "siege",
];

/// A list of maps.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PktListInput {
    /// Game that reads it; the two are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The PKT file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB.
    pub bytes: IniText,
}

/// The maps of a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PktList {
    /// Maps that the list names (list.1).
    pub count: u32,
    /// The maps in order (list.1).
    pub maps: Vec<PktMap>,
    /// Maps without a section.
    pub missing: Vec<String>,
    /// Sections that the list does not name.
    pub unlisted: Vec<String>,
}

/// A map. What its section does not have is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PktMap {
    /// Its key in the list; numbers may be left out.
    pub key: String,
    /// Its name, which is that of its section and of its file (list.1).
    pub name: String,
    /// Whether there is a section.
    pub found: bool,
    /// Label of the title in the string table (section.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Discs that it needs (section.1).
    pub cd: Vec<i32>,
    /// Fewest players (section.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_players: Option<i32>,
    /// Most players (section.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_players: Option<i32>,
    /// Modes in lower case (modes.1).
    pub modes: Vec<String>,
    /// Those of them that no known file has.
    pub unknown_modes: Vec<String>,
}

/// Lists the maps of a PKT file.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (no section `[MultiMaps]`), `bad_number` (players or discs that are no whole
/// numbers). `EFBIG` beyond 32 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn pkt_list(input: &PktListInput) -> Result<PktList, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::parse(&text);
    let list = ini.section(LIST)?;
    let maps: Vec<PktMap> =
        list.entries.iter().map(|(key, name)| PktMap::read(&ini, key, name)).collect::<Result<_, _>>()?;
    let named: BTreeSet<&[u8]> = list.entries.iter().map(|(_, name)| *name).collect();
    let unlisted = ini.sections.iter().map(|section| section.name);
    let unlisted = unlisted.filter(|name| *name != LIST.as_bytes() && !named.contains(name));
    Ok(PktList {
        count: maps.len() as u32,
        missing: maps.iter().filter(|map| !map.found).map(|map| map.name.clone()).collect(),
        unlisted: unlisted.map(shown).collect(),
        maps,
    })
}

impl PktMap {
    fn read(ini: &Ini<'_>, key: &[u8], name: &[u8]) -> Result<Self, PortError> {
        let mut map = Self { key: shown(key), name: shown(name), ..Self::default() };
        let Some(section) = ini.sections.iter().find(|section| section.name == name) else { return Ok(map) };
        map.found = true;
        map.description = section.value("Description").map(shown);
        map.cd = numbers(section, "CD")?;
        map.min_players = numbers(section, "MinPlayers")?.first().copied();
        map.max_players = numbers(section, "MaxPlayers")?.first().copied();
        let modes = section.value("GameMode").unwrap_or_default().split(|byte| matches!(byte, b',' | b' '));
        map.modes =
            modes.filter(|mode| !mode.is_empty()).map(|mode| shown(&mode.to_ascii_lowercase())).collect();
        map.unknown_modes =
            map.modes.iter().filter(|mode| !MODES.contains(&mode.as_str())).cloned().collect();
        Ok(map)
    }
}

/// The whole numbers of a key; none without it.
fn numbers(section: &Section<'_>, key: &str) -> Result<Vec<i32>, PortError> {
    let Some(value) = section.value(key) else { return Ok(Vec::new()) };
    let numbers: Option<Vec<i32>> = pieces(value).map(whole_number).collect();
    let message = || format!("[{}] {key}={} is not whole numbers", shown(section.name), shown(value));
    numbers.ok_or_else(|| fault("bad_number", message()))
}
