//! Values of a derivation: numbers, booleans, text, lists and records.

use super::binary;
use super::number::Number;
use assay_model::Tree;
use assay_model::number::{parse_bits, parse_word};
use std::sync::Arc;

/// A list and everything in it has at most this many scalars.
pub(crate) const MAX_SIZE: u64 = 1_000_000;
/// Lists and records nest at most this deep.
pub(crate) const MAX_DEPTH: u32 = 32;

/// A value. Copies share lists, records and text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value, as in JSON.
    Null,
    /// A truth value.
    Bool(bool),
    /// An exact number.
    Number(Number),
    /// Text.
    Text(Arc<str>),
    /// A list.
    List(Arc<List>),
    /// Named values in order.
    Record(Arc<Record>),
}

/// Elements, and how much they are in all.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    items: Vec<Value>,
    extent: Extent,
}

/// Fields, and how much they are in all.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    fields: Vec<(Arc<str>, Value)>,
    extent: Extent,
}

/// Bounds nesting, so that no recursion over a value is deep, and size, because shared parts print and compare as
/// often as they occur.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    depth: u32,
    size: u64,
}

impl Extent {
    fn around<'a>(children: impl Iterator<Item = &'a Value>) -> Result<Self, String> {
        let mut extent = Self { depth: 1, size: 1 };
        for child in children {
            extent = extent.with(child, None)?;
        }
        Ok(extent)
    }

    fn with(self, child: &Value, instead_of: Option<&Value>) -> Result<Self, String> {
        let (new, old) = (child.extent(), instead_of.map_or(0, |old| old.extent().size));
        let extent = Self { depth: self.depth.max(new.depth + 1), size: self.size + new.size - old };
        if extent.depth > MAX_DEPTH {
            return Err(format!("lists and records nest deeper than {MAX_DEPTH}"));
        }
        if extent.size > MAX_SIZE + 1 {
            return Err(format!("a list has more than {MAX_SIZE} elements"));
        }
        Ok(extent)
    }
}

impl List {
    pub(crate) fn new(items: Vec<Value>) -> Result<Self, String> {
        Ok(Self { extent: Extent::around(items.iter())?, items })
    }

    /// The elements.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    pub(crate) fn push(&mut self, value: Value) -> Result<(), String> {
        self.extent = self.extent.with(&value, None)?;
        self.items.push(value);
        Ok(())
    }

    /// Puts a value in place of the one at `index`, which the list must have.
    pub(crate) fn replace(&mut self, index: usize, value: Value) -> Result<(), String> {
        self.extent = self.extent.with(&value, Some(&self.items[index]))?;
        self.items[index] = value;
        Ok(())
    }

    /// Takes an element out, so that it is not shared while it is changed; `replace` puts it back.
    pub(crate) fn take(&mut self, index: usize) -> Value {
        let value = std::mem::replace(&mut self.items[index], Value::Null);
        self.extent.size = self.extent.size + 1 - value.extent().size;
        value
    }
}

impl Record {
    pub(crate) fn new(fields: Vec<(Arc<str>, Value)>) -> Result<Self, String> {
        Ok(Self { extent: Extent::around(fields.iter().map(|(_, value)| value))?, fields })
    }

    /// The fields in order.
    #[must_use]
    pub fn fields(&self) -> &[(Arc<str>, Value)] {
        &self.fields
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(field, _)| **field == *name).map(|(_, value)| value)
    }

    /// The place of a field.
    pub(crate) fn position(&self, name: &str) -> Result<usize, String> {
        self.fields.iter().position(|(field, _)| **field == *name).ok_or_else(|| self.no_field(name))
    }

    /// Puts a value in place of the one at `index`, which the record must have.
    pub(crate) fn replace(&mut self, index: usize, value: Value) -> Result<(), String> {
        self.extent = self.extent.with(&value, Some(&self.fields[index].1))?;
        self.fields[index].1 = value;
        Ok(())
    }

    /// Takes a value out, so that it is not shared while it is changed; `replace` puts it back.
    pub(crate) fn take(&mut self, index: usize) -> Value {
        let value = std::mem::replace(&mut self.fields[index].1, Value::Null);
        self.extent.size = self.extent.size + 1 - value.extent().size;
        value
    }

    pub(crate) fn no_field(&self, name: &str) -> String {
        let fields: Vec<&str> = self.fields.iter().map(|(field, _)| &**field).collect();
        format!("the record has no field `{name}` (it has {})", fields.join(", "))
    }
}

