//! Placeholders for the stages of a breakdown, from its schema alone: no port is asked.

use assay_harness::toml_text;
use assay_model::Tree;
use serde_json::Value;

/// Records inside records are filled in down to here; below that a list stays empty.
const DEEPEST: usize = 6;
/// Elements that a list of a fixed length is filled with at most.
const LONGEST: u64 = 64;
/// Characters of a remark behind a stage.
const REMARK: usize = 72;

/// One stage that a case has to expect.
pub struct Stage {
    /// Dotted path.
    path: Vec<String>,
    /// A value of the right type.
    value: Tree,
    /// Whether the port may leave it out.
    optional: bool,
    /// What it is, as the schema says.
    remark: String,
}

impl Stage {
    /// The step of a derivation that gives it.
    pub fn step(&self) -> String {
        self.line(&format!("{} = {}", self.path.join("."), expression(&self.value)), "")
    }

    /// The line of `[case.expect]` that expects it.
    pub fn expectation(&self) -> String {
        let path: Vec<String> = self.path.iter().map(|part| toml_text::key(part)).collect();
        self.line(&format!("{} = {}", path.join("."), toml_text::value(&self.value)), &self.remark)
    }

    fn line(&self, text: &str, remark: &str) -> String {
        let (mark, remark) = (if self.optional { "# " } else { "" }, remark.trim());
        if remark.is_empty() { format!("{mark}{text}") } else { format!("{mark}{text}  # {remark}") }
    }

    /// Whether the port may leave it out, so that it stands there as a comment.
    pub const fn is_optional(&self) -> bool {
        self.optional
    }
}

/// Every stage of a breakdown: those that are always there in the order of the type, then the optional ones. Where none
/// is always there all of them stand uncommented, since a case that expects nothing does not load.
pub fn of(breakdown: &Value) -> Vec<Stage> {
    let mut stages = Vec::new();
    descend(breakdown, &mut Vec::new(), false, String::new(), &mut stages);
    if stages.iter().all(Stage::is_optional) {
        for stage in &mut stages {
            stage.optional = false;
        }
    }
    stages
}

fn descend(schema: &Value, path: &mut Vec<String>, optional: bool, remark: String, found: &mut Vec<Stage>) {
    let chosen = choose(schema);
    let stages = fields(chosen);
    if stages.is_empty() || path.len() >= DEEPEST {
        let value = placeholder(chosen, path.len());
        found.push(Stage { path: path.clone(), value, optional, remark });
        return;
    }
    for (name, field, required) in stages {
        path.push(name.to_owned());
        descend(field, path, optional || !required, said(field), found);
        path.pop();
    }
}

/// Name, schema and whether it is always there, of each field of an object.
fn fields(schema: &Value) -> Vec<(&str, &Value, bool)> {
    let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
    // `required` is in the order of the type; the properties are sorted by name.
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let always = required.iter().filter_map(|name| Some((*name, properties.get(*name)?, true)));
    let rest = properties.iter().filter(|(name, _)| !required.contains(&name.as_str()));
    always.chain(rest.map(|(name, field)| (name.as_str(), field, false))).collect()
}

/// The first alternative that is more than `null`.
fn choose(schema: &Value) -> &Value {
    for key in ["anyOf", "oneOf"] {
        let mut alternatives = schema[key].as_array().into_iter().flatten();
        if let Some(first) = alternatives.find(|schema| schema["type"] != "null") {
            return choose(first);
        }
    }
    schema
}

/// A value that the schema allows: zero, false, empty, the first word; the lower bound where zero is below it.
fn placeholder(schema: &Value, depth: usize) -> Tree {
    let schema = choose(schema);
    if let Some(word) = schema.get("const").or_else(|| schema["enum"].as_array()?.first()) {
        return Tree::from_json(word.to_string().as_bytes()).unwrap_or(Tree::Null);
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kind {
        Some("boolean") => Tree::Bool(false),
        Some("integer") => Tree::Int(bound(schema).map_or(0, |least| least as i64)),
        Some("number") => Tree::Float(bound(schema).unwrap_or(0.0)),
        Some("string") => Tree::Text(String::new()),
        Some("array") => list(schema, depth),
        Some("object") => {
            let there = fields(schema).into_iter().filter(|(_, _, required)| *required);
            Tree::Map(
                there.map(|(name, field, _)| (name.to_owned(), placeholder(field, depth + 1))).collect(),
            )
        }
        _ => Tree::Null,
    }
}

/// The lower bound, where zero is below it.
fn bound(schema: &Value) -> Option<f64> {
    schema["minimum"].as_f64().filter(|least| *least > 0.0)
}

/// One element to show the form, or as many as there must be.
fn list(schema: &Value, depth: usize) -> Tree {
    if depth >= DEEPEST {
        return Tree::List(Vec::new());
    }
    if let Some(each) = schema["prefixItems"].as_array() {
        return Tree::List(each.iter().map(|item| placeholder(item, depth + 1)).collect());
    }
    let count = schema["minItems"].as_u64().unwrap_or(1).clamp(1, LONGEST);
    let one = placeholder(&schema["items"], depth + 1);
    Tree::List(vec![one; count as usize])
}

/// A value in the language of derivations.
fn expression(value: &Tree) -> String {
    match value {
        Tree::List(items) => format!("[{}]", items.iter().map(expression).collect::<Vec<_>>().join(", ")),
        Tree::Map(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name}: {}", expression(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// The first sentence of what a schema says of itself.
fn said(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let first = line.split(". ").next().unwrap_or_default().trim_end_matches('.');
    match first.char_indices().nth(REMARK) {
        Some((end, _)) => format!("{}…", &first[..end]),
        None => first.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_sort_of_stage_has_a_placeholder_of_its_type() {
        let schema = json!({ "type": "object", "required": ["z", "word", "inner", "pair", "many", "real"], "properties": {
            "z": { "type": "integer", "minimum": 3, "description": "The last letter. And more." },
            "word": { "oneOf": [{ "type": "null" }, { "const": "red", "type": "string" }] },
            "inner": { "type": "object", "required": ["a"], "properties": {
                "a": { "type": ["boolean", "null"] }, "b": { "type": "string" } } },
            "pair": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "integer" } },
            "many": { "type": "array", "items": { "type": "object", "required": ["k"],
                "properties": { "k": { "enum": ["x", "y"] }, "l": { "type": "integer" } } } },
            "real": { "anyOf": [{ "type": "number" }, { "type": "string" }] },
            "maybe": { "type": "integer" },
        } });
        let stages = of(&schema);
        let steps: Vec<String> = stages.iter().map(Stage::step).collect();
        let expected = [
            "z = 3",
            "word = \"red\"",
            "inner.a = false",
            "# inner.b = \"\"",
            "pair = [0, 0]",
            "many = [{k: \"x\"}]",
            "real = 0.0",
            "# maybe = 0",
        ];
        assert_eq!(steps, expected);
        assert_eq!(stages[0].expectation(), "z = 3  # The last letter");
        assert_eq!(stages[5].expectation(), "many = [{ k = \"x\" }]");
        // Where nothing is always there, everything is.
        let loose = json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "boolean" } } });
        assert_eq!(of(&loose).iter().map(Stage::step).collect::<Vec<_>>(), ["a = 0", "b = false"]);
    }
}
