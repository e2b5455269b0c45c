//! `assay asset check`: everything below a folder through its decoder, archives included.

use super::super::arguments::DocumentFormat;
use super::super::output;
use super::super::{BROKEN, DRIFT, PASS};
use super::Check;
use super::digest;
use super::expected::{self, Comparison};
use super::open::{Decoded, Reader, decode, file, port};
use super::report;
use crate::assets::Archive;
use crate::assets::names::Names;
use crate::assets::sniff::{self, Decoder, Format};
use assay_model::{Errno, PortError, Tree};
use rayon::prelude::*;
use std::io::{IsTerminal as _, Write as _, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Archives inside each other that are looked into.
const MAX_DEPTH: usize = 8;
/// Entries of one file that are looked into, however its archives repeat each other.
const MAX_ENTRIES: usize = 200_000;

/// What came of one decoder over one file, or of a file without one.
pub(super) struct Row {
    /// Place below the folder; entries of an archive follow it after `/`.
    pub path: String,
    pub format: Option<&'static Format>,
    pub capability: Option<&'static str>,
    pub outcome: Outcome,
}

/// How it ended.
pub(super) enum Outcome {
    /// It decodes; SHA-1 of what came out, when somebody compares.
    Decoded(Vec<String>),
    /// The part that the decoder is for is not in the file.
    Absent(String),
    /// The decoder refuses it.
    Refused(PortError),
    /// It cannot be read.
    Unreadable(String),
    /// No decoder of this build is for it, or nobody knows what it is.
    Undecoded,
}

pub(super) fn command(check: &Check) -> Result<u8, String> {
    let expected = table(check).as_deref().map(expected::read).transpose()?;
    let files = files(&check.folder)?;
    let (names, progress) = (Names::generated(), Progress::new(files.len()));
    let digests = expected.is_some();
    let rows: Vec<Row> = files
        .par_iter()
        .flat_map_iter(|path| {
            let rows = rows(&check.folder, path, &names, digests);
            progress.step();
            rows
        })
        .collect();
    progress.end();
    let comparison = expected.map(|expected| expected::compare(&expected, &rows));
    let sum = report::Sum::new(files.len(), &rows, comparison.as_ref());
    output::result(&match check.format {
        DocumentFormat::Text => sum.text(),
        DocumentFormat::Json => sum.document().to_string(),
    })?;
    Ok(code(&sum, comparison.as_ref()))
}

/// Nothing decoded is never a pass.
fn code(sum: &report::Sum<'_>, comparison: Option<&Comparison>) -> u8 {
    let differs = comparison.is_some_and(|comparison| !comparison.differ.is_empty());
    if sum.failed() || differs {
        DRIFT
    } else if sum.nothing() {
        BROKEN
    } else {
        PASS
    }
}

/// Regular files below a folder in the order of their paths; links are not followed.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let failed = |error: std::io::Error| format!("read {}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// One file and what it holds.
struct Visit<'a> {
    names: &'a Names,
    digests: bool,
    left: usize,
    rows: Vec<Row>,
}

fn rows(folder: &Path, path: &Path, names: &Names, digests: bool) -> Vec<Row> {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let label = parts.join("/");
    let mut visit = Visit { names, digests, left: MAX_ENTRIES, rows: Vec::new() };
    match file(path) {
        Ok(reader) => {
            let beside = |extension: &str| file(&path.with_extension(extension)).ok();
            visit.file(&reader, label, 0, &beside);
        }
        Err(why) => visit.push(label, None, None, Outcome::Unreadable(why)),
    }
    visit.rows
}

