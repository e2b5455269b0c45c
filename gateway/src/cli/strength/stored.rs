//! The folder in which `.ci/strength` leaves its results, and the file in which the floors are kept.
//!
//! `<results>/<area>/<file>.rs/<part>/` holds `key` (what was mutated and judged: a line with the digest of the file, then
//! a line a suite with its keys) and `mutants.out` of cargo-mutants. `<part>` is `k-of-n`, or `again-…` for mutants that
//! were tried again. A folder without `key` was interrupted and does not count.

use assay_reports::strength::{Assessment, Equivalent, Floor, Keys, Run, Standing, Unit, kills, outcomes};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Where the record is.
pub const RECORD: &str = "ports/strength.toml";

/// The runs of one file.
///
/// # Errors
/// A finished run whose results cannot be read.
pub fn runs(results: &Path, unit: &Unit) -> Result<Vec<Run>, String> {
    let folder = results.join(unit.file.strip_prefix("ports/src/").unwrap_or(&unit.file));
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut parts: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    parts.sort();
    parts.iter().filter_map(|part| run(part).transpose()).collect()
}

/// One run; `None` for one that was interrupted.
fn run(part: &Path) -> Result<Option<Run>, String> {
    let Ok(key) = fs::read_to_string(part.join("key")) else { return Ok(None) };
    let mut run = keyed(&key).ok_or_else(|| format!("failed to read {}: no such key", part.display()))?;
    let name = part.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    run.part = name.split_once("-of-").and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    if matches!(run.part, Some((_, 0))) {
        return Ok(Some(run)); // A file without anything to change.
    }
    let out = part.join("mutants.out");
    let place = out.join("outcomes.json");
    let failed = |error: String| format!("failed to read {}: {error}", place.display());
    let text = fs::read_to_string(&place).map_err(|error| failed(error.to_string()))?;
    for outcome in outcomes(&text).map_err(failed)? {
        // A mutant that does not compile has nothing to say.
        let log = fs::read_to_string(out.join(&outcome.log)).unwrap_or_default();
        run.outcomes.push((outcome, kills(&log)));
    }
    Ok(Some(run))
}

/// What a key says.
fn keyed(text: &str) -> Option<Run> {
    let mut lines = text.lines();
    let mut run = Run { text: lines.next()?.to_owned(), ..Run::default() };
    for line in lines {
        let mut words = line.split(' ');
        let suite = words.next()?.to_owned();
        run.suites.insert(suite, Keys { ports: words.next()?.to_owned(), cases: words.next()?.to_owned() });
    }
    Some(run)
}

/// What a run of this unit has to write as its key, its lines joined by commas.
pub fn key(unit: &Unit) -> String {
    let suites = unit.suites.iter().map(|(suite, keys)| format!(",{suite} {} {}", keys.ports, keys.cases));
    unit.text.clone() + &suites.collect::<String>()
}

/// The record with the floors of the assessed rows raised to what was measured on `today`, as text. A floor is never
/// lowered; entries of rows that are not among `all` have no file any more, and go.
///
/// # Errors
/// Results are missing, incomplete or old, an argument is wrong, or a row is below its floor.
pub fn raised(assessment: &Assessment, all: &BTreeSet<String>, today: &str) -> Result<String, String> {
    let refusals = assessment.unknown.iter().chain(&assessment.broken);
    // That a floor is missing is what recording is for.
    if let Some(problem) = refusals.clone().find(|problem| !problem.contains("has no floor")) {
        return Err(format!("failed to record: {problem}"));
    }
    let mut floors = assessment.record.floors.clone();
    floors.retain(|name, _| all.contains(name));
    for row in assessment.rows.iter().filter(|row| row.standing == Standing::Complete) {
        let tally = row.tally();
        let before = floors.get(&row.row).map_or(0, |floor| floor.floor);
        let floor = Floor {
            mutants: tally.viable,
            caught: tally.caught + tally.hung,
            floor: tally.floor().unwrap_or(100).max(before),
            measured: today.to_owned(),
        };
        floors.insert(row.row.clone(), floor);
    }
    Ok(rendered(&floors, &assessment.record.equivalent))
}

const HEAD: &str = "\
# How strong the golden cases are: of the changes that cargo-mutants makes to a file of `ports`, how many a case catches.
# Written by `assay strength --record` after `.ci/strength`, which only raises floors; `.ci/strength --check` fails below
# them. `mutants` are those that compile. A file that several capabilities share stands under its own path.
#
# [[equivalent]] is written by hand: a surviving mutant that no input can tell from the port, with the argument. At most
# 3 % of all mutants; first try a case, then a simpler port.
";

fn rendered(floors: &BTreeMap<String, Floor>, equivalent: &[Equivalent]) -> String {
    let mut out = format!("{HEAD}\n[floors]\n");
    for (row, Floor { mutants, caught, floor, measured }) in floors {
        let _ = writeln!(
            out,
            "\"{row}\" = {{ mutants = {mutants}, caught = {caught}, floor = {floor}, measured = \"{measured}\" }}"
        );
    }
    for entry in equivalent {
        let text = |text: &str| toml_text(text);
        let _ = writeln!(out, "\n[[equivalent]]\nfile = {}", text(&entry.file));
        let _ = writeln!(out, "function = {}\nchange = {}", text(&entry.function), text(&entry.change));
        if let Some(nth) = entry.nth {
            let _ = writeln!(out, "nth = {nth}");
        }
        let _ = writeln!(out, "why = {}", text(&entry.why));
    }
    out
}

