//! `ports/known-failures.toml`: what these ports get wrong today, pinned, with a reason and an expiry.

use super::entries::list;
use super::is_day;
use crate::locate::Locator;
use assay_model::{Files, Problem, Rule};
use assay_oracles::reader::{Reader, Shape};
use schemars::JsonSchema;
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Where the list stands.
pub const PATH: &str = "ports/known-failures.toml";

/// The list. It only ever shrinks: a listed case that passes is an error.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    /// The cases that fail.
    #[serde(default)]
    pub known: Vec<KnownFailure>,
}

/// A case that fails, and how.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// `area/capability/case`.
    pub id: String,
    /// Why it fails and what is being done.
    pub reason: String,
    /// blake3 of today's wrong output, error text or panic text, hex; another wrong output is a failure.
    pub digest: String,
    /// Day from which on it counts as a failure again, `YYYY-MM-DD`.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub expires: String,
}

/// Reads the list by id; no file is an empty list.
pub(crate) fn load(golden: &Files) -> (BTreeMap<String, KnownFailure>, Vec<Problem>) {
    golden.texts.get(PATH).map_or_else(Default::default, |text| read(PATH, text))
}

/// Reads the list of any port; `path` is where it stands, for messages.
pub(crate) fn read(path: &str, text: &str) -> (BTreeMap<String, KnownFailure>, Vec<Problem>) {
    let (mut known, mut problems) = (BTreeMap::new(), Vec::new());
    let spare = OnceCell::new();
    let mut reader = Reader::new(path, text, 0, &mut problems);
    let mut entries: Vec<(usize, KnownFailure)> = Vec::new();
    for (key, value) in reader.parse(text, &spare).into_inner() {
        match &**key.get_ref() {
            "known" => {
                let (whole, half) = list(&mut reader, &Shape::new(), &key, value);
                entries = whole.into_iter().chain(half).collect();
            }
            _ => reader.unknown(&key, &["known"]),
        }
    }
    let text = spare.get().map_or(text, String::as_str);
    let locator = Locator::new(path, text);
    for (index, entry) in entries {
        let mut wrong = |rule, key: &str, message: String, help: &str| {
            problems.push(locator.problem(rule, &[&"known", &index, &key], message, help));
        };
        if entry.reason.trim().is_empty() {
            wrong(
                Rule::KnownFailure,
                "reason",
                format!("`{}` has no reason", entry.id),
                "say why it fails and what is being done",
            );
        }
        if !is_day(&entry.expires) {
            wrong(
                Rule::KnownFailure,
                "expires",
                format!("`{}` is no day", entry.expires),
                "write YYYY-MM-DD",
            );
        }
        if known.insert(entry.id.clone(), entry.clone()).is_some() {
            wrong(Rule::DuplicateId, "id", format!("`{}` is listed twice", entry.id), "keep one");
        }
    }
    (known, problems)
}

/// Listed ids that no suite has.
pub(crate) fn unknown_ids<'a>(
    golden: &Files,
    known: impl Iterator<Item = &'a KnownFailure>,
    exists: impl Fn(&str) -> bool,
) -> Vec<Problem> {
    golden.texts.get(PATH).map_or_else(Vec::new, |text| gone((PATH, text), known, exists))
}

/// Ids in the list at `path` that no suite has.
pub(crate) fn gone<'a>(
    (path, text): (&str, &str),
    known: impl Iterator<Item = &'a KnownFailure>,
    exists: impl Fn(&str) -> bool,
) -> Vec<Problem> {
    let gone = known.filter(|entry| !exists(&entry.id));
    let place = |entry: &KnownFailure| text.find(&entry.id).unwrap_or_default();
    gone.map(|entry| {
        Problem::at(
            Rule::KnownFailure,
            path,
            text,
            place(entry),
            format!("no suite has a case `{}`", entry.id),
            "remove it",
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_checked_where_they_stand() {
        let text = "[[known]]\nid = 'a/b/c'\nreason = ''\ndigest = 'd'\nexpires = 'soon'\n[[known]]\nid = 'a/b/c'\nreason = 'r'\ndigest = 'd'\nexpires = '2027-01-01'\n";
        let golden = Files { texts: [(PATH.to_owned(), text.to_owned())].into(), ..Files::default() };
        let (known, problems) = load(&golden);
        let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(known.len(), 1);
        assert!(all[0].contains(".toml:3:1: `a/b/c` has no reason"), "{all:?}");
        assert!(all[1].contains(".toml:5:1: `soon` is no day"), "{all:?}");
        assert!(all[2].contains(".toml:7:1: `a/b/c` is listed twice"), "{all:?}");
        let gone = unknown_ids(&golden, known.values(), |_| false);
        assert!(gone[0].to_string().contains(":2:7: no suite has a case `a/b/c`"), "{gone:?}");
    }
}
