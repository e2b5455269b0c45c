//! JSON values that keep key order and lose no number.
//!
//! `serde_json::Value` sorts keys, keeps the last of two equal keys silently and cannot hold a non-finite float. Golden
//! files and breakdowns need all three: stage order is key order, a duplicate key is an error, and a TOML `inf` must
//! survive. The canonical bytes of a tree are compact JSON with shortest round-trip floats; non-finite floats are tagged
//! text (`"f64:0x…"`), as in [`crate::Real`].

use crate::number::{Real, parse_bits};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt;

/// An ordered JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer above `i64::MAX`.
    UInt(u64),
    /// A float, non-finite values included.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// A map in file order; keys are unique.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Parses JSON, refusing duplicate keys.
    ///
    /// # Errors
    /// The parser's own message with line and column.
    pub fn from_json(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// Compact JSON in key order.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        // Serialising a tree cannot fail: keys are strings and floats are finite or tagged.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The value under `key` of a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The entries of a map; nothing for any other value.
    #[must_use]
    pub fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The text, if it is text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Walks the leaves in order. A leaf is a scalar, an empty list or an empty map; its path is dotted, list elements
    /// by index (`kernel.falloff`, `draws.3`).
    pub fn leaves<'a>(&'a self, visit: &mut dyn FnMut(&str, &'a Self)) {
        fn walk<'a>(path: &mut String, value: &'a Tree, visit: &mut dyn FnMut(&str, &'a Tree)) {
            let mut descend = |path: &mut String, name: &str, child: &'a Tree| {
                let length = path.len();
                if length > 0 {
                    path.push('.');
                }
                path.push_str(name);
                walk(path, child, visit);
                path.truncate(length);
            };
            match value {
                Tree::Map(entries) if !entries.is_empty() => {
                    for (name, child) in entries {
                        descend(path, name, child);
                    }
                }
                Tree::List(items) if !items.is_empty() => {
                    for (index, child) in items.iter().enumerate() {
                        descend(path, &index.to_string(), child);
                    }
                }
                leaf => visit(path, leaf),
            }
        }
        walk(&mut String::new(), self, visit);
    }

    /// Rewrites every integral float (`100.0`, not `-0.0`) to the integer it is, so that integer fields accept it.
    #[must_use]
    pub fn integral(self) -> Self {
        match self {
            Self::Float(value) => integral(value).unwrap_or(Self::Float(value)),
            Self::List(items) => Self::List(items.into_iter().map(Self::integral).collect()),
            Self::Map(entries) => Self::Map(entries.into_iter().map(|(k, v)| (k, v.integral())).collect()),
            other => other,
        }
    }

    /// The number this leaf stands for, as exact integer or float; tagged text (`"f64:0x…"`) counts as a number.
    #[must_use]
    pub fn number(&self) -> Option<Number> {
        match self {
            Self::Int(value) => Some(Number::Int(i128::from(*value))),
            Self::UInt(value) => Some(Number::Int(i128::from(*value))),
            Self::Float(value) => Some(Number::Float(*value)),
            Self::Text(text) => parse_bits(text).map(Number::Float),
            _ => None,
        }
    }

    /// Whether two leaves are the same value: integers by value, floats by bits, an integer equal to the float that
    /// holds exactly it (never `-0.0`), everything else by equality.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (self.number(), other.number()) {
            (Some(Number::Int(a)), Some(Number::Int(b))) => a == b,
            (Some(Number::Float(a)), Some(Number::Float(b))) => a.to_bits() == b.to_bits(),
            (Some(Number::Int(a)), Some(Number::Float(b)))
            | (Some(Number::Float(b)), Some(Number::Int(a))) => integral(b)
                .and_then(|tree| tree.number())
                .is_some_and(|n| matches!(n, Number::Int(i) if i == a)),
            _ => self == other,
        }
    }
}

/// A numeric leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer, exact.
    Int(i128),
    /// A float, by its bits.
    Float(f64),
}

/// The integer that an integral float in the 64-bit range is; `None` for fractions, `-0.0` and anything outside.
fn integral(value: f64) -> Option<Tree> {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if value.trunc() != value || (value == 0.0 && value.is_sign_negative()) {
        None
    } else if (-TWO_63..TWO_63).contains(&value) {
        Some(Tree::Int(value as i64))
    } else if (TWO_63..2.0 * TWO_63).contains(&value) {
        Some(Tree::UInt(value as u64))
    } else {
        None
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.to_json()))
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::UInt(value) => serializer.serialize_u64(*value),
            Self::Float(value) => Real(*value).serialize(serializer),
            Self::Text(value) => serializer.serialize_str(value),
            Self::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a boolean, number, text, list or map")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(i64::try_from(value).map_or(Tree::UInt(value), Tree::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut entries: Vec<(String, Tree)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        while let Some((key, value)) = access.next_entry::<String, Tree>()? {
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom(format_args!("duplicate key `{key}`")));
            }
            entries.push((key, value));
        }
        Ok(Tree::Map(entries))
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

impl schemars::JsonSchema for Tree {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Tree".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn order_is_kept_and_duplicates_are_refused() {
        assert_eq!(tree(r#"{"b":1,"a":[2.5,null]}"#).to_string(), r#"{"b":1,"a":[2.5,null]}"#);
        assert!(Tree::from_json(br#"{"a":1,"a":2}"#).unwrap_err().to_string().contains("duplicate key `a`"));
    }

    #[test]
    fn leaves_have_dotted_paths() {
        let mut paths = Vec::new();
        tree(r#"{"a":{"b":1},"c":[5,[]]}"#).leaves(&mut |path, _| paths.push(path.to_owned()));
        assert_eq!(paths, ["a.b", "c.0", "c.1"]);
    }

    #[test]
    fn integral_floats_become_integers_but_minus_zero_does_not() {
        assert_eq!(tree("[100.0,-0.0,1e30,2.5]").integral().to_string(), "[100,-0.0,1e+30,2.5]");
        assert_eq!(Tree::Float(1e19).integral(), Tree::UInt(10_000_000_000_000_000_000));
    }

    #[test]
    fn sameness_is_by_value_for_integers_and_by_bits_for_floats() {
        assert!(tree("65").same(&tree("65.0")));
        assert!(!tree("0").same(&tree("-0.0")));
        assert!(!tree("0.7").same(&Tree::Float(f64::from(0.7_f32))));
        assert!(tree(r#""f64:0x7ff0000000000000""#).same(&Tree::Float(f64::INFINITY)));
        assert!(!tree(r#""65""#).same(&tree("65")));
    }
}
