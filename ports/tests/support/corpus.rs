//! What tests over real files share: the rows of `EXPECTED.tsv`, a run of a port over a file, and SHA-1.

use assay_model::{Output, Port, PortError};
use serde_json::Value;
use sha1::{Digest as _, Sha1};
use std::fs;
use std::path::{Path, PathBuf};

/// A row of `EXPECTED.tsv`: file, capability, summary, SHA-1 of the decoded bytes or `-`.
pub struct Row {
    /// Path within the folder.
    pub file: String,
    /// Name of the port.
    pub capability: String,
    /// `key=value` words, and others.
    pub summary: String,
    /// 40 hexadecimal digits, or `-`.
    pub sha1: String,
}

impl Row {
    /// The value of a word `key=value` of the summary.
    pub fn word(&self, key: &str) -> &str {
        let word = self.summary.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        word.unwrap_or_else(|| panic!("{}: no {key} in {}", self.file, self.summary))
    }
}

/// The folder that the environment variable `ASSAY_CORPUS` names; without it the reason goes to stderr.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("ASSAY_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: ASSAY_CORPUS names no folder of real files");
    }
    folder
}

/// The rows of some capabilities; at least one.
pub fn rows(folder: &Path, capabilities: &[&str]) -> Vec<Row> {
    let table = fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let rows = table.lines().skip(1).map(|line| {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let Ok([file, capability, summary, sha1]) = <[String; 4]>::try_from(fields) else {
            panic!("not four fields: {line}")
        };
        Row { file, capability, summary, sha1 }
    });
    let rows: Vec<Row> = rows.filter(|row| capabilities.contains(&row.capability.as_str())).collect();
    assert!(!rows.is_empty(), "no row of {capabilities:?}");
    rows
}

/// Runs a port over bytes, with more arguments as JSON behind a comma: its breakdown, and its attachments by name.
pub fn run(port: &dyn Port, bytes: &[u8], more: &str) -> Result<(Value, Output), PortError> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut output = Output::default();
    port.run(format!("{{\"bytes\":\"hex:{digits}\"{more}}}").as_bytes(), &mut output)?;
    Ok((serde_json::from_slice(&output.json).unwrap(), output))
}

/// The SHA-1 of an attachment.
pub fn attached(output: &Output, name: &str) -> String {
    let attachment = output.attachments.iter().find(|attachment| attachment.name == name);
    sha1(&attachment.unwrap_or_else(|| panic!("no attachment {name}")).bytes)
}

/// The SHA-1 of some bytes, in hexadecimal digits; not the one of the ports.
pub fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
