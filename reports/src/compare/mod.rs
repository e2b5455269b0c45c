//! Ports side by side: who passes what, where two of them agree against the oracle, and which stage differs first.
//!
//! Two ports that give the same wrong value are no proof that the case is wrong, and a reason to read it again.

mod text;

use assay_model::{Area, CaseResult, Counts, Report, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

pub use text::compare_text;

/// The name of the ports that are compiled in.
const OURS: &str = "assay";

/// Ports side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// blake3 over specs and cases, hex.
    pub corpus_digest: String,
    /// The selection, as given.
    pub selection: String,
    /// The ports, in the order in which they were given.
    pub ports: Vec<Contestant>,
    /// What each makes of each capability, by area and name.
    pub capabilities: Vec<Row>,
    /// Cases in which several ports give the same value, and not the expected one; by id.
    pub agreements: Vec<Agreement>,
    /// Which stage differs first, how often: by port, then by capability, most frequent first.
    pub divergences: Vec<Divergence>,
}

/// A port in a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contestant {
    /// Its name; the second of two of one name has `#2` behind it.
    pub name: String,
    /// The language it is written in.
    pub language: String,
    /// Its version; empty for the ports that are compiled in.
    pub version: String,
    /// `pass`, `fail` or `broken`.
    pub verdict: &'static str,
    /// blake3 over its ordered results, hex.
    pub result_digest: String,
    /// Counts over all selected cases.
    pub counts: Counts,
    /// Why its run cannot be trusted, if it cannot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Remarks on its run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One capability.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Area.
    pub area: Area,
    /// Name.
    pub capability: String,
    /// What each port makes of it, in the order of the ports.
    pub counts: Vec<Counts>,
}

/// Ports that give the same unexpected value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// `area/capability/case`.
    pub id: String,
    /// First diverging stage; empty for a refusal.
    pub stage: String,
    /// What the oracle expects there.
    pub expected: String,
    /// What these ports say.
    pub actual: String,
    /// Who says so.
    pub ports: Vec<String>,
}

/// A stage that differs first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// The port.
    pub port: String,
    /// The capability.
    pub capability: String,
    /// The stage; where there is none, the rule that failed in parentheses, such as `(crash)`.
    pub stage: String,
    /// Cases and sweeps in which it is the first to differ.
    pub cases: u64,
    /// The first of them.
    pub id: String,
}

/// Compares reports on the same selection of the same corpus.
#[must_use]
pub fn compare(reports: &[Report]) -> Comparison {
    let names = names(reports);
    let ports = names.iter().zip(reports).map(|(name, report)| contestant(name, report)).collect();
    let first = reports.first();
    Comparison {
        corpus_digest: first.map(|report| report.corpus_digest.clone()).unwrap_or_default(),
        selection: first.map(|report| report.selection.clone()).unwrap_or_default(),
        ports,
        capabilities: rows(reports),
        agreements: agreements(&names, reports),
        divergences: names.iter().zip(reports).flat_map(|(name, report)| divergences(name, report)).collect(),
    }
}

impl Comparison {
    /// 0 when every port passes, 2 when one cannot be trusted or executes nothing, 1 otherwise.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let worth = |port: &Contestant| match port.verdict {
            "pass" => 0,
            "fail" => 1,
            _ => 2,
        };
        self.ports.iter().map(worth).max().unwrap_or(2)
    }
}

fn names(reports: &[Report]) -> Vec<String> {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let own = |report: &'_ Report| report.port.as_ref().map(|port| port.name.clone());
    let plain: Vec<String> =
        reports.iter().map(|report| own(report).unwrap_or_else(|| OURS.to_owned())).collect();
    let mut names = Vec::with_capacity(plain.len());
    for name in &plain {
        let count = seen.entry(name).and_modify(|count| *count += 1).or_insert(1);
        names.push(if *count == 1 { name.clone() } else { format!("{name}#{count}") });
    }
    names
}

fn contestant(name: &str, report: &Report) -> Contestant {
    let port = report.port.as_ref();
    Contestant {
        name: name.to_owned(),
        language: port.map_or("Rust", |port| port.language.as_str()).to_owned(),
        version: port.map(|port| port.version.clone()).unwrap_or_default(),
        verdict: report.verdict(),
        result_digest: report.result_digest.clone(),
        counts: report.counts,
        problems: report.problems.iter().map(ToString::to_string).collect(),
        notes: report.notes.clone(),
    }
}

fn rows(reports: &[Report]) -> Vec<Row> {
    let mut rows: BTreeMap<(Area, &str), Vec<Counts>> = BTreeMap::new();
    for (place, report) in reports.iter().enumerate() {
        for result in &report.results {
            let row = rows.entry((result.area, &result.capability));
            let counts = row.or_insert_with(|| vec![Counts::default(); reports.len()]);
            if let Some(counts) = counts.get_mut(place) {
                counts.add(result.verdict);
            }
        }
    }
    let row = |((area, capability), counts): ((Area, &str), _)| Row {
        area,
        capability: capability.to_owned(),
        counts,
    };
    rows.into_iter().map(row).collect()
}

