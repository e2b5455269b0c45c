//! Strength as text for people: a line a row, then what survives, then whatever is wrong.

use super::matrix::{Reach, reaches};
use super::{Assessment, Mutant, Row, Standing, State, Tally};
use anstyle::{AnsiColor, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const STRONG: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// What is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// The kill matrix too.
    pub matrix: bool,
    /// Whether what is wrong is shown: with `--check`, and where anything was measured.
    pub problems: bool,
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The assessment as text with ANSI colours. `cases` are those that exist. Without any result, the record is shown.
#[must_use]
pub fn strength_text(assessment: &Assessment, cases: &BTreeSet<String>, shown: Shown) -> String {
    let mut out = String::new();
    if assessment.is_empty() {
        recorded(&mut out, assessment);
    } else {
        table(&mut out, assessment);
        survivors(&mut out, assessment);
        if shown.matrix {
            matrix(&mut out, assessment, cases);
        }
    }
    if shown.problems {
        for problem in assessment.unknown.iter().chain(&assessment.broken) {
            let _ = writeln!(out, "{} {problem}", paint(BAD, "problem"));
        }
    }
    out
}

fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(str::len).max().unwrap_or_default().max("capability".len())
}

/// What the record says, when there is nothing newer.
fn recorded(out: &mut String, assessment: &Assessment) {
    let wide = width(assessment.rows.iter().map(|row| row.row.as_str()));
    let head = format!("{:wide$} {:>8} {:>7} {:>6}  measured", "capability", "mutants", "caught", "floor");
    let _ = writeln!(out, "{}", paint(STRONG, &head));
    for row in &assessment.rows {
        let Some(floor) = assessment.record.floors.get(&row.row) else {
            if row.row.ends_with(".rs") {
                continue; // There may be nothing in it that can be changed.
            }
            let _ = writeln!(out, "{:wide$} {}", row.row, paint(BAD, "no floor"));
            continue;
        };
        let (mutants, caught, least) = (floor.mutants, floor.caught, floor.floor);
        let _ = writeln!(out, "{:wide$} {mutants:>8} {caught:>7} {least:>4} %  {}", row.row, floor.measured);
    }
    let _ =
        writeln!(out, "\n{}", paint(FAINT, "as recorded in ports/strength.toml; `.ci/strength` measures"));
}

fn table(out: &mut String, assessment: &Assessment) {
    let wide = width(assessment.rows.iter().map(|row| row.row.as_str()));
    let head = format!(
        "{:wide$} {:>8} {:>7} {:>7} {:>5} {:>9} {:>7} {:>8} {:>6}",
        "capability", "mutants", "viable", "caught", "hung", "survived", "argued", "score", "floor"
    );
    let _ = writeln!(out, "{}", paint(STRONG, &head));
    for row in &assessment.rows {
        let floor = assessment.record.floors.get(&row.row).map(|floor| floor.floor);
        line(out, wide, &row.row, &row.tally(), floor, remark(row));
    }
    line(out, wide, "all", &assessment.total(), None, "");
    out.push('\n');
}

const fn remark(row: &Row) -> &'static str {
    match row.standing {
        Standing::Complete => "",
        Standing::Missing => "  no results",
        Standing::Incomplete { .. } => "  incomplete",
        Standing::Old(_) => "  out of date",
    }
}

fn line(out: &mut String, wide: usize, name: &str, tally: &Tally, floor: Option<u8>, remark: &str) {
    let Tally { mutants, viable, caught, hung, survived, argued, .. } = *tally;
    // Rounded down, so that 100 means all.
    let score = tally
        .score()
        .map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", (score * 10.0).floor() / 10.0));
    let weak = tally.floor().zip(floor).is_some_and(|(score, floor)| score < floor);
    let score = paint(if weak { BAD } else { GOOD }, &format!("{score:>8}"));
    let floor = floor.map_or_else(|| "-".to_owned(), |floor| floor.to_string());
    let _ = writeln!(
        out,
        "{name:wide$} {mutants:>8} {viable:>7} {caught:>7} {hung:>5} {survived:>9} {argued:>7} {score} {floor:>6}{}",
        paint(FAINT, remark)
    );
}

