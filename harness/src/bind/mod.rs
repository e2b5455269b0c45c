//! Puts a suite beside its port and spec, and evaluates what it derives. Problems, never panics; every one of them.

mod case;
mod derivation;
mod entry;
mod sweep;
mod vectors;

use crate::load::suite::RawSuite;
use crate::locate::{Locator, Path};
use crate::suite::{Key, Suite};
use assay_model::{Game, Port, Problem, Rule, Tree};
use assay_oracles::{Oracle, Spec};
use derivation::Shared;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};

pub(crate) use derivation::scope;
pub(crate) use entry::{schema_defaults, spec_games};

/// Points of one sweep at most; more is an experiment, not a gate.
pub const MAX_POINTS: u64 = 2_000_000;

/// A port with its schemas, which cost too much to ask for again and again.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub port: &'static dyn Port,
    pub input_schema: &'a Value,
    pub breakdown_schema: &'a Value,
}

/// What is known of derivations before a suite is bound: those whose keys are here have been evaluated, and agreed.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Digest of what every derivation of the suite is evaluated over: defaults, constants, tables.
    pub ground: &'a str,
    /// Keys of cases and sweeps.
    pub sound: &'a BTreeSet<Key>,
}

/// What came of binding a suite.
pub(crate) struct Outcome {
    /// `None` if there is any problem in it: a suite that is not whole vouches for nothing.
    pub suite: Option<Suite>,
    pub problems: Vec<Problem>,
    /// Keys of the cases and sweeps whose derivations agree, be there problems elsewhere.
    pub sound: BTreeSet<Key>,
}

/// Binds one suite. Derivations that are known to agree are not evaluated again.
pub(crate) fn suite(raw: &RawSuite, target: Target, spec: &Spec, oracle: &Oracle, known: Known) -> Outcome {
    let mut binder = Binder {
        raw,
        target,
        spec,
        oracle,
        locator: Locator::new(&raw.path, &raw.text),
        problems: Vec::new(),
        shared: Shared::default(),
        known,
        sound: BTreeSet::new(),
    };
    binder.shared = binder.shared();
    binder.ids();
    let cases = raw.cases().filter_map(|(index, entry)| binder.case(index, entry)).collect();
    let sweeps = raw.sweeps().filter_map(|(index, entry)| binder.sweep(index, entry)).collect();
    for half in raw.halves.iter() {
        binder.claims(&[&half.table, &half.index], half.game, &half.clause);
    }
    let vectors = raw.vectors.iter().map(|vectors| binder.vectors(vectors)).collect();
    binder.unused();
    binder.coverage();
    let (problems, sound) = (binder.problems, binder.sound);
    let suite = Suite {
        path: raw.path.clone(),
        cases,
        sweeps,
        vectors,
        removed: raw.file.removed.clone(),
        derivations: raw.file.derivations.clone(),
        text: raw.text.clone(),
    };
    let whole = problems.is_empty() && !raw.is_broken();
    Outcome { suite: whole.then_some(suite), problems, sound }
}

struct Binder<'a> {
    raw: &'a RawSuite,
    target: Target<'a>,
    spec: &'a Spec,
    oracle: &'a Oracle,
    locator: Locator<'a>,
    problems: Vec<Problem>,
    shared: Shared,
    known: Known<'a>,
    sound: BTreeSet<Key>,
}

