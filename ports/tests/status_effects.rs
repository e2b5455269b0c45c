//! Properties of the ports for status effects: total, deterministic, and bounded where the engine's rule is.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use assay_model::{Output, Port};
use assay_ports::combat::simulate_bomb_visibility::{BombVisibilityInput, simulate_bomb_visibility};
use assay_ports::combat::simulate_ivan_bomb::{Event, IvanBombInput, simulate_ivan_bomb};
use assay_ports::combat::simulate_mind_control_overload::{OverloadInput, simulate_mind_control_overload};
use assay_ports::combat::simulate_parasite::{Fate, ParasiteInput, simulate_parasite};
use assay_ports::combat::simulate_radiation::{Radiation, RadiationInput, simulate_radiation};
use assay_ports::combat::simulate_temporal_erase::{TemporalInput, simulate_temporal_erase};
use assay_ports::combat::{
    compute_cloak_state, inspect_mind_control_capacity, simulate_bomb_visibility, simulate_ivan_bomb,
    simulate_mind_control_overload, simulate_parasite, simulate_radiation, simulate_temporal_erase,
};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

#[test]
fn examples_run() {
    let ports: [&dyn Port; 8] = [
        &compute_cloak_state::PORT,
        &inspect_mind_control_capacity::PORT,
        &simulate_bomb_visibility::PORT,
        &simulate_ivan_bomb::PORT,
        &simulate_mind_control_overload::PORT,
        &simulate_parasite::PORT,
        &simulate_radiation::PORT,
        &simulate_temporal_erase::PORT,
    ];
    for port in ports {
        let ran = port.run(port.meta().example.as_bytes(), &mut Output::default());
        assert_eq!(ran, Ok(()), "{}", port.meta().name);
    }
}

