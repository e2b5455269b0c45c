//! `sound_ini_list`: what a list of sounds, themes or announcements names, and what is missing of it.

use super::idx_list::{IdxListInput, idx_list};
use super::yr;
use crate::assets::ini_text::{Ini, Section, shown};
use crate::assets::source::fault;
use crate::assets::whole;
use assay_model::{Area, Bytes, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Metadata.
pub static META: Meta = Meta {
    name: "sound_ini_list",
    area: Area::Audio,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Entries of a sound, theme or EVA list with names that have no section, are not listed, or are in no bag.",
    aliases: &[
        "sound.ini",
        "soundmd.ini",
        "theme.ini",
        "SoundList",
        "Themes",
        "eva.ini",
        "evamd.ini",
        "DialogList",
        "Sounds=",
        "missing sound",
        "sound rules",
    ],
    units: "text in; names",
    example: r#"{"text":"[SoundList]\n1=Boom\n[Boom]\nSounds= $boom1 boom2\n"}"#,
};

/// The port.
pub static PORT: FnPort<SoundIniInput, SoundIni> = FnPort::new(&META, sound_ini_list);

/// Most bytes of a file: 2 MiB.
const MAX_TEXT: u64 = 2 << 20;
/// The section whose lines hold for all sounds.
const DEFAULTS: &[u8] = b"Defaults";
/// Most files that one entry plays of.
const MAX_SOUNDS: usize = 32;
/// Most characters of a file that YR keeps of an announcement (voice.2).
const MAX_VOICE: usize = 8;

/// Which list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SoundIniKind {
    /// `[SoundList]`, whose entries have `Sounds`.
    #[default]
    Sounds,
    /// `[Themes]`, whose entries have `Sound`.
    Themes,
    /// `[DialogList]` of `eva.ini` and `evamd.ini`, whose entries have a file for each side. TS has none.
    Eva,
}

/// A file of sound, theme or announcement rules.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoundIniInput {
    /// Game that reads it; the three are alike but for announcements. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file as text, at most 2097152 characters. Give this or `bytes`.
    #[serde(default)]
    #[schemars(length(max = 2_097_152))]
    pub text: Option<String>,
    /// The file as bytes, one character each, at most 2097152.
    #[serde(default)]
    pub bytes: Option<Bytes>,
    /// Which list is asked for. Default `sounds`.
    #[serde(default)]
    pub list: SoundIniKind,
    /// The index of the audio bag, to tell which files are in none. Default: that is not asked.
    #[serde(default)]
    pub index: Option<Bytes>,
}

/// What a list names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SoundIni {
    /// Names in the list, those that come again included (list.1).
    pub listed: u32,
    /// Names that an earlier line of the list has: those of announcements in letters of either case, others as they
    /// stand (list.1, eva.1).
    pub repeated: u32,
    /// Sections of the file that an earlier one has the name of; nothing of them is read (repeat.1).
    pub repeated_sections: u32,
    /// Listed names that have no section, each once, in order (list.1).
    pub without_section: Vec<String>,
    /// Sections that are not listed, each name once, in order (list.1).
    pub unlisted: Vec<String>,
    /// Files beyond the 32 of an entry (files.1).
    pub dropped: u32,
    /// Files that the index does not have, in order; none without an index (bag.1).
    pub missing: Vec<String>,
    /// Lines of `[Defaults]` in order; sounds alone have it (defaults.1).
    pub defaults: Vec<Setting>,
    /// The listed names that have a section, each once, in order (files.1).
    pub entries: Vec<SoundIniEntry>,
    /// What is not known of a result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Setting {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

impl Setting {
    fn of((key, value): &(&[u8], &[u8])) -> Self {
        Self { key: shown(key), value: shown(value) }
    }
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SoundIniEntry {
    /// Its name.
    pub name: String,
    /// The files that it plays: without `$` and `#` before them (files.1); of an announcement those of the sides that have
    /// one (voice.1).
    pub files: Vec<String>,
    /// How it plays: the other lines of its section in order, as they stand; none of announcements (play.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub settings: Vec<Setting>,
    /// What an announcement has besides; left out for sounds and themes (manner.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eva: Option<Announcement>,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Announcement {
    /// `Type`: how it takes its turn (manner.1).
    pub r#type: EvaType,
    /// `Priority`: which of two that wait comes first (manner.1).
    pub priority: EvaPriority,
    /// File for the Allied side; left out without one (voice.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allied: Option<String>,
    /// File for the Russian side; left out without one (voice.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub russian: Option<String>,
    /// File for the side of Yuri; left out without one (voice.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yuri: Option<String>,
    /// `Text`: what is said, for people; left out without one (text.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// How an announcement takes its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaType {
    /// The game's 0, which any other word means too.
    Standard,
    /// The game's 1.
    Queue,
    /// The game's 2.
    Interrupt,
    /// The game's 3.
    QueuedInterrupt,
}

/// How important an announcement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaPriority {
    /// The game's 0.
    Low,
    /// The game's 1, which any other word means too.
    Normal,
    /// The game's 2.
    Important,
    /// The game's 3.
    Critical,
}

