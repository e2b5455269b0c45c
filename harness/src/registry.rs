//! The one place where port, spec and suite meet.

use crate::bind::{self, Target};
use crate::load::known::{self, KnownFailure};
use crate::load::suite::{self, Parts, RawSuite};
use crate::lock::Line;
use crate::suite::{Key, Suite};
use assay_model::{Area, Files, Port, Problem, Rule};
use assay_oracles::{Oracle, Spec};
use rayon::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where the sources are, which every suite is read against.
const SOURCES: &str = "oracles/sources.toml";

/// Every capability with its spec and suite, and everything that is wrong with them. Immutable.
pub struct Registry {
    entries: Vec<Entry>,
    oracle: Arc<Oracle>,
    problems: Vec<Problem>,
    origin: String,
    corpus_digest: String,
    known: BTreeMap<String, KnownFailure>,
    lines: Vec<Line>,
    lock: Option<String>,
    kept: Kept,
}

/// What [`Registry::renew`] may use again.
#[derive(Default)]
struct Kept {
    /// Problems of the ports themselves.
    ports: Vec<Problem>,
    /// Digest of the specs side that the oracle was read from.
    specs: String,
    /// The golden files as read.
    parts: Parts,
    /// What binding found, in the order of the entries.
    bound: Vec<Bound>,
}

/// One suite as bound, and what it was bound from.
#[derive(Clone, Default)]
struct Bound {
    /// Digest of all that binding reads.
    key: String,
    suite: Option<Arc<Suite>>,
    problems: Vec<Problem>,
    /// Keys of the cases and sweeps whose derivations agree; those of the last time that there was anything to bind.
    sound: Arc<BTreeSet<Key>>,
}

