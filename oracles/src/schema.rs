//! Editor schemas of the files that this crate loads, from the types that load them.

use crate::source::SourcesFile;
use crate::spec::FrontMatter;
use crate::table::TableFile;
use assay_model::port::schema_of;
use serde_json::Value;

/// File name and JSON Schema (2020-12) of `oracles/sources.toml`, of a spec's front matter, and of a table.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("sources.schema.json", schema_of::<SourcesFile>()),
        ("spec.schema.json", schema_of::<FrontMatter>()),
        ("table.schema.json", schema_of::<TableFile>()),
    ]
}
