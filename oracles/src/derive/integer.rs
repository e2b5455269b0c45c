//! Integer operations: truncating division, bits, shifts and typed wraps.

use super::number::{MAX_BITS, Number, Outcome};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

/// Division that truncates toward zero.
pub fn divide(a: &Number, b: &Number) -> Outcome {
    both("idiv", a, b, i128::checked_div, |a, b| (!b.is_zero()).then(|| a / b))
}

/// The remainder of [`divide`], with the sign of the dividend.
pub fn remainder(a: &Number, b: &Number) -> Outcome {
    both("irem", a, b, i128::checked_rem, |a, b| (!b.is_zero()).then(|| a % b))
}

/// Bitwise and, in two's complement of any width.
pub fn and(a: &Number, b: &Number) -> Outcome {
    both("&", a, b, |a, b| Some(a & b), |a, b| Some(a & b))
}

/// Bitwise or.
pub fn or(a: &Number, b: &Number) -> Outcome {
    both("|", a, b, |a, b| Some(a | b), |a, b| Some(a | b))
}

/// Bitwise exclusive or.
pub fn xor(a: &Number, b: &Number) -> Outcome {
    both("^", a, b, |a, b| Some(a ^ b), |a, b| Some(a ^ b))
}

/// Every bit turned over.
pub fn complement(a: &Number) -> Outcome {
    require("~", a)?;
    Number::from(-1).minus(a)
}

/// `a * 2^count`.
pub fn shift_left(a: &Number, count: &Number) -> Outcome {
    require("<<", a)?;
    a.times(&Number::scaled(1, places("<<", count)?))
}

/// `a / 2^count` rounded down, as an arithmetic shift does.
pub fn shift_right(a: &Number, count: &Number) -> Outcome {
    require(">>", a)?;
    a.times(&Number::scaled(1, -places(">>", count)?))?.floor()
}

/// Keeps the low `bits` bits, as a two's complement number if `signed`.
pub fn wrap(a: &Number, bits: u32, signed: bool) -> Outcome {
    let low = match a.to_int() {
        Some(value) => value & ((1 << bits) - 1),
        None => {
            let name = format!("{}{bits}", if signed { 'i' } else { 'u' });
            let value = whole(&name, a)?.mod_floor(&(BigInt::one() << bits));
            i128::try_from(&value).unwrap_or(0)
        }
    };
    Ok(Number::from(if signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }))
}

/// What the x87 stores when code truncates to an integer: 64 bits, of which the low 32 are kept. Outside, and for inf
/// and nan, the pattern stored has a zero low word.
pub fn ftol(a: &Number) -> Outcome {
    let Ok(truncated) = a.trunc() else { return Ok(Number::ZERO) };
    match truncated.to_int().and_then(|value| i64::try_from(value).ok()) {
        Some(value) => Ok(Number::from(i128::from(value as i32))),
        None => Ok(Number::ZERO),
    }
}

/// Runs `small` on words and `large` on anything else; `None` is a division by zero.
fn both(
    name: &str,
    a: &Number,
    b: &Number,
    small: impl Fn(i128, i128) -> Option<i128>,
    large: impl Fn(BigInt, BigInt) -> Option<BigInt>,
) -> Outcome {
    let by_zero = || format!("`{name}` divides by zero");
    match (a.to_int(), b.to_int()) {
        (Some(a), Some(b)) => small(a, b).map(Number::from).ok_or_else(by_zero),
        _ => Number::from_big(large(whole(name, a)?, whole(name, b)?).ok_or_else(by_zero)?, 0),
    }
}

fn require(name: &str, a: &Number) -> Result<(), String> {
    if a.to_int().is_some() { Ok(()) } else { whole(name, a).map(drop) }
}

fn whole(name: &str, a: &Number) -> Result<BigInt, String> {
    a.to_big_int()
        .ok_or_else(|| format!("`{name}` needs integers, got {a}: use trunc(…), floor(…) or ftol(…) first"))
}

fn places(name: &str, count: &Number) -> Result<i32, String> {
    let places = count.to_int().filter(|places| (0..=i128::from(MAX_BITS)).contains(places));
    places
        .map(|places| places as i32)
        .ok_or_else(|| format!("`{name}` shifts by 0 to {MAX_BITS} places, not {count}"))
}

/// Sign as -1, 0 or 1.
pub fn sign(a: &Number) -> Outcome {
    match a {
        Number::Nan => Err("nan has no sign".to_owned()),
        _ if a.is_zero() => Ok(Number::ZERO),
        _ => Ok(Number::from(if a.is_negative() { -1 } else { 1 })),
    }
}

/// The value without its sign.
pub fn absolute(a: &Number) -> Number {
    if a.is_negative() { a.negated() } else { a.clone() }
}
