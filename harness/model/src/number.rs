//! Numbers at the border of a port.
//!
//! Going in, a JSON number is the value the engine *holds*; text is rules text and goes through the key's own reader;
//! `"f32:0x…"`, `"f64:0x…"` give bits. Going out, a [`Real`] prints its shortest round trip, an f32 widened, a non-finite
//! value as tagged bits, so that two different values never print alike.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A float leaving a port.
#[derive(Clone, Copy, Debug)]
pub struct Real(pub f64);

impl From<f64> for Real {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

impl From<f32> for Real {
    fn from(value: f32) -> Self {
        Self(f64::from(value))
    }
}

/// By bits: `-0.0` is not `0.0`, and a NaN equals itself.
impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&format!("f64:0x{:016x}", self.0.to_bits()))
        }
    }
}

impl JsonSchema for Real {
    fn schema_name() -> Cow<'static, str> {
        "Real".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"] })
    }
}

/// A float coming in: a held value, or rules text for the key's reader.
#[derive(Clone, Debug, PartialEq)]
pub enum RealArg {
    /// The value the engine holds; fields that are binary32 in the engine take the nearest binary32.
    Held(f64),
    /// Rules text (`"1.3"`, `"10%"`), read as the engine reads that key.
    Text(String),
}

impl From<f64> for RealArg {
    fn from(value: f64) -> Self {
        Self::Held(value)
    }
}

impl Serialize for RealArg {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Held(value) => Real(*value).serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

struct RealArgVisitor;

impl Visitor<'_> for RealArgVisitor {
    type Value = RealArg;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, rules text such as \"10%\", or bits such as \"f32:0x3f400000\"")
    }

    fn visit_f64<E>(self, value: f64) -> Result<RealArg, E> {
        Ok(RealArg::Held(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<RealArg, E> {
        Ok(RealArg::Held(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<RealArg, E> {
        Ok(RealArg::Held(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RealArg, E> {
        if let Some(value) = parse_bits(text) {
            return Ok(RealArg::Held(value));
        }
        if text.starts_with("f32:") || text.starts_with("f64:") {
            return Err(E::custom(format_args!(
                "bits `{text}` are not f32:0x and 8 or f64:0x and 16 hex digits"
            )));
        }
        Ok(RealArg::Text(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for RealArg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RealArgVisitor)
    }
}

impl JsonSchema for RealArg {
    fn schema_name() -> Cow<'static, str> {
        "RealArg".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"], "maxLength": 64 })
    }
}

/// Reads tagged bits, `"f32:0x3f400000"` or `"f64:0x3fe8000000000000"`; underscores are allowed between digits.
#[must_use]
pub fn parse_bits(text: &str) -> Option<f64> {
    let (width, digits) = text.split_once(":0x")?;
    let digits = digits.replace('_', "");
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match (width, digits.len()) {
        ("f32", 8) => u32::from_str_radix(&digits, 16).ok().map(|bits| f64::from(f32::from_bits(bits))),
        ("f64", 16) => u64::from_str_radix(&digits, 16).ok().map(f64::from_bits),
        _ => None,
    }
}

/// Reads a tagged unsigned integer, `"u64:0xFFFF_FFFF_FFFF_FFFF"`.
#[must_use]
pub fn parse_word(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("u64:0x")?.replace('_', "");
    (digits.len() <= 16 && !digits.starts_with('+')).then(|| u64::from_str_radix(&digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_print_so_that_different_values_differ() {
        let print = |value: Real| serde_json::to_string(&value).unwrap();
        assert_eq!(print(Real::from(0.7_f64)), "0.7");
        assert_eq!(print(Real::from(0.7_f32)), "0.699999988079071");
        assert_eq!(print(Real(f64::NEG_INFINITY)), r#""f64:0xfff0000000000000""#);
        assert_eq!(print(Real(-0.0)), "-0.0");
    }

    #[test]
    fn arguments_are_values_text_or_bits() {
        let read = |text: &str| serde_json::from_str::<RealArg>(text);
        assert_eq!(read("0.75").unwrap(), RealArg::Held(0.75));
        assert_eq!(read("3").unwrap(), RealArg::Held(3.0));
        assert_eq!(read(r#""10%""#).unwrap(), RealArg::Text("10%".into()));
        assert_eq!(read(r#""f32:0x3f400000""#).unwrap(), RealArg::Held(0.75));
        assert!(read(r#""f32:0x3f4""#).unwrap_err().to_string().contains("8 or f64:0x and 16"));
        assert!(read("true").is_err());
    }

    #[test]
    fn words_are_read_whole() {
        assert_eq!(parse_word("u64:0xFFFF_FFFF_FFFF_FFFF"), Some(u64::MAX));
        assert_eq!(parse_word("u64:0x1_0000_0000_0000_0000"), None);
        assert_eq!(parse_word("17"), None);
    }
}
