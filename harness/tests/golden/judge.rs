//! The gate as judge of one mutant of the ports, for `.ci/strength`.
//!
//! Runs only the suites that can see the mutant, and prints one line for each case, sweep or vector file that fails: the
//! row of the kill matrix. A mutant may loop for ever, so every suite has a thread of its own; when one falls silent its
//! cases run again one by one, and those that do not come back are named.

use assay_harness::{Options, Registry, Selection, disk};
use assay_model::{Files, Port, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The environment variable that names the suites: `area/capability`, separated by commas.
pub const SUITES: &str = "ASSAY_JUDGE";

/// Silence after which whatever still runs counts as hung. A suite takes a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(12);

/// Begins every line that is meant for `assay strength`.
const MARK: &str = "assay-judge";

/// Judges the ports that were compiled in; whether nothing failed. Threads that hang stay behind: the caller has to end
/// the process.
pub fn judge(root: &Path, wanted: &str) -> Result<bool, Problem> {
    let suites: BTreeSet<&str> = wanted.split(',').collect();
    let (specs, golden) = disk::read(root)?;
    let registry = Arc::new(loaded(&suites, &specs, &golden));
    let mut findings: BTreeMap<String, &str> = BTreeMap::new();
    let mut judged = 0;
    for suite in &suites {
        // A mutant under which a suite does not even load fails the gate.
        if !registry.ids().any(|id| belongs(id, suite)) {
            findings.insert((*suite).to_owned(), "caught");
        }
    }
    let mut silent = |subjects: BTreeSet<String>| {
        let (answers, left) = together(&registry, subjects);
        for answer in answers {
            judged += answer.results;
            findings.extend(answer.failed.into_iter().map(|id| (id, "caught")));
        }
        left
    };
    let hung = silent(suites.iter().map(|suite| (*suite).to_owned()).collect());
    let cases = registry.ids().filter(|id| hung.iter().any(|suite| belongs(id, suite)));
    let hung = silent(cases.map(test).collect());
    findings.extend(hung.into_iter().map(|id| (id, "hung")));
    for (id, finding) in &findings {
        say(&format!("{MARK} {finding} {id}"));
    }
    // Without this line the process died half-way.
    say(&format!("{MARK} end {judged}"));
    Ok(findings.is_empty())
}

#[expect(clippy::print_stdout, reason = "the standard output of this run is read by `assay strength`")]
fn say(line: &str) {
    println!("{line}");
}

fn belongs(id: &str, suite: &str) -> bool {
    id.strip_prefix(suite).is_some_and(|rest| rest.starts_with('/'))
}

/// `area/capability/stem.v0001` is shown as the file it is in.
fn test(id: &str) -> String {
    id.split('.').next().unwrap_or(id).to_owned()
}

/// The wanted suites alone, with every spec.
fn loaded(suites: &BTreeSet<&str>, specs: &Files, golden: &Files) -> Registry {
    let named = |port: &&'static dyn Port| {
        suites.contains(format!("{}/{}", port.meta().area, port.meta().name).as_str())
    };
    let ports: Vec<&'static dyn Port> = assay_ports::ALL.iter().copied().filter(named).collect();
    let mut golden = golden.clone();
    golden.texts.retain(|path, _| {
        let suite = path.strip_prefix("golden/");
        // What is not golden is the list of known failures.
        suite.is_none_or(|path| suites.iter().any(|suite| belongs(path, suite)))
    });
    Registry::new(Box::leak(ports.into_boxed_slice()), specs, &golden)
}

/// What came of one selection.
struct Answer {
    subject: String,
    results: usize,
    failed: BTreeSet<String>,
}

/// Runs every subject on a thread of its own; also gives those that fell silent.
fn together(registry: &Arc<Registry>, mut subjects: BTreeSet<String>) -> (Vec<Answer>, BTreeSet<String>) {
    let (sender, receiver): (Sender<Answer>, Receiver<Answer>) = channel();
    for subject in &subjects {
        let (registry, subject, sender) = (Arc::clone(registry), subject.clone(), sender.clone());
        thread::spawn(move || {
            // Nobody listens any longer when the patience is over.
            let _ = sender.send(verify(&registry, subject));
        });
    }
    let mut answers = Vec::new();
    while !subjects.is_empty() {
        let Ok(answer) = receiver.recv_timeout(PATIENCE) else { break };
        subjects.remove(&answer.subject);
        answers.push(answer);
    }
    (answers, subjects)
}

fn verify(registry: &Registry, subject: String) -> Answer {
    // A vector file is all of its lines, and a name is no prefix of another one's.
    let patterns = [subject.clone(), format!("{subject}.*")];
    let patterns = patterns.iter().take(if subject.matches('/').count() > 1 { 2 } else { 1 });
    let selection = patterns.fold(Selection::all(), |all, pattern| {
        all.pattern(pattern).expect("ids of the registry are patterns")
    });
    let options = Options { jobs: Some(1), ..Options::default() };
    let report = assay_harness::verify(registry, &selection, &options);
    let failing = report.results.iter().filter(|result| result.verdict.is_drift());
    let failed = failing.map(|result| test(&result.id)).collect();
    Answer { subject, results: report.results.len(), failed }
}
