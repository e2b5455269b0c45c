//! `simulate_area_damage`: which objects a blast reaches, in what order, at what distance, and what its warhead leaves of each
//! hit.
//!
//! The engine writes a list first and hits its entries afterwards. The two games fill it differently: YR by the warhead's
//! own radius and without looking for what is listed already, TS within the neighbouring cells and each object once.

use super::area_object::{AreaObject, CELL, Layer, ObjectKind, Protection, State, at, on_the_grid};
use super::inspect_cell_spread::{CellSpread, CellSpreadInput, inspect_cell_spread};
use super::{compute_warhead_damage, max_damage, only, yes, yr};
use crate::math::compute_distance::{DistanceInput, compute_distance};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, RealArg};
use compute_warhead_damage::{WarheadDamage, WarheadDamageInput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_area_damage",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "Which objects a blast reaches, in what order and at what distance, and what the warhead leaves of each hit.",
    aliases: &[
        "Apply_area_damage",
        "Explosion_Damage",
        "DamageArea",
        "CellSpread",
        "splash damage",
        "area of effect",
        "AoE",
        "blast radius",
        "who is hit",
        "friendly fire",
        "iron curtain isolation",
        "InvisibleInGame",
        "HarvesterImmune",
    ],
    units: "coordinates and distances in leptons (256 to a cell, 104 to a level), damage in points",
    example: r#"{"impact":[2624,5312,0],"damage":100,"cell_spread":1.5,"objects":[{"kind":"infantry","coord":[2752,5312,0]},{"kind":"building","cells":[[11,20]]}]}"#,
};

/// The registered port.
pub static PORT: FnPort<AreaInput, AreaDamage> = FnPort::new(&META, simulate_area_damage);

/// Most objects of a call.
const MOST_OBJECTS: usize = 16;
/// Height above the ground from which a blast under a bridge is one on it: half the height of a bridge.
const HALF_BRIDGE: i32 = 208;
/// Leptons above a building that do not count.
const TWO_LEVELS: i32 = 208;
/// An iron curtain nearer than this isolates.
const NEAR: i32 = 85;
/// TS: reach of the sweep for flyers.
const SWEEP: i32 = 256;
/// TS: range of every blast.
const RANGE: i32 = 384;
/// TS: the cell of the impact, and its neighbours clockwise from the north.
const NEIGHBOURS: [[i32; 2]; 9] =
    [[0, 0], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
const LANDED: &str = "one of two readings of TS halves the distance of aircraft in the air only";

/// A blast and what it could meet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Where the blast is: x and y from 0 to 8388607, z from -8388607 to 8388607 leptons.
    pub impact: [i32; 3],
    /// Damage in points; negative heals.
    pub damage: i32,
    /// Whether there is a warhead at all. Default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
    /// Whether the scenario switches damage off (`Inert`). Default false.
    #[serde(default)]
    pub inert: bool,
    /// TS only: whether the warhead webs (`Webby`). Default false.
    #[serde(default)]
    pub webby: bool,
    /// YR only: `CellSpread`, radius in cells, a binary32, 0 up to the last one that takes ring 11, below 11.0100002;
    /// default 0.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub cell_spread: Option<RealArg>,
    /// YR only: `PercentAtMax`, factor left at the radius, any finite binary32, default 1.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub percent_at_max: Option<RealArg>,
    /// TS only: `Spread` of the warhead, default 1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub spread: Option<i32>,
    /// `MaxDamage` in points, default 1000 (stock TS 1000, stock YR 10000).
    #[serde(default = "max_damage")]
    pub max_damage: i32,
    /// TS only: `MinDamage` in points, default 1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 1))]
    pub min_damage: Option<i32>,
    /// Height of the ground under the impact in leptons, -8388607 to 8388607; default 0.
    #[serde(default)]
    #[schemars(range(min = -8_388_607, max = 8_388_607))]
    pub ground: i32,
    /// Whether the cell of the impact lies under a bridge. Default false.
    #[serde(default)]
    pub bridge: bool,
    /// Who caused the blast: an entry of `objects`, counted from 0. Default none of them.
    #[serde(default)]
    pub source: Option<u8>,
    /// YR only: whether the source's type, or the warhead, lets the source be hit in its cell. Default false.
    #[serde(default)]
    pub self_damage: bool,
    /// Whether the scenario makes harvesters immune (`HarvesterImmune`). Default false.
    #[serde(default)]
    pub harvester_immune: bool,
    /// What could be met, in the order of the engine's lists; up to 16 objects.
    #[schemars(length(max = 16))]
    pub objects: Vec<AreaObject>,
}

