//! `simulate_wall_damage`: hits on a wall, until it is gone or the hits are.
//!
//! A wall has no health. Each hit lands or does not, by one draw against the wall's strength, and a hit that lands moves it
//! one stage on. The byte of the cell holds the stage above and the neighbours it joins below.

use super::{yes, yr};
use crate::math::random::Generator;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_wall_damage",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ra1, Game::Ts, Game::Yr],
    summary: "Hits on a wall overlay: warhead gate, roll against Strength, stage change, neighbours and removal.",
    aliases: &[
        "Reduce_Wall",
        "wall damage",
        "DamageLevels",
        "Strength",
        "Wall",
        "WallAbsoluteDestroyer",
        "Wood",
        "concrete wall",
        "GAWALL",
        "NAWALL",
        "sandbags",
        "fence",
        "crush a wall",
        "overlay",
    ],
    units: "damage and strength in points, stages from 0",
    example: r#"{"strength":300,"levels":3,"hits":[65],"seed":0}"#,
};

/// The registered port.
pub static PORT: FnPort<WallInput, Wall> = FnPort::new(&META, simulate_wall_damage);

/// Damage that removes a wall at once.
const FORCED: i32 = -1;
/// What a stage adds to the byte of the cell.
const STAGE: u8 = 0x10;
/// Damage that a wall on its last stage passes on.
const PASSED_ON: i32 = 200;
/// Most hits of one run.
const MAX_HITS: usize = 256;
const NEIGHBOURS: &str =
    "the order in which the neighbours draw was not read in TS; they are taken as listed";

/// A wall and what hits it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WallInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Whether the overlay of the cell is a wall. Default true.
    #[serde(default = "yes")]
    pub wall: bool,
    /// `Wall` of the warhead. Default true.
    #[serde(default = "yes")]
    pub warhead_wall: bool,
    /// YR: `WallAbsoluteDestroyer` of the warhead. Default false.
    #[serde(default)]
    pub warhead_absolute: bool,
    /// `Wood` of the warhead. Default false.
    #[serde(default)]
    pub warhead_wood: bool,
    /// Whether the wall's armor is wood. Default false.
    #[serde(default)]
    pub wooden: bool,
    /// `Strength` of the wall in points, at least 0.
    #[schemars(range(min = 0))]
    pub strength: i32,
    /// `DamageLevels` of the wall, at least 0; the constructor writes 1.
    #[schemars(range(min = 0))]
    pub levels: i32,
    /// The byte of the cell: the stage in its upper half, the neighbours that the wall joins in its lower half (north 1, east
    /// 2, south 4, west 8). Default 0.
    #[serde(default)]
    pub byte: u8,
    /// TS, YR: bytes of the cells to the four sides that hold a wall of the same type, at most 4, in the order north, east,
    /// south, west.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub neighbours: Vec<u8>,
    /// TS, YR: whether the scenario is being set up, when every hit lands. Default false.
    #[serde(default)]
    pub starting: bool,
    /// Damage of each hit in points, 1 to 256 of them; -1 removes the wall at once, as crushing does.
    #[schemars(length(min = 1, max = 256))]
    pub hits: Vec<i32>,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
}

/// What became of the wall.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Wall {
    /// Whether the hits reach the wall at all (clause gate.1).
    pub open: bool,
    /// The hits up to the one that removes the wall.
    pub hits: Vec<Hit>,
    /// The byte of the cell at the end (clauses stage.1, remove.1).
    pub byte: u8,
    /// Whether the wall is gone (clause remove.1).
    pub removed: bool,
    /// The bytes of the neighbours at the end (clause pass.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub neighbours: Vec<u8>,
    /// Random draws.
    pub draw_count: u64,
    /// TS: set where several neighbours draw (clause pass.3).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// One hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Hit {
    /// The number drawn, 0 to the strength, where one decides (clause roll.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Whether it lands (clauses roll.1, sure.1).
    pub lands: bool,
    /// The stage after it; left out where it does not land (clause stage.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<u8>,
    /// Whether it removes the wall (clause remove.1).
    pub removes: bool,
    /// Hits of 200 that it passes on to neighbours (clause pass.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub passed_on: Vec<PassedOn>,
}

