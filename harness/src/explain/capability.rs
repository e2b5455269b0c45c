//! One capability: its clauses with their tiers, what exercises each, and what is missing for more.

use super::clause;
use crate::registry::{Entry, Registry};
use crate::run::{Options, verify};
use crate::selection::Selection;
use assay_model::explain::{CapabilityExplained, CaseLine, ClauseCases, Composed};
use assay_model::{CaseKind, CaseResult, Status, Verdict};

/// Explains a capability by a run of its whole suite.
///
/// # Errors
/// Its name is no pattern, which no registered name is.
pub fn capability(
    registry: &Registry,
    options: &Options,
    entry: &Entry,
) -> Result<CapabilityExplained, String> {
    let path = entry.path();
    let selection = Selection::all().pattern(&path)?;
    let mut report = verify(registry, &selection, options);
    let standing = report.standings.remove(entry.name());
    let (meta, spec) = (entry.port.meta(), registry.spec(entry.name()));
    let clauses = spec.iter().flat_map(|spec| spec.clauses.iter().map(move |clause| (*spec, clause)));
    let clauses = clauses.map(|(spec, found)| ClauseCases {
        clause: clause::clause(registry, spec, found, &found.games),
        cases: cases(&report.results, &found.id, &path),
    });
    let tiers =
        |part: &str| meta.games.iter().map(|game| (*game, registry.oracle().weakest(part, *game))).collect();
    let composes = spec.map_or(&[][..], |spec| &spec.composes).iter();
    Ok(CapabilityExplained {
        name: entry.name().to_owned(),
        area: entry.area(),
        kind: meta.kind,
        summary: meta.summary.to_owned(),
        title: spec.map_or_else(String::new, |spec| spec.title.clone()),
        spec: format!("oracles/specs/{path}.md"),
        suite: format!("golden/{path}/cases.toml"),
        status: standing.as_ref().map_or(Status::Partial, |standing| standing.status),
        standing,
        composes: composes.map(|part| Composed { capability: part.clone(), tiers: tiers(part) }).collect(),
        clauses: clauses.collect(),
        problems: report.problems,
    })
}

/// What exercises a clause, the lines of a vector file as one.
fn cases(results: &[CaseResult], clause: &str, path: &str) -> Vec<CaseLine> {
    let mut lines: Vec<CaseLine> = Vec::new();
    for result in results.iter().filter(|result| result.clause.iter().any(|id| id == clause)) {
        let id = result.id.strip_prefix(path).map_or(result.id.as_str(), |id| id.trim_start_matches('/'));
        let vector = result.kind == CaseKind::Vector;
        let id = match id.split_once('.') {
            Some((stem, _)) if vector => format!("{stem}.*"),
            _ => id.to_owned(),
        };
        match lines.iter_mut().find(|line| vector && line.id == id) {
            Some(line) => {
                line.count += 1;
                if line.verdict == Verdict::Pass {
                    line.verdict = result.verdict;
                }
            }
            None => lines.push(CaseLine {
                id,
                kind: result.kind,
                game: result.game,
                verdict: result.verdict,
                count: result.points,
                reason: result.reason.clone(),
                disputed: result.disputed.clone(),
            }),
        }
    }
    lines.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    lines
}
