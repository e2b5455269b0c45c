//! What changed since `golden/index.lock` was written: clauses whose cases were not read again, cases that went without
//! a tombstone, ids that came back. A lock that is merely behind is no slip; `assay lock` and `verify` see to that.

use super::sheet::{Finding, Sheet};
use crate::lock::{self, Line};
use crate::registry::{Entry, Registry};
use assay_model::{Problem, Rule};
use std::collections::{BTreeMap, BTreeSet};
use toml_edit::{Item, Key, Table, Value};

/// The lines of the lock by suite; none when there is no lock that can be read.
pub(super) fn lines(registry: &Registry) -> BTreeMap<String, Line> {
    let lines = registry.lock().and_then(|text| lock::parse(text).ok()).unwrap_or_default();
    lines.into_iter().map(|line| (line.path.clone(), line)).collect()
}

/// Clauses of a suite that say something else than when it was locked.
fn moved<'a>(registry: &Registry, entry: &Entry, line: &'a Line) -> BTreeSet<&'a str> {
    let now: BTreeMap<String, String> =
        registry.spec(entry.name()).into_iter().flat_map(lock::pins).collect();
    let pinned = line.clauses.iter();
    pinned
        .filter(|(id, pin)| now.get(*id).is_some_and(|now| now != *pin))
        .map(|(id, _)| id.as_str())
        .collect()
}

fn stale(clause: &str, path: &str) -> (String, String) {
    let message = format!("clause `{clause}` changed since the cases that cite it were last read");
    (message, format!("read the case again, then run `assay lock --reread {path}`"))
}

/// Everything about one suite.
pub(super) fn suite(
    sheet: &Sheet,
    registry: &Registry,
    entry: &Entry,
    line: Option<&Line>,
    findings: &mut Vec<Finding>,
) {
    let Some(line) = line else { return };
    let moved = moved(registry, entry, line);
    for table in sheet.tables("case").chain(sheet.tables("sweep")) {
        for value in table.get("clause").and_then(Item::as_array).into_iter().flatten() {
            let Some(clause) = value.as_str().filter(|id| moved.contains(id)) else { continue };
            let (message, help) = stale(clause, &entry.path());
            findings.push(sheet.finding(Rule::StaleClause, start(value), message, help));
        }
    }
    ids(sheet, line, findings);
}

/// Vector files that cite a clause which changed.
pub(super) fn vectors(registry: &Registry, locked: &BTreeMap<String, Line>, path: &str) -> Vec<Problem> {
    let suites = registry.entries().iter().filter_map(|entry| Some((entry, entry.suite.as_ref()?)));
    let mut problems = Vec::new();
    for (entry, suite) in suites {
        let Some(file) = suite.vectors.iter().find(|file| file.path == path) else { continue };
        let Some(line) = locked.get(&entry.path()) else { continue };
        let moved = moved(registry, entry, line);
        for clause in file.header.clause.iter().filter(|clause| moved.contains(clause.as_str())) {
            let (message, help) = stale(clause, &entry.path());
            problems.push(Problem::placed(Rule::StaleClause, path, (1, 1), message, help));
        }
    }
    problems
}

fn start(value: &Value) -> usize {
    value.span().map_or(0, |span| span.start)
}

/// Ids that the lock knows are there, or have a tombstone; those of tombstones stay what they are.
fn ids(sheet: &Sheet, line: &Line, findings: &mut Vec<Finding>) {
    let found = |name: &str| -> BTreeMap<String, usize> {
        let id = |table: &Table| {
            let place = table.key("id").and_then(Key::span).map_or(0, |span| span.start);
            Some((table.get("id")?.as_str()?.to_owned(), place))
        };
        sheet.tables(name).filter_map(id).collect()
    };
    let (mut there, removed) = (found("case"), found("removed"));
    there.extend(found("sweep"));
    // What does not parse may hold it.
    let hidden = |id: &str| !sheet.is_whole() && sheet.text.contains(id);
    for locked in &line.ids {
        let id = locked.trim_start_matches('-');
        if removed.contains_key(id) || hidden(id) {
            continue;
        }
        match (locked.starts_with('-'), there.get(id)) {
            (true, Some(place)) => {
                let message = format!("`{id}` was removed");
                let help = "ids are never used again: choose another, and restore the tombstone";
                findings.push(sheet.finding(Rule::ReusedId, *place, message, help));
            }
            (true, None) => {
                let help = format!("restore `[[removed]]` with `id = \"{id}\"` and its reason");
                findings.push(whole(
                    sheet,
                    Rule::Tombstone,
                    format!("the tombstone of `{id}` is gone"),
                    help,
                ));
            }
            (false, None) => {
                let help = format!("restore it, or add `[[removed]]` with `id = \"{id}\"` and a reason");
                let message = format!("case `{id}` is gone");
                findings.push(whole(sheet, Rule::RemovedWithoutTombstone, message, help));
            }
            (false, Some(_)) => {}
        }
    }
}

fn whole(sheet: &Sheet, rule: Rule, message: String, help: String) -> Finding {
    Finding { problem: Problem::whole(rule, sheet.path, message, help), edit: None }
}
