//! Ports that do not keep to the protocol: each gets the verdict that is due, where it is due, and the run ends.

use crate::rig::{Test, failure, hasty, quick, refused, run, run_with, with, within};
use crate::support::result;
use assay_harness::external::Limits;
use assay_model::{Report, Verdict};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

pub const TRIALS: &[Test] = &[
    ("a_port_that_dies_at_once_ends_the_run_with_its_last_words", dies_at_once),
    ("a_port_without_a_hello_is_no_port", no_hello),
    ("a_slow_hello_is_waited_for_no_longer_than_allowed", slow_hello),
    ("a_crash_is_charged_to_its_own_case_alone", dies),
    ("a_signal_is_named", aborts),
    ("a_port_that_always_dies_fails_everywhere", dies_always),
    ("a_port_whose_answers_depend_on_each_other_is_broken", state),
    ("silence_is_charged_to_its_own_case_alone", silent),
    ("a_port_that_never_answers_is_given_up", never),
    ("a_second_answer_spoils_the_first", twice),
    ("an_id_that_was_never_given_is_no_answer", wrong_id),
    ("garbage_is_shown_with_the_verdict", garbage),
    ("a_malformed_answer_costs_nobody_else_anything", malformed),
    ("floods_of_answers_end", floods_output),
    ("a_line_without_an_end_is_cut_off", floods_a_line),
    ("a_line_of_17_mib_is_charged_to_its_case", huge_line),
    ("a_flood_of_errors_is_drained_and_its_end_kept", floods_errors),
    ("a_port_that_closes_its_input_is_told", deaf),
    ("an_heir_that_holds_the_pipes_is_ended_with_the_group", heir),
    ("skips_are_no_passes", skips),
    ("a_sweep_with_a_hole_has_not_passed", hole),
    ("whoever_does_not_leave_is_ended_and_told", stays),
    ("no_process_is_left", no_zombies),
];

/// The case and the sweep that ask for a distance of 128 fail so, and nothing else fails.
fn only_at_128(report: &Report, rule: &str, message: &str) {
    assert_eq!(with(report, Verdict::Error), ["all-near", "quarter"], "{:#?}", report.results);
    assert_eq!(failure(report, "quarter"), (rule.to_owned(), message.to_owned()));
    let (of_sweep, said) = failure(report, "all-near");
    assert_eq!(of_sweep, rule);
    assert_eq!(said, format!("1 of 602 points differ, first at distance=128: {message}"));
    assert_eq!((report.counts.pass, report.verdict()), (5, "fail"), "{:?}", report.problems);
    // A case to paste goes with the point, derived as ever.
    assert!(result(report, "all-near").failure.as_ref().unwrap().point.contains("distance = 128"));
}

fn dies_at_once() {
    let why = within(5, || refused("dies-at-once", quick()));
    assert!(why.contains("it ended with status 3 before it said hello"), "{why}");
    assert!(why.ends_with("standard error:\nno such map"), "{why}");
    let why = assay_harness::external::External::open("no-such-program --fast", quick()).err().unwrap();
    assert!(why.contains("failed to start `no-such-program`"), "{why}");
    let why = assay_harness::external::External::open("'open quote", quick()).err().unwrap();
    assert!(why.contains("does not split into words"), "{why}");
}

fn no_hello() {
    let why = refused("says-no-hello", quick());
    assert!(
        why.contains("the first line on its standard output is no hello") && why.contains("Toy 7.0 ready."),
        "{why}"
    );
    let why = refused("chats-after-hello", quick());
    assert!(why.contains("goes on speaking after its hello"), "{why}");
    let why = refused("other-protocol", quick());
    assert!(why.contains("it speaks protocol 9, and this is 1"), "{why}");
}

fn slow_hello() {
    let limits = Limits { start: Duration::from_millis(300), ..quick() };
    let why = within(3, || refused("never-says-hello", limits));
    assert!(why.contains("does not say hello within 0.3 s"), "{why}");
}

