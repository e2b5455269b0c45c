//! `pkt_list`: the maps that a PKT file offers.

use super::ini_text::{Ini, IniText, Section, pieces, shown, whole_number};
use super::source::fault;
use super::yr;
use assay_model::{Area, Errno, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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

/// Most lines of the list that are read; the games have about a hundred.
const MOST_MAPS: usize = 65_535;
/// Most bytes of text that is told of all maps together, those that come again included; the games have about 15,000.
const MOST_TEXT: usize = 1 << 20;
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
    /// Maps that the list names: 0 to 65535 (list.1).
    pub count: u32,
    /// The maps in order (list.1).
    pub maps: Vec<PktMap>,
    /// Maps without a section.
    pub missing: Vec<String>,
    /// Sections that the list does not name.
    pub unlisted: Vec<String>,
    /// Keys of maps whose value is no list of whole numbers, each section once; the map lacks them (number.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub faults: Vec<PktFault>,
}

/// A key that is left out of its map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PktFault {
    /// Its section.
    pub section: String,
    /// The key.
    pub key: String,
    /// `bad_number`.
    pub why: String,
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
    /// Discs that it needs (section.1, number.1).
    pub cd: Vec<i32>,
    /// Fewest players (section.1, number.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_players: Option<i32>,
    /// Most players (section.1, number.1).
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
/// `EINVAL` at `bytes`, by name: `missing` (no section `[MultiMaps]`), `bad_count` (more than 65,535 lines of the list, or
/// 1,000,000 lines of text). `EFBIG` at `bytes`: `output_overrun` for more than 1 MiB of text told of all maps, and beyond
/// 32 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn pkt_list(input: &PktListInput) -> Result<PktList, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let list = ini.section(LIST)?;
    if list.entries.len() > MOST_MAPS {
        return Err(fault("bad_count", format!("[{LIST}] has more than {MOST_MAPS} lines")));
    }
    let mut found =
        Found { sections: ini.by_name(), read: BTreeMap::new(), room: MOST_TEXT, faults: Vec::new() };
    let maps: Vec<PktMap> =
        list.entries.iter().map(|(key, name)| found.map(key, name)).collect::<Result<_, _>>()?;
    let named: BTreeSet<&[u8]> = list.entries.iter().map(|(_, name)| *name).collect();
    let unlisted = ini.sections.iter().map(|section| section.name);
    let unlisted = unlisted.filter(|name| *name != LIST.as_bytes() && !named.contains(name));
    Ok(PktList {
        count: maps.len() as u32,
        missing: maps.iter().filter(|map| !map.found).map(|map| map.name.clone()).collect(),
        unlisted: unlisted.map(shown).collect(),
        faults: found.faults,
        maps,
    })
}

/// The sections of the maps, each of which is read once.
struct Found<'a, 'b> {
    sections: BTreeMap<&'a [u8], &'b Section<'a>>,
    /// Maps that were read, and the bytes of their texts.
    read: BTreeMap<&'a [u8], (PktMap, usize)>,
    /// Bytes of text that may still be told.
    room: usize,
    faults: Vec<PktFault>,
}

impl<'a> Found<'a, '_> {
    /// The map of a line of the list.
    fn map(&mut self, key: &[u8], name: &'a [u8]) -> Result<PktMap, PortError> {
        if let Some((map, size)) = self.read.get(name) {
            self.room = left(self.room, size + key.len())?;
            return Ok(PktMap { key: shown(key), ..map.clone() });
        }
        let section = self.sections.get(name).copied();
        let told = |key| section.and_then(|section| section.value(key)).map_or(0, <[u8]>::len);
        let size = name.len() + told("Description") + told("CD") + told("GameMode");
        self.room = left(self.room, size + key.len())?;
        let mut map = PktMap { key: shown(key), name: shown(name), ..PktMap::default() };
        if let Some(section) = section {
            map.fill(section, &mut self.faults);
        }
        self.read.insert(name, (map.clone(), size));
        Ok(map)
    }
}

/// What is left of the room for texts.
fn left(room: usize, size: usize) -> Result<usize, PortError> {
    room.checked_sub(size).ok_or_else(|| PortError {
        errno: Errno::Efbig,
        field: "bytes".to_owned(),
        message: format!("output_overrun: the texts of the maps come to more than {MOST_TEXT} bytes"),
    })
}

impl PktMap {
    /// Takes in what a section says.
    fn fill(&mut self, section: &Section<'_>, faults: &mut Vec<PktFault>) {
        let mut numbers = |key: &str| {
            let numbers = section.value(key).map(numbers)?;
            if numbers.is_none() {
                let (section, key, why) = (shown(section.name), key.to_owned(), "bad_number".to_owned());
                faults.push(PktFault { section, key, why });
            }
            numbers
        };
        self.found = true;
        self.description = section.value("Description").map(shown);
        self.cd = numbers("CD").unwrap_or_default();
        self.min_players = numbers("MinPlayers").and_then(|players| players.first().copied());
        self.max_players = numbers("MaxPlayers").and_then(|players| players.first().copied());
        let modes = section.value("GameMode").unwrap_or_default().split(|byte| matches!(byte, b',' | b' '));
        self.modes =
            modes.filter(|mode| !mode.is_empty()).map(|mode| shown(&mode.to_ascii_lowercase())).collect();
        self.unknown_modes =
            self.modes.iter().filter(|mode| !MODES.contains(&mode.as_str())).cloned().collect();
    }
}

/// The whole numbers between commas, at least one; the games' own splitter passes over empty pieces.
fn numbers(value: &[u8]) -> Option<Vec<i32>> {
    let filled = pieces(value).filter(|piece| !piece.is_empty());
    let numbers: Vec<i32> = filled.map(whole_number).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}
