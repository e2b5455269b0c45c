//! A table of what real files decode to, and whether they did.

use super::check::{Outcome, Row};
use super::open::port;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// One line of the table.
pub(super) struct Expected {
    pub file: String,
    pub capability: String,
    /// Whether the decoder has to refuse the file.
    pub refused: bool,
    /// SHA-1 of what comes out, or nothing to compare.
    pub sha1: Option<String>,
}

/// A line that was not met, or not tried, and why.
pub(super) struct Miss {
    pub file: String,
    pub capability: String,
    pub why: String,
}

/// What a comparison found.
#[derive(Default)]
pub(super) struct Comparison {
    pub agree: usize,
    /// Files that the table lists.
    pub files: usize,
    /// Those of them whose every line agrees.
    pub files_right: usize,
    pub differ: Vec<Miss>,
    pub not_compared: Vec<Miss>,
    /// Numbers of the rows whose refusal is what the table wants.
    pub meant: HashSet<usize>,
}

/// Reads a table: file, capability, summary, SHA-1 or `-`, after a first line of headings. A summary that begins with
/// `REJECT` is of a file that has to be refused.
pub(super) fn read(path: &Path) -> Result<Vec<Expected>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("read {}: {error}", path.display()))?;
    let digest =
        |word: &str| word == "-" || (word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if text.lines().next().and_then(|line| line.rsplit('\t').next()).is_some_and(|last| digest(last.trim())) {
        return Err(format!("read {}:1: the first line must have headings", path.display()));
    }
    let lines = text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(number, line)| {
        let [file, capability, summary, sha1] = line.split('\t').collect::<Vec<_>>()[..] else {
            let place = format!("{}:{}", path.display(), number + 1);
            return Err(format!("read {place}: four columns with tabs between are wanted"));
        };
        let sha1 = sha1.trim();
        Ok(Expected {
            file: file.to_owned(),
            capability: capability.to_owned(),
            refused: summary.starts_with("REJECT"),
            sha1: (sha1 != "-").then(|| sha1.to_ascii_lowercase()),
        })
    });
    read.collect()
}

/// Holds what was decoded against the table.
pub(super) fn compare(expected: &[Expected], rows: &[Row]) -> Comparison {
    let known: HashMap<(&str, &str), usize> = rows
        .iter()
        .enumerate()
        .filter_map(|(number, row)| Some(((row.path.as_str(), row.capability?), number)))
        .collect();
    let mut comparison = Comparison::default();
    for line in expected {
        let number = known.get(&(line.file.as_str(), line.capability.as_str())).copied();
        let verdict = match number {
            Some(number) => met(line, &rows[number].outcome),
            None if port(&line.capability).is_none() => {
                Verdict::Open("no decoder of this build has this name")
            }
            None if rows.iter().any(|row| row.path == line.file) => {
                Verdict::Open("the file was not taken for one of this capability")
            }
            None => Verdict::Differs("there is no such file".to_owned()),
        };
        let miss = |why: String| Miss { file: line.file.clone(), capability: line.capability.clone(), why };
        match verdict {
            Verdict::Agrees => comparison.agree += 1,
            Verdict::Open(why) => comparison.not_compared.push(miss(why.to_owned())),
            Verdict::Differs(why) => comparison.differ.push(miss(why)),
        }
        comparison.meant.extend(number.filter(|_| line.refused));
    }
    let listed: HashSet<&str> = expected.iter().map(|line| line.file.as_str()).collect();
    let misses = comparison.differ.iter().chain(&comparison.not_compared);
    let missed: HashSet<&str> = misses.map(|miss| miss.file.as_str()).collect();
    (comparison.files, comparison.files_right) = (listed.len(), listed.difference(&missed).count());
    comparison
}

enum Verdict {
    Agrees,
    Open(&'static str),
    Differs(String),
}

fn met(line: &Expected, outcome: &Outcome) -> Verdict {
    match (outcome, &line.sha1) {
        (Outcome::Refused(_) | Outcome::Absent(_), _) if line.refused => Verdict::Agrees,
        (Outcome::Refused(why), _) => Verdict::Differs(why.to_string()),
        (Outcome::Absent(why) | Outcome::Unreadable(why), _) => Verdict::Differs(why.clone()),
        (Outcome::Undecoded, _) => Verdict::Open("no decoder of this build is for it"),
        (Outcome::Decoded(_), _) if line.refused => {
            Verdict::Differs("decoded, and has to be refused".to_owned())
        }
        (Outcome::Decoded(_), None) => Verdict::Agrees,
        (Outcome::Decoded(digests), _) if digests.is_empty() => {
            Verdict::Open("nothing that comes out is digested")
        }
        (Outcome::Decoded(digests), Some(sha1)) if digests.contains(sha1) => Verdict::Agrees,
        (Outcome::Decoded(digests), Some(sha1)) => {
            Verdict::Differs(format!("SHA-1 {}, not {sha1}", digests.join(" ")))
        }
    }
}
