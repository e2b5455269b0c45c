//! A capability explained, for people: clause by clause, what exercises it, and what is missing.

use crate::cite;
use crate::explain::{WIDTH, painted};
use crate::layout::{align, fold};
use crate::text::{Style, plural};
use assay_model::explain::{CapabilityExplained, CaseLine};
use assay_model::{CaseKind, Game, Status, Verdict};
use std::fmt::Write as _;

/// The explanation of a capability as text.
#[must_use]
pub fn explain_capability(capability: &CapabilityExplained, style: &Style) -> String {
    let style = *style;
    let mut out = String::new();
    head(&mut out, capability, style);
    cite::problems(&mut out, &capability.problems, style);
    standing(&mut out, capability, style);
    let _ = writeln!(out, "{}", style.dim("CLAUSES"));
    for clause in &capability.clauses {
        cite::clause(&mut out, &clause.clause, style);
        // Of a suite that does not load nobody knows the cases.
        if capability.standing.is_some() {
            cases(&mut out, &clause.cases, style);
        }
    }
    out.push('\n');
    let clauses = capability.clauses.iter().flat_map(|clause| &clause.clause.sources);
    cite::sources(&mut out, clauses, style);
    missing(&mut out, capability, style);
    out
}

fn head(out: &mut String, capability: &CapabilityExplained, style: Style) {
    let status = capability.status.as_str();
    let status = if capability.status == Status::Verified { style.good(status) } else { style.warn(status) };
    let facts = format!("{}, {}", capability.area, capability.kind);
    let _ = writeln!(out, "{}  {}  {status}", style.strong(&capability.name), style.dim(&facts));
    let _ = writeln!(out, "{}", fold(&capability.summary, 0, WIDTH));
    if !capability.title.is_empty() {
        let _ = writeln!(out, "{}", style.dim(&format!("{}: {}", capability.title, capability.spec)));
    }
    let _ = writeln!(out, "{}\n", style.dim(&capability.suite));
}

/// Games with what they have earned, and what the capability calls.
fn standing(out: &mut String, capability: &CapabilityExplained, style: Style) {
    if let Some(standing) = &capability.standing {
        let mut rows = vec![["GAME", "STATUS", "TIER"].map(str::to_owned).to_vec()];
        rows.extend(standing.games.iter().map(|(game, status)| {
            let tier = standing.tiers.get(game).map_or("none", |tier| tier.as_str());
            vec![game.to_string(), status.to_string(), tier.to_owned()]
        }));
        for (index, line) in align(&rows).iter().enumerate() {
            let _ = writeln!(out, "  {}", if index == 0 { style.dim(line) } else { line.clone() });
        }
        out.push('\n');
    }
    if !capability.composes.is_empty() {
        let _ = writeln!(out, "{}", style.dim("COMPOSES"));
        let row = |part: &assay_model::explain::Composed| {
            let tiers: Vec<String> = part.tiers.iter().map(|(game, tier)| format!("{game} {tier}")).collect();
            vec![part.capability.clone(), tiers.join(", ")]
        };
        for line in align(&capability.composes.iter().map(row).collect::<Vec<_>>()) {
            let _ = writeln!(out, "  {line}");
        }
        out.push('\n');
    }
}

/// Cases by kind; what does not pass has a line of its own.
fn cases(out: &mut String, cases: &[CaseLine], style: Style) {
    if cases.is_empty() {
        let _ = writeln!(out, "      {}", style.warn("no case"));
    }
    for kind in CaseKind::ALL {
        let of_kind = || cases.iter().filter(|case| case.kind == *kind);
        let passing: Vec<&CaseLine> = of_kind().filter(|case| case.verdict == Verdict::Pass).collect();
        let total = of_kind().count();
        if total == 0 {
            continue;
        }
        let _ = writeln!(out, "      {}: {} of {total} pass", kind.as_str(), passing.len());
        for game in Game::ALL {
            let ids: Vec<String> =
                passing.iter().filter(|case| case.game == *game).map(|case| named(case)).collect();
            if !ids.is_empty() {
                let _ = writeln!(out, "        {game:4}{}", fold(&ids.join(", "), 12, WIDTH));
            }
        }
        for case in of_kind().filter(|case| case.verdict != Verdict::Pass) {
            let why = case.disputed.as_ref().map_or(case.reason.as_str(), |dispute| dispute.reason.as_str());
            let colon = if why.is_empty() { "" } else { ": " };
            let text = format!("{}, {}{colon}{why}", named(case), case.game);
            let _ = writeln!(out, "        {} {}", painted(case.verdict, style), fold(&text, 10, WIDTH));
        }
    }
}

fn named(case: &CaseLine) -> String {
    let count = match case.kind {
        CaseKind::Sweep => format!(" ({})", plural(case.count, "point")),
        CaseKind::Vector => format!(" ({})", plural(case.count, "line")),
        _ => String::new(),
    };
    format!("{}{count}", case.id)
}

fn missing(out: &mut String, capability: &CapabilityExplained, style: Style) {
    let _ = writeln!(out, "{}", style.dim("MISSING FOR VERIFIED"));
    match &capability.standing {
        None => {
            let _ = writeln!(out, "  {}", style.bad("the suite does not load, so nothing vouches for it"));
        }
        Some(standing) if standing.missing.is_empty() => {
            let _ = writeln!(out, "  nothing");
        }
        Some(standing) => {
            for line in &standing.missing {
                let _ = writeln!(out, "  {}", fold(line, 4, WIDTH));
            }
        }
    }
}