/// A hit of 200 on a neighbour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PassedOn {
    /// Which of the neighbours, from 0.
    pub neighbour: usize,
    /// The number drawn, where one decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Whether it lands.
    pub lands: bool,
}

/// Hits on a wall.
///
/// # Errors
/// `EINVAL` at the field for a negative strength or levels, for no hit or more than 256, for more than 4 neighbours, and for
/// arguments that the game's rule does not have; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_wall_damage(input: &WallInput) -> Result<Wall, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let wood = input.warhead_wood && input.wooden;
    let open = input.wall && (input.warhead_wall || input.warhead_absolute || wood);
    let mut generator = Generator::seeded(input.game, input.seed);
    let (mut hits, mut byte, mut neighbours) = (Vec::new(), input.byte, input.neighbours.clone());
    let (mut removed, mut together) = (false, false);
    for damage in if open { &input.hits[..] } else { &[] } {
        let (roll, lands) = land(*damage, input, &mut generator);
        let mut hit = Hit { roll, lands, stage: None, removes: false, passed_on: Vec::new() };
        if lands {
            byte = byte.wrapping_add(STAGE);
            let stage = byte >> 4;
            hit.stage = Some(stage);
            hit.passed_on = pass_on(i32::from(stage), input, &mut neighbours, &mut generator);
            together |= hit.passed_on.iter().filter(|on| on.roll.is_some()).count() > 1;
            let last = i32::from(stage) == input.levels - 1 && byte & 0x0F == 0;
            hit.removes = *damage == FORCED || i32::from(stage) >= input.levels || last;
        }
        removed = hit.removes;
        hits.push(hit);
        if removed {
            byte = 0;
            break;
        }
    }
    let unsure = together && input.game == Game::Ts;
    let caveats = if unsure { vec![Caveat::new("pass.3", NEIGHBOURS)] } else { Vec::new() };
    Ok(Wall { open, hits, byte, removed, neighbours, draw_count: generator.draws(), caveats })
}

fn check(input: &WallInput) -> Result<(), PortError> {
    for (field, value) in [("strength", input.strength), ("levels", input.levels)] {
        if value < 0 {
            return Err(PortError::invalid(field, "must not be negative"));
        }
    }
    if input.hits.is_empty() || input.hits.len() > MAX_HITS {
        return Err(PortError::invalid("hits", "must be 1 to 256 numbers"));
    }
    if input.neighbours.len() > 4 {
        return Err(PortError::invalid("neighbours", "must be at most 4 bytes"));
    }
    let ancestor = input.game == Game::Ra1;
    let foreign = [
        ("warhead_absolute", input.game != Game::Yr && input.warhead_absolute),
        ("neighbours", ancestor && !input.neighbours.is_empty()),
        ("starting", ancestor && input.starting),
    ];
    match foreign.into_iter().find(|(_, given)| *given) {
        Some((field, _)) => {
            Err(PortError::invalid(field, format!("does not belong to the rule of {}", input.game)))
        }
        None => Ok(()),
    }
}

/// The draw of one hit, and whether it lands.
fn land(damage: i32, input: &WallInput, generator: &mut Generator) -> (Option<i32>, bool) {
    if damage == FORCED || damage >= input.strength || input.starting {
        return (None, true);
    }
    let roll = generator.pick(0, input.strength).value;
    (Some(roll), roll < damage)
}

/// A wall that reaches its last stage hits the neighbours that are still whole. None of them reaches its own last stage by
/// that, so it ends there.
fn pass_on(stage: i32, input: &WallInput, neighbours: &mut [u8], generator: &mut Generator) -> Vec<PassedOn> {
    if stage != input.levels - 1 || input.levels <= 2 {
        return Vec::new();
    }
    let whole = neighbours.iter_mut().enumerate().filter(|(_, byte)| **byte < STAGE);
    let hit = |(neighbour, byte): (usize, &mut u8)| {
        let (roll, lands) = land(PASSED_ON, input, generator);
        *byte += if lands { STAGE } else { 0 };
        PassedOn { neighbour, roll, lands }
    };
    whole.map(hit).collect()
}
