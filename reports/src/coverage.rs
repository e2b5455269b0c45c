//! Coverage for people: what no passing case carries first, then the rest, then counts per area.

use crate::explain::{WIDTH, clip};
use crate::layout::align;
use crate::text::Style;
use assay_model::CaseKind;
use assay_model::coverage::{Coverage, CoverageRow, Covered};
use std::fmt::Write as _;

/// The coverage as text.
#[must_use]
pub fn coverage(coverage: &Coverage, style: &Style) -> String {
    let style = *style;
    let mut out = String::new();
    for path in &coverage.broken {
        let _ = writeln!(out, "{} {path} has no suite that loads: `assay explain {path}`", style.bad("broken"));
    }
    let split = coverage.rows.iter().position(|row| row.covered).unwrap_or(coverage.rows.len());
    let (uncovered, covered) = coverage.rows.split_at(split);
    section(&mut out, &style.warn("NO PASSING CASE CARRIES"), uncovered, style);
    section(&mut out, &style.strong("COVERED"), covered, style);
    summary(&mut out, coverage, style);
    out
}

/// Rows under the capability they are of; a cell is the number of cases, or `passing/all` when some do not pass.
fn section(out: &mut String, title: &str, rows: &[CoverageRow], style: Style) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}");
    let mut table = vec![["CLAUSE", "GAME", "TIER"].map(str::to_owned).to_vec()];
    table[0].extend(CaseKind::ALL.iter().map(|kind| kind.as_str().to_uppercase()));
    table[0].push("TITLE".to_owned());
    table.extend(rows.iter().map(cells));
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

fn cells(row: &CoverageRow) -> Vec<String> {
    let mut cells = vec![row.clause.clone(), row.game.to_string(), row.tier.to_string()];
    cells.extend(CaseKind::ALL.iter().map(|kind| match row.cases.get(kind) {
        None => "-".to_owned(),
        Some(tally) if tally.total == tally.passing => tally.total.to_string(),
        Some(tally) => format!("{}/{}", tally.passing, tally.total),
    }));
    cells.push(row.title.clone());
    cells
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
