//! A TOML text with the places of its keys and values, and what is found in it.

use assay_model::{Problem, Rule};
use std::borrow::Cow;
use std::ops::Range;
use toml_edit::{Document, Item, Table, Value};

/// Something found, with the way to mend it where that is mechanical.
pub(super) struct Finding {
    pub problem: Problem,
    pub edit: Option<Edit>,
}

/// A piece of text to be put in the place of another.
pub(super) struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// A file that is TOML, or has some in front.
pub(super) struct Sheet<'a> {
    pub path: &'a str,
    /// The whole file.
    pub text: &'a str,
    /// Byte offset of the TOML.
    pub start: usize,
    /// The TOML, parts that do not parse blanked out.
    pub toml: Cow<'a, str>,
    pub document: Document<String>,
}

/// Keys of a table, in the order of the text: name, place of the key, what it holds.
pub(super) type Keys<'a> = Vec<(&'a str, Range<usize>, &'a Item)>;

impl<'a> Sheet<'a> {
    /// The TOML of a suite, the sources or a spec; `None` for any other file.
    pub fn of(path: &'a str, text: &'a str) -> Option<Self> {
        let range = if path.ends_with(".md") {
            assay_oracles::front_matter(text)?.0
        } else if path.ends_with(".toml") {
            0..text.len()
        } else {
            return None;
        };
        let start = range.start;
        let toml = assay_oracles::reader::readable(&text[range]);
        let document = Document::parse(toml.clone().into_owned()).ok()?;
        Some(Self { path, text, start, toml, document })
    }

    /// Whether all of it parsed.
    pub fn is_whole(&self) -> bool {
        matches!(self.toml, Cow::Borrowed(_))
    }

    /// Something at a byte offset of the TOML.
    pub fn finding(
        &self,
        rule: Rule,
        offset: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        let problem = Problem::at(rule, self.path, self.text, self.start + offset, message, help);
        Finding { problem, edit: None }
    }

    /// The tables of a list such as `[[case]]`.
    pub fn tables(&self, name: &str) -> impl Iterator<Item = &Table> {
        self.document.get(name).and_then(Item::as_array_of_tables).into_iter().flatten()
    }

    /// Where the line of an offset begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.toml[..offset].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Where the next line after an offset begins; `None` when the last line has no end.
    pub fn line_end(&self, offset: usize) -> Option<usize> {
        self.toml[offset..].find('\n').map(|newline| offset + newline + 1)
    }
}

impl Finding {
    /// With the edit that mends it.
    pub fn mended_by(mut self, edit: Option<Edit>) -> Self {
        self.edit = edit;
        self
    }
}

/// The keys of a table, dotted ones by their first part.
pub(super) fn keys(table: &Table) -> Keys<'_> {
    let mut keys: Keys = table
        .iter()
        .filter_map(|(name, item)| {
            let key = table.key(name)?;
            let span = key.span().or_else(|| item.span())?;
            Some((name, span, item))
        })
        .collect();
    keys.sort_by_key(|(_, span, _)| span.start);
    keys
}

/// Whether an item is a table with a header line of its own.
pub(super) fn has_header(item: &Item) -> bool {
    match item {
        Item::Table(table) => !table.is_dotted(),
        Item::ArrayOfTables(_) => true,
        _ => false,
    }
}

/// Every value below an item.
pub(super) fn values<'a>(item: &'a Item, visit: &mut dyn FnMut(&'a Value)) {
    match item {
        Item::Value(value) => inner(value, visit),
        Item::Table(table) => table.iter().for_each(|(_, item)| values(item, visit)),
        Item::ArrayOfTables(tables) => {
            tables.iter().flat_map(Table::iter).for_each(|(_, item)| values(item, visit));
        }
        Item::None => {}
    }
}

fn inner<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|value| inner(value, visit)),
        Value::InlineTable(table) => table.iter().for_each(|(_, value)| inner(value, visit)),
        _ => {}
    }
}
