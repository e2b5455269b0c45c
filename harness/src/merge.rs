//! Puts the reports of all shards of a run together: the report that one machine would have given, or every reason why
//! that cannot be said. Absence is never a pass.

use crate::registry::Registry;
use crate::run::{assemble, selected};
use crate::selection::Selection;
use assay_model::{Build, CaseResult, Counts, Part, Report};
use std::collections::{BTreeMap, BTreeSet};

/// Ids that a complaint lists.
const MAX_NAMED: usize = 3;

/// The report of a whole run, from the reports of its shards, each with the name of the file that it came from. Counts,
/// problems, standings and the result digest are worked out anew from the results and the corpus of `registry`; for the
/// same ports they are those of a run that was not divided.
///
/// # Errors
/// Everything that speaks against it, each a line: a report that is no part or does not fit its own digest; different
/// corpora, selections, builds or divisions, also than those of `registry` and `build`; shards that are missing or there
/// twice; cases that are missing, there twice, or not selected.
pub fn merge(
    registry: &Registry,
    build: Option<&Build>,
    reports: Vec<(String, Report)>,
) -> Result<Report, Vec<String>> {
    let mut complaints = Vec::new();
    let Some((first_name, first)) = reports.first() else {
        return Err(vec!["there is no report".to_owned()]);
    };
    let Some(part) = first.part.clone() else {
        return Err(vec![format!("{first_name}: is no part of a run; run `assay verify --shard K/N`")]);
    };
    if first.corpus_digest != registry.corpus_digest() {
        complaints.push(format!(
            "{first_name}: is about corpus {}, and this is {}; merge with the same corpus",
            short(&first.corpus_digest),
            short(registry.corpus_digest())
        ));
    }
    if first.build.as_ref() != build {
        let (theirs, ours) = (described(first.build.as_ref()), described(build));
        complaints.push(format!(
            "{first_name}: was made by {theirs}, and this is {ours}; merge with the same build"
        ));
    }
    for (name, report) in &reports {
        complaints.extend(consistent(report).into_iter().map(|why| format!("{name}: {why}")));
        complaints.extend(
            unlike(first, &part, report).into_iter().map(|why| format!("{name}: {why} than {first_name}")),
        );
    }
    complaints.append(&mut shards(&part, &reports));
    let selection = first.selection.parse::<Selection>().unwrap_or_else(|error| {
        complaints.push(format!("{first_name}: the selection cannot be read: {error}"));
        Selection::all()
    });
    complaints.append(&mut cases(registry, &selection, &reports));
    if complaints.is_empty() { Ok(whole(registry, &selection, reports)) } else { Err(complaints) }
}

/// What in a report does not fit the rest of it.
fn consistent(report: &Report) -> Vec<String> {
    let mut wrong = Vec::new();
    if crate::digest::results(&report.results) != report.result_digest {
        wrong.push("its result digest is not that of its results".to_owned());
    }
    let mut counts = Counts::default();
    report.results.iter().for_each(|result| counts.add(result.verdict));
    if counts != report.counts {
        wrong.push("its counts are not those of its results".to_owned());
    }
    wrong
}

/// How a report differs from the first in what all parts of a run have in common.
fn unlike(first: &Report, part: &Part, report: &Report) -> Vec<String> {
    let Some(other) = &report.part else { return vec!["is no part of a run, other".to_owned()] };
    let mut unlike = Vec::new();
    let mut same = |same: bool, what: &str| {
        if !same {
            unlike.push(what.to_owned());
        }
    };
    same(first.corpus_digest == report.corpus_digest, "is about another corpus");
    same(first.selection == report.selection, "has another selection");
    same(first.build == report.build, "was made by another build");
    same(part.of == other.of, "is of another number of shards");
    same((&part.plan, part.selected) == (&other.plan, other.selected), "is divided otherwise (other costs?)");
    unlike
}

/// Shards that are missing or there more than once.
fn shards(part: &Part, reports: &[(String, Report)]) -> Vec<String> {
    let mut by_index: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (name, report) in reports {
        if let Some(part) = &report.part {
            by_index.entry(part.shard).or_default().push(name);
        }
    }
    let of = part.of;
    let missing: Vec<String> = (1..=of.min(crate::shard::MAX_SHARDS))
        .filter(|index| !by_index.contains_key(index))
        .map(|index| index.to_string())
        .collect();
    let mut complaints = Vec::new();
    if !missing.is_empty() {
        complaints.push(format!("shard {} of {of} is missing", named(&missing)));
    }
    for (index, names) in by_index {
        if index == 0 || index > of {
            complaints.push(format!("{}: there is no shard {index} of {of}", names.join(", ")));
        } else if names.len() > 1 {
            complaints.push(format!(
                "shard {index} of {of} is there {} times: {}",
                names.len(),
                names.join(", ")
            ));
        }
    }
    complaints
}

/// Cases that are missing, there more than once, or not of the selection.
fn cases(registry: &Registry, selection: &Selection, reports: &[(String, Report)]) -> Vec<String> {
    let wanted: BTreeSet<&str> = selected(registry, selection).into_iter().map(|(id, _, _)| id).collect();
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut twice, mut strange) = (Vec::new(), Vec::new());
    for (name, report) in reports {
        for result in &report.results {
            if let Some(before) = seen.insert(&result.id, name) {
                twice.push(format!("{} ({before}, {name})", result.id));
            }
            if !wanted.contains(result.id.as_str()) {
                strange.push(format!("{} ({name})", result.id));
            }
        }
    }
    let missing: Vec<String> =
        wanted.iter().filter(|id| !seen.contains_key(**id)).map(|id| (*id).to_owned()).collect();
    let found = [(missing, "in no report"), (twice, "in more than one"), (strange, "not selected")];
    let found = found.into_iter().filter(|(ids, _)| !ids.is_empty());
    found.map(|(ids, what)| format!("{} cases are {what}: {}", ids.len(), named(&ids))).collect()
}

/// The report of the whole run.
fn whole(registry: &Registry, selection: &Selection, reports: Vec<(String, Report)>) -> Report {
    let (mut results, mut problems, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut build = None;
    for (_, mut report) in reports {
        results.append(&mut report.results);
        problems.append(&mut report.problems);
        notes.append(&mut report.notes);
        build = report.build;
    }
    let mut report = assemble(registry, selection, results);
    report.problems.append(&mut problems);
    report.problems.sort();
    report.problems.dedup();
    report.notes = ordered(notes, &report.results);
    report.build = build;
    report
}

/// Remarks on cases in the order of the cases, then those on the corpus, each once.
fn ordered(mut notes: Vec<String>, results: &[CaseResult]) -> Vec<String> {
    let place = |note: &String| {
        let id = note.split_once(": ").map_or("", |(id, _)| id);
        results.binary_search_by(|result| result.id.as_str().cmp(id)).unwrap_or(usize::MAX)
    };
    notes.sort();
    notes.dedup();
    notes.sort_by_key(place);
    notes
}

fn named(items: &[String]) -> String {
    let mut text = items.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if items.len() > MAX_NAMED {
        text.push_str(&format!(" and {} more", items.len() - MAX_NAMED));
    }
    text
}

fn described(build: Option<&Build>) -> String {
    build.map_or_else(
        || "an unnamed build".to_owned(),
        |build| format!("assay {} with ports {}", build.assay, short(&build.ports)),
    )
}

fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}
