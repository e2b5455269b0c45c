//! Exact numbers: rationals of any size, with a fast form for everything that a machine word or a float can be.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// Numerators and denominators have at most this many bits.
pub const MAX_BITS: i64 = 8192;

/// An exact rational, or one of the values that binary64 has besides.
///
/// Every value has one form: `Ratio` holds only what `Dyadic` cannot.
#[derive(Clone, Debug)]
pub enum Number {
    /// `mantissa * 2^exponent`; the mantissa is odd, or both are 0.
    Dyadic {
        /// Odd, or 0.
        mantissa: i128,
        /// Power of two.
        exponent: i32,
    },
    /// Any other rational, in lowest terms.
    Ratio(Arc<BigRational>),
    /// `-0.0`.
    MinusZero,
    /// `inf` or `-inf`.
    Infinite {
        /// Whether it is `-inf`.
        negative: bool,
    },
    /// Not a number; sign and payload do not count.
    Nan,
}

/// A finite operand.
enum Finite<'a> {
    Dyadic(i128, i32),
    Ratio(&'a BigRational),
}

/// What an operation gives, or why it cannot.
pub type Outcome = Result<Number, String>;

impl Number {
    /// Zero.
    pub const ZERO: Self = Self::Dyadic { mantissa: 0, exponent: 0 };

    /// `mantissa * 2^exponent`, with the exponent known to be in range.
    pub fn scaled(mantissa: i128, exponent: i32) -> Self {
        if mantissa == 0 {
            return Self::ZERO;
        }
        let shift = mantissa.trailing_zeros();
        Self::Dyadic { mantissa: mantissa >> shift, exponent: exponent + shift as i32 }
    }

    /// The value that a binary64 holds.
    pub fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let (negative, biased, fraction) =
            (value.is_sign_negative(), bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        if value.is_nan() {
            return Self::Nan;
        }
        if value.is_infinite() {
            return Self::Infinite { negative };
        }
        if value == 0.0 {
            return if negative { Self::MinusZero } else { Self::ZERO };
        }
        let hidden = if biased == 0 { 0 } else { 1 << 52 };
        let magnitude = i128::from(fraction | hidden);
        Self::scaled(if negative { -magnitude } else { magnitude }, biased.max(1) as i32 - 1075)
    }

    /// `mantissa * 2^exponent` of any size.
    pub fn from_big(mantissa: BigInt, exponent: i64) -> Outcome {
        let shift = mantissa.trailing_zeros().unwrap_or(0);
        let (mantissa, exponent) = (mantissa >> shift, exponent + shift as i64);
        let bits = mantissa.bits() as i64;
        if bits == 0 {
            return Ok(Self::ZERO);
        }
        if exponent < -MAX_BITS || bits + exponent.max(0) > MAX_BITS {
            return Err(too_large());
        }
        if let Ok(mantissa) = i128::try_from(&mantissa) {
            return Ok(Self::Dyadic { mantissa, exponent: exponent as i32 });
        }
        let (numerator, denominator) = fraction(mantissa, exponent as i32);
        Ok(Self::Ratio(Arc::new(BigRational::new_raw(numerator, denominator))))
    }

    /// A rational in lowest terms.
    pub fn from_ratio(ratio: BigRational) -> Outcome {
        let (numerator, denominator) = ratio.into_raw();
        let halvings = denominator.trailing_zeros().unwrap_or(0);
        if denominator.bits() == halvings + 1 {
            return Self::from_big(numerator, -(halvings as i64));
        }
        if numerator.bits().max(denominator.bits()) as i64 > MAX_BITS {
            return Err(too_large());
        }
        Ok(Self::Ratio(Arc::new(BigRational::new_raw(numerator, denominator))))
    }

    /// The rational that a finite number is.
    pub fn to_ratio(&self) -> Result<BigRational, String> {
        Ok(match self.finite()? {
            Finite::Dyadic(mantissa, exponent) => {
                let (numerator, denominator) = fraction(mantissa.into(), exponent);
                BigRational::new_raw(numerator, denominator)
            }
            Finite::Ratio(ratio) => ratio.clone(),
        })
    }

