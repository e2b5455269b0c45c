//! Float semantics: hand-worked x87 results, the exact definition of rounding toward zero over random bit patterns, and
//! round-to-nearest against the machine's own arithmetic.

mod common;

use common::{double, error, value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

fn check(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        assert_eq!(value(expression), *expected, "{expression}");
    }
}

#[test]
fn products_and_quotients_worked_by_hand() {
    check(&[
        // 0.3 is 5404319552844595 / 2^54, so 2200 times it is 2^-46-th below 660.
        ("x87(nearest64(0.3) * 2200)", "659.9999999999999"),
        ("ftol(x87(nearest64(0.3) * 2200))", "659"),
        // The double 0.01 is above one hundredth, yet seven times it ends below the double 0.07.
        ("x87(7 * nearest64(0.01))", "0.06999999999999999"),
        ("ftol(x87(100 * x87(70 * nearest64(0.01))))", "69"),
        ("x87(100 * (70 * nearest64(0.01))) < 70", "true"),
        // The double 0.1 is above a tenth.
        ("ftol(x87(64.0 / nearest64(0.1)))", "639"),
        ("ftol(64.0 / nearest64(0.1))", "639"),
        ("to_bits32(f32(nearest64(0.1))) == 0x3dcccccc", "true"),
        ("to_bits32(nearest32(0.1)) == 0x3dcccccd", "true"),
        ("to_bits32(f32(x87(1 / 6))) == 0x3e2aaaaa", "true"),
        ("to_bits64(x87(1 / 3)) == 0x3fd5555555555555", "true"),
        ("to_bits64(x87(2 / 3)) == 0x3fe5555555555555", "true"),
        ("to_bits64(x87(sqrt(2))) == 0x3ff6a09e667f3bcc", "true"),
        ("x87(sqrt(152399025))", "12345"),
        ("x87(nearest64(0.1) + nearest64(0.2))", "0.3"),
        ("x87(9007199254740992 + 1)", "9007199254740992"),
        ("x87(-9007199254740992 - 1)", "-9007199254740992"),
        ("x87(1 - nearest64(1e-30)) == 0x1fffffffffffff / (1 << 53)", "true"),
    ]);
}

#[test]
fn zeros_keep_their_signs() {
    check(&[
        ("x87(-0)", "-0.0"),
        ("x87(-(1 - 1))", "-0.0"),
        ("x87(-(-0.0))", "0"),
        ("x87(5 - 5)", "0"),
        ("x87(-5 + 5)", "0"),
        ("x87(-0.0 + -0.0)", "-0.0"),
        ("x87(-0.0 - 0.0)", "-0.0"),
        ("x87(0.0 - 0.0)", "0"),
        ("x87(-0.0 + 0.0)", "0"),
        ("x87(-0.0 + 3)", "3"),
        ("x87(-3 * 0)", "-0.0"),
        ("x87(-0.0 / 3)", "-0.0"),
        ("x87(sqrt(-0.0))", "-0.0"),
        ("x87(-bits64(1) * 0.5)", "-0.0"),
        ("f32(-1e-50)", "-0.0"),
        ("nearest64(-1e-400)", "-0.0"),
    ]);
}

#[test]
fn infinities_and_nan_follow_the_unit() {
    check(&[
        ("x87(1 / 0)", "inf"),
        ("x87(-1 / 0)", "-inf"),
        ("x87(1 / -0.0)", "-inf"),
        ("ftol(x87(1 / 0))", "0"),
        ("x87(0 / 0)", "nan"),
        ("x87(inf - inf)", "nan"),
        ("x87(inf + 1)", "inf"),
        ("x87(1 - inf)", "-inf"),
        ("x87(inf * 0)", "nan"),
        ("x87(inf * -2)", "-inf"),
        ("x87(inf / inf)", "nan"),
        ("x87(inf / -0.0)", "-inf"),
        ("x87(-7 / inf)", "-0.0"),
        ("x87(sqrt(-1))", "nan"),
        ("x87(sqrt(inf))", "inf"),
        ("x87(nan + 1)", "nan"),
        ("x87(-inf)", "-inf"),
        ("f32(inf)", "inf"),
        ("nearest32(-inf)", "-inf"),
        ("x87(1 / 0 > 5)", "true"),
    ]);
}

