//! The engines' floating point: 53-bit precision, every operation rounded toward zero.
//!
//! The engines load the x87 control word `0x0E7F` and never put the old one back, so add, subtract, multiply, divide,
//! root and every store round toward zero (spec `compute_x87_chop`). On round-to-nearest hardware that is: take the
//! nearest result `p`, find the sign of the exact residual, and step `p` one unit toward zero when its magnitude is above
//! the exact one. The residual's *sign bit* is tested, not `< 0.0`: an underflowing residual leaves `-0.0`.
//!
//! The model is "an f64 after each operation". The unit's registers have a wider exponent, so chains that leave the f64
//! range and come back differ; inputs of ports are bounded to keep clear of that edge.

/// Adds, rounding toward zero.
#[must_use]
pub fn add(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !a.is_finite() || !b.is_finite() || sum == 0.0 {
        return sum;
    }
    if sum.is_infinite() {
        return f64::MAX.copysign(sum);
    }
    let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
    let residual = small - (sum - large);
    if residual != 0.0 && (residual < 0.0) != (sum < 0.0) { toward_zero(sum) } else { sum }
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
    if !a.is_finite() || !b.is_finite() || product == 0.0 {
        return product;
    }
    let residual = a.abs().mul_add(b.abs(), -product.abs());
    if residual.is_sign_negative() { toward_zero(product) } else { product }
}

/// Divides, rounding toward zero. A zero divisor gives infinity or NaN, as the unit does with exceptions masked.
#[must_use]
pub fn div(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !a.is_finite() || !b.is_finite() || b == 0.0 || quotient == 0.0 {
        return quotient;
    }
    let residual = (-quotient.abs()).mul_add(b.abs(), a.abs());
    if residual.is_sign_negative() { toward_zero(quotient) } else { quotient }
}

/// Square root, rounding toward zero; NaN below zero.
#[must_use]
pub fn sqrt(a: f64) -> f64 {
    let root = a.sqrt();
    if !a.is_finite() || a <= 0.0 {
        return root;
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

/// One unit in the last place closer to zero; infinity becomes the largest finite value.
fn toward_zero(value: f64) -> f64 {
    f64::from_bits(value.to_bits() - 1)
}
