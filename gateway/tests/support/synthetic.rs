//! Capabilities that nobody judges, as many as a test wants.

use assay_gateway::corpus::Corpus;
use assay_gateway::snapshot::{Gateway, Snapshot};
use assay_model::{Area, FnPort, Game, Kind, Meta, Port, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Any number of points; a negative one is refused, and 13 breaks inside.
    #[schemars(range(min = -1000, max = 1000))]
    damage: i32,
    /// Milliseconds to wait before the answer.
    #[serde(default)]
    #[schemars(range(min = 0, max = 60_000))]
    wait: u32,
}

#[derive(Serialize, JsonSchema)]
struct Breakdown {
    result: i32,
}

fn answer(input: &Input) -> Result<Breakdown, PortError> {
    assert_ne!(input.damage, 13, "a secret that nobody may read");
    if input.damage < 0 {
        return Err(PortError::unsupported("damage", "cannot be negative"));
    }
    std::thread::sleep(Duration::from_millis(input.wait.into()));
    Ok(Breakdown { result: input.damage })
}

/// A gateway over `count` of them, `compute_ore_ore_0` first.
pub fn synthetic(count: usize) -> Gateway {
    let areas = [Area::Combat, Area::Economy, Area::Math, Area::Movement];
    let subjects =
        ["ore", "warhead", "facing", "random", "turret", "refinery", "veteran", "missile", "bridge"];
    let ports = (0..count).map(|n| {
        let name = format!("compute_{}_{}_{n}", subjects[n % 9], subjects[n / 9 % 9]);
        let summary = format!("What {} makes of {} number {n}.", subjects[n % 9], subjects[n / 9 % 9]);
        let meta: &'static Meta = Box::leak(Box::new(Meta {
            name: name.leak(),
            area: areas[n % 4],
            kind: Kind::Compute,
            games: &[Game::Yr],
            summary: summary.leak(),
            aliases: &["Damage"],
            units: "points",
            example: r#"{"damage":1}"#,
        }));
        &*Box::leak(Box::new(FnPort::new(meta, answer))) as &'static dyn Port
    });
    let ports: &'static [&'static dyn Port] = ports.collect::<Vec<_>>().leak();
    Gateway::over(Snapshot::new(ports, &Corpus::default(), 1))
}
