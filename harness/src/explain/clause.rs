//! Clauses and sources as explanations show them.

use crate::registry::Registry;
use assay_model::Game;
use assay_model::explain::{ClauseExplained, SourceExplained};
use assay_oracles::{Clause, Spec};

/// A clause with its tiers in some games.
pub(super) fn clause(registry: &Registry, spec: &Spec, clause: &Clause, games: &[Game]) -> ClauseExplained {
    let oracle = registry.oracle();
    ClauseExplained {
        id: clause.id.clone(),
        title: clause.title.clone(),
        tiers: games.iter().map(|game| (*game, oracle.tier(clause, *game))).collect(),
        open: clause.open.clone(),
        file: spec.path.clone(),
        line: clause.line,
        text: clause.text.clone(),
        sources: clause.sources.iter().filter_map(|id| source(registry, id)).collect(),
    }
}

/// The clauses that a case cites, for its game.
pub(super) fn cited(registry: &Registry, spec: &Spec, ids: &[String], game: Game) -> Vec<ClauseExplained> {
    let found = ids.iter().filter_map(|id| spec.clause(id));
    found.map(|found| clause(registry, spec, found, &[game])).collect()
}

/// The source of that id.
pub(super) fn source(registry: &Registry, id: &str) -> Option<SourceExplained> {
    let source = registry.oracle().sources.get(id)?;
    Some(SourceExplained {
        id: source.id.clone(),
        kind: source.kind.as_str().to_owned(),
        subject: source.subject.clone(),
        location: source.location.clone(),
        group: source.group.clone(),
        games: source.games.clone(),
        withdrawn: source.withdrawn,
        line: source.line,
    })
}
