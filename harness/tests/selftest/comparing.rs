//! The comparer says "equal" exactly when two trees are the same: property tests.

use crate::altered::altered;
use assay_harness::{EXACT, compare};
use assay_model::Tree;
use proptest::prelude::*;

fn leaf() -> impl Strategy<Value = Tree> {
    prop_oneof![
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::Int),
        ((1_u64 << 63)..).prop_map(Tree::UInt),
        any::<f64>().prop_map(Tree::Float),
        (-9_i32..9).prop_map(|n| Tree::Float(f64::from(n))),
        "[a-z]{0,3}".prop_map(Tree::Text),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::List),
            prop::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|map| Tree::Map(map.into_iter().collect())),
        ]
    })
}

/// Sameness by definition, written apart from the comparer: same shape, leaves by value.
fn same(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (Tree::List(a), Tree::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Tree::Map(a), Tree::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.iter().any(|(other, w)| k == other && same(v, w)))
        }
        (Tree::List(_) | Tree::Map(_), _) | (_, Tree::List(_) | Tree::Map(_)) => false,
        _ => a.same(b),
    }
}

proptest! {
    #[test]
    fn equal_iff_the_same(a in tree(), b in tree()) {
        prop_assert_eq!(compare(&a, &b, EXACT).is_ok(), same(&a, &b));
        prop_assert!(compare(&a, &a, EXACT).is_ok());
    }

    #[test]
    fn one_changed_leaf_is_found_at_its_path(a in tree()) {
        for (path, other) in altered(&a) {
            let mismatch = compare(&a, &other, EXACT).unwrap_err();
            // An empty list or map that grew differs at what it grew.
            prop_assert!(mismatch.stage == path || mismatch.stage.starts_with(&path), "{} {path}", mismatch.stage);
        }
    }

    #[test]
    fn what_is_equal_by_bytes_is_equal_by_value(a in tree()) {
        let read = Tree::from_json(&a.to_json()).unwrap();
        prop_assert_eq!(read.to_json(), a.to_json());
        prop_assert!(compare(&a, &read, EXACT).is_ok());
    }

    #[test]
    fn order_of_keys_makes_no_difference(a in tree()) {
        let reversed = match a.clone() {
            Tree::Map(mut entries) => { entries.reverse(); Tree::Map(entries) }
            other => other,
        };
        prop_assert!(compare(&a, &reversed, EXACT).is_ok());
    }
}
