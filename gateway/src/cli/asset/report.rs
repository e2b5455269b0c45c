//! What a check found, as text and as JSON.

use super::super::output::{BAD, FAINT, GOOD, WARN, paint, plain};
use super::super::render::table;
use super::check::{Outcome, Row};
use super::expected::{Comparison, Miss};
use crate::envelope::{map, text, unsigned};
use assay_model::Tree;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A check in figures.
pub(super) struct Sum<'a> {
    files: usize,
    rows: &'a [Row],
    comparison: Option<&'a Comparison>,
    /// Decoded, absent and failed by capability.
    capabilities: BTreeMap<&'static str, [u64; 3]>,
    /// How many have no decoder here, by format; no format for what nobody knows.
    undecoded: BTreeMap<Option<&'static str>, u64>,
    /// What failed and was not meant to.
    failed: Vec<(&'a Row, String)>,
}

impl<'a> Sum<'a> {
    pub fn new(files: usize, rows: &'a [Row], comparison: Option<&'a Comparison>) -> Self {
        let mut sum = Self {
            files,
            rows,
            comparison,
            capabilities: BTreeMap::new(),
            undecoded: BTreeMap::new(),
            failed: Vec::new(),
        };
        for (number, row) in rows.iter().enumerate() {
            let meant = comparison.is_some_and(|comparison| comparison.meant.contains(&number));
            sum.add(row, meant);
        }
        sum
    }

    fn add(&mut self, row: &'a Row, meant: bool) {
        let place = match &row.outcome {
            Outcome::Decoded(_) => 0,
            Outcome::Absent(_) => 1,
            Outcome::Refused(_) if meant => 1,
            Outcome::Refused(why) => {
                self.failed.push((row, why.to_string()));
                2
            }
            Outcome::Unreadable(why) => {
                self.failed.push((row, why.clone()));
                2
            }
            Outcome::Undecoded => {
                *self.undecoded.entry(row.format.map(|format| format.name)).or_default() += 1;
                return;
            }
        };
        if let Some(capability) = row.capability {
            self.capabilities.entry(capability).or_default()[place] += 1;
        }
    }

    /// Whether anything does not decode that should.
    fn failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Whether anything failed or differs.
    pub fn wrong(&self) -> bool {
        self.failed() || self.comparison.is_some_and(|comparison| !comparison.differ.is_empty())
    }

    /// Why this is no pass although nothing is wrong.
    pub fn nothing(&self) -> Option<&'static str> {
        if self.capabilities.is_empty() {
            return Some("nothing has a decoder");
        }
        let compared =
            self.comparison.is_none_or(|comparison| comparison.agree + comparison.differ.len() > 0);
        (!compared).then_some("no line of the table could be compared with what lies")
    }

    fn decoded(&self) -> u64 {
        self.capabilities.values().map(|[decoded, ..]| decoded).sum()
    }

    pub fn text(&self) -> String {
        let mut shown = String::new();
        for (row, why) in &self.failed {
            let what = row.capability.unwrap_or("unreadable");
            let _ = writeln!(shown, "{} {}  {what}: {}", paint(BAD, "fail"), plain(&row.path), plain(why));
        }
        if let Some(comparison) = self.comparison {
            for Miss { file, capability, why } in &comparison.differ {
                let _ = writeln!(shown, "{} {file}  {capability}: {why}", paint(BAD, "differs"));
            }
            shown.push_str(&open(&comparison.not_compared));
        }
        let heading = ["DECODER", "DECODED", "ABSENT", "FAILED"].map(str::to_owned).to_vec();
        let rows = self.capabilities.iter().map(|(capability, counts)| {
            std::iter::once((*capability).to_owned()).chain(counts.iter().map(u64::to_string)).collect()
        });
        shown.push_str(&table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>()));
        for (format, count) in &self.undecoded {
            let what =
                format.map_or("of no known format".to_owned(), |name| format!("{name}, no decoder here"));
            let _ = writeln!(shown, "{}", paint(FAINT, &format!("{count} {what}")));
        }
        let _ = writeln!(shown, "{}", self.line());
        shown
    }

    fn line(&self) -> String {
        let style = if self.failed() { BAD } else { GOOD };
        let failed = self.failed.len();
        let mut line = format!("{} files, {} decoded, {failed} failed", self.files, self.decoded());
        if let Some(Comparison { agree, differ, not_compared, files, files_right, .. }) = self.comparison {
            let (differ, open) = (differ.len(), not_compared.len());
            let lines = agree + differ + open;
            let _ = write!(
                line,
                "\n{files_right} of {files} listed files as expected: {agree} of {lines} lines agree, {differ} differ, {open} not compared"
            );
        }
        paint(style, &line)
    }

    pub fn document(&self) -> Tree {
        let failed = self.failed.iter().map(|(row, why)| {
            let errno = match &row.outcome {
                Outcome::Refused(why) => text(why.errno.as_str()),
                _ => Tree::Null,
            };
            map([
                ("path", text(&row.path)),
                ("format", row.format.map_or(Tree::Null, |format| text(format.name))),
                ("capability", row.capability.map_or(Tree::Null, text)),
                ("errno", errno),
                ("message", text(why)),
            ])
        });
        let capabilities = self.capabilities.iter().map(|(name, [decoded, absent, failed])| {
            let counts = [
                ("decoded", unsigned(*decoded)),
                ("absent", unsigned(*absent)),
                ("failed", unsigned(*failed)),
            ];
            ((*name).to_owned(), map(counts))
        });
        let undecoded = self
            .undecoded
            .iter()
            .map(|(name, count)| (name.unwrap_or("unknown").to_owned(), unsigned(*count)));
        map([
            ("ok", Tree::Bool(!self.wrong() && self.nothing().is_none())),
            ("files", unsigned(self.files as u64)),
            ("looked_at", unsigned(self.rows.len() as u64)),
            ("decoded", unsigned(self.decoded())),
            ("failed", Tree::List(failed.collect())),
            ("capabilities", Tree::Map(capabilities.collect())),
            ("undecoded", Tree::Map(undecoded.collect())),
            ("expected", self.comparison.map_or(Tree::Null, expected)),
        ])
    }
}

/// What was not compared, a line for each capability and reason.
fn open(misses: &[Miss]) -> String {
    let mut groups: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for Miss { capability, why, .. } in misses {
        *groups.entry((capability, why)).or_default() += 1;
    }
    groups.into_iter().fold(String::new(), |mut shown, ((capability, why), count)| {
        let _ = writeln!(shown, "{} {capability} ({count}): {why}", paint(WARN, "not compared"));
        shown
    })
}

fn expected(comparison: &Comparison) -> Tree {
    let misses = |misses: &[Miss]| {
        let rows = misses.iter().map(|Miss { file, capability, why }| {
            map([("file", text(file)), ("capability", text(capability)), ("message", text(why))])
        });
        Tree::List(rows.collect())
    };
    map([
        ("agree", unsigned(comparison.agree as u64)),
        ("files", unsigned(comparison.files as u64)),
        ("files_agree", unsigned(comparison.files_right as u64)),
        ("differ", misses(&comparison.differ)),
        ("not_compared", misses(&comparison.not_compared)),
    ])
}