/// What keeps a blast from making a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AreaGate {
    /// Nothing.
    None,
    /// No damage (clauses gate.1, gate.2).
    NoDamage,
    /// An inert scenario (clauses gate.1, gate.2).
    Inert,
    /// No warhead (clauses gate.1, gate.2).
    NoWarhead,
}

/// Where an object was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sweep {
    /// In the sweep for flyers.
    Air,
    /// In the list of a cell.
    Cells,
}

/// Why an object is not listed, or not hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is hit.
    Hit,
    /// It caused the blast.
    Source,
    /// It is an immune harvester.
    Harvester,
    /// It is no longer alive.
    Dead,
    /// It is a building that the game does not show.
    Invisible,
    /// The blast stays with the invulnerable, and it is not.
    Isolated,
    /// It has no health left.
    NoHealth,
    /// It is not placed.
    Unplaced,
    /// It is in limbo.
    Limbo,
    /// It is beyond the radius.
    TooFar,
}

/// A blast. Without a list, everything but `gate` is empty.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AreaDamage {
    /// What keeps the blast from making a list.
    pub gate: AreaGate,
    /// Leptons that it reaches: inclusive in YR (clause radius.1), exclusive in TS (clause range.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<i32>,
    /// YR: outermost ring of cells (clause walk.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ring: Option<u32>,
    /// Number of cells that are looked at (clauses walk.1, walk.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<u32>,
    /// Cell of the impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<[i32; 2]>,
    /// Whether flyers are looked for (clauses air.1, air.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub air: Option<bool>,
    /// Whether the lists are those of the bridge (clause layer.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<bool>,
    /// YR: whether the blast stays with the invulnerable (clauses isolation.1, isolation.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolated: Option<bool>,
    /// What was met and not listed, in order (clauses air.1, air.2, filter.1, filter.2).
    pub skipped: Vec<Skipped>,
    /// The list, in the order of the hits (clauses walk.1, walk.2).
    pub records: Vec<Record>,
    /// Number of hits.
    pub hits: u32,
    /// Random draws: reaching objects needs none.
    pub draw_count: u64,
    /// Set where TS halves the distance of an aircraft on the ground (clause half.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// An object that was met and not listed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Skipped {
    /// Its place in `objects`.
    pub object: usize,
    /// Where it was met.
    pub sweep: Sweep,
    /// Why it is not listed.
    pub reason: Outcome,
}

/// An entry of the list. Stages that did not run are left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Record {
    /// Its place in `objects`.
    pub object: usize,
    /// Where it was met.
    pub sweep: Sweep,
    /// In which of the cells, in the order in which they are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// Distance by the engine's root, in leptons (clauses distance.1, building.1, building.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<i32>,
    /// The distance that an exact root would give, for comparison; no stage reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
    /// Distance that is listed (clauses building.1, building.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<i32>,
    /// Half of it, which counts for aircraft (clauses half.1, half.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halved: Option<i32>,
    /// What comes of it at its turn (clause turn.1).
    pub outcome: Outcome,
    /// What the warhead leaves of the damage at that distance, for an object without further defences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<WarheadDamage>,
}

/// A blast.
///
/// # Errors
/// `EINVAL` at the field for coordinates off the grid, for more objects or cells than the schema states, for objects of the
/// other game or with arguments that their sort does not have, for a source that is not listed, and for what
/// `inspect_cell_spread` and `compute_warhead_damage` refuse; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_area_damage(input: &AreaInput) -> Result<AreaDamage, PortError> {
    META.offers(input.game)?;
    input.check()?;
    let mut list = List::new(input)?;
    let gate = list.output.gate;
    match (gate, input.game) {
        (AreaGate::None, Game::Ts) => list.ts()?,
        (AreaGate::None, _) => list.yr()?,
        _ => {}
    }
    Ok(list.output)
}

