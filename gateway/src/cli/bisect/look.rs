//! Looking at a revision: what the case comes to there. Outcomes are kept by what they rest on, so that ports which were
//! judged by this corpus before are not built again.

use super::search::{Outcome, Seen};
use super::tree::{FOLDER, Tree, short};
use crate::{corpus, port_sources};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a port of long ago may take over one case.
const LIMIT: Duration = Duration::from_secs(600);
/// Bytes of a report of one case that are read.
const MAX_REPORT: u64 = 64 << 20;

/// What the outcomes of a search have in common.
pub struct Question<'a> {
    /// The checkout whose cases are asked.
    pub root: &'a Path,
    /// The case.
    pub case: &'a str,
    /// Digest of the corpus and the known failures of the checkout.
    pub corpus: &'a str,
    /// What to run instead of cargo.
    pub build: Option<&'a str>,
    /// Set when the search is to stop.
    pub stop: Arc<AtomicBool>,
}

/// How often what was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Revisions that were built.
    pub built: u64,
    /// Revisions whose outcome was known.
    pub known: u64,
    /// Revisions without an outcome.
    pub skipped: u64,
}

/// Looks at a revision. The inner error is why it has no outcome.
///
/// # Errors
/// The search cannot go on: git fails, it was stopped, or the case is not one case.
pub fn look(question: &Question, tree: &Tree, commit: &str, tally: &mut Tally) -> Result<Seen, String> {
    if question.stop.load(Ordering::SeqCst) {
        return Err("stopped".to_owned());
    }
    tree.switch(commit)?;
    let ports = port_sources::digest(tree.place()).ok();
    let kept = ports.as_deref().map(|ports| place(question, ports));
    if let Some(outcome) = kept.as_deref().and_then(recall) {
        tally.known += 1;
        return Ok(Ok(outcome));
    }
    let seen = match build(question, tree) {
        Ok(assay) => {
            tally.built += 1;
            judge(question, tree, &assay)?
        }
        Err(why) => Err(why),
    };
    if question.stop.load(Ordering::SeqCst) {
        return Err("stopped".to_owned());
    }
    match (&seen, &kept) {
        (Ok(outcome), Some(place)) => keep(place, outcome)?,
        (Ok(_), None) => {}
        (Err(_), _) => tally.skipped += 1,
    }
    Ok(seen)
}

/// Where the outcome of these ports is kept.
fn place(question: &Question, ports: &str) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    for part in [ports, question.corpus, question.case, question.build.unwrap_or_default()] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let name = format!("{}-{}-{}.json", short(ports), short(question.corpus), hasher.finalize().to_hex());
    question.root.join(FOLDER).join("outcomes").join(name)
}

/// A file that cannot be read is as good as none.
fn recall(place: &Path) -> Option<Outcome> {
    serde_json::from_str(&fs::read_to_string(place).ok()?).ok()
}

fn keep(place: &Path, outcome: &Outcome) -> Result<(), String> {
    let text =
        serde_json::to_string(outcome).map_err(|error| format!("failed to keep the outcome: {error}"))?;
    corpus::write(place, &text)
}

/// Builds the revision and gives the path of its assay.
fn build(question: &Question, tree: &Tree) -> Result<PathBuf, String> {
    let target = question.root.join(FOLDER).join("build");
    let mut command = match question.build {
        Some(line) => {
            let mut command = Command::new("sh");
            command.args(["-c", line]);
            command
        }
        None => {
            let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            command.args(["build", "--locked", "--quiet", "--package", "assay-gateway", "--bin", "assay"]);
            command.env("CARGO_TARGET_DIR", &target);
            command
        }
    };
    command.current_dir(tree.place()).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("failed to start the build: {error}"))?;
    if !output.status.success() {
        return Err(format!("does not build ({})", output.status));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let assay = match question.build {
        Some(_) => said.lines().last().map(|line| tree.place().join(line.trim())),
        None => Some(target.join("debug/assay")),
    };
    assay.filter(|place| place.is_file()).ok_or_else(|| "the build left no assay".to_owned())
}

