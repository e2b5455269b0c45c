//! Finding a capability by what somebody asks for.
//!
//! BM25F over five short fields, with stems, synonym groups and a stop list that are data files beside this one. All
//! scores are integers (thousandths) once the index stands, and ties go by name, so a ranking depends neither on the
//! order of registration nor on the order of additions.

mod index;
mod query;
pub mod tokens;

pub use index::{Document, Index};
pub use query::Hit;

use tokens::distance;

/// The names closest to `wanted`: few edits first, then what a search finds, then whatever is least far.
#[must_use]
pub fn nearest(index: &Index, wanted: &str, count: usize) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let close = wanted.chars().count() / 3;
    let mut by_distance: Vec<(usize, &str)> =
        index.names().map(|name| (distance(&wanted, name, wanted.len().max(name.len())), name)).collect();
    by_distance.sort_unstable();
    let spellings = by_distance.iter().filter(|(edits, _)| *edits <= close).map(|(_, name)| *name);
    let hits = index.search(&wanted);
    let found = hits.iter().map(|hit| index.name(hit.document));
    let mut nearest: Vec<String> = Vec::new();
    for name in spellings.chain(found).chain(by_distance.iter().map(|(_, name)| *name)) {
        if nearest.len() < count && !nearest.iter().any(|known| known == name) {
            nearest.push(name.to_owned());
        }
    }
    nearest
}
