//! What `assay lint` found, as text for people, JSON for tools, annotations for GitHub, and SARIF for code scanning.

use crate::github::annotation;
use anstyle::{AnsiColor, Style};
use assay_model::{Problem, Severity};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub use crate::sarif::sarif;

/// Everything that a run of the linter says.
#[derive(Clone, Debug, Default)]
pub struct Linted {
    /// What is wrong, in file and line order.
    pub problems: Vec<Problem>,
    /// What was wrong and has been mended.
    pub fixed: Vec<Problem>,
    /// Files that were looked at.
    pub files: usize,
}

impl Linted {
    /// Problems that a corpus cannot be trusted with.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.severity() == Severity::Error).count()
    }

    /// Problems that deserve a look.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.problems.len() - self.errors()
    }
}

/// The stable shape: fields are added, never renamed.
#[derive(Serialize)]
struct Document<'a> {
    problems: &'a [Problem],
    errors: usize,
    warnings: usize,
    files: usize,
    fixed: &'a [Problem],
}

/// Pretty-printed JSON with `problems`, `errors`, `warnings`, `files`, `fixed`; problems have the fields `file`, `line`,
/// `column` (0 where the whole file is meant), `rule`, `severity`, `message`, `help`.
#[must_use]
pub fn json(linted: &Linted) -> String {
    let Linted { problems, fixed, files } = linted;
    let (errors, warnings) = (linted.errors(), linted.warnings());
    let document = Document { problems, errors, warnings, files: *files, fixed };
    // Nothing in it can fail to serialise.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// One workflow command a problem.
#[must_use]
pub fn github(linted: &Linted) -> String {
    linted.problems.iter().map(|problem| annotation(problem, problem.rule.as_str())).collect()
}

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default();

/// `path:line:col: error[rule]: message` with the help below, grouped by file, and a line that counts. Always coloured:
/// colours fall away on the way out where nobody sees them.
#[must_use]
pub fn text(linted: &Linted) -> String {
    let mut out = String::new();
    for group in linted.problems.chunk_by(|a, b| a.file == b.file) {
        for problem in group {
            out.push_str(&line(problem));
        }
        out.push('\n');
    }
    out.push_str(&mended(linted));
    let (errors, warnings) = (linted.errors(), linted.warnings());
    let style = if errors > 0 {
        BAD
    } else if warnings > 0 {
        WARN
    } else {
        GOOD
    };
    let counts = match (errors, warnings) {
        (0, 0) => "clean".to_owned(),
        (errors, 0) => count(errors, "error"),
        (0, warnings) => count(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
    };
    let _ = writeln!(out, "{style}{counts}{style:#} in {}", count(linted.files, "file"));
    out
}

fn line(problem: &Problem) -> String {
    let Problem { file, line, column, rule, message, help } = problem;
    let place = match (line, column) {
        (0, _) => file.clone(),
        (line, 0) => format!("{file}:{line}"),
        (line, column) => format!("{file}:{line}:{column}"),
    };
    let severity = problem.severity();
    let style = if severity == Severity::Error { BAD } else { WARN };
    let mut text = format!("{BOLD}{place}{BOLD:#}: {style}{severity}[{rule}]{style:#}: {message}\n");
    if !help.is_empty() {
        let _ = writeln!(text, "    {FAINT}{help}{FAINT:#}");
    }
    text
}

/// What was mended: rules and their number, a line a file.
fn mended(linted: &Linted) -> String {
    let mut text = String::new();
    for group in linted.fixed.chunk_by(|a, b| a.file == b.file) {
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
        for problem in group {
            *rules.entry(problem.rule.as_str()).or_default() += 1;
        }
        let rules: Vec<String> = rules.iter().map(|(rule, times)| format!("{rule} ×{times}")).collect();
        let _ = writeln!(text, "{GOOD}mended{GOOD:#} {}: {}", group[0].file, rules.join(", "));
    }
    text
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use assay_model::Rule;

    /// One error at a place, one warning, one error of a whole file, one thing mended.
    pub(crate) fn sample() -> Linted {
        let file = "golden/combat/x/cases.toml";
        let problems = vec![
            Problem::placed(Rule::UnknownKey, file, (3, 1), "unknown key `titel`", "did you mean `title`?"),
            Problem::placed(Rule::Order, file, (9, 5), "`id` stands too late", ""),
            Problem::whole(Rule::Pairing, "oracles/specs/combat/x y.md", "is missing", "write the spec"),
        ];
        let fixed = vec![Problem::placed(Rule::FloatText, file, (4, 9), "`0.10000000000000000555`", "")];
        Linted { problems, fixed, files: 2 }
    }

    #[test]
    fn text_is_grouped_and_counted() {
        let plain = anstream_free(&text(&sample()));
        let expected = "golden/combat/x/cases.toml:3:1: error[unknown-key]: unknown key `titel`\n    did you mean `title`?\ngolden/combat/x/cases.toml:9:5: warning[order]: `id` stands too late\n\noracles/specs/combat/x y.md: error[pairing]: is missing\n    write the spec\n\nmended golden/combat/x/cases.toml: float-text ×1\n2 errors, 1 warning in 2 files\n";
        assert_eq!(plain, expected);
        assert_eq!(anstream_free(&text(&Linted { files: 1, ..Linted::default() })), "clean in 1 file\n");
    }

    /// Without escape sequences.
    fn anstream_free(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain + rest
    }

    #[test]
    fn json_counts_and_lists() {
        let value: serde_json::Value = serde_json::from_str(&json(&sample())).unwrap();
        assert_eq!(
            (&value["errors"], &value["warnings"], &value["files"]),
            (&2.into(), &1.into(), &2.into())
        );
        assert_eq!(value["problems"][0]["rule"], "unknown-key");
        assert_eq!(value["problems"][1]["severity"], "warning");
        assert_eq!(value["fixed"][0]["rule"], "float-text");
    }

    #[test]
    fn annotations_have_the_severity_and_the_rule() {
        let text = github(&sample());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "::error file=golden/combat/x/cases.toml,line=3,col=1,title=unknown-key::unknown key `titel` (did you mean `title`?)"
        );
        assert!(lines[1].starts_with("::warning file=golden/combat/x/cases.toml,line=9,col=5,title=order::"));
        assert_eq!(
            lines[2],
            "::error file=oracles/specs/combat/x y.md,title=pairing::is missing (write the spec)"
        );
    }
}
