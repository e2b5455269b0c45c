//! The one place where port, spec and suite meet.

use crate::bind::{self, Target};
use crate::load::known::{self, KnownFailure};
use crate::load::suite::{self, RawSuite};
use crate::lock::Line;
use crate::suite::Suite;
use assay_model::{Area, Files, Port, Problem, Rule};
use assay_oracles::{Oracle, Spec};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Every capability with its spec and suite, and everything that is wrong with them. Immutable.
pub struct Registry {
    entries: Vec<Entry>,
    oracle: Oracle,
    problems: Vec<Problem>,
    origin: String,
    corpus_digest: String,
    known: BTreeMap<String, KnownFailure>,
    lines: Vec<Line>,
    lock: Option<String>,
}

/// One capability.
pub struct Entry {
    /// The port.
    pub port: &'static dyn Port,
    /// Its input schema, generated once.
    pub input_schema: Value,
    /// Its breakdown schema, generated once.
    pub breakdown_schema: Value,
    /// The suite; `None` if there is none, or anything in it is wrong.
    pub suite: Option<Suite>,
}

impl Entry {
    /// The capability's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.port.meta().name
    }

    /// The capability's area.
    #[must_use]
    pub fn area(&self) -> Area {
        self.port.meta().area
    }

    /// `area/capability`, the first parts of its case ids.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}/{}", self.area(), self.name())
    }
}

impl Registry {
    /// Binds ports to specs and suites, evaluating every derivation; suites in parallel. Never panics: whatever is
    /// wrong is in [`Registry::problems`], in file and line order.
    #[must_use]
    pub fn new(ports: &'static [&'static dyn Port], specs: &Files, golden: &Files) -> Self {
        let oracle = Oracle::load(specs);
        let mut problems = oracle.problems.clone();
        let (raw, mut found) = suite::load(golden);
        problems.append(&mut found);
        let (known, mut found) = known::load(golden);
        problems.append(&mut found);
        let mut entries = entries(ports, &mut problems);
        problems.append(&mut pairing(&entries, &oracle, golden));
        problems.append(&mut uncited(&oracle, &raw));
        let bound: Vec<_> = entries.par_iter().map(|entry| bind(entry, &raw, &oracle)).collect();
        for (entry, (suite, mut found)) in entries.iter_mut().zip(bound) {
            entry.suite = suite;
            problems.append(&mut found);
        }
        let mut registry = Self {
            entries,
            lines: raw
                .iter()
                .filter(|raw| !raw.is_broken())
                .map(|raw| Line::of(raw, oracle.specs.get(&raw.capability)))
                .collect(),
            oracle,
            problems,
            origin: golden.origin.clone(),
            corpus_digest: crate::digest::corpus(specs, golden),
            known,
            lock: golden.texts.get(crate::lock::PATH).cloned(),
        };
        let ids: BTreeSet<&str> = registry.ids().collect();
        // A suite that does not load has ids that nobody can see; its entries are judged when it does.
        let hidden =
            |id: &str| registry.entries.iter().any(|e| e.suite.is_none() && id.starts_with(&e.path()));
        let mut gone =
            known::unknown_ids(golden, registry.known.values(), |id| ids.contains(id) || hidden(id));
        registry.problems.append(&mut gone);
        registry.problems.sort();
        registry.problems.dedup();
        registry
    }

    /// The capabilities, by area and name.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The capability of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name() == name)
    }

    /// The spec of a capability.
    #[must_use]
    pub fn spec(&self, name: &str) -> Option<&Spec> {
        self.oracle.specs.get(name)
    }

    /// Everything wrong with specs, suites and how they fit the ports.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Where the golden side came from: `embedded` or a directory.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// blake3 over specs, sources, tables, cases and vectors, hex.
    #[must_use]
    pub fn corpus_digest(&self) -> &str {
        &self.corpus_digest
    }

    /// Sources, specs and tiers.
    #[must_use]
    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// Every id of a case, sweep or vector line, in registry order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let suites = self.entries.iter().filter_map(|entry| entry.suite.as_ref());
        suites.flat_map(|suite| {
            let cases = suite.cases.iter().map(|case| case.id.as_str());
            let sweeps = suite.sweeps.iter().map(|sweep| sweep.id.as_str());
            let vectors = suite.vectors.iter().flat_map(|file| &file.lines).map(|vector| vector.id.as_str());
            cases.chain(sweeps).chain(vectors)
        })
    }

    pub(crate) fn known(&self, id: &str) -> Option<&KnownFailure> {
        self.known.get(id)
    }

    /// What the lock should say, sorted.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The text of `golden/index.lock`.
    pub(crate) fn lock(&self) -> Option<&str> {
        self.lock.as_deref()
    }
}

