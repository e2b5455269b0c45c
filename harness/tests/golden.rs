//! The golden gate as tests.
//!
//! Under `cargo test` one test a case, sweep and vector file. Under nextest, which starts a process a test and lists
//! twice, one test a suite: listing reads `golden/index.lock` alone, and running one loads one suite. Beside them
//! `corpus` loads everything: no problem, no case missing from the lock, as many results as were promised.
//! With `ASSAY_JUDGE` set it judges one mutant of the ports instead (`.ci/strength`).

#[path = "golden/judge.rs"]
mod judge;

use assay_harness::{Options, Registry, Selection, disk, lock, verify};
use assay_model::{CaseResult, Files, Port, Problem, Report, Rule};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

/// The test that looks at the corpus as a whole.
const CORPUS: &str = "corpus";

fn main() -> ExitCode {
    if let Ok(suites) = std::env::var(judge::SUITES) {
        // Exits at once: a thread of a mutant that loops for ever cannot be joined.
        std::process::exit(match judge::judge(&root(), &suites) {
            Ok(clean) => i32::from(!clean),
            Err(problem) => {
                fail(&problem.to_string());
                2
            }
        });
    }
    let arguments = Arguments::from_args();
    let nextest = std::env::var("NEXTEST").is_ok_and(|value| value == "1");
    let trials = if nextest { suites(&arguments) } else { cases() };
    match trials {
        // A gate that finds nothing to check must not be green.
        Ok(trials) if trials.len() < 2 && arguments.filter.is_none() => fail("no suite was found"),
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(problem) => fail(&problem.to_string()),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a test binary without the standard harness says itself why it fails"
)]
fn fail(why: &str) -> ExitCode {
    eprintln!("golden: {why}");
    ExitCode::FAILURE
}

fn root() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

/// One test a suite, from the lock alone.
fn suites(arguments: &Arguments) -> Result<Vec<Trial>, Problem> {
    let lines = lock::parse(&disk::read_lock(&root())?).map_err(|mut problems| problems.remove(0))?;
    let exact = arguments.filter.as_deref().filter(|_| arguments.exact);
    let mut trials = Vec::new();
    for line in lines {
        let name = line.path.replace('/', "::");
        if exact.is_none_or(|exact| exact == name) {
            trials.push(Trial::test(name, move || suite(&line)));
        }
    }
    if exact.is_none_or(|exact| exact == CORPUS) {
        trials.push(Trial::test(CORPUS, || corpus(&load()?)));
    }
    match exact {
        Some(exact) if trials.is_empty() => Err(Problem::whole(
            Rule::File,
            lock::PATH,
            format!("no suite is called `{exact}`"),
            "list the tests again",
        )),
        _ => Ok(trials),
    }
}

/// Loads one suite and runs it on one thread: nextest runs as many at once as there are processors.
fn suite(line: &lock::Line) -> Result<(), Failed> {
    let (area, capability) = line.path.split_once('/').ok_or("the lock has a line without a suite")?;
    let (specs, golden) =
        disk::read_suite(&root(), area, capability).map_err(|problem| problem.to_string())?;
    let port = assay_ports::ALL.iter().copied().find(|port| port.meta().name == capability);
    let port = port.ok_or_else(|| format!("no port is called `{capability}`"))?;
    let ports: &'static [&'static dyn Port] = Box::leak(Box::new([port]));
    let registry = Registry::new(ports, &specs, &golden);
    let ours = [format!("golden/{}/", line.path), format!("oracles/specs/{}.md", line.path)];
    let problems =
        registry.problems().iter().filter(|problem| ours.iter().any(|path| problem.file.starts_with(path)));
    let mut complaints: Vec<String> = problems.map(ToString::to_string).collect();
    let report = verify(&registry, &Selection::all(), &Options { jobs: Some(1), ..Options::dated() });
    complaints.extend(report.results.iter().filter(|result| result.verdict.is_drift()).map(complaint));
    if report.results.len() != line.total() {
        complaints.push(format!("{} results, the lock promises {}", report.results.len(), line.total()));
    }
    told(&complaints)
}

