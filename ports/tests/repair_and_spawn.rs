//! Properties of the ports for repair, self-healing, carriers, one-way attacks and the disc: the same run twice, and bounds that
//! the engine's rules have.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Output, Port};
use assay_ports::combat::{
    compute_repair_step, simulate_disc_laser, simulate_kamikaze, simulate_self_heal, simulate_spawn_manager,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The breakdown of a call that must succeed, twice the same.
fn run(port: &dyn Port, input: &Value) -> Value {
    let bytes = serde_json::to_vec(input).unwrap();
    let (mut first, mut second) = (Output::default(), Output::default());
    port.run(&bytes, &mut first).unwrap();
    port.run(&bytes, &mut second).unwrap();
    assert_eq!(first.json, second.json);
    serde_json::from_slice(&first.json).unwrap()
}

fn number(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap()
}

/// What happens to a carrier of three slots, at random.
fn event() -> impl Strategy<Value = Value> {
    let plain = ["target", "target_gone", "moves", "stops", "out_of_reach", "in_reach"];
    let child = ["spent", "away", "destroyed"];
    prop_oneof![
        (0..600_i32, proptest::sample::select(plain.to_vec()))
            .prop_map(|(frame, what)| json!({ "frame": frame, "what": what })),
        (0..600_i32, proptest::sample::select(child.to_vec()), 0..3_i32)
            .prop_map(|(frame, what, slot)| json!({ "frame": frame, "what": what, "slot": slot })),
        (0..600_i32, 0..3_i32, -40..40_i32)
            .prop_map(|(frame, slot, dz)| json!({ "frame": frame, "what": "near", "slot": slot, "dz": dz })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repairs_of_a_whole_building_end_at_its_strength(
        cost in 0..5000_i32, strength in 8..3000_i32, missing in 0.0..=1.0_f64,
    ) {
        let health = (f64::from(strength) * missing) as i32;
        let mut input = json!({ "cost": cost, "strength": strength, "step": 8, "percent": "15%", "health": health });
        let steps = number(&run(&compute_repair_step::PORT, &input), "pulses");
        for _ in 0..steps {
            let after = run(&compute_repair_step::PORT, &input)["health"].clone();
            input["health"] = after;
        }
        prop_assert_eq!(number(&input, "health"), i64::from(strength));
    }

    #[test]
    fn a_dearer_type_is_never_repaired_for_less(cost in 0..5000_i32, more in 0..5000_i32, strength in 8..3000_i32) {
        let price = |cost: i32| {
            let input = json!({ "cost": cost, "strength": strength, "step": 8, "percent": "15%" });
            number(&run(&compute_repair_step::PORT, &input), "price")
        };
        prop_assert!(price(cost) <= price(cost + more));
    }

    #[test]
    fn self_healing_never_hurts_and_stops(
        ts in any::<bool>(), health in 1..500_i32, strength in 1..500_i32, frame in 0..10_000_i32, frames in 1..3000_i32,
    ) {
        let game = if ts { "TS" } else { "YR" };
        let input = json!({ "game": game, "health": health, "strength": strength, "rate": ".016", "frame": frame,
            "frames": frames });
        let healed = run(&simulate_self_heal::PORT, &input);
        let after = number(&healed, "health");
        prop_assert!(after >= i64::from(health));
        prop_assert!(after <= i64::from(health.max(strength)));
        prop_assert!(number(&healed, "gained") <= i64::from(frames / 14 + 1));
    }

    /// One run in two parts heals as much as in one.
    #[test]
    fn self_healing_can_be_interrupted(health in 1..400_i32, first in 1..900_i32, second in 1..900_i32) {
        let heal = |health: i64, frame: i32, frames: i32| {
            let input = json!({ "health": health, "strength": 400, "rate": ".016", "frame": frame, "frames": frames });
            number(&run(&simulate_self_heal::PORT, &input), "health")
        };
        let parts = heal(heal(health.into(), 0, first), first, second);
        prop_assert_eq!(parts, heal(health.into(), 0, first + second));
    }

    #[test]
    fn carriers_launch_in_passes_and_not_too_fast(
        kind in proptest::sample::select(vec!["v3", "dmisl", "cmisl", "aircraft"]),
        regen in 0..300_i32, reload in 0..300_i32, events in proptest::collection::vec(event(), 0..30),
    ) {
        let input = json!({ "kind": kind, "number": 3, "regen": regen, "reload": reload, "frames": 600,
            "events": events });
        let spawn = run(&simulate_spawn_manager::PORT, &input);
        let launches: Vec<i64> =
            spawn["launches"].as_array().unwrap().iter().map(|frame| frame.as_i64().unwrap()).collect();
        prop_assert!(launches.iter().all(|frame| *frame >= 20 && frame % 10 == 0));
        prop_assert!(launches.windows(2).all(|pair| pair[1] - pair[0] >= 20));
        prop_assert_eq!(number(&spawn, "passes"), 59);
        // Every change begins where the one before it ended.
        let mut states = vec!["idle".to_owned(); 3];
        for change in spawn["changes"].as_array().unwrap() {
            let slot = number(change, "slot") as usize;
            prop_assert_eq!(change["from"].as_str().unwrap(), states[slot].as_str());
            prop_assert_ne!(&change["from"], &change["to"]);
            states[slot] = change["to"].as_str().unwrap().to_owned();
        }
        for (slot, state) in states.iter().enumerate() {
            prop_assert_eq!(spawn["slots"][slot]["state"].as_str().unwrap(), state.as_str());
        }
    }

    #[test]
    fn one_way_attacks_pass_every_thirty_frames_and_leave_one_shot(
        x in 256..130_000_i32, y in 256..130_000_i32, facing in any::<u16>(), first in 0..=30_i32,
        frames in 1..400_i32, pointless in any::<bool>(),
    ) {
        let entry = if pointless { "without_point" } else { "pushed" };
        let input = json!({ "x": x, "y": y, "facing": facing, "first": first, "frames": frames, "entry": entry });
        let attack = run(&simulate_kamikaze::PORT, &input);
        prop_assert_eq!(number(&attack, "ammo"), 1);
        for (index, pass) in attack["passes"].as_array().unwrap().iter().enumerate() {
            prop_assert_eq!(number(pass, "frame"), i64::from(first) + 30 * index as i64);
            let (dx, dy) = (number(&pass["cell"], "x") - i64::from(x / 256), number(&pass["cell"], "y") - i64::from(y / 256));
            prop_assert_eq!(dx.abs().max(dy.abs()), 1);
        }
    }

    #[test]
    fn a_disc_hurts_once_and_at_the_end(bearing in any::<u16>(), damage in any::<i32>(), beats in 1..=9_i32) {
        let input = json!({ "bearing": bearing, "damage": damage, "beats": beats });
        let laser = run(&simulate_disc_laser::PORT, &input);
        prop_assert_eq!(number(&laser, "hits"), i64::from(beats == 9));
        prop_assert_eq!(number(&laser, "damage"), if beats == 9 { i64::from(damage) } else { 0 });
        prop_assert_eq!(number(&laser, "start"), i64::from(bearing ^ 0x8000));
    }
}
