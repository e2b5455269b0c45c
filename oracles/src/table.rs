//! Tables that specs carry: `oracles/tables/<name>.json`.

use crate::derive::{Number, Value};
use crate::source::{SOURCES, Sources};
use assay_model::{Files, Problem, Rule};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Where tables are.
pub const TABLES: &str = "oracles/tables";

/// A table of numbers that was read from a program.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableFile {
    /// What the values are.
    #[schemars(length(min = 1))]
    about: String,
    /// The source that they come from.
    source: String,
    /// How the values are written.
    #[serde(rename = "type")]
    form: Form,
    /// The values as integers; floats by their bits.
    #[schemars(length(min = 1, max = 1_000_000))]
    values: Vec<i128>,
}

/// How the values of a table are written.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Form {
    /// Bits of a binary32.
    F32Bits,
    /// Bits of a binary64.
    F64Bits,
    /// Signed 64-bit integers.
    Int,
    /// Unsigned 32-bit integers.
    U32,
}

/// A table as derivations see it.
#[derive(Clone, Debug)]
pub struct Table {
    /// The source that it comes from.
    pub source: String,
    /// A list of numbers; specs that carry the table share it.
    pub list: Value,
}

/// Reads every table, by path.
pub fn tables(files: &Files, sources: &Sources, problems: &mut Vec<Problem>) -> BTreeMap<String, Table> {
    let mut tables = BTreeMap::new();
    for (path, text) in files.below(TABLES) {
        match table(path, text, sources) {
            Ok(table) => {
                tables.insert(path.to_owned(), table);
            }
            Err(problem) => problems.push(problem),
        }
    }
    tables
}

fn table(path: &str, text: &str, sources: &Sources) -> Result<Table, Problem> {
    let file: TableFile = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let (line, column) = (error.line(), error.column());
        Problem::placed(rule(message), path, (line, column), message, "")
    })?;
    // Good enough to find a key: the text of a table file holds each of them once.
    let at = |key: &str| text.find(&format!("\"{key}\"")).unwrap_or_default();
    if sources.get(&file.source).is_none() {
        let message = format!("unknown source `{}`", file.source);
        return Err(Problem::at(
            Rule::UnknownSource,
            path,
            text,
            at("source"),
            message,
            format!("add it to {SOURCES}"),
        ));
    }
    if file.about.trim().is_empty() {
        return Err(Problem::at(
            Rule::Table,
            path,
            text,
            at("about"),
            "`about` is empty",
            "say what the values are",
        ));
    }
    if file.values.is_empty() {
        return Err(Problem::at(Rule::Table, path, text, at("values"), "the table has no values", ""));
    }
    let mut numbers = Vec::with_capacity(file.values.len());
    for (index, value) in file.values.iter().enumerate() {
        let number = file.form.number(*value).ok_or_else(|| {
            let message = format!("value {index} is {value}, which is beyond the table's `type`");
            Problem::at(Rule::Table, path, text, at("values"), message, "")
        })?;
        numbers.push(Value::Number(number));
    }
    let list = Value::list(numbers)
        .map_err(|message| Problem::at(Rule::Table, path, text, at("values"), message, ""))?;
    Ok(Table { source: file.source, list })
}

/// What the JSON reader's message is about.
fn rule(message: &str) -> Rule {
    match message.split(' ').next() {
        Some("unknown") if message.starts_with("unknown field") => Rule::UnknownKey,
        Some("unknown") => Rule::WrongValue,
        Some("missing") => Rule::MissingKey,
        Some("invalid") => Rule::WrongType,
        _ => Rule::Syntax,
    }
}

impl Form {
    fn number(self, value: i128) -> Option<Number> {
        Some(match self {
            Self::F32Bits => Number::from_f64(f32::from_bits(u32::try_from(value).ok()?).into()),
            Self::F64Bits => Number::from_f64(f64::from_bits(u64::try_from(value).ok()?)),
            Self::Int => Number::from(i128::from(i64::try_from(value).ok()?)),
            Self::U32 => Number::from(i128::from(u32::try_from(value).ok()?)),
        })
    }
}
