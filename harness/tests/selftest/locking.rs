//! The lock: nothing leaves the corpus unseen, and clauses do not move on without their cases.

use crate::support::*;
use assay_harness::{Options, Registry, Selection, lock, verify};

fn held(corpus: &Corpus) -> String {
    corpus.golden.texts[lock::PATH].clone()
}

/// What `assay lock` refuses, given the lock of the whole toy.
fn refused(corpus: &Corpus, reread: &[&str]) -> Vec<String> {
    let old = held(&Corpus::whole());
    let reread: Vec<String> = reread.iter().map(|name| (*name).to_owned()).collect();
    match lock::update(Some(&old), &corpus.registry(&RIGHT), &reread) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn the_lock_of_the_toy_is_one_line() {
    let text = held(&Corpus::whole());
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].starts_with("combat/compute_toy cases=4 sweeps=1 vectors=2 removed=0 cases_digest="),
        "{text}"
    );
    assert!(lines[0].ends_with(" ids=all-near,negative,negative-storm,quarter,storm"), "{text}");
    assert_eq!(lock::check(&Corpus::whole().registry(&RIGHT)), []);
}

#[test]
fn a_lock_that_is_missing_or_does_not_fit_is_a_problem_of_a_complete_run() {
    let report = Corpus::whole().without(lock::PATH).run(&RIGHT);
    assert_eq!(report.problems[0].to_string(), "golden/index.lock: is missing (run `assay lock`)");
    let grown = suite("[[case]]\nid = \"quarter\"", "[[case]]\nid = \"quarter-again\"");
    let report = Corpus::whole().with(CASES, &grown).run(&RIGHT);
    let message = "no longer fits `combat/compute_toy`: the cases changed, the ids changed";
    assert_eq!(report.problems[0].message, "case `quarter` is gone");
    assert_eq!(report.problems[1].message, message);
    let nonsense = Corpus::whole().with(lock::PATH, "nonsense\n").run(&RIGHT);
    assert!(nonsense.problems[0].to_string().starts_with("golden/index.lock:1:1: `cases=` is missing"));
}

#[test]
fn updating_takes_new_cases_and_said_removals() {
    let whole = Corpus::whole();
    assert_eq!(lock::update(None, &whole.registry(&RIGHT), &[]).unwrap(), held(&whole));
    let quarter = &SUITE[SUITE.find("[[case]]").unwrap()..SUITE.find("[[case]]\nid = \"storm\"").unwrap()];
    let more = format!("{SUITE}\n{}", quarter.replace("\"quarter\"", "\"quarter-again\""));
    assert_eq!(refused(&Corpus::of(&more).with(VECTORS, TAPED), &[]), [""; 0]);
    let renamed = SUITE.replace("id = \"quarter\"", "id = \"a-quarter\"");
    assert_eq!(
        refused(&Corpus::of(&renamed).with(VECTORS, TAPED), &[]),
        [format!(
            "{CASES}: case `quarter` is gone (restore it, or add `[[removed]]` with `id = \"quarter\"` and a reason)"
        )]
    );
    let said = format!("{renamed}[[removed]]\nid = \"quarter\"\nreason = \"a better name\"\n");
    assert_eq!(refused(&Corpus::of(&said).with(VECTORS, TAPED), &[]), [""; 0]);
    assert!(refused(&Corpus::of(SUITE), &[])[0].contains("vectors dropped from 2 to 0"));
}

/// A run of one suite is no reason to let a case go unseen, and a new case is no problem before it is locked.
#[test]
fn what_leaves_is_missed_in_a_run_of_its_suite_alone() {
    let alone = |corpus: &Corpus| {
        let registry = Registry::new(PAIR, &corpus.specs, &corpus.golden);
        let selection = Selection::all().pattern("compute_toy").unwrap();
        let report = verify(&registry, &selection, &Options::default());
        (report.exit_code(), report.problems.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let whole = pair().locked_pair();
    let storm = |rest: &str| format!("{}{rest}", SUITE.replace("id = \"storm\"", "id = \"a-storm\""));
    let (code, all) = alone(&whole.clone().with(CASES, &storm("")));
    assert_eq!((code, all.len()), (2, 1), "{all:?}");
    assert!(all[0].contains("case `storm` is gone"), "{all:?}");
    let said = storm("[[removed]]\nid = \"storm\"\nreason = \"a better name\"\n");
    let told = whole.clone().with(CASES, &said);
    assert_eq!(alone(&told), (0, Vec::new()));
    // The tombstone cannot leave either, and its id cannot come back.
    let locked = told.locked_pair();
    assert!(alone(&locked.clone().with(CASES, &storm(""))).1[0].contains("the tombstone of `storm` is gone"));
    let back = alone(&locked.clone().with(CASES, SUITE)).1;
    assert!(back.iter().any(|problem| problem.contains("the tombstone of `storm` is gone")), "{back:?}");
    let reused = said.replace("id = \"a-storm\"", "id = \"storm\"");
    let all = alone(&locked.with(CASES, &reused)).1;
    assert!(
        all.iter().any(|problem| problem.contains("`storm` was removed (ids are never used again")),
        "{all:?}"
    );
    assert!(alone(&whole.without(VECTORS)).1[0].contains("vectors dropped from 2 to 0"));
}

#[test]
fn updating_refuses_a_corpus_with_problems_and_suites_that_are_gone() {
    let broken = Corpus::of(&suite("result = 75", "result = 76")).with(VECTORS, TAPED);
    assert!(refused(&broken, &[])[0].contains("`result` is 76 here"));
    let registry = Registry::new(&[], &Default::default(), &Default::default());
    let all = lock::update(Some(&held(&Corpus::whole())), &registry, &[]).unwrap_err();
    assert!(all.iter().any(|p| p.message.contains("is missing") || p.message.contains("is gone")), "{all:?}");
}

#[test]
fn clauses_do_not_move_on_without_their_cases() {
    let moved = Corpus::whole().with(SPEC, &TOY.replace("in a straight line", "in a curve"));
    let all = refused(&moved, &[]);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("the clauses of `combat/compute_toy` changed, and its cases did not"), "{all:?}");
    assert!(all[0].contains("--reread combat/compute_toy"), "{all:?}");
    assert_eq!(refused(&moved, &["combat/compute_toy"]), [""; 0]);
    assert_eq!(refused(&moved, &["compute_toy"]), [""; 0]);
    assert!(refused(&moved, &["compute_toys"])[0].contains("is no suite"));
    // A remark in cases.toml is no re-reading.
    let remarked = moved.with(CASES, &format!("# read again\n{SUITE}"));
    assert_eq!(refused(&remarked, &[]).len(), 1);
}
