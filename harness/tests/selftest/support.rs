//! A made-up system: its spec, its suite, and ports that are right or wrong in one way each.

use assay_harness::{Options, Registry, Selection, lock, verify};
use assay_model::{
    Area, CaseResult, Errno, Files, FnPort, Game, Kind, Meta, Port, PortError, Problem, Real, Report, Verdict,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const CASES: &str = "golden/combat/compute_toy/cases.toml";
pub const SPEC: &str = "oracles/specs/combat/compute_toy.md";
pub const VECTORS: &str = "golden/combat/compute_toy/vectors/taped.jsonl";

/// What the made-up system takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The game.
    #[serde(default = "yr")]
    game: Game,
    /// Points.
    #[serde(default = "hundred")]
    damage: i32,
    /// Leptons.
    #[serde(default)]
    distance: i32,
}

fn yr() -> Game {
    Game::Yr
}

fn hundred() -> i32 {
    100
}

/// What it gives.
#[derive(Serialize, JsonSchema)]
pub struct Toy {
    /// A map of stages.
    pub kernel: Kernel,
    /// The final value.
    pub result: i32,
    /// What only one game has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub firestorm: Option<bool>,
}

/// Stages inside a stage.
#[derive(Serialize, JsonSchema)]
pub struct Kernel {
    /// `1 - distance / 512`.
    pub falloff: Real,
    /// A list of stages.
    pub draws: Vec<i32>,
}

/// The rule of the toy, right.
pub fn right(input: &Input) -> Result<Toy, PortError> {
    if input.distance < 0 {
        return Err(PortError::invalid("distance", "is below zero"));
    }
    let falloff = 1.0 - f64::from(input.distance) / 512.0;
    let result = (f64::from(input.damage) * falloff) as i32;
    let firestorm = (input.game == Game::Ts).then_some(true);
    let draws = vec![input.damage, input.distance];
    Ok(Toy { kernel: Kernel { falloff: Real(falloff), draws }, result, firestorm })
}

pub static META: Meta = Meta {
    name: "compute_toy",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "A made-up rule.",
    aliases: &[],
    units: "points, leptons",
    example: "{}",
};

/// A port of the toy system.
pub type ToyPort = FnPort<Input, Toy>;

pub static RIGHT: ToyPort = FnPort::new(&META, right);

/// The same rule under another name.
pub static OTHER_META: Meta = Meta {
    name: "compute_other",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Another made-up rule.",
    aliases: &[],
    units: "points, leptons",
    example: "{}",
};

static OTHER: ToyPort = FnPort::new(&OTHER_META, right);

/// Both toys.
pub static PAIR: &[&dyn Port] = &[&RIGHT, &OTHER];

pub const OTHER_SPEC: &str = "oracles/specs/combat/compute_other.md";
pub const OTHER_CASES: &str = "golden/combat/compute_other/cases.toml";

/// The corpus of both toys, with a lock for the first alone.
pub fn pair() -> Corpus {
    Corpus::whole().with(OTHER_SPEC, TOY).with(OTHER_CASES, SUITE)
}

/// One source, the original program itself, for both games.
pub const SOURCES: &str = r#"
[[source]]
id = "tape"
kind = "original-program"
subject = "toy.exe"
games = ["TS", "YR"]
where = "the tape"
group = "ours"
"#;

pub const TOY: &str = r#"+++
title = "Toy"
games = ["TS", "YR"]
[defaults]
damage = 100
distance = 0
[constants]
reach = 512
+++
# Toy

A made-up rule.

### falloff.1 Damage falls with distance
- games: TS, YR
- sources: tape

It falls in a straight line.

### bounds.1 A negative distance is refused
- games: TS, YR
- sources: tape

There is no such place.

### storm.1 One game adds a flag
- games: TS
- sources: tape

The other does not.
"#;

/// Hand-written cases of every kind for both games, and a sweep.
pub const SUITE: &str = r#"
[derivations]
kernel = '''
require distance >= 0, "EINVAL", "distance"
kernel.falloff = x87(1 - distance / reach)
kernel.draws = [damage, distance]
result = trunc(damage * kernel.falloff)
if game == "TS" { firestorm = true }
'''

[[case]]
id = "quarter"
title = "a quarter of the way leaves three quarters"
game = "YR"
clause = ["falloff.1"]
tags = ["edge:exact"]
input = { distance = 128 }
derivation = "@kernel"
[case.expect]
kernel = { falloff = 0.75, draws = [100, 128] }
result = 75

