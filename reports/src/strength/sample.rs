//! Made results for tests: one file, judged by two suites.

use super::{
    Equivalent, Floor, Keys, Kills, Mutant, Outcome, Record, Row, Run, Standing, State, Summary, Unit,
};
use std::collections::BTreeSet;

/// What cargo-mutants writes, shortened.
pub const OUTCOMES: &str = r#"{"outcomes":[
 {"scenario":"Baseline","summary":"Success","log_path":"log/baseline.log","phase_results":[]},
 {"scenario":{"Mutant":{"name":"ports/src/a/one.rs:7:5: replace one -> Result<(), E> with Ok(())","package":"assay-ports",
  "file":"ports/src/a/one.rs","function":{"function_name":"one","return_type":"-> Result<(), E>"},
  "span":{"start":{"line":7,"column":5},"end":{"line":7,"column":9}},"replacement":"Ok(())","genre":"FnValue"}},
  "summary":"CaughtMutant","log_path":"log/a.log","phase_results":[]},
 {"scenario":{"Mutant":{"name":"ports/src/a/one.rs:9:3: replace < with <=","package":"assay-ports",
  "file":"ports/src/a/one.rs","function":null,"span":{"start":{"line":9,"column":3},"end":{"line":9,"column":4}}}},
  "summary":"MissedMutant","log_path":"log/b.log","phase_results":[]}],"total_mutants":2}"#;

pub fn cases() -> BTreeSet<String> {
    ["a/one/x", "a/one/y", "a/two/z"].map(str::to_owned).into()
}

pub fn unit() -> Unit {
    let keys = |name: &str| Keys { ports: format!("ports of {name}"), cases: format!("cases of {name}") };
    Unit {
        file: "ports/src/a/one.rs".to_owned(),
        row: "a/one".to_owned(),
        text: "text".to_owned(),
        suites: ["a/one", "a/two"].map(|name| (name.to_owned(), keys(name))).into(),
    }
}

fn outcome(line: u32, change: &str, summary: Summary) -> Outcome {
    Outcome {
        name: format!("ports/src/a/one.rs:{line}:5: {change}"),
        file: "ports/src/a/one.rs".to_owned(),
        line,
        column: 5,
        function: "one".to_owned(),
        change: change.to_owned(),
        summary,
        log: format!("log/{line}.log"),
    }
}

/// Caught by two suites, survived, hung, unviable, crashed.
pub fn run() -> Run {
    let judged = |log: &str| super::kills(log);
    Run {
        text: "text".to_owned(),
        suites: unit().suites,
        part: Some((0, 1)),
        outcomes: vec![
            (
                outcome(1, "replace + with -", Summary::CaughtMutant),
                judged("assay-judge caught a/one/x\nassay-judge caught a/two/z\nassay-judge end 3"),
            ),
            (outcome(2, "replace < with <=", Summary::MissedMutant), judged("assay-judge end 3")),
            (
                outcome(3, "replace += with *=", Summary::CaughtMutant),
                judged("assay-judge hung a/one/x\nassay-judge end 2"),
            ),
            (outcome(4, "replace one with Default::default()", Summary::Unviable), Kills::default()),
            (outcome(5, "replace < with <=", Summary::CaughtMutant), Kills::default()),
        ],
    }
}

pub fn mutant(line: u32, state: State, killers: &[&str]) -> Mutant {
    Mutant {
        name: format!("ports/src/a/one.rs:{line}:5: replace < with <= in one"),
        file: "ports/src/a/one.rs".to_owned(),
        line,
        column: 5,
        function: "one".to_owned(),
        change: "replace < with <= in one".to_owned(),
        state,
        killers: killers.iter().map(|case| (*case).to_owned()).collect(),
        hung: Vec::new(),
        argued: None,
    }
}

/// One row: 40 caught, one hung, one survivor on line 90.
pub fn row() -> Row {
    let mut mutants: Vec<Mutant> = (1..=40).map(|line| mutant(line, State::Caught, &["a/one/x"])).collect();
    mutants[0].killers.push("a/two/z".to_owned());
    mutants.push(mutant(41, State::Hung, &["a/one/x"]));
    mutants.push(mutant(90, State::Survived, &[]));
    mutants.push(mutant(91, State::Unviable, &[]));
    Row {
        row: "a/one".to_owned(),
        file: "ports/src/a/one.rs".to_owned(),
        standing: Standing::Complete,
        mutants,
    }
}

pub fn record(floor: u8) -> Record {
    let floor = Floor { mutants: 42, caught: 41, floor, measured: "2026-11-30".to_owned() };
    Record { floors: [("a/one".to_owned(), floor)].into(), equivalent: Vec::new() }
}

pub fn equivalent() -> Equivalent {
    Equivalent {
        file: "ports/src/a/one.rs".to_owned(),
        function: "one".to_owned(),
        change: "replace < with <= in one".to_owned(),
        nth: Some(42),
        why: "the two sides are never equal".to_owned(),
    }
}