fn survivors(out: &mut String, assessment: &Assessment) {
    let mutants = assessment.rows.iter().flat_map(|row| &row.mutants);
    let survivors: Vec<&Mutant> = mutants.filter(|mutant| mutant.state == State::Survived).collect();
    if survivors.is_empty() {
        return;
    }
    let _ = writeln!(out, "{}", paint(STRONG, "survivors"));
    for mutant in survivors {
        let Mutant { file, line, column, change, .. } = mutant;
        let _ = writeln!(out, "  {file}:{line}:{column}\n      {change}");
        if let Some(why) = &mutant.argued {
            let _ = writeln!(out, "      {}", paint(FAINT, &format!("argued: {why}")));
        }
    }
    out.push('\n');
}

/// For each suite what every case catches, which catch nothing, and what hangs on one case.
fn matrix(out: &mut String, assessment: &Assessment, cases: &BTreeSet<String>) {
    let mut suites: BTreeMap<String, Vec<(String, Reach)>> = BTreeMap::new();
    for (id, reach) in reaches(assessment, cases) {
        let (suite, case) = id.rsplit_once('/').unwrap_or((&id, ""));
        suites.entry(suite.to_owned()).or_default().push((case.to_owned(), reach));
    }
    for (suite, mut cases) in suites {
        cases.sort_by(|a, b| (b.1.alone, b.1.kills, &a.0).cmp(&(a.1.alone, a.1.kills, &b.0)));
        let (busy, idle): (Vec<_>, Vec<_>) = cases.into_iter().partition(|(_, reach)| reach.kills > 0);
        let wide = width(busy.iter().map(|(case, _)| case.as_str()));
        let _ = writeln!(
            out,
            "{}",
            paint(STRONG, &format!("{suite}\n  {:wide$} {:>6} {:>6}", "case", "kills", "alone"))
        );
        for (case, Reach { kills, alone }) in busy {
            let _ = writeln!(out, "  {case:wide$} {kills:>6} {alone:>6}");
        }
        if !idle.is_empty() {
            let names: Vec<String> = idle.into_iter().map(|(case, _)| case).collect();
            let _ = writeln!(out, "  {}", paint(FAINT, &format!("catch nothing: {}", names.join(", "))));
        }
        lone(out, assessment, &suite);
        out.push('\n');
    }
}

/// Mutants that one case of the suite alone catches.
fn lone(out: &mut String, assessment: &Assessment, suite: &str) {
    for mutant in super::matrix::caught(assessment) {
        let [case] = mutant.killers.as_slice() else { continue };
        if let Some((_, case)) = case.rsplit_once('/').filter(|(of, _)| *of == suite) {
            let _ = writeln!(out, "  only {case}: {}", mutant.name.trim_start_matches("ports/src/"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::{Record, assess, sample};

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut escape = false;
        for c in text.chars() {
            match (escape, c) {
                (false, '\u{1b}') => escape = true,
                (true, 'm') => escape = false,
                (false, c) => out.push(c),
                _ => {}
            }
        }
        out
    }

    fn shown(record: &Record, shown: Shown) -> String {
        plain(&strength_text(&assess(vec![sample::row()], record), &sample::cases(), shown))
    }

    #[test]
    fn a_row_and_its_survivor_are_shown_with_their_place() {
        let text = shown(&sample::record(98), Shown { problems: true, ..Shown::default() });
        let expected = "a/one            43      42      40     1         1       0   97.6 %     98";
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("  ports/src/a/one.rs:90:5\n      replace < with <= in one\n"), "{text}");
        assert!(text.contains("problem a/one is at 97 %, below its floor of 98 %"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn an_argument_is_shown_under_its_survivor() {
        let record = Record { equivalent: vec![sample::equivalent()], ..sample::record(90) };
        assert!(shown(&record, Shown::default()).contains("      argued: the two sides are never equal\n"));
    }

    #[test]
    fn the_matrix_names_idle_cases_and_lone_killers() {
        let text = shown(&sample::record(90), Shown { matrix: true, ..Shown::default() });
        assert!(text.contains("  x              41     40\n"), "{text}");
        assert!(text.contains("  catch nothing: y\n"), "{text}");
        assert!(text.contains("  only x: a/one.rs:2:5: replace < with <= in one\n"), "{text}");
        assert!(!text.contains("only x: a/one.rs:1:5"), "a/two/z catches that one too");
    }

    #[test]
    fn without_results_the_record_is_shown() {
        let row = Row { mutants: Vec::new(), standing: Standing::Missing, ..sample::row() };
        let text = plain(&strength_text(
            &assess(vec![row], &sample::record(97)),
            &sample::cases(),
            Shown::default(),
        ));
        assert!(text.contains("a/one            42      41   97 %  2026-11-30\n"), "{text}");
        assert!(text.contains("as recorded in ports/strength.toml"), "{text}");
    }
}
