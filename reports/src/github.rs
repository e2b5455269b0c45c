//! Annotations as GitHub's workflow commands: one `::error` line a failing case or problem, one `::notice` a remark.

use assay_model::{CaseKind, CaseResult, Problem, Report};
use std::fmt::Write;

/// The report as workflow commands; empty for a report with nothing to say.
#[must_use]
pub fn github(report: &Report) -> String {
    let mut lines = String::new();
    for problem in &report.problems {
        lines.push_str(&annotation(problem, "corpus"));
    }
    for result in report.results.iter().filter(|result| result.verdict.is_drift()) {
        let (message, repro) =
            result.failure.as_ref().map_or(("", ""), |f| (f.message.as_str(), f.repro.as_str()));
        let whose = report.port.as_ref().map(|port| format!("{}: ", port.name)).unwrap_or_default();
        let title = property(&format!("{whose}{} {}", result.verdict.as_str(), result.id));
        let text = data(&format!("{message}\nclause {}\n{repro}", result.clause.join(", ")));
        let _ = writeln!(lines, "::error file={},title={title}::{text}", property(&file(result)));
    }
    for note in &report.notes {
        let _ = writeln!(lines, "::notice title=assay::{}", data(note));
    }
    lines
}

/// A problem as one workflow command.
pub(crate) fn annotation(problem: &Problem, title: &str) -> String {
    let mut place = format!("file={}", property(&problem.file));
    if problem.line > 0 {
        let _ = write!(place, ",line={}", problem.line);
    }
    if problem.column > 0 {
        let _ = write!(place, ",col={}", problem.column);
    }
    let help = if problem.help.is_empty() { String::new() } else { format!(" ({})", problem.help) };
    let text = data(&format!("{}{help}", problem.message));
    format!("::{} {place},title={}::{text}\n", problem.severity(), property(title))
}

/// The golden file that holds a case.
fn file(result: &CaseResult) -> String {
    let folder = format!("golden/{}/{}", result.area, result.capability);
    let case = result.id.rsplit('/').next().unwrap_or_default();
    match case.split_once('.') {
        Some((stem, _)) if result.kind == CaseKind::Vector => format!("{folder}/vectors/{stem}.jsonl"),
        _ => format!("{folder}/cases.toml"),
    }
}

/// Escapes the text of a command, which ends at the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command, which also ends at a comma or colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn failures_problems_and_notes_are_one_line_each() {
        let mut report = sample::red();
        report.problems = sample::problems();
        let text = github(&report);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[0],
            "::error file=golden/combat/x/cases.toml,line=3,col=7,title=corpus::`a` is no id (write words)"
        );
        assert_eq!(lines[1], "::error file=golden/index.lock,title=corpus::is missing");
        assert!(lines[2].starts_with(
            "::error file=golden/combat/compute_damage/cases.toml,title=fail combat/compute_damage/quarter::"
        ));
        assert!(
            lines[2]
                .ends_with("%0Aclause falloff.2, verses.1%0Aassay verify 'combat/compute_damage/quarter'")
        );
        assert!(lines[3].contains("vectors/states.jsonl,title=panicked math/simulate_rng/states.v1::"));
        assert!(lines.last().unwrap().starts_with("::notice title=assay::"));
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn annotations_name_the_port_in_another_process() {
        let text = github(&sample::outsider("snake", sample::red()));
        assert!(text.contains("title=snake%3A fail combat/compute_damage/quarter::"), "{text}");
    }

    #[test]
    fn percent_line_ends_and_separators_are_escaped() {
        assert_eq!(data("70 % of\r\n100"), "70 %25 of%0D%0A100");
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert!(github(&sample::green()).is_empty());
    }
}
