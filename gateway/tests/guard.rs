//! Every registered capability can be found, described, run and judged.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::surface::Tool;
use assay_harness::Entry;
use assay_model::{Area, Game, Output};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::{call, gateway, worked_example};

/// Runs `check` on each capability and names all that fail.
fn each(check: impl Fn(&Entry) -> Result<(), String>) {
    let snapshot = gateway().snapshot().unwrap();
    let entries = snapshot.registry().entries();
    assert!(!entries.is_empty());
    let failed: Vec<String> = entries
        .iter()
        .filter_map(|entry| check(entry).err().map(|why| format!("{}: {why}", entry.name())))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn must(good: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if good { Ok(()) } else { Err(why()) }
}

#[test]
fn metadata_is_whole() {
    each(|entry| {
        let meta = entry.port.meta();
        let starts = ["compute_", "simulate_", "inspect_", "decode_", "parse_", "verify_"];
        // Decoders are called after their format first, as the field does: `mix_list`, `aud_decode`.
        let formats = [Area::Assets, Area::Audio, Area::Map];
        let named = formats.contains(&meta.area) || starts.iter().any(|start| meta.name.starts_with(start));
        must(named, || "name starts with no known verb".into())?;
        must(
            meta.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
            || "name is not lower-case words".into(),
        )?;
        must(meta.area != Area::Service, || "an engine system in the service area".into())?;
        must(!meta.games.is_empty() && meta.games.is_sorted(), || {
            "games are missing or out of order".into()
        })?;
        let summary = meta.summary;
        let length = summary.chars().count();
        must((10..=160).contains(&length), || format!("summary has {length} characters"))?;
        must(summary.ends_with('.') && !summary.trim_end_matches('.').contains(". "), || {
            "summary is not one sentence".into()
        })?;
        must(!meta.units.is_empty() && !meta.aliases.is_empty(), || "units or aliases are missing".into())?;
        must(meta.aliases.iter().all(|alias| alias.split(' ').count() <= 5), || {
            "an alias is a sentence".into()
        })
    });
}

/// Where a schema is open, unbounded or refers elsewhere.
fn loose(schema: &Value, path: &str, found: &mut Vec<String>) {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(word) => vec![word],
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let has = |key: &str| schema.get(key).is_some();
    let mut wrong = |why: &str| found.push(format!("{path}: {why}"));
    for word in types {
        match word {
            "integer" if !(has("minimum") && has("maximum") || has("enum")) => {
                wrong("integer without bounds");
            }
            "array" if !has("maxItems") => wrong("list without maxItems"),
            "string" if !(has("maxLength") || has("enum") || has("const")) => wrong("text without maxLength"),
            "object" if schema.get("additionalProperties").is_none_or(|open| *open == json!(true)) => {
                wrong("open object");
            }
            _ => {}
        }
    }
    if schema["$ref"].as_str().is_some_and(|target| !target.starts_with('#')) {
        wrong("reference to another document");
    }
    if path.matches('/').count() > 24 {
        wrong("nested too deep");
        return;
    }
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                named.iter().for_each(|(name, inner)| loose(inner, &format!("{path}/{key}/{name}"), found));
            }
            ("default" | "enum" | "const" | "examples", _) => {}
            (_, Value::Array(items)) => {
                items.iter().for_each(|inner| loose(inner, &format!("{path}/{key}"), found));
            }
            (_, Value::Object(_)) => loose(value, &format!("{path}/{key}"), found),
            _ => {}
        }
    }
}

#[test]
fn schemas_are_valid_closed_and_bounded() {
    each(|entry| {
        let schema = &entry.input_schema;
        must(jsonschema::draft202012::meta::is_valid(schema), || "input schema is no 2020-12 schema".into())?;
        must(jsonschema::draft202012::meta::is_valid(&entry.breakdown_schema), || {
            "breakdown schema is no 2020-12 schema".into()
        })?;
        let size = schema.to_string().len();
        must(size <= 64 * 1024, || format!("input schema has {size} bytes"))?;
        let mut found = Vec::new();
        loose(schema, "", &mut found);
        must(found.is_empty(), || found.join(", "))?;
        let games: BTreeSet<String> = entry.port.meta().games.iter().map(ToString::to_string).collect();
        let offered = schema.pointer("/properties/game/enum").and_then(Value::as_array);
        let offered =
            offered.map(|games| games.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        must(offered.is_none_or(|offered: BTreeSet<String>| offered == games), || {
            "the games of the schema are not those of the metadata".into()
        })
    });
}

#[test]
fn the_check_for_loose_schemas_finds_them() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "type": "integer", "minimum": 0 },
        "b": { "type": ["array", "null"], "items": { "type": "string" } },
        "c": { "$ref": "https://example.com/x.json" },
        "d": { "anyOf": [{ "type": "object", "additionalProperties": false }, { "type": "string", "enum": ["x"] }] },
    } });
    let mut found = Vec::new();
    loose(&schema, "", &mut found);
    assert_eq!(found.len(), 5, "{found:?}");
}

