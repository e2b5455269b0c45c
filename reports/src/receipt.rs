//! A receipt: what one run found, as an in-toto statement (v1) with the test-result predicate (v0.1), so that other people's
//! tools can sign, keep and ask for it. The bytes are the same for the same run, apart from its time.
//!
//! The subjects are the sources of the ports (`ports`) and the corpus (`corpus`), each by its blake3. A test of the predicate
//! is a suite. The extension field `assay` holds what it takes to run the same again and compare: the selection, the day
//! against which known failures expire, counts and digest of every suite, and the result digest of the whole.

use assay_model::{CaseResult, Counts, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The statement type.
pub const STATEMENT: &str = "https://in-toto.io/Statement/v1";
/// The predicate type.
pub const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// Counts what breaks readers of the field `assay`.
const FORMAT: u32 = 1;

/// What a report does not know of the run that it reports.
#[derive(Clone, Debug)]
pub struct Facts {
    /// sha256 of the executable that judged, hex.
    pub executable: String,
    /// blake3 of the `Cargo.lock` that it was built with, hex.
    pub lockfile: String,
    /// The compiler, as it names itself.
    pub toolchain: String,
    /// The triple that it was built for.
    pub target: String,
    /// The optimisation level of the executable itself; profiles may set another for single crates.
    pub opt_level: String,
    /// The cargo profile, `debug` or `release`.
    pub profile: String,
    /// On how many threads it ran, or of how many shards it was put together: `("threads", 2)`, `("shards", 4)`.
    pub spread: (&'static str, u64),
    /// Day against which known failures expire, `YYYY-MM-DD`; empty when they do not.
    pub day: String,
    /// When it was written, RFC 3339.
    pub time: String,
}

/// A receipt that has been read or made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    #[serde(rename = "_type")]
    statement: String,
    subject: Vec<Resource>,
    #[serde(rename = "predicateType")]
    predicate_type: String,
    predicate: Predicate,
}

/// What in-toto calls a resource descriptor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Resource {
    name: String,
    digest: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Predicate {
    result: String,
    configuration: Vec<Resource>,
    passed_tests: Vec<String>,
    warned_tests: Vec<String>,
    failed_tests: Vec<String>,
    assay: Run,
}

/// The extension field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Run {
    format: u32,
    verdict: String,
    selection: String,
    complete: bool,
    day: String,
    time: String,
    counts: Counts,
    sweep_points: u64,
    result_digest: String,
    suites: BTreeMap<String, Suite>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Suite {
    digest: String,
    counts: Counts,
}

impl Receipt {
    /// The receipt of a report. `digest` gives the result digest of some of its results.
    ///
    /// # Errors
    /// The report does not say what it was made by, or is one of a part of a run.
    pub fn new(
        report: &Report,
        facts: &Facts,
        digest: impl Fn(&[&CaseResult]) -> String,
    ) -> Result<Self, String> {
        let build = report.build.as_ref().ok_or("the report does not say which ports were judged")?;
        if report.part.is_some() {
            return Err("a part of a run has no receipt: merge the parts first".to_owned());
        }
        let suites = suites(report, digest);
        let (passed_tests, warned_tests, failed_tests) = lists(&suites);
        let configuration = vec![
            Resource {
                name: "assay".to_owned(),
                digest: [("sha256".to_owned(), facts.executable.clone())].into(),
                annotations: annotations(&build.assay, facts),
            },
            resource("Cargo.lock", &facts.lockfile),
        ];
        let verdict = report.verdict();
        let predicate = Predicate {
            result: result(verdict, &warned_tests).to_owned(),
            configuration,
            passed_tests,
            warned_tests,
            failed_tests,
            assay: Run {
                format: FORMAT,
                verdict: verdict.to_owned(),
                selection: report.selection.clone(),
                complete: report.complete,
                day: facts.day.clone(),
                time: facts.time.clone(),
                counts: report.counts,
                sweep_points: report.sweep_points,
                result_digest: report.result_digest.clone(),
                suites,
            },
        };
        Ok(Self {
            statement: STATEMENT.to_owned(),
            subject: vec![resource("ports", &build.ports), resource("corpus", &report.corpus_digest)],
            predicate_type: PREDICATE.to_owned(),
            predicate,
        })
    }

    /// As it is written: pretty-printed JSON.
    #[must_use]
    pub fn json(&self) -> String {
        // Maps have string keys and floats do not occur, so this cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// It is no JSON, no such statement, or says one thing in one place and another in the next.
    pub fn read(text: &str) -> Result<Self, String> {
        let receipt: Self = serde_json::from_str(text).map_err(|error| format!("is no receipt: {error}"))?;
        let (statement, kind) = (receipt.statement.as_str(), receipt.predicate_type.as_str());
        if statement != STATEMENT || kind != PREDICATE {
            return Err(format!("is a `{statement}` of `{kind}`, and not a `{STATEMENT}` of `{PREDICATE}`"));
        }
        for name in ["ports", "corpus"] {
            let named = receipt.subject.iter().filter(|subject| subject.name == name);
            let digests: Vec<_> = named.filter_map(|subject| subject.digest.get("blake3")).collect();
            if digests.len() != 1 || !is_digest(digests[0]) {
                return Err(format!("has no subject `{name}` with one blake3"));
            }
        }
        receipt.consistent()?;
        Ok(receipt)
    }

    fn consistent(&self) -> Result<(), String> {
        let Predicate { result: said, passed_tests, warned_tests, failed_tests, assay, .. } = &self.predicate;
        if assay.format != FORMAT {
            return Err(format!("has format {} of the field `assay`, and this reads {FORMAT}", assay.format));
        }
        let (passed, warned, failed) = lists(&assay.suites);
        if (passed_tests, warned_tests, failed_tests) != (&passed, &warned, &failed) {
            return Err("lists other tests than its suites say".to_owned());
        }
        let mut sum = Counts::default();
        assay.suites.values().for_each(|suite| sum.merge(&suite.counts));
        if sum != assay.counts {
            return Err("counts other cases than its suites do".to_owned());
        }
        let red = sum.drift() > 0 || sum.executed() == 0;
        if (red && assay.verdict == "pass") || said != result(&assay.verdict, &warned) {
            return Err(format!("says {said}, and its suites do not"));
        }
        Ok(())
    }

    /// blake3 over the sources of the ports that were judged, hex.
    #[must_use]
    pub fn ports(&self) -> &str {
        self.subject_digest("ports")
    }

    /// blake3 over the specs and cases that judged them, hex.
    #[must_use]
    pub fn corpus(&self) -> &str {
        self.subject_digest("corpus")
    }

    fn subject_digest(&self, name: &str) -> &str {
        let subject = self.subject.iter().find(|subject| subject.name == name);
        subject.and_then(|subject| subject.digest.get("blake3")).map_or("", String::as_str)
    }

    /// The selection that was run.
    #[must_use]
    pub fn selection(&self) -> &str {
        &self.predicate.assay.selection
    }

    /// Day against which known failures expired, if they did.
    #[must_use]
    pub fn day(&self) -> Option<&str> {
        Some(self.predicate.assay.day.as_str()).filter(|day| !day.is_empty())
    }

    /// `PASSED`, `WARNED` (disputed, skipped or known failures) or `FAILED`.
    #[must_use]
    pub fn result(&self) -> &str {
        &self.predicate.result
    }

    /// Where a run of the same came to something else, a line each; empty when it holds.
    #[must_use]
    pub fn differences(&self, report: &Report, digest: impl Fn(&[&CaseResult]) -> String) -> Vec<String> {
        let said = &self.predicate.assay;
        let found = suites(report, digest);
        let names: std::collections::BTreeSet<&String> = said.suites.keys().chain(found.keys()).collect();
        let mut lines: Vec<String> = names
            .into_iter()
            .filter(|name| said.suites.get(*name) != found.get(*name))
            .map(|name| {
                format!(
                    "{name}: {} here, {} in the receipt",
                    told(found.get(name)),
                    told(said.suites.get(name))
                )
            })
            .collect();
        if said.verdict != report.verdict() {
            lines.push(format!("the verdict is {} here, {} in the receipt", report.verdict(), said.verdict));
        }
        if lines.is_empty() && said.result_digest != report.result_digest {
            lines.push("the result digest is another, though every suite gives the same".to_owned());
        }
        lines
    }
}

fn annotations(version: &str, facts: &Facts) -> BTreeMap<String, Value> {
    let texts = [
        ("version", version),
        ("toolchain", &facts.toolchain),
        ("target", &facts.target),
        ("opt_level", &facts.opt_level),
        ("profile", &facts.profile),
    ];
    let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), Value::from(text)));
    let (spread, number) = facts.spread;
    texts.chain([(spread.to_owned(), Value::from(number))]).collect()
}

