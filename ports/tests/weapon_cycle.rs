//! Properties of the ports for a weapon's cycle: draws are counted, runs repeat, and results stay inside the engine's bounds.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Errno, Output, Port};
use assay_ports::combat::{
    inspect_fire_error, inspect_ifv_slot, inspect_weapon_choice, inspect_weapon_range, simulate_burst_cycle,
    simulate_garrison_fire, simulate_gattling_stage, simulate_rearm_delay,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn run(port: &dyn Port, input: &Value) -> Value {
    let mut output = Output::default();
    port.run(input.to_string().as_bytes(), &mut output).unwrap();
    serde_json::from_slice(&output.json).unwrap()
}

/// The breakdown, or the error that a refusal must be.
fn total(port: &dyn Port, input: &Value) -> Option<Value> {
    let mut output = Output::default();
    match port.run(input.to_string().as_bytes(), &mut output) {
        Ok(()) => Some(serde_json::from_slice(&output.json).unwrap()),
        Err(error) => {
            assert!(matches!(error.errno, Errno::Einval | Errno::Eopnotsupp), "{error}");
            None
        }
    }
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn game() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("TS"), Just("YR")]
}

fn steps() -> impl Strategy<Value = Vec<Value>> {
    let step = (any::<bool>(), 0..20_i32, 1..5_i32).prop_map(|(fires, ticks, times)| {
        json!({ "kind": if fires { "fire" } else { "idle" }, "ticks": ticks, "times": times })
    });
    prop::collection::vec(step, 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// One stage a step, never outside the list; the value never below 0 once it is above, and the weapon one of the stage.
    #[test]
    fn a_gattling_moves_one_stage_a_step(
        rises in prop::collection::vec(1..300_i32, 1..7),
        up in 0..100_i32,
        down in 0..100_i32,
        value in 0..1000_i32,
        steps in steps(),
        air in any::<bool>(),
    ) {
        let stages: Vec<i32> = rises.iter().scan(0, |sum, rise| { *sum += rise; Some(*sum) }).collect();
        let input = json!({
            "stages": stages, "rate_up": up, "rate_down": down, "value": value, "steps": steps,
            "anti_air": vec![true; stages.len()], "high_flying": air,
        });
        let result = run(&simulate_gattling_stage::PORT, &input);
        prop_assert_eq!(&result, &run(&simulate_gattling_stage::PORT, &input));
        let (mut stage, mut before) = (0, i64::from(value));
        for step in result["steps"].as_array().unwrap() {
            let (now, after) = (number(&step["stage"]), number(&step["value"]));
            prop_assert!((now - stage).abs() <= 1 && (0..stages.len() as i64).contains(&now));
            let fires = step["kind"] == "fire";
            let moved = if fires { after >= before } else { after <= before };
            prop_assert!(after >= 0 && moved);
            (stage, before) = (now, after);
        }
        prop_assert_eq!(number(&result["weapon_index"]), 2 * stage + i64::from(air));
        prop_assert!(result.get("list_index").is_none());
    }

    /// The same seed gives the same run, and a draw is made exactly where one is told.
    #[test]
    fn a_delay_counts_its_draws(
        game in game(),
        seed in any::<u32>(),
        rof in 0..100_000_i32,
        burst in 1..8_i32,
        index in 0..8_i32,
        delays in prop::collection::vec(-1..20_i32, 0..5),
        sonic in any::<bool>(),
        ability in any::<bool>(),
    ) {
        let input = json!({
            "game": game, "seed": seed, "rof": rof, "burst": burst, "burst_index": index, "burst_delays": delays,
            "sonic": sonic, "rof_ability": ability, "veteran_rof": "0.6",
        });
        let result = run(&simulate_rearm_delay::PORT, &input);
        prop_assert_eq!(&result, &run(&simulate_rearm_delay::PORT, &input));
        let draws = result["draw_count"].as_u64().unwrap();
        let drawn = result.get("jitter").is_some() || result["burst"]["listed"] == json!(false);
        prop_assert_eq!(draws > 0, drawn);
        let frames = number(&result["result"]);
        if sonic {
            prop_assert_eq!(frames, i64::from(rof));
        } else if index < burst {
            let listed = result["burst"]["listed"] == json!(true);
            prop_assert!(listed || (3..=5).contains(&frames));
        } else {
            let jitter = number(&result["jitter"]);
            prop_assert!((0..=2).contains(&jitter));
            prop_assert_eq!(number(&result["base"]), i64::from(rof) + jitter);
            prop_assert!(frames <= number(&result["base"]));
        }
    }

    /// More occupants never slow a garrison down, and a longer ROF never makes it faster.
    #[test]
    fn a_garrison_fires_faster_with_more_occupants(
        seed in any::<u32>(),
        rof in 0..100_000_i32,
        occupants in 1..20_i32,
    ) {
        let frames = |rof: i32, occupants: i32| {
            let input = json!({
                "seed": seed, "rof": rof, "occupied": true, "occupants": occupants, "occupy_rof_multiplier": "1.2",
            });
            number(&run(&simulate_rearm_delay::PORT, &input)["result"])
        };
        prop_assert!(frames(rof, occupants + 1) <= frames(rof, occupants));
        prop_assert!(frames(rof + 1, occupants) >= frames(rof, occupants));
    }

    /// The counter goes round, sums and draws add up, and a run in two halves of a cycle draws what one run draws.
    #[test]
    fn a_burst_goes_round(
        game in game(),
        seed in any::<u32>(),
        burst in 1..7_i32,
        start in 0..6_i32,
        shots in 0..40_i32,
    ) {
        let start = start % burst;
        let input = json!({
            "game": game, "shots": shots, "start": start, "rearm": { "rof": 60, "seed": seed, "burst": burst },
        });
        let result = run(&simulate_burst_cycle::PORT, &input);
        prop_assert_eq!(&result, &run(&simulate_burst_cycle::PORT, &input));
        prop_assert_eq!(number(&result["index"]), i64::from((start + shots) % burst));
        let list = result["shots"].as_array().unwrap();
        prop_assert_eq!(list.len(), shots.unsigned_abs() as usize);
        let frames: i64 = list.iter().map(|shot| number(&shot["delay"]["result"])).sum();
        let draws: i64 = list.iter().map(|shot| number(&shot["delay"]["draw_count"])).sum();
        prop_assert_eq!(frames, number(&result["frames"]));
        prop_assert_eq!(draws, number(&result["draw_count"]));
        prop_assert!(draws >= i64::from(shots));
        for shot in list {
            prop_assert_eq!(number(&shot["delay"]["result"]) < 60, number(&shot["after"]) != 0);
        }
    }

    /// Everybody fires equally often, one shot apart at most.
    #[test]
    fn a_garrison_takes_turns(
        count in 1..12_usize,
        index in 0..12_usize,
        shots in 0..60_i32,
        elite in any::<bool>(),
    ) {
        let occupant = json!({ "rank": if elite { "elite" } else { "recruit" } });
        let input = json!({ "occupants": vec![occupant; count], "index": index % count, "shots": shots });
        let result = run(&simulate_garrison_fire::PORT, &input);
        prop_assert_eq!(&result, &run(&simulate_garrison_fire::PORT, &input));
        let mut fired = vec![0_i32; count];
        for shot in result["shots"].as_array().unwrap() {
            fired[number(&shot["occupant"]) as usize] += 1;
            prop_assert_eq!(&shot["weapon"], if elite { "elite_occupy" } else { "occupy" });
        }
        let (least, most) = (fired.iter().min().unwrap(), fired.iter().max().unwrap());
        prop_assert!(most - least <= 1);
        prop_assert_eq!(number(&result["index"]), ((index % count + shots as usize) % count) as i64);
    }

    /// Farther targets are never in range when nearer ones on the same line are out of it.
    #[test]
    fn range_is_monotonic(
        game in game(),
        range in -1000..20_000_i32,
        dx in -10_000..10_000_i32,
        dy in -10_000..10_000_i32,
    ) {
        let verdict = |factor: i32| {
            let input = json!({ "game": game, "range": range, "dx": dx * factor, "dy": dy * factor });
            run(&inspect_weapon_range::PORT, &input)["verdict"] != json!("too_far")
        };
        prop_assert!(verdict(1) || !verdict(2));
    }

    /// Any numbers give a breakdown or a refusal.
    #[test]
    fn numbers_of_every_size_are_taken_or_refused(
        game in game(),
        edges in prop::collection::vec(
            prop_oneof![any::<i32>(), Just(i32::MIN), Just(i32::MAX), Just(-1), Just(0), Just(1)], 12,
        ),
        flags in prop::collection::vec(any::<bool>(), 6),
    ) {
        let range = json!({
            "game": game, "range": edges[0], "minimum_range": edges[1], "dx": edges[2], "dy": edges[3], "dz": edges[4],
            "arcing": flags[0], "trajectory": flags[1], "under_bridge": flags[2],
        });
        total(&inspect_weapon_range::PORT, &range);
        total(&inspect_weapon_range::PORT, &json!({
            "range": edges[0], "dx": 3, "dy": 4, "air_range_bonus": edges[1], "high_flying": flags[0],
            "garrison": { "width": 3, "height": 5, "weapon_range": edges[2] },
            "bunkered": flags[1], "bunker_range_bonus": edges[3], "open_topped": flags[2],
            "open_topped_range_bonus": edges[4],
        }));
        total(&inspect_fire_error::PORT, &json!({
            "rearm_left": edges[5], "ammo": edges[6], "verses": edges[7], "range": range,
        }));
        total(&inspect_weapon_choice::PORT, &json!({
            "game": game, "primary_verses": edges[5], "secondary_verses": edges[6],
        }));
        total(&inspect_weapon_choice::PORT, &json!({
            "current_weapon": edges[5], "multi_weapon": flags[0], "gattling": flags[1], "stage": edges[6],
            "open_transport_weapon": edges[7], "in_open_transport": flags[2], "naval_choice": edges[8], "on_water": flags[3],
        }));
        total(&simulate_rearm_delay::PORT, &json!({
            "seed": 1, "rof": edges[0], "ammo": edges[1], "burst": edges[2], "burst_index": edges[3], "house_rof": edges[4],
            "veteran_rof": edges[5], "rof_ability": flags[0], "occupied": flags[1], "occupants": edges[6],
            "occupy_rof_multiplier": edges[7], "bunkered": flags[2], "bunker_rof_multiplier": edges[8],
            "berserk": flags[3],
        }));
        total(&simulate_gattling_stage::PORT, &json!({
            "stages": [edges[0], edges[1]], "rate_up": edges[2], "rate_down": edges[3], "value": edges[4],
            "stage": edges[5] & 1,
            "steps": [{ "kind": "fire", "times": 2 }, { "kind": "idle", "ticks": edges[6] & 0xFFFF }, { "kind": "fire" }],
        }));
        total(&inspect_ifv_slot::PORT, &json!({
            "events": [{ "kind": "board", "mode": edges[0] }, { "kind": "leave", "seat": edges[1] }],
        }));
        total(&simulate_garrison_fire::PORT, &json!({
            "occupants": [{ "rank": "recruit" }], "index": edges[0], "shots": edges[1] & 0xFF,
        }));
        total(&simulate_burst_cycle::PORT, &json!({
            "shots": edges[0] & 0xF, "start": edges[1], "rearm": { "rof": edges[2], "seed": 1, "burst": edges[3] },
        }));
    }
}
