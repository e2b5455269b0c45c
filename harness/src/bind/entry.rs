//! Where port and spec must say the same: the games they list, and the defaults.

use crate::locate::Locator;
use assay_model::{Meta, Problem, Rule, Tree};
use assay_oracles::Spec;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Display;

/// The games of the spec are the games of the port.
pub(crate) fn spec_games(meta: &Meta, spec: &Spec) -> Option<Problem> {
    let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) =
        (spec.games.iter().collect(), meta.games.iter().collect());
    (ours != theirs).then(|| {
        let list = |games: &BTreeSet<&assay_model::Game>| {
            games.iter().map(|game| game.as_str()).collect::<Vec<_>>().join(", ")
        };
        let message = format!("the spec is for {}, the port lists {}", list(&ours), list(&theirs));
        front(
            Rule::Pairing,
            spec,
            &[&"games"],
            message,
            "a game is listed where evidence, port and cases are",
        )
    })
}

/// The defaults that derivations use are the defaults that the port's schema states. An input whose default differs
/// between games has none in the schema, since that says one value for all.
pub(crate) fn schema_defaults(spec: &Spec, input_schema: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let property = |name: &str| input_schema.get("properties").and_then(|properties| properties.get(name));
    for (name, value) in spec.defaults.entries() {
        let by_game = spec.defaults_by_game.values().any(|map| map.get(name).is_some());
        let Some(property) = property(name) else {
            let message = format!("the port has no input `{name}`");
            problems.push(front(Rule::Defaults, spec, &[&"defaults", name], message, ""));
            continue;
        };
        let stated = property.get("default").map(tree).unwrap_or(Tree::Null);
        if !by_game && !same(value, &stated) {
            let message = format!("`{name}` defaults to {value} here and to {stated} in the port");
            let help = "one of the two is not what the executable's constructor gives";
            problems.push(front(Rule::Defaults, spec, &[&"defaults", name], message, help));
        }
    }
    for (game, map) in &spec.defaults_by_game {
        for (name, _) in map.entries() {
            if property(name).is_none() {
                let place: [&dyn Display; 3] = [&"defaults_by_game", game, name];
                let message = format!("the port has no input `{name}`");
                problems.push(front(Rule::Defaults, spec, &place, message, ""));
            }
        }
    }
    problems
}

fn same(a: &Tree, b: &Tree) -> bool {
    crate::compare::compare(a, b, crate::compare::EXACT).is_ok()
}

fn tree(value: &Value) -> Tree {
    // JSON to JSON: a value that serialises reads back.
    Tree::from_json(value.to_string().as_bytes()).unwrap_or(Tree::Null)
}

/// A problem in the front matter of a spec.
fn front(rule: Rule, spec: &Spec, path: &[&dyn Display], message: String, help: &str) -> Problem {
    const FENCE: &str = "+++\n";
    let body = spec.text.strip_prefix(FENCE).unwrap_or_default();
    let matter = body.split_once("\n+++").map_or("", |(matter, _)| matter);
    let mut problem = Locator::new(&spec.path, matter).problem(rule, path, message, help);
    // The opening fence is a line of its own.
    problem.line += 1;
    problem
}
