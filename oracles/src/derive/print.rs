//! How values are printed in messages: exactly, and never longer than a message should be.

use super::binary::{self, BINARY64, Rounding};
use super::number::Number;
use super::value::Value;
use std::fmt::{self, Write as _};

/// Lists and records are cut off after about this many bytes.
const LONGEST: usize = 240;
/// Rationals with more bits print as about what they are.
const LONGEST_RATIO: u64 = 128;

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MinusZero => return f.write_str("-0.0"),
            Self::Nan => return f.write_str("nan"),
            Self::Infinite { negative } => return f.write_str(if *negative { "-inf" } else { "inf" }),
            Self::Dyadic { .. } | Self::Ratio(_) => {}
        }
        if let Some(integer) = self.to_int() {
            return write!(f, "{integer}");
        }
        if let Some(float) = binary::to_f64(self) {
            // The shortest digits that read back as the same binary64.
            return write!(f, "{float:?}");
        }
        match self.to_ratio() {
            Ok(ratio) if ratio.numer().bits().max(ratio.denom().bits()) <= LONGEST_RATIO => {
                write!(f, "{ratio}")
            }
            _ => write!(f, "about {}", binary::store(self, BINARY64, Rounding::Nearest)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print(self, &mut text)?;
        f.write_str(&text)
    }
}

fn print(value: &Value, out: &mut String) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Number(number) => write!(out, "{number}"),
        Value::Text(text) => write!(out, "{text:?}"),
        Value::List(list) => {
            let items = list.items();
            between(out, "[", items, "]", |out, item| print(item, out))
        }
        Value::Record(record) => between(out, "{", record.fields(), "}", |out, (name, value)| {
            write!(out, "{name}: ")?;
            print(value, out)
        }),
    }
}

fn between<T>(
    out: &mut String,
    open: &str,
    items: &[T],
    close: &str,
    mut print: impl FnMut(&mut String, &T) -> fmt::Result,
) -> fmt::Result {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        if out.len() > LONGEST {
            write!(out, "… {} in all", items.len())?;
            break;
        }
        print(out, item)?;
    }
    out.push_str(close);
    Ok(())
}
