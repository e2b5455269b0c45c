//! Four hot combat systems, each three times over the same shots: a plain loop with the processor's own arithmetic (the
//! floor, which does not give the engine's numbers), the typed port, and the port through JSON.

use assay_model::{Output, Port};
use assay_ports::combat::inspect_weapon_range::{self, inspect_weapon_range};
use assay_ports::combat::simulate_area_damage::{self, simulate_area_damage};
use assay_ports::combat::simulate_projectile_scatter::{self, simulate_projectile_scatter};
use assay_ports::combat::simulate_rearm_delay::{self, simulate_rearm_delay};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde::de::DeserializeOwned;
use std::hint::black_box;

const SHOTS: i32 = 512;

/// Benches one system over the inputs that `json` gives.
fn system<I: DeserializeOwned, R>(
    criterion: &mut Criterion,
    port: &dyn Port,
    json: impl Fn(i32) -> String,
    floor: impl Fn(i32) -> f64,
    typed: impl Fn(&I) -> R,
) {
    let bytes: Vec<Vec<u8>> = (0..SHOTS).map(|shot| json(shot).into_bytes()).collect();
    let inputs: Vec<I> =
        bytes.iter().map(|bytes| serde_json::from_slice(bytes).expect("a valid shot")).collect();
    let mut group = criterion.benchmark_group(port.meta().name);
    group.throughput(Throughput::Elements(SHOTS as u64));
    group.bench_function("floor: plain arithmetic", |bench| {
        bench.iter(|| (0..SHOTS).map(|shot| floor(black_box(shot))).sum::<f64>());
    });
    group.bench_function("typed calls", |bench| {
        bench.iter(|| inputs.iter().for_each(|input| drop(black_box(typed(black_box(input))))));
    });
    let mut output = Output::default();
    group.bench_function("run: JSON in, JSON out", |bench| {
        bench.iter(|| {
            for input in &bytes {
                port.run(input, &mut output).expect("a valid shot");
                black_box(&output.json);
            }
        });
    });
    group.finish();
}

/// A blast of two cells over sixteen objects in a row.
fn area_damage(criterion: &mut Criterion) {
    let json = |shot: i32| {
        let objects: Vec<String> = (0..16)
            .map(|n| format!(r#"{{"kind":"infantry","coord":[{},{},0]}}"#, 2624 + 40 * n, 5312 + shot % 7))
            .collect();
        format!(
            r#"{{"impact":[2624,5312,0],"damage":100,"cell_spread":2.0,"percent_at_max":0.5,"objects":[{}]}}"#,
            objects.join(",")
        )
    };
    let floor = |shot: i32| {
        let hit = |n: i32| {
            let distance = f64::from((40 * n).pow(2) + (shot % 7).pow(2)).sqrt();
            if distance > 512.0 { 0.0 } else { 100.0 + (50.0 - 100.0) * distance / 512.0 }
        };
        (0..16).map(hit).sum()
    };
    system(criterion, &simulate_area_damage::PORT, json, floor, simulate_area_damage);
}

/// A veteran's shot with jitter.
fn rearm(criterion: &mut Criterion) {
    let json = |shot: i32| {
        format!(r#"{{"rof":{},"seed":{shot},"rof_ability":true,"veteran_rof":0.6}}"#, 40 + shot % 60)
    };
    let floor = |shot: i32| (f64::from(40 + shot % 60 + shot % 3) * 0.6).trunc();
    system(criterion, &simulate_rearm_delay::PORT, json, floor, simulate_rearm_delay);
}

/// Targets around the rim of a range of five cells.
fn range(criterion: &mut Criterion) {
    let json = |shot: i32| format!(r#"{{"range":1280,"dx":{},"dy":{}}}"#, 3 * shot, 1280 - shot);
    let floor = |shot: i32| f64::from(((3 * shot).pow(2) + (1280 - shot).pow(2) <= 1280 * 1280) as i32);
    system(criterion, &inspect_weapon_range::PORT, json, floor, inspect_weapon_range);
}

/// Artillery that misses by up to a cell.
fn scatter(criterion: &mut Criterion) {
    let json = |shot: i32| {
        format!(
            r#"{{"from":[0,0,0],"target":[{},512,0],"arcing":true,"inaccurate":true,"seed":{shot}}}"#,
            1280 + shot
        )
    };
    let floor = |shot: i32| {
        let (length, angle) = (f64::from(128 + shot % 129), f64::from(shot) / 81.5);
        (length * angle.cos()).trunc() + (length * angle.sin()).trunc()
    };
    system(criterion, &simulate_projectile_scatter::PORT, json, floor, simulate_projectile_scatter);
}

criterion_group!(benches, area_damage, rearm, range, scatter);
criterion_main!(benches);
