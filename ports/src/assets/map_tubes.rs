//! `map_tubes`: the tunnels of a map, and whether their steps lead where they say.

use super::ini_text::{Ini, IniText, pieces, shown, whole_number};
use super::source::fault;
use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "map_tubes",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Tunnels of a map's Tubes section: entry, exit, steps, and whether the steps reach the exit.",
    aliases: &["Tubes", "tunnel", "subway", "TubeClass", "underground passage", "walk_ok"],
    units: "cells; directions 0 to 7, clockwise from north, which is up and right on the screen",
    example: r#"{"bytes":"[Tubes]\n0=10,10,2,12,11,2,3,-1\n"}"#,
};

/// The port.
pub static PORT: FnPort<MapTubesInput, MapTubes> = FnPort::new(&META, map_tubes);

/// Most steps that the games take.
const STEPS: usize = 100;
/// Most tunnels of a map; real ones have a few dozen.
const MOST_TUBES: usize = 65_535;
/// Cells on a side of the games' store.
const SIDE: i32 = 512;
/// What a step adds to a cell, by direction.
const DELTAS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapTubesInput {
    /// Game that reads it; all read alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file or its `[Tubes]`: text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB.
    pub bytes: IniText,
}

/// The tunnels of a map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapTubes {
    /// Number of tunnels: 0 to 65535 (line.1).
    pub count: u32,
    /// Tunnels whose steps do not reach the exit (walk.1).
    pub broken: u32,
    /// The tunnels in order; keys are not read, so the first line is number 0 (line.1).
    pub tubes: Vec<Tube>,
    /// Lines that are no tunnel, which have a number all the same (fault.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub faults: Vec<TubeFault>,
}

/// A line that is no tunnel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TubeFault {
    /// Its place among the lines of the section, from 0.
    pub number: u32,
    /// Its key in the file.
    pub key: String,
    /// `bad_number`, `truncated`, `offset_out_of_range` or `bad_direction` (fault.1).
    pub why: String,
}

/// A tunnel.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tube {
    /// Its key in the file.
    pub key: String,
    /// Where it is entered (line.1).
    pub entry: TubeCell,
    /// Direction in which it is entered (line.1).
    pub facing: u8,
    /// Where it comes out (line.1).
    pub exit: TubeCell,
    /// Directions of its steps, at most 100 (steps.1).
    pub steps: Vec<u8>,
    /// Whether -1 ends them (steps.1).
    pub ended: bool,
    /// Numbers behind the end or the hundredth, which are not read.
    pub behind: u32,
    /// Where the steps lead from the entry (walk.1).
    pub reached: TubeCell,
    /// Whether that is the exit (walk.1).
    pub walk_ok: bool,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TubeCell {
    /// Toward the lower right.
    pub x: i32,
    /// Toward the lower left.
    pub y: i32,
}

/// Reads the tunnels of a map; one without the section has none.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `bad_count` for more than 65,535 lines in the section, or 1,000,000 lines of text. Lines
/// that are wrong are no error: they are listed. `EFBIG` beyond 32 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn map_tubes(input: &MapTubesInput) -> Result<MapTubes, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let lines = ini.find("Tubes").map(|section| section.entries.as_slice()).unwrap_or_default();
    if lines.len() > MOST_TUBES {
        return Err(fault("bad_count", format!("[Tubes] has more than {MOST_TUBES} lines")));
    }
    let (mut tubes, mut faults) = (Vec::new(), Vec::new());
    for (number, (key, value)) in lines.iter().enumerate() {
        match tube(key, value) {
            Ok(tube) => tubes.push(tube),
            Err(why) => {
                faults.push(TubeFault { number: number as u32, key: shown(key), why: why.to_owned() });
            }
        }
    }
    Ok(MapTubes {
        count: tubes.len() as u32,
        broken: tubes.iter().filter(|tube| !tube.walk_ok).count() as u32,
        tubes,
        faults,
    })
}

/// Reads a line, or tells what is wrong with it. The games' own splitter passes over empty pieces.
fn tube(key: &[u8], line: &[u8]) -> Result<Tube, &'static str> {
    let filled = pieces(line).filter(|piece| !piece.is_empty());
    let numbers: Vec<i32> = filled.map(whole_number).collect::<Option<_>>().ok_or("bad_number")?;
    let Some((&[entry_x, entry_y, facing, exit_x, exit_y], steps)) = numbers.split_first_chunk::<5>() else {
        return Err("truncated");
    };
    let (entry, exit) = (cell(entry_x, entry_y)?, cell(exit_x, exit_y)?);
    let facing = direction(facing)?;
    let taken = &steps[..steps.len().min(STEPS)];
    let end = taken.iter().position(|step| *step == -1);
    let taken = &taken[..end.unwrap_or(taken.len())];
    let behind = steps.len() - taken.len() - usize::from(end.is_some());
    let mut reached = entry;
    let mut directions = Vec::with_capacity(taken.len());
    for step in taken {
        let step = direction(*step)?;
        let (x, y) = DELTAS[usize::from(step)];
        reached = TubeCell { x: reached.x + x, y: reached.y + y };
        directions.push(step);
    }
    Ok(Tube {
        key: shown(key),
        entry,
        facing,
        exit,
        steps: directions,
        ended: end.is_some(),
        behind: behind as u32,
        reached,
        walk_ok: reached == exit,
    })
}

fn cell(x: i32, y: i32) -> Result<TubeCell, &'static str> {
    let inside = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
    if inside { Ok(TubeCell { x, y }) } else { Err("offset_out_of_range") }
}

fn direction(number: i32) -> Result<u8, &'static str> {
    u8::try_from(number).ok().filter(|direction| *direction < 8).ok_or("bad_direction")
}
