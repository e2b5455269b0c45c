//! `assay list`, `find` and `describe`: the same answers as the tools give, laid out for people.

use super::arguments::{Describe, Find, List, word};
use super::output::{FAINT, STRONG, WARN, paint};
use super::render::{fold, table};
use super::run::finish;
use crate::envelope::{Reply, map, unsigned};
use crate::snapshot::Gateway;
use crate::surface::{FIND_LIMIT_MAX, Tool};
use crate::validate::wants;
use assay_model::Tree;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

const WIDTH: usize = 100;

pub(super) fn list(gateway: &Gateway, list: &List) -> Result<u8, String> {
    let mut call = Map::new();
    let words = [
        ("area", list.area.map(|area| area.to_string())),
        ("kind", list.kind.map(|kind| kind.to_string())),
        ("status", list.status.map(|status| status.to_string())),
    ];
    call.extend(words.into_iter().filter_map(|(name, word)| Some((name.to_owned(), json!(word?)))));
    if !list.game.is_empty() {
        call.insert("games".into(), json!(list.game));
    }
    call.insert("limit".into(), json!(FIND_LIMIT_MAX));
    let mut rows = Vec::new();
    let reply = loop {
        let reply = gateway.call(Tool::Find, &Value::Object(call.clone()));
        let Ok(data) = &reply.outcome else { break reply };
        if let Some(Tree::List(page)) = data.get("capabilities") {
            rows.extend(page.iter().cloned());
        }
        match data.get("next_cursor").and_then(Tree::as_str) {
            Some(cursor) => drop(call.insert("cursor".into(), json!(cursor))),
            None => {
                let data = map([("count", unsigned(rows.len() as u64)), ("capabilities", Tree::List(rows))]);
                break Reply { outcome: Ok(data), ..reply };
            }
        }
    };
    finish(&reply, list.format, rows_table)
}

fn rows_table(data: &Tree) -> String {
    let Some(Tree::List(capabilities)) = data.get("capabilities") else { return String::new() };
    let heading = ["AREA", "NAME", "KIND", "GAMES", "STATUS"].map(str::to_owned).to_vec();
    let rows = capabilities.iter().map(|row| {
        vec![leaf(row, "area"), leaf(row, "name"), leaf(row, "kind"), games(row), leaf(row, "status")]
    });
    let rows: Vec<Vec<String>> = std::iter::once(heading).chain(rows).collect();
    let count = capabilities.len();
    format!("{}{count} {}\n", table(&rows), if count == 1 { "capability" } else { "capabilities" })
}

pub(super) fn find(gateway: &Gateway, find: &Find) -> Result<u8, String> {
    let reply = gateway.call(Tool::Find, &json!({ "query": find.query.join(" "), "limit": find.limit }));
    finish(&reply, find.format, |data| {
        let Some(Tree::List(capabilities)) = data.get("capabilities") else { return String::new() };
        let mut text = String::new();
        for row in capabilities {
            let weak = if row.get("weak").is_some() { paint(WARN, "  weak match") } else { String::new() };
            let facts = [leaf(row, "area"), leaf(row, "kind"), games(row), leaf(row, "status")].join(", ");
            let name = paint(STRONG, &leaf(row, "name"));
            let _ = writeln!(
                text,
                "{name}  {}{weak}\n  {}",
                paint(FAINT, &facts),
                fold(&leaf(row, "summary"), 2, WIDTH)
            );
        }
        if capabilities.is_empty() {
            let _ = writeln!(text, "nothing matches; there are the areas {}", joined(data, "areas"));
        }
        text
    })
}

pub(super) fn describe(gateway: &Gateway, describe: &Describe) -> Result<u8, String> {
    let reply =
        gateway.call(Tool::Describe, &json!({ "name": describe.name, "detail": word(&describe.detail) }));
    finish(&reply, describe.format, described)
}

