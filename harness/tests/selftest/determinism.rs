//! The same cases however they are run, and a port that remembers.

use crate::support::{Corpus, Input, META, RIGHT, Toy, ToyPort, right};
use assay_harness::determinism::Matrix;
use assay_harness::{Options, Selection, determinism, verify};
use assay_model::{FnPort, PortError};
use std::sync::atomic::{AtomicU32, Ordering};

static CALLS: AtomicU32 = AtomicU32::new(0);

/// Wrong on one call of a thousand, whatever is asked.
fn counting(input: &Input) -> Result<Toy, PortError> {
    let toy = right(input);
    if CALLS.fetch_add(1, Ordering::SeqCst) % 1000 == 3 {
        toy.map(|toy| Toy { result: -1, ..toy })
    } else {
        toy
    }
}

static COUNTING: ToyPort = FnPort::new(&META, counting);

#[test]
fn a_pure_port_gives_one_digest_in_every_way() {
    let registry = Corpus::whole().registry(&RIGHT);
    let matrix = Matrix { threads: vec![1, 3, 0], orders: 2, repeats: 2 };
    let found = determinism(&registry, &Selection::all(), &Options::default(), &matrix);
    assert!(found.same && found.broken.is_empty() && found.difference.is_none(), "{found:?}");
    assert_eq!((found.exit_code(), found.runs.len(), found.cases, found.drift), (0, 18, 7, 0));
    // And that digest is the one of a verification.
    let report = verify(&registry, &Selection::all(), &Options::default());
    assert!(found.runs.iter().all(|run| run.digest == report.result_digest && run.differing == 0));
}

#[test]
fn a_port_that_remembers_is_found_and_the_case_is_named() {
    let registry = Corpus::whole().registry(&COUNTING);
    let matrix = Matrix { threads: vec![1], orders: 0, repeats: 2 };
    let found = determinism(&registry, &Selection::all(), &Options::default(), &matrix);
    assert_eq!((found.same, found.exit_code()), (false, 1));
    let difference = found.difference.unwrap();
    // The first run is wrong on a case, the second in the sweep.
    assert_eq!(difference.run, 1);
    assert!(difference.id.starts_with("combat/compute_toy/"), "{difference:?}");
    assert_ne!(difference.first, difference.other);
    assert_ne!(found.runs[0].digest, found.runs[1].digest);
    assert!(found.runs[1].differing >= 1);
}

#[test]
fn a_run_of_nothing_shows_nothing() {
    let registry = Corpus::whole().registry(&RIGHT);
    let run = |selection: &str, matrix: &Matrix| {
        determinism(&registry, &selection.parse().unwrap(), &Options::default(), matrix)
    };
    let nothing = run("tag=none", &Matrix::default());
    assert_eq!((nothing.exit_code(), nothing.broken.as_str()), (2, "no case ran"));
    let none = run("", &Matrix { threads: Vec::new(), ..Matrix::default() });
    assert_eq!((none.exit_code(), none.broken.as_str()), (2, "nothing was run"));
    let broken = run("no_such_thing", &Matrix::default());
    assert!(broken.exit_code() == 2 && broken.broken.contains("nothing matches"), "{}", broken.broken);
}
