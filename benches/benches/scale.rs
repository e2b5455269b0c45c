//! What a large corpus costs: a hundred thousand and a million recorded vectors of a made-up rule, beside the bare loop that
//! does the least that could be called checking: read the line, compute, compare.
//!
//! Memory is part of the answer: `cargo bench --bench scale` under `/usr/bin/time -v` shows the peak.

use assay_harness::{Costs, Options, Registry, Selection, Shard, Slice, lock, verify, verify_part};
use assay_model::{Area, Files, FnPort, Game, Kind, Meta, Port, PortError, Real};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::hint::black_box;

/// Lines of a vector file, as the format advises.
const LINES: usize = 2000;

/// What the made-up rule takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Points.
    damage: i32,
    /// Leptons.
    distance: i32,
    /// Leptons.
    reach: i32,
}

/// What it gives.
#[derive(Serialize, JsonSchema)]
struct Breakdown {
    /// `1 - distance / reach`, at least 0.
    falloff: Real,
    /// Before the bounds.
    raw: i32,
    /// Whether the bounds changed it.
    clamped: bool,
    /// The final value.
    result: i32,
}

fn rule(input: &Input) -> Result<Breakdown, PortError> {
    if input.reach <= 0 {
        return Err(PortError::invalid("reach", "is not above zero"));
    }
    let falloff = (1.0 - f64::from(input.distance) / f64::from(input.reach)).max(0.0);
    let raw = (f64::from(input.damage) * falloff) as i32;
    let result = raw.clamp(0, 10_000);
    Ok(Breakdown { falloff: Real(falloff), raw, clamped: raw != result, result })
}

static META: Meta = Meta {
    name: "compute_made_up",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "A made-up rule.",
    aliases: &[],
    units: "points, leptons",
    example: "{\"damage\":1,\"distance\":1,\"reach\":2}",
};
static PORT: FnPort<Input, Breakdown> = FnPort::new(&META, rule);
static PORTS: &[&dyn Port] = &[&PORT];

const SOURCES: &str = "[[source]]\nid = \"tape\"\nkind = \"original-program\"\nsubject = \"made-up.exe\"\ngames = [\"YR\"]\nwhere = \"the tape\"\ngroup = \"ours\"\n";
const SPEC: &str = "+++\ntitle = \"Made up\"\ngames = [\"YR\"]\n+++\n# Made up\n\nNo rule of any game.\n\n### falloff.1 Damage falls with distance\n- games: YR\n- sources: tape\n\nIn a straight line.\n";
const CASES: &str = "[[case]]\nid = \"half\"\ntitle = \"half the way\"\ngame = \"YR\"\nclause = [\"falloff.1\"]\nrecorded = \"tape\"\ninput = { damage = 100, distance = 128, reach = 256 }\nexpect = { falloff = 0.5, raw = 50, clamped = false, result = 50 }\n";

/// One vector: distances are whole eighths of the reach, so that what is due can be written down without the port.
fn vector(text: &mut String, index: usize) {
    let (damage, eighths, reach) = (index % 20_000, index / 7 % 9, 8 * (1 + index % 127));
    let (distance, raw) = (eighths * reach / 8, damage * (8 - eighths) / 8);
    let falloff = (8 - eighths) as f64 / 8.0;
    let result = raw.min(10_000);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{{\"id\":\"v{index:07}\",\"in\":{{\"damage\":{damage},\"distance\":{distance},\"reach\":{reach}}},\"out\":{{\"falloff\":{falloff:?},\"raw\":{raw},\"clamped\":{},\"result\":{result}}}}}",
        raw != result
    );
}

/// Both sides of a corpus of `count` vectors, and the lock that fits.
fn corpus(count: usize) -> (Files, Files) {
    let folder = "golden/combat/compute_made_up";
    let mut golden = Files { origin: "made up".to_owned(), ..Files::default() };
    golden.texts.insert(format!("{folder}/cases.toml"), CASES.to_owned());
    for start in (0..count).step_by(LINES) {
        let lines = start..(start + LINES).min(count);
        let mut text = format!(
            "{{\"vectors\":1,\"source\":\"tape\",\"game\":\"YR\",\"clause\":[\"falloff.1\"],\"count\":{}}}\n",
            lines.len()
        );
        lines.for_each(|index| vector(&mut text, index));
        golden.texts.insert(format!("{folder}/vectors/tape-{start:07}.jsonl"), text);
    }
    let mut specs = Files { origin: "made up".to_owned(), ..Files::default() };
    specs.texts.insert("oracles/sources.toml".to_owned(), SOURCES.to_owned());
    specs.texts.insert("oracles/specs/combat/compute_made_up.md".to_owned(), SPEC.to_owned());
    let registry = Registry::new(PORTS, &specs, &golden);
    assert!(registry.problems().is_empty(), "{:?}", registry.problems().first());
    golden.texts.insert(lock::PATH.to_owned(), lock::render(&registry));
    (specs, golden)
}

/// A line as the bare loop reads it.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "in")]
    input: Input,
    out: Due,
}

/// What must come out.
#[derive(Deserialize)]
struct Due {
    falloff: f64,
    raw: i32,
    clamped: bool,
    result: i32,
}

/// Whether a line holds. The least that could be called checking.
fn bare(line: &str) -> bool {
    let line: Line = serde_json::from_str(line).expect("a vector");
    let Due { falloff, raw, clamped, result } = line.out;
    rule(&line.input).is_ok_and(|breakdown| {
        (breakdown.falloff.0.to_bits(), breakdown.raw, breakdown.clamped, breakdown.result)
            == (falloff.to_bits(), raw, clamped, result)
    })
}

fn scale(criterion: &mut Criterion) {
    for count in [100_000, 1_000_000] {
        let (specs, golden) = corpus(count);
        let registry = Registry::new(PORTS, &specs, &golden);
        let lines: Vec<&str> = (golden.texts.iter().filter(|(path, _)| path.ends_with(".jsonl")))
            .flat_map(|(_, text)| text.lines().skip(1))
            .collect();
        let report = verify(&registry, &Selection::all(), &Options::default());
        assert_eq!((report.verdict(), report.counts.pass), ("pass", count as u64 + 1));
        let mut group = criterion.benchmark_group(format!("scale {count}"));
        group.sample_size(10).throughput(Throughput::Elements(count as u64));
        group.bench_function("floor: parse, compute, compare, one thread", |bench| {
            bench.iter(|| assert!(lines.iter().all(|line| bare(black_box(line)))));
        });
        group.bench_function("floor: the same, all threads", |bench| {
            bench.iter(|| assert!(lines.par_iter().all(|line| bare(black_box(line)))));
        });
        group.bench_function("load and bind", |bench| bench.iter(|| Registry::new(PORTS, &specs, &golden)));
        for (name, jobs) in [("verify, one thread", Some(1)), ("verify, all threads", None)] {
            let options = Options { jobs, ..Options::default() };
            group.bench_function(name, |bench| {
                bench.iter(|| verify(&registry, &Selection::all(), &options));
            });
        }
        let fourth: Shard = "1/4".parse().expect("a shard");
        group.bench_function("divide, and verify one of four parts, all threads", |bench| {
            bench.iter(|| {
                let slice =
                    Slice::new(&registry, &Selection::all(), fourth, &Costs::default()).expect("a part");
                verify_part(&registry, &Selection::all(), &slice, &Options::default())
            });
        });
        group.finish();
    }
}

criterion_group!(benches, scale);
criterion_main!(benches);
