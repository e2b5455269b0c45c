//! Whether a derivation and a breakdown say the same, leaf by leaf.
//!
//! Used both ways round: for a computed case the breakdown is the hand-written expectation, for a sweep it is what the
//! port returned.

use assay_model::Tree;
use assay_oracles::derive::Steps;

/// One leaf on which the two do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Disagreement {
    /// Dotted path of the leaf.
    pub stage: String,
    /// What the derivation gives there; `None` if it gives nothing.
    pub derived: Option<String>,
    /// What stands in the breakdown, or `nothing`.
    pub found: String,
}

/// Every disagreement, in stage order. A `null` that no step reaches is a stage that is not there.
pub(crate) fn disagreements(steps: &Steps, breakdown: &Tree) -> Vec<Disagreement> {
    let mut found = Vec::new();
    walk(steps, breakdown, &mut String::new(), &mut found);
    found
}

fn walk(steps: &Steps, value: &Tree, path: &mut String, found: &mut Vec<Disagreement>) {
    match value {
        Tree::Map(entries) if !entries.is_empty() => {
            for (name, child) in entries {
                descend(path, name, |path| walk(steps, child, path, found));
            }
        }
        Tree::List(items) if !items.is_empty() => {
            for (index, child) in items.iter().enumerate() {
                descend(path, &index.to_string(), |path| walk(steps, child, path, found));
            }
            // A derived list that goes on has a next element.
            descend(path, &items.len().to_string(), |path| {
                if let Some(more) = derived(steps, path) {
                    found.push(Disagreement {
                        stage: path.clone(),
                        derived: Some(more),
                        found: "nothing".to_owned(),
                    });
                }
            });
        }
        leaf if steps.agrees(path, leaf).is_ok() => {}
        leaf => {
            let derived = derived(steps, path);
            if derived.is_some() || *leaf != Tree::Null {
                found.push(Disagreement { stage: path.clone(), derived, found: leaf.to_string() });
            }
        }
    }
}

fn descend(path: &mut String, name: &str, body: impl FnOnce(&mut String)) {
    let length = path.len();
    if length > 0 {
        path.push('.');
    }
    path.push_str(name);
    body(path);
    path.truncate(length);
}

/// What the derivation gives at a path, as people read it.
pub(crate) fn derived(steps: &Steps, path: &str) -> Option<String> {
    steps.leaf(path).map(|value| value.to_string())
}

/// The first step that names a stage, by the top-level stages of the breakdown, which `breakdown` leaves out.
pub(crate) fn left_out(steps: &Steps, stages: &[String], breakdown: &Tree) -> Option<Disagreement> {
    let missing = steps.names().find(|name| {
        let mut parts = name.split('.');
        let top = parts.next().unwrap_or_default();
        stages.iter().any(|stage| stage == top) && reach(breakdown, name).is_none()
    })?;
    Some(Disagreement {
        stage: missing.to_owned(),
        derived: derived(steps, missing),
        found: "nothing".to_owned(),
    })
}

/// The value at a dotted path of a breakdown.
pub(crate) fn reach<'a>(tree: &'a Tree, path: &str) -> Option<&'a Tree> {
    path.split('.').try_fold(tree, |node, part| match node {
        Tree::List(items) => items.get(part.parse::<usize>().ok()?),
        other => other.get(part),
    })
}