/// Whether a verdict says that the port gives another value, known or not.
fn differs(result: &CaseResult) -> bool {
    matches!(
        result.verdict,
        Verdict::Fail | Verdict::Error | Verdict::Panicked | Verdict::KnownFailure | Verdict::Disputed
    )
}

fn agreements(names: &[String], reports: &[Report]) -> Vec<Agreement> {
    let mut found: BTreeMap<(&str, &str, &str), Agreement> = BTreeMap::new();
    for (name, report) in names.iter().zip(reports) {
        for result in report.results.iter().filter(|result| differs(result)) {
            let Some(failure) = &result.failure else { continue };
            // What a port did not say, it does not agree on.
            if matches!(failure.rule.as_str(), "crash" | "time" | "protocol") {
                continue;
            }
            let key = (result.id.as_str(), failure.stage.as_str(), failure.actual.as_str());
            let agreement = found.entry(key).or_insert_with(|| Agreement {
                id: result.id.clone(),
                stage: failure.stage.clone(),
                expected: failure.expected.clone(),
                actual: failure.actual.clone(),
                ports: Vec::new(),
            });
            agreement.ports.push(name.clone());
        }
    }
    found.into_values().filter(|agreement| agreement.ports.len() > 1).collect()
}

fn divergences(name: &str, report: &Report) -> Vec<Divergence> {
    let mut found: BTreeMap<(Area, &str, String), Divergence> = BTreeMap::new();
    for result in report.results.iter().filter(|result| differs(result)) {
        let Some(failure) = &result.failure else { continue };
        let stage = match failure.stage.as_str() {
            "" => format!("({})", failure.rule),
            stage => stage.to_owned(),
        };
        let key = (result.area, result.capability.as_str(), stage.clone());
        let divergence = found.entry(key).or_insert_with(|| Divergence {
            port: name.to_owned(),
            capability: result.capability.clone(),
            stage,
            cases: 0,
            id: result.id.clone(),
        });
        divergence.cases += 1;
    }
    let mut found: Vec<_> = found.into_iter().collect();
    // Within a capability the most frequent stage comes first.
    found.sort_by(|((a, b, _), x), ((c, d, _), y)| (a, b).cmp(&(c, d)).then(y.cases.cmp(&x.cases)));
    found.into_iter().map(|(_, divergence)| divergence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{self, outsider};

    fn three() -> Comparison {
        let mut other = sample::red();
        // The second port panics elsewhere.
        if let Some(failure) = &mut other.results[2].failure {
            failure.actual = "something else".to_owned();
        }
        compare(&[sample::green(), outsider("snake", sample::red()), outsider("snake", other)])
    }

    #[test]
    fn ports_of_one_name_are_told_apart_and_the_worst_decides() {
        let comparison = three();
        let names: Vec<&str> = comparison.ports.iter().map(|port| port.name.as_str()).collect();
        assert_eq!(names, ["assay", "snake", "snake#2"]);
        assert_eq!(comparison.exit_code(), 1);
        assert_eq!(compare(&[sample::green()]).exit_code(), 0);
        assert_eq!(compare(&[sample::green(), sample::empty()]).exit_code(), 2);
        assert_eq!(compare(&[]).exit_code(), 2);
    }

    #[test]
    fn agreement_against_the_oracle_needs_the_same_stage_and_value() {
        let comparison = three();
        assert_eq!(comparison.agreements.len(), 1, "{:?}", comparison.agreements);
        let agreement = &comparison.agreements[0];
        assert_eq!(agreement.id, "combat/compute_damage/quarter");
        assert_eq!((agreement.stage.as_str(), agreement.actual.as_str()), ("kernel.falloff", "0.874"));
        assert_eq!(agreement.ports, ["snake", "snake#2"]);
    }

    #[test]
    fn counts_and_first_stages_are_by_capability() {
        let comparison = three();
        let row = &comparison.capabilities[0];
        assert_eq!((row.area, row.capability.as_str()), (Area::Combat, "compute_damage"));
        assert_eq!(row.counts.iter().map(|counts| counts.pass).collect::<Vec<_>>(), [1, 1, 1]);
        let stages: Vec<_> =
            comparison.divergences.iter().map(|d| (d.port.as_str(), d.stage.as_str(), d.cases)).collect();
        assert_eq!(stages[0], ("snake", "kernel.falloff", 1));
        assert!(stages.contains(&("snake#2", "(exact)", 1)), "{stages:?}");
    }
}
