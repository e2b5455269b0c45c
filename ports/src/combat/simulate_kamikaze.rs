//! `simulate_kamikaze`: an aircraft or missile on the list of one-way attacks, pass by pass.

use super::{within, yes, yr};
use crate::movement::compute_facing_bucket::{FacingBucketInput, compute_facing_bucket};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_kamikaze",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Ammo and crash point of an aircraft or missile on a one-way attack, from pass to pass of its list.",
    aliases: &[
        "Kamikaze",
        "kamikaze tracker",
        "MissileSpawn",
        "suicide aircraft",
        "orphaned hornet",
        "crash point",
        "missile target cell",
        "one-way attack",
    ],
    units: "coordinates in leptons (256 to a cell), facings 65536 to a turn, time in frames (15 a second)",
    example: r#"{"x":10368,"y":10368,"facing":16384,"target":{"x":12416,"y":9600},"frames":70}"#,
};

/// The registered port.
pub static PORT: FnPort<KamikazeInput, Kamikaze> = FnPort::new(&META, simulate_kamikaze);

/// Frames from one pass to the next.
const EVERY: i32 = 30;
/// Frames to the next pass after an entry.
const RESTART: i32 = 2;
const FRAMES: i32 = 4096;
/// Largest coordinate: the last lepton of the last of 512 cells.
const FARTHEST: i32 = 131_071;
const LEPTONS: i32 = 256;
const ENTRIES: usize = 64;
/// Steps to the neighbours, north first, clockwise.
const NEIGHBOURS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// An aircraft that goes on the list in frame 0.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KamikazeInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `MissileSpawn` of the aircraft's type. Default true.
    #[serde(default = "yes")]
    pub missile_spawn: bool,
    /// How the entry came to be. Default `pushed`.
    #[serde(default)]
    pub entry: Entry,
    /// Coordinate of the aircraft in leptons, 0 to 131071.
    #[schemars(range(min = 0, max = 131_071))]
    pub x: i32,
    /// The same along y.
    #[schemars(range(min = 0, max = 131_071))]
    pub y: i32,
    /// Facing of the aircraft: 0 to 65535, north 0, clockwise.
    pub facing: u16,
    /// Shots of the aircraft before, default 0.
    #[serde(default)]
    pub ammo: i32,
    /// Where its target is; left out for an aircraft without one.
    #[serde(default)]
    #[schemars(with = "Point")]
    pub target: Option<Point>,
    /// Frames to the first pass, 0 to 30; default 2, which the entry itself sees to.
    #[serde(default = "first")]
    #[schemars(range(min = 0, max = 30))]
    pub first: i32,
    /// What becomes of the aircraft, by frame; 64 changes at most, none by default.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub changes: Vec<Flight>,
    /// Frames in which another aircraft goes on the list, 0 to the last one; 64 at most, none by default.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub restarts: Vec<i32>,
    /// Frames to run after frame 0, 1 to 4096.
    #[schemars(range(min = 1, max = 4096))]
    pub frames: i32,
}

/// A place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Leptons along x, 0 to 131071.
    #[schemars(range(min = 0, max = 131_071))]
    pub x: i32,
    /// Leptons along y, 0 to 131071.
    #[schemars(range(min = 0, max = 131_071))]
    pub y: i32,
}

/// How an entry came to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// By the routine that adds it, which stores a point (clauses point.1, point.3).
    #[default]
    Pushed,
    /// An entry that has no point (clause point.2); it has no target either.
    WithoutPoint,
}

/// The aircraft from a frame on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flight {
    /// Frame, 0 to the last one of the run. It comes before the pass of that frame.
    #[schemars(range(min = 0, max = 4096))]
    pub frame: i32,
    /// Coordinate along x in leptons, 0 to 131071.
    #[schemars(range(min = 0, max = 131_071))]
    pub x: i32,
    /// Coordinate along y in leptons, 0 to 131071.
    #[schemars(range(min = 0, max = 131_071))]
    pub y: i32,
    /// Facing.
    pub facing: u16,
    /// Shots.
    pub ammo: i32,
}

