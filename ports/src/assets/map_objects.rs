//! `map_objects`: infantry, vehicles, aircraft and buildings that a map begins with.

use super::ini_text::{Ini, IniText, pieces, shown, told, whole_number};
use super::source::{fault, unsupported};
use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "map_objects",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Objects that a map places: Infantry, Units, Aircraft and Structures lines with named fields.",
    aliases: &[
        "Infantry section",
        "Units section",
        "Aircraft section",
        "Structures section",
        "preplaced units",
        "map line",
    ],
    units: "cells; health in 256ths; facing in 256ths of a turn",
    example: r#"{"bytes":"[Units]\n0=Neutral,CAR,256,47,100,192,Sleep,None,0,-1,0,-1,1,1\n"}"#,
};

/// The port.
pub static PORT: FnPort<MapObjectsInput, MapObjects> = FnPort::new(&META, map_objects);

/// Health of an object that nothing has hurt.
const WHOLE: i32 = 256;
/// Highest number of a cell on either axis.
const LAST_CELL: i32 = 511;
/// Most lines of the four sections together; large maps have a few thousand.
const MOST_LINES: usize = 65_535;
/// Most fields that are kept behind the known ones; the games write two.
const MOST_REST: usize = 32;
/// Fields of a building, which has the most.
const FIELDS: usize = 15;
/// First format of maps whose lines have a cell as two numbers.
const TWO_NUMBERS: i32 = 4;

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapObjectsInput {
    /// Game that reads it; all read alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file or the sections themselves: text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB.
    pub bytes: IniText,
}

/// The objects of a map, by section, in the file's order.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapObjects {
    /// Objects in all: 0 to 65535 (lines.1).
    pub total: u32,
    /// `[Infantry]` (infantry.1).
    pub infantry: Vec<MapObject>,
    /// `[Units]` (units.1).
    pub units: Vec<MapObject>,
    /// `[Aircraft]` (aircraft.1).
    pub aircraft: Vec<MapObject>,
    /// `[Structures]` (structures.1).
    pub structures: Vec<MapObject>,
    /// Lines that are no object, and why.
    pub faults: Vec<LineFault>,
}

/// A line. Fields that a section does not have, and those that a line ends before, are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct MapObject {
    /// Its key in the file.
    pub key: String,
    /// Name of its house.
    pub owner: String,
    /// Name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Health: 0 to 256 (health.1).
    pub health: i32,
    /// Cell.
    pub x: i32,
    /// Cell.
    pub y: i32,
    /// Place within the cell, of infantry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_cell: Option<i32>,
    /// What it does at the start, of all but buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mission: Option<String>,
    /// Direction: 0 is north, 64 east.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<i32>,
    /// Tag that reports what happens to it, or `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Experience, of all but buildings: 100 is a veteran, 200 an elite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veterancy: Option<i32>,
    /// Group, of all but buildings; -1 is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Whether it stands on a bridge, of infantry and vehicles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<i32>,
    /// Which vehicle of the section it goes with; -1 is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<i32>,
    /// Whether the computer may sell it, of buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sell: Option<i32>,
    /// Whether the computer builds it again, of buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuild: Option<i32>,
    /// Whether it is switched on, of buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub powered: Option<i32>,
    /// Number of upgrades, of buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upgrades: Option<i32>,
    /// Sort of spotlight, of buildings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spotlight: Option<i32>,
    /// Types of the upgrades, of buildings: up to three, `None` for none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub upgrade_types: Vec<String>,
    /// Fields behind those, at most 32 (rest.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub rest: Vec<String>,
}

/// A line that is no object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineFault {
    /// Its section.
    pub section: String,
    /// Its key.
    pub key: String,
    /// The field that it ends before, or that is no number of the field's range; `rest` for those behind the known ones.
    pub field: String,
    /// `truncated`, `bad_number`, `out_of_range` or `bad_count`.
    pub why: String,
}

/// Reads the objects of a map; a section that it does not have gives none.
///
/// # Errors
/// `EOPNOTSUPP` at `bytes` for a map whose `NewINIFormat` is below 4, which has other cells; `EINVAL` at `bytes`:
/// `bad_number` for one that is no number, `bad_count` for more than 65,535 lines in the four sections, or 1,000,000 lines of
/// text. Lines that are wrong are no error: they are listed. `EFBIG` beyond 32 MiB;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn map_objects(input: &MapObjectsInput) -> Result<MapObjects, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    if let Some(value) = ini.find("Basic").and_then(|section| section.value("NewINIFormat")) {
        let format = whole_number(value);
        let format = format
            .ok_or_else(|| fault("bad_number", format!("NewINIFormat={} is no whole number", told(value))))?;
        if format < TWO_NUMBERS {
            return Err(unsupported(format!(
                "NewINIFormat={format}: lines of such maps have one number a cell"
            )));
        }
    }
    let all = [Sort::Infantry, Sort::Units, Sort::Aircraft, Sort::Structures];
    let lines = all.map(|sort| ini.find(sort.section()).map_or(0, |section| section.entries.len()));
    if lines.iter().sum::<usize>() > MOST_LINES {
        return Err(fault("bad_count", format!("the sections of objects have more than {MOST_LINES} lines")));
    }
    let mut faults = Vec::new();
    let mut read = |sort: Sort| objects(&ini, sort, &mut faults);
    let infantry = read(Sort::Infantry);
    let units = read(Sort::Units);
    let aircraft = read(Sort::Aircraft);
    let structures = read(Sort::Structures);
    let total = infantry.len() + units.len() + aircraft.len() + structures.len();
    Ok(MapObjects { total: total as u32, infantry, units, aircraft, structures, faults })
}

