//! Brings an answer from another process into the order and spelling of ours.
//!
//! Languages differ in what they can print: an object without an order, a whole number without a point. None of that is a
//! difference of values, so none of it may show in a failure or in a digest. The order of stages is that of our port's
//! answer to its own example; no value is taken from there.

use crate::registry::Registry;
use assay_model::{Output, Tree};
use std::collections::BTreeMap;

/// The order of stages, by capability.
#[derive(Debug, Default)]
pub(super) struct Shapes(BTreeMap<&'static str, Tree>);

impl Shapes {
    /// The shapes of all capabilities.
    pub fn of(registry: &Registry) -> Self {
        let mut output = Output::default();
        let shape = |entry: &crate::Entry| {
            let example = entry.port.meta().example.as_bytes();
            crate::panics::catch(|| entry.port.run(example, &mut output)).ok()?.ok()?;
            Some((entry.name(), Tree::from_json(&output.json).ok()?))
        };
        let mut shape = shape;
        Self(registry.entries().iter().filter_map(&mut shape).collect())
    }

    /// The canonical bytes of an answer.
    pub fn canonical(&self, capability: &str, answer: Tree) -> Vec<u8> {
        arranged(answer, self.0.get(capability)).to_json()
    }
}

/// The tree in the order of `shape`: its keys first, then the others by name; a whole number where it has a float is one.
fn arranged(tree: Tree, shape: Option<&Tree>) -> Tree {
    match (tree, shape) {
        (Tree::Map(mut entries), shape) => {
            let known = shape.map(Tree::entries).unwrap_or_default();
            let place = |name: &str| known.iter().position(|(known, _)| known == name).unwrap_or(known.len());
            entries.sort_by(|(a, _), (b, _)| place(a).cmp(&place(b)).then_with(|| a.cmp(b)));
            let arrange = |(name, value): (String, Tree)| {
                let below = known.get(place(&name)).map(|(_, shape)| shape);
                let value = arranged(value, below);
                (name, value)
            };
            Tree::Map(entries.into_iter().map(arrange).collect())
        }
        (Tree::List(items), Some(Tree::List(like))) => {
            let like = like.first();
            Tree::List(items.into_iter().map(|item| arranged(item, like)).collect())
        }
        (Tree::List(items), _) => Tree::List(items.into_iter().map(|item| arranged(item, None)).collect()),
        (Tree::Int(value), Some(Tree::Float(_))) if value.unsigned_abs() <= 1 << 53 => {
            Tree::Float(value as f64)
        }
        (leaf @ Tree::Float(_), Some(Tree::Float(_))) => leaf,
        (leaf, _) => leaf.integral(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn order_and_spelling_are_ours_and_values_are_theirs() {
        let shape = tree(r#"{"z":1,"map":{"b":0.5,"a":2},"list":[{"y":1.5,"x":0}],"a":"text"}"#);
        let said = tree(
            r#"{"new":[3.0],"a":7,"list":[{"x":1.0,"y":2},{"y":0.1,"w":-0.0}],"map":{"a":3,"b":1},"z":9}"#,
        );
        assert_eq!(
            arranged(said, Some(&shape)).to_string(),
            r#"{"z":9,"map":{"b":1.0,"a":3},"list":[{"y":2.0,"x":1},{"y":0.1,"w":-0.0}],"a":7,"new":[3]}"#
        );
    }

    #[test]
    fn what_is_no_float_exactly_stays_what_it_is() {
        let shape = tree(r#"{"a":0.5}"#);
        for text in ["9007199254740993", "\"f64:0x7ff0000000000000\"", "null", "true", "-0.0", "1e+300"] {
            let said = tree(&format!(r#"{{"a":{text}}}"#));
            assert_eq!(arranged(said.clone(), Some(&shape)), said, "{text}");
        }
    }
}