fn resource(name: &str, blake3: &str) -> Resource {
    let digest = [("blake3".to_owned(), blake3.to_owned())].into();
    Resource { name: name.to_owned(), digest, annotations: BTreeMap::new() }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Counts and digest of every suite that has a result.
fn suites(report: &Report, digest: impl Fn(&[&CaseResult]) -> String) -> BTreeMap<String, Suite> {
    let mut results: BTreeMap<String, Vec<&CaseResult>> = BTreeMap::new();
    for result in &report.results {
        results.entry(format!("{}/{}", result.area, result.capability)).or_default().push(result);
    }
    let suite = |results: &Vec<&CaseResult>| {
        let mut counts = Counts::default();
        results.iter().for_each(|result| counts.add(result.verdict));
        Suite { digest: digest(results), counts }
    };
    results.into_iter().map(|(path, results)| (path, suite(&results))).collect()
}

/// Suites that passed, that have something to warn of, and that failed.
fn lists(suites: &BTreeMap<String, Suite>) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut passed, mut warned, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (path, Suite { counts, .. }) in suites {
        let list = if counts.drift() > 0 {
            &mut failed
        } else if counts.pass < counts.total() {
            &mut warned
        } else {
            &mut passed
        };
        list.push(path.clone());
    }
    (passed, warned, failed)
}

fn result(verdict: &str, warned: &[String]) -> &'static str {
    match (verdict, warned.is_empty()) {
        ("pass", true) => "PASSED",
        ("pass", false) => "WARNED",
        _ => "FAILED",
    }
}

fn told(suite: Option<&Suite>) -> String {
    let Some(Suite { digest, counts }) = suite else { return "nothing".to_owned() };
    let Counts { pass, .. } = counts;
    let digest = digest.get(..12).unwrap_or(digest);
    format!("{pass} of {} pass, {} drift ({digest})", counts.total(), counts.drift())
}

#[cfg(test)]
mod tests;
