//! The order of the format: keys of an entry, parts of an entry with a header of their own, tombstones last.

use super::sheet::{Edit, Finding, Keys, Sheet, has_header, keys};
use assay_model::Rule;
use std::ops::Range;
use toml_edit::{Item, Table};

/// Keys of a case; those on one line of this list may stand in any order.
const CASE: &[&[&str]] = &[
    &["id"],
    &["title"],
    &["game"],
    &["clause"],
    &["tags"],
    &["input"],
    &["derivation", "recorded", "prose"],
    &["note"],
    &["partial"],
    &["tolerance"],
    &["expect", "error"],
    &["disputed"],
];
const SWEEP: &[&[&str]] =
    &[&["id"], &["title"], &["game"], &["clause"], &["tags"], &["input"], &["derivation"], &["axes"]];
const REMOVED: &[&[&str]] = &[&["id"], &["reason"]];
const SOURCE: &[&[&str]] =
    &[&["id"], &["kind"], &["subject"], &["games"], &["where"], &["group"], &["withdrawn"]];
const FRONT: &[&[&str]] = &[&["title"], &["games"], &["composes"]];

/// Entries whose keys are out of order, and tombstones with something behind them.
pub(super) fn keys_of(path: &str) -> &'static [(&'static str, &'static [&'static [&'static str]])] {
    if path.ends_with("/cases.toml") {
        &[("case", CASE), ("sweep", SWEEP), ("removed", REMOVED)]
    } else if path == "oracles/sources.toml" {
        &[("source", SOURCE)]
    } else {
        &[]
    }
}

/// Reports every entry that is out of order.
pub(super) fn in_format(sheet: &Sheet, findings: &mut Vec<Finding>) {
    for (name, order) in keys_of(sheet.path) {
        let rank = |key: &str| order.iter().position(|keys| keys.contains(&key));
        let after = order.iter().map(|keys| keys.join("|")).collect::<Vec<_>>().join(", ");
        for table in sheet.tables(name) {
            entry(sheet, table, &rank, &after, findings);
        }
    }
    if sheet.path.ends_with(".md") {
        let rank = |key: &str| FRONT.iter().position(|keys| keys.contains(&key));
        let (plain, _) = split(sheet.document.as_table());
        lines(sheet, 0, &plain, &rank, "title, games, composes", findings);
    }
    tombstones(sheet, findings);
}

/// Keys with a value on their own line, and those with a header.
fn split(table: &Table) -> (Keys<'_>, Keys<'_>) {
    keys(table).into_iter().partition(|(_, _, item)| !has_header(item))
}

fn entry(
    sheet: &Sheet,
    table: &Table,
    rank: &dyn Fn(&str) -> Option<usize>,
    order: &str,
    findings: &mut Vec<Finding>,
) {
    let (plain, headed) = split(table);
    if let Some(after) = table.span().and_then(|span| sheet.line_end(span.start)) {
        lines(sheet, after, &plain, rank, order, findings);
    }
    // TOML itself puts parts with a header behind the plain keys; among themselves they have the same order.
    if let Some(key) = misplaced(&headed, rank) {
        findings.push(told(sheet, &headed[key], order));
    }
}

fn told(sheet: &Sheet, (name, span, _): &(&str, Range<usize>, &Item), order: &str) -> Finding {
    let message = format!("`{name}` stands too late");
    sheet.finding(Rule::Order, span.start, message, format!("the order is {order}"))
}

/// The first key that belongs before one that stands before it.
fn misplaced(keys: &Keys, rank: &dyn Fn(&str) -> Option<usize>) -> Option<usize> {
    let mut highest = 0;
    keys.iter().position(|(name, _, _)| {
        let rank = rank(name).unwrap_or(highest);
        let wrong = rank < highest;
        highest = highest.max(rank);
        wrong
    })
}

/// Keys that stand on lines of their own, from the byte offset `from`, put in order with the remarks above them.
pub(super) fn lines(
    sheet: &Sheet,
    from: usize,
    plain: &Keys,
    rank: &dyn Fn(&str) -> Option<usize>,
    order: &str,
    findings: &mut Vec<Finding>,
) {
    let Some(wrong) = misplaced(plain, rank) else { return };
    let mut chunks = Vec::new();
    let (mut start, mut last) = (from, 0);
    for (name, span, item) in plain {
        // A dotted key may go on further down; and a value always has a place.
        let Item::Value(value) = item else { break };
        let Some(end) = value.span().and_then(|value| sheet.line_end(value.end)) else { break };
        // Two keys never share a line.
        last = rank(name).unwrap_or(last);
        if span.start < start {
            break;
        }
        chunks.push((last, start..end));
        start = end;
    }
    let edit = (chunks.len() == plain.len()).then(|| sorted(sheet, &mut chunks)).flatten();
    findings.push(told(sheet, &plain[wrong], order).mended_by(edit));
}

/// Contiguous pieces of text in the order of their ranks.
fn sorted(sheet: &Sheet, chunks: &mut [(usize, Range<usize>)]) -> Option<Edit> {
    let range = sheet.start + chunks.first()?.1.start..sheet.start + chunks.last()?.1.end;
    chunks.sort_by_key(|(rank, range)| (*rank, range.start));
    let text = chunks.iter().map(|(_, range)| &sheet.toml[range.clone()]).collect();
    Some(Edit { range, text })
}

/// Tombstones stand behind everything else.
fn tombstones(sheet: &Sheet, findings: &mut Vec<Finding>) {
    let starts = |name: &str| -> Vec<usize> {
        sheet.tables(name).filter_map(|table| Some(table.span()?.start)).collect()
    };
    let graves = starts("removed");
    let others = [starts("case"), starts("sweep")].concat();
    let Some(last) = others.iter().max() else { return };
    let Some(first) = graves.iter().find(|grave| *grave < last) else { return };
    let mut chunks: Vec<(usize, Range<usize>)> = Vec::new();
    let mut all: Vec<(usize, usize)> = (graves.iter().map(|grave| (*grave, 1)))
        .chain(others.iter().map(|other| (*other, 0)))
        .filter(|(start, _)| start >= first)
        .collect();
    all.sort_unstable();
    let starts: Vec<usize> = all.iter().map(|(start, _)| with_remarks(sheet, *start)).collect();
    // `[derivations]` further down would be taken along.
    let shared =
        sheet.document.get("derivations").and_then(Item::span).is_some_and(|span| span.start > *first);
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(sheet.toml.len()));
    for ((_, rank), (start, end)) in all.iter().zip(starts.iter().copied().zip(ends)) {
        chunks.push((*rank, start..end));
    }
    let movable = !shared && sheet.toml.ends_with('\n');
    let edit = movable.then(|| sorted(sheet, &mut chunks)).flatten();
    let found =
        sheet.finding(Rule::Order, *first, "a tombstone stands before a case", "tombstones come last");
    findings.push(found.mended_by(edit));
}

/// The beginning of the remarks that stand right above a line.
fn with_remarks(sheet: &Sheet, offset: usize) -> usize {
    let mut start = sheet.line_start(offset);
    while start > 0 {
        let above = sheet.line_start(start - 1);
        if !sheet.toml[above..start].starts_with('#') {
            break;
        }
        start = above;
    }
    start
}
