//! One call of a port: timed, with a panic caught.

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
    /// Longest time for the call.
    pub slow: Duration,
}

/// Calls a port with one input and judges the answer. `expect` is asked for only if the bytes do not settle it.
pub(super) fn case<'a>(
    port: &dyn Port,
    input: &[u8],
    question: &Question,
    expect: impl FnOnce() -> Cow<'a, Tree>,
    output: &mut Output,
) -> Judged {
    let (attempt, took) = attempt(port, input, output);
    let mut judged = match question.due {
        Due::Breakdown(bytes) => judge::breakdown(attempt, &output.json, bytes, question.rules, expect),
        Due::Refusal(error) => judge::refusal(attempt, &output.json, error.errno.as_str(), &error.field),
    };
    judged.timed(took, question.slow);
    judged
}
