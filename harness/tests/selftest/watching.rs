//! The core of `assay watch` on checkouts that are edited in every way in which editors do it.

use crate::support::*;
use assay_harness::watch::{Screen, Watch};
use assay_harness::{Options, Registry, Selection, disk, lock, verify};
use assay_model::{FnPort, Port, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// A pair of toys on disk, under watch.
struct Desk {
    root: TempDir,
    watch: Watch,
}

impl Desk {
    fn open(ports: &'static [&'static dyn Port]) -> (Self, Screen) {
        let root = tempfile::tempdir().unwrap();
        let corpus = pair().locked_pair();
        for (path, text) in corpus.specs.texts.iter().chain(&corpus.golden.texts) {
            write(root.path(), path, text);
        }
        let (watch, screen) = Watch::open(ports, root.path(), Selection::all(), &Options::default()).unwrap();
        (Self { root, watch }, screen)
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.root.path().join(path)
    }

    fn apply(&mut self, paths: &[&str]) -> Option<Screen> {
        let paths: BTreeSet<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let screen = self.watch.apply(&paths, &Options::default())?;
        // Whenever the checkout can be read at all, the screen says what a fresh run would.
        if let Ok((specs, golden)) = disk::read(self.root.path()) {
            let fresh = Registry::new(PAIR, &specs, &golden);
            let mut report = verify(&fresh, &Selection::all(), &Options::default());
            report.problems.retain(|problem| problem.file != lock::PATH);
            let json = |report| serde_json::to_string(report).unwrap();
            assert_eq!(json(&screen.report), json(&report));
        }
        Some(screen)
    }

    /// Writes a file as `echo > file` does, and applies that.
    fn save(&mut self, path: &str, text: &str) -> Screen {
        write(self.root.path(), path, text);
        self.apply(&[path]).expect("the content changed")
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

/// How much ran, and where.
fn ran(screen: &Screen) -> Vec<(&str, usize)> {
    screen.ran.iter().map(|(path, count)| (path.as_str(), *count)).collect()
}

const TOY_PATH: &str = "combat/compute_toy";
const OTHER_PATH: &str = "combat/compute_other";

fn problems(screen: &Screen) -> Vec<String> {
    screen.report.problems.iter().map(ToString::to_string).collect()
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

static COUNTED: ToyPort = FnPort::new(&OTHER_META, |input| {
    CALLS.fetch_add(1, Ordering::Relaxed);
    right(input)
});

#[test]
fn what_an_edit_does_not_touch_is_neither_bound_nor_run() {
    static PORTS: &[&dyn Port] = &[&RIGHT, &COUNTED];
    let (mut desk, first) = Desk::open(PORTS);
    assert_eq!(problems(&first), [""; 0]);
    assert_eq!((first.report.verdict(), first.report.complete, first.lock.len()), ("pass", true, 0));
    assert_eq!(ran(&first), [(OTHER_PATH, 5), (TOY_PATH, 7)]);
    assert_eq!(first.bound, [OTHER_PATH, TOY_PATH]);
    let calls = CALLS.load(Ordering::Relaxed);
    assert!(calls > 0);
    // A vector that says something else drifts at once; a recorded value has no derivation to contradict it.
    let wrong = desk.save(VECTORS, &TAPED.replace("\"result\":87", "\"result\":88"));
    assert_eq!((ran(&wrong), &wrong.bound[..]), (vec![(TOY_PATH, 2)], &[TOY_PATH.to_owned()][..]));
    assert_eq!(wrong.changed, [VECTORS]);
    assert_eq!(said(&wrong.report, "taped.v1").0, Verdict::Fail);
    assert_eq!((wrong.report.verdict(), wrong.lock.len()), ("fail", 1), "the lock is told apart");
    let mended = desk.save(VECTORS, TAPED);
    assert_eq!((mended.report.verdict(), mended.lock.len()), ("pass", 0));
    assert_eq!(CALLS.load(Ordering::Relaxed), calls, "the other toy was run again");
    // Nothing changed, so there is nothing to show.
    assert!(
        desk.apply(&[VECTORS, "golden/combat/compute_toy/.cases.toml.swp", "oracles/src/x.rs"]).is_none()
    );
    // One case of the other toy is one call; prose of its spec is none; a constant may matter to all that it has.
    let case = desk.save(OTHER_CASES, &SUITE.replace("the flag comes", "a flag comes"));
    assert_eq!((ran(&case), &case.bound[..]), (vec![(OTHER_PATH, 1)], &[OTHER_PATH.to_owned()][..]));
    assert_eq!(CALLS.load(Ordering::Relaxed), calls + 1);
    let prose = desk.save(OTHER_SPEC, &TOY.replace("in a straight line", "in a line"));
    assert_eq!((ran(&prose), &prose.bound[..]), (vec![], &[OTHER_PATH.to_owned()][..]));
    let constant = desk.save(OTHER_SPEC, &TOY.replace("reach = 512", "reach = 512\nmore = 1"));
    assert_eq!(ran(&constant), [(OTHER_PATH, 5)]);
    // What a derivation gives is looked at again where it reads something else.
    let wrong = desk.save(OTHER_SPEC, &TOY.replace("reach = 512", "reach = 256"));
    assert!(problems(&wrong).iter().any(|p| p.contains("its derivation gives")), "{:?}", problems(&wrong));
}

#[test]
fn half_written_files_show_their_problem_and_the_last_good_results() {
    let (mut desk, _) = Desk::open(PAIR);
    for (broken, complaint) in [
        (&SUITE.as_bytes()[..SUITE.len() / 2], "cases.toml:"),
        (b"", "no case is of that game"),
        (b"[[case]]\nid = \"\xff", "is not UTF-8"),
    ] {
        fs::write(desk.at(CASES), broken).unwrap();
        let screen = desk.apply(&[CASES]).unwrap();
        assert!(
            problems(&screen).iter().any(|problem| problem.contains(complaint)),
            "{:?}",
            problems(&screen)
        );
        assert_eq!(screen.report.verdict(), "broken");
        assert_eq!(ran(&screen), []);
        assert_eq!(screen.stale.len(), 1);
        assert_eq!(screen.stale[0].path, "combat/compute_toy");
        assert_eq!(screen.stale[0].results.len(), 7);
        assert!(screen.report.results.iter().all(|result| result.capability == "compute_other"));
    }
    let mended = desk.save(CASES, SUITE);
    assert_eq!((mended.report.verdict(), mended.stale.len()), ("pass", 0), "{:?}", problems(&mended));
    assert_eq!(ran(&mended), [], "the same suite has the same results");
}

#[test]
fn files_and_folders_may_vanish_be_renamed_and_come_back() {
    let (mut desk, _) = Desk::open(PAIR);
    fs::remove_file(desk.at(CASES)).unwrap();
    let gone = desk.apply(&[CASES]).unwrap();
    assert!(
        problems(&gone).iter().any(|p| p.contains("is missing, so nothing judges port")),
        "{:?}",
        problems(&gone)
    );
    assert_eq!(gone.stale.len(), 1);
    // As editors save: another name first, then renamed into place.
    fs::write(desk.at("golden/combat/compute_toy/cases.toml~"), SUITE).unwrap();
    fs::rename(desk.at("golden/combat/compute_toy/cases.toml~"), desk.at(CASES)).unwrap();
    let back = desk.apply(&["golden/combat/compute_toy/cases.toml~", CASES]).unwrap();
    assert_eq!((back.report.verdict(), back.stale.len()), ("pass", 0));
    // A folder that moves away is told of by its own name alone.
    fs::rename(desk.at("golden/combat/compute_toy"), desk.at("golden/combat/compute_toi")).unwrap();
    let moved = desk.apply(&["golden/combat/compute_toy", "golden/combat/compute_toi"]).unwrap();
    assert!(
        problems(&moved).iter().any(|p| p.contains("no port is called `compute_toi`")),
        "{:?}",
        problems(&moved)
    );
    fs::rename(desk.at("golden/combat/compute_toi"), desk.at("golden/combat/compute_toy")).unwrap();
    // An overflow of the watcher means that anything may have changed.
    let overflow = desk.apply(&[""]).unwrap();
    assert_eq!((overflow.report.verdict(), overflow.changed.len()), ("pass", 4));
    fs::remove_dir_all(desk.at("golden/combat")).unwrap();
    let nothing = desk.apply(&["golden/combat"]).unwrap();
    assert_eq!((nothing.report.results.len(), nothing.stale.len()), (0, 2));
}

#[test]
fn a_broken_spec_and_broken_sources_are_told_of_and_mended() {
    let (mut desk, _) = Desk::open(PAIR);
    let broken = desk.save(SPEC, "+++\ntitle = \"To");
    let start = format!("{SPEC}:1:1: no front matter");
    assert!(problems(&broken).iter().any(|problem| problem.starts_with(&start)), "{:?}", problems(&broken));
    assert_eq!((broken.stale.len(), broken.ran.len()), (1, 0));
    let mended = desk.save(SPEC, TOY);
    assert_eq!((mended.report.verdict(), mended.stale.len()), ("pass", 0));
    let sources = desk.save("oracles/sources.toml", "[[source]]\nid = \"ta");
    assert!(
        problems(&sources).iter().any(|p| p.starts_with("oracles/sources.toml:2:")),
        "{:?}",
        problems(&sources)
    );
    assert_eq!(desk.save("oracles/sources.toml", SOURCES).report.verdict(), "pass");
}

#[test]
fn new_suites_and_known_failures_are_noticed() {
    let (mut desk, _) = Desk::open(PAIR);
    let third = desk.save("golden/combat/compute_third/cases.toml", SUITE);
    assert!(problems(&third)[0].contains("no port is called `compute_third`"), "{:?}", problems(&third));
    fs::remove_dir_all(desk.at("golden/combat/compute_third")).unwrap();
    assert_eq!(desk.apply(&["golden/combat/compute_third"]).unwrap().report.verdict(), "pass");
    // A list of known failures touches the suites that it speaks of, and binds nothing.
    let list = "[[known]]\nid = \"combat/compute_toy/storm\"\nreason = \"r\"\ndigest = \"d\"\nexpires = \"2027-01-01\"\n";
    let listed = desk.save("ports/known-failures.toml", list);
    assert_eq!((ran(&listed), listed.bound.len()), (vec![(TOY_PATH, 1)], 0));
    assert_eq!(said(&listed.report, "storm").0, Verdict::UnexpectedPass);
    fs::remove_file(desk.at("ports/known-failures.toml")).unwrap();
    assert_eq!(desk.apply(&["ports/known-failures.toml"]).unwrap().report.verdict(), "pass");
}

#[test]
fn a_case_that_leaves_without_a_tombstone_is_red_at_once() {
    let (mut desk, _) = Desk::open(PAIR);
    let renamed = desk.save(CASES, &SUITE.replace("id = \"quarter\"", "id = \"a-quarter\""));
    assert!(problems(&renamed)[0].contains("case `quarter` is gone"), "{:?}", problems(&renamed));
}

#[test]
fn known_failures_expire_while_it_watches() {
    let (mut desk, _) = Desk::open(PAIR);
    let wrong = desk.save(VECTORS, &TAPED.replace("\"result\":87", "\"result\":88"));
    let digest = result(&wrong.report, "taped.v1").failure.clone().unwrap().digest;
    let list = format!(
        "[[known]]\nid = \"combat/compute_toy/taped.v1\"\nreason = \"r\"\ndigest = \"{digest}\"\nexpires = \"2027-01-01\"\n"
    );
    write(desk.root.path(), "ports/known-failures.toml", &list);
    let on = |desk: &mut Desk, path: &str, day: &str| {
        let options = Options { today: Some(day.to_owned()), ..Options::default() };
        desk.watch.apply(&[path.to_owned()].into(), &options).unwrap()
    };
    let known = on(&mut desk, "ports/known-failures.toml", "2026-12-31");
    assert_eq!(said(&known.report, "taped.v1").0, Verdict::KnownFailure);
    write(desk.root.path(), OTHER_SPEC, &TOY.replace("in a straight line", "in a line"));
    let late = on(&mut desk, OTHER_SPEC, "2027-01-01");
    assert_eq!(ran(&late), [(TOY_PATH, 1)]);
    assert_eq!(said(&late.report, "taped.v1").0, Verdict::Fail);
}

#[test]
fn what_is_selected_is_what_is_shown() {
    let root = tempfile::tempdir().unwrap();
    let corpus = pair().locked_pair();
    for (path, text) in corpus.specs.texts.iter().chain(&corpus.golden.texts) {
        write(root.path(), path, text);
    }
    let selection: Selection = "compute_toy game=TS".parse().unwrap();
    let (mut watch, first) = Watch::open(PAIR, root.path(), selection, &Options::default()).unwrap();
    assert_eq!((ran(&first), first.report.counts.total()), (vec![(TOY_PATH, 2)], 2));
    write(root.path(), OTHER_SPEC, &TOY.replace("in a straight line", "in a line"));
    let other = watch.apply(&[OTHER_SPEC.to_owned()].into(), &Options::default()).unwrap();
    assert_eq!((other.ran.len(), other.report.counts.total()), (0, 2));
}
