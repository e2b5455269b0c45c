//! The binary32 and binary64 formats, rounding into them, and the x87 operations, all from exact values.
//!
//! An operation is done exactly (or to more bits than any format keeps, with a note of what was cut off) and rounded
//! once. Nothing here uses a float operation of the machine.

use super::number::{Number, Outcome};

/// A binary floating-point format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Bits of a full mantissa.
    precision: i32,
    /// Power of two of the smallest subnormal.
    smallest: i32,
    /// Every finite value is below this power of two.
    limit: i32,
    /// Bits of the exponent field.
    field: i32,
}

/// IEEE 754 single precision.
pub const BINARY32: Format = Format { precision: 24, smallest: -149, limit: 128, field: 8 };
/// IEEE 754 double precision.
pub const BINARY64: Format = Format { precision: 53, smallest: -1074, limit: 1024, field: 11 };

/// Which neighbour a value between two floats becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The one nearer zero; overflow gives the largest finite value.
    TowardZero,
    /// The nearest, at a tie the even one; overflow gives inf.
    Nearest,
}

/// A value on its way into a format: `mantissa * 2^exponent` and a bit more if there is a `tail`.
#[derive(Clone, Copy, Debug)]
struct Unrounded {
    negative: bool,
    mantissa: u128,
    exponent: i32,
    tail: bool,
}

impl Unrounded {
    fn round(self, format: Format, rounding: Rounding) -> Number {
        let top = bits(self.mantissa) + self.exponent;
        let unit = (top - format.precision).max(format.smallest);
        let drop = unit - self.exponent;
        let (mut kept, exponent) = match drop {
            ..=0 => (self.mantissa, self.exponent),
            1..=127 => (self.mantissa >> drop, unit),
            _ => (0, unit),
        };
        if rounding == Rounding::Nearest && (1..=128).contains(&drop) {
            let half = 1 << (drop - 1);
            let below = self.mantissa & (half - 1) != 0 || self.tail;
            if self.mantissa & half != 0 && (below || kept & 1 == 1) {
                kept += 1;
            }
        }
        let overflow = kept != 0 && bits(kept) + exponent > format.limit;
        match (overflow, rounding) {
            (true, Rounding::Nearest) => Number::Infinite { negative: self.negative },
            (true, Rounding::TowardZero) => {
                self.signed((1 << format.precision) - 1, format.limit - format.precision)
            }
            (false, _) => self.signed(kept, exponent),
        }
    }

    /// A result with the sign of this value. `mantissa` has at most as many bits as a format keeps.
    fn signed(self, mantissa: u128, exponent: i32) -> Number {
        match (mantissa, self.negative) {
            (0, true) => Number::MinusZero,
            (_, true) => Number::scaled(-(mantissa as i128), exponent),
            (_, false) => Number::scaled(mantissa as i128, exponent),
        }
    }
}

fn bits(mantissa: u128) -> i32 {
    128 - mantissa.leading_zeros() as i32
}

/// Rounds a number into a format; specials stay what they are.
pub fn store(number: &Number, format: Format, rounding: Rounding) -> Number {
    let negative = number.is_negative();
    match number {
        Number::Dyadic { mantissa: 0, .. } => number.clone(),
        Number::Dyadic { mantissa, exponent } => {
            Unrounded { negative, mantissa: mantissa.unsigned_abs(), exponent: *exponent, tail: false }
                .round(format, rounding)
        }
        Number::Ratio(ratio) => {
            let (numerator, denominator) = (ratio.numer().magnitude(), ratio.denom().magnitude());
            // 64 or 65 bits of the quotient: more than a mantissa and its guard bit.
            let shift = 64 + denominator.bits() as i32 - numerator.bits() as i32;
            let (numerator, denominator) = (numerator << shift.max(0), denominator << (-shift).max(0));
            let quotient = &numerator / &denominator;
            let tail = &quotient * &denominator != numerator;
            let mantissa =
                quotient.iter_u64_digits().rev().fold(0, |high, digit| high << 64 | u128::from(digit));
            Unrounded { negative, mantissa, exponent: -shift, tail }.round(format, rounding)
        }
        Number::MinusZero | Number::Infinite { .. } | Number::Nan => number.clone(),
    }
}

/// Whether the format has exactly this value.
pub fn holds(format: Format, number: &Number) -> bool {
    match number {
        Number::Dyadic { mantissa, exponent } => {
            let width = bits(mantissa.unsigned_abs());
            width <= format.precision && *exponent >= format.smallest && width + exponent <= format.limit
        }
        Number::Ratio(_) => false,
        Number::MinusZero | Number::Infinite { .. } | Number::Nan => true,
    }
}

