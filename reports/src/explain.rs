//! A case explained, for people: evidence, derivation beside the port, and where the two part.

use crate::cite;
use crate::layout::{align, fold};
use crate::text::{Style, plural};
use assay_model::explain::{
    CaseExplained, Chosen, DerivationExplained, Difference, PortAnswer, SettingExplained, StepExplained,
    SweepExplained,
};
use assay_model::{Tree, Verdict};
use std::fmt::Write as _;

/// Columns of the text.
pub(crate) const WIDTH: usize = 100;
/// Column of the values below a step.
const VALUE: usize = 10;
/// Column of the port's stage beside a value, where the value leaves room.
const BESIDE: usize = 62;
/// Characters of a value in a table.
const CELL: usize = 28;
/// Differences that are listed after the first.
const LATER: usize = 8;
/// Marks where the port went wrong.
const FIRST: &str = "►";

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
        self::derivation(&mut out, case, derivation, style);
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

fn derivation(out: &mut String, case: &CaseExplained, derivation: &DerivationExplained, style: Style) {
    let name = derivation.name.as_ref().map(|name| format!("@{name}, ")).unwrap_or_default();
    let _ = writeln!(out, "{} {name}{}:{}", style.dim("DERIVATION"), derivation.file, derivation.line);
    for step in &derivation.steps {
        self::step(out, step, &case.differences, style);
    }
    if derivation.more_steps > 0 {
        let _ = writeln!(out, "  … and {} of further statements", plural(derivation.more_steps, "run"));
    }
    if let Some(refusal) = &derivation.refusal {
        source(out, refusal.line, &refusal.source, false, style);
        let due = if refusal.field.is_empty() {
            refusal.errno.clone()
        } else {
            format!("{} at `{}`", refusal.errno, refusal.field)
        };
        beside(out, &format!("false: refuses with {due}"), &format!("port {}", answer(&case.port)));
    }
    if let Some(broken) = &derivation.broken {
        let _ = writeln!(out, "  {} {broken}", style.bad("broken"));
    }
    out.push('\n');
}

/// A statement with its line; long ones are folded.
fn source(out: &mut String, line: usize, source: &str, first: bool, style: Style) {
    let mark = if first { style.bad(FIRST) } else { " ".to_owned() };
    for (index, text) in source.lines().enumerate() {
        let number = if index == 0 { format!("{line:>5}") } else { " ".repeat(5) };
        let indent = if index == 0 { 8 } else { 10 };
        let pad = " ".repeat(indent - 6);
        let mark = if index == 0 { mark.as_str() } else { " " };
        let folded = fold(text, indent + 2, WIDTH);
        let _ = writeln!(out, "{mark}{}{pad}{folded}", style.dim(&number));
    }
}

fn step(out: &mut String, step: &StepExplained, differences: &[Difference], style: Style) {
    let first = step.stage.as_ref().is_some_and(|stage| stage.first);
    source(out, step.line, &step.source, first, style);
    let value = match &step.whole {
        Some(whole) => format!("{} → {} = {whole}", setting(&step.last, step.times), step.step),
        None => setting(&step.last, step.times),
    };
    let value = if step.last.exact.is_some() { style.warn(&value) } else { value };
    match &step.stage {
        Some(stage) if stage.differs => {
            line(out, &value);
            let inside = |difference: &&Difference| related(&difference.stage, &step.step);
            if let Some(difference) = differences.iter().find(inside) {
                let place = if difference.stage == step.step { "" } else { difference.stage.as_str() };
                let space = if place.is_empty() { "" } else { "  " };
                let derived = difference.derived.as_deref().unwrap_or("nothing");
                let text = format!(
                    "{place}{space}expected {}  derived {derived}  port {}",
                    difference.expected, difference.actual
                );
                let text =
                    if stage.first { style.bad(&text) } else { style.dim(&format!("differs too: {text}")) };
                line(out, &text);
            }
        }
        Some(stage) if visible(&stage.port) > CELL + 4 => {
            beside(out, &value, &style.good("port has the same"))
        }
        Some(stage) => beside(out, &value, &style.good(&format!("port {}", stage.port))),
        None => line(out, &value),
    }
    if !step.runs.is_empty() {
        let run =
            |run: &Option<SettingExplained>| run.as_ref().map_or("…".to_owned(), |run| setting(run, 1));
        let runs: Vec<String> = step.runs.iter().map(run).collect();
        let runs = format!("{}: {}", plural(step.times, "run"), runs.join(", "));
        line(out, &style.dim(&fold(&runs, VALUE + 2, WIDTH)));
    }
}

/// What a run set: `exact 87.5  engine 87` where rounding made the value.
fn setting(run: &SettingExplained, times: u64) -> String {
    let place = if run.place.is_empty() { String::new() } else { format!("{} ", run.place) };
    let engine = match &run.digits {
        Some(digits) => format!("{} ({digits})", run.value),
        None => run.value.clone(),
    };
    match &run.exact {
        Some(exact) if times == 1 || run.run == times => format!("{place}exact {exact}  engine {engine}"),
        _ => format!("{place}{}", run.value),
    }
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{:VALUE$}{}", "", text);
}

/// A value, and something beside it; below it where there is no room.
fn beside(out: &mut String, value: &str, other: &str) {
    let width = visible(value) + VALUE;
    if width + 2 > BESIDE || BESIDE + visible(other) > WIDTH {
        line(out, &fold(value, VALUE, WIDTH));
        line(out, &fold(other, VALUE, WIDTH));
    } else {
        let gap = " ".repeat(BESIDE - width);
        line(out, &format!("{value}{gap}{other}"));
    }
}

/// Characters without escapes.
fn visible(text: &str) -> usize {
    let mut escaped = false;
    let seen = text.chars().filter(|c| {
        let shown = !escaped && *c != '\u{1b}';
        escaped = (escaped || *c == '\u{1b}') && *c != 'm';
        shown
    });
    seen.count()
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
            0 => style.dim(line.trim_start()),
            _ if line.starts_with(FIRST) => style.bad(line),
            _ => line.clone(),
        };
        let indent = if index == 0 { "" } else { " " };
        let _ = writeln!(out, "{indent}{line}");
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
fn answer(port: &PortAnswer) -> String {
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

/// Whether two dotted paths are the same, or one lies in the other.
fn related(one: &str, other: &str) -> bool {
    let inside = |path: &str, of: &str| path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'));
    one == other || inside(one, other) || inside(other, one)
}

pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
