//! Whether the same cases give the same results however they are run: on any number of threads, in any order, again and
//! again. A port that keeps something between two calls, or reads something besides its input, shows here.

use crate::registry::Registry;
use crate::run::{Options, shuffled};
use crate::selection::Selection;
use assay_model::{CaseResult, Report};
use serde::Serialize;

/// How the cases are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Numbers of threads; 0 stands for one a processor.
    pub threads: Vec<usize>,
    /// Orders besides that of the corpus, each shuffled by its own seed.
    pub orders: u32,
    /// How often each is run.
    pub repeats: u32,
}

impl Default for Matrix {
    fn default() -> Self {
        Self { threads: vec![1, 2, 0], orders: 2, repeats: 2 }
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Threads; 0 stands for one a processor.
    pub threads: usize,
    /// 0 for the order of the corpus, otherwise the seed of the shuffle.
    pub order: u32,
    /// Which repetition, from 1.
    pub repeat: u32,
    /// The result digest, hex.
    pub digest: String,
    /// Cases whose result is not that of the first run.
    pub differing: u64,
}

/// A case that came to something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// `area/capability/case`.
    pub id: String,
    /// The run in which it was first seen, counted from 0.
    pub run: usize,
    /// Verdict and fingerprint of the first run; `nothing` where the case did not run.
    pub first: String,
    /// Those of the other.
    pub other: String,
}

/// What the runs came to.
#[derive(Clone, Debug, Serialize)]
pub struct Determinism {
    /// blake3 over specs and cases, hex.
    pub corpus_digest: String,
    /// The selection, as given.
    pub selection: String,
    /// Cases, sweeps and vectors of each run.
    pub cases: u64,
    /// Of these, how many drift from their golden case, in the first run.
    pub drift: u64,
    /// Whether every run came to the same.
    pub same: bool,
    /// The first case, by run and then by id, that did not.
    pub difference: Option<Difference>,
    /// What is wrong with the corpus, or that nothing ran: then nothing was shown. Empty otherwise.
    pub broken: String,
    /// The runs; the first is what the others are held against.
    pub runs: Vec<Cell>,
}

impl Determinism {
    /// 0 when all runs came to the same, 1 when one did not, 2 when nothing was shown.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match (self.same, self.broken.is_empty()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 0,
        }
    }
}

/// Runs what `selection` takes in every way that `matrix` names and holds each run against the first. Options as for a
/// verification, but for the threads. No more than two reports are kept at a time.
#[must_use]
pub fn determinism(
    registry: &Registry,
    selection: &Selection,
    options: &Options,
    matrix: &Matrix,
) -> Determinism {
    let mut first: Option<Report> = None;
    let (mut runs, mut difference) = (Vec::new(), None);
    for (threads, order, repeat) in ways(matrix) {
        let jobs = (threads > 0).then_some(threads);
        let seed = (order > 0).then_some(u64::from(order));
        let report = shuffled(registry, selection, &Options { jobs, ..options.clone() }, seed);
        let base = first.as_ref().unwrap_or(&report);
        let (differing, found) = differences(&base.results, &report.results);
        let run = runs.len();
        if difference.is_none() {
            difference = found.map(|found| Difference { run, ..found });
        }
        runs.push(Cell { threads, order, repeat, digest: report.result_digest.clone(), differing });
        first.get_or_insert(report);
    }
    conclude(registry, selection, first, runs, difference)
}

fn conclude(
    registry: &Registry,
    selection: &Selection,
    first: Option<Report>,
    runs: Vec<Cell>,
    difference: Option<Difference>,
) -> Determinism {
    let broken = match &first {
        None => "nothing was run".to_owned(),
        Some(report) if report.verdict() == "broken" => {
            report.problems.first().map_or_else(|| "no case ran".to_owned(), ToString::to_string)
        }
        Some(_) => String::new(),
    };
    let counts = first.map(|report| report.counts).unwrap_or_default();
    Determinism {
        corpus_digest: registry.corpus_digest().to_owned(),
        selection: selection.to_string(),
        cases: counts.total(),
        drift: counts.drift(),
        same: difference.is_none()
            && runs.iter().all(|run| Some(&run.digest) == runs.first().map(|run| &run.digest)),
        difference,
        broken,
        runs,
    }
}

/// Threads, order and repetition of every run.
fn ways(matrix: &Matrix) -> impl Iterator<Item = (usize, u32, u32)> {
    let repeats = matrix.repeats;
    let of = move |(threads, order)| (1..=repeats).map(move |repeat| (threads, order, repeat));
    let orders = matrix.orders;
    let threads = matrix.threads.iter().copied();
    threads.flat_map(move |threads| (0..=orders).map(move |order| (threads, order))).flat_map(of)
}

/// How many cases came to something else, and the first of them. Both are ordered by id.
fn differences(first: &[CaseResult], other: &[CaseResult]) -> (u64, Option<Difference>) {
    let (mut count, mut found) = (0, None);
    let (mut left, mut right) = (first.iter().peekable(), other.iter().peekable());
    loop {
        let (a, b) = match (left.peek(), right.peek()) {
            (None, None) => return (count, found),
            (Some(a), Some(b)) if a.id == b.id => (left.next(), right.next()),
            (Some(a), Some(b)) if a.id < b.id => (left.next(), None),
            (Some(_), None) => (left.next(), None),
            _ => (None, right.next()),
        };
        let print = |result: Option<&CaseResult>| result.map(|result| result.fingerprint.clone());
        if print(a) != print(b) {
            count += 1;
            found.get_or_insert_with(|| Difference {
                id: a.or(b).map(|result| result.id.clone()).unwrap_or_default(),
                run: 0,
                first: told(a),
                other: told(b),
            });
        }
    }
}

fn told(result: Option<&CaseResult>) -> String {
    let short = |text: &str| text.get(..12).unwrap_or(text).to_owned();
    result.map_or_else(
        || "nothing".to_owned(),
        |result| format!("{} {}", result.verdict.as_str(), short(&result.fingerprint)),
    )
}

/// Puts a list into an order that the seed decides, on every machine the same: Fisher and Yates with splitmix64.
pub(crate) fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    for end in (1..list.len()).rev() {
        // The bias of the remainder does not matter: any order will do, as long as it is the same one.
        list.swap(end, (next() % (end as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_order_on_every_machine() {
        let mut list: Vec<u32> = (0..10).collect();
        shuffle(&mut list, 1);
        let mut again: Vec<u32> = (0..10).collect();
        shuffle(&mut again, 1);
        assert_eq!(list, again);
        shuffle(&mut again, 2);
        assert_ne!(list, again);
        list.sort_unstable();
        assert_eq!(list, (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn every_way_is_taken_once() {
        let matrix = Matrix { threads: vec![1, 0], orders: 1, repeats: 2 };
        let ways: Vec<_> = ways(&matrix).collect();
        assert_eq!(ways.len(), 8);
        assert_eq!((ways[0], ways[1], ways[7]), ((1, 0, 1), (1, 0, 2), (0, 1, 2)));
    }
}
