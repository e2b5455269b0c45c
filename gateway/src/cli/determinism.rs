//! `assay determinism`: the same cases in every way that must not matter.

use super::arguments::{Determinism as Arguments, DocumentFormat};
use super::output::{self, BAD, FAINT, GOOD, paint};
use crate::snapshot::Gateway;
use assay_harness::determinism::{Cell, Determinism, Matrix};
use assay_harness::{Selection, determinism};
use assay_reports::{align, document};

pub(super) fn command(gateway: &Gateway, arguments: &Arguments) -> Result<u8, String> {
    let selection: Selection = arguments
        .selection
        .join(" ")
        .parse()
        .map_err(|message| format!("failed to read the selection: {message}"))?;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    let matrix = Matrix {
        threads: arguments.threads.iter().copied().map(usize::from).collect(),
        orders: arguments.orders.into(),
        repeats: arguments.repeat.into(),
    };
    let found = determinism(snapshot.registry(), &selection, &snapshot.options(), &matrix);
    output::result(&match arguments.format {
        DocumentFormat::Json => document(&found),
        DocumentFormat::Text => text(&found),
    })?;
    Ok(found.exit_code())
}

/// A row for each number of threads, a column for each order; repetitions stand side by side.
fn text(found: &Determinism) -> String {
    let mut orders: Vec<u32> = found.runs.iter().map(|run| run.order).collect();
    orders.sort_unstable();
    orders.dedup();
    let mut threads: Vec<usize> = Vec::new();
    for run in &found.runs {
        if !threads.contains(&run.threads) {
            threads.push(run.threads);
        }
    }
    let named = |order: u32| if order == 0 { "corpus order".to_owned() } else { format!("shuffle {order}") };
    let mut rows = vec![[vec!["threads".to_owned()], orders.iter().copied().map(named).collect()].concat()];
    for threads in threads {
        let of = |order: &u32| {
            let runs = found.runs.iter().filter(|run| run.threads == threads && run.order == *order);
            runs.map(|run| cell(run, &found.runs)).collect::<Vec<_>>().join(" ")
        };
        let name = if threads == 0 { "all".to_owned() } else { threads.to_string() };
        rows.push([vec![name], orders.iter().map(of).collect()].concat());
    }
    format!("{}\n{}", align(&rows).join("\n"), verdict(found))
}

fn cell(run: &Cell, runs: &[Cell]) -> String {
    let same = runs.first().is_some_and(|first| first.digest == run.digest);
    let digest = run.digest.get(..12).unwrap_or(&run.digest);
    if same { digest.to_owned() } else { format!("{digest}!") }
}

fn verdict(found: &Determinism) -> String {
    let mut lines = Vec::new();
    match &found.difference {
        Some(difference) => {
            let run = found.runs.get(difference.run);
            let how = run.map_or_else(String::new, |run| {
                let order = if run.order == 0 { String::new() } else { format!(", shuffle {}", run.order) };
                let threads = if run.threads == 0 { "all".to_owned() } else { run.threads.to_string() };
                format!(
                    " ({threads} threads{order}, repetition {}; {} cases differ)",
                    run.repeat, run.differing
                )
            });
            lines.push(format!("{} {}{how}", paint(BAD, "differs"), difference.id));
            lines.push(format!("  first run  {}", difference.first));
            lines.push(format!("  this one   {}", difference.other));
        }
        None if found.same => {
            let runs = found.runs.len();
            lines.push(format!("{} {} cases in {runs} runs", paint(GOOD, "same"), found.cases));
        }
        None => lines.push(paint(BAD, "differs in no single case")),
    }
    if !found.broken.is_empty() {
        lines.push(format!("{} {}", paint(BAD, "broken, so nothing is shown:"), found.broken));
    }
    if found.drift > 0 {
        let drift = format!("{} cases drift from the corpus; `assay verify` shows them", found.drift);
        lines.push(paint(FAINT, &drift));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_harness::determinism::Difference;

    fn run(threads: usize, order: u32, digest: &str, differing: u64) -> Cell {
        Cell { threads, order, repeat: 1, digest: digest.repeat(16), differing }
    }

    fn found(runs: Vec<Cell>, difference: Option<Difference>) -> Determinism {
        Determinism {
            corpus_digest: "00c0".to_owned(),
            selection: "*".to_owned(),
            cases: 7,
            drift: 0,
            same: difference.is_none(),
            difference,
            broken: String::new(),
            runs,
        }
    }

    #[test]
    fn a_row_a_number_of_threads_and_a_column_an_order() {
        let runs =
            vec![run(1, 0, "aaaa", 0), run(1, 1, "aaaa", 0), run(0, 0, "aaaa", 0), run(0, 1, "aaaa", 0)];
        let shown = anstream::adapter::strip_str(&text(&found(runs, None))).to_string();
        assert_eq!(
            shown.lines().collect::<Vec<_>>(),
            [
                "threads  corpus order  shuffle 1",
                "1        aaaaaaaaaaaa  aaaaaaaaaaaa",
                "all      aaaaaaaaaaaa  aaaaaaaaaaaa",
                "same 7 cases in 4 runs",
            ]
        );
    }

    #[test]
    fn the_first_case_that_differs_is_named_with_its_run() {
        let runs = vec![run(1, 0, "aaaa", 0), run(2, 1, "bbbb", 3)];
        let difference = Difference {
            id: "combat/x/a".to_owned(),
            run: 1,
            first: "pass 0123".to_owned(),
            other: "fail 4567".to_owned(),
        };
        let shown = anstream::adapter::strip_str(&text(&found(runs, Some(difference)))).to_string();
        assert!(shown.contains("bbbbbbbbbbbb!"), "{shown}");
        let told = "differs combat/x/a (2 threads, shuffle 1, repetition 1; 3 cases differ)";
        assert!(shown.contains(told) && shown.contains("first run  pass 0123"), "{shown}");
        let broken = Determinism { broken: "no case ran".to_owned(), drift: 2, ..found(Vec::new(), None) };
        let shown = anstream::adapter::strip_str(&text(&broken)).to_string();
        assert!(
            shown.contains("nothing is shown: no case ran") && shown.contains("2 cases drift"),
            "{shown}"
        );
    }
}