/// A TOML string. The escapes of JSON are among those of TOML.
fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_reports::strength::{Mutant, Record, Row, State, assess};

    fn row(survivors: usize, standing: Standing) -> Row {
        let mutant = |line: u32, state| Mutant {
            name: format!("ports/src/a/one.rs:{line}:1: delete !"),
            file: "ports/src/a/one.rs".to_owned(),
            line,
            column: 1,
            function: "one".to_owned(),
            change: "delete !".to_owned(),
            state,
            killers: Vec::new(),
            hung: Vec::new(),
            argued: None,
        };
        let mutants = (0..100)
            .map(|line| {
                mutant(line, if (line as usize) < survivors { State::Survived } else { State::Caught })
            })
            .collect();
        Row { row: "a/one".to_owned(), file: "ports/src/a/one.rs".to_owned(), standing, mutants }
    }

    fn there() -> BTreeSet<String> {
        ["a/one", "a/two"].map(str::to_owned).into()
    }

    fn record(floor: u8) -> Record {
        let floor = Floor { mutants: 90, caught: 80, floor, measured: "2026-01-01".to_owned() };
        Record { floors: [("a/one".to_owned(), floor)].into(), ..Record::default() }
    }

    #[test]
    fn recording_raises_and_never_lowers() {
        let text =
            raised(&assess(vec![row(4, Standing::Complete)], &record(90)), &there(), "2026-11-30").unwrap();
        let read = Record::parse(&text).unwrap();
        let floor = Floor { mutants: 100, caught: 96, floor: 96, measured: "2026-11-30".to_owned() };
        assert_eq!(read.floors["a/one"], floor);
        let weaker = raised(&assess(vec![row(4, Standing::Complete)], &record(97)), &there(), "2026-11-30");
        assert!(weaker.unwrap_err().contains("below its floor of 97 %"));
    }

    #[test]
    fn recording_starts_from_nothing_and_drops_what_is_gone() {
        let mut old = record(50);
        old.floors.insert("a/gone".to_owned(), old.floors["a/one"].clone());
        let text = raised(&assess(vec![row(0, Standing::Complete)], &old), &there(), "2026-11-30").unwrap();
        assert_eq!(Record::parse(&text).unwrap().floors.into_keys().collect::<Vec<_>>(), ["a/one"]);
        let first =
            raised(&assess(vec![row(1, Standing::Complete)], &Record::default()), &there(), "2026-11-30");
        assert_eq!(Record::parse(&first.unwrap()).unwrap().floors["a/one"].floor, 99);
    }

    #[test]
    fn recording_one_leaves_the_others_as_they_are() {
        let mut old = record(50);
        let two = old.floors["a/one"].clone();
        old.floors.insert("a/two".to_owned(), two.clone());
        let text = raised(&assess(vec![row(0, Standing::Complete)], &old), &there(), "2026-11-30").unwrap();
        let floors = Record::parse(&text).unwrap().floors;
        assert_eq!((floors["a/one"].floor, &floors["a/two"]), (100, &two));
    }

    #[test]
    fn recording_refuses_results_that_say_nothing() {
        for standing in [Standing::Missing, Standing::Incomplete { have: 1, want: 2 }, Standing::Old(3)] {
            let refused =
                raised(&assess(vec![row(0, standing)], &record(90)), &there(), "2026-11-30").unwrap_err();
            assert!(refused.contains("failed to record: a/one has"), "{refused}");
        }
    }

    #[test]
    fn arguments_are_kept_as_they_are() {
        let entry = Equivalent {
            file: "ports/src/a/one.rs".to_owned(),
            function: "one".to_owned(),
            change: "delete !".to_owned(),
            nth: Some(1),
            why: "\"never\" reached: \\ and ü".to_owned(),
        };
        let old = Record { equivalent: vec![entry.clone()], ..record(90) };
        let text = raised(&assess(vec![row(1, Standing::Complete)], &old), &there(), "2026-11-30").unwrap();
        assert_eq!(Record::parse(&text).unwrap().equivalent, [entry]);
    }

    #[test]
    fn a_key_reads_back() {
        let keys = Keys { ports: "aa".to_owned(), cases: "bb".to_owned() };
        let unit = Unit {
            file: "ports/src/a/one.rs".to_owned(),
            row: "a/one".to_owned(),
            text: "cc".to_owned(),
            suites: [("a/one".to_owned(), keys)].into(),
        };
        let read = keyed(&key(&unit).replace(',', "\n")).unwrap();
        assert_eq!((read.text, read.suites), (unit.text, unit.suites));
        assert!(keyed("").is_none());
        assert!(keyed("cc\na/one aa").is_none());
    }
}
