//! What counts as a break: everything that a call which was right yesterday, or a reader of its answer, would notice.
//!
//! A surface is a map from operations (`tool run_capability`, `GET /llms.txt`) to what they take and give, both as JSON
//! Schema. Operations, arguments and values are only ever added.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Whether a schema describes what is taken or what is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What was accepted must be accepted.
    Input,
    /// What was given must be given.
    Output,
}

/// Bounds, and whether a larger value is the stricter one for an input.
const BOUNDS: [(&str, bool); 10] = [
    ("minimum", true),
    ("exclusiveMinimum", true),
    ("minLength", true),
    ("minItems", true),
    ("minProperties", true),
    ("maximum", false),
    ("exclusiveMaximum", false),
    ("maxLength", false),
    ("maxItems", false),
    ("maxProperties", false),
];

/// Everything in which `new` breaks the promise of `old`, in order; none when things were only added.
pub fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let nothing = Map::new();
    let (old, new) = (old.as_object().unwrap_or(&nothing), new.as_object().unwrap_or(&nothing));
    for (name, was) in old {
        let Some(is) = new.get(name) else {
            found.push(format!("{name} is gone{}", renamed(was, old, new)));
            continue;
        };
        for (key, side) in [("input", Side::Input), ("output", Side::Output)] {
            match (was.get(key), is.get(key)) {
                (Some(was), Some(is)) => schema(was, is, side, &format!("{name} {key}"), &mut found),
                (Some(_), None) => found.push(format!("{name} says no longer what its {key} is")),
                // An argument where none was taken breaks nobody, unless it is required.
                (None, Some(is)) if side == Side::Input => {
                    schema(
                        &serde_json::json!({ "type": "object" }),
                        is,
                        side,
                        &format!("{name} {key}"),
                        &mut found,
                    );
                }
                (None, _) => {}
            }
        }
    }
    found
}

/// Names that are new, so that nobody is promised them yet.
pub fn added<'a>(old: &Value, new: &'a Value) -> Vec<&'a str> {
    let names = new.as_object().into_iter().flat_map(Map::keys);
    names.filter(|name| old.get(name).is_none()).map(String::as_str).collect()
}

/// The new name of something that is gone, if one of the new things is just like it.
fn renamed(was: &Value, old: &Map<String, Value>, new: &Map<String, Value>) -> String {
    let like = new.iter().find(|(name, is)| !old.contains_key(*name) && *is == was);
    like.map(|(name, _)| format!(" (renamed to {name}?)")).unwrap_or_default()
}

fn schema(old: &Value, new: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    types(old, new, side, at, found);
    values(old, new, side, at, found);
    members(old, new, side, at, found);
    forms(old, new, side, at, found);
    if side == Side::Input {
        bounds(old, new, at, found);
    }
    match (old.get("items"), new.get("items")) {
        (Some(old), Some(new)) => schema(old, new, side, &format!("{at}/items"), found),
        (None, Some(_)) if side == Side::Input && has_type(old, "array") => {
            found.push(format!("{at}: elements are restricted now"));
        }
        (Some(_), None) if side == Side::Output => found.push(format!("{at}: elements may be anything now")),
        _ => {}
    }
}

fn has_type(schema: &Value, word: &str) -> bool {
    type_set(schema).is_some_and(|types| types.contains(word))
}

/// The types that are allowed, `None` for all. Every integer is a number.
fn type_set(schema: &Value) -> Option<BTreeSet<String>> {
    let words = match schema.get("type")? {
        Value::String(word) => vec![word.clone()],
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return None,
    };
    let mut types: BTreeSet<String> = words.into_iter().collect();
    if types.contains("number") {
        types.insert("integer".to_owned());
    }
    Some(types)
}

