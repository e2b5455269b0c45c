//! `simulate_burst_cycle`: how the counter of a burst moves from shot to shot, and the rest after each.

use super::simulate_rearm_delay::{Firer, RearmDelay, RearmDelayInput};
use super::yr;
use crate::math::random::Generator;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_burst_cycle",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "The burst counter over successive shots, with the delay after each and the draws that they cost.",
    aliases: &[
        "Burst",
        "burst index",
        "CurrentBurstIndex",
        "salvo",
        "double shot",
        "burst fire",
        "shots in a row",
        "ROF",
        "firing pattern",
        "burst counter",
    ],
    units: "frames (15 to a second)",
    example: r#"{"shots":4,"rearm":{"rof":60,"burst":3,"seed":1}}"#,
};

/// The registered port.
pub static PORT: FnPort<BurstCycleInput, BurstCycle> = FnPort::new(&META, simulate_burst_cycle);

/// A weapon and how often it fires.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BurstCycleInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Shots to fire, 0 to 1000.
    #[schemars(range(min = 0, max = 1000))]
    pub shots: i32,
    /// Counter before the first shot, from 0 and below `Burst`; default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub start: i32,
    /// The weapon, its firer and the seed, as `simulate_rearm_delay` takes them. Its game is the one above, and its counter is that
    /// of the cycle: leave both out.
    pub rearm: RearmDelayInput,
}

/// What the shots did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BurstCycle {
    /// Every shot.
    pub shots: Vec<Shot>,
    /// Counter after the last shot (clause count.2).
    pub index: i32,
    /// Frames of all delays together, as a 64-bit number.
    pub frames: i64,
    /// Random draws.
    pub draw_count: u64,
}

/// One shot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Shot {
    /// Counter before the shot.
    pub before: i32,
    /// Counter that the delay sees (clause count.1).
    pub raised: i32,
    /// The delay, with the stages of `simulate_rearm_delay`.
    pub delay: RearmDelay,
    /// Counter after the shot (clause count.2).
    pub after: i32,
}

/// Fires shots in a row.
///
/// # Errors
/// `EINVAL` at the field for numbers outside their bounds, and below `rearm` for what `simulate_rearm_delay` refuses;
/// `EOPNOTSUPP` at `game` for any other game.
pub fn simulate_burst_cycle(input: &BurstCycleInput) -> Result<BurstCycle, PortError> {
    META.offers(input.game)?;
    let rearm = &input.rearm;
    if rearm.game != Game::Yr && rearm.game != input.game {
        return Err(PortError::invalid("rearm.game", "is that of the cycle; leave it out"));
    }
    if rearm.burst_index.is_some() {
        return Err(PortError::invalid("rearm.burst_index", "is that of the cycle; leave it out"));
    }
    let firer = Firer::new(input.game, rearm).map_err(below)?;
    within(input.shots, "shots", 0, 1000)?;
    within(input.start, "start", 0, rearm.burst - 1)?;
    let mut generator = Generator::seeded(input.game, rearm.seed);
    let (mut shots, mut index, mut frames) = (Vec::new(), input.start, 0);
    for _ in 0..input.shots {
        let (raised, drawn) = (index + 1, generator.draws());
        let delay = firer.delay(raised, &mut generator).map_err(below)?;
        let delay = RearmDelay { draw_count: generator.draws() - drawn, ..delay };
        frames += i64::from(delay.result);
        let after = raised % rearm.burst;
        shots.push(Shot { before: index, raised, delay, after });
        index = after;
    }
    Ok(BurstCycle { shots, index, frames, draw_count: generator.draws() })
}

/// Names a field of the weapon from here.
fn below(error: PortError) -> PortError {
    PortError { field: format!("rearm.{}", error.field), ..error }
}
