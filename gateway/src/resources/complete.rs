//! Completing the variables of templates and the arguments of prompts.

use super::{TEMPLATES, variables};
use crate::guides;
use crate::services;
use crate::snapshot::Snapshot;
use assay_harness::Entry;
use std::collections::BTreeSet;

/// Values that one answer holds at most: the protocol's own limit.
const MOST: usize = 100;

/// What is being completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of<'a> {
    /// A variable of this template.
    Template(&'a str),
    /// An argument of this prompt.
    Prompt(&'a str),
}

/// Values that fit what has been typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// Those that begin so, then those that have it in them; at most a hundred.
    pub values: Vec<String>,
    /// How many there are.
    pub total: usize,
}

/// Completes `argument` from what has been typed of it. `settled` gives the arguments that are settled already.
///
/// # Errors
/// A message for people when there is no such template, prompt or argument.
pub fn complete<'s>(
    snapshot: &Snapshot,
    of: Of<'_>,
    argument: &str,
    typed: &str,
    settled: impl Fn(&str) -> Option<&'s str>,
) -> Result<Completions, String> {
    let known: Vec<&str> = match of {
        Of::Template(uri) => {
            let template = TEMPLATES.iter().find(|template| template.uri == uri);
            variables(template.ok_or_else(|| format!("no template is `{uri}`"))?.uri).collect()
        }
        Of::Prompt(name) => {
            let guide = guides::named(name).ok_or_else(|| format!("no prompt is called `{name}`"))?;
            if guide.about_one { vec!["capability"] } else { Vec::new() }
        }
    };
    if !known.contains(&argument) {
        return Err(format!("`{argument}` is no argument here; there are: {}", known.join(", ")));
    }
    Ok(fitting(candidates(snapshot, of, argument, settled), typed))
}

fn candidates<'s>(
    snapshot: &Snapshot,
    of: Of<'_>,
    argument: &str,
    settled: impl Fn(&str) -> Option<&'s str>,
) -> BTreeSet<String> {
    let entries = || {
        let area = settled("area");
        let all = snapshot.registry().entries().iter();
        all.filter(move |entry| area.is_none_or(|area| entry.area().as_str() == area))
    };
    match (argument, of) {
        ("name", Of::Template(uri)) if uri.starts_with("oracle://guide/") => {
            guides::all().iter().map(|guide| guide.name.to_owned()).collect()
        }
        ("name", Of::Template(uri)) if uri.starts_with("oracle://capability/") => {
            let services = services::ALL.iter().map(|service| service.name);
            entries().map(Entry::name).chain(services).map(str::to_owned).collect()
        }
        ("name" | "capability", _) => entries().map(|entry| entry.name().to_owned()).collect(),
        ("area", _) => entries().map(|entry| entry.area().to_string()).collect(),
        ("case", _) => {
            let capability = settled("capability");
            let of_one = |id: &&str| {
                let mut parts = id.splitn(3, '/');
                let (area, name) = (parts.next(), parts.next());
                settled("area").is_none_or(|wanted| area == Some(wanted)) && name == capability
            };
            let ids = snapshot.registry().ids().filter(of_one);
            ids.filter_map(|id| id.splitn(3, '/').nth(2)).map(str::to_owned).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Those that begin with what was typed come first; each part by name.
fn fitting(candidates: BTreeSet<String>, typed: &str) -> Completions {
    let typed = typed.to_lowercase();
    let (mut values, mut inside) = (Vec::new(), Vec::new());
    for candidate in candidates {
        match candidate.to_lowercase().find(&typed) {
            Some(0) => values.push(candidate),
            Some(_) => inside.push(candidate),
            None => {}
        }
    }
    values.append(&mut inside);
    let total = values.len();
    values.truncate(MOST);
    Completions { values, total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_come_before_middles_and_the_answer_is_bounded() {
        let names = ["compute_ore", "ore_growth", "storage", "turn"].map(str::to_owned);
        let found = fitting(names.into_iter().collect(), "OR");
        assert_eq!(found.values, ["ore_growth", "compute_ore", "storage"]);
        let many = fitting((0..300).map(|n| format!("n{n}")).collect(), "n");
        assert_eq!((many.values.len(), many.total), (100, 300));
    }
}
