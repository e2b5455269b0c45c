//! `assay asset check`: everything below a folder through its decoder, archives included.

use super::super::arguments::DocumentFormat;
use super::super::output;
use super::super::{BROKEN, DRIFT, PASS};
use super::Check;
use super::digest;
use super::expected;
use super::open::{Decoded, Reader, decode, file, port};
use super::report;
use crate::assets::Archive;
use crate::assets::names::Names;
use crate::assets::sniff::{self, Decoder, Format};
use assay_model::{Errno, PortError, Tree};
use rayon::prelude::*;
use std::collections::HashSet;
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
    let (files, closed) = files(&check.folder)?;
    let (names, progress) = (Names::generated(), Progress::new(files.len()));
    let digests = expected.is_some();
    let mut rows: Vec<Row> = files
        .par_iter()
        .flat_map_iter(|path| {
            let rows = rows(&check.folder, path, &names, digests);
            progress.step();
            rows
        })
        .collect();
    progress.end();
    rows.extend(closed);
    let comparison = expected.map(|expected| expected::compare(&expected, &rows));
    let sum = report::Sum::new(files.len(), &rows, comparison.as_ref());
    output::result(&match check.format {
        DocumentFormat::Text => sum.text(),
        DocumentFormat::Json => sum.document().to_string(),
    })?;
    let nothing = sum.nothing();
    if let Some(why) = nothing {
        output::error(&format!("{why} below {}", check.folder.display()));
    }
    Ok(if sum.wrong() {
        DRIFT
    } else if nothing.is_some() {
        BROKEN
    } else {
        PASS
    })
}

/// Regular files below a folder in the order of their paths, and a row for each folder that cannot be read; links are not
/// followed.
fn files(root: &Path) -> Result<(Vec<PathBuf>, Vec<Row>), String> {
    let (mut open, mut found, mut closed) = (vec![root.to_owned()], Vec::new(), Vec::new());
    while let Some(folder) = open.pop() {
        if let Err(error) = look(&folder, &mut open, &mut found) {
            if folder == root {
                return Err(format!("read {}: {error}", folder.display()));
            }
            let outcome = Outcome::Unreadable(error.to_string());
            closed.push(Row { path: label(root, &folder), format: None, capability: None, outcome });
        }
    }
    found.sort();
    closed.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((found, closed))
}

/// Sorts what is in one folder.
fn look(folder: &Path, folders: &mut Vec<PathBuf>, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            folders.push(entry.path());
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// A place below the folder, with `/` between on every system.
fn label(root: &Path, path: &Path) -> String {
    let parts: Vec<_> =
        path.strip_prefix(root).unwrap_or(path).iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// One file and what it holds.
struct Visit<'a> {
    names: &'a Names,
    digests: bool,
    left: usize,
    /// Bytes of entries that may still be looked into.
    bytes: u64,
    rows: Vec<Row>,
}

fn rows(folder: &Path, path: &Path, names: &Names, digests: bool) -> Vec<Row> {
    let label = label(folder, path);
    let mut visit = Visit { names, digests, left: MAX_ENTRIES, bytes: 0, rows: Vec::new() };
    match file(path) {
        Ok(reader) => {
            visit.bytes = reader.length().saturating_mul(MAX_DEPTH as u64);
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
        // Authors give several names to one file. It is looked into once, whatever it costs.
        let mut seen = HashSet::new();
        for entry in archive.list().entries.iter().filter(|entry| seen.insert((entry.offset, entry.size))) {
            // No byte is in more archives than the depth allows, unless entries overlap.
            let bytes = self.bytes.checked_sub(entry.size.into());
            let (Some(left), Some(bytes)) = (self.left.checked_sub(1), bytes) else {
                let why = format!(
                    "more than {MAX_ENTRIES} entries, or entries that overlap; the rest is not looked into"
                );
                return self.push(path.to_owned(), None, None, Outcome::Unreadable(why));
            };
            (self.left, self.bytes) = (left, bytes);
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
            let holds = decoder.holds.map(|stage| breakdown.get(stage));
            match (absent, holds) {
                (Some(why), _) => Outcome::Absent(why.to_owned()),
                (None, Some(None)) => Outcome::Absent("it has none".to_owned()),
                (None, Some(Some(Tree::Bool(false)))) => {
                    let why = "damaged: the bytes are not those that its digest is of";
                    Outcome::Refused(PortError::invalid("bytes", why))
                }
                (None, _) if digested => {
                    Outcome::Decoded(digest::of(decoder.capability, &breakdown, &attachments))
                }
                (None, _) => Outcome::Decoded(Vec::new()),
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

    const DECODER: Decoder = Decoder {
        capability: "x_decode",
        arguments: &[],
        each: None,
        absent: Some("no_picture"),
        holds: None,
    };

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
        let held = Decoder { holds: Some("match"), ..DECODER };
        let outcome = |json: &str| outcome(&held, decoded(json, b"x"), false);
        assert!(matches!(outcome(r#"{"match":true}"#), Outcome::Decoded(_)));
        assert!(
            matches!(outcome(r#"{"match":false}"#), Outcome::Refused(why) if why.name() == Some("damaged"))
        );
        assert!(matches!(outcome("{}"), Outcome::Absent(_)), "there is no digest to hold it to");
    }
}
