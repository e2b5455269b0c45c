//! Which clauses have cases, and how strong each is. Plain data; serialised in field order.

use crate::report::CaseKind;
use crate::vocab::{Area, Game, Tier};
use serde::Serialize;
use std::collections::BTreeMap;

/// Clauses and their cases.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// The selection, as given.
    pub selection: String,
    /// Counts per area.
    pub areas: BTreeMap<Area, Covered>,
    /// Counts over all.
    pub total: Covered,
    /// Capabilities whose suite does not load, so that nothing of theirs is covered.
    pub broken: Vec<String>,
    /// A row a clause and game: first those that no passing case carries; then by area and capability, in the order of
    /// the spec.
    pub rows: Vec<CoverageRow>,
}

/// One clause in one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoverageRow {
    /// Area.
    pub area: Area,
    /// Capability.
    pub capability: String,
    /// Clause.
    pub clause: String,
    /// Its title.
    pub title: String,
    /// Game.
    pub game: Game,
    /// How well it is supported there.
    pub tier: Tier,
    /// Whether a passing case carries it: a computed or recorded one, a sweep or a vector.
    pub covered: bool,
    /// Its cases by kind; kinds without a case are left out.
    pub cases: BTreeMap<CaseKind, Tally>,
}

/// Cases of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All of them.
    pub total: u64,
    /// Those that pass.
    pub passing: u64,
}

/// Counts of clauses, each counted once a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// All of them.
    pub clauses: u64,
    /// Those that a passing case carries.
    pub covered: u64,
    /// Those of them that are verified.
    pub verified: u64,
}

impl Covered {
    /// Counts one more.
    pub fn add(&mut self, row: &CoverageRow) {
        self.clauses += 1;
        self.covered += u64::from(row.covered);
        self.verified += u64::from(row.covered && row.tier == Tier::Verified);
    }
}
