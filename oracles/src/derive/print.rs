//! How values are printed: exactly, and never longer than a message should be.

use super::binary::{self, BINARY64, Rounding};
use super::number::Number;
use super::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::fmt::{self, Write as _};

/// Lists and records are cut off after about this many bytes.
const LONGEST: usize = 240;
/// Rationals with more bits print as about what they are.
const LONGEST_RATIO: u64 = 128;
/// Digits of a number that has no shorter exact form: four more than tell any two floats apart.
const DIGITS: i64 = 21;
/// Fractions of so many digits in all are written as such.
const SHORT_FRACTION: usize = 12;
/// Integers of so many digits are written out.
const LONG_INTEGER: i64 = 40;

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

impl Number {
    /// What it is exactly: an integer, a decimal that ends, or a fraction, where that is short; otherwise its first 21
    /// digits and `…`. Unlike [`fmt::Display`], which gives floats the shortest digits that read back as the same float.
    #[must_use]
    pub fn exact(&self) -> String {
        match self.to_ratio() {
            Ok(ratio) if *self != Self::MinusZero => exact(&ratio),
            _ => self.to_string(),
        }
    }
}

impl Value {
    /// The value with its numbers as [`Number::exact`] gives them.
    #[must_use]
    pub fn exact(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = print(self, &Number::exact, &mut text);
        text
    }
}

fn exact(ratio: &BigRational) -> String {
    let sign = if ratio.is_negative() { "-" } else { "" };
    let ratio = ratio.abs();
    let top = magnitude(&ratio);
    if ratio.is_integer() && top < LONG_INTEGER {
        return format!("{sign}{}", ratio.numer());
    }
    // The first digits as an integer, and whether they are all.
    let scaled = &ratio * power_of_ten(DIGITS - 1 - top);
    let digits = scaled.to_integer().to_string();
    let ends = scaled.is_integer();
    if !ends {
        let fraction = ratio.to_string();
        if fraction.len() <= SHORT_FRACTION + 1 {
            return format!("{sign}{fraction}");
        }
    }
    let digits = if ends { digits.trim_end_matches('0') } else { digits.as_str() };
    let more = if ends { "" } else { "…" };
    match top {
        0..DIGITS if digits.len() as i64 > top + 1 => {
            let (whole, rest) = digits.split_at(top as usize + 1);
            format!("{sign}{whole}.{rest}{more}")
        }
        -6..0 => format!("{sign}0.{}{digits}{more}", "0".repeat((-top - 1) as usize)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}{more}e{top}")
        }
    }
}

/// The power of ten of the first digit of a number above zero; 0 for zero.
fn magnitude(ratio: &BigRational) -> i64 {
    if ratio.is_zero() {
        return 0;
    }
    let bits = ratio.numer().bits() as i64 - ratio.denom().bits() as i64;
    // 2^bits is within a factor of two, so this is right or one off.
    let guess = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64;
    let above = |power: i64| *ratio < power_of_ten(power);
    (guess - 1..=guess + 1).rev().find(|power| !above(*power)).unwrap_or(guess)
}

fn power_of_ten(power: i64) -> BigRational {
    let ten = BigInt::from(10).pow(power.unsigned_abs() as u32);
    if power < 0 { BigRational::new(1.into(), ten) } else { ten.into() }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print(self, &Number::to_string, &mut text)?;
        f.write_str(&text)
    }
}

fn print(value: &Value, number: &dyn Fn(&Number) -> String, out: &mut String) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(value) => write!(out, "{value}"),
        Value::Number(value) => out.write_str(&number(value)),
        Value::Text(text) => write!(out, "{text:?}"),
        Value::List(list) => {
            let items = list.items();
            between(out, "[", items, "]", |out, item| print(item, number, out))
        }
        Value::Record(record) => between(out, "{", record.fields(), "}", |out, (name, value)| {
            write!(out, "{name}: ")?;
            print(value, number, out)
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
