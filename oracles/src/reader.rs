//! TOML with places: every unknown key, missing key and wrong value is reported where it stands.

use assay_model::files::position;
use assay_model::port::schema_of;
use assay_model::{Game, Problem};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

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

/// The keys of a table that is read as `T`, in order, each with whether it is required.
pub struct Shape<T> {
    keys: Vec<(String, bool)>,
    table: PhantomData<T>,
}

impl<T: JsonSchema> Shape<T> {
    /// From the schema, so that editor and loader know the same keys.
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
    pub fn report(&mut self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::at(self.file, self.text, self.start + span.start, message, help));
    }

    /// Line and column, both from 1, of a byte offset in the TOML.
    pub fn place(&mut self, offset: usize) -> (usize, usize) {
        let offset = self.start + offset;
        if offset < self.line.0 {
            self.line = (0, 1);
        }
        let (line, column) = position(&self.text[self.line.0..], offset - self.line.0);
        let start = self.text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        self.line = (start, self.line.1 + line - 1);
        (self.line.1, column)
    }

    /// Parses TOML, reporting every syntax error; what could be parsed is returned all the same.
    pub fn parse<'t>(&mut self, toml: &'t str) -> Spanned<DeTable<'t>> {
        let (table, errors) = DeTable::parse_recoverable(toml);
        for error in errors {
            self.report(&error.span().unwrap_or_default(), one_line(error.message()), "");
        }
        table
    }

    /// Reads a table as a type. Keys that the type does not know are reported and passed over.
    pub fn entry<T: DeserializeOwned>(
        &mut self,
        shape: &Shape<T>,
        mut table: Spanned<DeTable<'_>>,
    ) -> Option<T> {
        let known = |key: &str| shape.keys.iter().any(|(name, _)| name == key);
        let unknown: Vec<_> = table.get_ref().keys().filter(|key| !known(key.get_ref())).cloned().collect();
        for key in unknown {
            let names: Vec<&str> = shape.keys.iter().map(|(name, _)| name.as_str()).collect();
            let help = format!("known here: {}", names.join(", "));
            self.report(&key.span(), format!("unknown key `{}`", key.get_ref()), help);
            table.get_mut().remove(&key);
        }
        let missing =
            shape.keys.iter().filter(|(key, required)| *required && !table.get_ref().contains_key(&**key));
        let missing: Vec<&str> = missing.map(|(key, _)| key.as_str()).collect();
        for key in &missing {
            self.report(&table.span(), format!("missing key `{key}`"), "");
        }
        if !missing.is_empty() {
            return None;
        }
        match T::deserialize(Deserializer::from(table)) {
            Ok(entry) => Some(entry),
            Err(error) => {
                self.report(&error.span().unwrap_or_default(), one_line(error.message()), "");
                None
            }
        }
    }

    /// The games of a list, reporting words that are none and games that come twice.
    pub fn games(&mut self, words: &[Spanned<String>]) -> Vec<Game> {
        let mut games = Vec::new();
        for word in words {
            match exact_game(word.get_ref()) {
                Ok(game) if games.contains(&game) => {
                    self.report(&word.span(), format!("{game} is listed twice"), "");
                }
                Ok(game) => games.push(game),
                Err(message) => self.report(&word.span(), message, ""),
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

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}
