//! What a blast could meet: sorts, places and states of objects, and which of them make sense (capability
//! `simulate_area_damage`).

use super::one;
use super::simulate_area_damage::Outcome;
use assay_model::{Game, PortError, RealArg};
use schemars::JsonSchema;
use serde::Deserialize;

/// Leptons to a cell.
pub(super) const CELL: i32 = 256;
/// Largest coordinate: the last lepton of cell 32767.
const FARTHEST: i32 = 8_388_607;
/// Most cells of a building.
const MOST_CELLS: usize = 24;

/// Something that a blast could meet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaObject {
    /// What it is.
    pub kind: ObjectKind,
    /// Its coordinate, within the bounds of `impact`. Needed, but for buildings of YR, which have none.
    #[serde(default)]
    pub coord: Option<[i32; 3]>,
    /// Buildings only: the cells in whose lists it stands, x and y from 0 to 32767; 1 to 24 of them.
    #[serde(default)]
    #[schemars(length(max = 24))]
    pub cells: Vec<[u16; 2]>,
    /// Buildings of YR only: height of the middle of its cells in leptons, -8388607 to 8388607; default 0.
    #[serde(default)]
    #[schemars(range(min = -8_388_607, max = 8_388_607))]
    pub cell_z: i32,
    /// Where it is listed. Default ground.
    #[serde(default)]
    pub layer: Layer,
    /// Its state when its turn comes. Default sound.
    #[serde(default)]
    pub state: State,
    /// YR only: what makes it invulnerable. Default none.
    #[serde(default)]
    pub protection: Protection,
    /// `Verses` entry of the warhead for its armor, default 1; `"70%"` is rules text.
    #[serde(default = "one")]
    pub verses: RealArg,
}

/// Sorts of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// A vehicle or ship.
    Unit,
    /// A vehicle of the rules' list `HarvesterUnit`.
    Harvester,
    /// TS: a floating unit (`Jellyfish`).
    Floater,
    /// Infantry.
    Infantry,
    /// TS: infantry with `JumpJet`.
    JumpInfantry,
    /// Aircraft.
    Aircraft,
    /// A building.
    Building,
    /// A building with `InvisibleInGame`.
    HiddenBuilding,
}

impl ObjectKind {
    pub(super) fn building(self) -> bool {
        matches!(self, Self::Building | Self::HiddenBuilding)
    }
}

/// Lists of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The list of its cell.
    #[default]
    Ground,
    /// The list of the bridge over its cell.
    Deck,
    /// In the air, in no cell.
    Air,
}

/// Whether an object can be hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// In play.
    #[default]
    Sound,
    /// No longer alive.
    Dead,
    /// Not placed on the map.
    Unplaced,
    /// Without health.
    NoHealth,
    /// In limbo.
    Limbo,
}

/// YR: ways to be invulnerable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Protection {
    /// None.
    #[default]
    None,
    /// The iron curtain.
    IronCurtain,
    /// The force shield.
    ForceShield,
}

/// An error at a field of an object.
pub(super) fn at(index: usize, field: &str, message: impl Into<String>) -> PortError {
    PortError::invalid(format!("objects.{index}.{field}"), message.into())
}

/// Refuses a coordinate beyond the bounds that the schema states.
pub(super) fn on_the_grid(coord: [i32; 3], field: &str) -> Result<(), PortError> {
    let [x, y, z] = coord;
    let inside = |value: i32, low: i32| (low..=FARTHEST).contains(&value);
    if inside(x, 0) && inside(y, 0) && inside(z, -FARTHEST) {
        Ok(())
    } else {
        Err(PortError::invalid(field, "is beyond 8388607 leptons, or x or y is below 0"))
    }
}

impl AreaObject {
    pub(super) fn check(&self, game: Game, index: usize) -> Result<(), PortError> {
        let building = self.kind.building();
        if game == Game::Yr && matches!(self.kind, ObjectKind::Floater | ObjectKind::JumpInfantry) {
            return Err(at(index, "kind", "is a sort that only TS sweeps the air for"));
        }
        if game == Game::Ts && self.protection != Protection::None {
            return Err(at(index, "protection", "is read by YR only; leave it out for TS"));
        }
        let middle = building && game == Game::Yr;
        match self.coord {
            Some(_) if middle => return Err(at(index, "coord", "plays no part for a building in YR")),
            None if !middle => return Err(at(index, "coord", "is needed")),
            Some(coord) => on_the_grid(coord, &format!("objects.{index}.coord"))?,
            None => {}
        }
        if !middle && self.cell_z != 0 {
            return Err(at(index, "cell_z", "belongs to buildings of YR"));
        }
        on_the_grid([0, 0, self.cell_z], &format!("objects.{index}.cell_z"))?;
        if building != (1..=MOST_CELLS).contains(&self.cells.len()) || !building && !self.cells.is_empty() {
            return Err(at(index, "cells", "must be 1 to 24 for a building, and none for anything else"));
        }
        if self.cells.iter().flatten().any(|value| i32::from(*value) > FARTHEST / CELL) {
            return Err(at(index, "cells", "must be from 0 to 32767"));
        }
        if building && self.layer == Layer::Air {
            return Err(at(index, "layer", "cannot be the air for a building"));
        }
        Ok(())
    }

    /// The coordinate; a building of YR has none and is measured by its cells.
    pub(super) fn point(&self) -> [i32; 3] {
        self.coord.unwrap_or_default()
    }

    /// How often it stands in the list of a cell.
    pub(super) fn stands(&self, cell: [i32; 2]) -> usize {
        if self.kind.building() {
            self.cells.iter().filter(|at| at.map(i32::from) == cell).count()
        } else {
            let [x, y, _] = self.point();
            usize::from([x / CELL, y / CELL] == cell)
        }
    }

    /// What keeps the sweep for flyers from listing it, its distance aside.
    pub(super) fn grounded(&self) -> Option<Outcome> {
        match self.state {
            State::Dead => Some(Outcome::Dead),
            State::Unplaced => Some(Outcome::Unplaced),
            State::NoHealth => Some(Outcome::NoHealth),
            State::Sound | State::Limbo => None,
        }
    }

    /// What keeps it from being hit at its turn, its distance aside.
    pub(super) fn out_of_play(&self) -> Option<Outcome> {
        if self.state == State::Limbo { Some(Outcome::Limbo) } else { self.grounded() }
    }
}