impl AreaInput {
    fn check(&self) -> Result<(), PortError> {
        let game = self.game;
        only(Game::Ts, game, self.webby, "webby")?;
        only(Game::Ts, game, self.spread.is_some(), "spread")?;
        only(Game::Ts, game, self.min_damage.is_some(), "min_damage")?;
        only(Game::Yr, game, self.cell_spread.is_some(), "cell_spread")?;
        only(Game::Yr, game, self.percent_at_max.is_some(), "percent_at_max")?;
        only(Game::Yr, game, self.self_damage, "self_damage")?;
        on_the_grid(self.impact, "impact")?;
        on_the_grid([0, 0, self.ground], "ground")?;
        if self.objects.len() > MOST_OBJECTS {
            return Err(PortError::invalid("objects", "must be at most 16"));
        }
        if self.source.is_some_and(|source| usize::from(source) >= self.objects.len()) {
            return Err(PortError::invalid("source", "must be one of the objects"));
        }
        self.objects.iter().enumerate().try_for_each(|(index, object)| object.check(game, index))
    }

    fn gate(&self) -> AreaGate {
        let (nothing, ts) = (self.damage == 0, self.game == Game::Ts);
        if nothing && !ts {
            AreaGate::NoDamage
        } else if self.inert {
            AreaGate::Inert
        } else if !self.warhead_present {
            AreaGate::NoWarhead
        } else if nothing && !self.webby {
            AreaGate::NoDamage
        } else {
            AreaGate::None
        }
    }

    /// What the warhead leaves at a distance of one of the objects.
    fn kernel(&self, index: usize, distance: i32) -> Result<WarheadDamage, PortError> {
        let input = WarheadDamageInput {
            game: self.game,
            damage: self.damage,
            verses: self.objects[index].verses.clone(),
            cell_spread: self.cell_spread.clone(),
            percent_at_max: self.percent_at_max.clone(),
            spread: self.spread,
            min_damage: self.min_damage,
            distance,
            max_damage: self.max_damage,
            inert: false,
            warhead_present: true,
        };
        compute_warhead_damage::compute_warhead_damage(&input)
            .map_err(|error| if error.field == "verses" { at(index, "verses", error.message) } else { error })
    }
}

/// A blast while its list is made.
struct List<'a> {
    input: &'a AreaInput,
    spread: Option<CellSpread>,
    cell: [i32; 2],
    layer: Layer,
    output: AreaDamage,
}

impl<'a> List<'a> {
    /// An empty list; refuses what the ports would refuse that are called later.
    fn new(input: &'a AreaInput) -> Result<Self, PortError> {
        let ts = input.game == Game::Ts;
        let spread = if ts {
            None
        } else {
            let cell_spread = Some(input.cell_spread.clone().unwrap_or(RealArg::Held(0.0)));
            Some(inspect_cell_spread(&CellSpreadInput { game: input.game, cell_spread, sight: None })?)
        };
        if let Some(percent) = &input.percent_at_max {
            crate::rules::text::single(percent, "percent_at_max", input.game)?;
        }
        for index in 0..input.objects.len() {
            input.kernel(index, 0)?;
        }
        let gate = input.gate();
        let open = gate == AreaGate::None;
        let [x, y, z] = input.impact;
        let cell = [x / CELL, y / CELL];
        let deck = input.bridge && z > input.ground + HALF_BRIDGE;
        let radius = spread.as_ref().map_or(Some(RANGE), |spread| spread.radius);
        let cells = spread.as_ref().map_or(NEIGHBOURS.len() as u32, |spread| spread.cells);
        let output = AreaDamage {
            gate,
            radius: radius.filter(|_| open),
            ring: spread.as_ref().map(|spread| spread.ring).filter(|_| open),
            cells: open.then_some(cells),
            cell: open.then_some(cell),
            air: open.then_some(z > input.ground),
            deck: open.then_some(deck),
            isolated: (open && !ts).then_some(false),
            skipped: Vec::new(),
            records: Vec::new(),
            hits: 0,
            draw_count: 0,
            caveats: Vec::new(),
        };
        Ok(Self { input, spread, cell, layer: if deck { Layer::Deck } else { Layer::Ground }, output })
    }

