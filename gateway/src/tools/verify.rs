//! `verify_spec`: the golden cases, run now.

use super::{argument, count, wrong};
use crate::control::Control;
use crate::cursor;
use crate::envelope::{Refusal, list, map, text, tree, unsigned};
use crate::snapshot::Snapshot;
use crate::surface::VERIFY_LIMIT;
use assay_harness::{Monitor as _, Options, Selection, verify};
use assay_model::{Area, CaseResult, Counts, Errno, Report, Tree, Verdict};
use std::sync::Arc;

/// Problems of the corpus that a reply lists.
const MAX_PROBLEMS: usize = 10;
/// Notes that a reply lists.
const MAX_NOTES: usize = 10;

pub(super) fn answer(arguments: &Tree, snapshot: &Snapshot, control: &Control) -> Result<Tree, Refusal> {
    let selection = argument(arguments, "selection").unwrap_or_default().trim();
    let selected: Selection = selection
        .parse()
        .map_err(|error| wrong("/selection", "format", error, "area/capability/case, * and ? match"))?;
    let options = Options { monitor: Some(Arc::new(control.clone())), ..snapshot.options() };
    let report = verify(snapshot.registry(), &selected, &options);
    if control.stopped() {
        return Err(Refusal::rejected(Errno::Etimedout, "stopped before the end; nothing was judged"));
    }
    let all = argument(arguments, "detail") == Some("all");
    let mut rows: Vec<&CaseResult> =
        report.results.iter().filter(|row| all || row.verdict.is_drift()).collect();
    let question = format!("verify {}", map([("selection", text(selection)), ("all", Tree::Bool(all))]));
    if let Some(cursor) = argument(arguments, "cursor") {
        let after = cursor::read(&question, cursor).map_err(|message| {
            wrong("/cursor", "cursor", message, "leave it out to start from the first page")
        })?;
        rows.retain(|row| row.id > after);
    }
    let limit = count(arguments, "limit", VERIFY_LIMIT);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = rows.last().filter(|_| more).map(|row| text(cursor::write(&question, &row.id)));
    let areas = report.areas.iter().map(|(area, counts)| (area.to_string(), counts_of(counts)));
    let mut data = vec![
        ("verdict".to_owned(), text(report.verdict())),
        ("counts".to_owned(), counts_of(&report.counts)),
        ("sweep_points".to_owned(), unsigned(report.sweep_points)),
        ("areas".to_owned(), Tree::Map(areas.collect())),
        (
            "failures".to_owned(),
            Tree::List(rows.iter().filter(|row| row.verdict.is_drift()).map(|row| failure(row)).collect()),
        ),
    ];
    if all {
        data.push(("cases".to_owned(), Tree::List(rows.iter().map(|row| passed(row)).collect())));
    }
    let notes = snapshot.notes().iter().chain(&report.notes).take(MAX_NOTES);
    data.extend([
        ("next_cursor".to_owned(), next_cursor.unwrap_or(Tree::Null)),
        ("corpus_digest".to_owned(), text(&report.corpus_digest)),
        ("corpus_origin".to_owned(), text(&report.corpus_origin)),
        ("result_digest".to_owned(), text(&report.result_digest)),
        ("notes".to_owned(), list(notes)),
    ]);
    if !report.problems.is_empty() {
        data.push(("problem_count".to_owned(), unsigned(report.problems.len() as u64)));
        data.push(("problems".to_owned(), list(report.problems.iter().take(MAX_PROBLEMS))));
    }
    data.push(("next".to_owned(), text(next(&report))));
    Ok(Tree::Map(data))
}

/// The counts that are not zero, and always `pass`: a green reply stays small.
fn counts_of(counts: &Counts) -> Tree {
    let entries = tree(counts);
    let shown = entries.entries().iter().filter(|(name, value)| name == "pass" || *value != Tree::Int(0));
    Tree::Map(shown.cloned().collect())
}

fn failure(row: &CaseResult) -> Tree {
    let mut members = vec![
        ("id".to_owned(), text(&row.id)),
        ("game".to_owned(), text(row.game.as_str())),
        ("verdict".to_owned(), text(row.verdict.as_str())),
        ("clause".to_owned(), list(&row.clause)),
    ];
    if let Some(failure) = &row.failure {
        // The digest is for whoever keeps the list of known failures; a reply stays small.
        let shown = tree(failure);
        members.extend(shown.entries().iter().filter(|(name, _)| name != "digest").cloned());
    }
    Tree::Map(members)
}

fn passed(row: &CaseResult) -> Tree {
    let mut members = vec![
        ("id".to_owned(), text(&row.id)),
        ("game".to_owned(), text(row.game.as_str())),
        ("kind".to_owned(), text(row.kind.as_str())),
        ("verdict".to_owned(), text(row.verdict.as_str())),
    ];
    if !row.reason.is_empty() {
        members.push(("reason".to_owned(), text(&row.reason)));
    }
    Tree::Map(members)
}

/// What to do with the verdict.
fn next(report: &Report) -> String {
    let failing = report.results.iter().find(|row| row.verdict.is_drift());
    match (report.verdict(), failing) {
        ("pass", _) => "nothing drifted; run_capability answers rest on this corpus".to_owned(),
        ("fail", Some(row)) if row.verdict == Verdict::UnexpectedPass => {
            format!("take {} out of the known failures", row.id)
        }
        ("fail", Some(row)) => format!(
            "do not rely on {}; describe_capability {} with detail=evidence shows the rule, {} repeats the case",
            row.capability,
            row.capability,
            row.failure.as_ref().map_or("assay verify", |failure| failure.repro.as_str()),
        ),
        _ if report.counts.executed() == 0 && report.problems.is_empty() => {
            let areas: Vec<&str> = Area::ALL.iter().map(|area| area.as_str()).collect();
            format!("the selection matches no case; areas are {}", areas.join(", "))
        }
        _ => "the corpus itself is broken, so a pass would mean nothing; mend the problems listed".to_owned(),
    }
}
