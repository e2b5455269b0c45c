//! `inspect_file_search`: where the game looks for a file name, and what says first whether there is such a file.

use super::mix_id::{MixIdInput, mix_id};
use super::yr;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Metadata.
pub static META: Meta = Meta {
    name: "inspect_file_search",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Places where a file name is looked for, in order, and the first that says whether there is such a file.",
    aliases: &[
        "mount order",
        "EXPANDMD",
        "RA2MD.MIX",
        "CACHEMD",
        "LOCALMD",
        "CCFileClass",
        "file exists",
        "loose file",
        "virtual file system",
    ],
    units: "a name and who holds it in; places in order out",
    example: r#"{"name":"rulesmd.ini","archives":["LOCALMD.MIX"],"loose":true}"#,
};

/// The port.
pub static PORT: FnPort<FileSearchInput, FileSearch> = FnPort::new(&META, inspect_file_search);

/// Expansion slots, 00 to 99.
const SLOTS: u8 = 100;
/// What is mounted after the expansions, in order (mount.1).
const REGULAR: [&str; 6] = ["RA2MD", "RA2", "CACHEMD", "CACHE", "LOCALMD", "LOCAL"];

/// An answer that is kept from an earlier search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// There is such a file.
    Present,
    /// There is none.
    Absent,
}

/// A file name and who holds it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileSearchInput {
    /// Game that looks for it. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file name, 1 to 260 ASCII characters, in any case.
    #[schemars(length(min = 1, max = 260))]
    pub name: String,
    /// What an earlier search found. Default: nobody has asked for the name yet.
    #[serde(default)]
    pub cached: Option<Kept>,
    /// Whether the file is open already. Default false.
    #[serde(default)]
    pub open_file: bool,
    /// Mounted archives that have the name: `EXPANDMD00` to `EXPANDMD99`, `RA2MD`, `RA2`, `CACHEMD`, `CACHE`, `LOCALMD`,
    /// `LOCAL`, in any case and order, with or without `.MIX`, each at most once. Default none.
    #[serde(default)]
    #[schemars(length(max = 106), inner(length(max = 14)))]
    pub archives: Vec<String>,
    /// Archives that are mounted, named in the same way. Default: the six that are no expansions, and `archives`.
    #[serde(default)]
    #[schemars(length(max = 106), inner(length(max = 14)))]
    pub mounted: Option<Vec<String>>,
    /// Whether a loose file of the name is in the folder. Default false.
    #[serde(default)]
    pub loose: bool,
}

/// A sort of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// An answer that was kept.
    Cache,
    /// The open file itself.
    OpenFile,
    /// An archive.
    Archive,
    /// A loose file.
    Loose,
    /// No place has it.
    Nowhere,
}

/// How the search went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FileSearch {
    /// The name in capitals, as archives are asked (archives.1).
    pub key: String,
    /// The id by which they are asked (archives.1).
    pub id_u32: u32,
    /// Whether there is such a file, as far as the search tells (ladder.1).
    pub exists: bool,
    /// What answered (ladder.1).
    pub answered_by: Place,
    /// Which archive that was (among.1); left out if it was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// How many places were asked, the one that answered included: 1 to 109.
    pub rank: u32,
    /// The places that were asked, in order: `cache`, `open_file`, archives by name, `loose` (ladder.1, mount.1).
    pub tried: Vec<String>,
    /// Places that have the name and were not asked, in the same order.
    pub not_asked: Vec<String>,
    /// What is not known of a result: always that another file may be opened than the one that answered.
    pub caveats: Vec<Caveat>,
}

