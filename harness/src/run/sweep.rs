//! A sweep: at every point the interpreter says what must come, and the port must say the same.

use super::call::Attempt;
use super::callee::{Ask, Callee, Here};
use super::judge::{self, Judged};
use crate::agree::{self, Disagreement};
use crate::compare::Mismatch;
use crate::suite::Sweep;
use crate::toml_text;
use assay_model::{Failure, Output, Port, Problem, Rule, Tree, Verdict};
use assay_oracles::derive::{Outcome, Steps};
use rayon::prelude::*;
use std::ops::Range;
use std::time::Duration;

/// Points that one thread takes at a time. Digests are per chunk, so the number is part of them.
const CHUNK: u64 = 256;

/// What came of some points.
struct Chunk {
    digest: blake3::Hash,
    failing: u64,
    first: Option<(u64, Judged)>,
    skipped: u64,
    /// Why the first of those was skipped.
    reason: String,
    broken: Option<Broken>,
    slowest: Duration,
}

/// A point at which the derivation itself breaks.
struct Broken {
    index: u64,
    message: String,
}

/// One point, before it is asked for.
struct Point {
    index: u64,
    axes: Vec<(String, Tree)>,
    outcome: Outcome,
    input: Vec<u8>,
}

/// Runs every point; also gives the corpus problem, if the derivation breaks somewhere.
pub(super) fn run(
    callee: &dyn Callee,
    port: &dyn Port,
    sweep: &Sweep,
    slow: Duration,
) -> (Judged, Option<Problem>) {
    let chunks: Vec<Chunk> = (0..sweep.points.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| points(callee, port, sweep, chunk))
        .collect();
    let (mut said, mut failing, mut skipped, mut slowest) = (Vec::new(), 0, 0, Duration::ZERO);
    let (mut first, mut broken, mut reason) = (None, None, String::new());
    for chunk in chunks {
        said.extend_from_slice(chunk.digest.as_bytes());
        failing += chunk.failing;
        skipped += chunk.skipped;
        slowest = slowest.max(chunk.slowest);
        first = first.or(chunk.first);
        broken = broken.or(chunk.broken);
        if reason.is_empty() {
            reason = chunk.reason;
        }
    }
    if let Some(Broken { index, message }) = broken {
        let message =
            format!("derivation of `{}` fails at {}: {message}", sweep.entry.id, place(sweep, index));
        let found = judge::failure("", "a derived breakdown", "nothing", "exact", message.clone());
        let help = "a sweep derives every point of its axes";
        let problem = Problem::placed(Rule::Derivation, &sweep.path, (sweep.line, 1), message, help);
        return (Judged::new(Verdict::Error, Some(found), &said), Some(problem));
    }
    let mut judged = match first {
        // A sweep with a hole in it has not passed.
        None if skipped > 0 => {
            let reason = format!("{skipped} of {} points were skipped: {reason}", sweep.points);
            Judged { reason, ..Judged::new(Verdict::Skipped, None, &said) }
        }
        None => Judged::new(Verdict::Pass, None, &said),
        Some((index, judged)) => differing(sweep, failing, index, judged, &said),
    };
    judged.timed(slowest, slow);
    (judged, None)
}

/// The verdict on a sweep of which points fail: the verdict on the first of them.
fn differing(sweep: &Sweep, failing: u64, index: u64, first: Judged, said: &[u8]) -> Judged {
    let Judged { verdict, failure, by_clock, .. } = first;
    let failure = failure.map(|failure| {
        let (of, at) = (sweep.points, place(sweep, index));
        let message = format!("{failing} of {of} points differ, first at {at}: {}", failure.message);
        Failure { message, ..failure }
    });
    Judged { by_clock, ..Judged::new(verdict, failure, said) }
}

/// The first point at which the port differs or the derivation breaks.
pub(crate) fn first_failing(port: &dyn Port, sweep: &Sweep) -> Option<u64> {
    (0..sweep.points.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
        let Chunk { first, broken, .. } = points(&Here, port, sweep, chunk);
        first.map(|(index, _)| index).or_else(|| broken.map(|broken| broken.index))
    })
}

