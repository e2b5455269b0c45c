//! Clauses, sources and problems, as every explanation shows them.

use crate::explain::WIDTH;
use crate::layout::fold;
use crate::text::Style;
use assay_model::explain::{ClauseExplained, SourceExplained};
use assay_model::{Problem, Tier};
use std::fmt::Write as _;

/// What is wrong with the corpus.
pub(crate) fn problems(out: &mut String, problems: &[Problem], style: Style) {
    for problem in problems {
        let _ = writeln!(out, "{} {problem}", style.bad("problem"));
    }
    if !problems.is_empty() {
        out.push('\n');
    }
}

/// Each clause with its text, its tiers, and what it rests on.
pub(crate) fn clauses<'a>(
    out: &mut String,
    clauses: impl IntoIterator<Item = &'a ClauseExplained>,
    style: Style,
) {
    let _ = writeln!(out, "{}", style.dim("CLAUSES"));
    for clause in clauses {
        self::clause(out, clause, style);
    }
    out.push('\n');
}

/// One clause.
pub(crate) fn clause(out: &mut String, clause: &ClauseExplained, style: Style) {
    let tiers: Vec<String> =
        clause.tiers.iter().map(|(game, tier)| format!("{game} {}", painted(*tier, style))).collect();
    let title = fold(&clause.title, 4, WIDTH - clause.id.len());
    let _ = writeln!(out, "  {}  {title}", style.strong(&clause.id));
    let _ = writeln!(out, "      {}, {}:{}", tiers.join(", "), clause.file, clause.line);
    if let Some(open) = &clause.open {
        let _ = writeln!(out, "      {} {}", style.warn("open:"), fold(open, 6, WIDTH));
    }
    if !clause.text.is_empty() {
        let _ = writeln!(out, "      {}", fold(&clause.text, 6, WIDTH));
    }
    let sources: Vec<&str> = clause.sources.iter().map(|source| source.id.as_str()).collect();
    let _ =
        writeln!(out, "      {}", style.dim(&fold(&format!("rests on {}", sources.join(", ")), 6, WIDTH)));
}

fn painted(tier: Tier, style: Style) -> String {
    match tier {
        Tier::Verified => style.good(tier.as_str()),
        Tier::HighConfidence => tier.as_str().to_owned(),
        Tier::Initial | Tier::InProgress => style.warn(tier.as_str()),
    }
}

/// Each source once, in the order of first citation.
pub(crate) fn sources<'a>(
    out: &mut String,
    cited: impl IntoIterator<Item = &'a SourceExplained>,
    style: Style,
) {
    let mut seen: Vec<&str> = Vec::new();
    for source in cited {
        if seen.contains(&source.id.as_str()) {
            continue;
        }
        if seen.is_empty() {
            let _ = writeln!(out, "{}", style.dim("SOURCES"));
        }
        seen.push(&source.id);
        let games: Vec<&str> = source.games.iter().map(|game| game.as_str()).collect();
        let withdrawn = if source.withdrawn { ", withdrawn" } else { "" };
        let facts = format!(
            "{} of {}, group {}, for {}{withdrawn}",
            source.kind,
            source.subject,
            source.group,
            games.join(" ")
        );
        let _ = writeln!(out, "  {}  {}", style.strong(&source.id), fold(&facts, 6, WIDTH - source.id.len()));
        let _ = writeln!(out, "      {}", style.dim(&fold(&source.location, 6, WIDTH)));
    }
    if !seen.is_empty() {
        out.push('\n');
    }
}