[[case]]
id = "storm"
title = "the flag comes with one game"
game = "TS"
clause = ["falloff.1", "storm.1"]
tags = ["game"]
input = { damage = 7, distance = 256.0 }
derivation = '''
kernel.falloff = x87(1 - distance / 512)
kernel.draws = [damage, distance]
result = trunc(damage * kernel.falloff)
firestorm = true
'''
[case.expect]
kernel = { falloff = 0.5, draws = [7, 256] }
result = 3
firestorm = true

[[case]]
id = "negative"
title = "a negative distance is refused"
game = "YR"
clause = ["bounds.1"]
input = { distance = -1 }
derivation = "@kernel"
error = { errno = "EINVAL", field = "distance" }

[[case]]
id = "negative-storm"
title = "in the other game too"
game = "TS"
clause = ["bounds.1"]
input = { distance = -1 }
derivation = "@kernel"
error = { errno = "EINVAL", field = "distance" }

[[sweep]]
id = "all-near"
title = "every distance up to one cell"
game = "YR"
clause = ["falloff.1"]
tags = ["sweep"]
input = { damage = 33 }
derivation = "@kernel"
[sweep.axes]
distance = { from = -1, to = 600 }
"#;

/// Two recorded vectors.
pub const TAPED: &str = r#"{"vectors":1,"source":"tape","game":"YR","clause":["falloff.1"],"count":2}
{"id":"v1","in":{"distance":64},"out":{"kernel":{"falloff":0.875,"draws":[100,64]},"result":87}}
{"id":"v2","in":{"damage":3,"distance":512},"out":{"result":0,"kernel":{"draws":[3,512],"falloff":0.0}}}
"#;

/// The two sides of a made-up corpus.
#[derive(Clone)]
pub struct Corpus {
    pub specs: Files,
    pub golden: Files,
}

impl Corpus {
    /// The toy with a suite of these cases.
    pub fn of(cases: &str) -> Self {
        let files = |list: &[(&str, &str)]| Files {
            origin: "made up".to_owned(),
            texts: list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        };
        Self {
            specs: files(&[("oracles/sources.toml", SOURCES), (SPEC, TOY)]),
            golden: files(&[(CASES, cases)]),
        }
    }

    /// The whole toy: cases, sweep, vectors, and the lock that fits.
    pub fn whole() -> Self {
        Self::of(SUITE).with(VECTORS, TAPED).locked()
    }

    pub fn with(mut self, path: &str, text: &str) -> Self {
        let side = if path.starts_with("oracles/") { &mut self.specs } else { &mut self.golden };
        side.texts.insert(path.to_owned(), text.to_owned());
        self
    }

    pub fn without(mut self, path: &str) -> Self {
        self.specs.texts.remove(path);
        self.golden.texts.remove(path);
        self
    }

    /// With the lock that fits what is there.
    pub fn locked(self) -> Self {
        let lock = lock::render(&self.registry(&RIGHT));
        self.with(lock::PATH, &lock)
    }

    /// With the lock that fits both toys.
    pub fn locked_pair(self) -> Self {
        let lock = lock::render(&Registry::new(PAIR, &self.specs, &self.golden));
        self.with(lock::PATH, &lock)
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> &str {
        self.specs.texts.get(path).or_else(|| self.golden.texts.get(path)).unwrap()
    }

    pub fn registry(&self, port: &'static dyn Port) -> Registry {
        Registry::new(Box::leak(Box::new([port])), &self.specs, &self.golden)
    }

    pub fn problems(&self) -> Vec<String> {
        self.registry(&RIGHT).problems().iter().map(Problem::to_string).collect()
    }

    pub fn run(&self, port: &'static dyn Port) -> Report {
        verify(&self.registry(port), &Selection::all(), &Options::default())
    }
}

/// `SUITE` with one text replaced, which must be there.
pub fn suite(from: &str, to: &str) -> String {
    assert!(SUITE.contains(from), "{from}");
    SUITE.replacen(from, to, 1)
}

/// The result of a case of the toy.
pub fn result<'a>(report: &'a Report, case: &str) -> &'a CaseResult {
    let id = format!("combat/compute_toy/{case}");
    report.results.iter().find(|result| result.id == id).unwrap_or_else(|| panic!("{id} did not run"))
}

/// Verdict, stage and message of a case.
pub fn said(report: &Report, case: &str) -> (Verdict, String, String) {
    let result = result(report, case);
    let (stage, message) = result
        .failure
        .as_ref()
        .map_or((String::new(), String::new()), |f| (f.stage.clone(), f.message.clone()));
    (result.verdict, stage, message)
}

/// An error that the toy never gives.
pub fn busy() -> PortError {
    PortError { errno: Errno::Ebusy, field: String::new(), message: "is somewhere else".to_owned() }
}
