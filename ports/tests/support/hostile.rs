//! What tests over hostile files share: how a file that decodes is spoilt.

use proptest::prelude::*;
use proptest::sample::Index;

/// Bytes that are overwritten, and an end that is cut off or a piece that comes once more.
#[derive(Clone, Debug)]
pub struct Damage {
    keep: f64,
    edits: Vec<(Index, u8)>,
    from: Index,
}

/// Damages whose bytes come from `values`.
pub fn damage(values: impl Strategy<Value = u8>) -> impl Strategy<Value = Damage> {
    let edits = prop::collection::vec((any::<Index>(), values), 0..6);
    (0.0..1.3_f64, edits, any::<Index>()).prop_map(|(keep, edits, from)| Damage { keep, edits, from })
}

impl Damage {
    /// The file with the damage; it has at least a byte, as `bytes` must.
    pub fn to(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        for (at, value) in &self.edits {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        let length = (bytes.len() as f64 * self.keep) as usize;
        if length > bytes.len() {
            let piece = bytes[self.from.index(bytes.len())..].to_vec();
            bytes.extend(piece);
        }
        bytes.truncate(length.max(1));
        bytes
    }
}
