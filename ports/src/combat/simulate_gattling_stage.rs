//! `simulate_gattling_stage`: how a gattling weapon spins up and slows down, and which of its weapons that makes it fire.

use super::yr;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_gattling_stage",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Spin-up value, stage and weapon index of a gattling weapon over frames of firing and idling.",
    aliases: &[
        "IsGattling",
        "WeaponStages",
        "Stage1",
        "EliteStage1",
        "RateUp",
        "RateDown",
        "gatling",
        "gattling tank",
        "YTNK",
        "spin up",
        "spin down",
        "GattlingValue",
    ],
    units: "value and thresholds in points of spin, rates in points a frame",
    example: r#"{"stages":[200,400,600],"rate_up":1,"rate_down":50,"steps":[{"kind":"fire","times":250}]}"#,
};

/// The registered port.
pub static PORT: FnPort<GattlingInput, Gattling> = FnPort::new(&META, simulate_gattling_stage);

/// Most stages that a type has.
const STAGES: usize = 6;
/// Most steps of one call, repetitions counted.
const STEPS: u32 = 1000;

/// A gattling weapon and what it does.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GattlingInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Stage1`, `Stage2`, …: the thresholds, as many as `WeaponStages` says, 1 to 6 (stock 200, 400, 600).
    #[schemars(length(min = 1, max = 6))]
    pub stages: Vec<i32>,
    /// `EliteStage1`, …, as many as `stages` (stock 100, 200, 300); needed for an elite.
    #[serde(default)]
    #[schemars(with = "Vec<i32>", length(min = 1, max = 6))]
    pub elite_stages: Option<Vec<i32>>,
    /// Whether the object is elite. Default false.
    #[serde(default)]
    pub elite: bool,
    /// `RateUp`, points a frame (stock 1).
    pub rate_up: i32,
    /// `RateDown`, points a frame (stock 50).
    pub rate_down: i32,
    /// Value to begin with, default 0.
    #[serde(default)]
    pub value: i32,
    /// Stage to begin with, from 0 and below the number of stages; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 5))]
    pub stage: i32,
    /// What happens, in order; at most 1000 steps, repetitions counted.
    #[schemars(length(max = 1000))]
    pub steps: Vec<Step>,
    /// For each stage whether the projectile of its second weapon has `AA`; at most one a stage, those left out have not.
    /// Default none.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub anti_air: Vec<bool>,
    /// Whether the target is in the air, 208 leptons up or more. Default false.
    #[serde(default)]
    pub high_flying: bool,
}

/// One step, or several alike.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Whether the object fires or idles.
    pub kind: StepKind,
    /// Frames that the step counts, 0 to 65535: 1 for vehicles, for buildings those since the last run of their mission.
    /// Default 1.
    #[serde(default = "once")]
    #[schemars(range(min = 0, max = 65_535))]
    pub ticks: i32,
    /// Times in a row, 1 to 1000. Default 1.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 1000))]
    pub times: i32,
}

fn once() -> i32 {
    1
}

/// What the object does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Fires.
    Fire,
    /// Does not.
    Idle,
}

/// A weapon after its steps.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Gattling {
    /// Every step.
    pub steps: Vec<StepResult>,
    /// The value at the end.
    pub value: i32,
    /// The stage at the end, from 0.
    pub stage: i32,
    /// Index of the weapon that fires then (clauses index.1, index.2).
    pub weapon_index: i32,
    /// The index if the second weapon of the list decided, not that of the pair; left out where it is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_index: Option<i32>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StepResult {
    /// What the object did.
    pub kind: StepKind,
    /// Points that the step may add or take off: rate times frames.
    pub change: i32,
    /// The value after it (clauses fire.1, idle.1).
    pub value: i32,
    /// The threshold that the value is held against; left out where there is no stage to go to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<i32>,
    /// The stage after it (clauses fire.2, idle.2).
    pub stage: i32,
}

/// Runs a gattling weapon through its steps.
///
/// # Errors
/// `EINVAL` at the field for lists and numbers outside their bounds, and for an elite without thresholds; `EOPNOTSUPP` at
/// `game` for any other game.
pub fn simulate_gattling_stage(input: &GattlingInput) -> Result<Gattling, PortError> {
    META.offers(input.game)?;
    let thresholds = thresholds(input)?;
    let count = thresholds.len();
    within(input.stage, "stage", 0, count as i32 - 1)?;
    if input.anti_air.len() > count {
        return Err(PortError::invalid("anti_air", "has more entries than there are stages"));
    }
    let mut total = 0;
    for (index, step) in input.steps.iter().enumerate() {
        within(step.ticks, &format!("steps.{index}.ticks"), 0, 65_535)?;
        within(step.times, &format!("steps.{index}.times"), 1, 1000)?;
        total += step.times.unsigned_abs();
        if total > STEPS {
            return Err(PortError::invalid("steps", format!("makes more than {STEPS} steps")));
        }
    }
    let mut steps = Vec::with_capacity(total as usize);
    let (mut value, mut stage) = (input.value, input.stage);
    for step in &input.steps {
        for _ in 0..step.times {
            let result = run(input, step, thresholds, value, stage);
            (value, stage) = (result.value, result.stage);
            steps.push(result);
        }
    }
    let has = |stage: i32| input.anti_air.get(stage as usize).copied().unwrap_or(false);
    let weapon_index = weapon_index(stage, has(stage), input.high_flying);
    let list_index = self::weapon_index(stage, has(0), input.high_flying);
    Ok(Gattling {
        steps,
        value,
        stage,
        weapon_index,
        list_index: (list_index != weapon_index).then_some(list_index),
    })
}

/// The thresholds of the object's rank.
fn thresholds(input: &GattlingInput) -> Result<&[i32], PortError> {
    let count = input.stages.len();
    if count == 0 || count > STAGES {
        return Err(PortError::invalid("stages", format!("must be 1 to {STAGES} thresholds")));
    }
    let elite = input.elite_stages.as_deref();
    if elite.is_some_and(|elite| elite.len() != count) {
        return Err(PortError::invalid("elite_stages", "must be as many as the stages"));
    }
    if input.elite {
        elite.ok_or_else(|| PortError::invalid("elite_stages", "are needed for an elite"))
    } else {
        Ok(&input.stages)
    }
}

/// One step of the engine.
fn run(input: &GattlingInput, step: &Step, thresholds: &[i32], value: i32, stage: i32) -> StepResult {
    let (last, at) = (thresholds.len() - 1, stage as usize);
    let (value, threshold, moves, change) = match step.kind {
        StepKind::Fire => {
            let gain = input.rate_up.wrapping_mul(step.ticks);
            let value = if value < thresholds[last] { value.wrapping_add(gain) } else { value };
            let threshold = (at < last).then(|| thresholds[at]);
            (value, threshold, i32::from(threshold.is_some_and(|threshold| value >= threshold)), gain)
        }
        StepKind::Idle => {
            let loss = input.rate_down.wrapping_mul(step.ticks);
            let value = if loss == 0 { 0 } else { value.wrapping_sub(loss).max(0) };
            let threshold = at.checked_sub(1).map(|below| thresholds[below]);
            (value, threshold, -i32::from(threshold.is_some_and(|threshold| value < threshold)), loss)
        }
    };
    StepResult { kind: step.kind, change, value, threshold, stage: stage + moves }
}

/// The weapon of a stage (clauses index.1, index.2).
pub(super) fn weapon_index(stage: i32, anti_air: bool, high_flying: bool) -> i32 {
    2 * stage + i32::from(anti_air && high_flying)
}
