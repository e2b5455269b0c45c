//! How afraid an infantryman is after a hit that he survives.

use super::{held, only, yr};
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_infantry_fear",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Fear of an infantryman after a hit that he survives.",
    aliases: &[
        "Fraidycat",
        "Fearless",
        "FEARLESS",
        "panic",
        "PanicDurationLeft",
        "fear",
        "prone",
        "lie down",
        "scared infantry",
    ],
    units: "fear in frames of fading, health as a part of 1",
    example: r#"{"fear":0,"attacker":true,"health_ratio":0.8}"#,
};

/// The registered port.
pub static PORT: FnPort<InfantryFearInput, InfantryFear> = FnPort::new(&META, compute_infantry_fear);

/// Fear from which a hit no longer startles.
const SCARED: i32 = 100;

/// What fear does in one game.
struct Levels {
    panic: i32,
    most: i32,
    growth: i32,
}

const TS: Levels = Levels { panic: 200, most: 255, growth: 10 };
const YR: Levels = Levels { panic: 300, most: 300, growth: 50 };

/// An infantryman who was hit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InfantryFearInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Fear before the hit.
    pub fear: i32,
    /// Whether the hit has a known attacker, default false.
    #[serde(default)]
    pub attacker: bool,
    /// `Fraidycat` of the type, default false.
    #[serde(default)]
    pub fraidycat: bool,
    /// `Fearless` of the type, or FEARLESS by rank, default false.
    #[serde(default)]
    pub fearless: bool,
    /// TS only: whether the type is a dog, default false.
    #[serde(default)]
    pub dog: bool,
    /// Health after the hit, as a part of the strength: any finite number, default 1.
    #[serde(default = "whole")]
    pub health_ratio: RealArg,
    /// `ConditionRed`, a part of 1, any finite value, default .5 (the constructor; stock 25%).
    #[serde(default = "half")]
    pub condition_red: RealArg,
    /// `ConditionYellow`, a part of 1, any finite value, default .5 (also stock).
    #[serde(default = "half")]
    pub condition_yellow: RealArg,
}

/// What the hit did to his nerves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Branch {
    /// He panics.
    Panic,
    /// He takes fright.
    Scared,
    /// His fear grows.
    Growth,
    /// He knows no fear.
    Fearless,
}

/// Fear after the hit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InfantryFear {
    /// What the hit did (clauses fright.1, fearless.1, growth.1, dog.1).
    pub branch: Branch,
    /// What was added (clause growth.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<i32>,
    /// Fear afterwards (clauses levels.1, levels.2).
    pub fear: i32,
    /// Where numbers of the game were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

fn whole() -> RealArg {
    RealArg::Held(1.0)
}

fn half() -> RealArg {
    RealArg::Held(0.5)
}

/// Fear after a hit that was survived.
///
/// # Errors
/// `EINVAL` at the field for values that are not finite, text as `health_ratio`, text without a number, and at `dog` for YR;
/// `EOPNOTSUPP` at `game` for any other game.
pub fn compute_infantry_fear(input: &InfantryFearInput) -> Result<InfantryFear, PortError> {
    META.offers(input.game)?;
    only(Game::Ts, input.game, input.dog, "dog")?;
    let ratio = held(&input.health_ratio, "health_ratio")?;
    let red = double(&input.condition_red, "condition_red", input.game, Reader::Double)?;
    let yellow = double(&input.condition_yellow, "condition_yellow", input.game, Reader::Double)?;
    let levels = if input.game == Game::Ts { TS } else { YR };

    let startled = input.attacker && input.fear < SCARED;
    let (branch, increment, fear) = if startled && input.fraidycat {
        (Branch::Panic, None, levels.panic)
    } else if input.fearless {
        (Branch::Fearless, None, input.fear)
    } else if startled && input.dog && ratio <= red {
        (Branch::Panic, None, levels.panic)
    } else if startled {
        (Branch::Scared, None, SCARED)
    } else {
        let mut growth = levels.growth;
        for line in [red, yellow] {
            if ratio > line {
                growth /= 2;
            }
        }
        (Branch::Growth, Some(growth), input.fear.wrapping_add(growth).min(levels.most))
    };
    let caveats = if input.game == Game::Ts {
        vec![Caveat::new("levels.2", "the numbers are those of Red Alert; none was read out of Tiberian Sun")]
    } else {
        Vec::new()
    };
    Ok(InfantryFear { branch, increment, fear, caveats })
}
