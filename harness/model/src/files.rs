//! A set of text files, from disk or embedded, and problems located in them.

use crate::rule::{Rule, Severity};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Files by path relative to the repository (`golden/combat/compute_damage/cases.toml`), with `/` between parts.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Where they came from, for people: `embedded` or a directory.
    pub origin: String,
    /// Content by relative path.
    pub texts: BTreeMap<String, String>,
}

impl Files {
    /// The files below a folder, in path order.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let texts = self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        texts.filter(move |(path, _)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// Something wrong in a file, with its place and the fix.
///
/// As JSON it has the fields `file`, `line`, `column`, `rule`, `severity`, `message`, `help`, in this order. Read back, the
/// severity is that of the rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Problem {
    /// Path relative to the repository.
    pub file: String,
    /// Line, from 1; 0 when the file as a whole is meant.
    pub line: usize,
    /// Column in characters, from 1; 0 when the line as a whole is meant.
    pub column: usize,
    /// What it breaks.
    pub rule: Rule,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: String,
}

impl Problem {
    /// A problem of a whole file.
    #[must_use]
    pub fn whole(
        rule: Rule,
        file: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::placed(rule, file, (0, 0), message, help)
    }

    /// A problem at a byte offset of `text`.
    #[must_use]
    pub fn at(
        rule: Rule,
        file: impl Into<String>,
        text: &str,
        offset: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::placed(rule, file, position(text, offset), message, help)
    }

    /// A problem at a line and column.
    #[must_use]
    pub fn placed(
        rule: Rule,
        file: impl Into<String>,
        (line, column): (usize, usize),
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { file: file.into(), line, column, rule, message: message.into(), help: help.into() }
    }

    /// How bad it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.rule.severity()
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut problem = serializer.serialize_struct("Problem", 7)?;
        problem.serialize_field("file", &self.file)?;
        problem.serialize_field("line", &self.line)?;
        problem.serialize_field("column", &self.column)?;
        problem.serialize_field("rule", &self.rule)?;
        problem.serialize_field("severity", &self.severity())?;
        problem.serialize_field("message", &self.message)?;
        problem.serialize_field("help", &self.help)?;
        problem.end()
    }
}

/// Line and column, both from 1, of a byte offset.
#[must_use]
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.help.is_empty() {
            write!(f, " ({})", self.help)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        assert_eq!(position("ab\ncé, d", 7), (2, 4));
        assert_eq!(position("", 9), (1, 1));
        let problem = Problem::at(Rule::Syntax, "f.toml", "x\ny", 2, "is wrong", "fix it");
        assert_eq!(problem.to_string(), "f.toml:2:1: is wrong (fix it)");
        let json = r#"{"file":"f.toml","line":2,"column":1,"rule":"syntax","severity":"error","message":"is wrong","help":"fix it"}"#;
        assert_eq!(serde_json::to_string(&problem).unwrap(), json);
        assert_eq!(serde_json::from_str::<Problem>(json).unwrap(), problem);
    }

    #[test]
    fn below_takes_whole_path_parts() {
        let mut files = Files::default();
        for path in ["golden/a", "goldenx/b", "golden"] {
            files.texts.insert(path.into(), String::new());
        }
        assert_eq!(files.below("golden").map(|(path, _)| path).collect::<Vec<_>>(), ["golden/a"]);
    }
}
