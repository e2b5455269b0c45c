//! Made-up reports for the tests of this crate.

use assay_model::{
    Area, CaseKind, CaseResult, Counts, Failure, Game, Outsider, Problem, Report, Rule, Standing, Status,
    Tier, Verdict,
};
use std::collections::BTreeMap;

fn result(area: Area, capability: &str, case: &str, verdict: Verdict) -> CaseResult {
    CaseResult {
        id: format!("{area}/{capability}/{case}"),
        area,
        capability: capability.to_owned(),
        game: Game::Yr,
        kind: CaseKind::Computed,
        clause: vec!["falloff.2".to_owned(), "verses.1".to_owned()],
        points: 1,
        verdict,
        reason: String::new(),
        failure: None,
        disputed: None,
        fingerprint: "00fe".to_owned(),
    }
}

fn failure(id: &str, stage: &str, message: &str) -> Failure {
    Failure {
        stage: stage.to_owned(),
        expected: "0.875".to_owned(),
        actual: "0.874".to_owned(),
        rule: "exact".to_owned(),
        message: message.to_owned(),
        point: String::new(),
        repro: format!("assay verify '{id}'"),
        digest: "00dd".to_owned(),
        stderr: String::new(),
    }
}

fn report(results: Vec<CaseResult>) -> Report {
    let (mut counts, mut areas) = (Counts::default(), BTreeMap::<Area, Counts>::new());
    for result in &results {
        counts.add(result.verdict);
        areas.entry(result.area).or_default().add(result.verdict);
    }
    Report {
        corpus_origin: "embedded".to_owned(),
        corpus_digest: "00c0".to_owned(),
        result_digest: "00ff".to_owned(),
        port: None,
        build: None,
        part: None,
        selection: "*".to_owned(),
        complete: true,
        counts,
        sweep_points: 0,
        areas,
        standings: BTreeMap::new(),
        problems: Vec::new(),
        notes: Vec::new(),
        results,
    }
}

/// Everything passes.
pub(crate) fn green() -> Report {
    let mut report = report(vec![result(Area::Combat, "compute_damage", "half", Verdict::Pass)]);
    let standing = Standing {
        status: Status::Verified,
        games: [(Game::Yr, Status::Verified)].into(),
        tiers: [(Game::Yr, Tier::Verified)].into(),
        missing: Vec::new(),
    };
    report.standings.insert("compute_damage".to_owned(), standing);
    report
}

/// One case fails, one passes, one vector panics, one fails as known.
pub(crate) fn red() -> Report {
    let mut quarter = result(Area::Combat, "compute_damage", "quarter", Verdict::Fail);
    quarter.failure =
        Some(failure(&quarter.id, "kernel.falloff", "stage `kernel.falloff` is 0.874, expected 0.875"));
    let mut vector = result(Area::Math, "simulate_rng", "states.v1", Verdict::Panicked);
    vector.kind = CaseKind::Vector;
    vector.clause = vec!["draw.1".to_owned()];
    vector.failure = Some(failure(&vector.id, "", "panicked at x.rs: index out of bounds"));
    let mut known = result(Area::Math, "simulate_rng", "wrap", Verdict::KnownFailure);
    known.reason = "being worked on".to_owned();
    let half = result(Area::Combat, "compute_damage", "whole", Verdict::Pass);
    let mut report = report(vec![quarter, half, vector, known]);
    report.complete = false;
    report.selection = "combat math".to_owned();
    report.notes = vec!["a tolerance was not needed".to_owned()];
    report
}

/// The same of a port in another process.
pub(crate) fn outsider(name: &str, mut report: Report) -> Report {
    report.port = Some(Outsider {
        name: name.to_owned(),
        language: "Python".to_owned(),
        version: "0.3".to_owned(),
        command: format!("python3 {name}.py"),
        protocol: 1,
        offers: vec!["compute_damage".to_owned()],
        starts: 1,
        stderr: String::new(),
    });
    report
}

/// Nothing ran.
pub(crate) fn empty() -> Report {
    report(Vec::new())
}

/// What may be wrong with a corpus.
pub(crate) fn problems() -> Vec<Problem> {
    let place = Problem::at(
        Rule::BadId,
        "golden/combat/x/cases.toml",
        "\n\n123456x",
        8,
        "`a` is no id",
        "write words",
    );
    vec![place, Problem::whole(Rule::Lock, "golden/index.lock", "is missing", "")]
}
