//! A line of the lock, written and read.

use super::PATH;
use crate::load::suite::RawSuite;
use assay_model::{Problem, Rule};
use assay_oracles::Spec;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// What the lock says of one suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `area/capability`.
    pub path: String,
    /// Hand-written cases.
    pub cases: usize,
    /// Sweeps.
    pub sweeps: usize,
    /// Lines of bulk vectors.
    pub vectors: usize,
    /// Tombstones.
    pub removed: usize,
    /// blake3 over cases and vectors: the first 32 hex digits.
    pub cases_digest: String,
    /// blake3 over the clauses of the spec: the first 32 hex digits.
    pub clauses_digest: String,
    /// Each clause with the first 8 hex digits of its digest, so that a change can be told at the cases that it concerns.
    /// Empty in a lock that was written before there were pins.
    pub clauses: BTreeMap<String, String>,
    /// Ids of cases and sweeps, and `-id` of tombstones.
    pub ids: BTreeSet<String>,
}

impl Line {
    /// What the lock should say of a suite.
    pub(crate) fn of(raw: &RawSuite, spec: Option<&Spec>) -> Self {
        let file = &raw.file;
        let cases = file.cases.iter().map(|case| case.id.clone());
        let sweeps = file.sweeps.iter().map(|sweep| sweep.id.clone());
        let removed = file.removed.iter().map(|tombstone| format!("-{}", tombstone.id));
        Self {
            path: format!("{}/{}", raw.area, raw.capability),
            cases: file.cases.len(),
            sweeps: file.sweeps.len(),
            vectors: raw.vectors.iter().map(|file| file.lines.len()).sum(),
            removed: file.removed.len(),
            cases_digest: short(raw.digest()),
            clauses_digest: short(spec.map(Spec::clauses_digest).unwrap_or_default()),
            clauses: spec.into_iter().flat_map(pins).collect(),
            ids: cases.chain(sweeps).chain(removed).collect(),
        }
    }

    /// Results that a run of the suite gives.
    #[must_use]
    pub fn total(&self) -> usize {
        self.cases + self.sweeps + self.vectors
    }
}

/// Clause ids of a spec, each with its pin.
pub(crate) fn pins(spec: &Spec) -> impl Iterator<Item = (String, String)> {
    spec.clauses.iter().map(|clause| (clause.id.clone(), clause.digest.chars().take(8).collect()))
}

/// 128 bits tell texts apart and leave the line readable.
fn short(mut digest: String) -> String {
    digest.truncate(32);
    digest
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, cases, sweeps, vectors, removed, cases_digest, clauses_digest, clauses, ids } = self;
        let clauses = clauses.iter().map(|(id, pin)| format!("{id}:{pin}")).collect::<Vec<_>>().join(",");
        let ids = ids.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        write!(f, "{path} cases={cases} sweeps={sweeps} vectors={vectors} removed={removed} ")?;
        write!(f, "cases_digest={cases_digest} clauses_digest={clauses_digest} clauses={clauses} ids={ids}")
    }
}

impl FromStr for Line {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split(' ').peekable();
        let path = words.next().unwrap_or_default().to_owned();
        let mut value = |key: &str| {
            let value = words.next_if(|word| word.starts_with(&format!("{key}=")));
            value.map(|word| &word[key.len() + 1..]).ok_or_else(|| format!("`{key}=` is missing"))
        };
        let count = |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is no count"));
        let parsed = Self {
            cases: count(value("cases")?)?,
            sweeps: count(value("sweeps")?)?,
            vectors: count(value("vectors")?)?,
            removed: count(value("removed")?)?,
            cases_digest: value("cases_digest")?.to_owned(),
            clauses_digest: value("clauses_digest")?.to_owned(),
            clauses: value("clauses")
                .unwrap_or_default()
                .split(',')
                .filter_map(|pin| pin.split_once(':'))
                .map(|(id, pin)| (id.to_owned(), pin.to_owned()))
                .collect(),
            ids: value("ids")?.split(',').filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            path,
        };
        words.next().map_or(Ok(parsed), |extra| Err(format!("`{extra}` is one word too many")))
    }
}

/// Reads a lock.
///
/// # Errors
/// Every line that is none, and paths that are there twice or out of order.
pub fn parse(text: &str) -> Result<Vec<Line>, Vec<Problem>> {
    let (mut lines, mut problems): (Vec<Line>, Vec<Problem>) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let mut wrong = |message: String| {
            problems.push(Problem::placed(Rule::Lock, PATH, (index + 1, 1), message, "run `assay lock`"));
        };
        match line.parse::<Line>() {
            Ok(parsed) if lines.last().is_some_and(|last| last.path >= parsed.path) => {
                wrong(format!("`{}` is twice there or out of order", parsed.path));
            }
            Ok(parsed) => lines.push(parsed),
            Err(message) => wrong(message),
        }
    }
    if problems.is_empty() { Ok(lines) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "combat/x cases=2 sweeps=1 vectors=3 removed=1 cases_digest=aa clauses_digest=bb clauses=a.1:cc ids=-gone,a,b,s";

    #[test]
    fn a_line_reads_as_it_is_written() {
        let line: Line = LINE.parse().unwrap();
        assert_eq!((line.total(), line.removed, line.ids.len()), (6, 1, 4));
        assert_eq!(line.to_string(), LINE);
        let before_pins: Line = LINE.replace("clauses=a.1:cc ", "").parse().unwrap();
        assert!(before_pins.clauses.is_empty() && line.clauses["a.1"] == "cc");
        for wrong in
            [LINE.replace("sweeps=1 ", ""), LINE.replace("cases=2", "cases=x"), format!("{LINE} more=1")]
        {
            assert!(wrong.parse::<Line>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn order_and_uniqueness_are_checked() {
        let other = LINE.replace("combat/x", "combat/y");
        assert_eq!(parse(&format!("# head\n{LINE}\n{other}\n")).unwrap().len(), 2);
        for wrong in [format!("{LINE}\n{LINE}\n"), format!("{other}\n{LINE}\n")] {
            assert!(
                parse(&wrong).unwrap_err()[0].to_string().contains("index.lock:2:1: `combat/x` is twice")
            );
        }
    }
}
