//! `assay report merge`: many machines' reports as one.

use super::arguments::Merge;
use super::{BROKEN, division, output, receipt, verify};
use crate::snapshot::Gateway;
use crate::{corpus, made};
use assay_harness::date;
use assay_reports::{json, read};

pub(super) fn merge(gateway: &Gateway, arguments: &Merge) -> Result<u8, String> {
    let mut reports = Vec::with_capacity(arguments.files.len());
    for place in &arguments.files {
        let report = read(&division::read(place)?);
        let report = report.map_err(|error| format!("failed to read {}: {error}", place.display()))?;
        reports.push((place.display().to_string(), report));
    }
    let shards = reports.len() as u64;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    for note in snapshot.notes() {
        output::note(note);
    }
    let report = match assay_harness::merge(snapshot.registry(), Some(&made::build()), reports) {
        Ok(report) => report,
        Err(complaints) => {
            for complaint in complaints {
                output::error(&format!("failed to merge: {complaint}"));
            }
            return Ok(BROKEN);
        }
    };
    if let Some(place) = &arguments.report {
        corpus::write(place, &json(&report))?;
    }
    if let Some(place) = &arguments.receipt {
        // The shards may have run on two days; no more is known than that it was today.
        receipt::write(place, &report, ("shards", shards), Some(date::today()))?;
    }
    output::result(&verify::print(&report, arguments.format, None)?)?;
    Ok(verify::demand(&report, &arguments.demands).max(report.exit_code()))
}
