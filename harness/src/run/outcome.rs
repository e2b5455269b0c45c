//! From results to a report: standings, the problems that concern the run, counts and digests.

use super::work::Ran;
use crate::registry::{Entry, Registry};
use crate::selection::Selection;
use assay_model::{CaseKind, CaseResult, Counts, Problem, Report, Rule, Standing, Verdict};
use std::collections::BTreeMap;

/// What each capability has earned, where its whole suite ran.
pub(super) fn standings(registry: &Registry, touched: &[&Entry], ran: &[Ran]) -> BTreeMap<String, Standing> {
    let mut results: BTreeMap<&str, Vec<&CaseResult>> = BTreeMap::new();
    for ran in ran {
        results.entry(&ran.result.capability).or_default().push(&ran.result);
    }
    let mut standings = BTreeMap::new();
    for entry in touched {
        let ran = results.get(entry.name()).map(Vec::as_slice).unwrap_or_default();
        if entry.suite.as_ref().is_some_and(|suite| suite.total() == ran.len()) {
            standings.insert(entry.name().to_owned(), crate::standing::standing(registry, entry, ran));
        }
    }
    standings
}

/// The problems that concern a run: all of them, or those of what is meant when the selection leaves capabilities
/// out. A complete run must give as many results as the lock promises.
pub(super) fn problems(
    registry: &Registry,
    selection: &Selection,
    touched: &[&Entry],
    complete: Option<usize>,
) -> Vec<Problem> {
    let mut problems: Vec<Problem> = registry.problems().to_vec();
    problems.extend(crate::lock::vanished(registry));
    if let Some(results) = complete {
        problems.extend(crate::lock::check(registry));
        problems.extend(crate::lock::promise(registry, results));
    }
    if selection.is_all() {
        return problems;
    }
    let ran = |entry: &Entry| touched.iter().any(|touched| touched.name() == entry.name());
    // A suite that does not load has no ids that a pattern could match, so whether it is meant goes by its path.
    let broken = |entry: &Entry| entry.suite.is_none() && selection.means(&entry.path());
    let entries = registry.entries();
    let left_out: Vec<String> = entries.iter().filter(|e| !ran(e) && !broken(e)).map(Entry::path).collect();
    problems.retain(|problem| !left_out.iter().any(|path| concerns(path, &problem.file)));
    if !entries.iter().any(broken) {
        let unmatched = selection.unmatched(registry).into_iter();
        problems.extend(unmatched.map(|message| Problem::whole(Rule::Selection, "selection", message, "")));
    }
    problems
}

/// Whether a file is the spec or in the suite of the capability at `path`.
pub(crate) fn concerns(path: &str, file: &str) -> bool {
    let suite = file.strip_prefix("golden/").and_then(|rest| rest.strip_prefix(path));
    suite.is_some_and(|rest| rest.starts_with('/'))
        || file.strip_prefix("oracles/specs/").and_then(|rest| rest.strip_prefix(path)) == Some(".md")
}

/// What the run found besides its results.
pub(super) struct Tail {
    pub complete: bool,
    pub standings: BTreeMap<String, Standing>,
    pub problems: Vec<Problem>,
}

pub(super) fn report(registry: &Registry, selection: &Selection, ran: Vec<Ran>, tail: Tail) -> Report {
    let (mut counts, mut areas) = (Counts::default(), BTreeMap::<_, Counts>::new());
    let mut hasher = blake3::Hasher::new();
    let (mut sweep_points, mut notes, mut results) = (0, Vec::new(), Vec::with_capacity(ran.len()));
    for Ran { result, notes: mut found, .. } in ran {
        counts.add(result.verdict);
        areas.entry(result.area).or_default().add(result.verdict);
        if result.kind == CaseKind::Sweep && result.verdict != Verdict::Skipped {
            sweep_points += result.points;
        }
        crate::digest::fingerprint(&mut hasher, &result.fingerprint);
        notes.append(&mut found);
        results.push(result);
    }
    let Tail { complete, standings, mut problems } = tail;
    problems.sort();
    problems.dedup();
    Report {
        corpus_origin: registry.origin().to_owned(),
        corpus_digest: registry.corpus_digest().to_owned(),
        result_digest: hasher.finalize().to_hex().to_string(),
        port: None,
        build: None,
        part: None,
        selection: selection.to_string(),
        complete,
        counts,
        sweep_points,
        areas,
        standings,
        problems,
        notes,
        results,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_concerns_its_own_capability_alone() {
        assert!(concerns("combat/x", "golden/combat/x/cases.toml"));
        assert!(concerns("combat/x", "golden/combat/x/vectors/v.jsonl"));
        assert!(concerns("combat/x", "oracles/specs/combat/x.md"));
        for other in ["golden/combat/x_y/cases.toml", "oracles/specs/combat/x_y.md", "oracles/sources.toml"] {
            assert!(!concerns("combat/x", other), "{other}");
        }
    }
}
