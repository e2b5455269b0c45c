//! Which clauses have cases: clause by game by tier by cases, the uncovered ones first.

use crate::registry::Registry;
use crate::run::{Options, verify};
use crate::selection::Selection;
use assay_model::coverage::{Coverage, CoverageRow, Covered, Tally};
use assay_model::{CaseResult, Game, Report, Verdict};
use assay_oracles::{Clause, Spec};
use std::collections::BTreeMap;

/// The clauses of the selected capabilities, each with its cases, by a run of their whole suites. `missing` leaves out
/// the rows of covered clauses; the counts are those of all.
///
/// # Errors
/// The selection asks for tags, which clauses do not have, or takes nothing.
pub fn coverage(
    registry: &Registry,
    selection: &Selection,
    options: &Options,
    missing: bool,
) -> Result<Coverage, String> {
    if selection.wants_tags() {
        return Err("tags pick cases, and this counts clauses: leave `tag=` out".to_owned());
    }
    let specs = meant(registry, selection)?;
    let report = run(registry, selection, &specs, options)?;
    let mut rows = Vec::new();
    for spec in &specs {
        let results: Vec<&CaseResult> =
            report.results.iter().filter(|result| result.capability == spec.capability).collect();
        rows.extend(self::rows(registry, selection, spec, &report, &results));
    }
    let (mut areas, mut total) = (BTreeMap::<_, Covered>::new(), Covered::default());
    for row in &rows {
        areas.entry(row.area).or_default().add(row);
        total.add(row);
    }
    // The order among equals is that of area, capability and spec.
    rows.sort_by_key(|row| row.covered);
    rows.retain(|row| !(missing && row.covered));
    let loads = |spec: &Spec| registry.get(&spec.capability).is_some_and(|entry| entry.suite.is_some());
    let broken = specs.iter().filter(|spec| !loads(spec)).map(|spec| path(spec));
    Ok(Coverage { selection: selection.to_string(), areas, total, broken: broken.collect(), rows })
}

fn path(spec: &Spec) -> String {
    format!("{}/{}", spec.area, spec.capability)
}

/// The specs that the patterns mean, by area and capability: also those of ports and suites that are not there yet.
fn meant<'a>(registry: &'a Registry, selection: &Selection) -> Result<Vec<&'a Spec>, String> {
    let mut all: Vec<&Spec> = registry.oracle().specs.values().collect();
    all.sort_by_key(|spec| (spec.area, &spec.capability));
    let paths: Vec<String> = all.iter().map(|spec| path(spec)).collect();
    if let Some(nothing) = selection.meaningless(&paths) {
        return Err(nothing);
    }
    Ok(all.into_iter().zip(&paths).filter(|(_, path)| selection.means(path)).map(|(spec, _)| spec).collect())
}

/// Runs the whole suites of what is meant: a clause is as well covered as its suite covers it.
fn run(
    registry: &Registry,
    selection: &Selection,
    specs: &[&Spec],
    options: &Options,
) -> Result<Report, String> {
    let mut whole = Selection::all();
    if !selection.is_all() {
        for spec in specs {
            whole = whole.pattern(&path(spec))?;
        }
    }
    Ok(verify(registry, &whole, options))
}

fn rows<'a>(
    registry: &'a Registry,
    selection: &'a Selection,
    spec: &'a Spec,
    report: &'a Report,
    results: &'a [&'a CaseResult],
) -> impl Iterator<Item = CoverageRow> + 'a {
    let pairs = spec.clauses.iter().flat_map(|clause| clause.games.iter().map(move |game| (clause, *game)));
    let rows = pairs.map(move |(clause, game)| row(registry, spec, clause, game, results));
    rows.filter(move |row| {
        let standing = report.standings.get(&spec.capability);
        selection.takes(row.game, row.tier, standing)
    })
}

fn row(
    registry: &Registry,
    spec: &Spec,
    clause: &Clause,
    game: Game,
    results: &[&CaseResult],
) -> CoverageRow {
    let mut cases: BTreeMap<_, Tally> = BTreeMap::new();
    let on_clause = |result: &&&CaseResult| result.game == game && result.clause.contains(&clause.id);
    for result in results.iter().filter(on_clause) {
        let tally = cases.entry(result.kind).or_default();
        tally.total += 1;
        tally.passing += u64::from(result.verdict == Verdict::Pass);
    }
    let carried =
        |(kind, tally): (&assay_model::CaseKind, &Tally)| kind.carries_verified() && tally.passing > 0;
    CoverageRow {
        area: spec.area,
        capability: spec.capability.clone(),
        clause: clause.id.clone(),
        title: clause.title.clone(),
        game,
        tier: registry.oracle().tier(clause, game),
        covered: cases.iter().any(carried),
        cases,
    }
}
