//! `compute_fast_sqrt`: the square root that the engine takes from a table, exact or low, never high.
//!
//! Distances come out of it, so its error decides ranges: 65025 has the root 254.998 here, and an axis distance of 255
//! measures 254.

use crate::math::root_table::TABLE;
use crate::math::{x87, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_fast_sqrt",
    area: Area::Math,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Square root through the engine's 16384-entry mantissa table, which every distance uses; exact or low, never high.",
    aliases: &[
        "square root",
        "sqrt",
        "FastMath",
        "Sqrt_Approx",
        "fast square root",
        "mantissa table",
        "lookup table root",
        "off by one distance",
        "255 measures 254",
    ],
    units: "plain numbers: a binary64 in, a binary32 out",
    example: r#"{"value":65025}"#,
};

/// The port.
pub static PORT: FnPort<FastSqrtInput, FastSqrt> = FnPort::new(&META, compute_fast_sqrt);

/// A number to take the root of.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FastSqrtInput {
    /// Game whose routine runs; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The number: finite, and zero or at least 2^-126 in magnitude (the binary32 range without its subnormal end). A
    /// number, or bits such as `"f64:0x40efc02000000000"`. Its sign is dropped.
    pub value: RealArg,
}

/// The stages of a root. Those of the look-up are left out for zero.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FastSqrt {
    /// The number as a binary32, rounded toward zero, without its sign (store.1).
    pub stored: Real,
    /// Its exponent, without bias: 2^exponent is the highest power of two in it (index.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponent: Option<i32>,
    /// Whether that exponent is odd, which selects the upper half of the table (index.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd: Option<bool>,
    /// Table entry, 0 to 16383 (index.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// The entry: the fraction of the root, in units of 2^-23 (entry.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<u32>,
    /// Bits of the root as a binary32 (result.1, zero.1).
    pub bits: u32,
    /// The root that the engine has (result.1, zero.1).
    pub root: Real,
    /// The root of the unit in the engine's rounding mode, for comparison; no stage reads it.
    pub exact: Real,
}

/// Takes a root out of the table.
///
/// # Errors
/// `EINVAL` at `value` for rules text, for values that are not finite, and for magnitudes below 2^-126 other than zero;
/// `EOPNOTSUPP` for a game without evidence.
pub fn compute_fast_sqrt(input: &FastSqrtInput) -> Result<FastSqrt, PortError> {
    META.offers(input.game)?;
    let wrong = |message: &str| Err(PortError::invalid("value", message));
    let RealArg::Held(value) = input.value else {
        return wrong("must be a number or bits: no rules key is read here");
    };
    if !value.is_finite() {
        return wrong("must be a finite number");
    }
    if value != 0.0 && value.abs() < f64::from(f32::MIN_POSITIVE) {
        return wrong("is below the normal range of a binary32, which no reading covers");
    }
    Ok(root(value))
}

/// The root of a finite value whose magnitude is zero or at least 2^-126.
#[must_use]
pub fn root(value: f64) -> FastSqrt {
    let stored = x87::store32(value).abs();
    let exact = Real(x87::sqrt(value.abs()));
    if stored == 0.0 {
        let (exponent, odd, index, entry) = (None, None, None, None);
        return FastSqrt {
            stored: stored.into(),
            exponent,
            odd,
            index,
            entry,
            bits: 0,
            root: Real(0.0),
            exact,
        };
    }
    let exponent = (stored.to_bits() >> 23) as i32 - 127;
    // Bit 23 is the implied one of the significand; it stays only where the exponent is odd.
    let odd = exponent & 1 == 1;
    let mantissa = (stored.to_bits() & 0x7F_FFFF) + (u32::from(odd) << 23);
    let index = mantissa >> 10;
    let entry = TABLE[index as usize];
    let bits = entry + ((((exponent >> 1) + 127) as u32) << 23);
    FastSqrt {
        stored: stored.into(),
        exponent: Some(exponent),
        odd: Some(odd),
        index: Some(index),
        entry: Some(entry),
        bits,
        root: f32::from_bits(bits).into(),
        exact,
    }
}
