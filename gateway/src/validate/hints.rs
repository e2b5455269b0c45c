//! Saying in a few words what a schema wants.

use crate::search::tokens::distance;
use serde_json::Value;

/// Names listed in a hint at most.
const MAX_NAMES: usize = 24;

/// Required properties that `value` lacks.
pub fn missing<'a>(schema: &'a Value, value: &Value) -> Vec<&'a str> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    required.filter(|name| value.get(name).is_none()).collect()
}

/// Properties of `value` that a closed schema does not know.
pub fn unexpected<'a>(schema: &Value, value: &'a Value) -> Vec<&'a str> {
    let names = value.as_object().into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
    names.filter(|name| schema["properties"].get(name).is_none()).collect()
}

/// The known property that a misspelt one is closest to, or all of them.
pub fn did_you_mean(schema: &Value, name: &str) -> String {
    let known = || schema["properties"].as_object().into_iter().flat_map(serde_json::Map::keys);
    let squeeze = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    let wanted = squeeze(name);
    let limit = (wanted.chars().count() / 3).max(1);
    let close = known().map(|other| (distance(&wanted, &squeeze(other), limit), other)).min();
    if let Some((edits, other)) = close.filter(|(edits, _)| *edits <= limit) {
        let _ = edits;
        return format!("did you mean `{other}`?");
    }
    let names: Vec<&str> = known().map(String::as_str).take(MAX_NAMES).collect();
    if names.is_empty() {
        return "leave it out: nothing is taken here".to_owned();
    }
    let more = if known().count() > names.len() { ", …" } else { "" };
    format!("leave it out, or use one of: {}{more}", names.join(", "))
}

/// What a schema wants, such as `an integer from 0 to 255`.
pub fn describe(schema: &Value) -> String {
    for union in ["anyOf", "oneOf"] {
        if let Some(forms) = schema[union].as_array() {
            let forms: Vec<String> = forms.iter().map(describe).collect();
            return forms.join(", or ");
        }
    }
    if let Some(forms) = schema.as_array() {
        return forms.iter().map(describe).collect::<Vec<_>>().join(", or ");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(bare).collect();
        return format!("one of {}", values.join(", "));
    }
    if let Some(value) = schema.get("const") {
        return bare(value);
    }
    let types = match &schema["type"] {
        Value::String(word) => vec![word.as_str()],
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
        _ => return "see the schema that describe_capability gives".to_owned(),
    };
    types.iter().map(|word| form(schema, word)).collect::<Vec<_>>().join(" or ")
}

fn form(schema: &Value, word: &str) -> String {
    let bound = |key: &str| schema.get(key).map(bare);
    match word {
        "integer" | "number" => {
            let word = if word == "integer" { "an integer" } else { "a number" };
            let range = match (bound("minimum"), bound("maximum")) {
                (Some(low), Some(high)) => format!(" from {low} to {high}"),
                (Some(low), None) => format!(" from {low} up"),
                (None, Some(high)) => format!(" up to {high}"),
                (None, None) => String::new(),
            };
            format!("{word}{range}")
        }
        "string" => {
            let length = bound("maxLength").map(|most| format!(" of at most {most} characters"));
            let pattern = bound("pattern").map(|pattern| format!(" matching {pattern}"));
            format!("text{}{}", length.unwrap_or_default(), pattern.unwrap_or_default())
        }
        "array" => {
            let count = match (bound("minItems"), bound("maxItems")) {
                (Some(low), Some(high)) if low == high => format!(" of exactly {high}"),
                (Some(low), Some(high)) => format!(" of {low} to {high}"),
                (None, Some(high)) => format!(" of at most {high}"),
                _ => String::new(),
            };
            let items = schema.get("items").filter(|items| items.is_object()).map(describe);
            format!("a list{count}{}", items.map_or_else(String::new, |items| format!(", each {items}")))
        }
        "object" => "an object".to_owned(),
        "boolean" => "true or false".to_owned(),
        other => other.to_owned(),
    }
}

/// A value as people write it: text without quotes.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