/// A sort of objects.
#[derive(Clone, Copy)]
enum Sort {
    Infantry,
    Units,
    Aircraft,
    Structures,
}

impl Sort {
    const fn section(self) -> &'static str {
        match self {
            Self::Infantry => "Infantry",
            Self::Units => "Units",
            Self::Aircraft => "Aircraft",
            Self::Structures => "Structures",
        }
    }
}

/// A field, and what is wrong with it.
type Refused = (&'static str, &'static str);

/// The objects of a section; lines that are none go into `faults`.
fn objects(ini: &Ini<'_>, sort: Sort, faults: &mut Vec<LineFault>) -> Vec<MapObject> {
    let mut objects = Vec::new();
    let Some(section) = ini.find(sort.section()) else { return objects };
    for (key, line) in &section.entries {
        let mut object = MapObject { key: shown(key), ..MapObject::default() };
        let filled = pieces(line).filter(|piece| !piece.is_empty());
        // One more than there may be tells that there are too many.
        let mut fields = Fields(filled.take(FIELDS + MOST_REST + 1).collect());
        fields.0.reverse();
        match fields.object(sort, &mut object) {
            Ok(()) => objects.push(object),
            Err((field, why)) => {
                let (field, why) = (field.to_owned(), why.to_owned());
                let section = sort.section().to_owned();
                faults.push(LineFault { section, key: object.key, field, why });
            }
        }
    }
    objects
}

/// Fields of a line that are still to be read, the last first. The games' own splitter passes over empty ones.
struct Fields<'a>(Vec<&'a [u8]>);

impl Fields<'_> {
    fn text(&mut self, field: &'static str) -> Result<String, Refused> {
        self.0.pop().map(shown).ok_or((field, "truncated"))
    }

    fn number(&mut self, field: &'static str) -> Result<i32, Refused> {
        self.maybe(field)?.ok_or((field, "truncated"))
    }

    fn within(&mut self, field: &'static str, most: i32) -> Result<i32, Refused> {
        let number = self.number(field)?;
        if (0..=most).contains(&number) { Ok(number) } else { Err((field, "out_of_range")) }
    }

    /// A number, if the line goes on.
    fn maybe(&mut self, field: &'static str) -> Result<Option<i32>, Refused> {
        self.0.pop().map(|text| whole_number(text).ok_or((field, "bad_number"))).transpose()
    }

    /// A whole line.
    fn object(&mut self, sort: Sort, object: &mut MapObject) -> Result<(), Refused> {
        object.owner = self.text("owner")?;
        object.kind = self.text("type")?;
        object.health = self.within("health", WHOLE)?;
        object.x = self.within("x", LAST_CELL)?;
        object.y = self.within("y", LAST_CELL)?;
        match sort {
            Sort::Infantry => self.infantry(object)?,
            Sort::Units => self.unit(object)?,
            Sort::Aircraft => self.aircraft(object)?,
            Sort::Structures => self.structure(object)?,
        }
        if self.0.len() > MOST_REST {
            return Err(("rest", "bad_count"));
        }
        object.rest = self.0.iter().rev().map(|field| shown(field)).collect();
        Ok(())
    }

    /// Tag, experience and group.
    fn crew(&mut self, object: &mut MapObject) -> Result<(), Refused> {
        object.tag = self.0.pop().map(shown);
        object.veterancy = self.maybe("veterancy")?;
        object.group = self.maybe("group")?;
        Ok(())
    }

    fn infantry(&mut self, object: &mut MapObject) -> Result<(), Refused> {
        object.sub_cell = Some(self.number("sub_cell")?);
        object.mission = Some(self.text("mission")?);
        object.facing = self.maybe("facing")?;
        self.crew(object)?;
        object.high = self.maybe("high")?;
        Ok(())
    }

    fn aircraft(&mut self, object: &mut MapObject) -> Result<(), Refused> {
        object.facing = Some(self.number("facing")?);
        object.mission = Some(self.text("mission")?);
        self.crew(object)
    }

    fn unit(&mut self, object: &mut MapObject) -> Result<(), Refused> {
        self.aircraft(object)?;
        object.high = self.maybe("high")?;
        object.follows = self.maybe("follows")?;
        Ok(())
    }

    fn structure(&mut self, object: &mut MapObject) -> Result<(), Refused> {
        object.facing = Some(self.number("facing")?);
        object.tag = self.0.pop().map(shown);
        object.sell = self.maybe("sell")?;
        object.rebuild = self.maybe("rebuild")?;
        object.powered = self.maybe("powered")?;
        object.upgrades = self.maybe("upgrades")?;
        object.spotlight = self.maybe("spotlight")?;
        object.upgrade_types = (0..3).filter_map(|_| self.0.pop()).map(shown).collect();
        Ok(())
    }
}
