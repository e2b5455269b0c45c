//! `simulate_emp_pulse`: what an electromagnetic pulse stuns, crashes or destroys, in order, with the draws of its sparks.

use super::{only, yes, yr};
use crate::math::compute_distance::{DistanceInput, compute_distance};
use crate::math::random::Generator;
use crate::rules::argument::within;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_emp_pulse",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "What an electromagnetic pulse stuns, crashes or destroys, in order, with the random draws of its sparks.",
    aliases: &[
        "EMPulse",
        "EMPulseClass",
        "EMEffect",
        "EMP",
        "electromagnetic pulse",
        "pulse cannon",
        "stun",
        "power off",
        "paralyzed",
        "EMPulseSparkles",
    ],
    units: "cells, leptons (256 to a cell), frames",
    example: r#"{"game":"TS","cell":[50,50],"spread":3,"duration":450,"seed":1,"objects":[{"kind":"unit","coord":[12900,12900,0]}]}"#,
};

/// The registered port.
pub static PORT: FnPort<PulseInput, Pulse> = FnPort::new(&META, simulate_emp_pulse);

/// Leptons to a cell.
const CELL: i32 = 256;
/// Last cell of the map's grid, and its last lepton.
const LAST_CELL: i32 = 511;
const LAST_LEPTON: i32 = 131_071;
/// Largest spread in cells.
const WIDEST: i32 = 32;
/// Most objects of a call, and most cells of a building.
const MOST_OBJECTS: usize = 16;
const MOST_CELLS: usize = 24;
const AGAIN: &str = "whether an aircraft that crashed is still found in its cell was not read";

/// A pulse and what it could meet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PulseInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// The cell that it spreads from, x and y from 0 to 511.
    pub cell: [i32; 2],
    /// Its radius in cells, 0 to 32.
    #[schemars(range(min = 0, max = 32))]
    pub spread: i32,
    /// How long it lasts, in frames.
    pub duration: i32,
    /// TS only: who caused it, an entry of `objects` counted from 0. Default none of them.
    #[serde(default)]
    pub source: Option<u8>,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
    /// What it could meet, in the order of the engine's lists; up to 16 objects. In YR, what stands in one cell comes in the
    /// order of its distance from the corner of that cell.
    #[schemars(length(max = 16))]
    pub objects: Vec<PulseObject>,
}

/// Something that a pulse could meet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PulseObject {
    /// What it is.
    pub kind: PulseKind,
    /// Its centre: x and y from 0 to 131071, z from -131071 to 131071 leptons.
    pub coord: [i32; 3],
    /// Buildings only: the cells that it stands on, x and y from 0 to 511; 1 to 24 of them.
    #[serde(default)]
    #[schemars(length(max = 24))]
    pub cells: Vec<[i32; 2]>,
    /// Where it is. Default ground.
    #[serde(default)]
    pub layer: PulseLayer,
    /// What keeps it out of play. Default nothing.
    #[serde(default)]
    pub state: PulseState,
    /// Whether it moves. Default false.
    #[serde(default)]
    pub moving: bool,
    /// Vehicles and aircraft: whether it has a locomotor. Default true.
    #[serde(default = "yes")]
    pub locomotor: bool,
}

/// Sorts of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PulseKind {
    /// A vehicle.
    Unit,
    /// YR: a vehicle whose type is exempt.
    ExemptUnit,
    /// TS: a vehicle with `CoreDefender`.
    CoreDefender,
    /// TS: a visceroid of either size.
    Visceroid,
    /// Aircraft.
    Aircraft,
    /// Infantry.
    Infantry,
    /// Infantry with `Cyborg`.
    Cyborg,
    /// A building.
    Building,
    /// A building with `InvisibleInGame`.
    HiddenBuilding,
    /// TS: a building that deploys into a vehicle and so sparks.
    Deployer,
    /// TS: a limpet mine.
    LimpetMine,
    /// TS: a building with `CoreDefender`.
    CoreBuilding,
}

impl PulseKind {
    fn building(self) -> bool {
        matches!(
            self,
            Self::Building | Self::HiddenBuilding | Self::Deployer | Self::LimpetMine | Self::CoreBuilding
        )
    }

    /// The game that alone has it.
    fn only_in(self) -> Option<Game> {
        match self {
            Self::ExemptUnit => Some(Game::Yr),
            Self::CoreDefender | Self::Visceroid | Self::Deployer | Self::LimpetMine | Self::CoreBuilding => {
                Some(Game::Ts)
            }
            _ => None,
        }
    }
}

/// Layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PulseLayer {
    /// On the ground.
    #[default]
    Ground,
    /// In the air.
    Air,
    /// Under the ground.
    Underground,
}

/// What keeps an object out of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PulseState {
    /// Nothing.
    #[default]
    Sound,
    /// It is not placed.
    Unplaced,
    /// It is in limbo.
    Limbo,
    /// It has no health left.
    NoHealth,
}

/// What a pulse does.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pulse {
    /// Whether it acts at all (clause gate.1).
    pub acts: bool,
    /// What it does, in order.
    pub events: Vec<Event>,
    /// Random draws (clauses spark.1, spark.2).
    pub draw_count: u64,
    /// Set where an aircraft crashes and is met again (clause crash.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Searches of a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// The list of aircraft (clause crash.1).
    Aircraft,
    /// TS: the layer under the ground (clause underground.1).
    Underground,
    /// The cells (clauses cells.1, cells.2).
    Cells,
}

/// Effects on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PulseEffect {
    /// It crashes.
    Crash,
    /// It stands still for the duration.
    Stun,
    /// It is destroyed.
    Destroy,
}

/// One thing that a pulse does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Event {
    /// Its place in `objects`.
    pub object: usize,
    /// Where it was met.
    pub search: Search,
    /// What happens to it.
    pub effect: PulseEffect,
    /// Aircraft: its distance in leptons (clause crash.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<i32>,
    /// Whether it was moving and is stopped.
    pub stopped: bool,
    /// Delay of its sparks in frames, 0 to 25 (clauses spark.1, spark.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
}

/// A pulse.
///
/// # Errors
/// `EINVAL` at the field for a cell off the grid, a spread outside 0 to 32, more objects or cells than the schema states, a
/// source that is not listed or given for YR, and objects that the game does not have or that cannot be where they are;
/// `EOPNOTSUPP` for a game without evidence.
pub fn simulate_emp_pulse(input: &PulseInput) -> Result<Pulse, PortError> {
    META.offers(input.game)?;
    input.check()?;
    let mut run = Run {
        input,
        generator: Generator::seeded(input.game, input.seed),
        pulse: Pulse { acts: input.duration > 0, events: Vec::new(), draw_count: 0, caveats: Vec::new() },
    };
    if run.pulse.acts {
        run.aircraft()?;
        if input.game == Game::Ts {
            run.underground();
        }
        run.cells();
    }
    run.pulse.draw_count = run.generator.draws();
    Ok(run.pulse)
}

impl PulseInput {
    fn check(&self) -> Result<(), PortError> {
        only(Game::Ts, self.game, self.source.is_some(), "source")?;
        for axis in self.cell {
            within(axis, "cell", 0, LAST_CELL)?;
        }
        within(self.spread, "spread", 0, WIDEST)?;
        if self.objects.len() > MOST_OBJECTS {
            return Err(PortError::invalid("objects", "must be at most 16"));
        }
        if self.source.is_some_and(|source| usize::from(source) >= self.objects.len()) {
            return Err(PortError::invalid("source", "must be one of the objects"));
        }
        self.objects.iter().enumerate().try_for_each(|(index, object)| object.check(self.game, index))
    }
}

impl PulseObject {
    fn check(&self, game: Game, index: usize) -> Result<(), PortError> {
        let at = |field: &str| format!("objects.{index}.{field}");
        if self.kind.only_in().is_some_and(|owner| owner != game) {
            return Err(PortError::invalid(at("kind"), format!("is not a sort of {game}")));
        }
        let [x, y, z] = self.coord;
        within(x, &at("coord"), 0, LAST_LEPTON)?;
        within(y, &at("coord"), 0, LAST_LEPTON)?;
        within(z, &at("coord"), -LAST_LEPTON, LAST_LEPTON)?;
        let (building, cells) = (self.kind.building(), self.cells.len());
        if building && !(1..=MOST_CELLS).contains(&cells) || !building && cells > 0 {
            return Err(PortError::invalid(at("cells"), "must be 1 to 24 for a building, and none else"));
        }
        for axis in self.cells.iter().flatten() {
            within(*axis, &at("cells"), 0, LAST_CELL)?;
        }
        let grounded = building && self.layer != PulseLayer::Ground;
        let dug_in = self.kind == PulseKind::Aircraft && self.layer == PulseLayer::Underground;
        if grounded || dug_in {
            return Err(PortError::invalid(at("layer"), "is no place for this sort of object"));
        }
        Ok(())
    }

