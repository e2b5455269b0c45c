//! `inspect_proximity_fuse`: when a guided missile goes off by its distance to what it chases.

use super::yr;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_proximity_fuse",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "When a missile arrives or goes off by distance: the fuse looks at half the distance and whether it grows.",
    aliases: &[
        "FuseClass",
        "Proximity",
        "Arm",
        "proximity fuse",
        "missile detonation",
        "near miss",
        "arming delay",
        "guided missile",
    ],
    units: "distances in leptons (256 to a cell), frames",
    example: r#"{"start":600,"readings":[{"frame":1,"distance":300},{"frame":2,"distance":62}]}"#,
};

/// The registered port.
pub static PORT: FnPort<FuseInput, Fuse> = FnPort::new(&META, inspect_proximity_fuse);

/// Half distances below this are an arrival.
const ARRIVED: i32 = 32;
/// Half distances below this set the fuse off where they grow.
const CLOSE: i32 = 256;
/// Most readings of a call.
const MOST: usize = 200;

/// A missile on its way.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FuseInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Distance from the launch to the aim in whole leptons, at least 0.
    #[schemars(range(min = 0))]
    pub start: i32,
    /// Frames from the launch until the fuse is armed (`Arm`); default 0.
    #[serde(default)]
    pub arm: i32,
    /// Whether the type of the launcher makes a pass count as an arrival. Default false.
    #[serde(default)]
    pub pass_arrives: bool,
    /// What the fuse is shown, in order; up to 200 readings.
    #[schemars(length(max = 200))]
    pub readings: Vec<Reading>,
}

/// One look at the target.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Frames since the launch, at least 0.
    #[schemars(range(min = 0))]
    pub frame: i32,
    /// Distance to the target in whole leptons, three-dimensional, at least 0.
    #[schemars(range(min = 0))]
    pub distance: i32,
}

/// What the fuse answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Fly on (0).
    Nothing,
    /// It has arrived (1).
    Arrived,
    /// It has come close and flies away again (2).
    Passed,
}

/// A flight as the fuse sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fuse {
    /// The readings up to the one that sets it off.
    pub readings: Vec<Look>,
    /// Which reading sets it off, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detonates_at: Option<usize>,
    /// What the missile makes of the last answer (clause pass.1).
    pub result: Answer,
}

/// One reading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Look {
    /// Whether the fuse is armed (clause arm.1).
    pub armed: bool,
    /// Half the distance (clause half.1); armed only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half: Option<i32>,
    /// The distance that it compares with (clauses stored.1, stored.2); armed only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<i32>,
    /// What it answers (clauses arm.1, near.1, pass.1).
    pub answer: Answer,
}

/// When a missile goes off.
///
/// # Errors
/// `EINVAL` at the field for distances and frames below 0 and for more than 200 readings; `EOPNOTSUPP` for a game without
/// evidence.
pub fn inspect_proximity_fuse(input: &FuseInput) -> Result<Fuse, PortError> {
    META.offers(input.game)?;
    within(input.start, "start", 0, i32::MAX)?;
    if input.readings.len() > MOST {
        return Err(PortError::invalid("readings", "must be at most 200"));
    }
    for (index, reading) in input.readings.iter().enumerate() {
        within(reading.frame, &format!("readings.{index}.frame"), 0, i32::MAX)?;
        within(reading.distance, &format!("readings.{index}.distance"), 0, i32::MAX)?;
    }
    let mut fuse = Fuse { readings: Vec::new(), detonates_at: None, result: Answer::Nothing };
    // The first stored distance is a whole one, the later ones are halves.
    let mut stored = input.start;
    for (index, reading) in input.readings.iter().enumerate() {
        let look = look(input, *reading, stored);
        stored = look.half.unwrap_or(stored);
        let answer = look.answer;
        fuse.readings.push(look);
        if answer != Answer::Nothing {
            fuse.detonates_at = Some(index);
            fuse.result = if input.pass_arrives { Answer::Arrived } else { answer };
            break;
        }
    }
    Ok(fuse)
}

fn look(input: &FuseInput, reading: Reading, stored: i32) -> Look {
    if reading.frame < input.arm {
        return Look { armed: false, half: None, stored: None, answer: Answer::Nothing };
    }
    let half = reading.distance / 2;
    let answer = if half < ARRIVED {
        Answer::Arrived
    } else if half < CLOSE && half > stored {
        Answer::Passed
    } else {
        Answer::Nothing
    };
    Look { armed: true, half: Some(half), stored: Some(stored), answer }
}