/// A point in words.
fn place(sweep: &Sweep, index: u64) -> String {
    let axes = sweep.point(index);
    axes.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn points(callee: &dyn Callee, port: &dyn Port, sweep: &Sweep, chunk: u64) -> Chunk {
    let mut hasher = blake3::Hasher::new();
    let mut output = Output::default();
    let mut done = Chunk {
        digest: hasher.finalize(),
        failing: 0,
        first: None,
        skipped: 0,
        reason: String::new(),
        broken: None,
        slowest: Duration::ZERO,
    };
    let end = sweep.points.min((chunk + 1) * CHUNK);
    let mut next = chunk * CHUNK;
    while next < end && done.broken.is_none() {
        let until = end.min(next + callee.appetite() as u64);
        let (due, broken) = prepared(sweep, next..until);
        let asked: Vec<Ask> = due.iter().map(|Point { input, .. }| Ask { port, input }).collect();
        callee.ask(&asked, &mut output, &mut |at, attempt, json, took| {
            done.slowest = done.slowest.max(took);
            let point = &due[at];
            let judged = judged(sweep, point, attempt, json);
            crate::digest::part(&mut hasher, judged.verdict.as_str().as_bytes());
            crate::digest::part(&mut hasher, &judged.said);
            done.note(point.index, judged);
        });
        done.broken = broken;
        next = until;
    }
    done.digest = hasher.finalize();
    done
}

impl Chunk {
    fn note(&mut self, index: u64, judged: Judged) {
        match judged.verdict {
            Verdict::Pass => {}
            Verdict::Skipped => {
                self.skipped += 1;
                if self.reason.is_empty() {
                    self.reason = judged.reason;
                }
            }
            _ => {
                self.failing += 1;
                self.first.get_or_insert((index, judged));
            }
        }
    }
}

/// What to ask at some points, up to the one at which the derivation breaks.
fn prepared(sweep: &Sweep, range: Range<u64>) -> (Vec<Point>, Option<Broken>) {
    let mut points = Vec::with_capacity((range.end - range.start) as usize);
    for index in range {
        let axes = sweep.point(index);
        let outcome =
            sweep.scope_at(&axes).and_then(|scope| sweep.program.run(&scope).map_err(|error| error.message));
        match outcome {
            Ok(outcome) => {
                let input = sweep.input_at(&axes).to_json();
                points.push(Point { index, axes, outcome, input });
            }
            Err(message) => return (points, Some(Broken { index, message })),
        }
    }
    (points, None)
}

/// Judges the answer at one point.
fn judged(sweep: &Sweep, point: &Point, attempt: Attempt, json: &[u8]) -> Judged {
    let Point { index, axes, outcome, .. } = point;
    let (mut judged, actual) = match outcome {
        Outcome::Refused { errno, field, .. } => (judge::refusal(attempt, json, errno, field, None), None),
        Outcome::Steps(steps) => derived(attempt, json, steps, &sweep.stages),
    };
    if let Some(failure) = &mut judged.failure {
        failure.point = as_case(sweep, *index, axes, outcome, actual.as_ref());
    }
    judged
}

/// Judges an answer where the derivation gives steps.
fn derived(attempt: Attempt, json: &[u8], steps: &Steps, stages: &[String]) -> (Judged, Option<Tree>) {
    if let Some(judged) = judge::unanswered(&attempt, "a breakdown") {
        return (judged, None);
    }
    let actual = match judge::parse(json) {
        Ok(actual) => actual,
        Err(judged) => return (*judged, None),
    };
    let first = agree::disagreements(steps, &actual).into_iter().next();
    let Some(wrong) = first.or_else(|| agree::left_out(steps, stages, &actual)) else {
        return (Judged::new(Verdict::Pass, None, json), Some(actual));
    };
    let Disagreement { stage, derived, found } = wrong;
    let expected = derived.unwrap_or_else(|| "nothing".to_owned());
    let mismatch = Mismatch { stage, expected, actual: found, rule: "exact".to_owned() };
    (Judged::new(Verdict::Fail, Some(judge::differs(&mismatch)), json), Some(actual))
}

/// The point as a case ready to paste, with the derived expectation: never the port's.
fn as_case(
    sweep: &Sweep,
    index: u64,
    axes: &[(String, Tree)],
    outcome: &Outcome,
    actual: Option<&Tree>,
) -> String {
    let entry = &sweep.entry;
    let given = entry.input.as_ref().map(Tree::entries).unwrap_or_default();
    let input = Tree::Map(given.iter().chain(axes).cloned().collect());
    let text = |text: &str| toml_text::value(&Tree::Text(text.to_owned()));
    let list = |items: &[String]| items.iter().map(|item| text(item)).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        "[[case]]".to_owned(),
        format!("id = {}", text(&format!("{}-{index}", entry.id))),
        format!("title = {}", text(&format!("point {index} of {}: {}", entry.id, place(sweep, index)))),
        format!("game = {}", text(entry.game.as_str())),
        format!("clause = [{}]", list(&entry.clause)),
        format!("input = {}", toml_text::value(&input)),
        format!("derivation = {}", toml_text::text_block(&entry.derivation)),
    ];
    match outcome {
        Outcome::Refused { errno, field, .. } => {
            lines.push(format!("error = {{ errno = {}, field = {} }}", text(errno), text(field)));
        }
        Outcome::Steps(steps) => {
            let order = actual.map(Tree::entries).unwrap_or_default().iter().map(|(name, _)| name);
            let mut names: Vec<&String> = order.collect();
            names.extend(sweep.stages.iter().filter(|stage| actual.is_none_or(|a| a.get(stage).is_none())));
            lines.push("[case.expect]".to_owned());
            let derived = names.into_iter().filter_map(|name| Some((name, steps.tree(name)?)));
            lines.extend(
                derived.map(|(name, tree)| format!("{} = {}", toml_text::key(name), toml_text::value(&tree))),
            );
        }
    }
    lines.push(String::new());
    lines.join("\n")
}