/// Looks for a name.
///
/// # Errors
/// `EINVAL` at `name` for none; at `archives` and `mounted` for an archive that the game does not mount at its start and for
/// one that is named twice, at `archives` for one that is not mounted. As `mix_id` at `name`: `EOPNOTSUPP` beyond ASCII, `EFBIG`
/// beyond 260 characters. `EOPNOTSUPP` at `game` for a game without evidence.
pub fn inspect_file_search(input: &FileSearchInput) -> Result<FileSearch, PortError> {
    META.offers(input.game)?;
    if input.name.is_empty() {
        return Err(PortError::invalid("name", "is empty; give the name of a file"));
    }
    let asked = MixIdInput { game: input.game, name: Some(input.name.clone()), data: None, rule: None };
    let id = mix_id(&asked)?;
    let holders = slots(&input.archives, "archives")?;
    let mounted = mounted(input, &holders)?;
    let mut search = Search::default();
    search.ask("cache", input.cached.is_some(), Place::Cache);
    search.ask("open_file", input.open_file, Place::OpenFile);
    for slot in &mounted {
        search.ask(&archive_name(*slot), holders.contains(slot), Place::Archive);
    }
    search.ask("loose", input.loose, Place::Loose);
    let answered_by = search.answer.unwrap_or(Place::Nowhere);
    let archive = search.tried.last().filter(|_| answered_by == Place::Archive).cloned();
    Ok(FileSearch {
        key: input.name.to_ascii_uppercase(),
        id_u32: id.id_u32,
        exists: search.answer.is_some() && input.cached != Some(Kept::Absent),
        answered_by,
        archive,
        rank: search.tried.len() as u32,
        tried: search.tried,
        not_asked: search.not_asked,
        caveats: caveats(answered_by == Place::Archive && holders.len() > 1),
    })
}

/// What is not known of a search.
fn caveats(several: bool) -> Vec<Caveat> {
    let message =
        "this says whether there is a file, not which one is opened: the way that opens one was not read";
    let mut caveats = vec![Caveat::new("ladder.1", message)];
    if several {
        let message = "which of several archives with the name answers was not read; this is the one that is mounted first";
        caveats.push(Caveat::new("among.1", message));
    }
    caveats
}

/// A search under way: it ends with the first place that has the name (ladder.1).
#[derive(Default)]
struct Search {
    tried: Vec<String>,
    not_asked: Vec<String>,
    answer: Option<Place>,
}

impl Search {
    fn ask(&mut self, place: &str, has: bool, sort: Place) {
        if self.answer.is_none() {
            self.tried.push(place.to_owned());
            self.answer = has.then_some(sort);
        } else if has {
            self.not_asked.push(place.to_owned());
        }
    }
}

/// The mounted archives by their places in the order.
fn mounted(input: &FileSearchInput, holders: &BTreeSet<u8>) -> Result<BTreeSet<u8>, PortError> {
    let Some(named) = &input.mounted else {
        let regular = SLOTS..SLOTS + REGULAR.len() as u8;
        return Ok(regular.chain(holders.iter().copied()).collect());
    };
    let mounted = slots(named, "mounted")?;
    if let Some(slot) = holders.difference(&mounted).next() {
        let message = format!("{} is not one of `mounted`", archive_name(*slot));
        return Err(PortError::invalid("archives", message));
    }
    Ok(mounted)
}

/// Archives by their places in the order in which the game mounts them, from 0.
fn slots(names: &[String], field: &str) -> Result<BTreeSet<u8>, PortError> {
    let mut slots = BTreeSet::new();
    for name in names {
        let Some(slot) = slot(name) else {
            let message = format!(
                "`{name}` is not mounted at the start of the game; name EXPANDMD00 to EXPANDMD99, {}",
                REGULAR.join(", ")
            );
            return Err(PortError::invalid(field, message));
        };
        if !slots.insert(slot) {
            let message = format!("{} is named twice", archive_name(slot));
            return Err(PortError::invalid(field, message));
        }
    }
    Ok(slots)
}

/// The place of one archive: 0 for EXPANDMD99, 99 for EXPANDMD00, then the regular ones (mount.1).
fn slot(name: &str) -> Option<u8> {
    let name = name.to_ascii_uppercase();
    let stem = name.strip_suffix(".MIX").unwrap_or(&name);
    if let Some(digits) = stem.strip_prefix("EXPANDMD") {
        let two = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        return digits.parse::<u8>().ok().filter(|_| two).map(|number| SLOTS - 1 - number);
    }
    let at = REGULAR.iter().position(|regular| *regular == stem)?;
    Some(SLOTS + at as u8)
}

/// The name of the archive at a place of the order.
fn archive_name(slot: u8) -> String {
    match slot.checked_sub(SLOTS).and_then(|at| REGULAR.get(usize::from(at))) {
        Some(stem) => format!("{stem}.MIX"),
        None => format!("EXPANDMD{:02}.MIX", SLOTS.saturating_sub(1 + slot)),
    }
}
