//! What is wrong with arguments: every violation with its place, and how to mend it.

mod hints;

pub use hints::describe as wants;

use crate::envelope::{map, text};
use assay_model::Tree;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;
use std::collections::BTreeMap;

/// More violations than this are not listed.
pub const MAX_VIOLATIONS: usize = 16;
const MAX_MESSAGE: usize = 200;

/// One thing wrong with the arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// JSON Pointer of the offending value; for a missing property, where it belongs.
    pub pointer: String,
    /// The schema keyword that refuses it.
    pub keyword: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Violation {
    /// A violation found outside a schema.
    pub fn new(pointer: &str, keyword: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), keyword: keyword.into(), message: message.into(), hint: hint.into() }
    }

    /// As it stands in an envelope.
    #[must_use]
    pub fn tree(&self) -> Tree {
        map([
            ("pointer", text(&self.pointer)),
            ("keyword", text(&self.keyword)),
            ("message", text(&self.message)),
            ("hint", text(&self.hint)),
        ])
    }
}

/// A schema with its compiled validator.
pub struct Checked {
    schema: Value,
    validator: Validator,
}

impl Checked {
    /// Compiles a schema. Patterns run in linear time, and no reference leaves the document.
    ///
    /// # Errors
    /// What the compiler says of a schema that is not one.
    pub fn new(schema: Value) -> Result<Self, String> {
        let options = jsonschema::draft202012::options().with_pattern_options(PatternOptions::regex());
        let validator = options.build(&schema).map_err(|error| error.to_string())?;
        Ok(Self { schema, validator })
    }

    /// The schema.
    #[must_use]
    pub const fn schema(&self) -> &Value {
        &self.schema
    }

    /// Everything wrong with `instance`, by pointer and keyword, at most [`MAX_VIOLATIONS`].
    #[must_use]
    pub fn violations(&self, instance: &Value) -> Vec<Violation> {
        if self.validator.is_valid(instance) {
            return Vec::new();
        }
        let evaluation = self.validator.evaluate(instance);
        let leaves: Vec<Leaf> = evaluation
            .iter_errors()
            .map(|entry| Leaf {
                schema: entry.schema_location.to_owned(),
                instance: entry.instance_location.as_str().to_owned(),
                keyword: entry.error.keyword().to_owned(),
                message: entry.error.message().to_owned(),
            })
            .collect();
        let mut violations = Vec::new();
        for leaf in choose_branches(leaves) {
            self.explain(&leaf, instance, &mut violations);
        }
        violations.sort();
        violations.dedup_by(|a, b| a.pointer == b.pointer && a.keyword == b.keyword);
        violations.truncate(MAX_VIOLATIONS);
        violations
    }

    fn explain(&self, leaf: &Leaf, instance: &Value, violations: &mut Vec<Violation>) {
        let (owner, _) = leaf.schema.rsplit_once('/').unwrap_or_default();
        let schema = self.schema.pointer(owner).unwrap_or(&Value::Null);
        let value = instance.pointer(&leaf.instance).unwrap_or(&Value::Null);
        match leaf.keyword.as_str() {
            "required" => {
                for name in hints::missing(schema, value) {
                    let hint = format!("add it: {}", hints::describe(&schema["properties"][name]));
                    violations.push(Violation::new(
                        &child(&leaf.instance, name),
                        "required",
                        format!("`{name}` is missing"),
                        hint,
                    ));
                }
            }
            "additionalProperties" => {
                for name in hints::unexpected(schema, value) {
                    violations.push(Violation::new(
                        &child(&leaf.instance, name),
                        "additionalProperties",
                        format!("`{name}` is not an argument here"),
                        hints::did_you_mean(schema, name),
                    ));
                }
            }
            keyword => {
                let message = shorten(&leaf.message);
                violations.push(Violation::new(&leaf.instance, keyword, message, hints::describe(schema)));
            }
        }
    }
}

/// One error of the evaluation.
struct Leaf {
    schema: String,
    instance: String,
    keyword: String,
    message: String,
}

/// A value that fits no form of a union fails in all of them, and most of what they say is beside the point. Keeps the
/// forms whose discriminator and type fit; where none stands out, one violation names all the forms.
fn choose_branches(leaves: Vec<Leaf>) -> Vec<Leaf> {
    let mut unions: BTreeMap<String, Vec<Leaf>> = BTreeMap::new();
    let mut kept = Vec::new();
    for leaf in leaves {
        match union_of(&leaf.schema) {
            Some((union, _)) => unions.entry(union).or_default().push(leaf),
            None => kept.push(leaf),
        }
    }
    for (union, leaves) in unions {
        let place =
            leaves.iter().map(|leaf| leaf.instance.clone()).min_by_key(String::len).unwrap_or_default();
        let keyword = union.rsplit('/').next().unwrap_or_default().to_owned();
        let mut branches: BTreeMap<String, Vec<Leaf>> = BTreeMap::new();
        for leaf in leaves {
            if let Some((_, branch)) = union_of(&leaf.schema) {
                branches.entry(branch).or_default().push(leaf);
            }
        }
        branches.retain(|_, leaves| !leaves.iter().any(|leaf| contradicts(leaf, &place)));
        if branches.len() == 1 {
            kept.extend(branches.into_values().flatten());
        } else {
            let message = "fits none of the forms".to_owned();
            kept.push(Leaf { schema: union, instance: place, keyword, message });
        }
    }
    kept
}

/// Whether a leaf says that its branch was not meant: another type as a whole, or another discriminator.
fn contradicts(leaf: &Leaf, place: &str) -> bool {
    let inside = leaf.instance.strip_prefix(place).unwrap_or(&leaf.instance);
    match leaf.keyword.as_str() {
        "type" => inside.is_empty(),
        "const" | "enum" => inside.matches('/').count() <= 1,
        _ => false,
    }
}

/// The outermost union that a schema location runs through, and the branch of it.
fn union_of(location: &str) -> Option<(String, String)> {
    let start =
        ["/anyOf/", "/oneOf/"].iter().filter_map(|word| Some((location.find(word)?, word.len()))).min()?;
    let union = start.0 + start.1 - 1;
    let branch = location[union + 1..].find('/').map_or(location.len(), |length| union + 1 + length);
    Some((location[..union].to_owned(), location[union + 1..branch].to_owned()))
}

fn child(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn shorten(message: &str) -> String {
    if message.chars().count() <= MAX_MESSAGE {
        return message.to_owned();
    }
    let head: String = message.chars().take(MAX_MESSAGE / 2).collect();
    let tail: Vec<char> = message.chars().rev().take(MAX_MESSAGE / 2).collect();
    format!("{head} … {}", tail.into_iter().rev().collect::<String>())
}

#[cfg(test)]
mod tests;
