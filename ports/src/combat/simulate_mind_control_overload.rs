//! `simulate_mind_control_overload`: what a controller without a limit suffers for its victims, frame by frame, with draws.

use super::{yes, yr};
use crate::math::random::Generator;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_mind_control_overload",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Damage that a Mastermind takes for holding too many units: tier, frames to the next check, sparks and draws.",
    aliases: &[
        "OverloadCount",
        "OverloadDamage",
        "OverloadFrames",
        "InfiniteMindControl",
        "Mastermind",
        "MasterMindOverloadDeathSound",
        "HandleOverload",
        "mind control overload",
        "too many mind controlled",
    ],
    units: "victims, damage in points, times in frames, sparks in leptons (256 to a cell)",
    example: concat!(
        r#"{"held":7,"overload_count":[3,6,10,50],"overload_damage":[0,50,100,500],"#,
        r#""overload_frames":[30,60,60,60],"updates":100,"seed":12345}"#,
    ),
};

/// The registered port.
pub static PORT: FnPort<OverloadInput, Overload> = FnPort::new(&META, simulate_mind_control_overload);

/// Longest lists of the rules.
const MAX_ROWS: usize = 16;
/// Spark systems of a check that does damage.
const SPARKS: usize = 5;
/// Farthest that a spark system is off, in leptons.
const SCATTER: i32 = 200;

/// A controller and the rules.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverloadInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Victims that the controller holds all the time, 0 to 1000000.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub held: i32,
    /// `InfiniteMindControl` of its weapon, without which nothing is checked. Default true.
    #[serde(default = "yes")]
    pub infinite: bool,
    /// `OverloadCount`, 1 to 16 numbers of victims (the constructor's list is empty; stock 3,6,10,50).
    #[schemars(length(min = 1, max = 16))]
    pub overload_count: Vec<i32>,
    /// `OverloadDamage` in points, at least as many as `overload_count` (stock 0,50,100,500).
    #[schemars(length(min = 1, max = 16))]
    pub overload_damage: Vec<i32>,
    /// `OverloadFrames`, at least as many as `overload_count` (stock 30,60,60,60).
    #[schemars(length(min = 1, max = 16))]
    pub overload_frames: Vec<i32>,
    /// Frames left until the next check; default 30, which the controller begins with.
    #[serde(default = "countdown")]
    pub countdown: i32,
    /// Whether the voice of this overload has been heard. Default false.
    #[serde(default)]
    pub voiced: bool,
    /// Whether the controller survives the damage; if not, the first that it takes is the last. Default true.
    #[serde(default = "yes")]
    pub survives: bool,
    /// Frames to run, 1 to 600.
    #[schemars(range(min = 1, max = 600))]
    pub updates: i32,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
}

fn countdown() -> i32 {
    30
}

/// What the controller suffers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Overload {
    /// Thresholds that the victims exceed, counted from the first (clause tier.1).
    pub tier: u32,
    /// Place in the lists that the tier reads, from 0 (clause tier.2).
    pub row: u32,
    /// The checks.
    pub checks: Vec<Check>,
    /// Points in all, before the controller's receiver.
    pub total_damage: i64,
    /// Frames left until the next check (clause countdown.1).
    pub countdown: i32,
    /// Random draws (clauses sparks.1, lean.1).
    pub draw_count: u64,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// Its frame, counted from 1 (clause countdown.1).
    pub update: i32,
    /// Points that the controller takes; none at or below 0 (clause damage.1).
    pub damage: i32,
    /// Frames that the countdown gets (clause countdown.2).
    pub frames: i32,
    /// Whether the voice of the overload is heard (clause voice.1).
    pub voice: bool,
    /// Where the sparks are, off the controller (clause sparks.1).
    pub sparks: Vec<Spark>,
    /// Which way the controller rocks, if it does (clause lean.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lean: Option<Lean>,
}

/// A spark system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spark {
    /// Leptons south, which is drawn first.
    pub dy: i32,
    /// Leptons east.
    pub dx: i32,
}

/// The rocking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Lean {
    /// The number drawn, 0 to 100.
    pub roll: i32,
    /// Whether it is below 50, one way; else the other.
    pub low: bool,
}

/// A controller with too many victims.
///
/// # Errors
/// `EINVAL` at the field for values out of their ranges, for lists that are empty or longer than 16, and for lists of damage
/// and frames that are shorter than that of the counts, which the engine reads past; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_mind_control_overload(input: &OverloadInput) -> Result<Overload, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let counts = &input.overload_count;
    let tier = counts.iter().position(|most| input.held <= *most).unwrap_or(counts.len());
    let row = tier.min(counts.len() - 1);
    let mut generator = Generator::seeded(input.game, input.seed);
    let (mut countdown, mut voiced, mut checks) = (input.countdown, input.voiced, Vec::new());
    let updates = if input.infinite { input.updates } else { 0 };
    for update in 1..=updates {
        if countdown > 0 {
            countdown -= 1;
            continue;
        }
        let (damage, frames) = (input.overload_damage[row], input.overload_frames[row]);
        countdown = frames;
        let hurts = damage > 0;
        let sparks = if hurts { sparks(&mut generator) } else { Vec::new() };
        let lean = (hurts && row > 0 && input.survives).then(|| lean(&mut generator));
        checks.push(Check { update, damage, frames, voice: hurts && !voiced, sparks, lean });
        voiced = hurts;
        if hurts && !input.survives {
            break;
        }
    }
    let total_damage = checks.iter().map(|check| i64::from(check.damage.max(0))).sum();
    let (tier, row) = (tier as u32, row as u32);
    Ok(Overload { tier, row, checks, total_damage, countdown, draw_count: generator.draws() })
}

/// The ranges that the schema states.
fn check(input: &OverloadInput) -> Result<(), PortError> {
    within(input.held, "held", 0, 1_000_000)?;
    within(input.updates, "updates", 1, 600)?;
    let rows = input.overload_count.len();
    if !(1..=MAX_ROWS).contains(&rows) {
        return Err(PortError::invalid("overload_count", "must be 1 to 16 numbers"));
    }
    for (field, list) in
        [("overload_damage", &input.overload_damage), ("overload_frames", &input.overload_frames)]
    {
        if !(rows..=MAX_ROWS).contains(&list.len()) {
            return Err(PortError::invalid(
                field,
                "must be as many numbers as `overload_count` at least, 16 at most: the engine reads past a shorter list",
            ));
        }
    }
    Ok(())
}

/// The sparks of a check.
fn sparks(generator: &mut Generator) -> Vec<Spark> {
    let mut draw = || generator.pick(-SCATTER, SCATTER).value;
    (0..SPARKS).map(|_| Spark { dy: draw(), dx: draw() }).collect()
}

/// The rocking of a check.
fn lean(generator: &mut Generator) -> Lean {
    let roll = generator.pick(0, 100).value;
    Lean { roll, low: roll < 50 }
}
