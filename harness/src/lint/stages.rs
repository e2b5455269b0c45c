//! Expected stages beside the breakdown schema of the port: all that it always gives, none that it cannot give, in its
//! order. No port runs for this.

use super::order;
use super::sheet::{Edit, Finding, Sheet, keys};
use crate::nearest::meant;
use crate::registry::Entry;
use assay_model::Rule;
use serde_json::Value as Schema;
use std::ops::Range;
use toml_edit::{InlineTable, Item, Table, TableLike, Value};

/// A schema and the document that its references point into.
#[derive(Clone, Copy)]
struct Shape<'a> {
    root: &'a Schema,
    node: &'a Schema,
}

impl<'a> Shape<'a> {
    fn of(entry: &'a Entry) -> Self {
        Self { root: &entry.breakdown_schema, node: &entry.breakdown_schema }.plain()
    }

    /// Without references and without the choice of `null`.
    fn plain(self) -> Self {
        let mut node = self.node;
        // Schemas are finite, and what refers to itself is no breakdown that a case could write.
        for _ in 0..16 {
            let choice = ["anyOf", "oneOf", "allOf"].iter().find_map(|word| node.get(word)?.as_array());
            let mut real = choice.into_iter().flatten().filter(|choice| !is_null(choice));
            if let Some(path) = node.get("$ref").and_then(Schema::as_str) {
                let Some(found) = path.strip_prefix('#').and_then(|path| self.root.pointer(path)) else {
                    break;
                };
                node = found;
            } else if let (Some(only), None) = (real.next(), real.next()) {
                node = only;
            } else {
                break;
            }
        }
        Self { node, ..self }
    }

    fn stage(self, name: &str) -> Option<Self> {
        let node = self.node.get("properties")?.get(name)?;
        Some(Self { node, ..self })
    }

    fn items(self) -> Option<Self> {
        Some(Self { node: self.node.get("items")?, ..self }.plain())
    }

    /// Stages that are always there, in the order of the port. A stage that may be `null` may be left out.
    fn required(self) -> impl Iterator<Item = (&'a str, bool)> {
        let names = self.node.get("required").and_then(Schema::as_array).into_iter().flatten();
        names
            .filter_map(Schema::as_str)
            .map(move |name| (name, self.stage(name).is_some_and(|stage| !stage.may_be_null())))
    }

    fn may_be_null(self) -> bool {
        let choices = ["anyOf", "oneOf"].iter().filter_map(|word| self.node.get(word)?.as_array()).flatten();
        let types = self.node.get("type").and_then(Schema::as_array).into_iter().flatten();
        choices.into_iter().any(is_null) || types.into_iter().any(|kind| kind == "null")
    }

    /// Whether other stages than the listed ones can come.
    fn is_open(self) -> bool {
        !self.node.get("properties").is_some_and(Schema::is_object)
            || self.node.get("additionalProperties").is_some_and(|more| *more != Schema::Bool(false))
    }
}

fn is_null(schema: &Schema) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// Stages that an expectation lacks, and stages that no breakdown has.
pub(super) fn complete(sheet: &Sheet, entry: &Entry, findings: &mut Vec<Finding>) {
    for case in sheet.tables("case") {
        let Some(expect) = case.get("expect").and_then(Item::as_table_like) else { continue };
        let partial = case.get("partial").and_then(Item::as_bool).unwrap_or(false);
        let place = case.key("expect").and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        let mut walk = Walk { sheet, partial, findings };
        walk.table(Shape::of(entry), expect, place, "");
    }
}

struct Walk<'a, 'f> {
    sheet: &'a Sheet<'a>,
    partial: bool,
    findings: &'f mut Vec<Finding>,
}

