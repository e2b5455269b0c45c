//! Brings an answer from another process into the order and spelling of ours.
//!
//! Languages differ in what they can print: an object without an order, a whole number without a point. None of that is a
//! difference of values, so none of it may show in a failure or in a digest. The order of stages, and which of them are
//! floats, is learned from our port's answers to its example and to cases; no value is taken from there. A stage that none
//! of them shows comes last, by name.

use crate::registry::{Entry, Registry};
use assay_model::{Output, Tree};
use std::collections::BTreeMap;

/// Inputs that a shape is learned from: so many, and none longer than so many bytes.
const SAMPLES: usize = 64;
const INPUT: usize = 4 << 10;

/// The order of stages, by capability.
#[derive(Debug, Default)]
pub(super) struct Shapes(BTreeMap<&'static str, Tree>);

impl Shapes {
    /// The shapes of all capabilities.
    pub fn of(registry: &Registry) -> Self {
        let mut output = Output::default();
        let mut shape = |entry: &Entry| {
            let mut shape = Tree::Null;
            let cases = entry.suite.iter().flat_map(|suite| &suite.cases).map(|case| case.input.as_slice());
            let small = cases.filter(|input| input.len() <= INPUT).take(SAMPLES);
            for input in std::iter::once(entry.port.meta().example.as_bytes()).chain(small) {
                let answered = crate::panics::catch(|| entry.port.run(input, &mut output));
                if let (Ok(Ok(())), Ok(sample)) = (answered, Tree::from_json(&output.json)) {
                    learn(&mut shape, &sample);
                }
            }
            (entry.name(), shape)
        };
        Self(registry.entries().iter().map(&mut shape).collect())
    }

    /// The canonical bytes of an answer.
    pub fn canonical(&self, capability: &str, answer: Tree) -> Vec<u8> {
        arranged(answer, self.0.get(capability)).to_json()
    }
}

/// Adds what another tree shows: stages before the one that they stand before there, all elements of a list as one, and a
/// number as a float if it ever is one.
fn learn(shape: &mut Tree, sample: &Tree) {
    match (shape, sample) {
        (Tree::Map(known), Tree::Map(entries)) => {
            for (index, (name, value)) in entries.iter().enumerate() {
                let place = |name: &str| known.iter().position(|(known, _)| known == name);
                let there = place(name);
                let later = || entries.iter().skip(index).find_map(|(name, _)| place(name));
                let place = there.or_else(later).unwrap_or(known.len());
                if there.is_none() {
                    known.insert(place, (name.clone(), Tree::Null));
                }
                if let Some((_, shape)) = known.get_mut(place) {
                    learn(shape, value);
                }
            }
        }
        (Tree::List(known), Tree::List(items)) => {
            let mut like = known.first().cloned().unwrap_or(Tree::Null);
            for item in known.iter().skip(1).chain(items) {
                learn(&mut like, item);
            }
            *known = vec![like];
        }
        (shape @ Tree::Null, Tree::Map(_)) => {
            *shape = Tree::Map(Vec::new());
            learn(shape, sample);
        }
        (shape @ Tree::Null, Tree::List(_)) => {
            *shape = Tree::List(Vec::new());
            learn(shape, sample);
        }
        (shape @ (Tree::Null | Tree::Int(_)), sample) => *shape = sample.clone(),
        _ => {}
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
    fn shapes_are_learned_from_samples() {
        let mut shape = tree(r#"{"a":1,"c":{"x":1},"list":[1,2]}"#);
        learn(&mut shape, &tree(r#"{"a":2,"b":true,"c":{"w":0,"x":0.5}}"#));
        learn(&mut shape, &tree(r#"{"a":7,"list":[{"p":1},{"q":2}],"end":"text"}"#));
        learn(&mut shape, &tree(r#"{"list":[],"c":{"x":3}}"#));
        let names = |tree: &Tree| tree.entries().iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&shape), ["a", "b", "c", "list", "end"]);
        assert_eq!(names(shape.get("c").unwrap()), ["w", "x"]);
        assert_eq!(shape.get("c").unwrap().get("x"), Some(&Tree::Float(0.5)));
        let said = tree(r#"{"list":[{"q":1,"p":2}],"c":{"x":3}}"#);
        assert_eq!(arranged(said, Some(&shape)).to_string(), r#"{"c":{"x":3.0},"list":[{"p":2,"q":1}]}"#);
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
