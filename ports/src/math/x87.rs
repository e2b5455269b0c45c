//! The engines' floating point: 53-bit precision, every operation rounded toward zero.
//!
//! The engines load the x87 control word `0x0E7F` and never put the old one back, so add, subtract, multiply, divide,
//! root and every store round toward zero (spec `compute_x87_chop`). On round-to-nearest hardware that is: take the
//! nearest result `p`, find the sign of the exact residual, and step `p` one unit toward zero when its magnitude is above
//! the exact one. The residual's *sign bit* is tested, not `< 0.0`: an underflowing residual leaves `-0.0`. A zero result has
//! a residual that is not negative, so it stays as it is.
//!
//! The model is "an f64 after each operation". The unit's registers have a wider exponent, so chains that leave the f64
//! range and come back differ; inputs of ports are bounded to keep clear of that edge.

/// What the unit gives where there is no number (0/0, infinity less infinity, the root of a negative), and what this
/// module gives for every NaN: payloads are not modelled, and processors differ in the sign of a fresh NaN.
pub const INDEFINITE: f64 = f64::from_bits(0xFFF8_0000_0000_0000);

/// Adds, rounding toward zero.
#[must_use]
pub fn add(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !a.is_finite() || !b.is_finite() {
        return settled(sum);
    }
    if sum.is_infinite() {
        return f64::MAX.copysign(sum);
    }
    let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
    let residual = small - (sum - large);
    let above = residual != 0.0 && residual.is_sign_negative() != sum.is_sign_negative();
    if above { toward_zero(sum) } else { sum }
}

/// Subtracts, rounding toward zero.
#[must_use]
pub fn sub(a: f64, b: f64) -> f64 {
    add(a, -b)
}

/// Multiplies, rounding toward zero.
#[must_use]
pub fn mul(a: f64, b: f64) -> f64 {
    let product = a * b;
    if !a.is_finite() || !b.is_finite() {
        return settled(product);
    }
    let residual = a.abs().mul_add(b.abs(), -product.abs());
    if residual.is_sign_negative() { toward_zero(product) } else { product }
}

/// Divides, rounding toward zero. A zero divisor gives infinity, or [`INDEFINITE`] for 0/0, as the unit does with its
/// exceptions masked.
#[must_use]
pub fn div(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !a.is_finite() || !b.is_finite() || b == 0.0 {
        return settled(quotient);
    }
    let residual = (-quotient.abs()).mul_add(b.abs(), a.abs());
    if residual.is_sign_negative() { toward_zero(quotient) } else { quotient }
}

/// Square root, rounding toward zero; [`INDEFINITE`] below zero.
#[must_use]
pub fn sqrt(a: f64) -> f64 {
    let root = a.sqrt();
    if !a.is_finite() || a <= 0.0 {
        return settled(root);
    }
    let residual = (-root).mul_add(root, a);
    if residual.is_sign_negative() { toward_zero(root) } else { root }
}

/// Stores to a 32-bit float, rounding toward zero to 24 bits; overflow gives the largest finite value.
#[must_use]
pub fn store32(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest).abs() > value.abs() { f32::from_bits(nearest.to_bits() - 1) } else { nearest }
}

/// Converts to an integer: truncation to 64 bits of which the low 32 are kept. Outside the 64-bit range, and for
/// infinities and NaN, the unit stores its indefinite pattern, whose low half is 0.
#[must_use]
pub fn ftol(value: f64) -> i32 {
    const TWO_63: f64 = 9_223_372_036_854_775_808.0;
    if value.abs() < TWO_63 { (value as i64) as i32 } else { 0 }
}

/// The value, with one pattern for every NaN.
#[must_use]
pub fn settled(value: f64) -> f64 {
    if value.is_nan() { INDEFINITE } else { value }
}

/// One unit in the last place closer to zero; infinity becomes the largest finite value.
fn toward_zero(value: f64) -> f64 {
    f64::from_bits(value.to_bits() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: f64) -> u64 {
        value.to_bits()
    }

    #[test]
    fn steps_give_the_values_of_the_reports() {
        // yr-combat-economy x87_chop53; rets-evidence RT-01; combat-rules N3.
        assert_eq!(mul(0.3, 2200.0), 659.999_999_999_999_9);
        assert_eq!(mul(7.0, 0.01), 0.069_999_999_999_999_99);
        assert_eq!(ftol(div(64.0, 0.1)), 639);
        assert_eq!(ftol(div(64.0, 0.0)), 0);
        assert_eq!(store32(0.1).to_bits(), 0x3DCC_CCCC);
        assert_eq!(store32(div(1.0, 6.0)).to_bits(), 0x3E2A_AAAA);
        assert_eq!(ftol(-2.9), -2);
    }

    #[test]
    fn every_nan_has_one_pattern() {
        let payload = f64::from_bits(0x7FF0_0000_0000_0001);
        for value in [
            add(f64::INFINITY, f64::NEG_INFINITY),
            sub(f64::INFINITY, f64::INFINITY),
            mul(0.0, f64::INFINITY),
            div(0.0, -0.0),
            div(f64::INFINITY, f64::INFINITY),
            sqrt(-1.0),
            add(payload, 1.0),
            sub(1.0, payload),
            mul(payload, payload),
            div(1.0, payload),
            sqrt(payload),
        ] {
            assert_eq!(bits(value), bits(INDEFINITE));
        }
    }

    #[test]
    fn zeros_keep_the_signs_of_the_unit() {
        assert_eq!(bits(add(-0.0, -0.0)), bits(-0.0));
        assert_eq!(bits(sub(1.5, 1.5)), 0, "only rounding down gives -0 here");
        assert_eq!(bits(sub(-0.0, 0.0)), bits(-0.0));
        assert_eq!(bits(mul(-0.0, 3.0)), bits(-0.0));
        assert_eq!(bits(div(0.0, -3.0)), bits(-0.0));
        assert_eq!(bits(sqrt(-0.0)), bits(-0.0));
        assert_eq!(bits(mul(-f64::MIN_POSITIVE, f64::MIN_POSITIVE)), bits(-0.0));
        assert_eq!(store32(-1e-60).to_bits(), 0x8000_0000);
    }

    #[test]
    fn overflow_stops_at_the_largest_finite_value_but_a_zero_divisor_does_not() {
        assert_eq!(add(f64::MAX, f64::MAX), f64::MAX);
        assert_eq!(sub(-f64::MAX, 1e300), -f64::MAX);
        assert_eq!(mul(1e200, -1e200), -f64::MAX);
        assert_eq!(div(1e300, 1e-300), f64::MAX);
        assert_eq!(div(-1.0, 0.0), f64::NEG_INFINITY);
        assert_eq!(store32(1e300), f32::MAX);
        assert_eq!(store32(f64::NEG_INFINITY), f32::NEG_INFINITY);
    }

    #[test]
    fn the_smallest_results_are_not_rounded_up() {
        let least = f64::from_bits(1);
        assert_eq!(bits(mul(least, 0.75)), 0);
        assert_eq!(mul(least, 1.25), least);
        assert_eq!(bits(div(least, 1.5)), 0);
        assert_eq!(store32(f64::from(f32::from_bits(1)) * 0.75), 0.0);
        assert_eq!(store32(f64::from(f32::from_bits(1)) * 1.75), f32::from_bits(1));
    }
}