impl Walk<'_, '_> {
    fn table(&mut self, shape: Shape, table: &dyn TableLike, place: usize, path: &str) {
        let full = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let known = shape.node.get("properties").and_then(Schema::as_object);
        for (name, item) in table.iter() {
            let place = table.key(name).and_then(toml_edit::Key::span).map_or(place, |span| span.start);
            match shape.stage(name) {
                Some(stage) => self.item(stage.plain(), item, place, &full(name)),
                None if shape.is_open() => {}
                None => {
                    let names = known.into_iter().flatten().map(|(name, _)| name.as_str());
                    let free = names.clone().filter(|name| !table.contains_key(name));
                    let help = meant(name, free).map_or_else(
                        || format!("stages here: {}", names.collect::<Vec<_>>().join(", ")),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let message = format!("the port has no stage `{}`", full(name));
                    self.findings.push(self.sheet.finding(Rule::UnknownStage, place, message, help));
                }
            }
        }
        if self.partial {
            return;
        }
        let misspelt = |missing: &str| {
            let strange = table.iter().map(|(name, _)| name).filter(|name| shape.stage(name).is_none());
            strange.into_iter().any(|name| meant(name, std::iter::once(missing)).is_some())
        };
        for (name, always) in shape.required() {
            if always && !table.contains_key(name) && !misspelt(name) {
                let message = format!("stage `{}` is missing", full(name));
                let help = "list every stage, or say `partial = true`";
                self.findings.push(self.sheet.finding(Rule::MissingStage, place, message, help));
            }
        }
    }

    fn item(&mut self, shape: Shape, item: &Item, place: usize, path: &str) {
        if let Some(table) = item.as_table_like() {
            if shape.node.get("properties").is_some() {
                self.table(shape, table, place, path);
            }
        } else if let (Some(list), Some(shape)) = (item.as_array(), shape.items()) {
            for (index, value) in list.iter().enumerate() {
                if let (Value::InlineTable(table), true) = (value, shape.node.get("properties").is_some()) {
                    let place = value.span().map_or(place, |span| span.start);
                    self.table(shape, table, place, &format!("{path}.{index}"));
                }
            }
        }
    }
}

/// Stages that do not stand in the order of the port. An optional stage may stand anywhere.
pub(super) fn order(sheet: &Sheet, entry: &Entry, findings: &mut Vec<Finding>) {
    for case in sheet.tables("case") {
        if let Some(expect) = case.get("expect") {
            ordered(sheet, Shape::of(entry), expect, findings);
        }
    }
}

fn ordered(sheet: &Sheet, shape: Shape, item: &Item, findings: &mut Vec<Finding>) {
    match item {
        Item::Table(table) => {
            in_lines(sheet, shape, table, findings);
            for (name, item) in table {
                if let Some(stage) = shape.stage(name) {
                    ordered(sheet, stage.plain(), item, findings);
                }
            }
        }
        Item::Value(value) => in_value(sheet, shape, value, findings),
        _ => {}
    }
}

fn in_lines(sheet: &Sheet, shape: Shape, table: &Table, findings: &mut Vec<Finding>) {
    let names: Vec<&str> = shape.required().map(|(name, _)| name).collect();
    let rank = |key: &str| names.iter().position(|name| *name == key);
    let plain = keys(table).into_iter().filter(|(_, _, item)| item.is_value()).collect();
    if let Some(from) = table.span().and_then(|span| sheet.line_end(span.start)) {
        order::lines(sheet, from, &plain, &rank, &names.join(", "), findings);
    }
}

fn in_value(sheet: &Sheet, shape: Shape, value: &Value, findings: &mut Vec<Finding>) {
    match value {
        Value::InlineTable(table) => {
            in_braces(sheet, shape, table, findings);
            for (name, value) in table {
                if let Some(stage) = shape.stage(name) {
                    in_value(sheet, stage.plain(), value, findings);
                }
            }
        }
        Value::Array(items) => {
            if let Some(shape) = shape.items() {
                items.iter().for_each(|value| in_value(sheet, shape, value, findings));
            }
        }
        _ => {}
    }
}

fn in_braces(sheet: &Sheet, shape: Shape, table: &InlineTable, findings: &mut Vec<Finding>) {
    let names: Vec<&str> = shape.required().map(|(name, _)| name).collect();
    let (mut highest, mut wrong) = (0, None);
    let mut pieces: Vec<(usize, Range<usize>)> = Vec::new();
    for (name, value) in table {
        let (Some(key), Some(value)) = (table.key(name).and_then(toml_edit::Key::span), value.span()) else {
            return;
        };
        let rank = names.iter().position(|known| *known == name).unwrap_or(highest);
        if rank < highest {
            wrong = wrong.or(Some((name, key.start)));
        }
        highest = highest.max(rank);
        pieces.push((rank, key.start..value.end));
    }
    let (Some((name, place)), Some(first), Some(last)) = (wrong, pieces.first(), pieces.last()) else {
        return;
    };
    let range = first.1.start..last.1.end;
    // Remarks and line breaks between stages have no place of their own to go to.
    let plain = !sheet.toml[range.clone()].contains(['\n', '#']);
    let edit = plain.then(|| {
        pieces.sort_by_key(|(rank, range)| (*rank, range.start));
        let text: Vec<&str> = pieces.iter().map(|(_, range)| sheet.toml[range.clone()].trim()).collect();
        Edit { range: sheet.start + range.start..sheet.start + range.end, text: text.join(", ") }
    });
    let help = format!("the order of the port is {}", names.join(", "));
    findings
        .push(sheet.finding(Rule::Order, place, format!("`{name}` stands too late"), help).mended_by(edit));
}
