//! Results against the record: what is argued, what is too weak, and what is not known.

use super::{Equivalent, Record, Row, Standing, State, Tally};
use std::collections::BTreeSet;

/// Most of the viable mutants that may be argued away, in percent.
pub const MOST_ARGUED: usize = 3;

/// Results with the record's arguments in them, and everything that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Files with mutants, by row.
    pub rows: Vec<Row>,
    /// The record.
    pub record: Record,
    /// Rows whose results cannot be relied on, and why: lower-case fragments.
    pub unknown: Vec<String>,
    /// Rules that are broken.
    pub broken: Vec<String>,
}

impl Assessment {
    /// All rows together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.rows.iter().map(Row::tally).fold(Tally::default(), Tally::plus)
    }

    /// Whether `assay strength --check` passes.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.unknown.is_empty() && self.broken.is_empty()
    }

    /// Whether nothing was measured at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.mutants.is_empty())
    }
}

/// Holds rows against the record. Rows are those that are to be looked at; the record's entries for others are left
/// alone.
#[must_use]
pub fn assess(mut rows: Vec<Row>, record: &Record) -> Assessment {
    let mut broken = Vec::new();
    let asked: BTreeSet<String> = rows.iter().map(|row| row.file.clone()).collect();
    for entry in record.equivalent.iter().filter(|entry| asked.contains(&entry.file)) {
        if let Err(problem) = argue(&mut rows, entry) {
            broken.push(format!("the argument for `{}` in `{}` {problem}", entry.change, entry.function));
        }
    }
    // A file without anything to change, or without a change that compiles, has no strength.
    rows.retain(|row| !(row.tally().viable == 0 && row.standing == Standing::Complete));
    rows.sort_by(|a, b| (a.row.ends_with(".rs"), &a.row).cmp(&(b.row.ends_with(".rs"), &b.row)));
    let unknown = rows.iter().filter_map(unknown).collect();
    broken.extend(rows.iter().filter_map(|row| weak(row, record)));
    let total = rows.iter().map(Row::tally).fold(Tally::default(), Tally::plus);
    if 100 * total.argued > MOST_ARGUED * total.viable {
        let message = format!("{} of {} mutants are argued away", total.argued, total.viable);
        broken.push(format!("{message}, which is more than {MOST_ARGUED} %: write cases"));
    }
    Assessment { rows, record: record.clone(), unknown, broken }
}

/// Marks the one survivor that an entry means.
fn argue(rows: &mut [Row], entry: &Equivalent) -> Result<(), &'static str> {
    let Some(row) = rows.iter_mut().find(|row| row.file == entry.file) else { return Ok(()) };
    if row.mutants.is_empty() {
        return Ok(()); // Not measured, which is said elsewhere.
    }
    let meant =
        |mutant: &&mut super::Mutant| mutant.function == entry.function && mutant.change == entry.change;
    let mut found: Vec<_> = row.mutants.iter_mut().filter(meant).collect();
    let index = match (entry.nth, found.len()) {
        (_, 0) => return Err("matches no mutant: remove it, or copy the change anew"),
        (None, 1) => 0,
        (None, _) => return Err("matches several mutants: say which with `nth`"),
        (Some(nth), all) if (1..=all).contains(&nth) => nth - 1,
        (Some(_), _) => return Err("has an `nth` beyond the last such mutant"),
    };
    let mutant = &mut *found[index];
    match mutant.state {
        State::Survived if mutant.argued.is_none() => mutant.argued = Some(entry.why.clone()),
        State::Survived => return Err("is there twice"),
        State::Caught | State::Hung => return Err("is refuted: a case catches the mutant; remove it"),
        State::Unviable => return Err("is idle: the mutant does not compile; remove it"),
        State::Old => {}
    }
    Ok(())
}

fn unknown(row: &Row) -> Option<String> {
    let why = match row.standing {
        Standing::Complete => return None,
        Standing::Missing => "has no results of today's file".to_owned(),
        Standing::Incomplete { have, want } => format!("has results of {have} parts out of {want}"),
        Standing::Old(mutants) => format!("has {mutants} results older than its ports or cases"),
    };
    Some(format!("{} {why}: run `.ci/strength {}`", row.row, row.row))
}

