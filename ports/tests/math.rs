//! The numeric model against exact integers, and the ports of the area `math` as total, deterministic functions.

use assay_model::{Game, Output, Port, PortError, RealArg};
use assay_ports::math::random::{Congruential, Stream};
use assay_ports::math::{
    compute_fast_sqrt, compute_x87_chop, root_table, simulate_random_range, simulate_random_stream, x87,
};
use assay_ports::rules::text::{self, Reader};
use num_bigint::BigUint;
use proptest::prelude::*;

/// Every binary64 magnitude is a whole multiple of 2^-1074, and this is which one.
fn units(value: f64) -> BigUint {
    let bits = value.abs().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if exponent == 0 { fraction.into() } else { BigUint::from(fraction | 1 << 52) << (exponent - 1) }
}

/// The next magnitude above a finite one; the largest finite value has none.
fn above(value: f64) -> Option<f64> {
    let next = f64::from_bits(value.abs().to_bits() + 1);
    next.is_finite().then_some(next)
}

/// Whether `result` is the largest binary64 magnitude for which `not_above(units)` holds, with the sign asked for.
fn is_chopped(result: f64, negative: bool, not_above: impl Fn(BigUint) -> bool) -> bool {
    result.is_finite()
        && result.is_sign_negative() == negative
        && not_above(units(result))
        && above(result).is_none_or(|next| !not_above(units(next)))
}

/// Finite numbers of every kind: any bits, subnormals, the ends of the range, whole and near-whole numbers, zeros.
fn finite() -> BoxedStrategy<f64> {
    let near = |centre: f64| {
        (-3_i64..=3).prop_map(move |step| f64::from_bits((centre.to_bits() as i64 + step) as u64))
    };
    prop_oneof![
        4 => any::<u64>().prop_map(f64::from_bits),
        1 => (any::<bool>(), 0_u64..1 << 52).prop_map(|(sign, bits)| f64::from_bits(bits | u64::from(sign) << 63)),
        1 => (any::<bool>(), 0_u64..1 << 54).prop_map(|(sign, step)| {
            f64::from_bits((f64::MAX.to_bits() - step) | u64::from(sign) << 63)
        }),
        2 => (-100_000_i32..100_000).prop_map(f64::from),
        2 => (-1000_i32..1000, 1_i32..1000).prop_map(|(a, b)| f64::from(a) / f64::from(b)),
        1 => (-60..60_i32).prop_flat_map(move |power| near(f64::from_bits(((1023 + power) as u64) << 52))),
        1 => prop_oneof![Just(0.0), Just(-0.0), near(f64::MIN_POSITIVE), Just(f64::MAX), Just(f64::from_bits(1))],
    ]
    .prop_filter("finite", |value| value.is_finite())
    .boxed()
}

