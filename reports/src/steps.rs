//! The steps of a derivation for people: as written, the value below, the port's stage beside it.

use crate::explain::{CELL, FIRST, WIDTH, answer};
use crate::layout::fold;
use crate::text::{Style, plural};
use assay_model::explain::{CaseExplained, DerivationExplained, Difference, SettingExplained, StepExplained};
use std::fmt::Write as _;

/// Column of the values below a step.
const VALUE: usize = 10;
/// Column of the port's stage beside a value, where the value leaves room.
const BESIDE: usize = 62;

/// Every statement that set something, and the `require` that refused.
pub(crate) fn derivation(
    out: &mut String,
    case: &CaseExplained,
    derivation: &DerivationExplained,
    style: Style,
) {
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
            // Plain values stand in the next line again.
            if step.last.exact.is_some() || step.whole.is_some() {
                line(out, &value);
            }
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
            beside(out, &value, &style.good("port has the same"));
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
    let long = visible(text) + VALUE > WIDTH;
    let _ = writeln!(out, "{:VALUE$}{}", "", if long { fold(text, VALUE, WIDTH) } else { text.to_owned() });
}

/// A value, and something beside it; below it where there is no room.
fn beside(out: &mut String, value: &str, other: &str) {
    let width = visible(value) + VALUE;
    if width + 2 > BESIDE || BESIDE + visible(other) > WIDTH {
        line(out, value);
        line(out, other);
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

/// Whether two dotted paths are the same, or one lies in the other.
pub(crate) fn related(one: &str, other: &str) -> bool {
    let inside = |path: &str, of: &str| path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'));
    one == other || inside(one, other) || inside(other, one)
}
