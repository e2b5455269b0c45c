//! A run in parts is the run as a whole, and nothing less passes for it.

use crate::support::{Corpus, Input, META, RIGHT, Toy, ToyPort, right, suite};
use assay_harness::{Costs, Options, Registry, Selection, Shard, Slice, merge, verify, verify_part};
use assay_model::{Build, FnPort, PortError, Report, Verdict};

fn wrong(input: &Input) -> Result<Toy, PortError> {
    right(input).map(|toy| Toy { result: toy.result + 1, ..toy })
}

static WRONG: ToyPort = FnPort::new(&META, wrong);

fn parts(registry: &Registry, selection: &str, of: u32, costs: &Costs) -> Vec<(String, Report)> {
    let selection: Selection = selection.parse().unwrap();
    let part = |index| {
        let shard: Shard = format!("{index}/{of}").parse().unwrap();
        let slice = Slice::new(registry, &selection, shard, costs).unwrap();
        let report = verify_part(registry, &selection, &slice, &Options::default());
        assert_eq!(report.results.len(), slice.ids().count());
        (format!("part-{index}.json"), report)
    };
    (1..=of).map(part).collect()
}

fn merged(registry: &Registry, parts: &[(String, Report)]) -> Result<Report, Vec<String>> {
    merge(registry, None, parts.to_vec())
}

/// What may happen to the reports of the parts.
type Change<'a> = &'a dyn Fn(&mut Vec<(String, Report)>);

/// Every byte of it.
fn json(report: &Report) -> String {
    serde_json::to_string(report).unwrap()
}

#[test]
fn the_merged_report_is_that_of_the_whole_run_byte_for_byte() {
    let unneeded = "\n[case.tolerance]\nresult = { abs = 1.0, why = \"none\" }\n";
    let noted = suite("result = 75\n", &format!("result = 75\n{unneeded}"));
    for corpus in [Corpus::whole(), Corpus::of(&noted).locked()] {
        for (port, verdict) in [(&RIGHT, "pass"), (&WRONG, "fail")] {
            let registry = corpus.registry(port);
            for selection in ["", "game=YR", "compute_toy/*", "tag=edge:* game=YR"] {
                let whole = verify(&registry, &selection.parse().unwrap(), &Options::default());
                assert!(
                    whole.verdict() == verdict || selection.contains("tag"),
                    "{selection}: {:?}",
                    whole.problems
                );
                for of in 1..=(whole.results.len() as u32).min(4) {
                    let mut parts = parts(&registry, selection, of, &Costs::default());
                    assert_eq!(json(&merged(&registry, &parts).unwrap()), json(&whole), "{selection} {of}");
                    parts.reverse();
                    assert_eq!(
                        json(&merged(&registry, &parts).unwrap()),
                        json(&whole),
                        "{selection} {of} reversed"
                    );
                }
            }
        }
    }
}

#[test]
fn standings_are_those_of_the_whole_suite() {
    let registry = Corpus::whole().registry(&RIGHT);
    let parts = parts(&registry, "", 3, &Costs::default());
    assert!(parts.iter().all(|(_, part)| part.standings.is_empty() && !part.complete), "no part is a suite");
    let merged = merged(&registry, &parts).unwrap();
    assert!(merged.complete && merged.standings.contains_key("compute_toy"));
}

#[test]
fn measured_costs_decide_the_division() {
    let registry = Corpus::whole().registry(&RIGHT);
    let mut costs = Costs::default();
    for id in registry.ids() {
        costs.set(id, 1);
    }
    let heavy = "combat/compute_toy/quarter";
    costs.set(heavy, 1000);
    let slice = Slice::new(&registry, &Selection::all(), "1/2".parse().unwrap(), &costs).unwrap();
    assert_eq!(slice.ids().collect::<Vec<_>>(), [heavy]);
    // Without them the sweep is what weighs most.
    let slice = Slice::new(&registry, &Selection::all(), "1/2".parse().unwrap(), &Costs::default()).unwrap();
    assert_eq!(slice.ids().collect::<Vec<_>>(), ["combat/compute_toy/all-near"]);
    // Parts of two divisions never make a whole.
    let mut mixed = parts(&registry, "", 2, &costs);
    mixed[1] = parts(&registry, "", 2, &Costs::default()).remove(1);
    let why = merged(&registry, &mixed).unwrap_err().join("\n");
    assert!(why.contains("is divided otherwise"), "{why}");
}

