//! Bulk recorded vectors: a header line, then `{"id": …, "in": …, "out": …}` a line.

use super::is_id;
use assay_model::{Problem, Rule, Tree, VectorHeader};
use serde::Deserialize;
use std::collections::BTreeSet;

/// Problems reported from one file before the rest is not worth reading.
const MAX_PROBLEMS: usize = 20;

/// One vector file.
#[derive(Debug)]
pub(crate) struct RawVectors {
    /// Path in the repository.
    pub path: String,
    /// File name without `.jsonl`: the first part of its case ids.
    pub stem: String,
    /// First line.
    pub header: VectorHeader,
    /// The vectors, in file order.
    pub lines: Vec<RawVector>,
    /// blake3 of the text, hex.
    pub digest: String,
}

/// One line.
#[derive(Debug)]
pub(crate) struct RawVector {
    /// Line number in the file, from 1.
    pub number: usize,
    /// Unique in the file.
    pub id: String,
    /// Arguments.
    pub input: Tree,
    /// Breakdown.
    pub output: Tree,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    r#in: Tree,
    out: Tree,
}

/// Reads one file: everything that is well-formed in it, if the header is, and everything that is wrong, up to a bound:
/// no or another version's header, a line that is no vector, an id that is no id or not unique, fewer or more lines than
/// the header counts.
pub(crate) fn read(path: &str, text: &str) -> (Option<RawVectors>, Vec<Problem>) {
    let stem = path.rsplit('/').next().and_then(|name| name.strip_suffix(".jsonl")).unwrap_or_default();
    let mut problems = Vec::new();
    if !is_id(stem) {
        let help = "the name is part of every case id: lower-case words joined by `-`";
        problems.push(Problem::whole(Rule::BadId, path, format!("`{stem}` is no id"), help));
    }
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let header = match header(path, lines.next().map_or("", |(_, line)| line)) {
        Ok(header) => header,
        Err(problem) => {
            problems.push(problem);
            return (None, problems);
        }
    };
    let (mut vectors, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, line) in lines {
        match vector(path, number, line, &mut seen) {
            Ok(vector) => vectors.push(vector),
            Err(problem) => problems.push(problem),
        }
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
    }
    if problems.is_empty() && vectors.len() != header.count {
        let message = format!("holds {} vectors, its header counts {}", vectors.len(), header.count);
        let help = "a truncated file is no evidence: restore it, or correct `count`";
        problems.push(at(Rule::Vectors, path, (1, 1), message, help));
    }
    let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
    let vectors = RawVectors { path: path.to_owned(), stem: stem.to_owned(), header, lines: vectors, digest };
    (Some(vectors), problems)
}

fn header(path: &str, line: &str) -> Result<VectorHeader, Problem> {
    let header: VectorHeader = serde_json::from_str(line).map_err(|error| {
        let help = "the first line is `{\"vectors\":1,\"source\":…,\"game\":…,\"clause\":[…],\"count\":…}`";
        at(rule(&error), path, (1, error.column()), message(&error), help)
    })?;
    if header.vectors == 1 {
        Ok(header)
    } else {
        let message = format!("is of version {}, this reader knows 1", header.vectors);
        Err(at(Rule::Vectors, path, (1, 1), message, ""))
    }
}

fn vector(path: &str, number: usize, line: &str, seen: &mut BTreeSet<String>) -> Result<RawVector, Problem> {
    let Line { id, r#in, out } = serde_json::from_str(line)
        .map_err(|error| at(rule(&error), path, (number, error.column()), message(&error), ""))?;
    let wrong = |rule, message, help| Err(at(rule, path, (number, 1), message, help));
    if !is_id(&id) {
        return wrong(Rule::BadId, format!("`{id}` is no id"), "lower-case words joined by `-`");
    }
    for (name, tree) in [("in", &r#in), ("out", &out)] {
        if !matches!(tree, Tree::Map(_)) || (name == "out" && tree.entries().is_empty()) {
            return wrong(Rule::Vectors, format!("`{name}` of `{id}` is no object with content"), "");
        }
    }
    if !seen.insert(id.clone()) {
        return wrong(Rule::DuplicateId, format!("`{id}` is used twice"), "ids are unique in their file");
    }
    Ok(RawVector { number, id, input: r#in, output: out })
}

fn at(rule: Rule, path: &str, (line, column): (usize, usize), message: String, help: &str) -> Problem {
    Problem::placed(rule, path, (line, column.max(1)), message, help)
}

/// What the parser's words are about.
fn rule(error: &serde_json::Error) -> Rule {
    let text = error.to_string();
    match error.classify() {
        serde_json::error::Category::Data if text.starts_with("unknown field") => Rule::UnknownKey,
        serde_json::error::Category::Data if text.starts_with("missing field") => Rule::MissingKey,
        serde_json::error::Category::Data if text.starts_with("unknown variant") => Rule::WrongValue,
        serde_json::error::Category::Data => Rule::WrongType,
        _ => Rule::Syntax,
    }
}

/// The parser's words without its own place, which counts within the line.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"vectors":1,"source":"s","game":"YR","clause":["a.1"],"count":2}"#;
    const PATH: &str = "golden/math/x/vectors/states.jsonl";

    fn problems(text: &str) -> Vec<String> {
        read(PATH, text).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn reads_header_and_lines() {
        let text = format!(
            "{HEAD}\n{}\n{}\n",
            r#"{"id":"v1","in":{},"out":{"a":1}}"#, r#"{"id":"v2","in":{"b":0.1},"out":{"a":2}}"#
        );
        let vectors = read(PATH, &text).0.unwrap();
        assert_eq!((vectors.stem.as_str(), vectors.lines.len(), vectors.lines[1].number), ("states", 2, 3));
        assert_eq!(vectors.lines[1].input.to_string(), r#"{"b":0.1}"#);
    }

    #[test]
    fn errors_carry_the_line() {
        let one = r#"{"id":"v1","in":{},"out":{"a":1}}"#;
        assert!(problems("")[0].contains("states.jsonl:1:1: "));
        assert!(problems(&HEAD.replace(":1,", ":2,"))[0].contains("version 2"));
        assert!(problems(&format!("{HEAD}\n{one}\n"))[0].contains("holds 1 vectors, its header counts 2"));
        assert!(
            problems(&format!("{HEAD}\n{one}\n{one}\n"))[0].contains("states.jsonl:3:1: `v1` is used twice")
        );
        let two = problems(&format!("{HEAD}\n{{\"id\":\"v1\"}}\nnonsense\n"));
        assert!(two[0].contains(":2:11: missing field `in`"), "{two:?}");
        assert!(two[1].contains(":3:"), "{two:?}");
        assert!(
            problems(&format!("{HEAD}\n{}\n", one.replace(r#"{"a":1}"#, "{}")))[0].contains("`out` of `v1`")
        );
        assert!(read("golden/math/x/vectors/A b.jsonl", HEAD).1[0].message.contains("is no id"));
    }
}
