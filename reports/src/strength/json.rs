//! Strength as JSON. The shape is stable: fields are added, never renamed, and `format` counts what breaks readers.

use super::matrix::{Reach, caught, reaches};
use super::{Assessment, Row, Standing, State, Tally};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    passes: bool,
    total: Counts,
    rows: Vec<RowOut<'a>>,
    survivors: Vec<Survivor<'a>>,
    problems: Vec<&'a str>,
    matrix: Matrix<'a>,
}

#[derive(Serialize)]
struct Counts {
    mutants: usize,
    viable: usize,
    caught: usize,
    hung: usize,
    survived: usize,
    argued: usize,
    old: usize,
    score: Option<f64>,
}

#[derive(Serialize)]
struct RowOut<'a> {
    name: &'a str,
    file: &'a str,
    /// `complete`, `missing`, `incomplete` or `old`.
    results: &'static str,
    #[serde(flatten)]
    counts: Counts,
    floor: Option<u8>,
    measured: Option<&'a str>,
}

#[derive(Serialize)]
struct Survivor<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    change: &'a str,
    argued: Option<&'a str>,
}

/// Both sides: each case with its numbers, each caught mutant with its cases.
#[derive(Serialize)]
struct Matrix<'a> {
    cases: BTreeMap<String, Reach>,
    mutants: Vec<Caught<'a>>,
}

#[derive(Serialize)]
struct Caught<'a> {
    mutant: &'a str,
    cases: &'a [String],
    hung: &'a [String],
}

/// The assessment with the whole matrix; the same bytes for the same results. `cases` are those that exist.
#[must_use]
pub fn strength_json(assessment: &Assessment, cases: &BTreeSet<String>) -> String {
    let problems = assessment.unknown.iter().chain(&assessment.broken).map(String::as_str).collect();
    let document = Document {
        format: 1,
        passes: assessment.passes(),
        total: counts(&assessment.total()),
        rows: assessment.rows.iter().map(|row| row_out(assessment, row)).collect(),
        survivors: survivors(assessment),
        problems,
        matrix: Matrix {
            cases: reaches(assessment, cases),
            mutants: caught(assessment)
                .map(|mutant| Caught { mutant: &mutant.name, cases: &mutant.killers, hung: &mutant.hung })
                .collect(),
        },
    };
    // Keys are strings and no float is infinite, so this cannot fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn counts(tally: &Tally) -> Counts {
    let Tally { mutants, viable, caught, hung, survived, argued, old } = *tally;
    // One decimal: what is shown to people is what tools get.
    let score = tally.score().map(|score| (score * 10.0).floor() / 10.0);
    Counts { mutants, viable, caught, hung, survived, argued, old, score }
}

fn row_out<'a>(assessment: &'a Assessment, row: &'a Row) -> RowOut<'a> {
    let floor = assessment.record.floors.get(&row.row);
    let results = match row.standing {
        Standing::Complete => "complete",
        Standing::Missing => "missing",
        Standing::Incomplete { .. } => "incomplete",
        Standing::Old(_) => "old",
    };
    RowOut {
        name: &row.row,
        file: &row.file,
        results,
        counts: counts(&row.tally()),
        floor: floor.map(|floor| floor.floor),
        measured: floor.map(|floor| floor.measured.as_str()),
    }
}

fn survivors(assessment: &Assessment) -> Vec<Survivor<'_>> {
    let mutants = assessment.rows.iter().flat_map(|row| &row.mutants);
    mutants
        .filter(|mutant| mutant.state == State::Survived)
        .map(|mutant| Survivor {
            file: &mutant.file,
            line: mutant.line,
            column: mutant.column,
            function: &mutant.function,
            change: &mutant.change,
            argued: mutant.argued.as_deref(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::{assess, sample};

    #[test]
    fn it_reads_back_with_rows_survivors_and_matrix() {
        let assessment = assess(vec![sample::row()], &sample::record(98));
        let text = strength_json(&assessment, &sample::cases());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["format"], &value["passes"]), (&1.into(), &false.into()));
        let row = &value["rows"][0];
        assert_eq!(
            (&row["name"], &row["results"], &row["floor"]),
            (&"a/one".into(), &"complete".into(), &98.into())
        );
        assert_eq!((&row["viable"], &row["caught"], &row["hung"]), (&42.into(), &40.into(), &1.into()));
        assert_eq!(row["score"], 97.6);
        assert_eq!(value["survivors"][0]["line"], 90);
        assert!(value["survivors"][0]["argued"].is_null());
        assert_eq!(value["matrix"]["cases"]["a/one/x"]["alone"], 40);
        assert_eq!(value["matrix"]["mutants"][0]["cases"], serde_json::json!(["a/one/x", "a/two/z"]));
        assert_eq!(value["problems"].as_array().unwrap().len(), 1);
        assert_eq!(text, strength_json(&assessment, &sample::cases()));
    }
}