fn described(data: &Tree) -> String {
    let name = leaf(data, "name");
    let mut text = format!(
        "{}  {}\n",
        paint(STRONG, &name),
        paint(FAINT, &[leaf(data, "area"), leaf(data, "kind")].join(", "))
    );
    let _ = writeln!(text, "{}\n", fold(&leaf(data, "summary"), 0, WIDTH));
    // A service entry is for no game and has no units.
    if let Some(games) = data.get("games") {
        let mut rows = vec![["GAME", "STATUS", "TIER"].map(str::to_owned).to_vec()];
        for (game, standing) in games.entries() {
            rows.push(vec![game.clone(), leaf(standing, "status"), leaf(standing, "tier")]);
        }
        text.push_str(&table(&rows));
    }
    if let Some(Tree::List(missing)) = data.get("missing") {
        for line in missing.iter().filter_map(Tree::as_str) {
            let _ = writeln!(text, "{} {line}", paint(WARN, "missing"));
        }
    }
    if let Some(units) = data.get("units") {
        let _ = writeln!(text, "\nunits: {}\n", fold(&leaf_of(units), 7, WIDTH));
    }
    let schema = data.get("schema").map(crate::envelope::value).unwrap_or_default();
    text.push_str(&arguments(&schema));
    let example = data.get("example").map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "\n{}\n  assay run {name} --args '{example}'", paint(FAINT, "EXAMPLE"));
    for extra in [spec(data), cases(data), evidence(data)].into_iter().flatten() {
        let _ = write!(text, "\n{extra}");
    }
    text
}

fn arguments(schema: &Value) -> String {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    let mut text = format!("{}\n", paint(FAINT, "ARGUMENTS"));
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let default = match property.get("default") {
            _ if required(name) => "required".to_owned(),
            Some(Value::String(default)) => format!("default {default}"),
            Some(default) => format!("default {default}"),
            None => "optional".to_owned(),
        };
        let about = property["description"].as_str().unwrap_or_default();
        let _ = writeln!(
            text,
            "  {}  {}; {default}\n      {}",
            paint(STRONG, name),
            wants(property),
            fold(about, 6, WIDTH)
        );
    }
    text
}

fn spec(data: &Tree) -> Option<String> {
    Some(leaf_of(data.get("spec")?))
}

fn cases(data: &Tree) -> Option<String> {
    let Tree::List(cases) = data.get("cases")? else { return None };
    let heading = ["CASE", "GAME", "KIND", "TITLE"].map(str::to_owned).to_vec();
    let rows = cases
        .iter()
        .map(|row| vec![leaf(row, "id"), leaf(row, "game"), leaf(row, "kind"), leaf(row, "title")]);
    Some(table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>()))
}

fn evidence(data: &Tree) -> Option<String> {
    let Tree::List(clauses) = data.get("clauses")? else { return None };
    let mut text = format!("{}\n", paint(FAINT, "CLAUSES"));
    for clause in clauses {
        let tiers = clause.get("tiers").map_or(&[][..], Tree::entries).iter();
        let tiers: Vec<String> = tiers.map(|(game, tier)| format!("{game} {}", leaf_of(tier))).collect();
        let _ = writeln!(text, "  {}  {}", paint(STRONG, &leaf(clause, "id")), leaf(clause, "title"));
        let _ = writeln!(text, "      {}; sources: {}", tiers.join(", "), joined(clause, "sources"));
        if let Some(open) = clause.get("open") {
            let _ = writeln!(text, "      {} {}", paint(WARN, "open:"), fold(&leaf_of(open), 6, WIDTH));
        }
    }
    let _ = writeln!(text, "\n{}", paint(FAINT, "SOURCES"));
    for (id, source) in data.get("sources").map_or(&[][..], Tree::entries) {
        let facts =
            [leaf(source, "kind"), leaf(source, "subject"), format!("group {}", leaf(source, "group"))];
        let _ = writeln!(
            text,
            "  {}  {}\n      {}",
            paint(STRONG, id),
            facts.join(", "),
            fold(&leaf(source, "where"), 6, WIDTH)
        );
    }
    Some(text)
}

fn games(row: &Tree) -> String {
    joined(row, "games")
}

fn joined(row: &Tree, name: &str) -> String {
    match row.get(name) {
        Some(Tree::List(items)) => items.iter().filter_map(Tree::as_str).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

fn leaf(row: &Tree, name: &str) -> String {
    row.get(name).map(leaf_of).unwrap_or_default()
}

fn leaf_of(leaf: &Tree) -> String {
    match leaf {
        Tree::Text(text) => text.clone(),
        Tree::Null => "none".to_owned(),
        other => other.to_string(),
    }
}