    fn cell(&self) -> [i32; 2] {
        [self.coord[0] / CELL, self.coord[1] / CELL]
    }

    /// Whether it is in a list of the map at all.
    fn placed(&self) -> bool {
        matches!(self.state, PulseState::Sound | PulseState::NoHealth)
    }
}

/// A pulse at work.
struct Run<'a> {
    input: &'a PulseInput,
    generator: Generator,
    pulse: Pulse,
}

impl Run<'_> {
    /// Aircraft on the ground crash.
    fn aircraft(&mut self) -> Result<(), PortError> {
        let [x, y] = self.input.cell.map(|axis| axis * CELL + CELL / 2);
        for (object, it) in self.input.objects.iter().enumerate() {
            let parked = it.layer != PulseLayer::Air && it.state == PulseState::Sound;
            if it.kind != PulseKind::Aircraft || !parked {
                continue;
            }
            let [dx, dy, dz] = [it.coord[0] - x, it.coord[1] - y, it.coord[2]];
            let (game, planar, level_snap) = (self.input.game, false, false);
            let input = DistanceInput { game, dx, dy, dz, planar, level_snap, building: None, target: true };
            let distance = compute_distance(&input)?.result;
            if distance < self.input.spread * CELL {
                let (search, effect) = (Search::Aircraft, PulseEffect::Crash);
                let distance = Some(distance);
                self.pulse.events.push(Event {
                    object,
                    search,
                    effect,
                    distance,
                    stopped: false,
                    roll: None,
                });
            }
        }
        Ok(())
    }

    /// TS: what is under the ground stands still.
    fn underground(&mut self) {
        let [x, y] = self.input.cell;
        for (object, it) in self.input.objects.iter().enumerate() {
            let [dx, dy] = [it.cell()[0] - x, it.cell()[1] - y];
            let near = dx * dx + dy * dy < self.input.spread * self.input.spread;
            if it.layer == PulseLayer::Underground && it.placed() && near {
                self.stun(object, Search::Underground, true);
            }
        }
    }

    /// The cells, row by row from the north, each from the west. Beyond the grid nothing stands.
    fn cells(&mut self) {
        let (spread, [x, y]) = (self.input.spread, self.input.cell);
        for dy in -spread..=spread {
            for dx in -spread..=spread {
                if dx * dx + dy * dy <= spread * spread {
                    self.cell([x + dx, y + dy]);
                }
            }
        }
    }

    fn cell(&mut self, cell: [i32; 2]) {
        let input = self.input;
        let placed = || input.objects.iter().enumerate().filter(|(_, it)| it.placed());
        if let Some((object, it)) = placed().find(|(_, it)| it.cells.contains(&cell)) {
            if it.cell() == cell {
                self.building(object, it.kind);
            }
            return;
        }
        let here = placed()
            .filter(|(_, it)| it.layer == PulseLayer::Ground && !it.kind.building() && it.cell() == cell);
        // YR takes one object of a cell.
        let most = if input.game == Game::Yr { 1 } else { MOST_OBJECTS };
        for (object, it) in here.take(most) {
            let source = input.source.map(usize::from) == Some(object);
            let stuns = match it.kind {
                PulseKind::Unit | PulseKind::Aircraft => it.locomotor && !source,
                PulseKind::Cyborg => input.game == Game::Ts,
                _ => false,
            };
            if stuns {
                self.stun(object, Search::Cells, true);
            }
        }
    }

    fn building(&mut self, object: usize, kind: PulseKind) {
        match kind {
            PulseKind::LimpetMine => {
                let (search, effect) = (Search::Cells, PulseEffect::Destroy);
                self.pulse.events.push(Event {
                    object,
                    search,
                    effect,
                    distance: None,
                    stopped: false,
                    roll: None,
                });
            }
            PulseKind::Building | PulseKind::Deployer => {
                self.stun(object, Search::Cells, kind == PulseKind::Deployer);
            }
            _ => {}
        }
    }

    /// Stops an object for the duration.
    fn stun(&mut self, object: usize, search: Search, sparks: bool) {
        let it = &self.input.objects[object];
        if self.pulse.caveats.is_empty() && self.pulse.events.iter().any(|event| event.object == object) {
            self.pulse.caveats.push(Caveat::new("crash.1", AGAIN));
        }
        let roll = sparks.then(|| self.generator.pick(0, 25).value);
        let stopped = it.moving && !it.kind.building();
        let effect = PulseEffect::Stun;
        self.pulse.events.push(Event { object, search, effect, distance: None, stopped, roll });
    }
}
