//! What a kill adds to experience, and the rank that it leads to.
//!
//! The quotient is chopped and YR stores the sum as a chopped binary32, so three kills of an equal leave a unit a hair below
//! veteran where rounding to nearest would promote it.

use super::compute_kill_award::{MAX_COST, VictimRank, worth};
use super::inspect_veterancy_rank::{VeterancyRank, experience, rank_of};
use super::{one, only, within, yes, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_veterancy_gain",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Experience that one kill adds, from the costs of killer and victim, and the rank that results.",
    aliases: &[
        "VeteranRatio",
        "VeteranCap",
        "Trainable",
        "DontScore",
        "experience",
        "promotion",
        "kills until veteran",
        "veterancy gain",
        "rank up",
    ],
    units: "costs in credits, experience in ranks: 1 is veteran, 2 is elite",
    example: r#"{"own_cost":700,"victim_cost":900,"veteran_ratio":"3.0","veteran_cap":"2"}"#,
};

/// The registered port.
pub static PORT: FnPort<VeterancyGainInput, VeterancyGain> = FnPort::new(&META, compute_veterancy_gain);

/// A killer, its victim, and the rules.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VeterancyGainInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Experience before the kill, any finite number, default 0. YR holds a binary32, TS a binary64.
    #[serde(default = "none_yet")]
    pub experience: RealArg,
    /// Cost of the killer's type in credits, 0 to 715827882; the engine asks for it with the victim's owner, so that house's
    /// price factors apply.
    #[schemars(range(min = 0, max = 715_827_882))]
    pub own_cost: i32,
    /// Cost of the victim in credits, 0 to 715827882.
    #[schemars(range(min = 0, max = 715_827_882))]
    pub victim_cost: i32,
    /// YR only: rank of the victim, default rookie.
    #[serde(default)]
    #[schemars(with = "VictimRank", extend("default" = "rookie"))]
    pub victim_rank: Option<VictimRank>,
    /// Whether killer and victim are allied, default false. TS pays all the same.
    #[serde(default)]
    pub allied: bool,
    /// YR only: `DontScore` of the victim's type, default false.
    #[serde(default)]
    pub dont_score: bool,
    /// `Trainable` of the killer's type, default true.
    #[serde(default = "yes")]
    pub trainable: bool,
    /// `VeteranRatio`, any finite value, default 10 (the constructor; stock YR 3, stock TS 10).
    #[serde(default = "ten")]
    pub veteran_ratio: RealArg,
    /// `VeteranCap`, any finite value, default 1 (the constructors; stock 2).
    #[serde(default = "one")]
    pub veteran_cap: RealArg,
}

/// The stages of a gain.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VeterancyGain {
    /// What the kill is worth in credits (clauses value.1, value.2, trainable.1).
    pub value: i32,
    /// Credits that make a rank: own cost times `VeteranRatio` (clause gain.1).
    pub rank_cost: Real,
    /// Ranks gained: `value` by `rank_cost` (clause gain.1).
    pub gain: Real,
    /// Experience before, and the gain, before any store (clause gain.1).
    pub sum: Real,
    /// Whether the sum reached `VeteranCap` (clause cap.1).
    pub capped: bool,
    /// Experience and rank after the store (clauses store.1, store.2, cap.1).
    pub after: VeterancyRank,
    /// Where patched games differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

fn none_yet() -> RealArg {
    RealArg::Held(0.0)
}

fn ten() -> RealArg {
    RealArg::Held(10.0)
}

/// Experience after a kill.
///
/// # Errors
/// `EINVAL` at the field for costs outside 0 to 715827882, text without a number, text as experience, values that are not
/// finite, and arguments of YR given for TS; at `own_cost` when a rank costs nothing and the kill is worth nothing;
/// `EOPNOTSUPP` at `game` for any other game.
pub fn compute_veterancy_gain(input: &VeterancyGainInput) -> Result<VeterancyGain, PortError> {
    META.offers(input.game)?;
    let game = input.game;
    only(Game::Yr, game, input.victim_rank.is_some(), "victim_rank")?;
    only(Game::Yr, game, input.dont_score, "dont_score")?;
    within(input.own_cost, "own_cost", 0, MAX_COST)?;
    within(input.victim_cost, "victim_cost", 0, MAX_COST)?;
    let before = experience(&input.experience, "experience", game)?;
    let ratio = double(&input.veteran_ratio, "veteran_ratio", game, Reader::Double)?;
    let cap = double(&input.veteran_cap, "veteran_cap", game, Reader::Double)?;

    let worthless = !input.trainable || input.dont_score || (input.allied && game == Game::Yr);
    let value = if worthless { 0 } else { worth(input.victim_cost, input.victim_rank.unwrap_or_default()) };
    let rank_cost = x87::mul(f64::from(input.own_cost), ratio);
    if rank_cost == 0.0 && value == 0 {
        return Err(PortError::invalid(
            "own_cost",
            "a rank that costs nothing and a kill worth nothing were never read",
        ));
    }
    let gain = x87::div(f64::from(value), rank_cost);
    let sum = x87::add(gain, before);
    let capped = sum >= cap;
    let kept = if capped { cap } else { sum };
    let stored = if game == Game::Ts { kept } else { f64::from(x87::store32(kept)) };
    let mut caveats = Vec::new();
    if game == Game::Ts && input.allied {
        caveats.push(Caveat::new(
            "value.2",
            "the retail game pays for allies; patched games (ts-patches, Vinifera) do not",
        ));
    }
    Ok(VeterancyGain {
        value,
        rank_cost: rank_cost.into(),
        gain: gain.into(),
        sum: sum.into(),
        capped,
        after: rank_of(stored),
        caveats,
    })
}
