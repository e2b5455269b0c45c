//! `inspect_mind_control_capacity`: whether a mind controller may take a target, and whom it lets go for it.

use super::{yes, yr};
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_mind_control_capacity",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "First test that keeps a mind controller from a target, in the engine's order, and the victims it releases.",
    aliases: &[
        "MindControl",
        "InfiniteMindControl",
        "ImmuneToPsionics",
        "CaptureManagerClass",
        "CanCapture",
        "CaptureUnit",
        "Yuri",
        "Mastermind",
        "Psychic Tower",
        "mind control limit",
        "mind controlled units",
    ],
    units: "victims",
    example: r#"{"limit":3,"held":2}"#,
};

/// The registered port.
pub static PORT: FnPort<MindControlInput, MindControl> = FnPort::new(&META, inspect_mind_control_capacity);

/// A controller and its target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MindControlInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Damage` of the controller's weapon, which is the number of victims that it may hold: 0 to 2147483647.
    #[schemars(range(min = 0))]
    pub limit: i32,
    /// `InfiniteMindControl` of that weapon, not together with a limit of 1. Default false.
    #[serde(default)]
    pub infinite: bool,
    /// Victims that it holds, at least 0 and, unless `infinite`, at most `limit`. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub held: i32,
    /// Whether there is a target, default true.
    #[serde(default = "yes")]
    pub target: bool,
    /// Whether the controller's house owns the target; allies do not count. Default false.
    #[serde(default)]
    pub same_house: bool,
    /// Target: `ImmuneToPsionics`, default true for buildings and false for others.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub immune_to_psionics: Option<bool>,
    /// Target: whether it is a building, default false.
    #[serde(default)]
    pub building: bool,
    /// Target: whether it is a vehicle in a tank bunker, default false.
    #[serde(default)]
    pub bunkered: bool,
    /// Target: under the control of a controller, its own or another. Default false.
    #[serde(default)]
    pub controlled: bool,
    /// Target: taken for good by a psychic dominator. Default false.
    #[serde(default)]
    pub dominated: bool,
    /// Target: handed to a house by a trigger of the map. Default false.
    #[serde(default)]
    pub triggered: bool,
    /// Target: under an iron curtain or force shield. Default false.
    #[serde(default)]
    pub invulnerable: bool,
    /// Target: being sold. Default false.
    #[serde(default)]
    pub selling: bool,
    /// Target: being built. Default false.
    #[serde(default)]
    pub building_up: bool,
}

/// The test that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// None: the target can be taken.
    Passed,
    /// There is no target (clause target.1).
    NoTarget,
    /// It belongs to the controller's house (clause house.1).
    SameHouse,
    /// `ImmuneToPsionics` (clause immune.1).
    Immune,
    /// In a tank bunker (clause bunker.1).
    Bunkered,
    /// Controlled already, for a time or for good (clause controlled.1).
    Controlled,
    /// Handed over by a trigger (clause controlled.2).
    Triggered,
    /// Iron curtain or force shield (clause invulnerable.1).
    Invulnerable,
    /// The controller holds as many as it may (clause limit.1).
    Full,
    /// Being sold or built (clause mission.1).
    Mission,
}

/// Whether the target can be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MindControl {
    /// The first test that fails.
    pub gate: Gate,
    /// Whether it can.
    pub allowed: bool,
    /// Victims that are released first (clause replace.1).
    pub released: i32,
    /// Victims afterwards.
    pub holds: i32,
}

/// Whether a mind controller may take a target.
///
/// # Errors
/// `EINVAL` at `limit` below 0, at `held` below 0 or above the limit of a weapon that has one, and at `infinite` together with
/// a limit of 1; `EOPNOTSUPP` for a game without evidence.
pub fn inspect_mind_control_capacity(input: &MindControlInput) -> Result<MindControl, PortError> {
    META.offers(input.game)?;
    within(input.limit, "limit", 0, i32::MAX)?;
    let most = if input.infinite { i32::MAX - 1 } else { input.limit };
    within(input.held, "held", 0, most)?;
    if input.infinite && input.limit == 1 {
        return Err(PortError::invalid(
            "infinite",
            "does not go with a limit of 1: the accounts differ on whether the victims of before go free",
        ));
    }
    let gate = gate(input);
    let allowed = gate == Gate::Passed;
    let released = if allowed && input.limit == 1 { input.held } else { 0 };
    Ok(MindControl { gate, allowed, released, holds: input.held - released + i32::from(allowed) })
}

/// The tests in the engine's order.
fn gate(input: &MindControlInput) -> Gate {
    let full = !input.infinite && input.held >= input.limit && input.limit != 1;
    let tests = [
        (!input.target, Gate::NoTarget),
        (input.same_house, Gate::SameHouse),
        (input.immune_to_psionics.unwrap_or(input.building), Gate::Immune),
        (input.bunkered, Gate::Bunkered),
        (input.controlled || input.dominated, Gate::Controlled),
        (input.triggered, Gate::Triggered),
        (input.invulnerable, Gate::Invulnerable),
        (full, Gate::Full),
        (input.selling || input.building_up, Gate::Mission),
    ];
    tests.into_iter().find(|(fails, _)| *fails).map_or(Gate::Passed, |(_, gate)| gate)
}
