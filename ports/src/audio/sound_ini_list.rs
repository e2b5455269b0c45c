//! `sound_ini_list`: what a list of sounds or themes names, and what is missing of it.

use super::idx_list::{IdxListInput, idx_list};
use super::yr;
use crate::assets::source::fault;
use crate::assets::whole;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Metadata.
pub static META: Meta = Meta {
    name: "sound_ini_list",
    area: Area::Audio,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Entries of a sound or theme list with names that have no section, are not listed, or are in no bag.",
    aliases: &[
        "sound.ini",
        "soundmd.ini",
        "theme.ini",
        "SoundList",
        "Themes",
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
/// Most files that one entry plays of.
const MAX_SOUNDS: usize = 32;

/// Which list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SoundIniKind {
    /// `[SoundList]`, whose entries have `Sounds`.
    #[default]
    Sounds,
    /// `[Themes]`, whose entries have `Sound`.
    Themes,
}

/// A file of sound or theme rules.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoundIniInput {
    /// Game that reads it; the three are alike. Default YR.
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
    /// Names that an earlier line of the list has, letters of either case alike.
    pub repeated: u32,
    /// Sections of the file that an earlier one has the name of; their lines count to the first (section.1).
    pub repeated_sections: u32,
    /// Listed names that have no section, in order (list.1).
    pub without_section: Vec<String>,
    /// Sections that are not listed, in order (list.1).
    pub unlisted: Vec<String>,
    /// Files beyond the 32 of an entry (files.1).
    pub dropped: u32,
    /// Files that the index does not have, in order; none without an index (bag.1).
    pub missing: Vec<String>,
    /// Lines of `[Defaults]` in order; none for themes (defaults.1).
    pub defaults: Vec<Setting>,
    /// The listed names that have a section, each once, in order (files.1).
    pub entries: Vec<SoundIniEntry>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Setting {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SoundIniEntry {
    /// Its name.
    pub name: String,
    /// The files that it plays, without `$` and `#` before them (files.1).
    pub files: Vec<String>,
}

/// Reads a list.
///
/// # Errors
/// `EINVAL` at `text` unless exactly one of `text` and `bytes` is given, and at that one, `not_found`, without the list. As
/// `idx_list` at `index`. `EFBIG` at `bytes` beyond 2 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn sound_ini_list(input: &SoundIniInput) -> Result<SoundIni, PortError> {
    META.offers(input.game)?;
    let (field, text) = match (&input.text, &input.bytes) {
        (Some(text), None) => ("text", text.clone()),
        (None, Some(bytes)) => ("bytes", latin(bytes)?),
        _ => return Err(PortError::invalid("text", "give exactly one of `text` and `bytes`")),
    };
    let sections = Sections::read(&text);
    let list = input.list.section();
    let Some(names) = sections.get(list) else {
        return Err(PortError {
            field: field.to_owned(),
            ..fault("not_found", format!("no section [{list}]"))
        });
    };
    let bag = input.index.as_ref().map(|index| names_of(index, input.game)).transpose()?;
    let mut ini = SoundIni { repeated_sections: sections.repeated, ..SoundIni::default() };
    let mut seen = BTreeSet::from([list.to_ascii_lowercase()]);
    if input.list == SoundIniKind::Sounds {
        seen.insert("defaults".to_owned());
        ini.defaults = sections.get("Defaults").map_or_else(Vec::new, <[Setting]>::to_vec);
    }
    ini.enter(names, &sections, input.list);
    seen.extend(ini.entries.iter().map(|entry| entry.name.to_ascii_lowercase()));
    let unlisted = sections.names.iter().filter(|name| !seen.contains(&name.to_ascii_lowercase()));
    ini.unlisted = unlisted.cloned().collect();
    if let Some(bag) = bag {
        ini.look_up(bag);
    }
    Ok(ini)
}

impl SoundIniKind {
    /// The section with the list.
    const fn section(self) -> &'static str {
        match self {
            Self::Sounds => "SoundList",
            Self::Themes => "Themes",
        }
    }
}

impl SoundIni {
    /// Takes the names of the list in, each once (list.1).
    fn enter(&mut self, names: &[Setting], sections: &Sections, list: SoundIniKind) {
        let mut seen = BTreeSet::new();
        for Setting { value: name, .. } in names.iter().filter(|line| !line.value.is_empty()) {
            self.listed += 1;
            if !seen.insert(name.to_ascii_lowercase()) {
                self.repeated += 1;
                continue;
            }
            let Some(section) = sections.get(name) else {
                self.without_section.push(name.clone());
                continue;
            };
            let mut files = files(section, list);
            self.dropped += files.len().saturating_sub(MAX_SOUNDS) as u32;
            files.truncate(MAX_SOUNDS);
            self.entries.push(SoundIniEntry { name: name.clone(), files });
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

/// The files of an entry: words of the first line with the key, without the marks before them; of a theme the value as it is.
fn files(section: &[Setting], list: SoundIniKind) -> Vec<String> {
    let key = if list == SoundIniKind::Sounds { "Sounds" } else { "Sound" };
    let line = section.iter().find(|line| line.key.eq_ignore_ascii_case(key));
    let value = line.map_or("", |line| line.value.as_str());
    let words: Vec<&str> = match list {
        SoundIniKind::Sounds => value.split([' ', '\t']).collect(),
        SoundIniKind::Themes => vec![value],
    };
    let bare = words.into_iter().map(|word| word.trim_start_matches(['$', '#']));
    bare.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The sections of a file by their names in small letters, and those names in order.
struct Sections {
    lines: BTreeMap<String, Vec<Setting>>,
    names: Vec<String>,
    repeated: u32,
}

impl Sections {
    fn read(text: &str) -> Self {
        let mut sections = Self { lines: BTreeMap::new(), names: Vec::new(), repeated: 0 };
        let mut inside: Option<String> = None;
        for line in text.split('\n') {
            let line = line.split(';').next().map_or("", blankless);
            if let Some((name, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                inside = Some(sections.open(blankless(name)));
            } else if let (Some(name), Some((key, value))) = (&inside, line.split_once('=')) {
                let (key, value) = (blankless(key).to_owned(), blankless(value).to_owned());
                if let Some(lines) = sections.lines.get_mut(name).filter(|_| !key.is_empty()) {
                    lines.push(Setting { key, value });
                }
            }
        }
        sections
    }

    fn open(&mut self, name: &str) -> String {
        let key = name.to_ascii_lowercase();
        if self.lines.contains_key(&key) {
            self.repeated += 1;
        } else {
            self.lines.insert(key.clone(), Vec::new());
            self.names.push(name.to_owned());
        }
        key
    }

    fn get(&self, name: &str) -> Option<&[Setting]> {
        self.lines.get(&name.to_ascii_lowercase()).map(Vec::as_slice)
    }
}

/// A text without the blanks and control characters around it, as the readers of rules cut them.
fn blankless(text: &str) -> &str {
    text.trim_matches(|character| character <= ' ')
}