#[test]
fn each_has_a_spec_and_cases_for_every_game() {
    let snapshot = gateway().snapshot().unwrap();
    each(|entry| {
        must(snapshot.registry().spec(entry.name()).is_some(), || "no spec".into())?;
        let suite = entry.suite.as_ref().ok_or("no suite, or a broken one")?;
        let games: BTreeSet<Game> = (suite.cases.iter().map(|case| case.entry.game))
            .chain(suite.sweeps.iter().map(|sweep| sweep.entry.game))
            .chain(suite.vectors.iter().map(|file| file.header.game))
            .collect();
        let lacking: Vec<String> = entry
            .port
            .meta()
            .games
            .iter()
            .filter(|game| !games.contains(game))
            .map(ToString::to_string)
            .collect();
        must(lacking.is_empty(), || format!("no case for {}", lacking.join(", ")))
    });
}

fn run(entry: &Entry, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut output = Output::default();
    entry.port.run(input, &mut output).map_err(|error| error.to_string())?;
    Ok(output.json)
}

#[test]
fn examples_validate_run_and_repeat_exactly() {
    let snapshot = gateway().snapshot().unwrap();
    each(|entry| {
        let input = entry.port.meta().example.as_bytes();
        let instance: Value = serde_json::from_slice(input).map_err(|error| error.to_string())?;
        let checked = snapshot.checked(entry.name()).map_err(|refusal| refusal.message)?;
        let violations = checked.violations(&instance);
        must(violations.is_empty(), || format!("the example does not validate: {violations:?}"))?;
        let first = run(entry, input)?;
        must(run(entry, input)? == first, || "a second run differs".into())?;
        let other = std::thread::scope(|scope| {
            let threads = [scope.spawn(|| run(entry, input)), scope.spawn(|| run(entry, input))];
            threads.map(|thread| thread.join().unwrap())
        });
        must(other.iter().all(|run| run.as_ref() == Ok(&first)), || "another thread differs".into())?;
        let breakdown: Value = serde_json::from_slice(&first).map_err(|error| error.to_string())?;
        must(jsonschema::is_valid(&entry.breakdown_schema, &breakdown), || {
            "the breakdown is off its schema".into()
        })?;
        let reply = call(Tool::Run, &json!({ "name": entry.name(), "arguments": instance }));
        must(reply["ok"] == json!(true), || format!("run_capability refuses: {reply}"))
    });
}

#[test]
fn every_capability_is_listed_and_described() {
    each(|entry| {
        for detail in ["schema", "docs", "cases", "evidence"] {
            let reply = call(Tool::Describe, &json!({ "name": entry.name(), "detail": detail }));
            must(reply["ok"] == json!(true), || format!("describe {detail}: {reply}"))?;
            must(reply["data"]["schema"] == entry.input_schema, || "another schema".into())?;
        }
        Ok(())
    });
}

#[test]
fn the_worked_example_gives_75_and_with_half_at_the_edge_65() {
    let answer = |arguments: &Value| {
        let reply = call(Tool::Run, &json!({ "name": "compute_damage", "arguments": arguments }));
        assert_eq!(reply["ok"], json!(true), "{reply}");
        reply["data"].clone()
    };
    let data = answer(&worked_example());
    assert_eq!(data["breakdown"]["result"], json!(75), "{data}");
    assert_eq!((&data["game"], &data["capability"]), (&json!("YR"), &json!("compute_damage")));
    let mut half = worked_example();
    half["percent_at_max"] = json!(0.5);
    assert_eq!(answer(&half)["breakdown"]["result"], json!(65));
}