/// Pairs, a part of them with nearby exponents, so that sums cancel.
fn pairs() -> impl Strategy<Value = (f64, f64)> {
    let close = (finite(), -4_i64..=4, any::<u8>(), any::<bool>()).prop_map(|(a, exponent, low, flip)| {
        let bits = (a.to_bits() as i64).wrapping_add(exponent << 52) as u64 ^ u64::from(low);
        let b = f64::from_bits(bits ^ u64::from(flip) << 63);
        (a, if b.is_finite() { b } else { a })
    });
    prop_oneof![(finite(), finite()), close]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_are_the_exact_sum_chopped((a, b) in pairs()) {
        let (x, y) = (units(a), units(b));
        let same = a.is_sign_negative() == b.is_sign_negative();
        let exact = if same { &x + &y } else if x > y { &x - &y } else { &y - &x };
        let negative = if x > y { a.is_sign_negative() } else { b.is_sign_negative() };
        // An exact zero of unlike operands is positive.
        let negative = negative && (same || x != y);
        prop_assert!(is_chopped(x87::add(a, b), negative, |r| r <= exact), "{a:e} + {b:e} = {:e}", x87::add(a, b));
        prop_assert_eq!(x87::sub(a, -b).to_bits(), x87::add(a, b).to_bits());
    }

    #[test]
    fn products_are_the_exact_product_chopped((a, b) in pairs()) {
        let exact = units(a) * units(b);
        let negative = a.is_sign_negative() != b.is_sign_negative();
        let result = x87::mul(a, b);
        prop_assert!(is_chopped(result, negative, |r| r << 1074 <= exact), "{a:e} * {b:e} = {result:e}");
    }

    #[test]
    fn quotients_are_the_exact_quotient_chopped((a, b) in pairs()) {
        prop_assume!(b != 0.0);
        let (dividend, divisor) = (units(a) << 1074, units(b));
        let negative = a.is_sign_negative() != b.is_sign_negative();
        let result = x87::div(a, b);
        prop_assert!(is_chopped(result, negative, |r| r * &divisor <= dividend), "{a:e} / {b:e} = {result:e}");
    }

    #[test]
    fn roots_are_the_exact_root_chopped(a in finite()) {
        let a = a.abs();
        let square = units(a) << 1074;
        prop_assert!(is_chopped(x87::sqrt(a), false, |r| &r * &r <= square), "root of {a:e} = {:e}", x87::sqrt(a));
    }

    #[test]
    fn stores_keep_the_largest_binary32_that_is_not_above(a in finite()) {
        let stored = x87::store32(a);
        prop_assert!(stored.is_finite() && stored.is_sign_negative() == a.is_sign_negative());
        prop_assert!(f64::from(stored).abs() <= a.abs());
        let next = f32::from_bits(stored.abs().to_bits() + 1);
        prop_assert!(next.is_infinite() || f64::from(next) > a.abs(), "{a:e} stored as {stored:e}");
    }

    #[test]
    fn conversion_keeps_the_low_half_of_64_bits(a in prop_oneof![finite(), (any::<i64>(), 0..40_u32).prop_map(
        |(whole, shift)| whole as f64 / f64::from_bits(u64::from(1023 + shift) << 52),
    )]) {
        // The whole part of the magnitude; two's complement of its low 32 bits is that of the low half.
        let whole = units(a) >> 1074_u32;
        let low = whole.iter_u32_digits().next().unwrap_or(0);
        let expected = match whole.bits() {
            0..=63 if a.is_sign_negative() => low.wrapping_neg() as i32,
            0..=63 => low as i32,
            _ => 0,
        };
        prop_assert_eq!(x87::ftol(a), expected, "{:e}", a);
    }

    #[test]
    fn rules_text_never_panics_and_gives_finite_numbers(text in "[ +.eE%x0-9-]{0,12}|.{0,8}") {
        for reader in [Reader::Double, Reader::Verses] {
            for game in [Game::Ts, Game::Yr] {
                if let Ok(value) = text::double(&RealArg::Text(text.clone()), "verses", game, reader) {
                    prop_assert!(value.is_finite());
                }
            }
        }
    }

    #[test]
    fn ranged_draws_stay_in_bounds_and_cost_what_they_say(seed: u32, lo: i32, hi in any::<i32>(), near in 0_u32..300) {
        let mut stream = Stream::new(seed);
        let (lo, hi) = (lo >> 1, if near % 2 == 0 { (lo >> 1) + near as i32 } else { hi >> 1 });
        prop_assume!(lo.abs_diff(hi) < 0x7FFF_FFFF);
        let pick = stream.pick(lo, hi);
        prop_assert!((lo.min(hi)..=lo.max(hi)).contains(&pick.value));
        prop_assert_eq!(stream.draws(), u64::from(pick.rejected) + u64::from(lo != hi));
        let mut fifteen = Congruential::new(seed);
        let pick = fifteen.pick(lo, hi);
        prop_assert!((lo.min(hi)..=lo.max(hi)).contains(&pick.value) && pick.mask <= 0x7FFF);
        prop_assert_eq!(fifteen.draws(), u64::from(pick.rejected) + u64::from(lo != hi));
    }
}

fn run(port: &dyn Port, input: &str) -> Result<String, PortError> {
    let mut output = Output::default();
    port.run(input.as_bytes(), &mut output)?;
    Ok(String::from_utf8_lossy(&output.json).into_owned())
}