impl Binder<'_> {
    /// The key of something that a file says, with its derivation. A type that derives `Debug` shows all of itself.
    fn key(&self, says: &dyn Debug, derivation: &str) -> Key {
        let mut hasher = blake3::Hasher::new();
        for part in [self.known.ground, &format!("{says:?}"), derivation] {
            crate::digest::part(&mut hasher, part.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }

    /// Notes a key as sound, if the checks since there were `before` problems found none. Over a spec that is not sound
    /// nothing is evaluated, and nothing found is no finding.
    fn holds(&mut self, key: Key, before: usize) {
        if self.problems.len() == before && self.spec.sound {
            self.sound.insert(key);
        }
    }

    fn wrong(&mut self, rule: Rule, path: Path, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(self.locator.problem(rule, path, message, help));
    }

    /// `area/capability/case` of an id in this suite.
    fn full(&self, id: &str) -> String {
        format!("{}/{}/{id}", self.raw.area, self.raw.capability)
    }

    /// Cases, sweeps and tombstones share one space of ids.
    fn ids(&mut self) {
        let raw = self.raw;
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let cases = raw.cases().map(|(index, entry)| ("case", index, entry.id.as_str()));
        let sweeps = raw.sweeps().map(|(index, entry)| ("sweep", index, entry.id.as_str()));
        let removed = raw.removed().map(|(index, entry)| ("removed", index, entry.id.as_str()));
        let halves = raw.halves.iter().map(|half| (half.table, half.index, half.id.as_str()));
        for (table, index, id) in removed.chain(cases).chain(sweeps).chain(halves) {
            if !crate::load::is_id(id) {
                self.wrong(
                    Rule::BadId,
                    &[&table, &index, &"id"],
                    format!("`{id}` is no id"),
                    "lower-case words joined by `-`",
                );
            }
            match seen.insert(id, table) {
                None => {}
                Some("removed") => {
                    let help = "ids are never used again; choose another";
                    self.wrong(Rule::ReusedId, &[&table, &index, &"id"], format!("`{id}` was removed"), help);
                }
                Some(_) => {
                    let help = "ids are unique in their suite";
                    self.wrong(
                        Rule::DuplicateId,
                        &[&table, &index, &"id"],
                        format!("`{id}` is used twice"),
                        help,
                    );
                }
            }
        }
        for (index, entry) in raw.removed() {
            if entry.reason.trim().is_empty() {
                self.wrong(
                    Rule::Tombstone,
                    &[&"removed", &index, &"reason"],
                    format!("`{}` has no reason", entry.id),
                    "say why it went",
                );
            }
        }
    }

    /// The game is one that the port offers, and each clause is of the spec and holds for it.
    fn claims(&mut self, place: Path, game: Game, clauses: &[String]) {
        let at = |key: &'static &'static str| [place, &[key as &dyn Display]].concat();
        let (spec, meta) = (self.spec, self.target.port.meta());
        if !meta.games.contains(&game) {
            let games: Vec<_> = meta.games.iter().map(|game| game.as_str()).collect();
            let message = format!("`{}` is not offered for {game}", meta.name);
            self.wrong(
                Rule::UnknownGame,
                &at(&"game"),
                message,
                format!("it is offered for {}", games.join(", ")),
            );
        }
        if clauses.is_empty() {
            self.wrong(
                Rule::UnknownClause,
                &at(&"clause"),
                "no clause is named",
                "name the clauses that it exercises",
            );
        }
        for (index, id) in clauses.iter().enumerate() {
            let place = [&at(&"clause")[..], &[&index as &dyn Display]].concat();
            match spec.clause(id) {
                None => {
                    let known = spec.clauses.iter().map(|clause| clause.id.as_str());
                    let near = crate::nearest::nearest(id, known, 3).join("`, `");
                    let help = if near.is_empty() { spec.path.clone() } else { format!("nearest: `{near}`") };
                    self.wrong(Rule::UnknownClause, &place, format!("the spec has no clause `{id}`"), help);
                }
                Some(clause) if !clause.games.contains(&game) => {
                    let message = format!("clause `{id}` does not hold for {game}");
                    self.wrong(
                        Rule::ClauseOfAnotherGame,
                        &place,
                        message,
                        format!("see {}:{}", spec.path, clause.line),
                    );
                }
                Some(_) => {}
            }
        }
    }

    /// A source that is known, and evidence for the game.
    fn source(&mut self, id: &str, game: Game) -> Result<(), (Rule, String, String)> {
        match self.oracle.sources.get(id) {
            None => {
                let known = self.oracle.sources.iter().map(|source| source.id.as_str());
                let near = crate::nearest::meant(id, known);
                let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? otherwise "));
                let help = format!("{near}add it to oracles/sources.toml");
                Err((Rule::UnknownSource, format!("`{id}` is no source"), help))
            }
            Some(source) if !source.games.contains(&game) => {
                let help = "see `games` in oracles/sources.toml".to_owned();
                Err((Rule::SourceOfAnotherGame, format!("source `{id}` is no evidence for {game}"), help))
            }
            Some(_) => Ok(()),
        }
    }

    /// Arguments as the port takes them, with the game where it takes one.
    fn arguments(&self, input: &Tree, game: Game) -> Result<Vec<(String, Tree)>, String> {
        let Tree::Map(_) = input else { return Err("the input is no table".to_owned()) };
        let mut arguments = input.clone().integral().entries().to_vec();
        let given = input.get("game");
        if given.is_some_and(|given| given.as_str() != Some(game.as_str())) {
            return Err(format!("the input says another game than {game}"));
        }
        if given.is_none() && self.target.input_schema.pointer("/properties/game").is_some() {
            arguments.insert(0, ("game".to_owned(), Tree::Text(game.as_str().to_owned())));
        }
        Ok(arguments)
    }

    /// A game is listed only if it has cases, and a suite without any judges nothing.
    fn coverage(&mut self) {
        // What does not load may well cover it.
        if self.raw.is_broken() {
            return;
        }
        let file = &self.raw.file;
        let cases = file.cases.iter().map(|entry| entry.game);
        let sweeps = file.sweeps.iter().map(|entry| entry.game);
        let covered: BTreeSet<Game> =
            cases.chain(sweeps).chain(self.raw.vectors.iter().map(|vectors| vectors.header.game)).collect();
        if covered.is_empty() {
            self.wrong(
                Rule::Coverage,
                &[],
                "the suite has no case",
                "a capability is judged by cases; add one",
            );
            return;
        }
        for game in self.target.port.meta().games {
            if !covered.contains(game) {
                let message = format!("`{}` lists {game}, and no case is of that game", self.raw.capability);
                self.wrong(
                    Rule::Coverage,
                    &[],
                    message,
                    "add cases, or take the game off the port and the spec",
                );
            }
        }
    }
}