    fn finite(&self) -> Result<Finite<'_>, String> {
        match self {
            Self::Dyadic { mantissa, exponent } => Ok(Finite::Dyadic(*mantissa, *exponent)),
            Self::Ratio(ratio) => Ok(Finite::Ratio(ratio)),
            Self::MinusZero => Ok(Finite::Dyadic(0, 0)),
            Self::Infinite { .. } | Self::Nan => Err(format!(
                "{self} has no exact arithmetic: compute with it inside x87(…) or test for it first"
            )),
        }
    }

    /// Whether the sign is set, as on `-0.0`.
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Dyadic { mantissa, .. } => *mantissa < 0,
            Self::Ratio(ratio) => ratio.is_negative(),
            Self::MinusZero => true,
            Self::Infinite { negative } => *negative,
            Self::Nan => false,
        }
    }

    /// Whether it is `0` or `-0.0`.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::MinusZero | Self::Dyadic { mantissa: 0, .. })
    }

    /// What arithmetic with it costs beyond one step.
    #[inline]
    pub fn weight(&self) -> u64 {
        match self {
            Self::Ratio(ratio) => {
                let bits = ratio.numer().bits().max(ratio.denom().bits());
                1 + bits * bits / 2048
            }
            _ => 0,
        }
    }

    /// The negative; zero stays zero, because exact arithmetic has only one.
    pub fn negated(&self) -> Self {
        match self {
            Self::Dyadic { mantissa, exponent } => Self::scaled(-mantissa, *exponent),
            Self::Ratio(ratio) => Self::Ratio(Arc::new(-ratio.as_ref())),
            Self::MinusZero => Self::ZERO,
            Self::Infinite { negative } => Self::Infinite { negative: !negative },
            Self::Nan => Self::Nan,
        }
    }

    /// Exact sum.
    pub fn plus(&self, other: &Self) -> Outcome {
        let (Finite::Dyadic(a, i), Finite::Dyadic(b, j)) = (self.finite()?, other.finite()?) else {
            return Self::from_ratio(self.to_ratio()? + other.to_ratio()?);
        };
        if a == 0 || b == 0 {
            return Ok(if a == 0 { Self::scaled(b, j) } else { Self::scaled(a, i) });
        }
        let low = i.min(j);
        if let Some(sum) = widened(a, i - low).zip(widened(b, j - low)).and_then(|(a, b)| a.checked_add(b)) {
            return in_range(Self::scaled(sum, low));
        }
        let widened = |mantissa: i128, exponent: i32| BigInt::from(mantissa) << (exponent - low);
        Self::from_big(widened(a, i) + widened(b, j), low.into())
    }

    /// Exact difference.
    pub fn minus(&self, other: &Self) -> Outcome {
        self.plus(&other.negated())
    }

    /// Exact product.
    pub fn times(&self, other: &Self) -> Outcome {
        let (Finite::Dyadic(a, i), Finite::Dyadic(b, j)) = (self.finite()?, other.finite()?) else {
            return Self::from_ratio(self.to_ratio()? * other.to_ratio()?);
        };
        match product(a, b) {
            Some(mantissa) => in_range(Self::scaled(mantissa, i + j)),
            None => Self::from_big(BigInt::from(a) * b, i64::from(i + j)),
        }
    }

    /// Exact quotient.
    pub fn over(&self, other: &Self) -> Outcome {
        if other.is_zero() {
            return Err("division by zero: only x87(…) gives inf".to_owned());
        }
        if let (Finite::Dyadic(a, i), Finite::Dyadic(b, j)) = (self.finite()?, other.finite()?) {
            if a % b == 0 {
                return in_range(Self::scaled(a / b, i - j));
            }
            let shift = i - j;
            let numerator = BigInt::from(a) << shift.max(0);
            let denominator = BigInt::from(b) << (-shift).max(0);
            return Self::from_ratio(BigRational::new(numerator, denominator));
        }
        Self::from_ratio(self.to_ratio()? / other.to_ratio()?)
    }

    /// Order by value; `-0.0` equals `0`, and nothing compares with nan.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        let rank = |number: &Self| match number {
            Self::Infinite { negative: true } => -1,
            Self::Infinite { negative: false } => 1,
            _ => 0,
        };
        if matches!(self, Self::Nan) || matches!(other, Self::Nan) {
            return None;
        }
        match (self.finite(), other.finite()) {
            (Ok(Finite::Dyadic(a, i)), Ok(Finite::Dyadic(b, j))) => Some(order_dyadic((a, i), (b, j))),
            (Ok(_), Ok(_)) => {
                // `Ratio`'s own comparison recurses once a term of the continued fraction.
                let (a, b) = (self.to_ratio().ok()?, other.to_ratio().ok()?);
                Some((a.numer() * b.denom()).cmp(&(b.numer() * a.denom())))
            }
            _ => Some(rank(self).cmp(&rank(other))),
        }
    }

    /// The greatest integer not above.
    pub fn floor(&self) -> Outcome {
        match self.finite()? {
            Finite::Dyadic(mantissa, exponent) if exponent < 0 => {
                Ok(Self::scaled(mantissa >> (-exponent).min(127), 0))
            }
            Finite::Dyadic(mantissa, exponent) => Ok(Self::scaled(mantissa, exponent)),
            Finite::Ratio(ratio) => Self::from_big(ratio.numer().div_floor(ratio.denom()), 0),
        }
    }

    /// The integer next toward zero.
    pub fn trunc(&self) -> Outcome {
        if self.is_negative() { Ok(self.negated().floor()?.negated()) } else { self.floor() }
    }

    /// The integer, if it is one in the range of an i128.
    pub fn to_int(&self) -> Option<i128> {
        match self.finite().ok()? {
            Finite::Dyadic(mantissa, exponent) if exponent >= 0 => widened(mantissa, exponent),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn to_big_int(&self) -> Option<BigInt> {
        match self.finite().ok()? {
            Finite::Dyadic(mantissa, exponent) if exponent >= 0 => Some(BigInt::from(mantissa) << exponent),
            Finite::Ratio(ratio) if ratio.denom().is_one() => Some(ratio.numer().clone()),
            _ => None,
        }
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Self {
        Self::scaled(value, 0)
    }
}

/// Identity: `-0.0` is not `0`, and nan is nan.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyadic { mantissa: a, exponent: i }, Self::Dyadic { mantissa: b, exponent: j }) => {
                (a, i) == (b, j)
            }
            (Self::Ratio(a), Self::Ratio(b)) => a.numer() == b.numer() && a.denom() == b.denom(),
            (Self::MinusZero, Self::MinusZero) | (Self::Nan, Self::Nan) => true,
            (Self::Infinite { negative: a }, Self::Infinite { negative: b }) => a == b,
            _ => false,
        }
    }
}

