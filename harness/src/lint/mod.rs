//! What a researcher wants to be told before anything runs: every problem of the registry, and besides what is no
//! reason to refuse a run but a slip all the same. Some of it is mechanical, and [`mend`] mends that.
//!
//! The rules of this folder look at one file at a time, as text with places; the registry has looked at what files say
//! together.

mod digits;
mod layout;
mod locked;
mod mend;
mod order;
mod sheet;
mod stages;

use crate::registry::{Entry, Registry};
use assay_model::{Files, Problem};
use rayon::prelude::*;
use sheet::{Finding, Sheet};
use std::collections::BTreeMap;

pub use mend::{Mended, mend};

/// Everything wrong with the corpus that the registry was built from, in file and line order; warnings included.
#[must_use]
pub fn lint(registry: &Registry, specs: &Files, golden: &Files) -> Vec<Problem> {
    let locked = locked::lines(registry);
    let texts: Vec<(&str, &str)> =
        specs.texts.iter().chain(&golden.texts).map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let found: Vec<Vec<Problem>> =
        texts.par_iter().map(|(path, text)| file(registry, &locked, path, text)).collect();
    let mut problems = registry.problems().to_vec();
    problems.extend(found.into_iter().flatten());
    problems.sort();
    problems.dedup();
    problems
}

fn file(
    registry: &Registry,
    locked: &BTreeMap<String, crate::lock::Line>,
    path: &str,
    text: &str,
) -> Vec<Problem> {
    let Some(sheet) = Sheet::of(path, text) else {
        return locked::vectors(registry, locked, path);
    };
    let entry = entry(registry, path);
    let mut findings = mechanical(&sheet, entry);
    if let Some(entry) = entry {
        stages::complete(&sheet, entry, &mut findings);
        locked::suite(&sheet, registry, entry, locked.get(&entry.path()), &mut findings);
    }
    findings.into_iter().map(|finding| finding.problem).collect()
}

/// The capability whose suite stands at a path.
fn entry<'a>(registry: &'a Registry, path: &str) -> Option<&'a Entry> {
    let ["golden", _, name, "cases.toml"] = path.split('/').collect::<Vec<_>>()[..] else { return None };
    registry.get(name).filter(|entry| path == format!("golden/{}/cases.toml", entry.path()))
}

/// What can be mended without knowing what it means.
fn mechanical(sheet: &Sheet, entry: Option<&Entry>) -> Vec<Finding> {
    let mut findings = Vec::new();
    layout::lines(sheet, &mut findings);
    digits::floats(sheet, &mut findings);
    order::in_format(sheet, &mut findings);
    if let Some(entry) = entry {
        stages::order(sheet, entry, &mut findings);
    }
    findings
}
