//! What clients and people see, word for word. Digests and times are taken out; whatever else changes, somebody should
//! have meant to change it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::mcp::tools;
use assay_gateway::surface::Tool;
use insta::assert_snapshot;
use serde_json::{Value, json};
use support::{assay, call, redact, stdout, worked_example};

fn pretty(value: &Value) -> String {
    redact(&format!("{value:#}"))
}

/// A description without what its capability has earned so far.
fn described(name: &str) -> String {
    let mut envelope = call(Tool::Describe, &json!({ "name": name }));
    let data = envelope["data"].as_object_mut().unwrap();
    data.remove("missing");
    data["status"] = json!("[standing]");
    for standing in data["games"].as_object_mut().unwrap().values_mut() {
        *standing = json!("[standing]");
    }
    pretty(&envelope)
}

/// What a command prints, without what capabilities have earned so far.
fn shown(arguments: &[&str]) -> String {
    let text = redact(&stdout(&assay(arguments)));
    let lines = text.lines().filter(|line| !line.starts_with("missing ") && !line.starts_with("       TS:"));
    let words = ["verified", "partial", "high-confidence", "in-progress", "initial"];
    let lines = lines.map(|line| {
        let line = words.iter().fold(line.to_owned(), |line, word| line.replace(word, "[standing]"));
        // Words of other lengths move the columns.
        let moved = line.contains("[standing]") && !line.starts_with(' ');
        if moved { line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n" } else { line + "\n" }
    });
    lines.collect()
}

#[test]
fn tools_list() {
    assert_snapshot!(pretty(&json!(tools())));
}

#[test]
fn describe_compute_damage() {
    assert_snapshot!(described("compute_damage"));
}

#[test]
fn describe_simulate_random_stream() {
    assert_snapshot!(described("simulate_random_stream"));
}

#[test]
fn run_refused() {
    let arguments = json!({ "weapon_damage": 1, "cellspread": "wide", "game": "RA2" });
    assert_snapshot!(pretty(&call(Tool::Run, &json!({ "name": "compute_damage", "arguments": arguments }))));
}

#[test]
fn cli_help() {
    assert_snapshot!(shown(&["--help"]));
}

#[test]
fn cli_list() {
    assert_snapshot!(shown(&["list"]));
}

#[test]
fn cli_find() {
    assert_snapshot!(shown(&[
        "find", "how", "much", "does", "a", "shell", "hurt", "a", "tank", "--limit", "3"
    ]));
}

#[test]
fn cli_describe() {
    assert_snapshot!(shown(&["describe", "compute_prone_damage"]));
}

#[test]
fn cli_run() {
    assert_snapshot!(shown(&["run", "compute_damage", "--args", &worked_example().to_string()]));
}
