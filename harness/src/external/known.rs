//! The known failures of a port in another process: a list that stands beside that port.

use crate::load::known::{self, KnownFailure};
use crate::registry::Registry;
use assay_model::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A list in the format of `ports/known-failures.toml`.
#[derive(Debug, Default)]
pub struct KnownList {
    path: String,
    text: String,
    entries: BTreeMap<String, KnownFailure>,
    problems: Vec<Problem>,
}

impl KnownList {
    /// Reads the list at `path`. What is wrong inside it is a problem of the run, not an error here.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("failed to read known failures from {}: {error}", path.display()))?;
        Ok(Self::read(&path.display().to_string(), &text))
    }

    /// The list of that text; `path` is for messages.
    #[must_use]
    pub fn read(path: &str, text: &str) -> Self {
        let (entries, problems) = known::read(path, text);
        Self { path: path.to_owned(), text: text.to_owned(), entries, problems }
    }

    pub(super) fn entries(&self) -> &BTreeMap<String, KnownFailure> {
        &self.entries
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// What repeats a run with this list.
    pub(super) fn via(&self) -> String {
        if self.path.is_empty() {
            String::new()
        } else {
            format!(" --known {}", shell_words::quote(&self.path))
        }
    }

    /// What is wrong with the list, entries without a case among it.
    pub(super) fn problems(&self, registry: &Registry) -> Vec<Problem> {
        let ids: BTreeSet<&str> = registry.ids().collect();
        let gone = known::gone((&self.path, &self.text), self.entries.values(), |id| ids.contains(id));
        self.problems.iter().cloned().chain(gone).collect()
    }
}