/// Reads a list.
///
/// # Errors
/// `EINVAL` at `text` unless exactly one of `text` and `bytes` is given; at that one, by name: `missing` without the list,
/// `bad_count` for more than 1,000,000 sections and lines. As `idx_list` at `index`. `EFBIG` at `bytes` beyond 2 MiB; `EOPNOTSUPP` at `game` for a game without evidence, at `list` for
/// announcements of TS, which has no list of them.
pub fn sound_ini_list(input: &SoundIniInput) -> Result<SoundIni, PortError> {
    META.offers(input.game)?;
    if input.list == SoundIniKind::Eva && input.game == Game::Ts {
        let message = "unsupported: TS has no eva.ini; ask for `sounds` or `themes`, or for another game";
        return Err(PortError::unsupported("list", message));
    }
    let (field, text) = match (&input.text, &input.bytes) {
        (Some(text), None) => ("text", text.clone()),
        (None, Some(bytes)) => ("bytes", latin(bytes)?),
        _ => return Err(PortError::invalid("text", "give exactly one of `text` and `bytes`")),
    };
    let at = |refused: PortError| PortError { field: field.to_owned(), ..refused };
    let ini = Ini::load(text.as_bytes(), input.game).map_err(at)?;
    let sections = ini.by_name();
    let list = input.list.section();
    let Some(names) = sections.get(list.as_bytes()) else {
        return Err(at(fault("missing", format!("the text has no section [{list}]"))));
    };
    let bag = input.index.as_ref().map(|index| names_of(index, input.game)).transpose()?;
    let mut found = SoundIni::default();
    found.enter(names, &sections, input);
    found.around(&ini, names, &sections, input.list);
    if let Some(bag) = bag {
        found.look_up(bag);
    }
    Ok(found)
}

/// The first section of each name.
type Sections<'a, 'b> = BTreeMap<&'a [u8], &'b Section<'a>>;

impl SoundIniKind {
    /// The section with the list.
    const fn section(self) -> &'static str {
        match self {
            Self::Sounds => "SoundList",
            Self::Themes => "Themes",
            Self::Eva => "DialogList",
        }
    }

    /// The keys that are read of an entry.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Sounds => &["Sounds"],
            Self::Themes => &["Sound"],
            Self::Eva => &["Allied", "Russian", "Yuri", "Type", "Priority", "Text"],
        }
    }

    /// The lines of an entry besides those.
    fn settings(self, section: &Section<'_>) -> Vec<Setting> {
        let read = |key: &[u8]| self.keys().iter().any(|own| own.as_bytes() == key);
        section.entries.iter().filter(|(key, _)| !read(key)).map(Setting::of).collect()
    }
}

impl SoundIni {
    /// Takes the names of the list in, each once (list.1, eva.1).
    fn enter(&mut self, names: &Section<'_>, sections: &Sections<'_, '_>, input: &SoundIniInput) {
        let mut seen = BTreeSet::new();
        let keys: BTreeSet<&[u8]> = names.entries.iter().map(|(key, _)| *key).collect();
        let mut doubtful = keys.len() < names.entries.len();
        for (_, name) in &names.entries {
            self.listed += 1;
            let folded = input.list == SoundIniKind::Eva;
            if !seen.insert(if folded { name.to_ascii_lowercase() } else { name.to_vec() }) {
                self.repeated += 1;
                continue;
            }
            let Some(section) = sections.get(name) else {
                self.without_section.push(shown(name));
                continue;
            };
            doubtful |= input.list.keys().iter().any(|key| twice(section, key));
            let eva = folded.then(|| Announcement::read(section, input.game));
            let mut files = eva.as_ref().map_or_else(|| files(section, input.list), Announcement::files);
            self.dropped += files.len().saturating_sub(MAX_SOUNDS) as u32;
            files.truncate(MAX_SOUNDS);
            let settings = if folded { Vec::new() } else { input.list.settings(section) };
            self.entries.push(SoundIniEntry { name: shown(name), files, settings, eva });
        }
        if doubtful {
            let message = "a key that is read stands twice in its section: the last one is taken, which the games take was not settled";
            self.caveats.push(Caveat::new("repeat.1", message));
        }
    }

