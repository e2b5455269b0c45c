//! Editor schemas, generated from the types that the loader reads, so that the two cannot drift apart.

use crate::load::known::KnownFailures;
use assay_model::{SuiteFile, VectorHeader};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

/// Where the schemas stand.
pub const FOLDER: &str = "golden/schema";

/// Every schema as path and text, in path order. Draft-07: what editors for TOML understand.
#[must_use]
pub fn schemas() -> Vec<(String, String)> {
    let ours = [
        ("cases.schema.json", of::<SuiteFile>("A golden suite: golden/<area>/<capability>/cases.toml")),
        (
            "known-failures.schema.json",
            of::<KnownFailures>("Known failures of these ports: ports/known-failures.toml"),
        ),
        (
            "vectors.schema.json",
            of::<VectorHeader>("First line of golden/<area>/<capability>/vectors/*.jsonl"),
        ),
    ];
    let ours = ours.into_iter().map(|(name, schema)| (name.to_owned(), schema));
    let theirs = assay_oracles::schemas().into_iter().map(|(name, schema)| (name.to_owned(), dated(schema)));
    let mut all: Vec<(String, String)> =
        ours.chain(theirs).map(|(name, schema)| (format!("{FOLDER}/{name}"), print(&schema))).collect();
    all.sort();
    all
}

/// Says which JSON Schema it is, which editors want to know.
fn dated(mut schema: Value) -> Value {
    if let Some(root) = schema.as_object_mut() {
        root.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    }
    plain(&mut schema);
    schema
}

fn of<T: JsonSchema>(title: &str) -> Value {
    let mut schema =
        SchemaSettings::draft07().for_deserialize().into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    if let Some(root) = schema.as_object_mut() {
        root.insert("title".to_owned(), json!(title));
    }
    schema
}

/// Drops what says nothing in these files: integer formats, of which validators warn, and `null`, which TOML cannot
/// write.
fn plain(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(map) => {
            if map.get("default") == Some(&Value::Null) {
                map.remove("default");
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(mut choices)) = map.remove("anyOf") {
                choices.retain(|choice| choice != &json!({ "type": "null" }));
                // A reference with a description beside it stands in an `allOf` in draft-07.
                let word = if choices.len() == 1 { "allOf" } else { "anyOf" };
                map.insert(word.to_owned(), Value::Array(choices));
            }
            let number = |kind: &Value| kind == "integer" || kind == "number";
            if map.get("type").is_some_and(number) {
                map.remove("format");
            }
            map.values_mut().for_each(plain);
        }
        _ => {}
    }
}

fn print(schema: &Value) -> String {
    // A JSON value always prints.
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_draft_07_closed_and_say_what_fields_are() {
        let all = schemas();
        let (path, text) = all.iter().find(|(path, _)| path.ends_with("/cases.schema.json")).unwrap();
        assert_eq!(path, "golden/schema/cases.schema.json");
        let schema: Value = serde_json::from_str(text).unwrap();
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
        assert_eq!(schema["additionalProperties"], false);
        assert!(schema["properties"]["case"]["description"].as_str().unwrap().contains("hand-written"));
        for newer in ["$defs", "prefixItems", "unevaluatedProperties", "dependentRequired", "\"format\": \"u"]
        {
            assert!(!text.contains(newer), "{newer}");
        }
    }
}