#[test]
fn overflow_and_subnormals() {
    check(&[
        ("to_bits64(x87(bits64(0x7fefffffffffffff) * 2)) == 0x7fefffffffffffff", "true"),
        (
            "to_bits64(x87(-bits64(0x7fefffffffffffff) + -bits64(0x7fefffffffffffff))) == 0xffefffffffffffff",
            "true",
        ),
        ("to_bits32(f32(1e39)) == 0x7f7fffff", "true"),
        ("nearest32(1e39)", "inf"),
        ("to_bits32(nearest32((1 << 128) - (1 << 103) - 1)) == 0x7f7fffff", "true"),
        ("nearest32((1 << 128) - (1 << 103))", "inf"),
        ("nearest64(1e309)", "inf"),
        ("to_bits64(f64(1e309)) == 0x7fefffffffffffff", "true"),
        ("to_bits32(f32(1e-45))", "0"),
        ("to_bits32(nearest32(1e-45))", "1"),
        ("to_bits32(f32(1.5e-45))", "1"),
        ("to_bits64(x87(bits64(3) / 2))", "1"),
        ("to_bits64(nearest64(4.9e-324 / 2))", "0"),
        ("to_bits64(nearest64(7.5e-324))", "2"),
        ("to_bits64(bits64(0x8000000000000001)) == 0x8000000000000001", "true"),
        ("to_bits32(bits32(0x007fffff))", "8388607"),
        ("to_bits32(nan) == 0x7fc00000", "true"),
        ("bits32(0xff800000)", "-inf"),
    ]);
}

#[test]
fn ties_go_to_even() {
    check(&[
        ("nearest64(9007199254740993)", "9007199254740992"),
        ("nearest64(9007199254740995)", "9007199254740996"),
        ("nearest32(16777217)", "16777216"),
        ("nearest32(-16777219)", "-16777220"),
        ("nearest32(16777217.000001)", "16777218"),
    ]);
}

#[test]
fn operands_must_be_doubles() {
    assert!(error("x87(7 * 0.01)").starts_with("operand 1/100 is not a binary64 value: write nearest64(…)"));
    assert!(error("x87(9007199254740993 + 0)").contains("operand 9007199254740993 is not"));
    assert!(error("x87(sqrt(0.1))").contains("operand 1/10 is not"));
    assert!(error("x87(0.1)").contains("operand 1/10 is not"));
    assert!(error("to_bits32(0.1)").contains("round it first"));
    assert!(error("bits32(4294967296)").contains("not an unsigned integer"));
    check(&[("x87(f32(nearest64(0.7) * 3) + 1)", "3.0999999046325684"), ("x87(min(0.25, 3) * 4)", "1")]);
}

#[test]
fn rules_text_is_read_as_c_reads_it() {
    check(&[
        ("real32(\".7\")", "0.699999988079071"),
        ("real64(\".7\")", "0.7"),
        ("real32(\"  -1.5e1x\")", "-15"),
        ("real64(\"10%\")", "10"),
        ("real64(\"+.5.5\")", "0.5"),
        ("real64(\"5.\")", "5"),
        ("real64(\"3e\")", "3"),
        ("real64(\"3e+\")", "3"),
        ("real64(\"1E-2\") == nearest64(0.01)", "true"),
        ("real64(\"\")", "0"),
        ("real64(\".\")", "0"),
        ("real64(\"-.e5\")", "0"),
        ("real64(\"-0\")", "-0.0"),
        ("real64(\"inf\")", "0"),
        ("real64(\"1e999999999999999999999\")", "inf"),
        ("real64(\"-1e-999999999999999999999\")", "-0.0"),
        ("real32(\"1e39\")", "inf"),
        ("atoi(\"70%\")", "70"),
        ("atoi(\" \t-12.9\")", "-12"),
        ("atoi(\"+5\")", "5"),
        ("atoi(\"x5\")", "0"),
        ("atoi(\"-\")", "0"),
        ("atoi(\"-2147483648\")", "-2147483648"),
        ("is_text(\"\") && !is_text(1)", "true"),
        ("has(\"10%\", \"%\") && !has(\"10\", \"%\")", "true"),
    ]);
    assert!(error("atoi(\"2147483648\")").contains("does not fit 32 bits"));
    assert!(error("atoi(5)").contains("needs text, got a number"));
    assert!(error("has(\"a\", 5)").contains("needs text"));
    check(&[
        ("len(split(\",a,, b\", \",\"))", "4"),
        ("split(\",a,, b\", \",\")[3] == \" b\"", "true"),
        ("len(split(\"\", \",\"))", "1"),
        ("trim(\" \ta b \") == \"a b\"", "true"),
        ("lower(\"C4_aÄ\") == \"c4_aÄ\"", "true"),
        ("bytes(\"hex:00 fF\")[1] == 255 && bytes(\"base64:Zm8=\")[0] == 102", "true"),
        ("len(bytes(\"hex:\"))", "0"),
        ("hex([0, 171, 255]) == \"00abff\" && hex([]) == \"\"", "true"),
    ]);
    assert!(error("split(\"a\", \"\")").contains("needs a separator"));
    assert!(error("lower(5)").contains("needs text"));
    assert!(error("bytes(5)").contains("needs text"));
    assert!(error("bytes(\"hex:0\")").contains("`bytes` reads"));
    assert!(error("bytes(\"host:a\")").contains("`bytes` reads"));
    assert!(error("hex([256])").contains("256 is not a byte"));
    assert!(error("hex([\"a\"])").contains("one is text"));
    assert!(error("hex(1)").contains("needs a list of bytes, got a number"));
}

