//! Service entries: what can be called like a capability and is no engine system. No spec, no status, no place in any
//! count; `run_capability` runs them, `describe_capability` describes them, and a search shows them beside its hits.

mod batch;
mod guide;
mod upload;

pub use batch::{BYTES as BATCH_BYTES, RUNS as BATCH_RUNS};

use crate::envelope::{Refusal, tree};
use crate::search::{Document, Index};
use crate::tools::Call;
use crate::validate::Checked;
use assay_model::{Area, Kind, Tree};
use serde_json::Value;
use std::sync::LazyLock;

/// One service entry.
pub struct Service {
    /// Unique among service entries and capabilities.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The words people search for.
    aliases: &'static [&'static str],
    /// Arguments that run, as a JSON object.
    pub example: &'static str,
    input_schema: fn() -> Value,
    checked: LazyLock<Result<Checked, String>>,
    /// What a call leaves behind, and whether it may be repeated.
    pub repeats: &'static str,
    /// Answers arguments that fit the schema, from one snapshot.
    pub run: fn(&Tree, Call<'_>) -> Result<Tree, Refusal>,
}

/// All of them, by name.
pub static ALL: [&Service; 3] = [&batch::SERVICE, &guide::SERVICE, &upload::SERVICE];

/// What is true of a service that only answers.
const LEAVES_NOTHING: &str = "a call leaves nothing behind and may be repeated";

impl Service {
    /// JSON Schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> Tree {
        tree(&(self.input_schema)())
    }

    /// The compiled schema of the arguments.
    ///
    /// # Errors
    /// A sanitised failure when the schema does not compile, which the tests rule out.
    pub fn checked(&self) -> Result<&Checked, Refusal> {
        let failed = |_| Refusal::failed(format!("the argument schema of {} does not compile", self.name));
        LazyLock::force(&self.checked).as_ref().map_err(failed)
    }
}

/// The service entry of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Service> {
    ALL.into_iter().find(|service| service.name == name)
}

/// Service entries that a question is about, best first. Weak matches are left out: nobody asked for a service.
#[must_use]
pub fn search(query: &str) -> Vec<&'static Service> {
    static INDEX: LazyLock<Index> = LazyLock::new(|| {
        let documents: Vec<Document<'_>> = ALL
            .iter()
            .map(|service| Document {
                name: service.name,
                area: Area::Service.as_str(),
                kind: Kind::Other.as_str(),
                aliases: service.aliases,
                summary: service.summary,
            })
            .collect();
        Index::new(&documents)
    });
    let hits = INDEX.search(query).into_iter().filter(|hit| !hit.weak);
    hits.filter_map(|hit| ALL.get(hit.document).copied()).collect()
}