fn too_large() -> String {
    format!("the number has more than {MAX_BITS} bits: no engine value does, so check the step")
}

/// Refuses what the budget does not allow.
fn in_range(number: Number) -> Outcome {
    match number {
        Number::Dyadic { mantissa, exponent } => {
            let bits = 128 - i64::from(mantissa.unsigned_abs().leading_zeros());
            let exponent = i64::from(exponent);
            if exponent < -MAX_BITS || bits + exponent > MAX_BITS { Err(too_large()) } else { Ok(number) }
        }
        other => Ok(other),
    }
}

/// `mantissa << shift`, if it fits.
fn widened(mantissa: i128, shift: i32) -> Option<i128> {
    let headroom = mantissa.unsigned_abs().leading_zeros() as i32;
    (shift < headroom).then(|| mantissa << shift)
}

/// Product, if it fits. Mantissas of floats fit a word, which spares the checked multiplication.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

fn fraction(mantissa: BigInt, exponent: i32) -> (BigInt, BigInt) {
    if exponent >= 0 {
        (mantissa << exponent, BigInt::one())
    } else {
        (mantissa, BigInt::from_biguint(Sign::Plus, num_bigint::BigUint::one() << -exponent))
    }
}

fn order_dyadic((a, i): (i128, i32), (b, j): (i128, i32)) -> Ordering {
    let sign = a.signum().cmp(&b.signum());
    if sign.is_ne() || a.is_zero() || i == j {
        return sign.then(a.cmp(&b));
    }
    let (p, q) = (a.unsigned_abs(), b.unsigned_abs());
    let top = |magnitude: u128, exponent: i32| 128 - magnitude.leading_zeros() as i32 + exponent;
    // With equal tops the shift leaves the larger exponent's mantissa exactly as wide as the other one.
    let magnitudes = top(p, i).cmp(&top(q, j)).then_with(|| {
        let low = i.min(j);
        (p << (i - low)).cmp(&(q << (j - low)))
    });
    if a < 0 { magnitudes.reverse() } else { magnitudes }
}
