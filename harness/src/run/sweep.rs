//! A sweep: at every point the interpreter says what must come, and the port must say the same.

use super::call::{Attempt, attempt};
use super::judge::{self, Judged};
use crate::agree::{self, Disagreement};
use crate::compare::Mismatch;
use crate::suite::Sweep;
use crate::toml_text;
use assay_model::{Failure, Output, Port, Problem, Rule, Tree, Verdict};
use assay_oracles::derive::{Outcome, Steps};
use rayon::prelude::*;
use std::time::Duration;

/// Points that one thread takes at a time. Digests are per chunk, so the number is part of them.
const CHUNK: u64 = 256;

/// What came of some points.
struct Chunk {
    digest: blake3::Hash,
    failing: u64,
    first: Option<(u64, Judged)>,
    broken: Option<Broken>,
    slowest: Duration,
}

/// A point at which the derivation itself breaks.
struct Broken {
    index: u64,
    message: String,
}

/// Runs every point; also gives the corpus problem, if the derivation breaks somewhere.
pub(super) fn run(port: &dyn Port, sweep: &Sweep, slow: Duration) -> (Judged, Option<Problem>) {
    let chunks: Vec<Chunk> =
        (0..sweep.points.div_ceil(CHUNK)).into_par_iter().map(|chunk| points(port, sweep, chunk)).collect();
    let (mut said, mut failing, mut slowest) = (Vec::new(), 0, Duration::ZERO);
    let (mut first, mut broken) = (None, None);
    for chunk in chunks {
        said.extend_from_slice(chunk.digest.as_bytes());
        failing += chunk.failing;
        slowest = slowest.max(chunk.slowest);
        first = first.or(chunk.first);
        broken = broken.or(chunk.broken);
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
        None => Judged::new(Verdict::Pass, None, &said),
        Some((index, Judged { verdict, failure, .. })) => {
            let failure = failure.map(|failure| Failure {
                message: format!(
                    "{failing} of {} points differ, first at {}: {}",
                    sweep.points,
                    place(sweep, index),
                    failure.message
                ),
                ..failure
            });
            Judged::new(verdict, failure, &said)
        }
    };
    judged.timed(slowest, slow);
    (judged, None)
}

/// The first point at which the port differs or the derivation breaks.
pub(crate) fn first_failing(port: &dyn Port, sweep: &Sweep) -> Option<u64> {
    (0..sweep.points.div_ceil(CHUNK)).into_par_iter().find_map_first(|chunk| {
        let Chunk { first, broken, .. } = points(port, sweep, chunk);
        first.map(|(index, _)| index).or_else(|| broken.map(|broken| broken.index))
    })
}

/// A point in words.
fn place(sweep: &Sweep, index: u64) -> String {
    let axes = sweep.point(index);
    axes.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
}

fn points(port: &dyn Port, sweep: &Sweep, chunk: u64) -> Chunk {
    let mut hasher = blake3::Hasher::new();
    let mut output = Output::default();
    let mut done =
        Chunk { digest: hasher.finalize(), failing: 0, first: None, broken: None, slowest: Duration::ZERO };
    for index in chunk * CHUNK..sweep.points.min((chunk + 1) * CHUNK) {
        match point(port, sweep, index, &mut output) {
            Ok((judged, took)) => {
                done.slowest = done.slowest.max(took);
                crate::digest::part(&mut hasher, judged.verdict.as_str().as_bytes());
                crate::digest::part(&mut hasher, &judged.said);
                if judged.verdict != Verdict::Pass {
                    done.failing += 1;
                    done.first.get_or_insert((index, judged));
                }
            }
            Err(message) => {
                done.broken = Some(Broken { index, message });
                break;
            }
        }
    }
    done.digest = hasher.finalize();
    done
}

/// One point. An error is the derivation's, not the port's.
fn point(
    port: &dyn Port,
    sweep: &Sweep,
    index: u64,
    output: &mut Output,
) -> Result<(Judged, Duration), String> {
    let axes = sweep.point(index);
    let scope = sweep.scope_at(&axes)?;
    let outcome = sweep.program.run(&scope).map_err(|error| error.message)?;
    let input = sweep.input_at(&axes);
    let (attempt, took) = attempt(port, &input.to_json(), output);
    let (mut judged, actual) = match &outcome {
        Outcome::Refused { errno, field, .. } => (judge::refusal(attempt, &output.json, errno, field), None),
        Outcome::Steps(steps) => derived(attempt, &output.json, steps, &sweep.stages),
    };
    if let Some(failure) = &mut judged.failure {
        failure.point = as_case(sweep, index, &axes, &outcome, actual.as_ref());
    }
    Ok((judged, took))
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
