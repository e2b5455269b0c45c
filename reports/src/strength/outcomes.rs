//! What a mutation run leaves behind: the `outcomes.json` of cargo-mutants, and the lines of the gate in each log.

use serde::Deserialize;
use std::collections::BTreeSet;

/// What cargo-mutants says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Summary {
    /// The gate failed.
    CaughtMutant,
    /// The gate passed.
    MissedMutant,
    /// The gate did not end in time.
    Timeout,
    /// It did not compile.
    Unviable,
    /// The unchanged tree passed.
    Success,
    /// The unchanged tree did not, or something else went wrong.
    Failure,
}

/// One mutant of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `file:line:column: change`.
    pub name: String,
    /// Path relative to the repository.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function that is changed.
    pub function: String,
    /// What is changed, in words.
    pub change: String,
    /// What came of it.
    pub summary: Summary,
    /// Where its log is, relative to `mutants.out`.
    pub log: String,
}

#[derive(Deserialize)]
struct Document {
    outcomes: Vec<Raw>,
}

#[derive(Deserialize)]
struct Raw {
    scenario: Scenario,
    summary: Summary,
    log_path: String,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant(RawMutant),
}

#[derive(Deserialize)]
struct RawMutant {
    name: String,
    file: String,
    function: Option<Function>,
    span: Span,
}

#[derive(Deserialize)]
struct Function {
    function_name: String,
}

#[derive(Deserialize)]
struct Span {
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    line: u32,
    column: u32,
}

/// Reads `outcomes.json`.
///
/// # Errors
/// The text is not what cargo-mutants writes.
pub fn outcomes(json: &str) -> Result<Vec<Outcome>, String> {
    let document: Document = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let outcome = |raw: Raw| {
        let Scenario::Mutant(mutant) = raw.scenario else { return None };
        let change = mutant.name.split_once(": ").map_or(mutant.name.as_str(), |(_, change)| change);
        Some(Outcome {
            change: change.to_owned(),
            name: mutant.name.clone(),
            file: mutant.file,
            line: mutant.span.start.line,
            column: mutant.span.start.column,
            function: mutant.function.map(|function| function.function_name).unwrap_or_default(),
            summary: raw.summary,
            log: raw.log_path,
        })
    };
    Ok(document.outcomes.into_iter().filter_map(outcome).collect())
}

/// What the gate said under a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kills {
    /// Cases that failed, those that hung included.
    pub cases: BTreeSet<String>,
    /// Cases that did not come back.
    pub hung: BTreeSet<String>,
    /// Whether it came to its end; otherwise the process was taken down.
    pub ended: bool,
}

/// Reads the lines of the gate (`harness/tests/golden/judge.rs`) out of a log.
#[must_use]
pub fn kills(log: &str) -> Kills {
    let mut kills = Kills::default();
    for line in log.lines().filter_map(|line| line.strip_prefix("assay-judge ")) {
        match line.split_once(' ') {
            Some(("caught", case)) => drop(kills.cases.insert(case.to_owned())),
            Some(("hung", case)) => {
                kills.cases.insert(case.to_owned());
                kills.hung.insert(case.to_owned());
            }
            Some(("end", _)) => kills.ended = true,
            _ => {}
        }
    }
    kills
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::sample;

    #[test]
    fn the_document_of_cargo_mutants_is_read() {
        let read = outcomes(sample::OUTCOMES).unwrap();
        assert_eq!(read.len(), 2, "the baseline is no mutant");
        assert_eq!((read[0].file.as_str(), read[0].line, read[0].column), ("ports/src/a/one.rs", 7, 5));
        assert_eq!(read[0].change, "replace one -> Result<(), E> with Ok(())");
        assert_eq!((read[0].function.as_str(), read[0].summary), ("one", Summary::CaughtMutant));
        assert_eq!((read[1].function.as_str(), read[1].summary), ("", Summary::MissedMutant));
        assert!(outcomes("{}").is_err());
        assert!(outcomes("").is_err());
    }

    #[test]
    fn the_lines_of_the_gate_are_found_in_a_log() {
        let log = "*** cargo test\nassay-judge caught a/one/x\nassay-judge hung a/one/y\nassay-judge end 7\n";
        let found = kills(log);
        assert_eq!(found.cases.iter().map(String::as_str).collect::<Vec<_>>(), ["a/one/x", "a/one/y"]);
        assert_eq!(found.hung.iter().map(String::as_str).collect::<Vec<_>>(), ["a/one/y"]);
        assert!(found.ended);
        assert!(!kills("assay-judge caught a/one/x").ended, "the process died");
        assert!(kills("test a ... FAILED\n not assay-judge caught b\n").cases.is_empty());
    }
}