/// A cell and a site of the stock rules.
fn radiation(level: i32, dx: i32, present: f64, frames: i32, again: &[(i32, i32)]) -> Radiation {
    let again: Vec<_> =
        again.iter().map(|(frame, level)| json!({ "frame": frame, "level": level })).collect();
    let input: RadiationInput = read(json!({ "level": level, "cell_spread": 6.0, "duration_multiple": 1,
        "level_delay": 90, "level_max": 500, "level_factor": ".2", "application_delay": 16, "dx": dx,
        "present": present, "frames": frames, "again": again }));
    simulate_radiation(&input).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn radiation_never_falls_below_zero_nor_hurts_more_than_its_cap(
        level in 1..2000, dx in -8..=8, present in 0.0..900.0_f64, second in 90..1500, more in 1..600,
    ) {
        let run = radiation(level, dx, present, 3000, &[(second, more)][..usize::from(level >= 90)]);
        let mut applications = 0;
        for stage in &run.stages {
            prop_assert!(stage.cell.0 >= 0.0 && stage.cell.0 <= present + f64::from(level + more));
            prop_assert!((0..=100).contains(&stage.damage), "{}", stage.damage);
            applications += stage.applications;
        }
        prop_assert_eq!(applications, 3000 / 16);
        prop_assert!(run.stages.is_sorted_by_key(|stage| stage.frame));
    }

    #[test]
    fn radiation_is_weaker_farther_out(level in 90..2000, near in 0..7, more in 1..3, frames in 0..500) {
        let (close, far) = (radiation(level, near, 0.0, frames, &[]), radiation(level, near + more, 0.0, frames, &[]));
        prop_assert!(far.stages[0].cell.0 <= close.stages[0].cell.0);
        prop_assert!(far.total_damage <= close.total_damage);
    }

    #[test]
    fn another_beam_never_saves_a_target(strength in 1..3000, damages in prop::collection::vec(1..50_i32, 1..50), more in 0..50) {
        let erase = |damages: &[i32]| {
            let beams: Vec<_> = damages.iter().map(|damage| json!({ "damage": damage })).collect();
            let input: TemporalInput = read(json!({ "strength": strength, "beams": beams }));
            let run = simulate_temporal_erase(&input).unwrap();
            (run.erased_at.unwrap(), run.left)
        };
        let (frame, left) = erase(&damages);
        let sum: i32 = damages.iter().sum();
        prop_assert!(sum * frame >= strength * 10 && sum * (frame - 1) < strength * 10);
        prop_assert_eq!(left, strength * 10 - sum * frame);
        let with_more: Vec<_> = damages.iter().copied().chain([more]).collect();
        prop_assert!(erase(&with_more).0 <= frame);
    }

    #[test]
    fn a_fuse_is_over_once_and_for_all(planted in 0..1_000_000, delay in 6..5000, after in 0..10_000) {
        let at = |now: i32| {
            let input: IvanBombInput = read(json!({ "planted": planted, "now": now, "delay": delay }));
            simulate_ivan_bomb(&input).unwrap()
        };
        prop_assert_eq!(at(planted + after).event == Event::Explodes, after > delay);
        let (now, next) = (at(planted + after).clock, at(planted + after + 1).clock);
        prop_assert!((0..=11).contains(&now.image) && now.hand <= next.hand);
    }

    #[test]
    fn bombs_are_looked_at_every_46_frames(countdown in -50..100_i32, calls in 0..1000_i32, own in any::<bool>(), sight in 0..5) {
        let input: BombVisibilityInput = read(json!({ "countdown": countdown, "calls": calls, "own": own,
            "detectors": [{ "dx": 700, "sight": sight }] }));
        let run = simulate_bomb_visibility(&input).unwrap();
        prop_assert_eq!(run.seen, own || sight >= 3);
        prop_assert!(run.refreshes.windows(2).all(|pair| pair[1] - pair[0] == 46));
        prop_assert_eq!(run.refreshes.first().copied(), Some(countdown.max(0) + 1).filter(|first| *first <= calls));
        prop_assert_eq!(run.shown, run.seen && !run.refreshes.is_empty());
    }

    #[test]
    fn an_overload_draws_ten_numbers_for_sparks_and_one_to_rock(held in 0..80, seed in any::<u32>(), updates in 1..300) {
        let input: OverloadInput = read(json!({ "held": held, "overload_count": [3, 6, 10, 50],
            "overload_damage": [0, 50, 100, 500], "overload_frames": [30, 60, 60, 60], "updates": updates, "seed": seed }));
        let run = simulate_mind_control_overload(&input).unwrap();
        prop_assert_eq!(&run, &simulate_mind_control_overload(&input).unwrap());
        let mut least = 0;
        for check in &run.checks {
            prop_assert_eq!(check.sparks.len(), if check.damage > 0 { 5 } else { 0 });
            prop_assert!(check.sparks.iter().all(|spark| spark.dx.abs() <= 200 && spark.dy.abs() <= 200));
            prop_assert!(check.lean.as_ref().is_none_or(|lean| (0..=100).contains(&lean.roll)));
            least += check.sparks.len() as u64 * 2 + u64::from(check.lean.is_some());
        }
        prop_assert!(run.draw_count >= least && (least > 0 || run.draw_count == 0));
        prop_assert_eq!(run.checks.len() as i32, if held <= 3 { updates / 31 } else { (updates + 30) / 61 });
    }

    #[test]
    fn a_harder_hit_dooms_a_parasite_longer(threshold in 0..300, points in 1..500, more in 0..500, wait in 0..1500) {
        let end = |points: i32| {
            let input: ParasiteInput = read(json!({ "threshold": threshold, "frames": 2000, "incidents": [
                { "frame": 5, "what": "hit", "points": points }, { "frame": 5 + wait, "what": "host_dies" }] }));
            let run = simulate_parasite(&input).unwrap();
            (run.fate, run.gone_at)
        };
        let (fate, gone_at) = end(points);
        prop_assert_eq!(gone_at, Some(5 + wait));
        let doomed = points > threshold && wait < points * 2 - threshold;
        prop_assert_eq!(fate, if doomed { Fate::Dead } else { Fate::Released });
        prop_assert!(fate != Fate::Dead || end(points + more).0 == Fate::Dead);
    }
}