fn dies() {
    let report = run("dies-at-128");
    only_at_128(&report, "crash", "the port ended with status 41");
    let found = result(&report, "quarter").failure.clone().unwrap();
    assert_eq!(found.stderr, "index 128 out of bounds");
    assert!(!found.digest.is_empty(), "a crash can be a known failure");
    assert!(report.port.unwrap().starts > 1);
}

fn aborts() {
    let (rule, message) = failure(&run("aborts-at-128"), "quarter");
    assert_eq!(rule, "crash");
    assert!(cfg!(not(unix)) || message == "the port was ended by signal 6 (SIGABRT)", "{message}");
}

fn dies_always() {
    let report = within(60, || run("dies-always"));
    assert_eq!((report.verdict(), report.counts.pass), ("fail", 0));
    assert!(report.counts.error > 0);
    // 400 starts are not enough for 608 questions.
    assert!(
        report.notes.iter().any(|note| note.contains("lost too often (limit 400)")),
        "{:?}",
        report.notes
    );
}

fn state() {
    let report = run("dies-after-ten");
    assert_eq!(
        (report.verdict(), report.exit_code(), report.counts.drift()),
        ("broken", 2, 0),
        "{:#?}",
        report.results
    );
    let said = report.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(said.contains("ended with status 9, and each question that was open it answers alone"), "{said}");
}

fn silent() {
    let report = within(60, || run_with("silent-at-128", hasty(), None, None));
    only_at_128(&report, "time", "the port gave no answer within 1000 ms");
    assert_eq!(
        result(&report, "quarter").failure.as_ref().unwrap().digest,
        "",
        "the clock is pinned by no list"
    );
}

fn never() {
    let report = within(60, || run_with("never-answers", hasty(), None, None));
    assert_eq!(report.counts.pass, 0);
    assert!(report.counts.error > 0 && report.verdict() == "fail");
    let skipped = report.results.iter().find(|result| result.verdict == Verdict::Skipped);
    assert!(skipped.is_none_or(|result| result.reason.contains("lost too often")), "{skipped:?}");
}

fn twice() {
    let report = within(30, || run("twice-at-128"));
    for case in ["quarter", "all-near"] {
        let (rule, message) = failure(&report, case);
        assert_eq!(rule, "protocol", "{case}: {message}");
        assert!(message.ends_with("the port answered a question twice"), "{message}");
    }
    assert_eq!(report.counts.pass, 5);
    let always = within(60, || run("answers-twice"));
    assert_ne!(always.verdict(), "pass");
    assert!(failure(&always, "storm").1.contains("twice") || always.exit_code() == 2);
}

fn wrong_id() {
    let report = within(60, || run("wrong-id"));
    let told = report.results.iter().filter_map(|result| result.failure.as_ref()).map(|f| f.message.clone());
    let told: Vec<String> = told.collect();
    assert!(told.iter().any(|m| m.ends_with("the port answered an id that was never given")), "{told:?}");
    assert_eq!((report.counts.pass, report.verdict()), (0, "fail"));
}

fn garbage() {
    let report = run("garbage-at-128");
    let message = "the port wrote what is no answer: expected value: `\\u{1b}[31moh\\u{1b}[0m`";
    only_at_128(&report, "protocol", message);
    let all = within(60, || run("garbage"));
    assert_eq!((all.counts.pass, all.verdict()), (0, "fail"));
}

fn malformed() {
    let report = run("malformed-at-128");
    let (rule, message) = failure(&report, "quarter");
    assert_eq!(rule, "protocol");
    assert!(message.starts_with("the port answered wrongly: unknown field `result`"), "{message}");
    only_at_128(&report, "protocol", &message);
    // Its id could be read, so nothing had to be asked again.
    assert_eq!(report.port.unwrap().starts, 1);
}

fn floods_output() {
    let report = within(60, || run("floods-output"));
    assert_ne!(report.verdict(), "pass");
}

fn floods_a_line() {
    let report = within(120, || run_with("floods-a-line", Limits { restarts: 6, ..quick() }, None, None));
    let told: Vec<String> =
        report.results.iter().filter_map(|r| r.failure.as_ref()).map(|f| f.message.clone()).collect();
    assert!(told.iter().any(|m| m.contains("the port wrote a line of more than 16 MiB")), "{told:?}");
    assert_eq!(report.counts.pass, 0);
}