fn first() -> i32 {
    RESTART
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cell {
    /// Along x.
    pub x: i32,
    /// Along y.
    pub y: i32,
}

/// The run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Kamikaze {
    /// Whether the aircraft is on the list; otherwise it crashes at once (clause list.1).
    pub tracked: bool,
    /// The point that its entry holds (clauses point.1, point.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Cell>,
    /// Passes in order (clauses time.1, time.2).
    pub passes: Vec<Pass>,
    /// Shots after the run (clause ammo.1).
    pub ammo: i32,
}

/// A pass through the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pass {
    /// Frame.
    pub frame: i32,
    /// Shots before; one is left in any case (clause ammo.1).
    pub had: i32,
    /// The direction of the nose in eighths of a turn, where it decides (clause point.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<u16>,
    /// The cell that is attacked (clauses point.1 to point.3).
    pub cell: Cell,
}

/// Runs the list.
///
/// # Errors
/// `EINVAL` at the field for a number out of its range, too many changes or restarts, and a target of an entry without a point;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn simulate_kamikaze(input: &KamikazeInput) -> Result<Kamikaze, PortError> {
    META.offers(input.game)?;
    check(input)?;
    if !input.missile_spawn {
        return Ok(Kamikaze { tracked: false, stored: None, passes: Vec::new(), ammo: input.ammo });
    }
    let mut now = Flight { frame: 0, x: input.x, y: input.y, facing: input.facing, ammo: 1 };
    let stored = match (input.entry, &input.target) {
        (Entry::WithoutPoint, _) => None,
        (Entry::Pushed, Some(target)) => Some(cell(target.x, target.y)),
        (Entry::Pushed, None) => Some(ahead(&now)?.1),
    };
    let mut next = input.first;
    let mut passes = Vec::new();
    for frame in 0..=input.frames {
        if let Some(change) = input.changes.iter().rev().find(|change| change.frame == frame) {
            now = change.clone();
        }
        if input.restarts.contains(&frame) {
            next = frame + RESTART;
        }
        if frame < next {
            continue;
        }
        next = frame + EVERY;
        let (direction, cell) = match stored {
            Some(cell) => (None, cell),
            None => {
                let (direction, cell) = ahead(&now)?;
                (Some(direction), cell)
            }
        };
        passes.push(Pass { frame, had: now.ammo, direction, cell });
        now.ammo = 1;
    }
    Ok(Kamikaze { tracked: true, stored, passes, ammo: now.ammo })
}

fn check(input: &KamikazeInput) -> Result<(), PortError> {
    within(input.x, "x", 0, FARTHEST)?;
    within(input.y, "y", 0, FARTHEST)?;
    within(input.first, "first", 0, EVERY)?;
    within(input.frames, "frames", 1, FRAMES)?;
    if let Some(target) = &input.target {
        if input.entry == Entry::WithoutPoint {
            return Err(PortError::invalid("target", "would be the point that this entry does not have"));
        }
        within(target.x, "target.x", 0, FARTHEST)?;
        within(target.y, "target.y", 0, FARTHEST)?;
    }
    if input.changes.len() > ENTRIES {
        return Err(PortError::invalid("changes", "are more than 64"));
    }
    if input.restarts.len() > ENTRIES {
        return Err(PortError::invalid("restarts", "are more than 64"));
    }
    for change in &input.changes {
        within(change.frame, "changes", 0, input.frames)?;
        within(change.x, "changes", 0, FARTHEST)?;
        within(change.y, "changes", 0, FARTHEST)?;
    }
    input.restarts.iter().try_for_each(|frame| within(*frame, "restarts", 0, input.frames))
}

fn cell(x: i32, y: i32) -> Cell {
    Cell { x: x / LEPTONS, y: y / LEPTONS }
}

/// The direction of the nose, and the cell before it.
fn ahead(flight: &Flight) -> Result<(u16, Cell), PortError> {
    let facing = FacingBucketInput { game: Game::Yr, facing: flight.facing, buckets: 8, offset: 0 };
    let direction = compute_facing_bucket(&facing)?.bucket;
    let (right, down) = NEIGHBOURS[usize::from(direction)];
    let Cell { x, y } = cell(flight.x, flight.y);
    Ok((direction, Cell { x: x + right, y: y + down }))
}