    /// Distance from the impact, by the engine's root and by an exact one.
    fn measure(&self, to: [i32; 3], level_snap: bool) -> Result<(i32, i32), PortError> {
        let [dx, dy, dz] = std::array::from_fn(|axis| self.input.impact[axis] - to[axis]);
        let game = self.input.game;
        let input =
            DistanceInput { game, dx, dy, dz, planar: false, level_snap, building: None, target: true };
        let distance = compute_distance(&input)?;
        Ok((distance.result, distance.exact.unwrap_or(distance.result)))
    }

    fn skip(&mut self, object: usize, sweep: Sweep, reason: Outcome) {
        self.output.skipped.push(Skipped { object, sweep, reason });
    }

    /// Whether the scenario or the source keeps an object out of the list of a cell.
    fn spared(&self, index: usize) -> Option<Outcome> {
        let (input, object) = (self.input, &self.input.objects[index]);
        if !input.self_damage && input.source.map(usize::from) == Some(index) {
            Some(Outcome::Source)
        } else if input.game == Game::Yr && object.state == State::Dead {
            Some(Outcome::Dead)
        } else if input.harvester_immune && object.kind == ObjectKind::Harvester {
            Some(Outcome::Harvester)
        } else {
            None
        }
    }

    fn record(object: usize, sweep: Sweep, at: Option<usize>) -> Record {
        let (raw, exact, distance, halved, kernel) = (None, None, None, None, None);
        Record { object, sweep, at, raw, exact, distance, halved, outcome: Outcome::Hit, kernel }
    }

    /// A hit, if the distance allows it.
    fn hit(&mut self, record: &mut Record, within: bool, counted: i32) -> Result<(), PortError> {
        if !within {
            record.outcome = Outcome::TooFar;
            return Ok(());
        }
        record.kernel = Some(self.input.kernel(record.object, counted)?);
        self.output.hits += 1;
        Ok(())
    }

    fn yr(&mut self) -> Result<(), PortError> {
        let radius = self.output.radius.unwrap_or_default();
        let input = self.input;
        for (index, object) in input.objects.iter().enumerate() {
            if self.output.air != Some(true) || object.layer != Layer::Air {
                continue;
            }
            let (raw, exact) = self.measure(object.point(), false)?;
            match object.grounded().or((raw > radius).then_some(Outcome::TooFar)) {
                Some(reason) => self.skip(index, Sweep::Air, reason),
                None => self.list(index, None, Some((raw, exact)), raw),
            }
        }
        let offsets = self.spread.as_ref().map(|spread| spread.offsets.clone()).unwrap_or_default();
        for (place, [x, y]) in offsets.into_iter().enumerate() {
            let cell = [self.cell[0] + i32::from(x), self.cell[1] + i32::from(y)];
            for (index, object) in input.objects.iter().enumerate() {
                let times = if object.layer == self.layer { object.stands(cell) } else { 0 };
                for _ in 0..times {
                    self.meet(index, place, cell)?;
                }
            }
        }
        for mut record in std::mem::take(&mut self.output.records) {
            self.turn(&mut record, radius)?;
            self.output.records.push(record);
        }
        Ok(())
    }

    /// YR: an object in the list of a cell.
    fn meet(&mut self, index: usize, place: usize, cell: [i32; 2]) -> Result<(), PortError> {
        if let Some(reason) = self.spared(index) {
            self.skip(index, Sweep::Cells, reason);
            return Ok(());
        }
        let object = &self.input.objects[index];
        if !object.kind.building() {
            let measured = self.measure(object.point(), false)?;
            self.list(index, Some(place), Some(measured), measured.0);
            return Ok(());
        }
        let [x, y] = cell.map(|axis| axis * CELL + CELL / 2);
        if place == 0 && self.input.impact[2] - object.cell_z <= TWO_LEVELS {
            self.list(index, Some(place), None, 0);
            return Ok(());
        }
        let measured = self.measure([x, y, object.cell_z], false)?;
        let off = if place == 0 { TWO_LEVELS } else { 0 };
        self.list(index, Some(place), Some(measured), measured.0 - off);
        Ok(())
    }

