//! What the tests share.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses its own part of this")]

pub mod http;
pub mod rpc;
pub mod synthetic;

use assay_gateway::corpus::embedded;
use assay_gateway::snapshot::Gateway;
use assay_gateway::surface::Tool;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, OnceLock};

/// One gateway over the embedded corpus for all tests of a binary.
pub fn gateway() -> &'static Arc<Gateway> {
    static GATEWAY: OnceLock<Arc<Gateway>> = OnceLock::new();
    GATEWAY.get_or_init(|| Arc::new(Gateway::new(None)))
}

/// Calls a tool and gives the envelope, which must fit the schema that the tool announces.
pub fn call(tool: Tool, arguments: &Value) -> Value {
    call_on(gateway(), tool, arguments)
}

/// The same on another gateway.
pub fn call_on(gateway: &Gateway, tool: Tool, arguments: &Value) -> Value {
    let reply = gateway.call(tool, arguments);
    let envelope: Value = serde_json::from_str(&reply.envelope().to_string()).unwrap();
    let schema = tool.output_schema();
    if let Err(error) = jsonschema::validate(&schema, &envelope) {
        panic!("{} answers against its own schema: {error}", tool.name());
    }
    envelope
}

/// The worked example.
pub fn worked_example() -> Value {
    json!({ "weapon_damage": 100, "verses": 0.75, "cell_spread": 2.0, "distance": 128 })
}

/// Runs the built binary with colours off.
pub fn assay(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// The built binary, ready to be spawned; away from any checkout, so that no note depends on where tests run.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.args(arguments).env("NO_COLOR", "1").current_dir(std::env::temp_dir());
    command
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The text with everything taken out that changes from build to build: digests, publication times, durations.
pub fn redact(text: &str) -> String {
    let mut redacted = String::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once('\n')) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let hex = word.len() >= 12
            && word.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase());
        let time = !word.is_empty() && ["\"ut\":", "\"ut\": "].iter().any(|key| redacted.ends_with(key));
        redacted.push_str(if hex {
            "[digest]"
        } else if time {
            "0"
        } else {
            &word
        });
        word.clear();
        redacted.push(c);
    }
    redacted.pop();
    redacted
}

/// Writes the embedded corpus as a checkout.
pub fn checkout(root: &Path) {
    let (specs, golden) = embedded();
    for (path, text) in specs.texts.iter().chain(&golden.texts) {
        let place = root.join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }
    std::fs::create_dir_all(root.join("ports")).unwrap();
}

/// The same without sweeps, which are most of what a run costs, and with the lock of what is left.
pub fn locked_checkout(root: &Path) {
    static LOCKED: OnceLock<Vec<(PathBuf, String)>> = OnceLock::new();
    checkout(root);
    let (_, golden) = embedded();
    for (path, text) in golden.texts.iter().filter(|(path, _)| path.ends_with("/cases.toml")) {
        std::fs::write(root.join(path), without_sweeps(text)).unwrap();
    }
    // A lock that stands holds on to what it names; one that is written from nothing does not.
    std::fs::remove_file(root.join("golden/index.lock")).unwrap();
    let locked = LOCKED.get_or_init(|| {
        lock(root);
        let schemas = std::fs::read_dir(root.join("golden/schema")).unwrap();
        let schemas = schemas.map(|file| Path::new("golden/schema").join(file.unwrap().file_name()));
        let paths = schemas.chain([PathBuf::from("golden/index.lock")]);
        paths.map(|path| (path.clone(), std::fs::read_to_string(root.join(path)).unwrap())).collect()
    });
    std::fs::create_dir_all(root.join("golden/schema")).unwrap();
    for (path, text) in locked {
        std::fs::write(root.join(path), text).unwrap();
    }
}

fn without_sweeps(suite: &str) -> String {
    let mut sweep = false;
    let kept = suite.lines().filter(|line| {
        if line.starts_with("[[") {
            sweep = *line == "[[sweep]]";
        }
        !sweep
    });
    let text = kept.collect::<Vec<_>>().join("\n");
    format!("{}\n", text.trim_end())
}

/// What people do after they changed a case.
pub fn lock(root: &Path) {
    let output = assay(&["lock", "--root", root.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Changes the first number below `value`.
pub fn bend(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => {
            *value = Value::from(number.as_f64().unwrap() as i64 + 1);
            true
        }
        Value::Array(items) => items.iter_mut().any(bend),
        Value::Object(members) => members.values_mut().any(bend),
        _ => false,
    }
}

/// Changes a file of a checkout, which must be another afterwards.
pub fn edit(root: &Path, path: &str, change: impl FnOnce(String) -> String) {
    let place = root.join(path);
    let text = std::fs::read_to_string(&place).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "{path} did not change");
    std::fs::write(place, changed).unwrap();
}

/// Changes the first value that the first vector of a file expects, so that the port drifts from it. Gives the id of
/// that case.
pub fn bend_vector(root: &Path, path: &str) -> String {
    let mut id = String::new();
    edit(root, path, |text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut vector: Value = serde_json::from_str(&lines[1]).unwrap();
        assert!(bend(&mut vector["out"]), "{vector}");
        id = vector["id"].as_str().unwrap().to_owned();
        lines[1] = vector.to_string();
        lines.join("\n") + "\n"
    });
    let parts: Vec<&str> = path.split('/').collect();
    let stem = parts[4].trim_end_matches(".jsonl");
    format!("{}/{}/{stem}.{id}", parts[1], parts[2])
}

/// A file of recorded vectors.
pub fn vectors() -> String {
    let (_, golden) = embedded();
    golden.texts.keys().find(|path| path.ends_with(".jsonl")).unwrap().clone()
}
