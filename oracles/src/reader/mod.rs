//! TOML with places: every syntax error, unknown key, missing key and wrong value is reported where it stands, and what
//! is sound is read all the same.

mod recover;

use crate::nearest::meant;
use assay_model::files::position;
use assay_model::port::schema_of;
use assay_model::{Game, Problem, Rule};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Deserializer, Error};

/// Reads the TOML of one file, or of the front of one, and collects what is wrong.
pub struct Reader<'a> {
    file: &'a str,
    /// The whole file.
    text: &'a str,
    /// Byte offset of the TOML in it.
    start: usize,
    problems: &'a mut Vec<Problem>,
    /// Byte offset and number of the line that was asked for last; places are mostly asked for in order.
    line: (usize, usize),
}

/// A TOML text with every part that does not parse blanked out, so that the rest keeps its place.
#[must_use]
pub fn readable(toml: &str) -> Cow<'_, str> {
    if DeTable::parse(toml).is_ok() {
        Cow::Borrowed(toml)
    } else {
        recover::readable(toml, &mut |_, _| {}).into()
    }
}

/// The keys of a table that is read as `T`, in order, each with whether it is required.
pub struct Shape<T> {
    keys: Vec<(String, bool)>,
    table: PhantomData<T>,
}

impl<T: JsonSchema> Default for Shape<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: JsonSchema> Shape<T> {
    /// From the schema, so that editor and loader know the same keys.
    #[must_use]
    pub fn new() -> Self {
        let schema = schema_of::<T>();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let keys = schema["properties"].as_object().into_iter().flatten();
        let keys = keys.map(|(key, _)| (key.clone(), required.contains(&key.as_str()))).collect();
        Self { keys, table: PhantomData }
    }
}

impl<'a> Reader<'a> {
    /// A reader of `file`, whose TOML begins at the byte offset `start` of its `text`.
    pub fn new(file: &'a str, text: &'a str, start: usize, problems: &'a mut Vec<Problem>) -> Self {
        Self { file, text, start, problems, line: (0, 1) }
    }

    /// Reports something at a span of the TOML.
    pub fn report(
        &mut self,
        rule: Rule,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = self.place(span.start);
        self.problems.push(Problem::placed(rule, self.file, place, message, help));
    }

    /// Problems so far, those of other files included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// Line and column, both from 1, of a byte offset in the TOML.
    pub fn place(&mut self, offset: usize) -> (usize, usize) {
        let offset = (self.start + offset).min(self.text.len());
        if offset < self.line.0 {
            self.line = (0, 1);
        }
        let (line, column) = position(&self.text[self.line.0..], offset - self.line.0);
        let start = self.text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        self.line = (start, self.line.1 + line - 1);
        (self.line.1, column)
    }

    /// The TOML without the parts whose header is none of `known`, each of which is reported: what stands below such a
    /// header would go on with the part above it.
    pub fn known_parts<'t>(&mut self, toml: &'t str, known: &[&str], spare: &'t OnceCell<String>) -> &'t str {
        let strange = recover::strange(toml, known);
        if strange.is_empty() {
            return toml;
        }
        let mut text = toml.as_bytes().to_vec();
        for (name, part) in strange {
            let (word, help) = (toml[name.clone()].trim(), known_here(toml[name.clone()].trim(), known));
            self.report(Rule::UnknownKey, &name, format!("unknown key `{word}`"), help);
            recover::blank(&mut text, &part);
        }
        spare.get_or_init(|| String::from_utf8(text).unwrap_or_default())
    }