impl Visit<'_> {
    fn push(
        &mut self,
        path: String,
        format: Option<&'static Format>,
        capability: Option<&'static str>,
        outcome: Outcome,
    ) {
        self.rows.push(Row { path, format, capability, outcome });
    }

    fn file(&mut self, reader: &Reader, path: String, depth: usize, beside: &dyn Fn(&str) -> Option<Reader>) {
        let format = sniff::format(reader, &path);
        let mut tried = false;
        for decoder in format.map_or(&[][..], |format| format.decoders) {
            let Some(port) = port(decoder.capability) else { continue };
            tried = true;
            let outcome = outcome(decoder, decode(port, decoder, reader, beside), self.digests);
            self.push(path.clone(), format, Some(decoder.capability), outcome);
        }
        // INI text is no capability yet, but tables of digests have it.
        if self.digests && format.is_some_and(Format::is_text) {
            tried = true;
            let outcome =
                digest::ini(reader).map_or_else(Outcome::Unreadable, |sha1| Outcome::Decoded(vec![sha1]));
            self.push(path.clone(), format, Some("ini_parse"), outcome);
        }
        if !tried {
            self.push(path.clone(), format, None, Outcome::Undecoded);
        }
        if format.is_some_and(|format| format.name == "MIX") {
            self.archive(reader, &path, depth);
        }
    }

    /// The entries of an archive. One whose index cannot be read has its row already.
    fn archive(&mut self, reader: &Reader, path: &str, depth: usize) {
        let Ok(archive) = Archive::open(Reader::clone(reader)) else { return };
        if depth == MAX_DEPTH {
            let why = format!("more than {MAX_DEPTH} archives inside each other");
            return self.push(path.to_owned(), None, None, Outcome::Unreadable(why));
        }
        let names = self.names.within(&archive);
        for entry in &archive.list().entries {
            if self.left == 0 {
                let why = format!("more than {MAX_ENTRIES} entries; the rest is not looked into");
                return self.push(path.to_owned(), None, None, Outcome::Unreadable(why));
            }
            self.left -= 1;
            let name = names.of(entry.id).map_or_else(|| format!("0x{:08x}", entry.id), str::to_owned);
            let label = format!("{path}/{name}");
            match archive.bytes(entry) {
                Ok(reader) => {
                    let beside = |extension: &str| {
                        let sibling = format!("{}.{extension}", name.rsplit_once('.')?.0);
                        archive.bytes(&archive.find(&sibling).ok()?.entry).ok()
                    };
                    self.file(&reader, label, depth + 1, &beside);
                }
                Err(why) => self.push(label, None, None, Outcome::Unreadable(why.message)),
            }
        }
    }
}

/// How a decoder ended: a part that is not in the file is no failure of the file.
fn outcome(decoder: &Decoder, decoded: Result<Decoded, PortError>, digested: bool) -> Outcome {
    match decoded {
        Err(why) if why.errno == Errno::Enoent => Outcome::Absent(why.message),
        Err(why) => Outcome::Refused(why),
        Ok(Decoded { breakdown, attachments }) => {
            let absent = decoder.absent.and_then(|stage| breakdown.get(stage)).and_then(Tree::as_str);
            match absent {
                Some(why) => Outcome::Absent(why.to_owned()),
                None if digested => {
                    Outcome::Decoded(digest::of(decoder.capability, &breakdown, &attachments))
                }
                None => Outcome::Decoded(Vec::new()),
            }
        }
    }
}

/// The table to compare with: the one that is named, else the one that lies in the folder.
fn table(check: &Check) -> Option<PathBuf> {
    let beside = check.folder.join("EXPECTED.tsv");
    check.expected.clone().or_else(|| beside.is_file().then_some(beside))
}

/// How many files are done, where somebody sees it.
struct Progress {
    done: AtomicUsize,
    total: usize,
    shown: bool,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { done: AtomicUsize::new(0), total, shown: stderr().is_terminal() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // About a hundred times in all.
        if self.shown && (done.is_multiple_of(self.total / 100 + 1) || done == self.total) {
            // With standard error gone there is nobody left to tell.
            let _ = write!(stderr(), "\r{done} of {} files", self.total);
        }
    }

    fn end(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r{:40}\r", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_model::Attachment;

    const DECODER: Decoder =
        Decoder { capability: "x_decode", arguments: &[], each: None, absent: Some("no_picture") };

    fn decoded(json: &str, bytes: &[u8]) -> Result<Decoded, PortError> {
        let attachment =
            Attachment { name: "pcm".to_owned(), media_type: String::new(), bytes: bytes.to_vec() };
        Ok(Decoded { breakdown: Tree::from_json(json.as_bytes()).unwrap(), attachments: vec![attachment] })
    }

    #[test]
    fn what_is_not_in_a_file_is_no_failure_of_it() {
        let empty = outcome(&DECODER, decoded(r#"{"no_picture":"dummy"}"#, b""), true);
        assert!(matches!(empty, Outcome::Absent(why) if why == "dummy"));
        let missing = PortError { errno: Errno::Enoent, field: String::new(), message: "none".to_owned() };
        assert!(matches!(outcome(&DECODER, Err(missing), true), Outcome::Absent(why) if why == "none"));
        assert!(matches!(outcome(&DECODER, Err(PortError::invalid("", "")), true), Outcome::Refused(_)));
        assert!(matches!(outcome(&DECODER, decoded("{}", b"x"), false), Outcome::Decoded(d) if d.is_empty()));
    }
}
