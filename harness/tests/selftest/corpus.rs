//! The real corpus, read from the checkout: altering any expected leaf of any computed case stops its suite from
//! loading.

use crate::altered::{alter, leaves, with_expects};
use assay_harness::{Entry, Registry, Suite, disk};
use assay_model::{CaseKind, Files, Port};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// The files that one suite needs.
fn alone(files: &Files, paths: &[&str]) -> Files {
    let ours = files.texts.iter().filter(|(path, _)| paths.iter().any(|ours| path.starts_with(ours)));
    Files {
        origin: files.origin.clone(),
        texts: ours.map(|(path, text)| (path.clone(), text.clone())).collect(),
    }
}

/// Rounds in which the leaves of a case take turns. That leaves do not hide each other is shown one at a time on the
/// toy.
const ROUNDS: usize = 6;

/// The leaves that could be altered without a word.
fn missed(entry: &Entry, suite: &Suite, specs: &Files, golden: &Files) -> Vec<String> {
    let ports: &'static [&'static dyn Port] = Box::leak(Box::new([entry.port]));
    let spec = format!("oracles/specs/{}.md", entry.path());
    let specs = alone(specs, &["oracles/sources.toml", "oracles/tables/", &spec]);
    let mut missed = Vec::new();
    for round in 0..ROUNDS {
        let (mut changed, mut expects) = (Vec::new(), Vec::new());
        for (index, case) in
            suite.cases.iter().enumerate().filter(|(_, case)| case.kind == CaseKind::Computed)
        {
            let Some(expect) = &case.entry.expect else { continue };
            let turn: BTreeSet<String> = leaves(expect).into_iter().skip(round).step_by(ROUNDS).collect();
            if !turn.is_empty() {
                expects.push((index, alter(expect, &|leaf| turn.contains(leaf))));
                changed.extend(turn.into_iter().map(|leaf| (&case.id, leaf)));
            }
        }
        let mut altered = Files::default();
        altered.texts.insert(suite.path.clone(), with_expects(&golden.texts[&suite.path], &expects));
        let registry = Registry::new(ports, &specs, &altered);
        missed.extend(silent(&registry, &suite.path, &changed));
    }
    missed
}

/// The changed leaves of which the problems of the suite do not tell, each as often as it was changed.
fn silent(registry: &Registry, path: &str, changed: &[(&String, String)]) -> Vec<String> {
    let told = |leaf: &str| {
        // An empty list or map that grew is told of by its first element.
        let names = [format!("`{leaf}` is "), format!("`{leaf}.0`"), format!("`{leaf}.x`")];
        let ours = registry.problems().iter().filter(|problem| problem.file == path);
        ours.filter(|problem| names.iter().any(|name| problem.message.contains(name))).count()
    };
    let due = |leaf: &str| changed.iter().filter(|(_, other)| other == leaf).count();
    let silent = changed.iter().filter(|(_, leaf)| told(leaf) < due(leaf));
    silent.map(|(id, leaf)| format!("{id}: {leaf}")).collect()
}

#[test]
fn no_expected_leaf_of_a_computed_case_can_be_altered_unseen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (specs, golden) = disk::read(root).unwrap();
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let suites = registry.entries().par_iter().filter_map(|entry| Some((entry, entry.suite.as_ref()?)));
    let missed: Vec<String> =
        suites.flat_map_iter(|(entry, suite)| missed(entry, suite, &specs, &golden)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(registry.entries().iter().any(|entry| entry.suite.is_some()), "nothing was looked at");
}
