//! A suite that was deleted, truncated, duplicated or altered never passes.

use crate::support::*;
use assay_model::Tree;
use proptest::prelude::*;

/// Paths of the leaves of a tree.
pub fn leaves(tree: &Tree) -> Vec<String> {
    let mut paths = Vec::new();
    tree.leaves(&mut |path, _| paths.push(path.to_owned()));
    paths
}

/// The tree with every leaf changed whose path is picked.
pub fn alter(tree: &Tree, pick: &dyn Fn(&str) -> bool) -> Tree {
    walk(tree, "", pick)
}

fn walk(tree: &Tree, path: &str, pick: &dyn Fn(&str) -> bool) -> Tree {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match tree {
        Tree::Map(entries) if !entries.is_empty() => Tree::Map(
            entries.iter().map(|(name, child)| (name.clone(), walk(child, &below(name), pick))).collect(),
        ),
        Tree::List(items) if !items.is_empty() => Tree::List(
            items
                .iter()
                .enumerate()
                .map(|(index, child)| walk(child, &below(&index.to_string()), pick))
                .collect(),
        ),
        leaf if pick(path) => changed(leaf),
        leaf => leaf.clone(),
    }
}

/// Copies of a tree with one leaf changed each, and the path of that leaf.
pub fn altered(tree: &Tree) -> Vec<(String, Tree)> {
    let one = |path: String| {
        let other = alter(tree, &|leaf| leaf == path);
        (path, other)
    };
    leaves(tree).into_iter().map(one).collect()
}

/// The nearest other value of the same type.
fn changed(leaf: &Tree) -> Tree {
    match leaf {
        Tree::Null => Tree::Bool(true),
        Tree::Bool(value) => Tree::Bool(!value),
        Tree::Int(value) => Tree::Int(value.wrapping_add(1)),
        Tree::UInt(value) => Tree::UInt(value.wrapping_sub(1)),
        Tree::Float(value) if value.is_finite() => Tree::Float(f64::from_bits(value.to_bits() ^ 1)),
        Tree::Float(_) => Tree::Float(0.5),
        Tree::Text(text) => Tree::Text(format!("{text}x")),
        Tree::List(_) => Tree::List(vec![Tree::Int(0)]),
        Tree::Map(_) => Tree::Map(vec![("x".to_owned(), Tree::Int(0))]),
    }
}

/// A suite of the given cases alone, each with another `expect`; stays valid TOML whatever that is.
pub fn with_expects(text: &str, changes: &[(usize, Tree)]) -> String {
    let mut document: toml_edit::DocumentMut = text.parse().unwrap();
    document.remove("sweep");
    let all = document["case"].as_array_of_tables().unwrap().clone();
    let mut kept = toml_edit::ArrayOfTables::new();
    for (index, expect) in changes {
        let mut case = all.get(*index).unwrap().clone();
        case["expect"] = toml_edit::Item::Value(value(expect));
        kept.push(case);
    }
    document["case"] = toml_edit::Item::ArrayOfTables(kept);
    document.to_string()
}

fn value(tree: &Tree) -> toml_edit::Value {
    match tree {
        Tree::Null => unreachable!("TOML has no null"),
        Tree::Bool(value) => (*value).into(),
        Tree::Int(value) => (*value).into(),
        Tree::UInt(value) => format!("u64:{value:#018x}").into(),
        Tree::Float(value) => (*value).into(),
        Tree::Text(text) => text.as_str().into(),
        Tree::List(items) => toml_edit::Value::Array(items.iter().map(value).collect()),
        Tree::Map(entries) => toml_edit::Value::InlineTable(
            entries.iter().map(|(name, child)| (name.as_str(), value(child))).collect(),
        ),
    }
}

#[test]
fn every_expected_leaf_of_a_computed_case_is_held_by_its_derivation() {
    let registry = Corpus::of(SUITE).registry(&RIGHT);
    let cases = &registry.entries()[0].suite.as_ref().unwrap().cases;
    let mut leaves = 0;
    for (index, case) in cases.iter().enumerate() {
        let Some(expect) = &case.entry.expect else { continue };
        for (path, other) in altered(expect) {
            let corpus = Corpus::of(&with_expects(SUITE, &[(index, other)])).locked();
            let problems = corpus.problems();
            assert!(problems.iter().any(|p| p.contains(&format!("`{path}` is "))), "{path}: {problems:?}");
            assert_eq!(corpus.run(&RIGHT).verdict(), "broken", "{path}");
            leaves += 1;
        }
    }
    assert_eq!(leaves, 4 + 5);
}

#[test]
fn a_recorded_expectation_that_was_altered_fails_or_no_longer_fits_the_lock() {
    let altered = TAPED.replace("\"result\":87", "\"result\":88");
    let report = Corpus::whole().with(VECTORS, &altered).run(&RIGHT);
    assert_eq!(report.verdict(), "broken");
    assert!(report.problems[0].message.contains("the cases changed"), "{:?}", report.problems);
    assert_eq!(said(&report, "taped.v1").1, "result");
}

#[test]
fn a_suite_that_is_gone_is_missed() {
    let report = Corpus::whole().without(CASES).without(VECTORS).run(&RIGHT);
    assert_eq!((report.verdict(), report.exit_code()), ("broken", 2));
    assert!(
        report.problems.iter().any(|p| p.message.contains("has suite `combat/compute_toy`")),
        "{:?}",
        report.problems
    );
}

#[test]
fn a_suite_that_was_cut_off_is_missed() {
    let cut = SUITE.split("[[sweep]]").next().unwrap();
    let report = Corpus::whole().with(CASES, cut).run(&RIGHT);
    assert_eq!(report.verdict(), "broken");
    let all = format!("{:?}", report.problems);
    assert!(all.contains("sweeps 1 → 0") && all.contains("promises 7 results, and the run gave 6"), "{all}");
    // Cut within a case, it does not even load.
    for length in (0..SUITE.len()).step_by(97) {
        let report = Corpus::whole().with(CASES, &SUITE[..length]).run(&RIGHT);
        assert_eq!(report.verdict(), "broken", "{length}");
    }
}

#[test]
fn a_suite_that_is_there_twice_is_no_suite() {
    let doubled = format!("{SUITE}{}", &SUITE[SUITE.find("[[case]]").unwrap()..]);
    let report = Corpus::whole().with(CASES, &doubled).run(&RIGHT);
    assert_eq!(report.verdict(), "broken");
    assert!(
        report.problems.iter().any(|p| p.message.contains("`quarter` is used twice")),
        "{:?}",
        report.problems
    );
    let elsewhere = Corpus::whole().with("golden/economy/compute_toy/cases.toml", SUITE).run(&RIGHT);
    assert_eq!(elsewhere.verdict(), "broken");
}

proptest! {
    /// One character more, less or other: the corpus is broken or drifts, unless layout alone changed. Nothing panics.
    #[test]
    fn no_single_slip_of_the_pen_passes(place in 0..SUITE.len(), slip in "[ -~\n]?", keep in any::<bool>()) {
        let rest = if keep { &SUITE[place..] } else { &SUITE[place + 1..] };
        let changed = format!("{}{slip}{rest}", &SUITE[..place]);
        let report = Corpus::whole().with(CASES, &changed).run(&RIGHT);
        let content = |text: &str| toml::from_str::<Tree>(text).ok();
        if content(&changed) == content(SUITE) {
            prop_assert_eq!(report.verdict(), "pass");
        } else {
            prop_assert_ne!(report.verdict(), "pass", "{}", changed);
        }
    }
}
