//! One call of a port: timed, with a panic caught; and how the answer is judged.

use super::judge::{self, Judged};
use crate::compare::Rules;
use crate::panics::{self, Panic};
use crate::suite::Due;
use assay_model::{Output, Port, PortError, Tree};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// What a port did with an input.
pub(crate) enum Attempt {
    /// Left a breakdown in the output.
    Answered,
    /// Refused it.
    Refused(PortError),
    /// Panicked.
    Panicked(Panic),
    /// Was not asked, or would not answer: the reason.
    Skipped(String),
    /// Another process died over it, gave nothing in time, or broke the protocol.
    Lost(Lost),
}

/// Why no answer came from another process.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// `crash`, `time` or `protocol`.
    pub rule: &'static str,
    /// What happened, without anything that changes from run to run: the part that digests cover.
    pub said: String,
    /// One line for people.
    pub message: String,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

/// Calls a port. The clock is read for the limit alone and enters no digest.
pub(crate) fn attempt(port: &dyn Port, input: &[u8], output: &mut Output) -> (Attempt, Duration) {
    let start = Instant::now();
    let attempt = match panics::catch(|| port.run(input, output)) {
        Ok(Ok(())) => Attempt::Answered,
        Ok(Err(error)) => Attempt::Refused(error),
        Err(panic) => Attempt::Panicked(panic),
    };
    (attempt, start.elapsed())
}

/// What is asked of an answer.
pub(super) struct Question<'a> {
    /// What must come back.
    pub due: &'a Due,
    /// How a breakdown is compared.
    pub rules: Rules<'a>,
}

/// Judges an answer. `expect` is asked for only if the bytes do not settle it.
pub(super) fn judged<'a>(
    attempt: Attempt,
    json: &[u8],
    question: &Question,
    expect: impl FnOnce() -> Cow<'a, Tree>,
) -> Judged {
    match question.due {
        Due::Breakdown(bytes) => judge::breakdown(attempt, json, bytes, question.rules, expect),
        Due::Refusal(error) => {
            judge::refusal(attempt, json, error.errno.as_str(), &error.field, error.name.as_deref())
        }
    }
}
