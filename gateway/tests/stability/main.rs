//! The promise to clients: names, arguments and paths are only ever added.
//!
//! `baseline.json` is what has been promised. What is new has to be recorded in it, which
//! `ASSAY_BASELINE=write cargo test -p assay-gateway --test stability` does; it refuses as long as anything is broken. New
//! capabilities are recorded with the next release: they come every day.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod checker;
#[path = "../support/mod.rs"]
mod support;

use assay_gateway::documents::PATHS;
use assay_gateway::guides;
use assay_gateway::http::document;
use assay_gateway::resources::{TEMPLATES, variables};
use assay_gateway::services;
use assay_gateway::surface::Tool;
use assay_gateway::toolset::Toolset;
use checker::{added, breaks};
use serde_json::{Map, Value, json};
use std::path::Path;
use support::gateway;

/// What a schema says beside what it allows.
const REMARKS: [&str; 5] = ["description", "title", "default", "examples", "$schema"];

/// A schema without remarks. Below `properties`, keys are names.
fn bare(schema: &Value, names: bool) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(|item| bare(item, false)).collect(),
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| names || !REMARKS.contains(&key.as_str()));
            kept.map(|(key, value)| (key.clone(), bare(value, !names && key == "properties"))).collect()
        }
        other => other.clone(),
    }
}

/// Everything that a client may rely on now.
fn surface() -> Value {
    let mut surface = Map::new();
    for tool in Tool::ALL {
        let both = json!({ "input": bare(&tool.input_schema(), false), "output": bare(&tool.output_schema(), false) });
        surface.insert(format!("tool {}", tool.name()), both);
    }
    for template in TEMPLATES {
        // A variable that is gone, or new in the path, is another template.
        let taken: Map<String, Value> =
            variables(template.uri).map(|name| (name.to_owned(), json!({ "type": "string" }))).collect();
        let path = template.uri.split("{?").next().unwrap_or_default();
        surface.insert(
            format!("resource {path}"),
            json!({ "input": { "type": "object", "properties": taken } }),
        );
    }
    for guide in guides::all() {
        let taken = if guide.about_one { json!({ "capability": { "type": "string" } }) } else { json!({}) };
        surface.insert(
            format!("prompt {}", guide.name),
            json!({ "input": { "type": "object", "properties": taken } }),
        );
    }
    for service in services::ALL {
        let schema: Value = serde_json::from_str(&service.schema().to_string()).unwrap();
        surface.insert(format!("service {}", service.name), json!({ "input": bare(&schema, false) }));
    }
    for path in PATHS {
        surface.insert(format!("GET {path}"), json!({}));
    }
    surface.extend(described());
    for entry in gateway().snapshot().unwrap().registry().entries() {
        surface.insert(
            format!("capability {}", entry.name()),
            json!({ "input": bare(&entry.input_schema, false) }),
        );
    }
    Value::Object(surface)
}

/// The paths of the HTTP interface: parameters and body are what one takes.
fn described() -> Map<String, Value> {
    let document = document(Toolset::ALL, false);
    let mut found = Map::new();
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let mut input = json!({ "type": "object", "properties": {}, "required": [] });
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = &parameter["name"];
                input["properties"][name.as_str().unwrap()] = bare(&parameter["schema"], false);
                if parameter["required"] == json!(true) {
                    input["required"].as_array_mut().unwrap().push(name.clone());
                }
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            if !body.is_null() {
                input["properties"]["body"] = bare(body, false);
            }
            found.insert(format!("{} {path}", method.to_uppercase()), json!({ "input": input }));
        }
    }
    found
}

#[test]
fn what_was_promised_is_kept() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stability/baseline.json");
    let baseline: Value = match std::fs::read_to_string(&place) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(_) => json!({}),
    };
    let now = surface();
    let broken = breaks(&baseline, &now);
    assert!(broken.is_empty(), "these break clients:\n{}", broken.join("\n"));
    if std::env::var("ASSAY_BASELINE").is_ok_and(|what| what == "write") {
        std::fs::write(&place, format!("{now:#}\n")).unwrap();
        return;
    }
    let (capabilities, others): (Vec<&str>, Vec<&str>) =
        added(&baseline, &now).into_iter().partition(|name| name.starts_with("capability "));
    println!("capabilities that are not promised yet: {capabilities:?}");
    assert!(others.is_empty(), "record what is new with ASSAY_BASELINE=write: {others:?}");
}

/// The check sees through to the real thing: each part of the surface, taken away, is missed.
#[test]
fn nothing_of_the_surface_can_be_taken_away() {
    let now = surface();
    for name in now.as_object().unwrap().keys() {
        let mut less = now.clone();
        less.as_object_mut().unwrap().remove(name);
        assert_eq!(breaks(&now, &less).len(), 1, "{name}");
    }
    let mut stricter = now.clone();
    stricter["tool find_capabilities"]["input"]["required"] = json!(["query"]);
    assert_eq!(breaks(&now, &stricter), ["tool find_capabilities input: `query` is required now"]);
    let mut smaller = now.clone();
    smaller["tool verify_spec"]["input"]["properties"]["limit"]["maximum"] = json!(50);
    assert_eq!(breaks(&now, &smaller), ["tool verify_spec input/limit: maximum was 100 and is 50"]);
    let mut silent = now.clone();
    silent["tool run_capability"]["output"]["required"] = json!(["ok", "data"]);
    assert_eq!(breaks(&now, &silent).len(), 2);
}
