//! Properties of the combat ports over the whole domain: total, deterministic, and monotonic where the engine's rule is.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Errno, Game, Output, Port};
use assay_ports::combat::compute_damage::{DamageInput, compute_damage};
use assay_ports::combat::compute_warhead_damage::{Gate, WarheadDamageInput, compute_warhead_damage};
use assay_ports::combat::{
    compute_damage, compute_defender_damage, compute_fire_damage, compute_prone_damage,
    compute_warhead_damage, simulate_bridge_damage_roll, simulate_chain_reaction, simulate_wall_damage,
    simulate_wide_area_damage,
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

/// The breakdown of a port that takes the arguments.
fn breakdown(port: &dyn Port, input: &Value) -> Value {
    let mut output = Output::default();
    port.run(&serde_json::to_vec(input).unwrap(), &mut output).unwrap();
    serde_json::from_slice(&output.json).unwrap()
}

/// The rolls of a list of records, where they drew.
fn rolls(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().filter_map(|entry| entry["roll"].as_i64()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bridges_draw_once_for_each_block_and_more_damage_never_breaks_less(
        seed in any::<u32>(), damage in -10..2000_i32, more in 0..2000_i32, under in any::<bool>(), z in -500..1500_i32,
    ) {
        let blocks = ["high_structural", "low_structural", "low_overlay", "high_overlay"];
        let hit = |damage: i32| breakdown(&simulate_bridge_damage_roll::PORT, &json!({ "damage": damage, "strength": 1024,
            "blocks": blocks, "under_bridge": under, "impact_z": z, "seed": seed }));
        let (weak, strong) = (hit(damage), hit(damage + more));
        prop_assert_eq!(&weak, &hit(damage));
        // 1 to 1024 is a whole mask, so no draw is thrown away.
        let drawn = rolls(&weak["blocks"]);
        prop_assert_eq!(weak["draw_count"].as_u64().unwrap(), drawn.len() as u64);
        prop_assert_eq!(&drawn, &rolls(&strong["blocks"]));
        prop_assert!(drawn.iter().all(|roll| (1..=1024).contains(roll)));
        prop_assert!(weak["hits"].as_u64() <= strong["hits"].as_u64());
    }

    #[test]
    fn walls_only_ever_lose_stages_and_a_forced_hit_ends_them(
        ts in any::<bool>(), seed in any::<u32>(), levels in 0..6_i32, byte in 0..64_u8,
        mut hits in prop::collection::vec(0..400_i32, 1..12),
    ) {
        hits.push(-1);
        let game = if ts { "TS" } else { "YR" };
        let input = json!({ "game": game, "strength": 255, "levels": levels, "byte": byte, "hits": hits, "seed": seed });
        let output = breakdown(&simulate_wall_damage::PORT, &input);
        prop_assert_eq!(&output, &breakdown(&simulate_wall_damage::PORT, &input));
        prop_assert_eq!(&output["removed"], &json!(true));
        prop_assert_eq!(output["draw_count"].as_u64().unwrap(), rolls(&output["hits"]).len() as u64);
        let stages: Vec<_> = output["hits"].as_array().unwrap().iter().filter_map(|hit| hit["stage"].as_u64()).collect();
        prop_assert!(stages.windows(2).all(|pair| pair[1] == pair[0] + 1));
    }

    #[test]
    fn a_reaction_never_adds_tiberium_and_draws_for_dense_cells_only(
        seed in any::<u32>(), density in any::<u8>(), strength in any::<i32>(), around in prop::collection::vec(0..12_u8, 0..8),
    ) {
        let input = json!({ "density": density, "power": 10, "strength": strength, "neighbours": around, "seed": seed });
        let output = breakdown(&simulate_chain_reaction::PORT, &input);
        prop_assert_eq!(&output, &breakdown(&simulate_chain_reaction::PORT, &input));
        prop_assert!(output["density"].as_u64().unwrap() <= u64::from(density));
        prop_assert_eq!(output["draw_count"] == 0, density < 2);
        prop_assert_eq!(output["roll"].is_null(), density < 2);
    }

    #[test]
    fn a_wide_blast_covers_its_square_and_rises_outward(radius in 0..=4096_i32, strength in 0..100_000_i32) {
        let output = breakdown(&simulate_wide_area_damage::PORT, &json!({ "radius": radius, "strength": strength }));
        let side = 2 * output["cell_radius"].as_u64().unwrap() + 1;
        prop_assert_eq!(output["cells"].as_array().unwrap().len() as u64, side * side);
        prop_assert_eq!(output["draw_count"].as_u64(), Some(0));
        let bands = output["bands"].as_array().unwrap();
        prop_assert_eq!(bands[0]["damage"].as_i64(), Some(i64::from(strength)));
        let damages: Vec<_> = bands[1..].iter().map(|band| band["damage"].as_i64().unwrap()).collect();
        prop_assert!(damages.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
