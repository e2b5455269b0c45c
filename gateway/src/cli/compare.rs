//! `assay compare`: ports side by side, the ones that are compiled in among them.

use super::arguments::DocumentFormat;
use super::output;
use super::port::{Outside, judged};
use crate::snapshot::Gateway;
use assay_harness::{Selection, verify};
use assay_reports::{Style, compare, compare_text, document};
use clap::Args;

/// `assay compare`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// area/capability/case patterns; everything without one
    #[arg(value_name = "SELECTION")]
    pub selection: Vec<String>,
    /// Ports in other processes.
    #[command(flatten)]
    pub outside: Outside,
    /// Leave out the ports that are compiled in
    #[arg(long, requires = "port")]
    pub others: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text)]
    pub format: DocumentFormat,
}

pub(super) fn command(gateway: &Gateway, arguments: &Arguments) -> Result<u8, String> {
    if !arguments.outside.any() {
        return Err("nothing to compare: name a port with --port CMD".to_owned());
    }
    let selection: Selection = (arguments.selection.join(" ").parse())
        .map_err(|message| format!("failed to read the selection: {message}"))?;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    let options = snapshot.options();
    let mut reports = judged(&snapshot, &selection, &options, &arguments.outside)?;
    if !arguments.others {
        reports.insert(0, verify(snapshot.registry(), &selection, &options));
    }
    for note in snapshot.notes() {
        output::note(note);
    }
    let comparison = compare(&reports);
    output::result(&match arguments.format {
        DocumentFormat::Text => compare_text(&comparison, &Style { color: true, ..Style::default() }),
        DocumentFormat::Json => document(&comparison),
    })?;
    Ok(comparison.exit_code())
}
