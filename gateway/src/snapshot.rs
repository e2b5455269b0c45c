//! One immutable state of ports, specs and cases, and everything that is worth reckoning only once.

use crate::control::Control;
use crate::corpus::Corpus;
use crate::envelope::{Refusal, Reply, tree};
use crate::search::{Document, Index};
use crate::surface::Tool;
use crate::tools::dispatch_with;
use crate::validate::Checked;
use assay_harness::{Options, Registry, Selection, date, verify};
use assay_model::{Game, Port, Problem, Standing, Status, Tier, Tree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// What a reply comes from.
pub struct Snapshot {
    sequence: u64,
    ut: u64,
    registry: Registry,
    index: Index,
    notes: Vec<String>,
    /// By name; each part is made when first asked for, because no session asks for all of them.
    prepared: BTreeMap<&'static str, Prepared>,
}

#[derive(Default)]
struct Prepared {
    checked: OnceLock<Result<Checked, String>>,
    schema: OnceLock<Tree>,
    standing: OnceLock<Option<Standing>>,
}

impl Snapshot {
    /// Binds ports to a corpus. `sequence` starts at 1.
    #[must_use]
    pub fn new(ports: &'static [&'static dyn Port], corpus: &Corpus, sequence: u64) -> Self {
        let registry = Registry::new(ports, &corpus.specs, &corpus.golden);
        let documents: Vec<Document<'_>> =
            registry.entries().iter().map(|entry| Document::of(entry.port.meta())).collect();
        let index = Index::new(&documents);
        let prepared = registry.entries().iter().map(|entry| (entry.name(), Prepared::default())).collect();
        // A clock before 1970 is no reason to fail.
        let ut = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        Self { sequence, ut, registry, index, notes: corpus.notes.clone(), prepared }
    }

    /// Sequence number, from 1.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// When it was published, in seconds since 1970.
    #[must_use]
    pub const fn ut(&self) -> u64 {
        self.ut
    }

    /// Ports, specs and suites. Entry `n` is document `n` of the search index.
    #[must_use]
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The search index.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// Remarks on the corpus itself, such as that a checkout differs from it.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How suites are run: known failures expire by the day of the snapshot.
    #[must_use]
    pub fn options(&self) -> Options {
        Options { today: Some(date::of(self.ut)), ..Options::default() }
    }

    /// What a capability has earned, by a run of its whole suite when first asked for. `None` without a suite that loads.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<&Standing> {
        let earn = || {
            let entry = self.registry.get(name)?;
            entry.suite.as_ref()?;
            let selection = Selection::all().pattern(&entry.path()).ok()?;
            verify(&self.registry, &selection, &self.options()).standings.remove(name)
        };
        self.prepared.get(name)?.standing.get_or_init(earn).as_ref()
    }

    /// Status of a capability: partial for anything that no run has vouched for.
    #[must_use]
    pub fn status(&self, name: &str) -> Status {
        self.standing(name).map_or(Status::Partial, |standing| standing.status)
    }

    /// Status of a capability in one game.
    #[must_use]
    pub fn status_in(&self, name: &str, game: Game) -> Status {
        self.standing(name).and_then(|standing| standing.games.get(&game)).copied().unwrap_or(Status::Partial)
    }

    /// Weakest clause tier of a capability in one game.
    #[must_use]
    pub fn tier_in(&self, name: &str, game: Game) -> Option<Tier> {
        self.standing(name)?.tiers.get(&game).copied()
    }

    /// Why a capability is only partial in any of these games.
    #[must_use]
    pub fn missing(&self, name: &str, games: &[Game]) -> Vec<&str> {
        let Some(standing) = self.standing(name) else { return vec!["no suite that loads vouches for it"] };
        let starts: Vec<String> = games.iter().map(|game| format!("{game}:")).collect();
        let lines = standing.missing.iter().map(String::as_str);
        lines.filter(|line| starts.iter().any(|start| line.starts_with(start))).collect()
    }

    /// The compiled argument schema of a capability.
    ///
    /// # Errors
    /// A sanitised failure when the schema does not compile, which the tests rule out for every registered port.
    pub fn checked(&self, name: &str) -> Result<&Checked, Refusal> {
        let schema = || self.registry.get(name).map(|entry| entry.input_schema.clone()).unwrap_or_default();
        let compiled =
            self.prepared.get(name).map(|prepared| prepared.checked.get_or_init(|| Checked::new(schema())));
        match compiled {
            Some(Ok(checked)) => Ok(checked),
            _ => Err(Refusal::failed(format!("the argument schema of {name} does not compile"))),
        }
    }

    /// The argument schema of a capability as it goes into replies.
    #[must_use]
    pub fn schema(&self, name: &str) -> Tree {
        let schema = || self.registry.get(name).map_or(Tree::Null, |entry| tree(&entry.input_schema));
        self.prepared.get(name).map_or(Tree::Null, |prepared| prepared.schema.get_or_init(schema).clone())
    }
}

/// Serves calls from the current snapshot. The first one is built when somebody needs it, or by [`Gateway::warm`].
pub struct Gateway {
    root: Option<PathBuf>,
    current: OnceLock<Result<Arc<Snapshot>, Problem>>,
}

impl Gateway {
    /// A gateway over the embedded corpus, or over the checkout at `root`.
    #[must_use]
    pub const fn new(root: Option<PathBuf>) -> Self {
        Self { root, current: OnceLock::new() }
    }

    /// A gateway over a snapshot that stands already.
    #[must_use]
    pub fn over(snapshot: Snapshot) -> Self {
        Self { root: None, current: OnceLock::from(Ok(Arc::new(snapshot))) }
    }

    /// The checkout that it reads, unless it serves the embedded corpus.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The current snapshot; the first call builds it.
    ///
    /// # Errors
    /// The checkout cannot be read.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, Problem> {
        let build = || {
            let corpus = Corpus::open(self.root.as_deref())?;
            Ok(Arc::new(Snapshot::new(assay_ports::ALL, &corpus, 1)))
        };
        self.current.get_or_init(build).clone()
    }

    /// Builds the first snapshot and runs every suite, so that no later call has to.
    pub fn warm(&self) {
        if let Ok(snapshot) = self.snapshot() {
            for entry in snapshot.registry().entries() {
                // Kept for whoever asks.
                let _ = snapshot.standing(entry.name());
            }
        }
    }

    /// The current snapshot if one stands already; never waits for it.
    #[must_use]
    pub fn ready(&self) -> Option<Result<Arc<Snapshot>, Problem>> {
        self.current.get().cloned()
    }

    /// Answers one call.
    #[must_use]
    pub fn call(&self, tool: Tool, arguments: &Value) -> Reply {
        self.call_with(tool, arguments, &Control::default())
    }

    /// Answers one call that reports its progress and can be stopped.
    #[must_use]
    pub fn call_with(&self, tool: Tool, arguments: &Value, control: &Control) -> Reply {
        match self.snapshot() {
            Ok(snapshot) => dispatch_with(tool, arguments, &snapshot, control),
            Err(problem) => {
                let outcome = Err(Refusal::failed(format!("the corpus cannot be read: {problem}")));
                Reply { outcome, snapshot_sequence: 0, ut: 0 }
            }
        }
    }
}
