//! Trees and tables as text for people.

use super::output::{FAINT, STRONG, paint, plain};
use assay_model::Tree;
use assay_reports::align;
use std::fmt::Write as _;

pub use assay_reports::fold;

/// A list of scalars up to this many characters stands on one line.
const ONE_LINE: usize = 88;

/// A table with aligned columns; the first row is the heading. The last column is not padded.
#[must_use]
pub fn table(rows: &[Vec<String>]) -> String {
    let lines = align(rows);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        text.push_str(&if index == 0 { paint(FAINT, line) } else { line.clone() });
        text.push('\n');
    }
    text
}

/// A breakdown as one aligned line a stage; nested stages are indented under their name.
#[must_use]
pub fn stages(breakdown: &Tree) -> String {
    let mut lines = Vec::new();
    flatten(breakdown, 1, &mut lines);
    let width = lines.iter().filter(|line| line.value.is_some()).map(Line::width).max().unwrap_or(0);
    let mut text = String::new();
    for line in &lines {
        let indent = "  ".repeat(line.depth);
        match &line.value {
            None => {
                let _ = writeln!(text, "{indent}{}", paint(STRONG, &line.name));
            }
            Some(value) => {
                let gap = " ".repeat(width - line.width() + 2);
                let _ = writeln!(text, "{indent}{}{gap}{value}", line.name);
            }
        }
    }
    text
}

struct Line {
    depth: usize,
    name: String,
    /// `None` for a stage that only holds others.
    value: Option<String>,
}

impl Line {
    fn width(&self) -> usize {
        2 * self.depth + self.name.chars().count()
    }
}

fn flatten(tree: &Tree, depth: usize, lines: &mut Vec<Line>) {
    let named: Vec<(String, &Tree)> = match tree {
        Tree::Map(entries) => entries.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Tree::List(items) => {
            items.iter().enumerate().map(|(index, item)| (format!("[{index}]"), item)).collect()
        }
        _ => Vec::new(),
    };
    for (name, value) in named {
        if let Some(value) = short(value) {
            lines.push(Line { depth, name, value: Some(value) });
        } else {
            lines.push(Line { depth, name, value: None });
            flatten(value, depth + 1, lines);
        }
    }
}

/// A value that fits on one line: any scalar, an empty container, a short list of scalars.
fn short(value: &Tree) -> Option<String> {
    match value {
        Tree::Text(text) if !text.contains('\n') => Some(plain(text).into_owned()),
        Tree::Map(entries) if !entries.is_empty() => None,
        Tree::List(items) if items.iter().any(|item| matches!(item, Tree::Map(_) | Tree::List(_))) => None,
        Tree::List(items) => {
            let words: Vec<String> = items.iter().filter_map(short).collect();
            let line = format!("[{}]", words.join(", "));
            (line.chars().count() <= ONE_LINE).then_some(line)
        }
        // As JSON, which leaves some control characters as they are.
        other => Some(plain(&other.to_string()).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_aligned_and_nested() {
        let json =
            r#"{"fire":{"base":100,"house":1.5},"draws":[1,2],"steps":[{"at":3}],"none":[],"result":75}"#;
        let text = stages(&Tree::from_json(json.as_bytes()).unwrap());
        let plain = anstream::adapter::strip_str(&text).to_string();
        let expected = "  fire\n    base   100\n    house  1.5\n  draws    [1, 2]\n  steps\n    [0]\n      at   3\n  none     []\n  result   75\n";
        assert_eq!(plain, expected);
    }

    #[test]
    fn long_lists_are_listed_one_a_line() {
        let items: Vec<String> = (1000..1030).map(|n| n.to_string()).collect();
        let json = format!(r#"{{"draws":[{}]}}"#, items.join(","));
        let text = stages(&Tree::from_json(json.as_bytes()).unwrap());
        assert_eq!(text.lines().count(), 31);
        assert!(text.contains("    [29]  1029\n"), "{text}");
    }

    #[test]
    fn tables_align_and_texts_fold() {
        let cell = |text: &str| text.to_owned();
        let text = table(&[vec![cell("A"), cell("B")], vec![cell("longer"), cell("x")]]);
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), "A       B\nlonger  x\n");
        assert_eq!(fold("one two three four", 2, 10), "one two\n  three\n  four");
    }
}
