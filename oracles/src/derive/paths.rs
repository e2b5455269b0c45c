//! Tests that the fast forms and the general ones are the same arithmetic: what is a machine word here must come out as
//! the rational does.

use super::binary::{self, BINARY32, BINARY64, Rounding};
use super::number::Number;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use std::sync::Arc;

/// The same number in the form that only numbers without a fast form have.
fn slow(number: &Number) -> Number {
    match number {
        Number::Dyadic { mantissa, .. } if *mantissa != 0 => {
            Number::Ratio(Arc::new(number.to_ratio().unwrap()))
        }
        other => other.clone(),
    }
}

fn rational(number: &Number) -> BigRational {
    number.to_ratio().unwrap()
}

/// Canonical numbers of every size around the limits of the fast form.
fn numbers() -> impl Strategy<Value = Number> {
    let doubles = any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("finite", |value| value.is_finite())
        .prop_map(Number::from_f64);
    let wide =
        (any::<i128>(), -140..140).prop_map(|(mantissa, exponent)| Number::scaled(mantissa >> 1, exponent));
    let small = (-300_i128..300, -8..8).prop_map(|(mantissa, exponent)| Number::scaled(mantissa, exponent));
    let fractions = (-300_i64..300, 1_i64..300).prop_map(|(numerator, denominator)| {
        Number::from_ratio(BigRational::new(numerator.into(), denominator.into())).unwrap()
    });
    prop_oneof![doubles, wide, small, fractions].prop_filter("no -0.0", |number| *number != Number::MinusZero)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_is_that_of_rationals(a in numbers(), b in numbers()) {
        let (p, q) = (rational(&a), rational(&b));
        let same = |found: Number, expected: BigRational| found == Number::from_ratio(expected).unwrap();
        prop_assert!(same(a.plus(&b).unwrap(), &p + &q));
        prop_assert!(same(a.minus(&b).unwrap(), &p - &q));
        prop_assert!(same(a.times(&b).unwrap(), &p * &q));
        if !b.is_zero() {
            prop_assert!(same(a.over(&b).unwrap(), &p / &q));
        }
        prop_assert!(same(a.floor().unwrap(), p.floor()));
        prop_assert!(same(a.trunc().unwrap(), p.trunc()));
        let order = (p.numer() * q.denom()).cmp(&(q.numer() * p.denom()));
        prop_assert_eq!(a.order(&b), Some(order));
        prop_assert_eq!(a == b, order.is_eq());
    }

    #[test]
    fn stores_do_not_depend_on_the_form(a in numbers()) {
        for format in [BINARY32, BINARY64] {
            for rounding in [Rounding::TowardZero, Rounding::Nearest] {
                let stored = binary::store(&a, format, rounding);
                prop_assert_eq!(&stored, &binary::store(&slow(&a), format, rounding));
                prop_assert!(binary::holds(format, &stored));
                prop_assert_eq!(&stored, &binary::store(&stored, format, rounding));
                prop_assert_eq!(binary::holds(format, &a), stored == a);
            }
        }
    }

    #[test]
    fn division_is_the_exact_quotient_cut_off(a in numbers(), b in numbers()) {
        let store = |number: &Number| binary::store(number, BINARY64, Rounding::TowardZero);
        let (a, b) = (store(&a), store(&b));
        if !a.is_zero() && !b.is_zero() {
            prop_assert_eq!(binary::divide(&a, &b).unwrap(), store(&a.over(&b).unwrap()));
        }
    }

    #[test]
    fn integers_are_the_same_in_both_widths(value in any::<i128>(), shift in 0_u32..200) {
        let wide = Number::from_big(BigInt::from(value) << shift, 0).unwrap();
        let back = wide.times(&Number::scaled(1, -(shift as i32))).unwrap();
        prop_assert_eq!(&back, &Number::from_big(value.into(), 0).unwrap());
        prop_assert_eq!(wide.to_big_int(), Some(BigInt::from(value) << shift));
        prop_assert_eq!(back.to_int(), Some(value));
    }
}
