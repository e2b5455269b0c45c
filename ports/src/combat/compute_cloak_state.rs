//! `compute_cloak_state`: how much of a fading object is to be seen, what that ends, and how long the next cloak waits.

use super::{only, yr};
use crate::math::x87;
use crate::rules::argument::within;
use crate::timing::compute_minutes_to_frames::{
    MinutesToFrames, MinutesToFramesInput, compute_minutes_to_frames,
};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_cloak_state",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Visual state of an object that cloaks or uncloaks, when it is hidden or back, and the recloak delay.",
    aliases: &[
        "CloakingStages",
        "CloakingSpeed",
        "CloakDelay",
        "Cloakable",
        "Visual_Character",
        "VisualCharacter",
        "cloak",
        "stealth",
        "fade out",
        "submarine submerge",
        "recloak delay",
    ],
    units: "progress in stages, level of 256, delay in minutes in and frames out",
    example: r#"{"progress":5}"#,
};

/// The registered port.
pub static PORT: FnPort<CloakStateInput, CloakState> = FnPort::new(&META, compute_cloak_state);

/// Level of a fade that is through.
const WHOLE: f64 = 256.0;
/// Percent a frame for an object in red health to begin.
const START_CHANCE: i32 = 4;
/// Percent a frame for an object in red health to give up.
const GIVE_UP_CHANCE: i32 = 10;

/// A fading object.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CloakStateInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Stages that the fade has come from fully visible, 0 to 2147483647.
    #[schemars(range(min = 0))]
    pub progress: i32,
    /// `CloakingStages`, 1 to 2147483647; default 9 (the constructors; stock 9).
    #[serde(default = "stages")]
    #[schemars(range(min = 1))]
    pub stages: i32,
    /// Which way it fades, default out.
    #[serde(default)]
    pub fade: Fade,
    /// Whether its health is at or below `ConditionRed`, default false.
    #[serde(default)]
    pub health_red: bool,
    /// YR only: `CloakDelay` in minutes, any finite value, default 0 (the constructor; stock .02).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cloak_delay: Option<RealArg>,
}

fn stages() -> i32 {
    9
}

/// Which way an object fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fade {
    /// It cloaks: the progress rises.
    #[default]
    Out,
    /// It uncloaks: the progress falls.
    In,
}

/// How it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// State 0: as ever.
    Normal,
    /// State 1: below a quarter.
    Indistinct,
    /// State 2: below half.
    Darkened,
    /// State 3: below three quarters.
    Shadowy,
    /// State 4: below the whole.
    Ripple,
    /// State 5: not drawn.
    Hidden,
}

/// What the state leads to in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The fade goes on.
    Fading,
    /// It is cloaked (clauses hidden.1, hidden.2).
    Cloaked,
    /// It may give the cloak up (clause red.2).
    MayGiveUp,
    /// YR: it cloaks again if it may (clause back.1).
    MayTurnBack,
    /// It is fully visible (clause visible.1).
    Visible,
}

/// The state of a fade.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CloakState {
    /// The progress of 256 (clause level.1).
    pub level: i32,
    /// Number of the visual state, 0 to 5 (clause state.1).
    pub state: u8,
    /// Its look.
    pub look: Look,
    /// First stage of a fade out at which the object is cloaked (clauses hidden.1, hidden.2).
    pub hidden_at: i32,
    /// TS: stage at which a fade in begins (clause in.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_from: Option<i32>,
    /// What happens now.
    pub outcome: Outcome,
    /// Percent a frame with which a visible object that may cloak begins to (clause red.1).
    pub start_chance: i32,
    /// Percent a frame with which this fade is given up (clause red.2).
    pub give_up_chance: i32,
    /// YR, of an object that is fully visible again: how long it waits before it may cloak, with the stages of
    /// `compute_minutes_to_frames` (clause delay.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recloak: Option<MinutesToFrames>,
}

/// The state of a fade.
///
/// # Errors
/// `EINVAL` at the field for a progress below 0, stages below 1, a delay given for TS, text without a number and values
/// that are not finite; `EOPNOTSUPP` for a game without evidence.
pub fn compute_cloak_state(input: &CloakStateInput) -> Result<CloakState, PortError> {
    META.offers(input.game)?;
    within(input.progress, "progress", 0, i32::MAX)?;
    within(input.stages, "stages", 1, i32::MAX)?;
    only(Game::Yr, input.game, input.cloak_delay.is_some(), "cloak_delay")?;
    let delay = delay(input)?;
    let share = x87::div(f64::from(input.progress), f64::from(input.stages));
    let level = x87::ftol(x87::mul(share, WHOLE));
    let (state, look) = state(input.progress, level);
    let outcome = outcome(input, state);
    let visible = outcome == Outcome::Visible && input.game == Game::Yr;
    Ok(CloakState {
        level,
        state,
        look,
        hidden_at: input.stages / 2 + input.stages % 2,
        back_from: (input.game == Game::Ts).then_some(input.stages - 1),
        outcome,
        start_chance: if input.health_red { START_CHANCE } else { 100 },
        give_up_chance: if outcome == Outcome::MayGiveUp { GIVE_UP_CHANCE } else { 0 },
        recloak: visible.then_some(delay),
    })
}

/// `CloakDelay` in frames.
fn delay(input: &CloakStateInput) -> Result<MinutesToFrames, PortError> {
    let minutes = input.cloak_delay.clone().unwrap_or(RealArg::Held(0.0));
    compute_minutes_to_frames(&MinutesToFramesInput { game: input.game, minutes })
        .map_err(|error| PortError { field: "cloak_delay".into(), ..error })
}

/// The visual state.
fn state(progress: i32, level: i32) -> (u8, Look) {
    match level {
        _ if progress == 0 => (0, Look::Normal),
        ..=0x3F => (1, Look::Indistinct),
        0x40..=0x7F => (2, Look::Darkened),
        0x80..=0xBF => (3, Look::Shadowy),
        0xC0..=0xFE => (4, Look::Ripple),
        _ => (5, Look::Hidden),
    }
}

/// What the state leads to.
fn outcome(input: &CloakStateInput, state: u8) -> Outcome {
    let ripple_is_cloaked = input.game == Game::Ts;
    match (input.fade, state) {
        (Fade::Out, 2) if input.health_red => Outcome::MayGiveUp,
        (Fade::Out, 3 | 5) => Outcome::Cloaked,
        (Fade::Out, 4) if ripple_is_cloaked => Outcome::Cloaked,
        (Fade::In, 0) => Outcome::Visible,
        (Fade::In, 1) if input.game == Game::Yr => Outcome::MayTurnBack,
        _ => Outcome::Fading,
    }
}
