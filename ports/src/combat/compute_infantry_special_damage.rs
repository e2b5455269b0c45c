//! `compute_infantry_special_damage`: the two hits that hurt infantry in another way, or not at all: webs of TS, mutation in
//! YR.

use super::{only, yes, yr};
use crate::math::random::Generator;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_infantry_special_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Infantry hit by a web (TS: no damage, frames of struggle) or by mutation in the air (YR: no damage).",
    aliases: &[
        "Webby",
        "WebDuration",
        "WebDurationVariation",
        "WebImmune",
        "web",
        "struggle",
        "spider web",
        "InfDeath 9",
        "mutate",
        "genetic mutator",
        "rocketeer",
    ],
    units: "damage in points, times in frames, height in leptons",
    example: r#"{"damage":100,"inf_death":9,"height":500}"#,
};

/// The registered port.
pub static PORT: FnPort<SpecialInput, SpecialDamage> = FnPort::new(&META, compute_infantry_special_damage);

/// `InfDeath` of mutation.
const MUTATE: i32 = 9;
/// Longest duration and widest variation, in frames.
const LONGEST: i32 = 1_000_000;

/// A hit on infantry, after the prone step.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecialInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Points that arrive.
    pub damage: i32,
    /// Whether the hit has a warhead. Default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
    /// TS only: `Webby` of the warhead. Default false.
    #[serde(default)]
    pub webby: bool,
    /// TS only: `WebImmune` of the type. Default false.
    #[serde(default)]
    pub web_immune: bool,
    /// TS only: `WebDuration` of the warhead in frames, -1000000 to 1000000; default 300.
    #[serde(default)]
    #[schemars(with = "i32", range(min = -1_000_000, max = 1_000_000), extend("default" = 300))]
    pub web_duration: Option<i32>,
    /// TS only: `WebDurationVariation` of the warhead in frames, -1000000 to 1000000; default 25.
    #[serde(default)]
    #[schemars(with = "i32", range(min = -1_000_000, max = 1_000_000), extend("default" = 25))]
    pub web_variation: Option<i32>,
    /// TS only: frames of struggle that are left already. Default 0.
    #[serde(default)]
    pub timer: i32,
    /// TS only: seed of the generator, an unsigned 32-bit number; needed where a web takes hold.
    #[serde(default)]
    pub seed: Option<u32>,
    /// YR only: `InfDeath` of the warhead. Default 0.
    #[serde(default)]
    pub inf_death: i32,
    /// YR only: height above the ground in leptons. Default 0.
    #[serde(default)]
    pub height: i32,
}

/// What is special about a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// Nothing.
    None,
    /// It webs (clause web.1).
    Web,
    /// It mutates and finds nobody on the ground (clause mutate.1).
    Mutate,
}

/// The stages of a special hit; those that did not run are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SpecialDamage {
    /// What is special about it.
    pub special: Special,
    /// Web: the number drawn (clause web.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Web: frames that it holds (clause web.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<i32>,
    /// TS: frames of struggle that are left (clause web.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timer: Option<i32>,
    /// Points that go on.
    pub result: i32,
    /// Random draws.
    pub draw_count: u64,
}

/// What a special hit leaves of the damage.
///
/// # Errors
/// `EINVAL` at the field for durations out of bounds, for a web without a seed, and for arguments of the other game;
/// `EOPNOTSUPP` for a game without evidence.
pub fn compute_infantry_special_damage(input: &SpecialInput) -> Result<SpecialDamage, PortError> {
    META.offers(input.game)?;
    let game = input.game;
    only(Game::Ts, game, input.webby, "webby")?;
    only(Game::Ts, game, input.web_immune, "web_immune")?;
    only(Game::Ts, game, input.web_duration.is_some(), "web_duration")?;
    only(Game::Ts, game, input.web_variation.is_some(), "web_variation")?;
    only(Game::Ts, game, input.timer != 0, "timer")?;
    only(Game::Ts, game, input.seed.is_some(), "seed")?;
    only(Game::Yr, game, input.inf_death != 0, "inf_death")?;
    only(Game::Yr, game, input.height != 0, "height")?;
    let (duration, variation) = (input.web_duration.unwrap_or(300), input.web_variation.unwrap_or(25));
    within(duration, "web_duration", -LONGEST, LONGEST)?;
    within(variation, "web_variation", -LONGEST, LONGEST)?;
    let ts = game == Game::Ts;
    let mut output = SpecialDamage {
        special: Special::None,
        roll: None,
        duration: None,
        timer: ts.then_some(input.timer),
        result: input.damage,
        draw_count: 0,
    };
    if !input.warhead_present {
        return Ok(output);
    }
    if input.webby && !input.web_immune {
        let seed =
            input.seed.ok_or_else(|| PortError::invalid("seed", "is needed where a web takes hold"))?;
        let mut generator = Generator::seeded(game, seed);
        let roll = generator.pick(-variation, variation).value;
        output.special = Special::Web;
        output.roll = Some(roll);
        output.duration = Some(duration + roll);
        output.timer = Some(input.timer.max(duration + roll));
        output.result = 0;
        output.draw_count = generator.draws();
    } else if input.inf_death == MUTATE && input.height > 0 {
        output.special = Special::Mutate;
        output.result = 0;
    }
    Ok(output)
}
