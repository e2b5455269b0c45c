//! What a capability has earned: tier and status per game, from sources, cases and verdicts. Undercount by
//! construction.

use crate::registry::{Entry, Registry};
use assay_model::{CaseResult, Game, Standing, Status, Tier, Verdict};
use assay_oracles::{Clause, Spec};
use std::collections::BTreeMap;

/// The standing of a capability whose whole suite gave `results`.
///
/// It is verified for a game iff every clause that holds there is verified, not open, and has a passing case of a
/// kind that carries it, nothing of it is disputed or known to fail, nothing drifts, and spec and suite have no
/// problem, and the capabilities that it composes are as strong.
#[must_use]
pub fn standing(registry: &Registry, entry: &Entry, results: &[&CaseResult]) -> Standing {
    let path = entry.path();
    let broken = registry.problems().iter().any(|problem| crate::run::concerns(&path, &problem.file));
    let mut standing = Standing {
        status: Status::Verified,
        games: BTreeMap::new(),
        tiers: BTreeMap::new(),
        missing: Vec::new(),
    };
    for game in entry.port.meta().games.iter().copied() {
        let ours: Vec<&CaseResult> = results.iter().copied().filter(|result| result.game == game).collect();
        let (tier, mut missing) = match registry.spec(entry.name()) {
            Some(spec) => judge(registry, spec, game, &ours),
            None => (Tier::Initial, vec!["there is no spec".to_owned()]),
        };
        if broken {
            missing.push("spec or suite have problems".to_owned());
        }
        let status = if missing.is_empty() { Status::Verified } else { Status::Partial };
        standing.tiers.insert(game, tier);
        standing.games.insert(game, status);
        standing.status = standing.status.min(status);
        standing.missing.extend(missing.into_iter().map(|line| format!("{game}: {line}")));
    }
    if standing.games.is_empty() {
        standing.status = Status::Partial;
    }
    standing
}

/// The weakest tier in a game, and what is missing there.
fn judge(registry: &Registry, spec: &Spec, game: Game, results: &[&CaseResult]) -> (Tier, Vec<String>) {
    let holding: Vec<&Clause> = spec.clauses.iter().filter(|clause| clause.games.contains(&game)).collect();
    let oracle = registry.oracle();
    let mut missing = Vec::new();
    if holding.is_empty() {
        missing.push("no clause holds there".to_owned());
    }
    for clause in holding {
        let tier = oracle.tier(clause, game);
        let id = &clause.id;
        if let Some(open) = &clause.open {
            missing.push(format!("clause {id} is open: {open}"));
        } else if tier < Tier::Verified {
            missing.push(format!("clause {id} is {tier}"));
        }
        missing.extend(exercised(id, results));
    }
    // One that is not of the game has no part in the result there.
    let of_game = |part: &&String| registry.spec(part).is_none_or(|part| part.games.contains(&game));
    for part in spec.composes.iter().filter(of_game) {
        let tier = oracle.weakest(part, game);
        if tier < Tier::Verified {
            missing.push(format!("{part}, which it composes, is {tier}"));
        }
    }
    missing.extend(
        results
            .iter()
            .filter(|result| result.verdict.is_drift())
            .map(|result| format!("{} is {}", result.id, result.verdict.as_str())),
    );
    (oracle.weakest(&spec.capability, game), missing)
}

/// What a clause lacks in cases.
fn exercised(clause: &str, results: &[&CaseResult]) -> Vec<String> {
    let on_clause = || results.iter().filter(|result| result.clause.iter().any(|id| id == clause));
    let mut missing = Vec::new();
    let passing = || on_clause().filter(|result| result.verdict == Verdict::Pass);
    if !passing().any(|result| result.kind.carries_verified()) {
        let how = if passing().next().is_some() {
            "has a passing case in prose alone"
        } else {
            "has no passing case"
        };
        missing.push(format!("clause {clause} {how}"));
    }
    for result in on_clause() {
        match result.verdict {
            Verdict::Disputed => missing.push(format!("clause {clause}: {} is disputed", result.id)),
            Verdict::KnownFailure => missing.push(format!("clause {clause}: {} is known to fail", result.id)),
            _ => {}
        }
    }
    missing
}
