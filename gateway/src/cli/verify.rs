//! `assay verify`: the golden cases, run now.

use super::arguments::{Demands, ReportFormat, Verify};
use super::{BROKEN, DRIFT, division, output, port, receipt};
use crate::snapshot::Gateway;
use crate::{corpus, made};
use assay_harness::{Gate, Options, Selection, gate};
use assay_model::Report;
use assay_reports::{Style, github, json, junit, text};
use std::time::{Duration, Instant};

pub(super) fn command(gateway: &Gateway, arguments: &Verify) -> Result<u8, String> {
    let selection =
        selection(arguments).map_err(|message| format!("failed to read the selection: {message}"))?;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    let options = Options { jobs: arguments.jobs.map(usize::from), ..snapshot.options() };
    if arguments.outside.any() {
        return port::verify(&snapshot, &selection, &options, arguments);
    }
    let day = options.today.clone();
    let started = Instant::now();
    let mut report = division::run(snapshot.registry(), &selection, options, arguments)?;
    let elapsed = started.elapsed();
    for note in snapshot.notes() {
        output::note(note);
    }
    report.notes.extend(snapshot.notes().iter().cloned());
    report.build = Some(made::build());
    if let Some(place) = &arguments.report {
        corpus::write(place, &json(&report))?;
    }
    if let Some(place) = &arguments.receipt {
        receipt::write(place, &report, ("threads", division::threads(arguments.jobs)), day)?;
    }
    output::result(&print(&report, arguments.format, Some(elapsed))?)?;
    Ok(demand(&report, &arguments.demands).max(report.exit_code()))
}

/// Patterns and switches as one selection. A pattern may hold filters too, as everywhere.
fn selection(arguments: &Verify) -> Result<Selection, String> {
    let mut selection: Selection = arguments.selection.join(" ").parse()?;
    for game in &arguments.game {
        selection = selection.game(*game);
    }
    for tag in &arguments.tag {
        selection = selection.tag(tag);
    }
    if let Some(tier) = arguments.tier {
        selection = selection.tier(tier);
    }
    if let Some(status) = arguments.status {
        selection = selection.status(status);
    }
    Ok(selection)
}

pub(super) fn print(
    report: &Report,
    format: ReportFormat,
    elapsed: Option<Duration>,
) -> Result<String, String> {
    match format {
        // Where colours are not wanted they fall away on the way out.
        ReportFormat::Text => Ok(text(report, &Style { color: true, elapsed, limit: None })),
        ReportFormat::Json => Ok(json(report)),
        ReportFormat::Junit => junit(report).map_err(|error| format!("failed to print the report: {error}")),
        ReportFormat::Github => Ok(github(report)),
    }
}

/// The exit code that the switches ask for: another corpus is worse than an unmet demand.
pub(super) fn demand(report: &Report, demands: &Demands) -> u8 {
    let corpus = Gate { expect_corpus: demands.expect_corpus.clone(), ..Gate::default() };
    let standing = Gate {
        require_verified: demands.require.is_some(),
        deny_skipped: demands.deny.is_some(),
        ..Gate::default()
    };
    let mut code = 0;
    for (demands, worth) in [(corpus, BROKEN), (standing, DRIFT)] {
        for problem in gate(report, &demands) {
            output::error(&problem.to_string());
            code = code.max(worth);
        }
    }
    code
}
