//! A case explained, for people: evidence, derivation beside the port, and where the two part.

use crate::cite;
use crate::layout::{align, fold};
use crate::steps::{self, related};
use crate::text::{Style, plural};
use assay_model::explain::{CaseExplained, Chosen, PortAnswer, SweepExplained};
use assay_model::{Tree, Verdict};
use std::fmt::Write as _;

/// Columns of the text.
pub(crate) const WIDTH: usize = 100;
/// Characters of a value in a table.
pub(crate) const CELL: usize = 28;
/// Differences that are listed after the first.
const LATER: usize = 8;
/// Marks where the port went wrong.
pub(crate) const FIRST: &str = "►";

/// The explanation of a case as text.
#[must_use]
pub fn explain_case(case: &CaseExplained, style: &Style) -> String {
    let style = *style;
    let mut out = String::new();
    head(&mut out, case, style);
    cite::problems(&mut out, &case.problems, style);
    input(&mut out, &case.input, style);
    cite::clauses(&mut out, &case.clauses, style);
    let sources = case.clauses.iter().flat_map(|clause| &clause.sources).chain(&case.recorded);
    cite::sources(&mut out, sources, style);
    if let Some(sweep) = &case.sweep {
        self::sweep(&mut out, sweep, style);
    }
    if let Some(source) = &case.recorded {
        let _ = writeln!(out, "{} from {}\n", style.dim("RECORDED"), source.id);
    }
    if let Some(prose) = &case.prose {
        let _ = writeln!(out, "{}\n  {}\n", style.dim("WHY"), fold(prose, 2, WIDTH));
    }
    if let Some(derivation) = &case.derivation {
        steps::derivation(&mut out, case, derivation, style);
    }
    stages(&mut out, case, style);
    verdict(&mut out, case, style);
    out
}

fn head(out: &mut String, case: &CaseExplained, style: Style) {
    let _ = writeln!(out, "{}  {}", style.strong(&case.id), painted(case.result.verdict, style));
    if !case.title.is_empty() {
        let _ = writeln!(out, "{}", fold(&case.title, 0, WIDTH));
    }
    let mut facts = format!("{}, {}", case.game, case.kind.as_str());
    if !case.tags.is_empty() {
        let _ = write!(facts, ", {}", case.tags.join(", "));
    }
    let _ = write!(facts, ", {}:{}", case.file, case.line);
    let _ = writeln!(out, "{}", style.dim(&facts));
    if let Some(note) = &case.note {
        let _ = writeln!(out, "note: {}", fold(note, 6, WIDTH));
    }
    out.push('\n');
}

pub(crate) fn painted(verdict: Verdict, style: Style) -> String {
    match verdict {
        Verdict::Pass => style.good(verdict.as_str()),
        _ if verdict.is_drift() => style.bad(verdict.as_str()),
        _ => style.warn(verdict.as_str()),
    }
}

fn input(out: &mut String, input: &Tree, style: Style) {
    let rows: Vec<Vec<String>> = input
        .entries()
        .iter()
        .map(|(name, value)| vec![name.clone(), clip(&value.to_string(), 400)])
        .collect();
    let indent = 4 + rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "{}", style.dim("INPUT"));
    for line in align(&rows) {
        let name = line.chars().take(indent - 2).collect::<String>();
        let value = line.chars().skip(indent - 2).collect::<String>();
        let _ = writeln!(out, "  {name}{}", fold(&value, indent, WIDTH));
    }
    out.push('\n');
}

fn sweep(out: &mut String, sweep: &SweepExplained, style: Style) {
    let _ = writeln!(out, "{} {}", style.dim("SWEEP"), plural(sweep.points, "point"));
    let row = |axis: &assay_model::explain::AxisExplained| {
        vec![axis.name.clone(), axis.values.clone(), plural(axis.count, "value")]
    };
    for line in align(&sweep.axes.iter().map(row).collect::<Vec<_>>()) {
        let _ = writeln!(out, "  {line}");
    }
    let why = match sweep.chosen {
        Chosen::Asked => "as asked",
        Chosen::FirstFailing => "the first that fails",
        Chosen::First => "the first",
    };
    let at: Vec<String> = sweep.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let _ = writeln!(out, "  explained here: point {}, {why}: {}\n", sweep.index, at.join(", "));
}

