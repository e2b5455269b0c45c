//! Everything the judge knows, read from a set of files.

use crate::clause::Clause;
use crate::reader::Shape;
use crate::source::{SOURCES, Sources};
use crate::spec::{SPECS, Shelf, Spec};
use crate::table::{TABLES, tables};
use crate::tier::tier;
use assay_model::{Files, Game, Problem, Rule, Tier};
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
    /// Specs and tables that are there and cannot be used, by path, with their text.
    unread: BTreeMap<String, String>,
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
                    Rule::File,
                    SOURCES,
                    "the file is missing",
                    "every clause cites sources from it",
                ));
                Sources::default()
            }
        };
        let tables = tables(files, &sources, &mut problems);
        let mut unread: BTreeMap<String, String> = files
            .below(TABLES)
            .filter(|(path, _)| !tables.contains_key(*path))
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .collect();
        let shelf = Shelf { sources: &sources, tables: &tables, shape: &Shape::new() };
        let mut specs: BTreeMap<String, Spec> = BTreeMap::new();
        for (path, text) in files.below(SPECS) {
            let Some(spec) = Spec::read(path, text, &shelf, &mut problems) else {
                unread.insert(path.to_owned(), text.to_owned());
                continue;
            };
            match specs.get(&spec.capability) {
                Some(first) => {
                    let message =
                        format!("a second spec of `{}` (the first is {})", spec.capability, first.path);
                    let help = "a capability has one area and one spec";
                    problems.push(Problem::whole(Rule::Pairing, path, message, help));
                }
                None => {
                    specs.insert(spec.capability.clone(), spec);
                }
            }
        }
        problems.append(&mut strangers(&specs, &unread));
        problems.sort();
        let table_sources = tables.into_values().map(|table| table.source).collect();
        Self { sources, specs, problems, table_sources, unread }
    }

    /// Whether a spec is there, be it one that cannot be used; what is wrong with it has been told then.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.unread.contains_key(path) || self.specs.values().any(|spec| spec.path == path)
    }

    /// The tier of a clause for a game, computed from the sources it cites.
    #[must_use]
    pub fn tier(&self, clause: &Clause, game: Game) -> Tier {
        tier(clause.open.is_some(), game, clause.sources.iter().filter_map(|id| self.sources.get(id)))
    }

    /// The weakest clause tier of a capability in a game, the capabilities that it composes included: a result is worth
    /// no more than the rules it was made by. One that is not of the game has no part in the result there. `Initial` when a
    /// spec is missing or says nothing of the game.
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
            if name != capability && !spec.games.contains(&game) {
                continue;
            }
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
        // What cannot be read may well cite it.
        let hidden = |id: &str| self.unread.values().any(|text| text.contains(id));
        let uncited = self.sources.iter().filter(|source| !cited.contains(source.id.as_str()));
        let uncited = uncited.filter(|source| !hidden(&source.id));
        let mut problems: Vec<Problem> = uncited
            .map(|source| {
                let message = format!("nothing cites source `{}`", source.id);
                let help = "cite it in a clause, a table or a case, or take it out";
                Problem::placed(Rule::UncitedSource, SOURCES, (source.line, source.column), message, help)
            })
            .collect();
        problems.sort();
        problems
    }
}

/// A problem for each composed capability that has no spec.
fn strangers(specs: &BTreeMap<String, Spec>, unread: &BTreeMap<String, String>) -> Vec<Problem> {
    let hidden = |part: &str| unread.keys().any(|path| path.ends_with(&format!("/{part}.md")));
    let parts = specs.values().flat_map(|spec| spec.composes.iter().map(move |part| (spec, part)));
    let unknown = parts.filter(|(_, part)| !specs.contains_key(*part) && !hidden(part));
    unknown
        .map(|(spec, part)| {
            let message = format!("`composes` names `{part}`, which has no spec");
            let offset = spec.text.find(part.as_str()).unwrap_or(0);
            let help = "correct the name, or write that spec first";
            Problem::at(Rule::Composes, &spec.path, &spec.text, offset, message, help)
        })
        .collect()
}
