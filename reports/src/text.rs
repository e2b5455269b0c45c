//! Text for people: areas with aligned counts, then whatever is wrong, then one line that says how it ended.

use anstyle::{AnsiColor, Style as Ansi};
use assay_model::{CaseResult, Counts, Outsider, Report, Status, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

/// How the text looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Colours, as ANSI escapes.
    pub color: bool,
    /// Wall time of the run, which is no part of the report.
    pub elapsed: Option<Duration>,
    /// Failing cases shown; all if `None`.
    pub limit: Option<usize>,
}

impl Style {
    pub(crate) fn paint(self, style: Ansi, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint(AnsiColor::Red.on_default().bold(), text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint(AnsiColor::Green.on_default().bold(), text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(Ansi::new().dimmed(), text)
    }

    pub(crate) fn strong(self, text: &str) -> String {
        self.paint(Ansi::new().bold(), text)
    }

    pub(crate) fn warn(self, text: &str) -> String {
        self.paint(AnsiColor::Yellow.on_default(), text)
    }
}

/// The report as text.
#[must_use]
pub fn text(report: &Report, style: &Style) -> String {
    let style = *style;
    let mut out = String::new();
    if let Some(port) = &report.port {
        introduction(&mut out, port, style);
    }
    areas(&mut out, report, style);
    failures(&mut out, report, style);
    skips(&mut out, report);
    for problem in &report.problems {
        let _ = writeln!(out, "{} {problem}", style.bad("problem"));
    }
    for note in &report.notes {
        let _ = writeln!(out, "note {note}");
    }
    if !(report.problems.is_empty() && report.notes.is_empty()) {
        out.push('\n');
    }
    let corpus = format!("corpus {} {}", report.corpus_origin, report.corpus_digest);
    let _ = writeln!(out, "{}", style.dim(&corpus));
    let _ = writeln!(out, "{}", style.dim(&format!("result {}", report.result_digest)));
    ending(&mut out, report, style);
    out
}

/// Who was judged, if it was somebody else.
fn introduction(out: &mut String, port: &Outsider, style: Style) {
    let Outsider { name, language, version, offers, starts, .. } = port;
    let offers = match offers.len() {
        1 => "1 capability".to_owned(),
        count => format!("{count} capabilities"),
    };
    let again = if *starts > 1 { format!(", started {starts} times") } else { String::new() };
    let _ = writeln!(out, "port {} {version} ({language}), {offers}{again}", style.strong(name));
    out.push('\n');
}

/// Why cases did not run, each reason once; what the port never offered in one line.
fn skips(out: &mut String, report: &Report) {
    const SHOWN: usize = 12;
    let Some(port) = &report.port else { return };
    let skipped = report.results.iter().filter(|result| result.verdict == Verdict::Skipped);
    let (offered, never): (Vec<&CaseResult>, Vec<&CaseResult>) =
        skipped.partition(|result| port.offers.contains(&result.capability));
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for result in &offered {
        *reasons.entry(&result.reason).or_default() += 1;
    }
    for (reason, count) in reasons.iter().take(SHOWN) {
        let _ = writeln!(out, "skipped {}: {reason}", plural(*count, "case"));
    }
    if reasons.len() > SHOWN {
        let _ = writeln!(out, "… and for {} more reasons", reasons.len() - SHOWN);
    }
    let names: BTreeSet<&str> = never.iter().map(|result| result.capability.as_str()).collect();
    match names.first() {
        None => {}
        Some(only) if names.len() == 1 => {
            let _ = writeln!(
                out,
                "skipped {}: the port does not offer {only}",
                plural(never.len() as u64, "case")
            );
        }
        Some(_) => {
            let (cases, count) = (plural(never.len() as u64, "case"), names.len());
            let _ = writeln!(out, "skipped {cases}: the port does not offer their {count} capabilities");
        }
    }
    if !(reasons.is_empty() && names.is_empty()) {
        out.push('\n');
    }
}

/// A column: its head, and the count it shows.
type Column = (&'static str, fn(&Counts) -> u64);

/// One line an area and one for all; columns for what hardly ever happens only where it happened.
fn areas(out: &mut String, report: &Report, style: Style) {
    let rare: [Column; 3] =
        [("known", |c| c.known_failure), ("disputed", |c| c.disputed), ("skipped", |c| c.skipped)];
    let mut columns: Vec<Column> =
        vec![("cases", Counts::total), ("pass", |c| c.pass), ("fail", Counts::drift)];
    columns.extend(rare.into_iter().filter(|(_, count)| count(&report.counts) > 0));
    let names = report.areas.keys().map(|area| area.as_str());
    let rows = names.zip(report.areas.values()).chain([("total", &report.counts)]);
    let wide = report.areas.keys().map(|area| area.as_str().len()).max().unwrap_or(0).max("total".len());
    let mut head = format!("{:wide$}", "area");
    for (name, _) in &columns {
        let _ = write!(head, "  {name:>8}");
    }
    let _ = writeln!(out, "{}", style.dim(&head));
    for (name, counts) in rows {
        let _ = write!(out, "{name:wide$}");
        for (column, count) in &columns {
            let count = count(counts);
            let cell = format!("{count:>8}");
            let cell = if *column == "fail" && count > 0 { style.bad(&cell) } else { cell };
            let _ = write!(out, "  {cell}");
        }
        out.push('\n');
    }
    out.push('\n');
}

/// Every case that turned the run red, and the disputed ones that do not hold.
fn failures(out: &mut String, report: &Report, style: Style) {
    let shown = |result: &&CaseResult| {
        result.verdict.is_drift() || (result.verdict == Verdict::Disputed && result.failure.is_some())
    };
    let failing: Vec<&CaseResult> = report.results.iter().filter(shown).collect();
    let limit = style.limit.unwrap_or(usize::MAX);
    for result in failing.iter().take(limit) {
        let verdict = result.verdict.as_str();
        let verdict = if result.verdict.is_drift() { style.bad(verdict) } else { style.dim(verdict) };
        let _ =
            writeln!(out, "{verdict} {} ({}, clause {})", result.id, result.game, result.clause.join(", "));
        let Some(failure) = &result.failure else { continue };
        if failure.stage.is_empty() {
            let _ = writeln!(out, "  {}", failure.message);
        } else {
            let _ = writeln!(out, "  stage     {}", failure.stage);
            let _ = writeln!(out, "  expected  {}", failure.expected);
            let _ = writeln!(out, "  actual    {}  ({})", failure.actual, failure.rule);
            if result.points > 1 {
                let _ = writeln!(out, "  sweep     {}", failure.message);
            }
        }
        let _ = writeln!(out, "  repeat    {}", failure.repro);
        if !failure.digest.is_empty() {
            let _ = writeln!(out, "{}", style.dim(&format!("  digest    {}", failure.digest)));
        }
        for line in failure.stderr.lines() {
            let _ = writeln!(out, "{}", style.dim(&format!("  stderr    {line}")));
        }
        for line in failure.point.lines() {
            let _ = writeln!(out, "  | {line}");
        }
        out.push('\n');
    }
    if failing.len() > limit {
        let _ = writeln!(out, "… and {} more\n", failing.len() - limit);
    }
}

/// How it ended.
fn ending(out: &mut String, report: &Report, style: Style) {
    let counts = &report.counts;
    if !report.standings.is_empty() {
        let verified =
            report.standings.values().filter(|standing| standing.status == Status::Verified).count();
        let partial = report.standings.len() - verified;
        let _ = writeln!(out, "capabilities: {verified} verified, {partial} partial");
    }
    let mut line = match report.verdict() {
        "pass" => format!("{} {}", style.good("pass"), plural(counts.executed(), "case")),
        "fail" => {
            format!("{} {} of {}", style.bad("fail"), counts.drift(), plural(counts.executed(), "case"))
        }
        _ if report.problems.is_empty() => format!("{} no case ran", style.bad("broken")),
        _ => {
            let problems = plural(report.problems.len() as u64, "problem");
            format!(
                "{} {problems}, {} of {} drift",
                style.bad("broken"),
                counts.drift(),
                plural(counts.executed(), "case")
            )
        }
    };
    if report.sweep_points > 0 {
        let _ = write!(line, ", {}", plural(report.sweep_points, "sweep point"));
    }
    if !report.complete {
        let _ = write!(line, ", of `{}` alone", report.selection);
    }
    if let Some(elapsed) = style.elapsed {
        let _ = write!(line, ", in {:.3} s", elapsed.as_secs_f64());
    }
    let _ = writeln!(out, "{line}");
}

pub(crate) fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_green_run_is_a_table_and_three_lines() {
        let style = Style { elapsed: Some(Duration::from_millis(125)), ..Style::default() };
        assert_eq!(
            text(&sample::green(), &style),
            "area       cases      pass      fail\n\
             combat         1         1         0\n\
             total          1         1         0\n\
             \n\
             corpus embedded 00c0\n\
             result 00ff\n\
             capabilities: 1 verified, 0 partial\n\
             pass 1 case, in 0.125 s\n"
        );
    }

    #[test]
    fn a_red_run_names_case_stage_values_clause_and_command() {
        let shown = text(&sample::red(), &Style::default());
        for line in [
            "area       cases      pass      fail     known",
            "combat         2         1         1         0",
            "fail combat/compute_damage/quarter (YR, clause falloff.2, verses.1)",
            "  stage     kernel.falloff",
            "  expected  0.875",
            "  actual    0.874  (exact)",
            "  repeat    assay verify 'combat/compute_damage/quarter'",
            "  digest    00dd",
            "panicked math/simulate_rng/states.v1 (YR, clause draw.1)",
            "  panicked at x.rs: index out of bounds",
            "note a tolerance was not needed",
            "fail 2 of 4 cases, of `combat math` alone",
        ] {
            assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
        }
        let limited = text(&sample::red(), &Style { limit: Some(1), ..Style::default() });
        assert!(limited.contains("… and 1 more\n") && !limited.contains("states.v1"));
    }

    #[test]
    fn a_port_in_another_process_is_named_with_what_it_skipped_and_said() {
        let mut report = sample::outsider("snake", sample::red());
        for (index, verdict) in [(1, Verdict::Skipped), (3, Verdict::Skipped)] {
            report.results[index].verdict = verdict;
            report.results[index].reason = "not done".to_owned();
        }
        if let Some(failure) = &mut report.results[2].failure {
            failure.stderr = "one\ntwo".to_owned();
        }
        let shown = text(&report, &Style::default());
        assert!(shown.starts_with("port snake 0.3 (Python), 1 capability\n\narea"), "{shown}");
        let never = "skipped 1 case: the port does not offer simulate_rng";
        assert!(shown.contains(&format!("\nskipped 1 case: not done\n{never}\n")), "{shown}");
        assert!(shown.contains("  stderr    one\n  stderr    two\n"), "{shown}");
    }

    #[test]
    fn problems_and_an_empty_run_are_broken() {
        let mut report = sample::green();
        report.problems = sample::problems();
        let shown = text(&report, &Style::default());
        assert!(
            shown.contains("problem golden/combat/x/cases.toml:3:7: `a` is no id (write words)"),
            "{shown}"
        );
        assert!(shown.ends_with("broken 2 problems, 0 of 1 case drift\n"), "{shown}");
        assert!(text(&sample::empty(), &Style::default()).ends_with("broken no case ran\n"));
    }

    #[test]
    fn colours_are_asked_for() {
        let plain = text(&sample::red(), &Style::default());
        let painted = text(&sample::red(), &Style { color: true, ..Style::default() });
        assert!(!plain.contains('\u{1b}'));
        assert!(painted.contains("\u{1b}[1m\u{1b}[31mfail\u{1b}[0m combat/"), "{painted:?}");
    }
}