    /// YR: adds to the list, and looks whether the blast is isolated.
    fn list(&mut self, index: usize, place: Option<usize>, measured: Option<(i32, i32)>, distance: i32) {
        let sweep = if place.is_some() { Sweep::Cells } else { Sweep::Air };
        let small = self.spread.as_ref().and_then(|spread| spread.wide) == Some(false);
        let curtain = self.input.objects[index].protection == Protection::IronCurtain;
        if small && curtain && distance < NEAR && place.unwrap_or(0) == 0 {
            self.output.isolated = Some(true);
        }
        let (raw, exact) = (measured.map(|it| it.0), measured.map(|it| it.1));
        let distance = Some(distance);
        self.output.records.push(Record { raw, exact, distance, ..Self::record(index, sweep, place) });
    }

    /// YR: the turn of an entry.
    fn turn(&mut self, record: &mut Record, radius: i32) -> Result<(), PortError> {
        let object = &self.input.objects[record.object];
        if object.kind == ObjectKind::HiddenBuilding {
            record.outcome = Outcome::Invisible;
        } else if self.output.isolated == Some(true) && object.protection == Protection::None {
            record.outcome = Outcome::Isolated;
        } else {
            if object.kind == ObjectKind::Aircraft && object.layer == Layer::Air {
                record.halved = record.distance.map(|distance| distance / 2);
            }
            let counted = record.halved.or(record.distance).unwrap_or_default();
            match object.out_of_play() {
                Some(outcome) => record.outcome = outcome,
                None => self.hit(record, counted <= radius, counted)?,
            }
        }
        Ok(())
    }

    fn ts(&mut self) -> Result<(), PortError> {
        let input = self.input;
        if self.output.air == Some(true) {
            for kind in [ObjectKind::Aircraft, ObjectKind::JumpInfantry, ObjectKind::Floater] {
                let flyers = input.objects.iter().enumerate().filter(|(_, object)| object.kind == kind);
                for (index, object) in flyers {
                    let far = self.measure(object.point(), false)?.0 >= SWEEP;
                    match object.grounded().or(far.then_some(Outcome::TooFar)) {
                        Some(reason) => self.skip(index, Sweep::Air, reason),
                        None => self.move_to_end(Self::record(index, Sweep::Air, None)),
                    }
                }
            }
        }
        let mut head = None;
        for (place, [x, y]) in NEIGHBOURS.into_iter().enumerate() {
            let cell = [self.cell[0] + x, self.cell[1] + y];
            for (index, object) in input.objects.iter().enumerate() {
                if object.layer != self.layer || object.stands(cell) == 0 {
                    continue;
                }
                if place == 0 {
                    head = head.or(Some(index));
                }
                match self.spared(index) {
                    Some(reason) => self.skip(index, Sweep::Cells, reason),
                    None => self.move_to_end(Self::record(index, Sweep::Cells, Some(place))),
                }
            }
        }
        for mut record in std::mem::take(&mut self.output.records) {
            self.turn_ts(&mut record, head)?;
            self.output.records.push(record);
        }
        Ok(())
    }

    /// TS: adds to the end of the list what may be in it already.
    fn move_to_end(&mut self, record: Record) {
        self.output.records.retain(|it| it.object != record.object);
        self.output.records.push(record);
    }

    /// TS: the turn of an entry.
    fn turn_ts(&mut self, record: &mut Record, head: Option<usize>) -> Result<(), PortError> {
        let object = &self.input.objects[record.object];
        if object.state == State::Dead {
            record.outcome = Outcome::Dead;
            return Ok(());
        }
        if object.kind == ObjectKind::HiddenBuilding {
            record.outcome = Outcome::Invisible;
            return Ok(());
        }
        record.distance = Some(0);
        if !object.kind.building() || head != Some(record.object) {
            let (raw, exact) = self.measure(object.point(), true)?;
            (record.raw, record.exact, record.distance) = (Some(raw), Some(exact), Some(raw));
        }
        if object.kind == ObjectKind::Aircraft {
            record.halved = record.distance.map(|distance| distance / 2);
            if object.layer != Layer::Air && self.output.caveats.is_empty() {
                self.output.caveats.push(Caveat::new("half.2", LANDED));
            }
        }
        let counted = record.halved.or(record.distance).unwrap_or_default();
        match object.out_of_play() {
            Some(outcome) => record.outcome = outcome,
            None => self.hit(record, counted < RANGE, counted)?,
        }
        Ok(())
    }
}
