//! What violations look like: pointer, keyword, message, hint and order.

use super::*;
use serde_json::json;

fn check(schema: Value, instance: Value) -> Vec<(String, String, String)> {
    let checked = Checked::new(schema).unwrap();
    let violations = checked.violations(&instance);
    violations.into_iter().map(|v| (v.pointer, v.keyword, v.hint)).collect()
}

fn damage() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["weapon_damage", "game"],
        "properties": {
            "weapon_damage": { "type": "integer", "minimum": 0, "maximum": 255 },
            "game": { "type": "string", "enum": ["TS", "YR"] },
            "cell_spread": { "type": ["number", "string"], "maxLength": 8 },
            "layers": { "type": "array", "maxItems": 2, "items": { "type": "integer", "minimum": 1, "maximum": 9 } },
            "shape": {
                "oneOf": [
                    { "type": "object", "additionalProperties": false, "required": ["kind", "radius"],
                      "properties": { "kind": { "const": "circle" }, "radius": { "type": "integer" } } },
                    { "type": "object", "additionalProperties": false, "required": ["kind", "side"],
                      "properties": { "kind": { "const": "square" }, "side": { "type": "integer" } } },
                ]
            },
            "maybe": { "anyOf": [{ "type": "integer", "maximum": 5 }, { "type": "null" }] },
        }
    })
}

fn one(instance: Value) -> (String, String, String) {
    let mut all = check(damage(), instance);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn parts(of: &(String, String, String)) -> (&str, &str, &str) {
    (&of.0, &of.1, &of.2)
}

#[test]
fn valid_arguments_have_no_violations() {
    assert!(check(damage(), json!({ "weapon_damage": 1.0, "game": "TS", "cell_spread": "2" })).is_empty());
}

#[test]
fn every_violation_is_listed_by_pointer_then_keyword() {
    let all =
        check(damage(), json!({ "weapon_damage": 300, "game": "RA3", "cellspread": 1, "layers": [0, 1, 2] }));
    let all: Vec<_> = all.iter().map(parts).collect();
    assert_eq!(
        all,
        [
            ("/cellspread", "additionalProperties", "did you mean `cell_spread`?"),
            ("/game", "enum", "one of TS, YR"),
            ("/layers", "maxItems", "a list of at most 2, each an integer from 1 to 9"),
            ("/layers/0", "minimum", "an integer from 1 to 9"),
            ("/weapon_damage", "maximum", "an integer from 0 to 255"),
        ]
    );
}

#[test]
fn missing_arguments_are_named_where_they_belong() {
    let all = check(damage(), json!({}));
    let all: Vec<_> = all.iter().map(parts).collect();
    assert_eq!(
        all,
        [
            ("/game", "required", "add it: one of TS, YR"),
            ("/weapon_damage", "required", "add it: an integer from 0 to 255"),
        ]
    );
}

#[test]
fn types_name_every_form() {
    let found = one(json!({ "weapon_damage": 1, "game": "TS", "cell_spread": true }));
    assert_eq!(parts(&found), ("/cell_spread", "type", "a number or text of at most 8 characters"));
}

#[test]
fn unions_speak_only_of_the_form_that_was_meant() {
    let base = |shape: Value| json!({ "weapon_damage": 1, "game": "TS", "shape": shape });
    let found = one(base(json!({ "kind": "square", "side": "x" })));
    assert_eq!(parts(&found), ("/shape/side", "type", "an integer"));
    let found = one(base(json!({ "kind": "star" })));
    assert_eq!((found.0.as_str(), found.1.as_str()), ("/shape", "oneOf"));
    let found = one(json!({ "weapon_damage": 1, "game": "TS", "maybe": 9 }));
    assert_eq!(parts(&found), ("/maybe", "maximum", "an integer up to 5"));
    let found = one(json!({ "weapon_damage": 1, "game": "TS", "maybe": "x" }));
    assert_eq!(parts(&found), ("/maybe", "anyOf", "an integer up to 5, or null"));
}

#[test]
fn lists_are_capped_and_messages_short() {
    let schema = json!({ "type": "array", "maxItems": 99, "items": { "type": "integer" } });
    let instance = Value::Array(vec![json!("x".repeat(1000)); 40]);
    let violations = Checked::new(schema).unwrap().violations(&instance);
    assert_eq!(violations.len(), MAX_VIOLATIONS);
    assert!(violations.iter().all(|v| v.message.chars().count() < 220));
}

#[test]
fn references_never_leave_the_document() {
    assert!(Checked::new(json!({ "$ref": "https://example.com/x.json" })).is_err());
}