fn operand() -> impl Strategy<Value = String> {
    prop_oneof![
        finite().prop_map(|value| format!("{value:e}")),
        any::<u64>().prop_map(|bits| format!("\"f64:0x{bits:016x}\"")),
        any::<u32>().prop_map(|bits| format!("\"f32:0x{bits:08x}\"")),
        Just("\"10%\"".to_owned()),
        Just("null".to_owned()),
    ]
}

fn call() -> impl Strategy<Value = String> {
    let form = prop::sample::select(vec!["range", "modulo", "signed_modulo", "percent", "unit"]);
    let field = |name: &'static str| {
        prop::option::of(any::<i32>())
            .prop_map(move |value| value.map_or(String::new(), |value| format!(",\"{name}\":{value}")))
    };
    (form, field("lo"), field("hi"), field("n"), field("percent"), 0_u32..40).prop_map(
        |(form, lo, hi, n, percent, times)| {
            format!("{{\"form\":\"{form}\"{lo}{hi}{n}{percent},\"times\":{times}}}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ports_are_total_and_deterministic(
        game in prop::sample::select(vec!["TD", "RA1", "TS", "RA2", "YR"]),
        op in prop::sample::select(vec!["load", "add", "sub", "mul", "div", "sqrt"]),
        store in prop::sample::select(vec!["none", "f32", "f64"]),
        (a, b) in (operand(), operand()),
        (seed, skip, draws, disabled, words) in (any::<u32>(), 0_u32..600, 0_u32..300, any::<bool>(), any::<bool>()),
        calls in prop::collection::vec(call(), 0..4),
    ) {
        let chop = format!(r#"{{"game":"{game}","op":"{op}","a":{a},"b":{b},"store":"{store}"}}"#);
        let start = format!(r#""game":"{game}","seed":{seed},"skip":{skip},"disabled":{disabled}"#);
        let stream = format!(r#"{{{start},"draws":{draws},"words":{words}}}"#);
        let range = format!(r#"{{{start},"calls":[{}]}}"#, calls.join(","));
        let ports: [(&dyn Port, &str); 3] = [
            (&compute_x87_chop::PORT, &chop),
            (&simulate_random_stream::PORT, &stream),
            (&simulate_random_range::PORT, &range),
        ];
        for (port, input) in ports {
            prop_assert_eq!(run(port, input), run(port, input));
        }
    }
}

#[test]
fn examples_run_and_schemas_bound_their_lists() {
    let ports: [&dyn Port; 3] =
        [&compute_x87_chop::PORT, &simulate_random_stream::PORT, &simulate_random_range::PORT];
    for port in ports {
        assert!(run(port, port.meta().example).is_ok(), "{}", port.meta().name);
        assert!(port.meta().summary.len() <= 160, "{}", port.meta().summary);
        assert_eq!(port.input_schema()["additionalProperties"], false);
    }
    let schema = simulate_random_range::PORT.input_schema();
    assert_eq!(schema.pointer("/properties/calls/maxItems"), Some(&100.into()));
    assert_eq!(schema.pointer("/properties/calls/items/properties/times/minimum"), Some(&1.into()));
    assert_eq!(schema.pointer("/properties/calls/items/properties/times/maximum"), Some(&10_000.into()));
    assert_eq!(schema.pointer("/properties/skip/maximum"), Some(&1_000_000.into()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_table_root_is_exact_or_low_and_never_falls(value in 0..=0x7FFF_FFFF_i32, more in 0..=0xFFFF_i32) {
        let root = |value: f64| compute_fast_sqrt::root(value).root.0;
        let value = f64::from(value);
        prop_assert!(root(value) <= value.sqrt());
        prop_assert!(root(value) >= value.sqrt() * (1.0 - 1.0 / 8192.0));
        prop_assert!(root(value) <= root(value + f64::from(more)));
    }

    #[test]
    fn every_entry_of_the_table_is_the_whole_root(index in 0..root_table::ENTRIES) {
        let wide = |word: u64| BigUint::from(word);
        let significand = if index < 8192 { 8192 + index } else { 2 * index } as u64;
        let (target, root) = (wide(significand) << 33_u32, wide(u64::from(root_table::TABLE[index]) + (1 << 23)));
        let next = root.clone() + 1_u32;
        prop_assert!(root.clone() * root <= target);
        prop_assert!(next.clone() * next > target);
    }
}