fn weak(row: &Row, record: &Record) -> Option<String> {
    if row.standing != Standing::Complete {
        return None;
    }
    let tally = row.tally();
    let Some(floor) = record.floors.get(&row.row) else {
        return Some(format!("{} has no floor: run `assay strength --record`", row.row));
    };
    let score = tally.floor()?;
    (score < floor.floor).then(|| {
        let survived = tally.survived;
        format!("{} is at {score} %, below its floor of {} %: {survived} survive", row.row, floor.floor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::sample;

    fn check(row: Row, record: &Record) -> Assessment {
        assess(vec![row], record)
    }

    #[test]
    fn at_its_floor_it_passes_and_below_it_fails() {
        assert!(check(sample::row(), &sample::record(97)).passes());
        let weak = check(sample::row(), &sample::record(98));
        assert_eq!(weak.broken, ["a/one is at 97 %, below its floor of 98 %: 1 survive"]);
    }

    #[test]
    fn without_a_floor_it_fails() {
        let broken = check(sample::row(), &Record::default()).broken;
        assert_eq!(broken, ["a/one has no floor: run `assay strength --record`"]);
    }

    #[test]
    fn a_file_of_which_no_change_compiles_needs_no_floor() {
        let row = Row { mutants: vec![sample::mutant(1, State::Unviable, &[])], ..sample::row() };
        let assessment = check(row, &Record::default());
        assert!(assessment.passes() && assessment.rows.is_empty());
    }

    #[test]
    fn an_argued_survivor_does_not_weigh_but_is_counted() {
        let record = Record { equivalent: vec![sample::equivalent()], ..sample::record(100) };
        let argued = check(sample::row(), &record);
        assert!(argued.passes(), "{:?}", argued.broken);
        let tally = argued.total();
        assert_eq!((tally.survived, tally.argued, tally.floor()), (0, 1, Some(100)));
        assert_eq!(tally.score(), Some(100.0));
    }

    #[test]
    fn arguments_that_are_unused_ambiguous_or_refuted_are_errors() {
        let problem = |entry: Equivalent| {
            let record = Record { equivalent: vec![entry], ..sample::record(90) };
            check(sample::row(), &record).broken.join("; ")
        };
        let with = |nth| Equivalent { nth, ..sample::equivalent() };
        assert!(problem(with(None)).contains("several mutants"));
        assert!(problem(with(Some(44))).contains("beyond the last"));
        assert!(problem(with(Some(0))).contains("beyond the last"));
        assert!(problem(with(Some(1))).contains("is refuted"));
        assert!(problem(with(Some(43))).contains("does not compile"));
        assert!(problem(Equivalent { change: "delete !".into(), ..with(Some(1)) }).contains("no mutant"));
        assert!(problem(Equivalent { function: "two".into(), ..with(Some(1)) }).contains("no mutant"));
        let twice = vec![sample::equivalent(), sample::equivalent()];
        let record = Record { equivalent: twice, ..sample::record(90) };
        assert!(check(sample::row(), &record).broken[0].contains("is there twice"));
        let elsewhere = Equivalent { file: "ports/src/b.rs".into(), ..with(None) };
        assert_eq!(problem(elsewhere), "", "that file was not asked about");
    }

    #[test]
    fn more_than_three_percent_argued_fails() {
        let mut row = sample::row();
        row.mutants.push(sample::mutant(92, State::Survived, &[]));
        let entries = [42, 44].map(|nth| Equivalent { nth: Some(nth), ..sample::equivalent() });
        let record = Record { equivalent: entries.to_vec(), ..sample::record(90) };
        let broken = check(row, &record).broken;
        assert_eq!(broken, ["2 of 43 mutants are argued away, which is more than 3 %: write cases"]);
    }

    #[test]
    fn missing_incomplete_and_old_results_fail_and_are_told_apart() {
        for (standing, word) in [
            (Standing::Missing, "no results"),
            (Standing::Incomplete { have: 1, want: 3 }, "1 parts out of 3"),
            (Standing::Old(2), "2 results older"),
        ] {
            let found = check(Row { standing, ..sample::row() }, &sample::record(97));
            assert!(!found.passes());
            assert!(found.unknown[0].contains(word), "{:?}", found.unknown);
            assert!(found.unknown[0].contains(".ci/strength a/one"));
        }
    }
}