/// One test a case, sweep and vector file; all of them look at one run.
fn cases() -> Result<Vec<Trial>, Problem> {
    let (specs, golden) = disk::read(&root())?;
    let loaded = Arc::new(Loaded::new(&specs, &golden));
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in loaded.registry.ids() {
        // `area/capability/stem.v0001` belongs to the test of its file.
        let test = id.split('.').next().unwrap_or(id).replace('/', "::");
        groups.entry(test).or_default().push(id.to_owned());
    }
    let mut trials = Vec::new();
    let covered: usize = groups.values().map(Vec::len).sum();
    for (name, ids) in groups {
        let loaded = Arc::clone(&loaded);
        trials.push(Trial::test(name, move || told(&complaints(&loaded.report, &ids))));
    }
    trials.push(Trial::test(CORPUS, move || {
        let executed = loaded.report.results.len();
        if covered != executed {
            return Err(format!("the tests cover {covered} cases, verify ran {executed}").into());
        }
        corpus(&loaded)
    }));
    Ok(trials)
}

/// Registry and the one run that every test looks at.
struct Loaded {
    registry: Registry,
    report: LazyLock<Report, Box<dyn FnOnce() -> Report + Send>>,
}

impl Loaded {
    fn new(specs: &Files, golden: &Files) -> Self {
        let (specs, golden) = (specs.clone(), golden.clone());
        let registry = Registry::new(assay_ports::ALL, &specs, &golden);
        let run = move || {
            let registry = Registry::new(assay_ports::ALL, &specs, &golden);
            verify(&registry, &Selection::all(), &Options::dated())
        };
        Self { registry, report: LazyLock::new(Box::new(run)) }
    }
}

fn load() -> Result<Loaded, Failed> {
    let (specs, golden) = disk::read(&root()).map_err(|problem| problem.to_string())?;
    Ok(Loaded::new(&specs, &golden))
}

/// The corpus is whole: no problem (the lock's included), something ran, and as much of it as the lock says.
fn corpus(loaded: &Loaded) -> Result<(), Failed> {
    let report = &*loaded.report;
    let mut complaints: Vec<String> = report.problems.iter().map(ToString::to_string).collect();
    if report.counts.executed() == 0 {
        complaints.push("no case ran".to_owned());
    }
    if !report.complete {
        complaints.push("the run was not complete".to_owned());
    }
    let locked = lock::parse(&lock::render(&loaded.registry)).map_err(|problems| format!("{problems:?}"))?;
    let promised: usize = locked.iter().map(lock::Line::total).sum();
    if promised as u64 != report.counts.total() {
        complaints.push(format!("{} results of {promised} that the files promise", report.counts.total()));
    }
    told(&complaints)
}

fn complaints(report: &Report, ids: &[String]) -> Vec<String> {
    let mut complaints = Vec::new();
    for id in ids {
        match report.results.binary_search_by(|result| result.id.as_str().cmp(id)) {
            Ok(index) if report.results[index].verdict.is_drift() => {
                complaints.push(complaint(&report.results[index]));
            }
            Ok(_) => {}
            Err(_) => complaints.push(format!("{id} did not run")),
        }
    }
    complaints
}

fn complaint(result: &CaseResult) -> String {
    let failure = result.failure.as_ref();
    let (message, repro, point) =
        failure.map_or(("", "", ""), |f| (f.message.as_str(), f.repro.as_str(), f.point.as_str()));
    let clauses = result.clause.join(", ");
    format!("{}: {} (clause {clauses})\n  {message}\n  {repro}\n{point}", result.verdict.as_str(), result.id)
}

/// libtest-mimic captures nothing, so whatever there is to say is the error's text.
fn told(complaints: &[String]) -> Result<(), Failed> {
    const SHOWN: usize = 20;
    if complaints.is_empty() {
        return Ok(());
    }
    let more = complaints.len().saturating_sub(SHOWN);
    let mut text = complaints.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    if more > 0 {
        text.push_str(&format!("\n… and {more} more"));
    }
    Err(text.into())
}