/// The ports with their schemas, by area and name.
fn entries(ports: &'static [&'static dyn Port], problems: &mut Vec<Problem>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(ports.len());
    for port in ports {
        if entries.iter().any(|entry| entry.name() == port.meta().name) {
            let message = format!("`{}` is registered twice", port.meta().name);
            problems.push(Problem::whole(
                Rule::Pairing,
                "ports/src/lib.rs",
                message,
                "names are unique over all areas",
            ));
            continue;
        }
        let (input_schema, breakdown_schema) = (port.input_schema(), port.breakdown_schema());
        entries.push(Entry { port: *port, input_schema, breakdown_schema, suite: None });
    }
    entries.sort_by_key(|entry| (entry.area(), entry.name()));
    entries
}

/// Each port has a spec and a suite, each spec and each suite has a port, all three under the same area.
fn pairing(entries: &[Entry], oracle: &Oracle, golden: &Files) -> Vec<Problem> {
    let mut problems = Vec::new();
    for entry in entries {
        let (path, name) = (entry.path(), entry.name());
        let spec = format!("oracles/specs/{path}.md");
        if oracle.specs.get(name).is_none_or(|spec| spec.area != entry.area()) && !oracle.has_file(&spec) {
            let message = format!("is missing, so nothing says what port `{name}` should do");
            problems.push(Problem::whole(Rule::Pairing, spec, message, "write the spec"));
        }
        let cases = format!("golden/{path}/cases.toml");
        if !golden.texts.contains_key(&cases) {
            let message = format!("is missing, so nothing judges port `{name}`");
            problems.push(Problem::whole(Rule::Pairing, cases, message, "write the suite"));
        }
    }
    let registered =
        |area: &str, name: &str| entries.iter().any(|e| e.name() == name && e.area().as_str() == area);
    for spec in oracle.specs.values() {
        if !registered(spec.area.as_str(), &spec.capability) {
            let message = format!("no port is called `{}` in area {}", spec.capability, spec.area);
            problems.push(Problem::whole(
                Rule::Pairing,
                &spec.path,
                message,
                "register the port in ports/src/lib.rs",
            ));
        }
    }
    for (path, _) in golden.below("golden") {
        if let ["golden", area, capability, "cases.toml"] = path.split('/').collect::<Vec<_>>()[..]
            && !registered(area, capability)
        {
            let message = format!("no port is called `{capability}` in area {area}");
            problems.push(Problem::whole(
                Rule::Pairing,
                path,
                message,
                "register the port in ports/src/lib.rs",
            ));
        }
    }
    problems
}

/// Sources that neither a spec nor a suite cites.
fn uncited(oracle: &Oracle, raw: &[RawSuite]) -> Vec<Problem> {
    let cases = raw.iter().flat_map(|raw| raw.file.cases.iter().filter_map(|case| case.recorded.as_deref()));
    let vectors = raw.iter().flat_map(|raw| raw.vectors.iter().map(|file| file.header.source.as_str()));
    // Text that cannot be read may well cite a source whose id stands in it.
    let sources = oracle.sources.iter().map(|source| source.id.as_str());
    let hidden = sources.filter(|id| raw.iter().any(|raw| raw.hides(id)));
    oracle.uncited_sources(cases.chain(vectors).chain(hidden))
}

fn bind(entry: &Entry, raw: &[RawSuite], oracle: &Oracle) -> (Option<Suite>, Vec<Problem>) {
    let Some(spec) = oracle.specs.get(entry.name()).filter(|spec| spec.area == entry.area()) else {
        return (None, Vec::new());
    };
    let mut problems: Vec<Problem> = bind::spec_games(entry.port.meta(), spec).into_iter().collect();
    problems.append(&mut bind::schema_defaults(spec, &entry.input_schema));
    let Some(raw) = raw.iter().find(|raw| raw.capability == entry.name() && raw.area == entry.area()) else {
        return (None, problems);
    };
    let target = Target {
        port: entry.port,
        input_schema: &entry.input_schema,
        breakdown_schema: &entry.breakdown_schema,
    };
    let (suite, mut found) = bind::suite(raw, target, spec, oracle);
    problems.append(&mut found);
    (suite, problems)
}
