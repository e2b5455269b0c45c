//! Coverage for people: what no passing case carries first, then the rest, then counts per area.

use crate::explain::{WIDTH, clip};
use crate::layout::align;
use crate::text::Style;
use assay_model::CaseKind;
use assay_model::coverage::{Coverage, CoverageRow, Covered, Tally};
use std::fmt::Write as _;

/// The coverage as text.
#[must_use]
pub fn coverage(coverage: &Coverage, style: &Style) -> String {
    let style = *style;
    let mut out = String::new();
    for path in &coverage.broken {
        let _ =
            writeln!(out, "{} {path} has no suite that loads: `assay explain {path}`", style.bad("broken"));
    }
    let split = coverage.rows.iter().position(|row| row.covered).unwrap_or(coverage.rows.len());
    let (uncovered, covered) = coverage.rows.split_at(split);
    section(&mut out, &style.warn("NO PASSING CASE CARRIES"), uncovered, open, style);
    section(&mut out, &style.strong("COVERED"), covered, cells, style);
    summary(&mut out, coverage, style);
    out
}

/// Rows under the capability that they are of; `cells` makes one of a row, and the heading without a row.
fn section(
    out: &mut String,
    title: &str,
    rows: &[CoverageRow],
    cells: fn(Option<&CoverageRow>) -> Vec<String>,
    style: Style,
) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}");
    let table: Vec<Vec<String>> = std::iter::once(None).chain(rows.iter().map(Some)).map(cells).collect();
    let lines = align(&table);
    let _ = writeln!(out, "  {}", style.dim(&lines[0]));
    let mut before = None;
    for (row, line) in rows.iter().zip(&lines[1..]) {
        if before != Some(&row.capability) {
            let _ = writeln!(out, "{}/{}", row.area, row.capability);
            before = Some(&row.capability);
        }
        let _ = writeln!(out, "  {}", clip(line, WIDTH - 3));
    }
    out.push('\n');
}

/// An uncovered clause: what there is of cases in words, and what the clause says.
fn open(row: Option<&CoverageRow>) -> Vec<String> {
    let Some(row) = row else {
        return ["CLAUSE", "GAME", "TIER", "CASES", "TITLE"].map(str::to_owned).to_vec();
    };
    let cases = row.cases.iter().map(|(kind, tally)| format!("{} {}", kind.as_str(), count(tally)));
    let cases = cases.collect::<Vec<_>>().join(", ");
    let cases = if cases.is_empty() { "none".to_owned() } else { cases };
    vec![row.clause.clone(), row.game.to_string(), row.tier.to_string(), cases, row.title.clone()]
}

/// A covered clause: how many cases of each kind.
fn cells(row: Option<&CoverageRow>) -> Vec<String> {
    let start = match row {
        None => ["CLAUSE", "GAME", "TIER"].map(str::to_owned),
        Some(row) => [row.clause.clone(), row.game.to_string(), row.tier.to_string()],
    };
    let cell = |kind: &CaseKind| match row {
        None => kind.as_str().to_uppercase(),
        Some(row) => row.cases.get(kind).map_or("-".to_owned(), count),
    };
    start.into_iter().chain(CaseKind::ALL.iter().map(cell)).collect()
}

/// How many there are, or `1/2` where not all of them pass.
fn count(tally: &Tally) -> String {
    if tally.total == tally.passing {
        tally.total.to_string()
    } else {
        format!("{}/{}", tally.passing, tally.total)
    }
}

fn summary(out: &mut String, coverage: &Coverage, style: Style) {
    let row = |name: &str, counts: &Covered| {
        let counts = [counts.clauses, counts.covered, counts.verified];
        std::iter::once(name.to_owned()).chain(counts.map(|count| format!("{count:>8}"))).collect()
    };
    let mut rows = vec![["AREA", " CLAUSES", " COVERED", "VERIFIED"].map(str::to_owned).to_vec()];
    rows.extend(coverage.areas.iter().map(|(area, counts)| row(area.as_str(), counts)));
    rows.push(row("total", &coverage.total));
    for (index, line) in align(&rows).iter().enumerate() {
        let _ = writeln!(out, "{}", if index == 0 { style.dim(line) } else { line.clone() });
    }
}
