//! `compute_damage` and the generator: the typed call (the floor) beside the run through JSON.

use assay_model::{Output, Port};
use assay_ports::combat::compute_damage::{self, DamageInput, compute_damage};
use assay_ports::math::random::Stream;
use assay_ports::math::{simulate_random_stream, x87};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Hits of a shell at falling distances, as JSON and as the typed inputs that the JSON means.
fn hits() -> (Vec<Vec<u8>>, Vec<DamageInput>) {
    let hit = |distance| {
        format!(
            r#"{{"weapon_damage":100,"verses":0.75,"cell_spread":2.0,"percent_at_max":0.5,"distance":{distance}}}"#
        )
    };
    let json: Vec<_> = (0..512).map(|distance| hit(distance).into_bytes()).collect();
    let typed = json.iter().map(|bytes| serde_json::from_slice(bytes).expect("a valid hit")).collect();
    (json, typed)
}

fn damage(criterion: &mut Criterion) {
    let (json, typed) = hits();
    let mut group = criterion.benchmark_group("compute_damage");
    group.throughput(Throughput::Elements(typed.len() as u64));
    group.bench_function("floor: typed calls", |bench| {
        bench.iter(|| {
            typed.iter().map(|hit| compute_damage(hit).map_or(0, |damage| damage.result)).sum::<i32>()
        });
    });
    let mut output = Output::default();
    group.bench_function("run: JSON in, JSON out", |bench| {
        bench.iter(|| {
            for hit in &json {
                compute_damage::PORT.run(hit, &mut output).expect("a valid hit");
                black_box(&output.json);
            }
        });
    });
    group.finish();
}

fn generator(criterion: &mut Criterion) {
    const DRAWS: u32 = 10_000;
    let mut group = criterion.benchmark_group("generator");
    group.throughput(Throughput::Elements(u64::from(DRAWS)));
    group.bench_function("floor: seed and draw", |bench| {
        bench.iter(|| {
            let mut stream = Stream::new(black_box(1));
            (0..DRAWS).fold(0_u32, |sum, _| sum.wrapping_add(stream.next()))
        });
    });
    let mut output = Output::default();
    let input = format!(r#"{{"seed":1,"draws":{DRAWS}}}"#);
    group.bench_function("run: JSON in, JSON out", |bench| {
        bench.iter(|| simulate_random_stream::PORT.run(input.as_bytes(), &mut output).expect("a valid seed"));
    });
    group.finish();
}

/// What chopping costs over the hardware's own rounding.
fn chop(criterion: &mut Criterion) {
    let operands: Vec<f64> = (1..=1024).map(|i| f64::from(i) / 7.0).collect();
    let pairs = || operands.iter().zip(operands.iter().rev());
    let mut group = criterion.benchmark_group("x87");
    group.throughput(Throughput::Elements(operands.len() as u64));
    group.bench_function("floor: nearest multiply", |bench| {
        bench.iter(|| pairs().map(|(a, b)| black_box(*a) * black_box(*b)).sum::<f64>());
    });
    group.bench_function("chopped multiply", |bench| {
        bench.iter(|| pairs().map(|(a, b)| x87::mul(black_box(*a), black_box(*b))).sum::<f64>());
    });
    group.bench_function("chopped divide", |bench| {
        bench.iter(|| pairs().map(|(a, b)| x87::div(black_box(*a), black_box(*b))).sum::<f64>());
    });
    group.finish();
}

criterion_group!(benches, damage, generator, chop);
criterion_main!(benches);
