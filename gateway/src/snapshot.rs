//! One immutable state of ports, specs and cases, and everything that is worth reckoning only once.

mod gateway;
mod renewal;

pub use gateway::{Gateway, Kept};
pub use renewal::{News, Watcher};

use crate::corpus::Corpus;
use crate::envelope::{Refusal, tree};
use crate::search::{Document, Index};
use crate::validate::Checked;
use assay_harness::{Options, Registry, Selection, date, verify};
use assay_model::{Game, Port, Standing, Status, Tier, Tree};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

/// What a reply comes from.
pub struct Snapshot {
    sequence: u64,
    ut: u64,
    registry: Arc<Registry>,
    fixed: Arc<Fixed>,
    notes: Vec<String>,
    /// By name; earned when first asked for, unless a watch ran everything anyway.
    standings: BTreeMap<&'static str, OnceLock<Option<Standing>>>,
}

/// What depends on the ports alone, which are compiled in: every snapshot of a process has it in common.
struct Fixed {
    index: Index,
    /// By name; each part is made when first asked for, because no session asks for all of them.
    prepared: BTreeMap<&'static str, Prepared>,
}

#[derive(Default)]
struct Prepared {
    checked: OnceLock<Result<Checked, String>>,
    schema: OnceLock<Tree>,
}

impl Fixed {
    fn new(registry: &Registry) -> Self {
        let documents: Vec<Document<'_>> =
            registry.entries().iter().map(|entry| Document::of(entry.port.meta())).collect();
        let prepared = registry.entries().iter().map(|entry| (entry.name(), Prepared::default())).collect();
        Self { index: Index::new(&documents), prepared }
    }
}

impl Snapshot {
    /// Binds ports to a corpus. `sequence` starts at 1.
    #[must_use]
    pub fn new(ports: &'static [&'static dyn Port], corpus: &Corpus, sequence: u64) -> Self {
        let registry = Registry::new(ports, &corpus.specs, &corpus.golden);
        let standings = registry.entries().iter().map(|entry| (entry.name(), OnceLock::new())).collect();
        Self {
            sequence,
            ut: now(),
            fixed: Arc::new(Fixed::new(&registry)),
            registry: Arc::new(registry),
            notes: corpus.notes.clone(),
            standings,
        }
    }

    /// The first snapshot, of a registry of which everything has run.
    fn verified(registry: Arc<Registry>, standings: BTreeMap<String, Standing>) -> Self {
        let fixed = Arc::new(Fixed::new(&registry));
        Self {
            sequence: 1,
            ut: now(),
            standings: earned(&registry, standings),
            registry,
            fixed,
            notes: Vec::new(),
        }
    }

    /// The next snapshot: the same ports over another corpus, of which everything has run.
    fn renewed(&self, registry: Arc<Registry>, standings: BTreeMap<String, Standing>) -> Self {
        Self {
            sequence: self.sequence + 1,
            // Clocks are set back now and then; publication is not.
            ut: now().max(self.ut),
            standings: earned(&registry, standings),
            registry,
            fixed: Arc::clone(&self.fixed),
            notes: Vec::new(),
        }
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
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The search index.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.fixed.index
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
        self.standings.get(name)?.get_or_init(earn).as_ref()
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
        let compiled = self
            .fixed
            .prepared
            .get(name)
            .map(|prepared| prepared.checked.get_or_init(|| Checked::new(schema())));
        match compiled {
            Some(Ok(checked)) => Ok(checked),
            _ => Err(Refusal::failed(format!("the argument schema of {name} does not compile"))),
        }
    }

    /// The argument schema of a capability as it goes into replies.
    #[must_use]
    pub fn schema(&self, name: &str) -> Tree {
        let schema = || self.registry.get(name).map_or(Tree::Null, |entry| tree(&entry.input_schema));
        self.fixed
            .prepared
            .get(name)
            .map_or(Tree::Null, |prepared| prepared.schema.get_or_init(schema).clone())
    }
}

/// Standings that stand already; none where no suite loads.
fn earned(
    registry: &Registry,
    mut standings: BTreeMap<String, Standing>,
) -> BTreeMap<&'static str, OnceLock<Option<Standing>>> {
    let entries = registry.entries().iter();
    entries.map(|entry| (entry.name(), OnceLock::from(standings.remove(entry.name())))).collect()
}

/// Seconds since 1970; a clock before that is no reason to fail.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}