/// Doubles of every sort, with the exponents near each other often enough for sums to cancel.
fn doubles() -> impl Strategy<Value = f64> {
    let near = (any::<bool>(), 1000_u64..1046, any::<u64>())
        .prop_map(|(negative, exponent, low)| u64::from(negative) << 63 | exponent << 52 | low >> 12);
    let subnormal =
        (any::<bool>(), 0_u64..1 << 54).prop_map(|(negative, low)| u64::from(negative) << 63 | low);
    let whole = (-5000_i64..5000).prop_map(|value| (value as f64).to_bits());
    prop_oneof![any::<u64>(), near, subnormal, whole]
        .prop_map(f64::from_bits)
        .prop_filter("finite", |value| value.is_finite())
}

fn exact(value: f64) -> BigRational {
    BigRational::from_float(value).expect("a finite value")
}

/// Whether `result` is `exact` rounded toward zero: not beyond it, and the next magnitude is.
fn brackets(result: f64, exact_value: &BigRational) -> bool {
    if exact_value.is_zero() {
        return result == 0.0;
    }
    let magnitude = exact(result.abs());
    let above = f64::from_bits(result.abs().to_bits() + 1);
    let sign = result.is_sign_negative() == exact_value.is_negative();
    sign && magnitude <= exact_value.abs() && (above.is_infinite() || exact_value.abs() < exact(above))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn x87_operations_cut_off_what_does_not_fit(a in doubles(), b in doubles()) {
        let inputs = [("a", a), ("b", b)];
        prop_assert!(brackets(double("x87(a + b)", &inputs), &(exact(a) + exact(b))), "{a:e} + {b:e}");
        prop_assert!(brackets(double("x87(a - b)", &inputs), &(exact(a) - exact(b))), "{a:e} - {b:e}");
        prop_assert!(brackets(double("x87(a * b)", &inputs), &(exact(a) * exact(b))), "{a:e} * {b:e}");
        if b != 0.0 {
            prop_assert!(brackets(double("x87(a / b)", &inputs), &(exact(a) / exact(b))), "{a:e} / {b:e}");
        }
        let root = exact(double("x87(sqrt(abs(a)))", &inputs));
        let above = exact(f64::from_bits(double("x87(sqrt(abs(a)))", &inputs).to_bits() + 1));
        prop_assert!(&root * &root <= exact(a.abs()) && exact(a.abs()) < &above * &above, "sqrt {a:e}");
    }

    #[test]
    fn stores_cut_off_or_round(a in doubles(), b in doubles()) {
        let inputs = [("a", a), ("b", b)];
        let single = double("f32(a)", &inputs);
        prop_assert_eq!(single, f64::from(single as f32));
        let nearest = a as f32;
        let toward_zero = if f64::from(nearest).abs() > a.abs() {
            f32::from_bits(nearest.to_bits() - 1)
        } else {
            nearest
        };
        prop_assert_eq!(single.to_bits(), f64::from(toward_zero).to_bits());
        prop_assert_eq!(double("nearest32(a)", &inputs).to_bits(), f64::from(nearest).to_bits());
        // The machine rounds to nearest, and so must the exact result; signs of zero are not exact arithmetic.
        prop_assert_eq!(double("nearest64(a + b)", &inputs), a + b);
        prop_assert_eq!(double("nearest64(a * b)", &inputs), a * b);
        if b != 0.0 {
            prop_assert_eq!(double("nearest64(a / b)", &inputs), a / b);
        }
    }

    #[test]
    fn bits_round_trip(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(!value.is_nan());
        prop_assert_eq!(double("bits64(to_bits64(a))", &[("a", value)]).to_bits(), bits);
        let single = f32::from_bits(bits as u32);
        prop_assume!(!single.is_nan());
        prop_assert_eq!(double("bits32(to_bits32(a))", &[("a", f64::from(single))]), f64::from(single));
    }

    #[test]
    fn numerals_are_read_as_the_standard_library_reads_them(text in "-?[0-9]{1,25}(\\.[0-9]{0,25})?(e-?[0-9]{1,3})?") {
        let expected: f64 = text.parse().unwrap();
        prop_assert_eq!(double(&format!("real64(\"{text}\")"), &[]).to_bits(), expected.to_bits());
        let expected: f32 = text.parse().unwrap();
        prop_assert_eq!(double(&format!("real32(\"{text}\")"), &[]).to_bits(), f64::from(expected).to_bits());
    }

    #[test]
    fn exact_arithmetic_equals_rationals(a in doubles(), b in doubles(), n in 1_i64..1_000_000) {
        let inputs = [("a", a), ("b", b)];
        let one = double(&format!("f64(a + b / {n})"), &inputs);
        let other = double(&format!("f64((a * {n} + b) / {n})"), &inputs);
        prop_assert_eq!(one, other);
        prop_assert!(brackets(one, &(exact(a) + exact(b) / BigInt::from(n))));
        let less = common::steps("r = a < b", &inputs.map(|(name, value)| (name, assay_model::Tree::Float(value))));
        prop_assert_eq!(less.leaf("r").unwrap().to_string(), (a < b).to_string());
    }
}