    /// Parses TOML, reporting every syntax error. Where there are any, `spare` gets the text with each part that breaks
    /// blanked out, and that is what is given back.
    pub fn parse<'t>(&mut self, toml: &'t str, spare: &'t OnceCell<String>) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(toml);
        if errors.is_empty() {
            return table;
        }
        let readable = recover::readable(toml, &mut |span, error| {
            self.report(Rule::Syntax, span, one_line(error.message()), "");
        });
        DeTable::parse_recoverable(spare.get_or_init(|| readable)).0
    }

    /// Reads a table as a type. Whatever does not fit is reported and passed over, so the value may be there although
    /// something was wrong; there is none if a required key is missing or wrong.
    pub fn entry<T: DeserializeOwned>(
        &mut self,
        shape: &Shape<T>,
        mut table: Spanned<DeTable<'_>>,
    ) -> Option<T> {
        let known = |key: &str| shape.keys.iter().any(|(name, _)| name == key);
        let unknown: Vec<_> = table.get_ref().keys().filter(|key| !known(key.get_ref())).cloned().collect();
        let mut guessed: Vec<&str> = Vec::new();
        for key in unknown {
            let free = shape.keys.iter().map(|(name, _)| name.as_str());
            guessed.extend(meant(key.get_ref(), free.filter(|name| !table.get_ref().contains_key(*name))));
            let names: Vec<&str> = shape.keys.iter().map(|(name, _)| name.as_str()).collect();
            self.unknown(&key, &names);
            table.get_mut().remove(&key);
        }
        let missing =
            shape.keys.iter().filter(|(key, required)| *required && !table.get_ref().contains_key(&**key));
        // A key that was misspelt is not missing besides.
        for (key, _) in missing.filter(|(key, _)| !guessed.contains(&key.as_str())) {
            self.report(Rule::MissingKey, &table.span(), format!("missing key `{key}`"), "");
        }
        let mut gone = self.dates(table.get_mut());
        loop {
            let error = match T::deserialize(Deserializer::from(table.clone())) {
                Ok(entry) => return Some(entry),
                Err(error) => error,
            };
            let span = error.span().unwrap_or_default();
            let removed = recover::remove(table.get_mut(), &span);
            // A key that is missing at the top was told of; one that is missing because it was wrong, too.
            let lacks = error.message().strip_prefix("missing field `");
            let lacks = lacks.and_then(|rest| rest.split('`').next());
            if lacks.is_none_or(|name| removed.is_some() && !gone.iter().any(|gone| gone == name)) {
                let (rule, message, help) = said(&error);
                self.report(rule, &span, message, help);
            }
            gone.push(removed?);
        }
    }

    /// Reports a key that is none of `names`.
    pub fn unknown(&mut self, key: &Spanned<DeString<'_>>, names: &[&str]) {
        let help = known_here(key.get_ref(), names);
        self.report(Rule::UnknownKey, &key.span(), format!("unknown key `{}`", key.get_ref()), help);
    }

    /// Takes out dates, for which no format has a use, and gives the names of their keys.
    fn dates(&mut self, table: &mut DeTable<'_>) -> Vec<String> {
        let keys: Vec<_> = table.keys().cloned().collect();
        let mut gone = Vec::new();
        for key in keys {
            let mut found = Vec::new();
            if let Some(value) = table.get(&key) {
                dates_in(value, &mut found);
            }
            for span in found {
                self.report(Rule::WrongType, &span, "a date has no meaning here", "put text in quotes");
                gone.extend(recover::remove(table, &span));
            }
        }
        gone
    }

    /// The games of a list, reporting words that are none and games that come twice.
    pub fn games(&mut self, words: &[Spanned<String>]) -> Vec<Game> {
        let mut games = Vec::new();
        for word in words {
            match exact_game(word.get_ref()) {
                Ok(game) if games.contains(&game) => {
                    self.report(
                        Rule::WrongValue,
                        &word.span(),
                        format!("{game} is listed twice"),
                        "keep one",
                    );
                }
                Ok(game) => games.push(game),
                Err(message) => self.report(Rule::UnknownGame, &word.span(), message, ""),
            }
        }
        games.sort_unstable();
        games
    }
}

/// A game by its exact spelling.
pub fn exact_game(word: &str) -> Result<Game, String> {
    match word.parse::<Game>() {
        Ok(game) if game.as_str() == word => Ok(game),
        Ok(game) => Err(format!("unknown game `{word}` (it is written {game})")),
        Err(message) => Err(message),
    }
}

/// Lower-case words of letters and digits with `separator` between them.
pub fn is_words(text: &str, separator: char) -> bool {
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.split(separator).all(word)
}

fn dates_in(value: &Spanned<DeValue<'_>>, found: &mut Vec<Range<usize>>) {
    match value.get_ref() {
        DeValue::Datetime(_) => found.push(value.span()),
        DeValue::Array(items) => items.iter().for_each(|item| dates_in(item, found)),
        DeValue::Table(table) => table.iter().for_each(|(_, value)| dates_in(value, found)),
        _ => {}
    }
}

/// What to write instead of an unknown key.
fn known_here(wrong: &str, names: &[&str]) -> String {
    match meant(wrong, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? known here: {}", names.join(", ")),
        None => format!("known here: {}", names.join(", ")),
    }
}

/// The words of the deserialiser as a problem of ours.
fn said(error: &Error) -> (Rule, String, String) {
    let message = one_line(error.message());
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let names = quoted(&message);
    if message.starts_with("unknown field") {
        let rest: Vec<&str> = names.iter().skip(1).map(String::as_str).collect();
        let wrong = names.first().map_or("", String::as_str);
        return (Rule::UnknownKey, format!("unknown key `{wrong}`"), known_here(wrong, &rest));
    }
    if message.starts_with("missing field") {
        return (Rule::MissingKey, format!("missing key `{}`", names.join("`, `")), String::new());
    }
    if message.starts_with("unknown variant") {
        let wrong = names.first().map_or("", String::as_str);
        return (
            Rule::WrongValue,
            format!("unknown word `{wrong}`"),
            format!("one of {}", names[1..].join(", ")),
        );
    }
    if message.contains("untagged enum") {
        let help = "see the schema of the file".to_owned();
        return (Rule::WrongType, "the value has none of the forms that may stand here".to_owned(), help);
    }
    let rule = if message.starts_with("invalid type") { Rule::WrongType } else { Rule::WrongValue };
    (rule, message, String::new())
}

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
