//! Properties of the ports for blasts, pulses and bullets: total, deterministic, draws as many as the engine, and monotonic
//! where its rule is.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Output, Port, PortError};
use assay_ports::combat::{
    compute_damage_estimate, compute_infantry_special_damage, inspect_bullet_submunitions,
    inspect_proximity_fuse, simulate_area_damage, simulate_emp_pulse, simulate_projectile_scatter,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What a port makes of the arguments.
fn call(port: &dyn Port, input: &Value) -> Result<Value, PortError> {
    let mut output = Output::default();
    port.run(&serde_json::to_vec(input).unwrap(), &mut output)?;
    Ok(serde_json::from_slice(&output.json).unwrap())
}

/// The breakdown of a port that takes the arguments.
fn breakdown(port: &dyn Port, input: &Value) -> Value {
    call(port, input).unwrap()
}

/// An object that a blast could meet, near its impact.
fn object(ts: bool) -> impl Strategy<Value = Value> {
    let kind = prop_oneof![Just("unit"), Just("infantry"), Just("aircraft"), Just("harvester")];
    let layer = prop_oneof![4 => Just("ground"), 1 => Just("deck"), 2 => Just("air")];
    let state = prop_oneof![4 => Just("sound"), 1 => Just("dead"), 1 => Just("limbo")];
    let protection = if ts {
        Just("none").boxed()
    } else {
        prop_oneof![3 => Just("none"), 1 => Just("iron_curtain"), 1 => Just("force_shield")].boxed()
    };
    (kind, layer, state, protection, 2000..3400_i32, 4600..6000_i32, -20..400_i32).prop_map(
        |(kind, layer, state, protection, x, y, z)| {
            json!({ "kind": kind, "layer": layer, "state": state, "protection": protection, "coord": [x, y, z] })
        },
    )
}

/// Places of the objects that are hit.
fn hit(output: &Value) -> Vec<u64> {
    let records = output["records"].as_array().unwrap().iter();
    records
        .filter(|record| record["outcome"] == "hit")
        .map(|record| record["object"].as_u64().unwrap())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wider_blast_hits_no_fewer_objects(
        objects in prop::collection::vec(object(false), 0..=12), spread in 1..600_u16, more in 0..500_u16, z in 0..300_i32,
    ) {
        // Above one half nothing is isolated.
        let blast = |spread: u16| breakdown(&simulate_area_damage::PORT, &json!({ "impact": [2700, 5300, z], "damage": 100,
            "cell_spread": 0.51 + f64::from(spread) / 100.0, "objects": objects }));
        let (narrow, wide) = (blast(spread.min(500)), blast((spread + more).min(1000)));
        prop_assert_eq!(&narrow, &blast(spread.min(500)));
        let (few, many) = (hit(&narrow), hit(&wide));
        prop_assert!(few.iter().all(|object| many.contains(object)));
        prop_assert_eq!(narrow["hits"].as_u64(), Some(few.len() as u64));
        for record in narrow["records"].as_array().unwrap() {
            let counted = if record["halved"].is_null() { &record["distance"] } else { &record["halved"] };
            let within = counted.as_i64().unwrap() <= narrow["radius"].as_i64().unwrap();
            prop_assert!(within || record["outcome"] != "hit");
        }
    }

    #[test]
    fn a_blast_of_tiberian_sun_lists_nothing_twice(
        objects in prop::collection::vec(object(true), 0..=16), z in 0..300_i32, damage in any::<i32>(),
    ) {
        let input = json!({ "game": "TS", "impact": [2700, 5300, z], "damage": damage, "objects": objects });
        let output = breakdown(&simulate_area_damage::PORT, &input);
        let mut listed: Vec<_> =
            output["records"].as_array().unwrap().iter().map(|record| record["object"].as_u64().unwrap()).collect();
        let all = listed.len();
        listed.sort_unstable();
        listed.dedup();
        prop_assert_eq!(listed.len(), all);
        prop_assert_eq!(output["draw_count"].as_u64(), Some(0));
    }

    #[test]
    fn shots_scatter_within_their_bounds_and_with_two_draws(
        seed in any::<u32>(), scatter in 0..4000_i32, flak in any::<bool>(), inviso in any::<bool>(),
        x in -20_000..20_000_i32, y in -20_000..20_000_i32,
    ) {
        let input = json!({ "from": [0, 0, 0], "target": [x, y, 104], "arcing": true, "inaccurate": true, "flak_scatter": flak,
            "inviso": inviso, "ballistic_scatter": scatter, "range": 2560, "seed": seed });
        let output = breakdown(&simulate_projectile_scatter::PORT, &input);
        prop_assert_eq!(&output, &breakdown(&simulate_projectile_scatter::PORT, &input));
        let (mut parts, mut least) = (0, 0);
        for part in [&output["launch"], &output["impact"]] {
            if part.is_null() {
                continue;
            }
            let number = |field: &str| part[field].as_i64().unwrap();
            prop_assert!((number("low")..=number("high")).contains(&number("roll")));
            // A lepton is lost to each truncation.
            let off = |axis: usize, from: i32| (part["point"][axis].as_i64().unwrap() - i64::from(from)).pow(2);
            prop_assert!(off(0, x) + off(1, y) <= (number("length") + 2).pow(2));
            parts += 1;
            least += 1 + u64::from(number("low") < number("high"));
        }
        prop_assert_eq!(parts, 1 + usize::from(flak && inviso));
        prop_assert!(output["draw_count"].as_u64().unwrap() >= least);
    }

    #[test]
    fn an_estimate_grows_with_the_damage_and_shrinks_with_the_armor(
        damage in 1..10_000_i32, more in 0..10_000_i32, armor in 100..400_u16, harder in 0..400_u16,
    ) {
        let shot = |damage: i32, armor: u16| breakdown(&compute_damage_estimate::PORT, &json!({ "weapon_damage": damage,
            "shooter_armor": f64::from(armor) / 100.0, "verses": 0.75, "max_damage": 100_000 }))["result"].as_i64().unwrap();
        prop_assert!(shot(damage, armor) <= shot(damage + more, armor));
        prop_assert!(shot(damage, armor + harder) <= shot(damage, armor));
    }

    #[test]
    fn clusters_draw_for_every_detonation_and_airbursts_let_out_nine(
        seed in any::<u32>(), cluster in -3..40_i32, dies_at in prop::option::of(1..40_i32), airburst in any::<bool>(),
    ) {
        let mut input = json!({ "coord": [65_000, 65_000, 0], "cluster": cluster, "seed": seed });
        if airburst {
            input["airburst"] = json!(true);
        } else if let Some(at) = dies_at {
            input["dies_at"] = json!(at);
        }
        let output = breakdown(&inspect_bullet_submunitions::PORT, &input);
        prop_assert_eq!(&output, &breakdown(&inspect_bullet_submunitions::PORT, &input));
        let detonations = output["detonations"].as_array().unwrap();
        prop_assert_eq!(output["bullets"].as_array().unwrap().len(), if airburst { 9 } else { 0 });
        let draws = detonations.iter().filter(|detonation| !detonation["next"].is_null()).count() as u64;
        let least = if airburst { 9 } else { 2 * draws };
        prop_assert!(output["draw_count"].as_u64().unwrap() >= least);
        for next in detonations.iter().map(|detonation| &detonation["next"]).filter(|next| !next.is_null()) {
            prop_assert!((256..=512).contains(&next["radius"].as_i64().unwrap()));
        }
    }

    #[test]
    fn a_fuse_never_outlives_an_arrival(
        start in 0..3000_i32, distances in prop::collection::vec(0..1200_i32, 0..20), arm in -2..8_i32,
    ) {
        let readings: Vec<_> = distances.iter().zip(0..).map(|(distance, frame)| json!({ "frame": frame, "distance": distance })).collect();
        let output = breakdown(&inspect_proximity_fuse::PORT, &json!({ "start": start, "arm": arm, "readings": readings }));
        let read = output["readings"].as_array().unwrap();
        let arrival = distances.iter().zip(0..).position(|(distance, frame)| frame >= arm && *distance < 64);
        match (output["detonates_at"].as_u64(), arrival) {
            (Some(at), _) => prop_assert_eq!(at as usize + 1, read.len()),
            (None, arrival) => prop_assert!(arrival.is_none() && read.len() == distances.len()),
        }
    }

    #[test]
    fn a_pulse_draws_once_for_each_spark_and_a_wider_one_stuns_no_fewer(
        ts in any::<bool>(), seed in any::<u32>(), spread in 0..12_i32, more in 0..12_i32,
        places in prop::collection::vec((10_000..16_000_i32, 10_000..16_000_i32, any::<bool>()), 0..16),
    ) {
        let objects: Vec<_> = places.iter().map(|(x, y, vehicle)| {
            json!({ "kind": if *vehicle { "unit" } else { "cyborg" }, "coord": [x, y, 0] })
        }).collect();
        let pulse = |spread: i32| breakdown(&simulate_emp_pulse::PORT, &json!({ "game": if ts { "TS" } else { "YR" },
            "cell": [50, 50], "spread": spread, "duration": 10, "seed": seed, "objects": objects }));
        let (narrow, wide) = (pulse(spread), pulse(spread + more));
        prop_assert_eq!(&narrow, &pulse(spread));
        let events = |output: &Value| output["events"].as_array().unwrap().len();
        prop_assert!(events(&narrow) <= events(&wide));
        let sparks = narrow["events"].as_array().unwrap().iter().filter(|event| !event["roll"].is_null()).count() as u64;
        let drawn = narrow["draw_count"].as_u64().unwrap();
        prop_assert!(drawn >= sparks && (sparks > 0) == (drawn > 0));
    }

    #[test]
    fn a_web_never_shortens_a_struggle(
        seed in any::<u32>(), timer in any::<i32>(), duration in -1_000_000..=1_000_000_i32, variation in -1_000_000..=1_000_000_i32,
        damage in any::<i32>(),
    ) {
        let input = json!({ "game": "TS", "damage": damage, "webby": true, "web_duration": duration, "web_variation": variation,
            "timer": timer, "seed": seed });
        let output = breakdown(&compute_infantry_special_damage::PORT, &input);
        prop_assert_eq!(&output, &breakdown(&compute_infantry_special_damage::PORT, &input));
        prop_assert_eq!(output["result"].as_i64(), Some(0));
        prop_assert!(output["timer"].as_i64().unwrap() >= i64::from(timer));
        prop_assert!((output["duration"].as_i64().unwrap() - i64::from(duration)).abs() <= i64::from(variation).abs());
        prop_assert_eq!(output["draw_count"].as_u64().unwrap() == 0, variation == 0);
    }

    #[test]
    fn coordinates_anywhere_are_answered_or_refused(coord in any::<[i32; 3]>(), other in any::<[i32; 3]>(), range in any::<i32>(), scatter in any::<i32>(), seed in any::<u32>()) {
        let shot = json!({ "from": coord, "target": other, "flak_scatter": true, "inviso": true, "range": range,
            "ballistic_scatter": scatter, "seed": seed });
        let _ = call(&simulate_projectile_scatter::PORT, &shot);
        let blast = json!({ "impact": coord, "damage": range, "cell_spread": 1.0, "ground": scatter,
            "objects": [{ "kind": "unit", "coord": other }, { "kind": "aircraft", "coord": other, "layer": "air" }] });
        let _ = call(&simulate_area_damage::PORT, &blast);
        let _ = call(&inspect_bullet_submunitions::PORT, &json!({ "coord": coord, "cluster": range.min(3), "seed": seed }));
        let _ = call(&simulate_emp_pulse::PORT, &json!({ "cell": [coord[0], coord[1]], "spread": range % 40, "duration": scatter,
            "seed": seed, "objects": [{ "kind": "aircraft", "coord": other }] }));
    }
}
