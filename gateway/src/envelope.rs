//! The one shape of every result: `{ok, data, snapshot_sequence, ut}`, and what a failure adds.

use assay_model::{Errno, Tree};
use serde::Serialize;
use serde_json::Value;

/// A text block larger than this is replaced by an abridged one where structured content carries the whole.
pub const TEXT_LIMIT: usize = 8 * 1024;
/// In an abridged text, a value longer than this gives way to its size.
const ABRIDGED_VALUE: usize = 512;

/// How far a failed call came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The request was wrong; nothing ran.
    Rejected,
    /// The port looked at the input and refused it.
    Refused,
    /// Something broke inside.
    Failed,
}

impl Stage {
    /// Every word, in order.
    pub const ALL: &'static [Self] = &[Self::Rejected, Self::Refused, Self::Failed];

    /// The value of `outcome`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// Why a call gave no data.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Which sort of error.
    pub errno: Errno,
    /// How far the call came.
    pub outcome: Stage,
    /// A lower-case fragment.
    pub message: String,
    /// Further members of the envelope: `errors`, `nearest`, `field`, `hint`.
    pub details: Vec<(String, Tree)>,
}

impl Refusal {
    /// A request that was wrong before anything ran.
    #[must_use]
    pub fn rejected(errno: Errno, message: impl Into<String>) -> Self {
        Self { errno, outcome: Stage::Rejected, message: message.into(), details: Vec::new() }
    }

    /// A failure inside, with nothing of the inside in it.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self { errno: Errno::Eio, outcome: Stage::Failed, message: message.into(), details: Vec::new() }
    }

    /// The same, with one more member.
    #[must_use]
    pub fn with(mut self, key: &str, value: Tree) -> Self {
        self.details.push((key.to_owned(), value));
        self
    }

    /// What it adds to an envelope, in the fixed order.
    #[must_use]
    pub fn members(&self) -> Vec<(String, Tree)> {
        let mut members = vec![
            ("outcome".to_owned(), text(self.outcome.as_str())),
            ("errno".to_owned(), text(self.errno.as_str())),
            ("message".to_owned(), text(&self.message)),
            ("retryable".to_owned(), Tree::Bool(self.retryable())),
        ];
        members.extend(self.details.iter().cloned());
        members
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub const fn retryable(&self) -> bool {
        matches!(self.errno, Errno::Ebusy | Errno::Etimedout)
    }
}

/// One finished reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What the call gave.
    pub outcome: Result<Tree, Refusal>,
    /// Sequence number of the snapshot that answered; 0 before the first stands.
    pub snapshot_sequence: u64,
    /// When that snapshot was published: seconds since 1970.
    pub ut: u64,
}

impl Reply {
    /// Whether the call gave data.
    #[must_use]
    pub const fn ok(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The data of a successful reply.
    #[must_use]
    pub fn data(&self) -> Option<&Tree> {
        self.outcome.as_ref().ok()
    }

    /// The envelope, members in their fixed order.
    #[must_use]
    pub fn envelope(&self) -> Tree {
        let mut members = vec![
            ("ok".to_owned(), Tree::Bool(self.ok())),
            ("data".to_owned(), self.data().cloned().unwrap_or(Tree::Null)),
            ("snapshot_sequence".to_owned(), unsigned(self.snapshot_sequence)),
            ("ut".to_owned(), unsigned(self.ut)),
        ];
        if let Err(refusal) = &self.outcome {
            members.extend(refusal.members());
        }
        Tree::Map(members)
    }
}

/// An envelope as text for a client that also gets it structured: whole up to [`TEXT_LIMIT`], and above that with the
/// long members of `data` replaced by their size.
#[must_use]
pub fn abridged(envelope: &Tree) -> String {
    let whole = envelope.to_string();
    if whole.len() <= TEXT_LIMIT {
        return whole;
    }
    let mut members = envelope.entries().to_vec();
    for (_, value) in &mut members {
        if let Tree::Map(entries) = value {
            entries.iter_mut().for_each(|(_, value)| abridge(value));
        }
    }
    Tree::Map(members).to_string()
}

fn abridge(value: &mut Tree) {
    let length = value.to_json().len();
    if length > ABRIDGED_VALUE {
        *value = text(format!("… {length} bytes, whole in the structured content"));
    }
}

/// A text leaf.
pub fn text(value: impl Into<String>) -> Tree {
    Tree::Text(value.into())
}

/// An unsigned integer leaf.
#[must_use]
pub fn unsigned(value: u64) -> Tree {
    i64::try_from(value).map_or(Tree::UInt(value), Tree::Int)
}

/// A map from pairs, in their order.
#[must_use]
pub fn map<const N: usize>(entries: [(&str, Tree); N]) -> Tree {
    Tree::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// A list of the words of anything that prints as one.
pub fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> Tree {
    Tree::List(items.into_iter().map(|item| Tree::Text(item.to_string())).collect())
}

/// Any serialisable value as a tree, members in declaration order.
#[must_use]
pub fn tree<T: Serialize>(value: &T) -> Tree {
    // Only our own report types come here; none has a key that is not text.
    serde_json::to_vec(value).ok().and_then(|json| Tree::from_json(&json).ok()).unwrap_or(Tree::Null)
}

/// A tree as the JSON value that schemas and the protocol layer work on; key order is lost there.
#[must_use]
pub fn value(tree: &Tree) -> Value {
    serde_json::to_value(tree).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(outcome: Result<Tree, Refusal>) -> Reply {
        Reply { outcome, snapshot_sequence: 1, ut: 9 }
    }

    #[test]
    fn success_and_failure_have_their_fixed_members() {
        let good = reply(Ok(map([("b", unsigned(1)), ("a", unsigned(2))])));
        assert_eq!(
            abridged(&good.envelope()),
            r#"{"ok":true,"data":{"b":1,"a":2},"snapshot_sequence":1,"ut":9}"#
        );
        let bad = reply(Err(Refusal::rejected(Errno::Enoent, "no such thing").with("nearest", list(["a"]))));
        assert_eq!(
            abridged(&bad.envelope()),
            r#"{"ok":false,"data":null,"snapshot_sequence":1,"ut":9,"outcome":"rejected","errno":"ENOENT","message":"no such thing","retryable":false,"nearest":["a"]}"#
        );
    }

    #[test]
    fn long_texts_are_abridged_member_by_member() {
        let long = reply(Ok(map([("name", text("short")), ("body", text("x".repeat(9000)))])));
        let shown = abridged(&long.envelope());
        assert!(shown.len() < 300 && shown.contains("short") && shown.contains("9002 bytes"), "{shown}");
        assert!(shown.contains(r#""snapshot_sequence":1"#));
    }

    #[test]
    fn only_busy_and_late_are_worth_a_retry() {
        assert!(Refusal::rejected(Errno::Ebusy, "").retryable());
        assert!(!Refusal::failed("").retryable());
    }
}