/// Asks the assay of a revision about the case of the checkout.
fn judge(question: &Question, tree: &Tree, assay: &Path) -> Result<Seen, String> {
    let mut command = Command::new(assay);
    command.arg("verify").arg(question.case).arg("--root").arg(question.root).args(["--format", "json"]);
    command.current_dir(tree.place());
    let report = question.root.join(FOLDER).join(format!("report-{}", std::process::id()));
    let ran = limited(command, &report);
    let text = head(&report);
    let _ = fs::remove_file(&report);
    match ran {
        Err(why) => Ok(Err(why)),
        Ok(_) => read(question.case, &text),
    }
}

/// Runs a command with its standard output in a file, and ends it when it takes too long.
fn limited(mut command: Command, output: &Path) -> Result<ExitStatus, String> {
    let failed = |error: std::io::Error| format!("cannot be run: {error}");
    let file = File::create(output).map_err(failed)?;
    command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status);
        }
        if started.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("takes longer than {} s", LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn head(place: &Path) -> String {
    let mut text = String::new();
    if let Ok(file) = File::open(place) {
        // What is no text is no report, and is told as such.
        let _ = file.take(MAX_REPORT).read_to_string(&mut text);
    }
    text
}

/// What a report says of the one case. Reports of long ago have fewer fields; these they all have.
///
/// An assay of long ago does not know today's newest capabilities, and calls the corpus broken for it. That is no reason to
/// distrust its result: a suite gives results only if spec and suite load whole. What is wrong with these two is one.
fn read(case: &str, text: &str) -> Result<Seen, String> {
    let Ok(report) = serde_json::from_str::<Value>(text) else {
        return Ok(Err("gives no report".to_owned()));
    };
    let list = |name: &str| report[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let broken = |problem: &Value| {
        Ok(Err(format!(
            "cannot judge by this corpus: {}: {}",
            text(&problem["file"]),
            text(&problem["message"])
        )))
    };
    match list("results") {
        [] => list("problems").first().map_or_else(|| Ok(Err("does not know the case".to_owned())), broken),
        [result] => {
            let suite = text(&result["id"]);
            let suite = suite.rsplit_once('/').map_or("", |(suite, _)| suite);
            let ours = [format!("golden/{suite}/"), format!("oracles/specs/{suite}.md")];
            let concerns =
                |problem: &&Value| ours.iter().any(|path| text(&problem["file"]).starts_with(path));
            if let Some(problem) = list("problems").iter().find(concerns) {
                return broken(problem);
            }
            let (verdict, failure) = (text(&result["verdict"]), &result["failure"]);
            Ok(Ok(Outcome { verdict, stage: text(&failure["stage"]), message: text(&failure["message"]) }))
        }
        more => Err(format!("`{case}` is {} cases: name one", more.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_whatever_its_age() {
        let green = r#"{"results":[{"id":"a/b/c","verdict":"pass"}]}"#;
        let pass = Outcome { verdict: "pass".to_owned(), stage: String::new(), message: String::new() };
        assert_eq!(read("c", green).unwrap().unwrap(), pass);
        let red =
            r#"{"results":[{"verdict":"fail","failure":{"stage":"a.b","message":"is 1"}}],"problems":[]}"#;
        let outcome = read("c", red).unwrap().unwrap();
        assert_eq!((outcome.stage.as_str(), outcome.message.as_str()), ("a.b", "is 1"));
        for (text, why) in [
            ("", "gives no report"),
            (r#"{"results":[]}"#, "does not know the case"),
            (r#"{"results":[],"problems":[{"file":"f","message":"m"}]}"#, "by this corpus: f: m"),
            (
                r#"{"results":[{"id":"a/b/c","verdict":"pass"}],"problems":[{"file":"golden/a/b/cases.toml","message":"m"}]}"#,
                "by this corpus: golden/a/b/cases.toml: m",
            ),
        ] {
            assert!(read("c", text).unwrap().unwrap_err().contains(why), "{why}");
        }
        // A capability that came later is no business of this one.
        let other = r#"{"results":[{"id":"a/b/c","verdict":"pass"}],"problems":[{"file":"golden/a/bc/cases.toml","message":"m"}]}"#;
        assert_eq!(read("c", other).unwrap().unwrap(), pass);
        let two = r#"{"results":[{"verdict":"pass"},{"verdict":"pass"}]}"#;
        assert!(read("c", two).unwrap_err().contains("`c` is 2 cases"));
    }
}
