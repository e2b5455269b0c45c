//! A comparison as text.

use super::{Comparison, Divergence};
use crate::layout::align;
use crate::text::{Style, plural};
use assay_model::Counts;
use std::fmt::Write;

/// Agreements and stages shown of each.
const SHOWN: usize = 40;

/// A comparison as text for people.
#[must_use]
pub fn compare_text(comparison: &Comparison, style: &Style) -> String {
    let mut out = String::new();
    table(&mut out, comparison, *style);
    agreements(&mut out, comparison, *style);
    divergences(&mut out, comparison, *style);
    let corpus = format!("corpus {}", comparison.corpus_digest);
    let _ = writeln!(out, "{}", style.dim(&corpus));
    for port in &comparison.ports {
        let verdict = match port.verdict {
            "pass" => style.good("pass"),
            other => style.bad(other),
        };
        let executed = port.counts.executed();
        let skipped = match port.counts.skipped {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        let who = format!("{} {}", port.name, port.version);
        let (who, drift) = (who.trim_end(), port.counts.drift());
        let _ =
            writeln!(out, "{verdict} {who} ({}): {drift} of {}{skipped}", port.language, drifts(executed));
        for problem in &port.problems {
            let _ = writeln!(out, "  {} {problem}", style.bad("problem"));
        }
        for note in &port.notes {
            let _ = writeln!(out, "  note {note}");
        }
    }
    out
}

fn drifts(executed: u64) -> String {
    format!("{} differ", plural(executed, "case"))
}

/// One line a capability: of how many cases that ran how many pass.
fn table(out: &mut String, comparison: &Comparison, style: Style) {
    let head =
        std::iter::once("capability".to_owned()).chain(comparison.ports.iter().map(|port| port.name.clone()));
    let mut rows = vec![head.collect::<Vec<_>>()];
    for row in &comparison.capabilities {
        let name = std::iter::once(format!("{}/{}", row.area, row.capability));
        rows.push(name.chain(row.counts.iter().map(cell)).collect());
    }
    let total = comparison.ports.iter().map(|port| cell(&port.counts));
    rows.push(std::iter::once("total".to_owned()).chain(total).collect());
    for (index, line) in align(&rows).into_iter().enumerate() {
        let line = if index == 0 { style.dim(&line) } else { line };
        let _ = writeln!(out, "{line}");
    }
    out.push('\n');
}

/// `passing/executed`, with what did not run behind it; a dash where nothing did.
fn cell(counts: &Counts) -> String {
    let executed = counts.executed();
    match (executed, counts.skipped) {
        (0, _) => "-".to_owned(),
        (_, 0) => format!("{}/{executed}", counts.pass),
        (_, skipped) => format!("{}/{executed} +{skipped}", counts.pass),
    }
}

fn agreements(out: &mut String, comparison: &Comparison, style: Style) {
    if comparison.agreements.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", style.warn("ports that agree against the oracle: read these cases again"));
    for agreement in comparison.agreements.iter().take(SHOWN) {
        let ports = agreement.ports.join(", ");
        let stage = if agreement.stage.is_empty() { String::new() } else { format!(" {}", agreement.stage) };
        let _ = writeln!(
            out,
            "  {}{stage}: expected {}, {ports} say {}",
            agreement.id, agreement.expected, agreement.actual
        );
    }
    more(out, comparison.agreements.len());
    out.push('\n');
}

fn divergences(out: &mut String, comparison: &Comparison, style: Style) {
    if comparison.divergences.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", style.strong("first diverging stages"));
    let row = |d: &Divergence| {
        vec![
            format!("  {}", d.port),
            d.capability.clone(),
            d.stage.clone(),
            d.cases.to_string(),
            d.id.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = comparison.divergences.iter().take(SHOWN).map(row).collect();
    for line in align(&rows) {
        let _ = writeln!(out, "{line}");
    }
    more(out, comparison.divergences.len());
    out.push('\n');
}

fn more(out: &mut String, count: usize) {
    if count > SHOWN {
        let _ = writeln!(out, "  … and {} more (`--format json` has all)", count - SHOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare, sample};

    #[test]
    fn the_matrix_then_what_they_agree_on_then_the_stages() {
        let mut lazy = sample::outsider("lazy", sample::green());
        lazy.counts = Counts { skipped: 1, ..Counts::default() };
        lazy.results[0].verdict = assay_model::Verdict::Skipped;
        let snake = |name| sample::outsider(name, sample::red());
        let comparison = compare(&[sample::green(), snake("snake"), snake("adder"), lazy]);
        let shown = compare_text(&comparison, &Style::default());
        for line in [
            "capability             assay  snake  adder  lazy",
            "combat/compute_damage  1/1    1/2    1/2    -",
            "math/simulate_rng      -      0/2    0/2    -",
            "total                  1/1    1/4    1/4    -",
            "  combat/compute_damage/quarter kernel.falloff: expected 0.875, snake, adder say 0.874",
            "pass assay (Rust): 0 of 1 case differ",
            "  note a tolerance was not needed",
            "fail snake 0.3 (Python): 2 of 4 cases differ",
            "broken lazy 0.3 (Python): 0 of 0 cases differ, 1 skipped",
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
        }
        assert!(
            shown.contains("  snake  compute_damage  kernel.falloff  1  combat/compute_damage/quarter\n"),
            "{shown}"
        );
    }
}
