//! What `assay watch` shows: what fails first, then what is wrong, then how it stands.

use super::output::{BAD, FAINT, GOOD, STRONG, WARN, paint};
use super::render::{fold, table};
use assay_harness::{Stale, watch::Screen};
use assay_model::{CaseResult, Counts, Report, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

/// Columns that text is folded to.
const WIDTH: usize = 100;
/// Failing cases that are shown: the rest would push them off the screen.
const FAILURES: usize = 8;
/// Problems that are shown.
const PROBLEMS: usize = 12;

/// The state of everything. `since` is the time from the last event of a save to now; nothing for the first screen.
#[must_use]
pub fn text(screen: &Screen, since: Option<Duration>) -> String {
    let mut out = String::new();
    head(&mut out, screen, since);
    failures(&mut out, &screen.report);
    problems(&mut out, screen);
    for stale in &screen.stale {
        out.push_str(&outdated(stale));
    }
    if !screen.stale.is_empty() {
        out.push('\n');
    }
    out.push_str(&areas(&screen.report));
    ending(&mut out, screen);
    out
}

/// What changed, what ran for it, and how long it took.
fn head(out: &mut String, screen: &Screen, since: Option<Duration>) {
    match screen.changed.as_slice() {
        [] => {}
        [one] => {
            let _ = writeln!(out, "{}", paint(STRONG, &format!("changed {one}")));
        }
        [first, rest @ ..] => {
            let _ = writeln!(out, "{}", paint(STRONG, &format!("changed {first} and {} more", rest.len())));
        }
    }
    let cases: usize = screen.ran.values().sum();
    let paths: Vec<&str> = screen.ran.keys().map(String::as_str).collect();
    let ran = match paths.as_slice() {
        [] => "ran nothing".to_owned(),
        paths if paths.len() <= 3 => format!("ran {cases} of {}", paths.join(", ")),
        paths => format!("ran {cases} of {} suites", paths.len()),
    };
    let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
    let took = screen.took;
    let (read, bind, run) = (milliseconds(took.read), milliseconds(took.bind), milliseconds(took.run));
    let all = milliseconds(since.unwrap_or(took.read + took.bind + took.run));
    let _ = writeln!(
        out,
        "{}\n",
        paint(FAINT, &format!("{ran} in {all} ms (read {read}, bind {bind}, run {run})"))
    );
}

fn failures(out: &mut String, report: &Report) {
    let failing: Vec<&CaseResult> =
        report.results.iter().filter(|result| result.verdict.is_drift()).collect();
    for result in failing.iter().take(FAILURES) {
        let verdict = paint(BAD, result.verdict.as_str());
        let _ =
            writeln!(out, "{verdict} {} ({}, clause {})", result.id, result.game, result.clause.join(", "));
        let Some(failure) = &result.failure else { continue };
        if failure.stage.is_empty() || result.points > 1 {
            let _ = writeln!(out, "  {}", fold(&failure.message, 2, WIDTH));
        } else {
            let _ = writeln!(out, "  stage     {}", failure.stage);
            let _ = writeln!(out, "  expected  {}", failure.expected);
            let _ = writeln!(out, "  actual    {}  ({})", failure.actual, failure.rule);
        }
    }
    more(out, failing.len(), FAILURES, "fail");
    if !failing.is_empty() {
        out.push('\n');
    }
}

fn problems(out: &mut String, screen: &Screen) {
    let problems = &screen.report.problems;
    for problem in problems.iter().take(PROBLEMS) {
        let _ = writeln!(out, "{} {}", paint(BAD, "problem"), fold(&problem.to_string(), 2, WIDTH));
    }
    more(out, problems.len(), PROBLEMS, "problems");
    for note in &screen.report.notes {
        let _ = writeln!(out, "{} {note}", paint(WARN, "note"));
    }
    if !(problems.is_empty() && screen.report.notes.is_empty()) {
        out.push('\n');
    }
}

fn more(out: &mut String, all: usize, shown: usize, what: &str) {
    if all > shown {
        let _ = writeln!(out, "… {} more {what}", all - shown);
    }
}

/// The last good results of a suite that does not load.
fn outdated(stale: &Stale) -> String {
    let passed = stale.results.iter().filter(|result| result.verdict == Verdict::Pass).count();
    let line = format!(
        "{}: does not load; when it last did, {passed} of {} passed",
        stale.path,
        stale.results.len()
    );
    format!("{} {line}\n", paint(WARN, "stale"))
}

/// Counts per area and in all.
fn areas(report: &Report) -> String {
    let row = |name: &str, counts: &Counts| {
        let apart = counts.known_failure + counts.disputed + counts.skipped;
        let numbers = [counts.total(), counts.pass, counts.drift(), apart];
        let mut row = vec![name.to_owned()];
        row.extend(numbers.map(|number| format!("{number:>6}")));
        row
    };
    let mut rows =
        vec![vec!["area".to_owned(), " cases".into(), "  pass".into(), "  fail".into(), " apart".into()]];
    rows.extend(report.areas.iter().map(|(area, counts)| row(area.as_str(), counts)));
    rows.push(row("total", &report.counts));
    table(&rows) + "\n"
}

/// One line that says how it stands, and what is left to do.
fn ending(out: &mut String, screen: &Screen) {
    let report = &screen.report;
    let (drift, cases) = (report.counts.drift(), plural(report.counts.executed(), "case"));
    let line = match report.verdict() {
        "pass" => format!("{} {cases}", paint(GOOD, "pass")),
        "fail" => format!("{} {drift} of {cases}", paint(BAD, "fail")),
        _ if report.problems.is_empty() => format!("{} no case ran", paint(BAD, "broken")),
        _ => {
            let problems = plural(report.problems.len() as u64, "problem");
            format!("{} {problems}, {drift} of {cases} drift", paint(BAD, "broken"))
        }
    };
    out.push_str(&line);
    if !screen.lock.is_empty() {
        let remark = "  golden/index.lock is out of date: run `assay lock` when you are done";
        out.push_str(&paint(FAINT, remark));
    }
    out.push('\n');
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_harness::watch::Watch;
    use assay_harness::{Options, Selection};
    use std::fs;

    /// A checkout of one suite, as a screen without colours.
    fn shown(vectors: &str) -> (String, String) {
        let root = tempfile::tempdir().unwrap();
        let (specs, golden) = crate::corpus::embedded();
        for (path, text) in specs.texts.iter().chain(&golden.texts) {
            let place = root.path().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
        }
        let selection: Selection = "compute_fire_damage".parse().unwrap();
        let (mut watch, first) =
            Watch::open(assay_ports::ALL, root.path(), selection, &Options::default()).unwrap();
        let path = "golden/combat/compute_fire_damage/vectors/vera-damage-build.jsonl";
        fs::write(root.path().join(path), vectors).unwrap();
        let next = watch.apply(&[path.to_owned()].into(), &Options::default()).unwrap();
        let plain = |screen: &Screen| anstream::adapter::strip_str(&text(screen, None)).to_string();
        (plain(&first), plain(&next))
    }

    #[test]
    fn what_is_wrong_stands_first_and_how_it_stands_last() {
        let (first, broken) = shown("{\"vectors\":1,\n");
        assert!(first.lines().last().unwrap().starts_with("pass ") && !first.contains("stale"), "{first}");
        let lines: Vec<&str> = broken.lines().collect();
        assert_eq!(lines[0], "changed golden/combat/compute_fire_damage/vectors/vera-damage-build.jsonl");
        assert!(lines[1].starts_with("ran nothing in "), "{broken}");
        assert!(
            lines[3]
                .starts_with("problem golden/combat/compute_fire_damage/vectors/vera-damage-build.jsonl:1:")
        );
        assert!(
            broken.contains(
                "\nstale combat/compute_fire_damage: does not load; when it last did, 110 of 110 passed\n"
            ),
            "{broken}"
        );
        assert!(lines.last().unwrap().starts_with("broken 1 problem, 0 of 0 cases drift"), "{broken}");
    }
}
