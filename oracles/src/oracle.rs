//! Everything the judge knows, read from a set of files.

use crate::clause::Clause;
use crate::reader::Shape;
use crate::source::{SOURCES, Sources};
use crate::spec::{SPECS, Shelf, Spec};
use crate::table::tables;
use crate::tier::tier;
use assay_model::{Files, Game, Problem, Tier};
use std::collections::{BTreeMap, BTreeSet};

/// Sources and specs, and what is wrong with them.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    /// `oracles/sources.toml`.
    pub sources: Sources,
    /// Specs by capability.
    pub specs: BTreeMap<String, Spec>,
    /// Every problem found while loading, by file, line and column.
    pub problems: Vec<Problem>,
    /// Sources of tables.
    table_sources: BTreeSet<String>,
}

impl Oracle {
    /// Reads `oracles/sources.toml`, `oracles/specs/<area>/<capability>.md` and `oracles/tables/<name>.json` of `files`.
    /// Every problem is collected; what can be used is there all the same.
    #[must_use]
    pub fn load(files: &Files) -> Self {
        let mut problems = Vec::new();
        let sources = match files.texts.get(SOURCES) {
            Some(text) => Sources::read(text, &mut problems),
            None => {
                problems.push(Problem::whole(
                    SOURCES,
                    "the file is missing",
                    "every clause cites sources from it",
                ));
                Sources::default()
            }
        };
        let tables = tables(files, &sources, &mut problems);
        let shelf = Shelf { sources: &sources, tables: &tables, shape: &Shape::new() };
        let mut specs: BTreeMap<String, Spec> = BTreeMap::new();
        for (path, text) in files.below(SPECS) {
            let Some(spec) = Spec::read(path, text, &shelf, &mut problems) else { continue };
            match specs.get(&spec.capability) {
                Some(first) => {
                    let message =
                        format!("a second spec of `{}` (the first is {})", spec.capability, first.path);
                    problems.push(Problem::whole(path, message, "a capability has one area and one spec"));
                }
                None => {
                    specs.insert(spec.capability.clone(), spec);
                }
            }
        }
        problems.append(&mut strangers(&specs));
        problems.sort();
        let table_sources = tables.into_values().map(|table| table.source).collect();
        Self { sources, specs, problems, table_sources }
    }

    /// The tier of a clause for a game, computed from the sources it cites.
    #[must_use]
    pub fn tier(&self, clause: &Clause, game: Game) -> Tier {
        tier(clause.open.is_some(), game, clause.sources.iter().filter_map(|id| self.sources.get(id)))
    }

    /// The weakest clause tier of a capability in a game, the capabilities that it composes included: a result is worth
    /// no more than the rules it was made by. `Initial` when a spec is missing or says nothing of the game.
    #[must_use]
    pub fn weakest(&self, capability: &str, game: Game) -> Tier {
        let mut weakest = Tier::Verified;
        let mut seen = BTreeSet::new();
        let mut waiting = vec![capability];
        while let Some(name) = waiting.pop() {
            // Specs that compose each other in a circle are followed once.
            if !seen.insert(name) {
                continue;
            }
            let Some(spec) = self.specs.get(name) else { return Tier::Initial };
            let holding = spec.clauses.iter().filter(|clause| clause.games.contains(&game));
            let tier = holding.map(|clause| self.tier(clause, game)).min();
            weakest = weakest.min(tier.unwrap_or(Tier::Initial));
            waiting.extend(spec.composes.iter().map(String::as_str));
        }
        weakest
    }

    /// A problem for each source that neither a clause nor a table cites, nor a case, of which the caller knows.
    #[must_use]
    pub fn uncited_sources<'a>(&'a self, cited_by_cases: impl IntoIterator<Item = &'a str>) -> Vec<Problem> {
        let clauses = self.specs.values().flat_map(|spec| &spec.clauses);
        let by_clauses =
            clauses.flat_map(|clause| &clause.sources).chain(&self.table_sources).map(String::as_str);
        let cited: BTreeSet<&str> = by_clauses.chain(cited_by_cases).collect();
        let uncited = self.sources.iter().filter(|source| !cited.contains(source.id.as_str()));
        let mut problems: Vec<Problem> = uncited
            .map(|source| Problem {
                file: SOURCES.to_owned(),
                line: source.line,
                column: source.column,
                message: format!("nothing cites source `{}`", source.id),
                help: "cite it in a clause, a table or a case, or take it out".to_owned(),
            })
            .collect();
        problems.sort();
        problems
    }
}

/// A problem for each composed capability that has no spec.
fn strangers(specs: &BTreeMap<String, Spec>) -> Vec<Problem> {
    let parts = specs.values().flat_map(|spec| spec.composes.iter().map(move |part| (spec, part)));
    let unknown = parts.filter(|(_, part)| !specs.contains_key(*part));
    unknown
        .map(|(spec, part)| {
            let message = format!("`composes` names `{part}`, which has no spec");
            let offset = spec.text.find(part.as_str()).unwrap_or(0);
            Problem::at(&spec.path, &spec.text, offset, message, "correct the name, or write that spec first")
        })
        .collect()
}
