//! A made-up system with 100 000 recorded vectors.

use assay_harness::{Registry, lock};
use assay_model::{Area, Files, FnPort, Game, Kind, Meta, Output, Port, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// How many cases there are.
pub const CASES: usize = 100_000;

/// What it takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Points.
    damage: i32,
    /// Leptons, 0 to 512.
    distance: i32,
}

/// What it gives.
#[derive(Serialize, JsonSchema)]
pub struct Toy {
    /// `1 - distance / 1024`.
    falloff: Real,
    /// The product.
    product: Real,
    /// The whole of it.
    result: i32,
}

fn toy(input: &Input) -> Result<Toy, PortError> {
    let falloff = 1.0 - f64::from(input.distance) / 1024.0;
    let product = f64::from(input.damage) * falloff;
    Ok(Toy { falloff: Real(falloff), product: Real(product), result: product as i32 })
}

static META: Meta = Meta {
    name: "compute_toy",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "A made-up rule.",
    aliases: &[],
    units: "points, leptons",
    example: r#"{"damage":100,"distance":128}"#,
};

/// The port.
pub static TOY: FnPort<Input, Toy> = FnPort::new(&META, toy);

const SOURCES: &str = "[[source]]\nid = 'tape'\nkind = 'original-program'\nsubject = 'toy.exe'\n\
                       games = ['YR']\nwhere = 'the tape'\ngroup = 'ours'\n";
const SPEC: &str = "+++\ntitle = 'Toy'\ngames = ['YR']\n+++\n# Toy\n\nA made-up rule.\n\n\
                    ### falloff.1 Damage falls with distance\n- games: YR\n- sources: tape\n\nIn a straight line.\n";

/// The system with its vectors, bound.
pub fn registry() -> Registry {
    let mut vectors = format!(
        "{{\"vectors\":1,\"source\":\"tape\",\"game\":\"YR\",\"clause\":[\"falloff.1\"],\"count\":{CASES}}}\n"
    );
    let mut output = Output::default();
    for index in 0..CASES {
        let input = format!("{{\"damage\":{},\"distance\":{}}}", index % 9_973, index * 7 % 513);
        TOY.run(input.as_bytes(), &mut output).expect("an input that it takes");
        let breakdown = String::from_utf8_lossy(&output.json);
        let _ = writeln!(vectors, "{{\"id\":\"v{index}\",\"in\":{input},\"out\":{breakdown}}}");
    }
    let files = |list: &[(&str, &str)]| Files {
        origin: "made up".to_owned(),
        texts: list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
    };
    let specs = files(&[("oracles/sources.toml", SOURCES), ("oracles/specs/combat/compute_toy.md", SPEC)]);
    let mut golden = files(&[
        ("golden/combat/compute_toy/cases.toml", ""),
        ("golden/combat/compute_toy/vectors/taped.jsonl", &vectors),
    ]);
    let ports: &'static [&'static dyn Port] = Box::leak(Box::new([&TOY as &dyn Port]));
    let lock = lock::render(&Registry::new(ports, &specs, &golden));
    golden.texts.insert(lock::PATH.to_owned(), lock);
    let registry = Registry::new(ports, &specs, &golden);
    assert!(registry.problems().is_empty(), "{:?}", registry.problems());
    registry
}
