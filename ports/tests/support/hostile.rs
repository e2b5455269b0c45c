//! What tests over hostile files share: how a file that decodes is spoilt.

use proptest::prelude::*;
use proptest::sample::Index;

/// Bytes that are overwritten, and an end that is cut off or a piece that comes once more, in another place.
#[derive(Clone, Debug)]
pub struct Damage {
    keep: f64,
    edits: Vec<(Index, u8)>,
    /// Where a piece begins, and where it is put in.
    splice: [Index; 2],
}

/// Damages whose bytes come from `values`.
pub fn damage(values: impl Strategy<Value = u8>) -> impl Strategy<Value = Damage> {
    let edits = prop::collection::vec((any::<Index>(), values), 0..6);
    (0.0..1.3_f64, edits, any::<[Index; 2]>()).prop_map(|(keep, edits, splice)| Damage {
        keep,
        edits,
        splice,
    })
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
            let [from, to] = self.splice.map(|place| place.index(bytes.len()));
            let piece = bytes[from..].to_vec();
            bytes.splice(to..to, piece);
        }
        bytes.truncate(length.max(1));
        bytes
    }
}

/// Four bytes that are overwritten by a number, as if they counted something.
#[derive(Clone, Debug)]
pub struct Lie {
    at: Index,
    value: u32,
}

/// Numbers of all sizes, most of them larger than a file bears out.
pub fn lie() -> impl Strategy<Value = Lie> {
    let value = prop_oneof![any::<u32>(), Just(u32::MAX), Just(i32::MAX as u32), 0..70000_u32];
    (any::<Index>(), value).prop_map(|(at, value)| Lie { at, value })
}

impl Lie {
    /// The file with the number in it; it has at least a byte.
    pub fn to(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let at = self.at.index(bytes.len().saturating_sub(3).max(1));
        for (byte, new) in bytes[at..].iter_mut().zip(self.value.to_le_bytes()) {
            *byte = new;
        }
        bytes
    }
}
