//! `assay bisect`: which commit changed what a case comes to, and the first stage that differs.
//!
//! The cases are those of today's checkout; the ports are those of each revision, built in a worktree of their own. Two
//! revisions with the same port sources are taken to come to the same, and are built once.

mod look;
mod search;
mod tree;

use super::arguments::{Bisect, DocumentFormat};
use super::output::{self, BAD, FAINT, STRONG, paint};
use super::{DRIFT, PASS};
use crate::corpus;
use crate::snapshot::Gateway;
use assay_harness::{corpus_digest, disk};
use assay_model::Files;
use assay_reports::document;
use look::{Question, Tally};
use search::{Found, Outcome};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tree::{Revision, Tree, short};

/// What is printed.
#[derive(Serialize)]
struct Told<'a> {
    case: &'a str,
    /// The commit that made the change; empty when revisions without an outcome leave several.
    commit: &'a str,
    /// All that may have made it, oldest first.
    candidates: Vec<Candidate<'a>>,
    before: &'a Outcome,
    after: &'a Outcome,
    built: u64,
    known: u64,
    skipped: u64,
}

#[derive(Serialize)]
struct Candidate<'a> {
    commit: &'a str,
    subject: &'a str,
}

pub(super) fn command(gateway: &Gateway, arguments: &Bisect) -> Result<u8, String> {
    let root = corpus::checkout(gateway.root()).ok_or("there is no checkout here: use --root")?;
    let root = root.canonicalize().map_err(|error| format!("failed to find {}: {error}", root.display()))?;
    let (specs, golden) =
        disk::read(&root).map_err(|problem| format!("failed to read the corpus: {problem}"))?;
    let history = tree::history(&root, &arguments.good, &arguments.bad)?;
    let [first, .., last] = history.as_slice() else {
        return Err("the good revision is the bad one: there is nothing between them".to_owned());
    };
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::SeqCst))
        .map_err(|error| format!("failed to listen for Ctrl-C: {error}"))?;
    let corpus = judged_by(&specs, &golden);
    let question = Question {
        root: &root,
        case: &arguments.case,
        corpus: &corpus,
        build: arguments.build.as_deref(),
        stop,
    };
    let tree = Tree::open(&root, &first.commit)?;
    let mut tally = Tally::default();
    let mut see = |revision: &Revision| {
        let seen = look::look(&question, &tree, &revision.commit, &mut tally)?;
        output::note(&format!("{} {}: {}", short(&revision.commit), revision.subject, seen_as(&seen)));
        Ok::<_, String>(seen)
    };
    let mut end = |revision: &Revision| {
        let seen = see(revision)?;
        seen.map_err(|why| format!("{} has no outcome: it {why}", short(&revision.commit)))
    };
    let (good, bad) = (end(first)?, end(last)?);
    if good.is_like(&bad) {
        let same = place_of(&good);
        return Err(format!("{} comes to the same at both ends: {same}", arguments.case));
    }
    let found = search::search(history.len() - 1, good, bad, |index| match history.get(index) {
        Some(revision) => see(revision),
        None => Err("the search left the history".to_owned()),
    })?;
    output::result(&print(arguments, &history, &found, tally))?;
    Ok(if found.candidates.len() == 1 { PASS } else { DRIFT })
}

/// Digest of all in a checkout that an outcome rests on.
fn judged_by(specs: &Files, golden: &Files) -> String {
    let known = golden.texts.get("ports/known-failures.toml").map_or("", String::as_str);
    let all = format!("{}\n{known}", corpus_digest(specs, golden));
    blake3::hash(all.as_bytes()).to_hex().to_string()
}

fn seen_as(seen: &search::Seen) -> String {
    match seen {
        Ok(outcome) => place_of(outcome),
        Err(why) => format!("skipped, {why}"),
    }
}

fn place_of(outcome: &Outcome) -> String {
    let Outcome { verdict, stage, .. } = outcome;
    if stage.is_empty() { verdict.clone() } else { format!("{verdict} at `{stage}`") }
}

fn print(arguments: &Bisect, history: &[Revision], found: &Found, tally: Tally) -> String {
    let revisions = found.candidates.iter().filter_map(|index| history.get(*index));
    let candidates: Vec<Candidate> =
        revisions.map(|Revision { commit, subject }| Candidate { commit, subject }).collect();
    let Tally { built, known, skipped } = tally;
    if arguments.format == DocumentFormat::Json {
        let commit = if let [one] = candidates.as_slice() { one.commit } else { "" };
        let Found { before, after, .. } = found;
        let case = arguments.case.as_str();
        return document(&Told { case, commit, candidates, before, after, built, known, skipped });
    }
    let mut lines = Vec::new();
    if candidates.len() == 1 {
        lines.push(format!("{} was changed by", paint(STRONG, &arguments.case)));
    } else {
        lines.push(format!("{} was changed by one of these; the others have no outcome", arguments.case));
    }
    lines.extend(candidates.iter().map(|it| format!("  {} {}", paint(BAD, short(it.commit)), it.subject)));
    for (name, outcome) in [("before", &found.before), ("after ", &found.after)] {
        let message =
            if outcome.message.is_empty() { String::new() } else { format!(": {}", outcome.message) };
        lines.push(format!("  {name} {}{message}", place_of(outcome)));
    }
    let looked = format!("{built} built, {known} known from before, {skipped} skipped");
    lines.push(paint(FAINT, &looked));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_judges_is_the_corpus_and_the_known_failures() {
        let files = |path: &str, text: &str| Files {
            texts: [(path.to_owned(), text.to_owned())].into(),
            ..Files::default()
        };
        let specs = files("oracles/sources.toml", "s");
        let plain = judged_by(&specs, &files("golden/a/b/cases.toml", "c"));
        assert_eq!(plain, judged_by(&specs, &files("golden/a/b/cases.toml", "c")));
        assert_ne!(plain, judged_by(&specs, &files("golden/a/b/cases.toml", "d")));
        let known = files("ports/known-failures.toml", "k");
        assert_ne!(judged_by(&specs, &Files::default()), judged_by(&specs, &known));
    }
}
