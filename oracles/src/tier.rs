//! How well a clause is supported, from its sources.

use crate::source::{Source, SourceKind};
use assay_model::{Game, Tier};
use std::collections::BTreeSet;

/// The tier of a clause for a game.
///
/// The program itself verifies, and so does an ancestor's own source for that ancestor. Otherwise two independent groups
/// of readers verify and one gives high confidence. Two sorts of source count only beside a reader who stands: one whose
/// authors withdrew it, and the source of an ancestor when the game is a later one.
pub fn tier<'a>(open: bool, game: Game, sources: impl Iterator<Item = &'a Source>) -> Tier {
    if open {
        return Tier::InProgress;
    }
    let (mut standing, mut beside, mut withdrawn) = (BTreeSet::new(), BTreeSet::new(), false);
    for source in sources.filter(|source| source.games.contains(&game)) {
        let own_source = source.kind == SourceKind::AncestorSource && matches!(game, Game::Ra1 | Game::Td);
        if source.withdrawn {
            withdrawn |= source.kind.counts() || source.kind == SourceKind::OriginalProgram;
        } else if source.kind == SourceKind::OriginalProgram || own_source {
            return Tier::Verified;
        }
        if source.kind.counts() {
            let ancestor = source.kind == SourceKind::AncestorSource;
            if source.withdrawn || ancestor { &mut beside } else { &mut standing }
                .insert(source.group.as_str());
        }
    }
    match standing.len() {
        0 if withdrawn => Tier::InProgress,
        0 => Tier::Initial,
        _ if standing.union(&beside).count() > 1 => Tier::Verified,
        _ => Tier::HighConfidence,
    }
}
