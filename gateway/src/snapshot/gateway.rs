//! The pointer to the current snapshot, and every call answered from one of them.

use super::Snapshot;
use super::renewal::Renewal;
use crate::assets::Assets;
use crate::control::Control;
use crate::corpus::Corpus;
use crate::envelope::{Refusal, Reply};
use crate::surface::Tool;
use crate::tools::{Artefacts, Call, artefacts, dispatch_call};
use arc_swap::{ArcSwap, ArcSwapOption};
use assay_model::{Problem, Tree};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Serves calls from the current snapshot. The first one is built when somebody needs it, or by [`Gateway::warm`]; under
/// [`Gateway::watch`] others follow.
pub struct Gateway {
    root: Option<PathBuf>,
    current: OnceLock<Result<ArcSwap<Snapshot>, Problem>>,
    /// Whether the first snapshot is built by what renews it later.
    watched: AtomicBool,
    /// What built the first snapshot, until the thread that watches takes it.
    renewal: Mutex<Option<Renewal>>,
    kept: ArcSwapOption<Kept>,
    /// What calls may open; the same for every snapshot.
    assets: Arc<Assets>,
}

/// Why the checkout as it is on the disk now is not what is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// When the change was refused: seconds since 1970.
    pub ut: u64,
    /// What is wrong with it, in file and line order; never empty.
    pub problems: Vec<Problem>,
}

impl Gateway {
    /// A gateway over the embedded corpus, or over the checkout at `root`.
    #[must_use]
    pub fn new(root: Option<PathBuf>) -> Self {
        Self {
            root,
            current: OnceLock::new(),
            watched: AtomicBool::new(false),
            renewal: Mutex::new(None),
            kept: ArcSwapOption::const_empty(),
            assets: Arc::default(),
        }
    }

    /// The same with files that arguments may name, and other limits for uploads.
    #[must_use]
    pub fn opening(self, assets: Assets) -> Self {
        Self { assets: Arc::new(assets), ..self }
    }

    /// A gateway over a snapshot that stands already.
    #[must_use]
    pub fn over(snapshot: Snapshot) -> Self {
        Self { current: OnceLock::from(Ok(ArcSwap::from_pointee(snapshot))), ..Self::new(None) }
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
        let current = self.current.get_or_init(|| self.first().map(ArcSwap::from_pointee));
        current.as_ref().map(ArcSwap::load_full).map_err(Clone::clone)
    }

    fn first(&self) -> Result<Snapshot, Problem> {
        match &self.root {
            Some(root) if self.watched.load(Ordering::Acquire) => {
                let (renewal, snapshot) = Renewal::open(root)?;
                self.renewal.lock().unwrap_or_else(PoisonError::into_inner).replace(renewal);
                Ok(snapshot)
            }
            root => Ok(Snapshot::new(assay_ports::ALL, &Corpus::open(root.as_deref())?, 1)),
        }
    }

    /// From now on the first snapshot is built by what renews it.
    pub(super) fn expect_watch(&self) -> Result<(), String> {
        if self.current.get().is_some() {
            return Err("watch: a snapshot stands already".to_owned());
        }
        self.watched.store(true, Ordering::Release);
        Ok(())
    }

    /// What renews the snapshots; builds the first snapshot.
    pub(super) fn take_renewal(&self) -> Result<Renewal, String> {
        self.snapshot().map_err(|problem| problem.to_string())?;
        let built = self.renewal.lock().unwrap_or_else(PoisonError::into_inner).take();
        built.ok_or_else(|| "another thread built the first snapshot before".to_owned())
    }

    /// Puts a snapshot in the place of the current one. Replies that have begun end on the one that they began with.
    pub(super) fn publish(&self, snapshot: Snapshot) {
        self.kept.store(None);
        if let Some(Ok(current)) = self.current.get() {
            current.store(Arc::new(snapshot));
        }
    }

    /// Notes why the current snapshot stays; nothing when the disk is what is served.
    pub(super) fn keep(&self, kept: Option<Kept>) {
        self.kept.store(kept.map(Arc::new));
    }

    /// Why the checkout as it is on the disk now is not served, if it is not.
    #[must_use]
    pub fn kept(&self) -> Option<Arc<Kept>> {
        self.kept.load_full()
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
        let current = self.current.get()?;
        Some(current.as_ref().map(ArcSwap::load_full).map_err(Clone::clone))
    }

    /// Answers one call.
    #[must_use]
    pub fn call(&self, tool: Tool, arguments: &Value) -> Reply {
        self.call_with(tool, arguments, &Control::default())
    }

    /// Everything that one run decodes, however large, and the same as a picture or a sound.
    ///
    /// # Errors
    /// What the run refuses, or that the corpus cannot be read.
    pub fn artefacts(&self, name: &str, arguments: &Tree) -> Result<Artefacts, Refusal> {
        let unread = |problem| Refusal::failed(format!("the corpus cannot be read: {problem}"));
        let snapshot = self.snapshot().map_err(unread)?;
        let call = Call { snapshot: &snapshot, assets: &self.assets, control: &Control::default() };
        artefacts(name, arguments, call)
    }

    /// Answers one call that reports its progress and can be stopped.
    #[must_use]
    pub fn call_with(&self, tool: Tool, arguments: &Value, control: &Control) -> Reply {
        match self.snapshot() {
            Ok(snapshot) => {
                dispatch_call(tool, arguments, Call { snapshot: &snapshot, assets: &self.assets, control })
            }
            Err(problem) => {
                let outcome = Err(Refusal::failed(format!("the corpus cannot be read: {problem}")));
                Reply { outcome, snapshot_sequence: 0, ut: 0 }
            }
        }
    }
}