fn huge_line() {
    let report = within(60, || run("huge-line-at-128"));
    only_at_128(&report, "protocol", "the port wrote a line of more than 16 MiB");
}

fn floods_errors() {
    let report = within(60, || run("floods-errors"));
    assert_eq!(report.verdict(), "pass", "{:#?}", report.results);
    let stderr = report.port.unwrap().stderr;
    assert!(stderr.len() <= 4 << 10 && stderr.lines().all(|line| line.starts_with("noise ")), "{stderr}");
}

fn deaf() {
    if cfg!(not(unix)) {
        return;
    }
    // Whether the pipe breaks under a question, or the input is closed behind one that was read.
    for behaviour in ["deaf", "deaf-when-asked"] {
        // Time enough for a shell to start on a loaded machine, a few times.
        let limits = Limits { answer: Duration::from_secs(4), restarts: 200, ..quick() };
        let report = within(60, || run_with(behaviour, limits, None, None));
        let failures = report.results.iter().filter_map(|result| result.failure.as_ref());
        let told: BTreeSet<_> = failures.map(|f| (f.rule.as_str(), f.message.as_str())).collect();
        let due = ("protocol", "the port closed its standard input with questions open");
        assert_eq!(report.counts.pass, 0);
        assert_eq!(told, BTreeSet::from([due]), "{behaviour}");
    }
}

fn heir() {
    let report = within(20, || run("heir-at-128"));
    only_at_128(&report, "crash", "the port ended with status 0");
    let stderr = result(&report, "quarter").failure.clone().unwrap().stderr;
    let heir = stderr.trim_start_matches("heir ");
    // The heir was in the group, so it is gone with it.
    let there = std::path::Path::new("/proc").join(heir).join("stat");
    let alive = std::fs::read_to_string(there).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(cfg!(not(unix)) || !alive, "{stderr}");
}

fn skips() {
    let report = run("skips");
    assert_eq!((report.verdict(), report.exit_code()), ("broken", 2));
    assert_eq!((report.counts.skipped, report.counts.executed()), (7, 0));
    assert_eq!(result(&report, "quarter").reason, "not done");
    assert_eq!(result(&report, "all-near").reason, "602 of 602 points were skipped: not done");
}

fn hole() {
    let report = run("skips-at-128");
    assert_eq!(with(&report, Verdict::Skipped), ["all-near", "quarter"]);
    assert_eq!(result(&report, "all-near").reason, "1 of 602 points were skipped: no cell there");
    assert_eq!(report.verdict(), "pass");
    let missing = report.standings["compute_toy"].missing.join("\n");
    assert!(missing.is_empty() || missing.contains("falloff.1"), "{missing}");
}

fn stays() {
    let limits = Limits { leave: Duration::from_millis(500), ..quick() };
    let stays = within(20, || run_with("stays", limits, None, None));
    assert_eq!(stays.notes, ["the port does not leave after bye"]);
    assert_eq!(run("leaves-with-7").notes.join("\n"), "the port ended with status 7 after bye");
    let report = run("last-word");
    assert_eq!(report.exit_code(), 2, "{:?}", report.problems);
    assert!(report.problems[0].to_string().contains("it goes on speaking when everything is answered"));
}

/// Children of this process that nobody reaped.
fn no_zombies() {
    let report = run("dies-at-128");
    assert!(report.port.unwrap().starts > 1);
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    let own = format!(" {} ", std::process::id());
    let stats =
        processes.flatten().filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    // `pid (name) state parent …`; other tests run beside this one, and their processes end in a moment.
    let zombie = |stat: &String| {
        stat.contains(") Z ") && stat.split(") Z").nth(1).is_some_and(|s| s.starts_with(&own))
    };
    let dead: Vec<String> = stats.filter(zombie).collect();
    let until = Instant::now() + Duration::from_secs(20);
    for stat in dead {
        let pid = stat.split(' ').next().unwrap_or_default();
        let now = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        while now().contains(") Z ") {
            assert!(Instant::now() < until, "{stat}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