/// One capability.
#[derive(Clone)]
pub struct Entry {
    /// The port.
    pub port: &'static dyn Port,
    /// Its input schema, generated once.
    pub input_schema: Value,
    /// Its breakdown schema, generated once.
    pub breakdown_schema: Value,
    /// The suite; `None` if there is none, or anything in it is wrong. The same suite for as long as nothing that binding
    /// reads changes.
    pub suite: Option<Arc<Suite>>,
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
        let mut kept = Kept::default();
        let entries = entries(ports, &mut kept.ports);
        Self::build(entries, &kept, None, specs, golden)
    }

    /// The registry of the same ports over other files. It is the one that [`Registry::new`] would make; suites of
    /// which nothing changed that binding reads (cases, vectors, spec, its tables, sources) are shared, not bound again;
    /// in the others only those derivations are evaluated that say, or read, something else than before.
    #[must_use]
    pub fn renew(&self, specs: &Files, golden: &Files) -> Self {
        Self::build(self.entries.clone(), &self.kept, Some(&self.oracle), specs, golden)
    }

    fn build(
        mut entries: Vec<Entry>,
        before: &Kept,
        oracle: Option<&Arc<Oracle>>,
        specs: &Files,
        golden: &Files,
    ) -> Self {
        let read = crate::digest::all(specs);
        let same = oracle.filter(|_| before.specs == read);
        let oracle = same.map_or_else(|| Arc::new(Oracle::load(specs)), Arc::clone);
        let (mut problems, ports) = (oracle.problems.clone(), before.ports.clone());
        let (raw, mut found, parts) = suite::load(golden, &before.parts);
        problems.append(&mut found);
        let (known, mut found) = known::load(golden);
        problems.append(&mut found);
        problems.extend(ports.iter().cloned());
        problems.append(&mut pairing(&entries, &oracle, golden));
        problems.append(&mut uncited(&oracle, &raw));
        let bound: Vec<Bound> = (entries.par_iter().enumerate())
            .map(|(index, entry)| bind(entry, &raw, &oracle, specs, before.bound.get(index)))
            .collect();
        for (entry, bound) in entries.iter_mut().zip(&bound) {
            entry.suite.clone_from(&bound.suite);
            problems.extend(bound.problems.iter().cloned());
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
            kept: Kept { ports, specs: read, parts, bound },
        };
        let mut gone = registry.unknown_failures(golden);
        registry.problems.append(&mut gone);
        registry.problems.sort();
        registry.problems.dedup();
        registry
    }

    /// Known failures that no suite has. A suite that does not load has ids that nobody can see; its entries are judged
    /// when it does.
    fn unknown_failures(&self, golden: &Files) -> Vec<Problem> {
        let ids: BTreeSet<&str> = self.ids().collect();
        let within = |id: &str, path: &str| id.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let hidden = |id: &str| self.entries.iter().any(|e| e.suite.is_none() && within(id, &e.path()));
        known::unknown_ids(golden, self.known.values(), |id| ids.contains(id) || hidden(id))
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
        let suites = self.entries.iter().filter_map(|entry| entry.suite.as_deref());
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

    pub(crate) fn known_failures(&self) -> &BTreeMap<String, KnownFailure> {
        &self.known
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
                "register it in ports/src/lib.rs; if it stands there, this binary is older: build again",
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
                "register it in ports/src/lib.rs; if it stands there, this binary is older: build again",
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

/// Binds one suite, or takes what was bound before from the same.
fn bind(entry: &Entry, raw: &[RawSuite], oracle: &Oracle, specs: &Files, before: Option<&Bound>) -> Bound {
    let spec = oracle.specs.get(entry.name()).filter(|spec| spec.area == entry.area());
    let raw = raw.iter().find(|raw| raw.capability == entry.name() && raw.area == entry.area());
    let key = key(spec, raw, specs);
    if let Some(before) = before.filter(|before| before.key == key) {
        return before.clone();
    }
    let sound = before.map(|before| Arc::clone(&before.sound)).unwrap_or_default();
    let Some(spec) = spec else { return Bound { key, sound, ..Bound::default() } };
    let mut problems: Vec<Problem> = bind::spec_games(entry.port.meta(), spec).into_iter().collect();
    problems.append(&mut bind::schema_defaults(spec, &entry.input_schema));
    let Some(raw) = raw else { return Bound { key, suite: None, problems, sound } };
    let target = Target {
        port: entry.port,
        input_schema: &entry.input_schema,
        breakdown_schema: &entry.breakdown_schema,
    };
    let known = bind::Known { ground: &ground(spec, specs), sound: &sound };
    let mut bound = bind::suite(raw, target, spec, oracle, known);
    problems.append(&mut bound.problems);
    Bound { key, suite: bound.suite.map(Arc::new), problems, sound: Arc::new(bound.sound) }
}

/// Digest of what every derivation of a spec is evaluated over. Its prose and its clauses are no part of that; of the
/// sources it matters only which tables they leave usable.
fn ground(spec: &Spec, specs: &Files) -> String {
    let Spec { defaults, defaults_by_game, constants, table_paths, .. } = spec;
    let mut hasher = blake3::Hasher::new();
    let bound =
        format!("{:?}", (defaults, defaults_by_game, constants, spec.tables.keys().collect::<Vec<_>>()));
    crate::digest::part(&mut hasher, bound.as_bytes());
    for path in table_paths.iter().map(String::as_str) {
        crate::digest::part(&mut hasher, path.as_bytes());
        crate::digest::part(&mut hasher, specs.texts.get(path).map_or(b"", |text| text.as_bytes()));
    }
    hasher.finalize().to_hex().to_string()
}

/// Digest of all that binding a suite reads. Ports do not change while a registry lives; the specs of the capabilities
/// that this one composes matter for its tier, and not here.
fn key(spec: Option<&Spec>, raw: Option<&RawSuite>, specs: &Files) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |name: &str, text: Option<&str>| {
        crate::digest::part(&mut hasher, name.as_bytes());
        crate::digest::part(&mut hasher, &[u8::from(text.is_some())]);
        crate::digest::part(&mut hasher, text.unwrap_or_default().as_bytes());
    };
    let text = |path: &str| specs.texts.get(path).map(String::as_str);
    if let Some(spec) = spec {
        part(&spec.path, Some(&spec.text));
        for path in spec.table_paths.iter().map(String::as_str).chain([SOURCES]) {
            part(path, text(path));
        }
    }
    if let Some(raw) = raw {
        part(&raw.path, Some(&raw.text));
        // What cannot be read is blank in the text, and still part of what the suite is.
        for text in &raw.hidden {
            part(&raw.path, Some(text));
        }
        for vectors in &raw.vectors {
            part(&vectors.path, Some(&vectors.digest));
        }
    }
    hasher.finalize().to_hex().to_string()
}
