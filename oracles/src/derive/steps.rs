//! What a derivation gives, and whether that is what a case expects.

use super::ast::Slot;
use super::binary;
use super::names::Names;
use super::scope::Scope;
use super::value::Value;
use assay_model::Tree;
use std::sync::Arc;

/// The steps of one evaluation with their last values, and what was bound before them.
#[derive(Clone, Debug)]
pub struct Steps {
    names: Arc<Names>,
    values: Vec<Option<Value>>,
    order: Vec<Slot>,
    scope: Scope,
}

impl Steps {
    pub(super) fn new(names: Arc<Names>, scope: Scope, values: Vec<Option<Value>>, order: Vec<Slot>) -> Self {
        Self { names, values, order, scope }
    }

    /// Names of the steps, in order of first assignment. A name may be dotted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|slot| self.names.name(*slot))
    }

    /// Each step with its printed value, in order of first assignment.
    #[must_use]
    pub fn in_order(&self) -> Vec<(String, String)> {
        self.assigned().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
    }

    /// The value at a dotted path: a step, something inside one (`draws.3`), or a bound input, default, constant or
    /// table.
    #[must_use]
    pub fn leaf(&self, path: &str) -> Option<Value> {
        self.find(path).cloned()
    }

    /// The value at a dotted path as JSON. A path that only begins the names of steps (`fire` of `fire.base` and
    /// `fire.rate`) gives the map of them, and an empty path the map of all.
    #[must_use]
    pub fn tree(&self, path: &str) -> Option<Tree> {
        if let Some(value) = self.find(path) {
            return Some(value.tree());
        }
        let mut map = Tree::Map(Vec::new());
        for (name, value) in self.assigned() {
            let below = if path.is_empty() {
                Some(name)
            } else {
                name.strip_prefix(path).and_then(|rest| rest.strip_prefix('.'))
            };
            if let Some(below) = below {
                insert(&mut map, below, value.tree());
            }
        }
        (path.is_empty() || !map.entries().is_empty()).then_some(map)
    }

    /// Whether the value at `path` is the expected one: floats by their exact value and sign, nan equal to nan, tagged
    /// text as the number it stands for. A list must have the expected length; a map may have more fields.
    ///
    /// # Errors
    /// Both values, printed exactly.
    pub fn agrees(&self, path: &str, expected: &Tree) -> Result<(), String> {
        match expected {
            Tree::Map(entries) if !entries.is_empty() => {
                entries.iter().try_for_each(|(name, value)| self.part_agrees(path, name, value))
            }
            Tree::List(items) => {
                match self.find(path) {
                    Some(Value::List(list)) if list.items().len() == items.len() => {}
                    Some(Value::List(list)) => {
                        let (given, wanted) = (list.items().len(), items.len());
                        return Err(format!(
                            "derivation gives a list of {given}, expect says one of {wanted}"
                        ));
                    }
                    found => return self.scalar_agrees(path, found, expected),
                }
                let mut parts = items.iter().enumerate();
                parts.try_for_each(|(index, item)| self.part_agrees(path, &index.to_string(), item))
            }
            _ => self.scalar_agrees(path, self.find(path), expected),
        }
    }

    fn part_agrees(&self, path: &str, name: &str, expected: &Tree) -> Result<(), String> {
        let part = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        self.agrees(&part, expected).map_err(|message| {
            let named = message.starts_with('`') || message.starts_with("no step");
            if named { message } else { format!("`{part}`: {message}") }
        })
    }

    fn scalar_agrees(&self, path: &str, found: Option<&Value>, expected: &Tree) -> Result<(), String> {
        let Some(found) = found else {
            return Err(format!("no step or input gives `{path}`: add a step of that name"));
        };
        let wanted = Value::from_tree(expected)?;
        if *found == wanted {
            return Ok(());
        }
        let unrounded = match (found, &wanted) {
            (Value::Number(found), Value::Number(_)) => !binary::holds(binary::BINARY64, found),
            _ => false,
        };
        let help =
            if unrounded { "; the step is no binary64 value, so round it as the engine does" } else { "" };
        Err(format!("derivation gives {found}, expect says {wanted}{help}"))
    }

    fn assigned(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.order.iter().filter_map(|slot| Some((self.names.name(*slot), self.values[*slot].as_ref()?)))
    }

    /// The longest name that is a step decides; then the longest that is bound.
    fn find(&self, path: &str) -> Option<&Value> {
        let step = |name: &str| {
            let slot = self.names.slot(name).filter(|slot| self.order.contains(slot))?;
            self.values[slot].as_ref()
        };
        longest(path, step).or_else(|| longest(path, |name| self.scope.get(name)))?
    }
}

/// Looks for the longest beginning of a path that `lookup` knows, and walks the rest of the path from there.
fn longest<'a>(path: &str, lookup: impl Fn(&str) -> Option<&'a Value>) -> Option<Option<&'a Value>> {
    let mut end = path.len();
    loop {
        if let Some(value) = lookup(&path[..end]) {
            let mut rest = path[end..].split('.').skip(1);
            return Some(rest.try_fold(value, |value, part| match value {
                Value::List(list) => list.items().get(part.parse::<usize>().ok()?),
                Value::Record(record) => record.get(part),
                _ => None,
            }));
        }
        end = path[..end].rfind('.')?;
    }
}

/// Puts a value at a dotted path, making the maps on the way.
fn insert(map: &mut Tree, path: &str, value: Tree) {
    let Tree::Map(entries) = map else { return };
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(rest) = rest else {
        entries.push((name.to_owned(), value));
        return;
    };
    let index = entries.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        entries.push((name.to_owned(), Tree::Map(Vec::new())));
        entries.len() - 1
    });
    insert(&mut entries[index].1, rest, value);
}
