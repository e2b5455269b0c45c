//! Where the whole stands.

use crate::envelope::{list, map, text, unsigned};
use crate::snapshot::{Kept, Snapshot};
use assay_model::{Area, Status, Tree};
use std::collections::BTreeMap;

/// Problems that are shown of a change that waits.
const MAX_PROBLEMS: usize = 10;

/// The data of `oracle://status`: what is served, and why the disk says something else, if it does.
pub fn status(snapshot: &Snapshot, kept: Option<&Kept>) -> Tree {
    let registry = snapshot.registry();
    let mut areas: BTreeMap<Area, (u64, u64)> = BTreeMap::new();
    for entry in registry.entries() {
        let (all, verified) = areas.entry(entry.area()).or_default();
        *all += 1;
        *verified += u64::from(snapshot.status(entry.name()) == Status::Verified);
    }
    let counts = |(all, verified): &(u64, u64)| {
        map([
            ("capabilities", unsigned(*all)),
            ("verified", unsigned(*verified)),
            ("partial", unsigned(all - verified)),
        ])
    };
    let whole = areas.values().fold((0, 0), |sum, area| (sum.0 + area.0, sum.1 + area.1));
    map([
        ("version", text(env!("CARGO_PKG_VERSION"))),
        ("counts", counts(&whole)),
        ("areas", Tree::Map(areas.iter().map(|(area, of)| (area.to_string(), counts(of))).collect())),
        ("corpus_digest", text(registry.corpus_digest())),
        ("corpus_origin", text(registry.origin())),
        ("problems", list(registry.problems().iter().take(MAX_PROBLEMS))),
        ("notes", list(snapshot.notes())),
        ("waiting", kept.map_or(Tree::Null, waiting)),
    ])
}

/// The change on the disk that is not served.
fn waiting(kept: &Kept) -> Tree {
    map([
        ("ut", unsigned(kept.ut)),
        ("problem_count", unsigned(kept.problems.len() as u64)),
        ("problems", list(kept.problems.iter().take(MAX_PROBLEMS))),
    ])
}
