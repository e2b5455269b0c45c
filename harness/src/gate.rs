//! What a CI run may ask beyond "nothing drifts".

use assay_model::{Problem, Report, Rule, Status};
use std::collections::BTreeSet;

/// Demands on a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Every capability in the report is verified.
    pub require_verified: bool,
    /// No case was skipped.
    pub deny_skipped: bool,
    /// Digest of the corpus that must have been used, or its first 12 characters or more.
    pub expect_corpus: Option<String>,
}

/// Where a report falls short of the demands, one problem each.
#[must_use]
pub fn gate(report: &Report, gate: &Gate) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(expected) = &gate.expect_corpus
        && (expected.len() < 12 || !report.corpus_digest.starts_with(&expected.to_ascii_lowercase()))
    {
        let message = format!("corpus {expected} is expected, and this is {}", report.corpus_digest);
        problems.push(Problem::whole(
            Rule::Demand,
            "corpus",
            message,
            "give 12 characters of the digest or more",
        ));
    }
    if gate.deny_skipped && report.counts.skipped > 0 {
        let message = format!("{} cases were skipped", report.counts.skipped);
        problems.push(Problem::whole(Rule::Demand, "selection", message, "run them, or do not deny it"));
    }
    if gate.require_verified {
        let judged: BTreeSet<_> =
            report.results.iter().map(|result| (result.area, &result.capability)).collect();
        for (area, capability) in judged {
            let why = match report.standings.get(capability) {
                Some(standing) if standing.status == Status::Verified => continue,
                Some(standing) => standing.missing.join("; "),
                None => "not all of its suite ran".to_owned(),
            };
            let message = format!("is not verified: {why}");
            problems.push(Problem::whole(Rule::Demand, format!("{area}/{capability}"), message, ""));
        }
    }
    problems
}
