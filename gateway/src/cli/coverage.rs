//! `assay coverage`: which clauses have cases, and how strong each is.

use super::PASS;
use super::arguments::{Coverage, DocumentFormat};
use super::output;
use crate::snapshot::Gateway;
use assay_harness::{Selection, coverage};
use assay_reports::{Style, document};

pub(super) fn command(gateway: &Gateway, arguments: &Coverage) -> Result<u8, String> {
    let failed = |message| format!("failed to read the selection: {message}");
    let selection: Selection = arguments.selection.join(" ").parse().map_err(failed)?;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    for note in snapshot.notes() {
        output::note(note);
    }
    let found = coverage(snapshot.registry(), &selection, &snapshot.options(), arguments.missing);
    let found = found.map_err(failed)?;
    output::result(&match arguments.format {
        // Where colours are not wanted they fall away on the way out.
        DocumentFormat::Text => assay_reports::coverage(&found, &Style { color: true, ..Style::default() }),
        DocumentFormat::Json => document(&found),
    })?;
    Ok(PASS)
}
