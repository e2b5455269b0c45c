//! Sources: what a finding rests on, and whose reading it is.

use crate::reader::{Reader, Shape, is_words};
use assay_model::{Game, Problem, Rule};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::DeValue;

/// Where the sources are listed.
pub const SOURCES: &str = "oracles/sources.toml";

/// The teams that read the programs by themselves. Two groups make a clause verified, so a name that is not listed here
/// (a slip of the pen, for one) must not pass for a group of its own.
pub const GROUPS: &[&str] = &[
    "vera",       // Yrvera/vera20k
    "nyr",        // a native re-implementation of YR that is not named
    "otamaa",     // the disassembly notes of that name
    "antares",    // Phobos-developers/Antares
    "phobos",     // Phobos and YRpp
    "ares",       // Ares
    "ritanlisa",  // Ritanlisa/RA2YR_ReSource
    "opents",     // OpenTS, TSpp and Vinifera's notes: they share an author
    "vinifera",   // Vinifera where it replaces a whole function of the executable: read by itself
    "ts-patches", // CnCNet/ts-patches
    "rets",       // DasSheep/reTS
    "ea",         // what EA published of the ancestors
];

/// What sort of evidence a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// The retail program itself: emulated code, captured runs, tables read from it.
    OriginalProgram,
    /// A reading of the machine code.
    Disassembly,
    /// Source rebuilt from the machine code.
    Reconstruction,
    /// Published source of an ancestor of the engine.
    AncestorSource,
    /// Code that patches the program and so shows what it replaces.
    Hook,
    /// What somebody wrote about the program.
    Documentation,
    /// Rules, maps and other files that the program reads.
    DataFile,
}

/// A line of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Unique id: lower-case words joined by `-`.
    pub id: String,
    /// Sort of evidence.
    pub kind: SourceKind,
    /// What was read.
    pub subject: String,
    /// Games it is evidence for, in vocabulary order.
    pub games: Vec<Game>,
    /// Where to find it: repository, page, address.
    pub location: String,
    /// Independence group: one for each team that read the program by itself.
    pub group: String,
    /// Its authors took it back until reworked.
    pub withdrawn: bool,
    /// Line of its id in `oracles/sources.toml`, from 1.
    pub line: usize,
    /// Column of its id, from 1.
    pub column: usize,
}

/// All sources, by id.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Source>);

/// `oracles/sources.toml`: every source that a clause, a table or a case may cite.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read entry by entry, so that one wrong entry does not hide the others")]
pub struct SourcesFile {
    /// One source.
    source: Vec<SourceEntry>,
}

/// One source.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SourceEntry {
    /// Unique id: lower-case words joined by `-`.
    #[schemars(with = "String", regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    id: Spanned<String>,
    /// Sort of evidence.
    kind: SourceKind,
    /// What was read, such as `gamemd.exe 1.001`.
    #[schemars(with = "String", length(min = 1))]
    subject: Spanned<String>,
    /// Games it is evidence for.
    #[schemars(with = "Vec<Game>", length(min = 1))]
    games: Spanned<Vec<Spanned<String>>>,
    /// Where to find it: repository, page, address.
    #[serde(rename = "where")]
    #[schemars(with = "String", length(min = 1))]
    location: Spanned<String>,
    /// Independence group: one for each team that read the program by itself.
    #[schemars(with = "String", regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    group: Spanned<String>,
    /// Its authors took it back until reworked.
    #[serde(default)]
    withdrawn: bool,
}

impl Sources {
    /// Reads `oracles/sources.toml`.
    pub(crate) fn read(text: &str, problems: &mut Vec<Problem>) -> Self {
        let mut reader = Reader::new(SOURCES, text, 0, problems);
        let shape = Shape::new();
        let mut sources = Self::default();
        let spare = OnceCell::new();
        for (key, value) in reader.parse(text, &spare).into_inner() {
            let span = value.span();
            match (&**key.get_ref(), value.into_inner()) {
                ("source", DeValue::Array(entries)) => {
                    for entry in entries {
                        sources.add(entry, &shape, &mut reader);
                    }
                }
                ("source", _) => {
                    reader.report(Rule::WrongType, &span, "sources are a list", "write each as `[[source]]`");
                }
                (other, _) => {
                    reader.report(
                        Rule::UnknownKey,
                        &key.span(),
                        format!("unknown key `{other}`"),
                        "write each source as `[[source]]`",
                    );
                }
            }
        }
        sources
    }

    fn add(&mut self, entry: Spanned<DeValue<'_>>, shape: &Shape<SourceEntry>, reader: &mut Reader<'_>) {
        let span = entry.span();
        let DeValue::Table(table) = entry.into_inner() else {
            let help = "write each as `[[source]]`";
            return reader.report(Rule::WrongType, &span, "a source is a table", help);
        };
        let Some(entry) = reader.entry(shape, Spanned::new(span, table)) else { return };
        let games = reader.games(entry.games.get_ref());
        if entry.games.get_ref().is_empty() {
            let message = "the source is evidence for no game";
            reader.report(Rule::WrongValue, &entry.games.span(), message, "list at least one");
        }
        for (name, value) in [("subject", &entry.subject), ("where", &entry.location)] {
            if value.get_ref().trim().is_empty() {
                reader.report(
                    Rule::WrongValue,
                    &value.span(),
                    format!("`{name}` is empty"),
                    "say what was read and where it is",
                );
            }
        }
        for (name, value) in [("id", &entry.id), ("group", &entry.group)] {
            if !is_words(value.get_ref(), '-') {
                let message = format!("`{name}` is `{}`", value.get_ref());
                reader.report(Rule::BadId, &value.span(), message, "write lower-case words joined by `-`");
            }
        }
        if entry.kind.counts() && !GROUPS.contains(&&**entry.group.get_ref()) {
            let message = format!("unknown independence group `{}`", entry.group.get_ref());
            let help = format!(
                "one of {}; a new team is added to GROUPS in oracles/src/source.rs",
                GROUPS.join(", ")
            );
            reader.report(Rule::Group, &entry.group.span(), message, help);
        }
        if let Some(first) = self.0.get(entry.id.get_ref()) {
            let message = format!("duplicate source `{}` (first at line {})", first.id, first.line);
            let help = "give each source its own id";
            return reader.report(Rule::DuplicateId, &entry.id.span(), message, help);
        }
        let (line, column) = reader.place(entry.id.span().start);
        let id = entry.id.into_inner();
        let source = Source {
            id: id.clone(),
            kind: entry.kind,
            subject: entry.subject.into_inner(),
            games,
            location: entry.location.into_inner(),
            group: entry.group.into_inner(),
            withdrawn: entry.withdrawn,
            line,
            column,
        };
        self.0.insert(id, source);
    }

    /// The source of that id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Source> {
        self.0.get(id)
    }

    /// Every source, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.values()
    }
}

impl SourceKind {
    /// The word as `sources.toml` spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OriginalProgram => "original-program",
            Self::Disassembly => "disassembly",
            Self::Reconstruction => "reconstruction",
            Self::AncestorSource => "ancestor-source",
            Self::Hook => "hook",
            Self::Documentation => "documentation",
            Self::DataFile => "data-file",
        }
    }

    /// Whether readings of this kind count as independent of each other.
    #[must_use]
    pub const fn counts(self) -> bool {
        matches!(self, Self::Disassembly | Self::Reconstruction | Self::Hook | Self::AncestorSource)
    }
}