#[test]
fn a_division_that_vouches_for_less_is_refused() {
    let registry = Corpus::whole().registry(&RIGHT);
    let slice = |selection: &str, shard: &str| {
        let selection = selection.parse().unwrap();
        Slice::new(&registry, &selection, shard.parse().unwrap(), &Costs::default()).map(|_| ()).unwrap_err()
    };
    assert!(slice("status=verified", "1/2").contains("a status is earned by whole suites"));
    assert!(slice("", "1/8").contains("7 cases cannot be divided into 8 shards"));
}

/// A part of everything trusts no corpus that the whole would not trust.
#[test]
fn a_stale_lock_breaks_every_part() {
    let corpus = Corpus::whole().with("golden/index.lock", "# nothing\n");
    let registry = corpus.registry(&RIGHT);
    let parts = parts(&registry, "", 2, &Costs::default());
    assert!(parts.iter().all(|(_, part)| part.verdict() == "broken"), "{parts:?}");
    assert_eq!(merged(&registry, &parts).unwrap().verdict(), "broken");
}

#[test]
fn whatever_does_not_fit_is_named_and_nothing_is_merged() {
    let registry = Corpus::whole().registry(&RIGHT);
    let good = parts(&registry, "", 3, &Costs::default());
    let complaint = |change: Change| {
        let mut parts = good.clone();
        change(&mut parts);
        merged(&registry, &parts).unwrap_err().join("\n")
    };
    let build = Build { assay: "9.9.9".to_owned(), ports: "00".to_owned() };
    let changes: [(Change, &str); 13] = [
        (&|parts| parts.clear(), "there is no report"),
        (&|parts| drop(parts.remove(1)), "shard 2 of 3 is missing"),
        (&|parts| drop(parts.remove(1)), "in no report: combat/compute_toy/"),
        (
            &|parts| parts.push(("again.json".to_owned(), parts[0].1.clone())),
            "shard 1 of 3 is there 2 times: part-1.json, again.json",
        ),
        (
            &|parts| parts[1].1.corpus_digest = "00".repeat(32),
            "part-2.json: is about another corpus than part-1.json",
        ),
        (
            &|parts| parts.iter_mut().for_each(|(_, part)| part.corpus_digest = "00".repeat(32)),
            "merge with the same corpus",
        ),
        (&|parts| parts[2].1.selection = "math".to_owned(), "part-3.json: has another selection"),
        (&|parts| parts[2].1.build = Some(build.clone()), "part-3.json: was made by another build"),
        (
            &|parts| parts.iter_mut().for_each(|(_, part)| part.build = Some(build.clone())),
            "made by assay 9.9.9 with ports 00, and this is an unnamed build",
        ),
        (&|parts| parts[1].1.part = None, "part-2.json: is no part of a run"),
        (
            &|parts| drop(parts[0].1.results.pop()),
            "part-1.json: its result digest is not that of its results",
        ),
        (
            &|parts| parts[0].1.results[0].verdict = Verdict::Fail,
            "part-1.json: its counts are not those of its results",
        ),
        (
            &|parts| parts.iter_mut().for_each(|(_, part)| part.selection = "game=TS".to_owned()),
            "not selected",
        ),
    ];
    for (change, why) in changes {
        let complaint = complaint(change);
        assert!(complaint.contains(why), "{why}: {complaint}");
    }
    let whole = verify(&registry, &Selection::all(), &Options::default());
    let why = merge(&registry, None, vec![("whole.json".to_owned(), whole)]).unwrap_err();
    assert!(why[0].contains("whole.json: is no part of a run"), "{why:?}");
}

#[test]
fn the_pieces_tell_how_long_they_took() {
    use assay_harness::Monitor;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[derive(Default)]
    struct Stopwatch(Mutex<BTreeMap<String, Duration>>);
    impl Monitor for Stopwatch {
        fn ran(&self, _: usize, _: usize) {}
        fn stopped(&self) -> bool {
            false
        }
        fn took(&self, id: &str, time: Duration) {
            self.0.lock().unwrap().insert(id.to_owned(), time);
        }
    }

    let registry = Corpus::whole().registry(&RIGHT);
    let stopwatch = Arc::new(Stopwatch::default());
    let options = Options { monitor: Some(Arc::clone(&stopwatch) as _), ..Options::default() };
    let report = verify(&registry, &Selection::all(), &options);
    let times = stopwatch.0.lock().unwrap();
    assert!(report.results.iter().all(|result| times.contains_key(&result.id)) && times.len() == 7);
    assert!(times["combat/compute_toy/all-near"] > Duration::ZERO);
}