fn types(old: &Value, new: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    let (wide, narrow) = match side {
        Side::Input => (type_set(new), type_set(old)),
        Side::Output => (type_set(old), type_set(new)),
    };
    let fits = match (&wide, &narrow) {
        (None, _) => true,
        (Some(_), None) => {
            old.get("anyOf").is_some() || old.get("oneOf").is_some() || old.get("enum").is_some()
        }
        (Some(wide), Some(narrow)) => narrow.is_subset(wide),
    };
    if !fits {
        let shown = |schema: &Value| schema.get("type").map_or("anything".to_owned(), ToString::to_string);
        found.push(format!("{at}: the type was {} and is {}", shown(old), shown(new)));
    }
}

/// Closed lists of values. One that is given may grow; clients are told to expect that.
fn values(old: &Value, new: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    let listed = |schema: &Value| {
        let one = schema.get("const").map(|value| vec![value.clone()]);
        one.or_else(|| schema.get("enum").and_then(Value::as_array).cloned())
    };
    match (listed(old), listed(new), side) {
        (Some(old), Some(new), Side::Input) => {
            for value in old.iter().filter(|value| !new.contains(value)) {
                found.push(format!("{at}: the value {value} is gone"));
            }
        }
        (None, Some(_), Side::Input) => found.push(format!("{at}: only listed values are accepted now")),
        (Some(_), None, Side::Output) => found.push(format!("{at}: any value may be given now")),
        _ => {}
    }
}