/// The bits of a number in a format, if the format has it; nan is the quiet one.
pub fn to_bits(format: Format, number: &Number) -> Option<u64> {
    if !holds(format, number) {
        return None;
    }
    let fraction_bits = format.precision - 1;
    let infinity = ((1_u64 << format.field) - 1) << fraction_bits;
    let magnitude = match number {
        Number::Infinite { .. } => infinity,
        Number::Nan => infinity | 1 << (fraction_bits - 1),
        Number::Dyadic { mantissa, exponent } if *mantissa != 0 => {
            let magnitude = mantissa.unsigned_abs();
            let unit = (bits(magnitude) + exponent - format.precision).max(format.smallest);
            // The hidden bit of a normal value carries into the exponent field by itself.
            (((unit - format.smallest) as u64) << fraction_bits) + (magnitude << (exponent - unit)) as u64
        }
        _ => 0,
    };
    Some(magnitude | u64::from(number.is_negative()) << (fraction_bits + format.field))
}

/// The number that some bits of a format are. Bits above the format are ignored.
pub fn from_bits(format: Format, bits: u64) -> Number {
    if format.field == BINARY64.field {
        Number::from_f64(f64::from_bits(bits))
    } else {
        // Widening is exact.
        Number::from_f64(f64::from(f32::from_bits(bits as u32)))
    }
}

/// The number as a machine double, if it is one.
pub fn to_f64(number: &Number) -> Option<f64> {
    to_bits(BINARY64, number).map(f64::from_bits)
}

/// x87 addition. All x87 operands must be binary64 values.
pub fn add(a: &Number, b: &Number) -> Outcome {
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Ok(Number::Nan),
        (Number::Infinite { negative: x }, Number::Infinite { negative: y }) if x != y => Ok(Number::Nan),
        (Number::Infinite { .. }, _) => Ok(a.clone()),
        (_, Number::Infinite { .. }) => Ok(b.clone()),
        (Number::MinusZero, Number::MinusZero) => Ok(Number::MinusZero),
        // An exact zero from opposite signs is +0 in this mode, and `plus` knows no other zero.
        _ => Ok(chop(&a.plus(b)?)),
    }
}

/// x87 subtraction.
pub fn subtract(a: &Number, b: &Number) -> Outcome {
    add(a, &negate(b))
}

/// x87 sign change: also of zero.
pub fn negate(a: &Number) -> Number {
    match a {
        Number::Dyadic { mantissa: 0, .. } => Number::MinusZero,
        _ => a.negated(),
    }
}

/// x87 multiplication.
pub fn multiply(a: &Number, b: &Number) -> Outcome {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Ok(Number::Nan),
        (Number::Infinite { .. }, other) | (other, Number::Infinite { .. }) if other.is_zero() => {
            Ok(Number::Nan)
        }
        (Number::Infinite { .. }, _) | (_, Number::Infinite { .. }) => Ok(Number::Infinite { negative }),
        _ if a.is_zero() || b.is_zero() => Ok(zero(negative)),
        _ => Ok(chop(&a.times(b)?)),
    }
}

/// x87 division; a zero divisor gives inf, and nan for zero by zero.
pub fn divide(a: &Number, b: &Number) -> Outcome {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) | (Number::Infinite { .. }, Number::Infinite { .. }) => {
            Ok(Number::Nan)
        }
        _ if a.is_zero() && b.is_zero() => Ok(Number::Nan),
        (Number::Infinite { .. }, _) => Ok(Number::Infinite { negative }),
        _ if b.is_zero() => Ok(Number::Infinite { negative }),
        (_, Number::Infinite { .. }) => Ok(zero(negative)),
        _ if a.is_zero() => Ok(zero(negative)),
        (Number::Dyadic { mantissa: a, exponent: i }, Number::Dyadic { mantissa: b, exponent: j }) => {
            let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
            // The dividend fills the word and the divisor has 53 bits, so the quotient has at least 74.
            let shift = a.leading_zeros() as i32;
            let dividend = a << shift;
            let (mantissa, tail) = (dividend / b, !dividend.is_multiple_of(b));
            let exponent = i - shift - j;
            Ok(Unrounded { negative, mantissa, exponent, tail }.round(BINARY64, Rounding::TowardZero))
        }
        _ => Ok(chop(&a.over(b)?)),
    }
}

/// x87 square root; nan below zero, and `-0.0` of itself.
pub fn square_root(a: &Number) -> Number {
    match a {
        _ if a.is_zero() => a.clone(),
        _ if a.is_negative() => Number::Nan,
        Number::Dyadic { mantissa, exponent } => {
            let radicand = mantissa.unsigned_abs();
            let room = radicand.leading_zeros() as i32;
            // An even exponent, and at least 127 bits so that the integer root has 64.
            let shift = room - (exponent - room).rem_euclid(2);
            let radicand = radicand << shift;
            let mantissa = radicand.isqrt();
            let tail = mantissa * mantissa != radicand;
            Unrounded { negative: false, mantissa, exponent: (exponent - shift) / 2, tail }
                .round(BINARY64, Rounding::TowardZero)
        }
        _ => a.clone(),
    }
}

fn chop(exact: &Number) -> Number {
    store(exact, BINARY64, Rounding::TowardZero)
}

fn zero(negative: bool) -> Number {
    if negative { Number::MinusZero } else { Number::ZERO }
}
