//! Properties of the ports for ranks, health, deaths and immunities: total, deterministic, and bounded where the engine's
//! rule is.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Errno, Output, Port};
use assay_ports::combat::{
    compute_combat_anim, compute_death_weapon_damage, compute_infantry_fear, compute_kill_award,
    compute_multi_engineer_damage, compute_object_damage, compute_prism_damage, compute_readiness_ammo,
    compute_veterancy_bonus, compute_veterancy_gain, inspect_damage_gates, inspect_infantry_death,
    inspect_verses_engagement, inspect_veterancy_rank,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const PORTS: [&dyn Port; 14] = [
    &compute_combat_anim::PORT,
    &compute_death_weapon_damage::PORT,
    &compute_infantry_fear::PORT,
    &compute_kill_award::PORT,
    &compute_multi_engineer_damage::PORT,
    &compute_object_damage::PORT,
    &compute_prism_damage::PORT,
    &compute_readiness_ammo::PORT,
    &compute_veterancy_bonus::PORT,
    &compute_veterancy_gain::PORT,
    &inspect_damage_gates::PORT,
    &inspect_infantry_death::PORT,
    &inspect_verses_engagement::PORT,
    &inspect_veterancy_rank::PORT,
];

/// Rules text of every sort, one without a number among it.
static TEXTS: [&str; 9] = ["0%", "10%", "70%", "-30%", ".7", "1.3", "1e40", "-0", "none"];

/// Any value that the schema of one argument admits, the edges often.
fn argument(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(forms) = schema.get("anyOf").and_then(Value::as_array) {
        return argument(&forms[0]);
    }
    if let Some(words) = schema.get("oneOf").and_then(Value::as_array) {
        let words: Vec<_> = words.iter().map(|word| word["const"].clone()).collect();
        return proptest::sample::select(words).boxed();
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return proptest::sample::select(words.clone()).boxed();
    }
    let kind = schema["type"].as_array().map_or(&schema["type"], |kinds| &kinds[0]);
    match kind.as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let low = schema["minimum"].as_i64().unwrap();
            let high = schema["maximum"].as_i64().unwrap();
            let edges = [low, high, 0, 1, 7, 8].map(|edge| edge.clamp(low, high)).to_vec();
            let small = 0_i64.clamp(low, high)..=1000_i64.clamp(low, high);
            prop_oneof![low..=high, proptest::sample::select(edges), small].prop_map(Value::from).boxed()
        }
        _ => {
            let bits = any::<u64>().prop_map(|bits| json!(format!("f64:0x{bits:016x}")));
            let text = proptest::sample::select(&TEXTS[..]).prop_map(Value::from);
            prop_oneof![(-2.0..12.0_f64).prop_map(Value::from), text, bits].boxed()
        }
    }
}

/// Arguments of a port: the required ones, and each of the others now and then, so that calls often succeed.
fn arguments(port: &'static dyn Port) -> impl Strategy<Value = Value> {
    let schema = port.input_schema();
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let properties = schema["properties"].as_object().unwrap();
    let fields: Vec<_> = properties
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

/// The breakdown of a call that must succeed.
fn run(port: &dyn Port, input: Value) -> Value {
    let mut output = Output::default();
    port.run(&serde_json::to_vec(&input).unwrap(), &mut output).unwrap();
    serde_json::from_slice(&output.json).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_ends_in_the_same_breakdown_or_refusal_twice((index, input) in any_call()) {
        let bytes = serde_json::to_vec(&input).unwrap();
        let (mut first, mut second) = (Output::default(), Output::default());
        let one = PORTS[index].run(&bytes, &mut first);
        prop_assert_eq!(&one, &PORTS[index].run(&bytes, &mut second));
        prop_assert_eq!(&first.json, &second.json);
        match one {
            Ok(()) => prop_assert!(serde_json::from_slice::<Value>(&first.json).unwrap().is_object()),
            Err(error) => {
                prop_assert_eq!(error.errno, Errno::Einval);
                prop_assert!(input.get(&error.field).is_some(), "{} is not among the arguments", error.field);
            }
        }
    }

    #[test]
    fn a_kill_never_lowers_experience_and_the_cap_holds(
        ts in any::<bool>(), own in 1..5000_i32, victim in 0..5000_i32, before in 0.0..2.0_f32,
    ) {
        let game = if ts { "TS" } else { "YR" };
        let input = json!({ "game": game, "own_cost": own, "victim_cost": victim, "experience": before,
            "veteran_ratio": 3.0, "veteran_cap": 2.0 });
        let after = run(&compute_veterancy_gain::PORT, input)["after"]["held"].as_f64().unwrap();
        prop_assert!((f64::from(before)..=2.0).contains(&after));
    }

    #[test]
    fn what_health_loses_is_what_is_written_back(
        health in 1..3000_i32, strength in 1..3000_i32, damage in 1..=i32::MAX, forced in any::<bool>(),
    ) {
        let input = json!({ "health": health, "strength": strength, "damage": damage, "forced": forced,
            "max_damage": i32::MAX });
        let hit = run(&compute_object_damage::PORT, input);
        let left = hit["health"].as_i64().unwrap();
        prop_assert_eq!(hit["written_back"].as_i64().unwrap(), i64::from(health) - left);
        prop_assert_eq!(hit["state"] == "destroyed", left == 0);
    }

    #[test]
    fn heals_stop_at_the_strength(health in 1..3000_i32, strength in 1..3000_i32, damage in -100_000..0_i32) {
        let hit = run(&compute_object_damage::PORT, json!({ "health": health, "strength": strength, "damage": damage }));
        prop_assert_eq!(hit["health"].as_i64().unwrap(), i64::from(health - damage).min(strength.into()));
    }

    /// From 12 points up. Below, cutting the damage to whole points can leave more than a quarter after two of them.
    #[test]
    fn three_engineers_take_any_building(strength in 12..20_000_i32) {
        let visit = |health: i64| {
            let input = json!({ "health": health, "strength": strength, "condition_red": "25%" });
            run(&compute_multi_engineer_damage::PORT, input)
        };
        let second = visit(visit(strength.into())["health"].as_i64().unwrap());
        let third = visit(second["health"].as_i64().unwrap());
        prop_assert!(second["outcome"] == "captured" || third["outcome"] == "captured");
    }

    #[test]
    fn supporters_never_weaken_a_shot(damage in 0..10_000_i32, modifier in 0..=300_i32, supporters in 0..8_i32) {
        let shot = |supporters: i32| {
            let input = json!({ "damage": damage, "modifier": modifier, "supporters": supporters });
            run(&compute_prism_damage::PORT, input)["result"].as_i64().unwrap()
        };
        prop_assert!(shot(supporters) <= shot(supporters + 1));
    }

    #[test]
    fn fear_stays_below_its_maximum(fear in 0..=300_i32, attacker in any::<bool>(), ratio in 0.0..=1.0_f64) {
        let input = json!({ "fear": fear, "attacker": attacker, "health_ratio": ratio });
        let after = run(&compute_infantry_fear::PORT, input)["fear"].as_i64().unwrap();
        prop_assert!((i64::from(fear)..=300).contains(&after));
    }
}
