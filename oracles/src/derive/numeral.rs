//! Decimal numerals: the literals of the language, and the numbers that rules text begins with.

use super::binary::{self, Format, Rounding};
use super::number::{Number, Outcome};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// Numerals longer than this are no engine's.
const MAX_DIGITS: usize = 1200;
/// A value of 10^400 or more is beyond binary64, and so is one below 10^-400.
const FAR: i64 = 400;

/// The parts of a decimal numeral.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Numeral {
    negative: bool,
    /// Digits before and after the point, without the point.
    digits: String,
    /// Power of ten of the last digit.
    exponent: i64,
}

impl Numeral {
    /// The longest numeral at the start: sign, digits, point, exponent. Without a digit it is zero, as C reads it.
    pub fn leading(text: &str) -> Self {
        let (negative, rest) = sign(text.trim_start_matches(is_blank));
        let mut numeral = Self::unsigned(rest).0;
        numeral.negative = negative && !numeral.digits.is_empty();
        numeral
    }

    /// The longest numeral without sign at the start, and its length in bytes.
    pub fn unsigned(text: &str) -> (Self, usize) {
        let whole = digits(text);
        let mut length = whole.len();
        let mut fraction = "";
        if let Some(rest) = text[length..].strip_prefix('.') {
            fraction = digits(rest);
            if !whole.is_empty() || !fraction.is_empty() {
                length += 1 + fraction.len();
            }
        }
        if length == 0 {
            return (Self::default(), 0);
        }
        let mut exponent = 0;
        if let Some(rest) = text[length..].strip_prefix(['e', 'E']) {
            let (negative, power) = sign(rest);
            let power = digits(power);
            if !power.is_empty() {
                length += 1 + usize::from(rest.starts_with(['+', '-'])) + power.len();
                // Beyond 18 digits every exponent is equally far away.
                exponent = power.parse().unwrap_or(i64::MAX / 4);
                exponent = if negative { -exponent } else { exponent };
            }
        }
        let digits = format!("{whole}{fraction}");
        (Self { negative: false, exponent: exponent.saturating_sub(fraction.len() as i64), digits }, length)
    }

    /// The exact value.
    pub fn exact(&self) -> Outcome {
        let significant = self.digits.trim_start_matches('0');
        if significant.len() > MAX_DIGITS || self.exponent.unsigned_abs() > 2 * MAX_DIGITS as u64 {
            return Err(format!("the numeral has more than {MAX_DIGITS} digits"));
        }
        let mut value = BigInt::zero();
        if let Some(parsed) = BigInt::parse_bytes(significant.as_bytes(), 10) {
            value = if self.negative { -parsed } else { parsed };
        }
        let power = BigInt::from(10).pow(self.exponent.unsigned_abs() as u32);
        if self.exponent >= 0 {
            Number::from_big(value * power, 0)
        } else {
            Number::from_ratio(BigRational::new(value, power))
        }
    }

    /// The nearest value of a format.
    pub fn nearest(&self, format: Format) -> Outcome {
        let significant = self.digits.trim_start_matches('0');
        // The value is below 10^top, and at least a tenth of that.
        let top = self.exponent.saturating_add(significant.len() as i64);
        let number = match top {
            _ if significant.is_empty() || top < -FAR => Number::ZERO,
            _ if top > FAR => return Ok(Number::Infinite { negative: self.negative }),
            _ => binary::store(&self.exact()?, format, Rounding::Nearest),
        };
        Ok(if self.negative && number.is_zero() { Number::MinusZero } else { number })
    }
}

/// What C's `atoi` makes of text: 0 without a digit.
pub fn atoi(text: &str) -> Outcome {
    let (negative, rest) = sign(text.trim_start_matches(is_blank));
    let digits = digits(rest).trim_start_matches('0');
    let value = match digits.len() {
        0 => Some(0),
        1..=18 => digits.parse::<i64>().ok(),
        _ => None,
    };
    let value = value.map(|value| if negative { -value } else { value });
    match value.and_then(|value| i32::try_from(value).ok()) {
        Some(value) => Ok(i128::from(value).into()),
        None => Err(format!("atoi of {text:?} does not fit 32 bits, where C leaves it open")),
    }
}

/// The value of hexadecimal digits.
pub fn hexadecimal(digits: &str) -> Outcome {
    let Some(value) = BigInt::parse_bytes(digits.as_bytes(), 16) else {
        return Err("`0x` needs hexadecimal digits".to_owned());
    };
    Number::from_big(value, 0)
}

fn digits(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_digit).count()]
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// What C skips before a number.
fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r')
}