/// Stages that no step shows.
fn stages(out: &mut String, case: &CaseExplained, style: Style) {
    let alone = case.derivation.as_ref().is_none_or(|derivation| derivation.steps.is_empty());
    let absent = |value: &Option<String>| value.as_deref().is_none_or(|value| value == "null");
    let shown = case.stages.iter().filter(|stage| {
        (alone || !stage.derived) && (stage.differs || !(absent(&stage.expected) && absent(&stage.actual)))
    });
    let cell = |value: &Option<String>, none: &str| {
        value.as_ref().map_or(none.to_owned(), |value| clip(value, CELL))
    };
    let mut rows = vec![["", "STAGE", "EXPECTED", "PORT"].map(str::to_owned).to_vec()];
    let first = case.differences.first().map(|first| first.stage.as_str());
    rows.extend(shown.map(|stage| {
        let mark = if first.is_some_and(|first| related(first, &stage.stage)) { FIRST } else { "" };
        let expected = if case.differences.is_empty() { "not compared" } else { "nothing" };
        vec![
            mark.to_owned(),
            stage.stage.clone(),
            cell(&stage.expected, expected),
            cell(&stage.actual, "nothing"),
        ]
    }));
    if rows.len() == 1 {
        return;
    }
    for (index, line) in align(&rows).iter().enumerate() {
        let line = match index {
            0 => style.dim(line),
            _ if line.starts_with(FIRST) => style.bad(line),
            _ => line.clone(),
        };
        let _ = writeln!(out, " {line}");
    }
    if case.more_stages > 0 {
        let _ = writeln!(out, "  … and {}", plural(case.more_stages, "further stage"));
    }
    out.push('\n');
}

fn verdict(out: &mut String, case: &CaseExplained, style: Style) {
    let result = &case.result;
    let _ = writeln!(out, "{} {}", style.dim("VERDICT"), painted(result.verdict, style));
    if let Some(dispute) = &result.disputed {
        let _ = writeln!(out, "  disputed since {}: {}", dispute.opened, fold(&dispute.reason, 2, WIDTH));
        let _ = writeln!(out, "  {}", dispute.issue);
    }
    if !result.reason.is_empty() {
        let _ = writeln!(out, "  {}", fold(&result.reason, 2, WIDTH));
    }
    if let Some(failure) = &result.failure {
        let _ = writeln!(out, "  {}", fold(&failure.message, 2, WIDTH));
    }
    if !matches!(case.port, PortAnswer::Breakdown { .. }) {
        let _ = writeln!(out, "  the port {}", fold(&answer(&case.port), 2, WIDTH));
    }
    differences(out, case, style);
    if result.failure.is_some() {
        let _ = writeln!(
            out,
            "  repeat  {}",
            result.failure.as_ref().map_or("", |failure| failure.repro.as_str())
        );
    }
}

/// The first difference, and the others in a fainter hand.
fn differences(out: &mut String, case: &CaseExplained, style: Style) {
    if case.differences.is_empty() {
        return;
    }
    let mut rows = vec![["", "STAGE", "EXPECTED", "DERIVED", "PORT", "RULE"].map(str::to_owned).to_vec()];
    let shown = case.differences.iter().take(1 + LATER);
    rows.extend(shown.enumerate().map(|(index, difference)| {
        vec![
            if index == 0 { FIRST } else { "" }.to_owned(),
            difference.stage.clone(),
            clip(&difference.expected, CELL),
            clip(difference.derived.as_deref().unwrap_or("-"), CELL),
            clip(&difference.actual, CELL),
            difference.rule.clone(),
        ]
    }));
    for (index, line) in align(&rows).iter().enumerate() {
        let line = if index == 1 { style.bad(line) } else { style.dim(line) };
        let _ = writeln!(out, " {line}");
    }
    let rest = case.differences.len().saturating_sub(1 + LATER) as u64 + case.more_differences;
    if rest > 0 {
        let _ = writeln!(out, "   {}", style.dim(&format!("… and {rest} more")));
    }
}

/// What the port did, in words.
pub(crate) fn answer(port: &PortAnswer) -> String {
    match port {
        PortAnswer::Breakdown { .. } => "gave a breakdown".to_owned(),
        PortAnswer::Refused { errno, field, message } if field.is_empty() => {
            format!("refused with {errno}: {message}")
        }
        PortAnswer::Refused { errno, field, message } => {
            format!("refused with {errno} at `{field}`: {message}")
        }
        PortAnswer::Panicked { place, message } => format!("panicked at {place}: {message}"),
        PortAnswer::Unreadable { message } => format!("gave no JSON: {message}"),
    }
}

pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
