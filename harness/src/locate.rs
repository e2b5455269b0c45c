//! Finds the place of a key in a TOML text, so that a problem found after reading still points at line and column.

use assay_model::{Problem, Rule};
use std::fmt::Display;
use std::ops::Range;
use toml_edit::{Document, Item, TableLike, Value};

/// A TOML text whose keys can be found again.
pub struct Locator<'a> {
    file: &'a str,
    text: &'a str,
    document: Option<Document<&'a str>>,
}

/// Parts of a path into a TOML text: keys, and list positions as numbers.
pub type Path<'a> = &'a [&'a dyn Display];

impl<'a> Locator<'a> {
    /// A locator for `text`. For a text that does not parse every place is the beginning.
    #[must_use]
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, document: Document::parse(text).ok() }
    }

    /// A problem at the key that `path` names, or at the nearest key above it that the file spells out.
    #[must_use]
    pub fn problem(
        &self,
        rule: Rule,
        path: Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Problem {
        Problem::at(rule, self.file, self.text, self.find(path).0.start, message, help)
    }

    /// A problem inside the text value at `path`, `offset` bytes into its content.
    #[must_use]
    pub fn inside(
        &self,
        rule: Rule,
        path: Path,
        content: &str,
        offset: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Problem {
        let (key, value) = self.find(path);
        // Literal and escape-free text stands in the file as it is; otherwise the key is the best place there is.
        let start = value.and_then(|span| self.text.get(span.clone()).map(|raw| (span.start, raw)));
        let place = start.and_then(|(start, raw)| raw.find(content).map(|at| start + at + offset));
        Problem::at(rule, self.file, self.text, place.unwrap_or(key.start), message, help)
    }

    /// Line of the key that `path` names, from 1.
    #[must_use]
    pub fn line(&self, path: Path) -> usize {
        assay_model::files::position(self.text, self.find(path).0.start).0
    }

    /// The span of the key (of the element, for a list position), and of its value.
    fn find(&self, path: Path) -> (Range<usize>, Option<Range<usize>>) {
        let mut key = 0..0;
        let Some(document) = &self.document else { return (key, None) };
        let mut node = Node::Table(document.as_table());
        for part in path {
            let Some((span, next)) = node.child(&part.to_string()) else { break };
            if let Some(span) = span {
                key = span;
            }
            node = next;
        }
        let value = if let Node::Value(value) = node { value.span() } else { None };
        (key, value)
    }
}

/// A place in a parsed TOML text.
enum Node<'a> {
    Table(&'a dyn TableLike),
    Tables(&'a toml_edit::ArrayOfTables),
    Value(&'a Value),
    Nothing,
}

impl<'a> Node<'a> {
    fn child(&self, part: &str) -> Option<(Option<Range<usize>>, Node<'a>)> {
        match self {
            Self::Table(table) => {
                let (key, item) = table.get_key_value(part)?;
                Some((key.span().or_else(|| item.span()), Self::of(item)))
            }
            Self::Tables(tables) => {
                let table = tables.get(part.parse().ok()?)?;
                Some((table.span(), Self::Table(table)))
            }
            Self::Value(Value::Array(array)) => {
                let value = array.get(part.parse().ok()?)?;
                Some((value.span(), Self::of_value(value)))
            }
            Self::Value(_) | Self::Nothing => None,
        }
    }

    fn of(item: &'a Item) -> Self {
        match item {
            Item::Table(table) => Self::Table(table),
            Item::ArrayOfTables(tables) => Self::Tables(tables),
            Item::Value(value) => Self::of_value(value),
            Item::None => Self::Nothing,
        }
    }

    fn of_value(value: &'a Value) -> Self {
        match value {
            Value::InlineTable(table) => Self::Table(table),
            other => Self::Value(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[[case]]\nid = \"a\"\n\n[[case]]\n  clause = [\"x.1\",\n  \"y.2\"]\nderivation = '''\nb = 1\nc = ?\n'''\n[case.expect]\nkernel.falloff = 1\nlist = [{ q = 5 }]\n";

    fn place(path: Path) -> (usize, usize) {
        let problem = Locator::new("f", TEXT).problem(Rule::Input, path, "", "");
        (problem.line, problem.column)
    }

    #[test]
    fn finds_keys_elements_and_the_nearest_ancestor() {
        assert_eq!(place(&[&"case", &1]), (4, 1));
        assert_eq!(place(&[&"case", &1, &"clause", &1]), (6, 3));
        assert_eq!(place(&[&"case", &1, &"expect", &"kernel", &"falloff"]), (12, 8));
        assert_eq!(place(&[&"case", &1, &"expect", &"list", &0, &"q"]), (13, 11));
        assert_eq!(place(&[&"case", &1, &"clause", &7]), (5, 3));
        assert_eq!(place(&[&"case", &9]), (1, 3));
    }

    #[test]
    fn finds_a_place_inside_a_text() {
        let problem = Locator::new("f", TEXT).inside(
            Rule::Input,
            &[&"case", &1, &"derivation"],
            "b = 1\nc = ?\n",
            10,
            "",
            "",
        );
        assert_eq!((problem.line, problem.column), (9, 5));
    }
}
