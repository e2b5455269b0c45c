//! Receipts: written by `assay verify --receipt`, and held against a new run by `assay receipt verify`.

use super::arguments::{DocumentFormat, VerifyReceipt};
use super::output::{self, BAD, FAINT, GOOD, paint};
use super::{BROKEN, DRIFT, PASS, division};
use crate::snapshot::{Gateway, Snapshot};
use crate::{corpus, made};
use assay_harness::{Options, Selection, date, result_digest};
use assay_model::{CaseResult, Report};
use assay_reports::document;
use assay_reports::receipt::{Facts, Receipt};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes the receipt of a report.
pub(super) fn write(
    place: &Path,
    report: &Report,
    spread: (&'static str, u64),
    day: Option<String>,
) -> Result<(), String> {
    let facts = Facts {
        executable: executable()?,
        lockfile: made::LOCKFILE.to_owned(),
        toolchain: made::TOOLCHAIN.to_owned(),
        target: made::TARGET.to_owned(),
        opt_level: made::OPT_LEVEL.to_owned(),
        profile: made::PROFILE.to_owned(),
        spread,
        day: day.unwrap_or_default(),
        time: date::moment(now()?),
    };
    let receipt = Receipt::new(report, &facts, digest)
        .map_err(|error| format!("failed to write the receipt: {error}"))?;
    corpus::write(place, &receipt.json())
}

fn digest(results: &[&CaseResult]) -> String {
    result_digest(results.iter().copied())
}

/// Seconds since 1970: those of `SOURCE_DATE_EPOCH`, which whoever builds reproducibly sets, or the clock's.
fn now() -> Result<u64, String> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => {
            text.parse().map_err(|_| format!("SOURCE_DATE_EPOCH is `{text}`, and no number of seconds"))
        }
        Err(_) => Ok(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())),
    }
}

/// sha256 of the running executable, hex.
fn executable() -> Result<String, String> {
    let failed = |error: std::io::Error| format!("failed to read the executable for the receipt: {error}");
    let place = std::env::current_exe().map_err(failed)?;
    let mut file = BufReader::with_capacity(1 << 16, File::open(place).map_err(failed)?);
    let mut hasher = Sha256::new();
    loop {
        let piece = file.fill_buf().map_err(failed)?;
        if piece.is_empty() {
            break;
        }
        hasher.update(piece);
        let length = piece.len();
        file.consume(length);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What holding a receipt against this assay came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    /// The same came out.
    Holds,
    /// Something else came out.
    OtherResults,
    /// It is about other ports than these; nothing was run.
    AnotherPort,
    /// It is about another corpus than this; nothing was run.
    AnotherCorpus,
    /// It is no receipt, or contradicts itself.
    Malformed,
}

/// What is printed.
#[derive(Serialize)]
struct Checked {
    outcome: Outcome,
    /// What the receipt says: PASSED, WARNED, FAILED; empty if it cannot be read.
    result: String,
    /// What speaks against it, a line each.
    reasons: Vec<String>,
}

pub(super) fn verify(gateway: &Gateway, arguments: &VerifyReceipt) -> Result<u8, String> {
    let text = division::read(&arguments.file)?;
    let snapshot = gateway.snapshot().map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    for note in snapshot.notes() {
        output::note(note);
    }
    let checked = check(&text, &snapshot, arguments.jobs);
    output::result(&match arguments.format {
        DocumentFormat::Json => document(&checked),
        DocumentFormat::Text => told(&checked),
    })?;
    Ok(match checked.outcome {
        // It holds, and what it holds is a failure: nobody should build on it.
        Outcome::Holds if checked.result == "FAILED" => DRIFT,
        Outcome::Holds => PASS,
        Outcome::OtherResults => DRIFT,
        Outcome::AnotherPort | Outcome::AnotherCorpus | Outcome::Malformed => BROKEN,
    })
}

fn check(text: &str, snapshot: &Snapshot, jobs: Option<u16>) -> Checked {
    let malformed =
        |why: String| Checked { outcome: Outcome::Malformed, result: String::new(), reasons: vec![why] };
    let receipt = match Receipt::read(text) {
        Ok(receipt) => receipt,
        Err(why) => return malformed(why),
    };
    let selection: Selection = match receipt.selection().parse() {
        Ok(selection) => selection,
        Err(error) => return malformed(format!("its selection cannot be read: {error}")),
    };
    let registry = snapshot.registry();
    let ours = made::build();
    let mut reasons = Vec::new();
    let mut outcome = Outcome::Holds;
    if receipt.ports() != ours.ports {
        outcome = Outcome::AnotherPort;
        reasons.push(format!("it is about ports {}, and these are {}", receipt.ports(), ours.ports));
    }
    if receipt.corpus() != registry.corpus_digest() {
        outcome = Outcome::AnotherCorpus;
        reasons.push(format!(
            "it is about corpus {}, and this is {}",
            receipt.corpus(),
            registry.corpus_digest()
        ));
    }
    if outcome == Outcome::Holds {
        // As of the day of the receipt: a known failure that has expired since is no change of the port.
        let today = receipt.day().map(str::to_owned);
        let options = Options { jobs: jobs.map(usize::from), today, ..Options::default() };
        reasons = receipt.differences(&assay_harness::verify(registry, &selection, &options), digest);
        if !reasons.is_empty() {
            outcome = Outcome::OtherResults;
        }
    }
    Checked { outcome, result: receipt.result().to_owned(), reasons }
}

fn told(checked: &Checked) -> String {
    let headline = match checked.outcome {
        Outcome::Holds if checked.result == "FAILED" => paint(BAD, "holds, and what it records is a failure"),
        Outcome::Holds => format!("{} {}", paint(GOOD, "holds"), paint(FAINT, &checked.result)),
        Outcome::OtherResults => paint(BAD, "other results"),
        Outcome::AnotherPort => paint(BAD, "another port"),
        Outcome::AnotherCorpus => paint(BAD, "another corpus"),
        Outcome::Malformed => paint(BAD, "malformed"),
    };
    let reasons = checked.reasons.iter().map(|reason| format!("\n  {reason}"));
    [headline].into_iter().chain(reasons).collect()
}