fn members(old: &Value, new: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    let nothing = Map::new();
    let properties = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned();
    let (was, is) = (properties(old), properties(new).unwrap_or_default());
    for (name, old) in was.as_ref().unwrap_or(&nothing) {
        match is.get(name) {
            Some(new) => schema(old, new, side, &format!("{at}/{name}"), found),
            None => {
                let hint = renamed(old, was.as_ref().unwrap_or(&nothing), &is);
                found.push(format!("{at}: `{name}` is gone{hint}"));
            }
        }
    }
    let required = |schema: &Value| -> BTreeSet<String> {
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (old_names, new_names) = (required(old), required(new));
    match side {
        Side::Input => {
            for name in new_names.difference(&old_names) {
                found.push(format!("{at}: `{name}` is required now"));
            }
            let closed = |schema: &Value| schema.get("additionalProperties") == Some(&Value::Bool(false));
            if closed(new) && !closed(old) && was.is_some() {
                found.push(format!("{at}: other members are refused now"));
            }
        }
        Side::Output => {
            for name in old_names.difference(&new_names) {
                found.push(format!("{at}: `{name}` may be missing now"));
            }
        }
    }
}

/// Unions: every form that was accepted must fit one that is; every form that is given must fit one that was.
fn forms(old: &Value, new: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    let list = |schema: &Value| -> Option<Vec<Value>> {
        ["anyOf", "oneOf"].iter().find_map(|union| schema.get(union)?.as_array().cloned())
    };
    let (was, is) = match (list(old), list(new)) {
        (None, None) => return,
        // A schema without forms is its own one form.
        (was, is) => (was.unwrap_or_else(|| vec![old.clone()]), is.unwrap_or_else(|| vec![new.clone()])),
    };
    let fits = |old: &Value, new: &Value| {
        let mut breaks = Vec::new();
        schema(old, new, side, "", &mut breaks);
        breaks.is_empty()
    };
    match side {
        Side::Input => {
            for (place, form) in was.iter().enumerate() {
                if !is.iter().any(|other| fits(form, other)) {
                    found.push(format!("{at}: form {place} is no longer accepted as it was"));
                }
            }
        }
        Side::Output => {
            for (place, form) in is.iter().enumerate() {
                if !was.iter().any(|other| fits(other, form)) {
                    found.push(format!("{at}: form {place} may be given now and was not before"));
                }
            }
        }
    }
}

fn bounds(old: &Value, new: &Value, at: &str, found: &mut Vec<String>) {
    for (key, larger_is_stricter) in BOUNDS {
        let number = |schema: &Value| schema.get(key).and_then(Value::as_f64);
        let stricter = match (number(old), number(new)) {
            (Some(old), Some(new)) => {
                if larger_is_stricter {
                    new > old
                } else {
                    new < old
                }
            }
            (None, Some(_)) => old.get("type").is_some(),
            _ => false,
        };
        if stricter {
            let was = old.get(key).map_or("unbounded".to_owned(), ToString::to_string);
            found.push(format!("{at}: {key} was {was} and is {}", new[key]));
        }
    }
    for key in ["pattern", "multipleOf", "format", "uniqueItems"] {
        if new.get(key).is_some() && new.get(key) != old.get(key) && old.get("type").is_some() {
            found.push(format!("{at}: {key} is {} now", new[key]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What breaks when the input, or the output, of one operation changes so.
    fn changed(key: &str, old: Value, new: Value) -> Vec<String> {
        breaks(&json!({ "tool x": { key: old } }), &json!({ "tool x": { key: new } }))
    }

    fn input(old: Value, new: Value) -> String {
        changed("input", old, new).join("; ")
    }

    fn output(old: Value, new: Value) -> String {
        changed("output", old, new).join("; ")
    }

    #[test]
    fn nothing_breaks_when_nothing_or_only_more_is_there() {
        let old = json!({ "type": "object", "required": ["a"], "additionalProperties": false, "properties": {
            "a": { "type": "integer", "minimum": 0, "maximum": 9 }, "b": { "enum": ["x"] } } });
        let mut new = old.clone();
        new["properties"]["c"] = json!({ "type": "string" });
        new["properties"]["b"] = json!({ "enum": ["x", "y"] });
        new["properties"]["a"] = json!({ "type": "number", "minimum": -1, "maximum": 10 });
        new["required"] = json!([]);
        assert_eq!(input(old.clone(), old.clone()), "");
        assert_eq!(input(old, new), "");
        let surface = json!({ "tool x": {} });
        let more =
            json!({ "tool x": { "input": { "type": "object", "properties": { "a": {} } } }, "tool y": {} });
        assert_eq!(breaks(&surface, &more), [""; 0]);
        assert_eq!(added(&surface, &more), ["tool y"]);
        let needed = json!({ "tool x": { "input": { "type": "object", "required": ["a"] } } });
        assert_eq!(breaks(&surface, &needed), ["tool x input: `a` is required now"]);
    }

    #[test]
    fn what_is_gone_is_named_with_what_it_may_be_called_now() {
        let old = json!({ "tool find": { "input": { "type": "object" } }, "GET /llms.txt": {} });
        let gone =
            breaks(&old, &json!({ "tool search": { "input": { "type": "object" } }, "GET /llms.txt": {} }));
        assert_eq!(gone, ["tool find is gone (renamed to tool search?)"]);
        assert_eq!(breaks(&old, &json!({ "tool find": old["tool find"] })), ["GET /llms.txt is gone"]);
        let argument = |name: &str| json!({ "properties": { name: { "type": "string" } } });
        assert_eq!(
            input(argument("name"), argument("title")),
            "tool x input: `name` is gone (renamed to title?)"
        );
        assert_eq!(input(argument("name"), json!({ "properties": {} })), "tool x input: `name` is gone");
        assert!(
            breaks(&json!({ "tool x": { "input": {} } }), &json!({ "tool x": {} }))[0]
                .contains("no longer what")
        );
    }

    #[test]
    fn each_way_of_being_stricter_is_seen() {
        let object = |schema: Value| json!({ "type": "object", "properties": { "a": schema } });
        for (old, new, reason) in [
            (json!({ "type": "integer" }), json!({ "type": "string" }), "/a: the type was"),
            (json!({ "type": "number" }), json!({ "type": "integer" }), "/a: the type was"),
            (json!({ "type": ["integer", "string"] }), json!({ "type": "integer" }), "/a: the type was"),
            (json!({}), json!({ "type": "integer" }), "/a: the type was"),
            (json!({ "enum": ["x", "y"] }), json!({ "enum": ["x"] }), "the value \"y\" is gone"),
            (json!({ "type": "string" }), json!({ "type": "string", "enum": ["x"] }), "only listed values"),
            (
                json!({ "type": "integer", "minimum": 0 }),
                json!({ "type": "integer", "minimum": 1 }),
                "minimum was 0",
            ),
            (
                json!({ "type": "integer", "maximum": 9 }),
                json!({ "type": "integer", "maximum": 8 }),
                "maximum was 9",
            ),
            (
                json!({ "type": "string" }),
                json!({ "type": "string", "maxLength": 9 }),
                "maxLength was unbounded",
            ),
            (json!({ "type": "string" }), json!({ "type": "string", "pattern": "a" }), "pattern is"),
            (
                json!({ "type": "array", "maxItems": 9 }),
                json!({ "type": "array", "maxItems": 5 }),
                "maxItems was 9",
            ),
            (json!({ "type": "array" }), json!({ "type": "array", "items": {} }), "elements are restricted"),
            (
                json!({ "type": "array", "items": { "type": "integer" } }),
                json!({ "type": "array", "items": { "type": "string" } }),
                "/a/items: the type was",
            ),
            (
                json!({ "anyOf": [{ "type": "object" }, { "type": "string" }] }),
                json!({ "anyOf": [{ "type": "object" }] }),
                "form 1 is no longer accepted",
            ),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
                json!({ "type": "string" }),
                "form 1 is no longer accepted",
            ),
        ] {
            let found = input(object(old), object(new));
            assert!(found.contains(reason), "`{reason}` is not in `{found}`");
        }
        let closed = json!({ "properties": {}, "additionalProperties": false });
        assert!(input(json!({ "properties": {} }), closed).contains("other members are refused"));
        let required = json!({ "type": "object", "required": ["b"], "properties": { "a": {}, "b": {} } });
        assert!(input(object(json!({})), required).contains("`b` is required now"));
        let nested = |minimum: u32| {
            object(json!({ "properties": { "b": { "type": "integer", "minimum": minimum } } }))
        };
        assert!(input(nested(0), nested(1)).contains("/a/b: minimum"));
    }

    #[test]
    fn forms_may_be_joined_by_others_or_widened() {
        let two = json!({ "anyOf": [{ "type": "object" }, { "type": "string", "maxLength": 5 }] });
        let three = json!({ "anyOf": [{ "type": "string", "maxLength": 6 }, { "type": "null" }, { "type": "object" }] });
        assert_eq!(input(two.clone(), three), "");
        assert_eq!(input(json!({ "type": "object" }), two), "");
    }

    #[test]
    fn an_answer_may_say_more_but_nothing_less_and_nothing_else() {
        let old = json!({ "type": "object", "required": ["ok"], "properties": {
            "ok": { "type": "boolean" }, "errno": { "enum": ["EIO"] }, "data": { "anyOf": [{ "type": "object" }, { "type": "null" }] } } });
        let mut more = old.clone();
        more["properties"]["hint"] = json!({ "type": "string" });
        more["properties"]["errno"] = json!({ "enum": ["EIO", "EINVAL"] });
        more["required"] = json!(["ok", "hint"]);
        assert_eq!(output(old.clone(), more), "");
        let mut less = old.clone();
        less["required"] = json!([]);
        assert!(output(old.clone(), less).contains("`ok` may be missing now"));
        let mut gone = old.clone();
        gone["properties"].as_object_mut().unwrap().remove("errno");
        assert!(output(old.clone(), gone).contains("`errno` is gone"));
        let mut other = old.clone();
        other["properties"]["ok"] = json!({ "type": ["boolean", "null"] });
        assert!(output(old.clone(), other).contains("/ok: the type was"));
        let mut form = old.clone();
        form["properties"]["data"] = json!({ "anyOf": [{ "type": "object" }, { "type": "array" }] });
        assert!(output(old.clone(), form).contains("form 1 may be given now"));
        let mut anything = old.clone();
        anything["properties"]["errno"] = json!({});
        assert!(output(old, anything).contains("any value may be given now"));
    }
}