impl Value {
    pub(crate) fn list(items: Vec<Self>) -> Result<Self, String> {
        Ok(Self::List(Arc::new(List::new(items)?)))
    }

    fn extent(&self) -> Extent {
        match self {
            Self::List(list) => list.extent,
            Self::Record(record) => record.extent,
            _ => Extent { depth: 0, size: 1 },
        }
    }

    /// What sort of value it is, with an article.
    pub(crate) const fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Record(_) => "a record",
        }
    }

    /// The value that a JSON or TOML value is: floats by their exact binary64 value, tagged text as the number it
    /// stands for.
    ///
    /// # Errors
    /// For text tagged as bits that is none, and for values beyond the limits.
    pub fn from_tree(tree: &Tree) -> Result<Self, String> {
        Ok(match tree {
            Tree::Null => Self::Null,
            Tree::Bool(value) => Self::Bool(*value),
            Tree::Int(value) => Self::Number(i128::from(*value).into()),
            Tree::UInt(value) => Self::Number(i128::from(*value).into()),
            Tree::Float(value) => Self::Number(Number::from_f64(*value)),
            Tree::Text(text) => tagged(text)?.map_or_else(|| Self::Text(text.as_str().into()), Self::Number),
            Tree::List(items) => Self::list(items.iter().map(Self::from_tree).collect::<Result<_, _>>()?)?,
            Tree::Map(entries) => {
                let field =
                    |(name, value): &(String, Tree)| Ok((name.as_str().into(), Self::from_tree(value)?));
                let fields: Result<_, String> = entries.iter().map(field).collect();
                Self::Record(Arc::new(Record::new(fields?)?))
            }
        })
    }

    /// As JSON: integers where they fit 64 bits, otherwise the binary64 that the number is. A number that is neither
    /// becomes its printed text, which no leaf of a breakdown equals.
    #[must_use]
    pub fn tree(&self) -> Tree {
        match self {
            Self::Null => Tree::Null,
            Self::Bool(value) => Tree::Bool(*value),
            Self::Number(number) => number_tree(number),
            Self::Text(text) => Tree::Text((**text).to_owned()),
            Self::List(list) => Tree::List(list.items.iter().map(Self::tree).collect()),
            Self::Record(record) => Tree::Map(
                record.fields.iter().map(|(name, value)| ((**name).to_owned(), value.tree())).collect(),
            ),
        }
    }
}

/// The number that tagged text stands for; nothing for other text.
pub(crate) fn tagged(text: &str) -> Result<Option<Number>, String> {
    if let Some(value) = parse_bits(text) {
        return Ok(Some(Number::from_f64(value)));
    }
    if let Some(value) = parse_word(text) {
        return Ok(Some(i128::from(value).into()));
    }
    if ["f32:", "f64:", "u64:"].iter().any(|tag| text.starts_with(tag)) {
        return Err(format!(
            "`{text}` is tagged as bits and is none: f32:0x and 8 hex digits, f64:0x and 16, u64:0x and up to 16"
        ));
    }
    Ok(None)
}

fn number_tree(number: &Number) -> Tree {
    if *number == Number::MinusZero {
        return Tree::Float(-0.0);
    }
    match (number.to_int(), binary::to_f64(number)) {
        (Some(value), float) => i64::try_from(value)
            .map(Tree::Int)
            .or_else(|_| u64::try_from(value).map(Tree::UInt))
            .unwrap_or_else(|_| float.map_or_else(|| Tree::Text(number.to_string()), Tree::Float)),
        (None, Some(float)) => Tree::Float(float),
        (None, None) => Tree::Text(number.to_string()),
    }
}
