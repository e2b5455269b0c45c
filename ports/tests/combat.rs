//! Properties of the combat ports over the whole domain: total, deterministic, and monotonic where the engine's rule is.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Errno, Game, Output, Port};
use assay_ports::combat::compute_damage::{DamageInput, compute_damage};
use assay_ports::combat::compute_warhead_damage::{Gate, WarheadDamageInput, compute_warhead_damage};
use assay_ports::combat::{
    compute_damage, compute_defender_damage, compute_fire_damage, compute_prone_damage,
    compute_warhead_damage,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const PORTS: [&dyn Port; 5] = [
    &compute_damage::PORT,
    &compute_defender_damage::PORT,
    &compute_fire_damage::PORT,
    &compute_prone_damage::PORT,
    &compute_warhead_damage::PORT,
];

/// Rules text of every sort, one without a number among it.
static TEXTS: [&str; 9] = ["0%", "10%", "70%", "-30%", ".7", "1.3", "1e40", "-0", "none"];

/// Any value that the schema of one argument admits, the edges often.
fn argument(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return proptest::sample::select(words.clone()).boxed();
    }
    match schema["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let low = schema["minimum"].as_i64().unwrap();
            let high = schema["maximum"].as_i64().unwrap();
            let edges = [low, high, 0, 1, 7, 8].map(|edge| edge.clamp(low, high)).to_vec();
            prop_oneof![low..=high, proptest::sample::select(edges), 0..=1000_i64]
                .prop_map(Value::from)
                .boxed()
        }
        _ => {
            let floats = proptest::num::f64::ANY.prop_filter("finite", |value| value.is_finite());
            let bits = any::<u64>().prop_map(|bits| json!(format!("f64:0x{bits:016x}")));
            prop_oneof![
                (-2.0..12.0_f64).prop_map(Value::from),
                floats.prop_map(Value::from),
                proptest::sample::select(&TEXTS[..]).prop_map(Value::from),
                bits,
            ]
            .boxed()
        }
    }
}

/// Arguments of a port: the required ones, and each of the others now and then, so that calls often succeed.
fn arguments(port: &'static dyn Port) -> impl Strategy<Value = Value> {
    let schema = port.input_schema();
    let required: Vec<_> =
        schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let fields: Vec<_> = schema["properties"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| {
            let (name, value) = (name.clone(), argument(schema));
            let value = if required.contains(&name.as_str()) {
                value.prop_map(Some).boxed()
            } else {
                proptest::option::weighted(0.15, value).boxed()
            };
            value.prop_map(move |value| (name.clone(), value))
        })
        .collect();
    fields.prop_map(|fields| {
        let given = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
        Value::Object(given.collect::<Map<_, _>>())
    })
}

fn any_call() -> impl Strategy<Value = (usize, Value)> {
    (0..PORTS.len()).prop_flat_map(|index| (Just(index), arguments(PORTS[index])))
}

fn warhead(
    damage: i32,
    verses: f64,
    cell_spread: f64,
    percent_at_max: f64,
    distance: i32,
) -> WarheadDamageInput {
    let text = json!({ "damage": damage, "verses": verses, "cell_spread": cell_spread,
        "percent_at_max": percent_at_max, "distance": distance, "max_damage": i32::MAX });
    serde_json::from_value(text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_ends_in_the_same_breakdown_or_refusal_twice((index, input) in any_call()) {
        let bytes = serde_json::to_vec(&input).unwrap();
        let (mut first, mut second) = (Output::default(), Output::default());
        let one = PORTS[index].run(&bytes, &mut first);
        let two = PORTS[index].run(&bytes, &mut second);
        prop_assert_eq!(&one, &two);
        prop_assert_eq!(&first.json, &second.json);
        match one {
            Ok(()) => prop_assert!(serde_json::from_slice::<Value>(&first.json).unwrap()["result"].is_i64()),
            Err(error) => {
                prop_assert_eq!(error.errno, Errno::Einval);
                prop_assert!(input.get(&error.field).is_some(), "{} is not among the arguments", error.field);
            }
        }
    }

    #[test]
    fn yr_falloff_never_rises_with_distance(
        damage in 0..=100_000_i32, cells in 0.0..12.0_f64, percent in 0.0..=1.0_f64, near in 0..6000_i32,
        more in 0..6000_i32,
    ) {
        // Up to 1.2 billion below zero, so the conversion keeps the sign; far beyond that the engine wraps.
        let at = |distance| compute_warhead_damage(&warhead(damage, 1.0, cells, percent, distance)).unwrap().result;
        prop_assert!(at(near + more) <= at(near));
    }

    #[test]
    fn yr_falloff_inside_the_radius_never_rises_for_any_damage(
        damage in 0..=i32::MAX, percent in 0.0..=1.0_f64, near in 0..=512_i32, far in 0..=512_i32,
    ) {
        let at = |distance| compute_warhead_damage(&warhead(damage, 1.0, 2.0, percent, distance)).unwrap().result;
        prop_assert!(at(near.max(far)) <= at(near.min(far)));
    }

    #[test]
    fn hits_never_leave_more_than_max_damage(
        ts in any::<bool>(), damage in 1..=i32::MAX, verses in -2.0..300.0_f64, distance in 0..=i32::MAX, max in any::<i32>(),
    ) {
        let mut input = warhead(damage, verses, 1.0, 0.5, distance);
        input.max_damage = max;
        if ts {
            (input.game, input.cell_spread, input.percent_at_max) = (Game::Ts, None, None);
        }
        let output = compute_warhead_damage(&input).unwrap();
        prop_assert!(output.result <= max);
        prop_assert_eq!(output.capped, Some(output.result == max));
    }

    #[test]
    fn the_pipeline_ends_where_its_last_step_does(damage in any::<i32>(), forced in any::<bool>(), verses in 0.0..2.0_f64) {
        let input = json!({ "weapon_damage": damage, "forced": forced, "verses": verses });
        let output = compute_damage(&serde_json::from_value::<DamageInput>(input).unwrap()).unwrap();
        let last = output.warhead.as_ref().map_or(output.defender.result, |warhead| warhead.result);
        prop_assert_eq!(output.result, last);
        prop_assert_eq!(output.warhead.is_none(), forced);
    }
}

#[test]
fn a_gate_leaves_the_stages_out() {
    let mut input = warhead(100, 1.0, 1.0, 0.5, 0);
    input.warhead_present = false;
    let output = compute_warhead_damage(&input).unwrap();
    assert_eq!((output.gate, output.result), (Gate::NoWarhead, 0));
    assert_eq!(serde_json::to_string(&output).unwrap(), r#"{"gate":"no_warhead","result":0}"#);
}

#[test]
fn stages_stand_in_the_order_in_which_each_game_runs_them() {
    let versed_first = |input: &WarheadDamageInput| {
        let text = serde_json::to_string(&compute_warhead_damage(input).unwrap()).unwrap();
        text.find("versed").unwrap() < text.find("falloff").unwrap()
    };
    let mut input = warhead(100, 0.5, 1.0, 0.5, 0);
    assert!(!versed_first(&input), "YR draws the line before it applies Verses");
    (input.game, input.cell_spread, input.percent_at_max) = (Game::Ts, None, None);
    assert!(versed_first(&input), "TS applies Verses before it divides by the step");
}

#[test]
fn games_without_evidence_are_not_offered() {
    let mut input = warhead(1, 1.0, 0.0, 1.0, 0);
    input.game = Game::Ra2;
    assert_eq!(compute_warhead_damage(&input).unwrap_err().errno, Errno::Eopnotsupp);
}