    /// Tells what the file has besides: defaults, sections that nobody names, sections again.
    fn around(
        &mut self,
        ini: &Ini<'_>,
        names: &Section<'_>,
        sections: &Sections<'_, '_>,
        list: SoundIniKind,
    ) {
        let mut known: BTreeSet<&[u8]> = names.entries.iter().map(|(_, name)| *name).collect();
        known.insert(names.name);
        if list == SoundIniKind::Sounds {
            known.insert(DEFAULTS);
            let lines = sections.get(DEFAULTS).map_or(&[][..], |section| &section.entries);
            self.defaults = lines.iter().map(Setting::of).collect();
        }
        let mut doubtful = false;
        for section in &ini.sections {
            if sections.get(section.name).is_some_and(|first| first.start != section.start) {
                self.repeated_sections += 1;
                doubtful |= known.contains(section.name);
            } else if !known.contains(section.name) {
                self.unlisted.push(shown(section.name));
            }
        }
        if doubtful {
            let message = "a section that is read stands twice: the first one is taken, which the games take was not settled";
            self.caveats.push(Caveat::new("repeat.1", message));
        }
    }

    /// Tells the files that a bag does not have, each once (bag.1).
    fn look_up(&mut self, mut known: BTreeSet<String>) {
        for file in self.entries.iter().flat_map(|entry| &entry.files) {
            if known.insert(file.to_ascii_lowercase()) {
                self.missing.push(file.clone());
            }
        }
    }
}

impl Announcement {
    fn read(section: &Section<'_>, game: Game) -> Self {
        let kept = if game == Game::Yr { MAX_VOICE } else { usize::MAX };
        let voice = |key| section.value(key).map(|file| shown(file).chars().take(kept).collect());
        let word = |key| section.value(key).map(shown).unwrap_or_default().to_ascii_uppercase();
        Self {
            r#type: match word("Type").as_str() {
                "QUEUE" => EvaType::Queue,
                "INTERRUPT" => EvaType::Interrupt,
                "QUEUED_INTERRUPT" => EvaType::QueuedInterrupt,
                _ => EvaType::Standard,
            },
            priority: match word("Priority").as_str() {
                "LOW" => EvaPriority::Low,
                "IMPORTANT" => EvaPriority::Important,
                "CRITICAL" => EvaPriority::Critical,
                _ => EvaPriority::Normal,
            },
            allied: voice("Allied"),
            russian: voice("Russian"),
            yuri: voice("Yuri"),
            text: section.value("Text").map(shown),
        }
    }

    /// The files of the sides, in the order of the sides.
    fn files(&self) -> Vec<String> {
        [&self.allied, &self.russian, &self.yuri].into_iter().flatten().cloned().collect()
    }
}

/// Whether a section has a key more than once.
fn twice(section: &Section<'_>, key: &str) -> bool {
    section.entries.iter().filter(|(name, _)| *name == key.as_bytes()).nth(1).is_some()
}

/// The file as text, one character a byte.
fn latin(bytes: &Bytes) -> Result<String, PortError> {
    Ok(whole(bytes, "bytes", MAX_TEXT)?.into_iter().map(char::from).collect())
}

/// The names of an index in small letters.
fn names_of(index: &Bytes, game: Game) -> Result<BTreeSet<String>, PortError> {
    // TS has no bag of its own; an index is of the games that have one.
    let game = if game == Game::Ts { Game::Ra2 } else { game };
    let list = idx_list(&IdxListInput { game, bytes: index.clone(), bag_size: None });
    let list = list.map_err(|refused| PortError { field: "index".to_owned(), ..refused })?;
    Ok(list.entries.iter().map(|entry| entry.name.to_ascii_lowercase()).collect())
}

/// The files of a sound: words of the last line with the key, without the marks before them; of a theme the value as it is.
fn files(section: &Section<'_>, list: SoundIniKind) -> Vec<String> {
    let said = |key| section.value(key).map(shown).unwrap_or_default();
    let (sounds, sound) = (said("Sounds"), said("Sound"));
    let words: Vec<&str> = match list {
        SoundIniKind::Sounds => sounds.split([' ', '\t']).collect(),
        _ => vec![&sound],
    };
    let bare = words.into_iter().map(|word| word.trim_start_matches(['$', '#']));
    bare.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
