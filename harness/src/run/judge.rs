//! From what a port did to a verdict.

use super::call::{Attempt, Lost};
use crate::compare::{Mismatch, Rules, compare};
use crate::load::known::KnownFailure;
use assay_model::{Failure, Tree, Verdict};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

/// Characters of a value that a failure shows.
const MAX_SHOWN: usize = 400;

/// A verdict before disputes and known failures are taken into account.
pub(super) struct Judged {
    pub verdict: Verdict,
    pub failure: Option<Failure>,
    /// Tolerances that made the difference.
    pub needed: BTreeSet<String>,
    /// What the port said, for digests: the canonical breakdown, the error text or the panic's message.
    pub said: Vec<u8>,
    /// A call took longer than it may. Kept apart, so that no digest depends on the clock.
    pub slow: Option<Failure>,
    /// Why nothing was judged, where nothing was.
    pub reason: String,
    /// Whether the verdict is the clock's, so that no list may pin it.
    pub by_clock: bool,
}

impl Judged {
    pub fn new(verdict: Verdict, failure: Option<Failure>, said: &[u8]) -> Self {
        let (needed, said) = (BTreeSet::new(), said.to_vec());
        Self { verdict, failure, needed, said, slow: None, reason: String::new(), by_clock: false }
    }

    /// Nothing was judged.
    pub fn skipped(reason: String) -> Self {
        Self { reason: reason.clone(), ..Self::new(Verdict::Skipped, None, reason.as_bytes()) }
    }

    /// Notes a call that took longer than `limit`.
    pub fn timed(&mut self, took: Duration, limit: Duration) {
        if took > limit {
            let (took, limit) = (took.as_millis(), limit.as_millis());
            let message = format!("too slow: took {took} ms, limit {limit} ms");
            let expected = format!("an answer within {limit} ms");
            self.slow = Some(failure("", &expected, &format!("{took} ms"), "time", message));
        }
    }
}

/// A failure without its repro line, which is the same for every kind.
pub(super) fn failure(stage: &str, expected: &str, actual: &str, rule: &str, message: String) -> Failure {
    Failure {
        stage: stage.to_owned(),
        expected: clip(expected),
        actual: clip(actual),
        rule: rule.to_owned(),
        message,
        point: String::new(),
        repro: String::new(),
        digest: String::new(),
        stderr: String::new(),
    }
}

fn clip(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The failure that a mismatch is.
pub(super) fn differs(mismatch: &Mismatch) -> Failure {
    let Mismatch { stage, expected, actual, rule } = mismatch;
    let message = match (expected.as_str(), actual.as_str()) {
        (expected, "nothing") => format!("stage `{stage}` is missing, expected {}", clip(expected)),
        ("nothing", actual) => format!("stage `{stage}` is {}, and nothing is expected there", clip(actual)),
        (expected, actual) => format!("stage `{stage}` is {}, expected {}", clip(actual), clip(expected)),
    };
    failure(stage, expected, actual, rule, message)
}

/// A breakdown is due.
pub(super) fn breakdown<'a>(
    attempt: Attempt,
    json: &[u8],
    due: &[u8],
    rules: Rules,
    expect: impl FnOnce() -> Cow<'a, Tree>,
) -> Judged {
    if let Some(judged) = unanswered(&attempt, "a breakdown") {
        return judged;
    }
    // Equal bytes are equal trees; what is not equal may still be the same value in another order or spelling.
    if !rules.partial && rules.tolerance.is_empty() && json == due {
        return Judged::new(Verdict::Pass, None, json);
    }
    let actual = match parse(json) {
        Ok(actual) => actual,
        Err(judged) => return *judged,
    };
    match compare(&expect(), &actual, rules) {
        Ok(needed) => Judged { needed, ..Judged::new(Verdict::Pass, None, json) },
        Err(mismatch) => Judged::new(Verdict::Fail, Some(differs(&mismatch)), json),
    }
}

/// The breakdown as a tree.
pub(super) fn parse(json: &[u8]) -> Result<Tree, Box<Judged>> {
    Tree::from_json(json).map_err(|error| {
        let message = format!("the breakdown is no JSON: {error}");
        let shown = String::from_utf8_lossy(json);
        Box::new(Judged::new(
            Verdict::Error,
            Some(failure("", "a breakdown", &shown, "exact", message)),
            json,
        ))
    })
}

/// The verdict on a port that did not answer, where `due` was expected.
pub(super) fn unanswered(attempt: &Attempt, due: &str) -> Option<Judged> {
    match attempt {
        Attempt::Answered => None,
        Attempt::Refused(error) => {
            let text = error.to_string();
            let found = failure("", due, &text, "error", format!("refused with {text}, expected {due}"));
            Some(Judged::new(Verdict::Error, Some(found), text.as_bytes()))
        }
        Attempt::Panicked(panic) => {
            let message = format!("panicked at {}: {}", panic.place, panic.message);
            let found = failure("", due, &panic.message, "error", message);
            Some(Judged::new(Verdict::Panicked, Some(found), panic.message.as_bytes()))
        }
        Attempt::Skipped(reason) => Some(Judged::skipped(reason.clone())),
        Attempt::Lost(lost) => Some(nothing_came(lost, due)),
    }
}

/// The verdict on another process that gave no answer. What the clock alone decides says nothing.
fn nothing_came(lost: &Lost, due: &str) -> Judged {
    let Lost { rule, said, message, stderr } = lost;
    let found = Failure { stderr: stderr.clone(), ..failure("", due, "nothing", rule, message.clone()) };
    let by_clock = *rule == "time";
    let said = if by_clock { b"" } else { said.as_bytes() };
    Judged { by_clock, ..Judged::new(Verdict::Error, Some(found), said) }
}

/// A refusal with this errno at this field, and with this name where one is due. A panic is never one.
pub(super) fn refusal(attempt: Attempt, json: &[u8], errno: &str, field: &str, name: Option<&str>) -> Judged {
    let mut due = if field.is_empty() { errno.to_owned() } else { format!("{errno} at `{field}`") };
    if let Some(name) = name {
        due = format!("{due}: {name}");
    }
    match attempt {
        Attempt::Answered => {
            let actual = String::from_utf8_lossy(json);
            let found = failure("", &due, &actual, "error", format!("gave a breakdown, expected {due}"));
            Judged::new(Verdict::Fail, Some(found), json)
        }
        Attempt::Refused(error)
            if error.errno.as_str() == errno
                && error.field == field
                && (name.is_none() || error.name() == name) =>
        {
            Judged::new(Verdict::Pass, None, error.to_string().as_bytes())
        }
        // What is left is another refusal, or a panic.
        other => unanswered(&other, &due).unwrap_or_else(|| Judged::new(Verdict::Error, None, json)),
    }
}

/// A verdict as it is reported.
pub(super) struct Settled {
    pub verdict: Verdict,
    /// The verdict that the clock has no part in, for the digest.
    pub lasting: Verdict,
    pub reason: String,
    pub failure: Option<Failure>,
    pub said: Vec<u8>,
    /// Whether a list of known failures may pin what was said.
    pub pinned: bool,
}

/// Takes disputes, known failures and slowness into account. `list` is where known failures stand, for messages.
pub(super) fn settle(
    judged: Judged,
    disputed: bool,
    known: Option<&KnownFailure>,
    (list, today): (&str, Option<&str>),
) -> Settled {
    let Judged { verdict, failure, said, slow, reason, by_clock, .. } = judged;
    let mut settled = Settled { verdict, lasting: verdict, reason, failure, said, pinned: false };
    if verdict == Verdict::Skipped {
        return settled;
    }
    if disputed {
        settled.verdict = Verdict::Disputed;
    } else if let Some(known) = known {
        listed(&mut settled, known, by_clock, (list, today));
    }
    settled.lasting = settled.verdict;
    if slow.is_some() && !disputed {
        settled.verdict = Verdict::Error;
        settled.failure = slow;
    }
    // A wrong output, and nothing that the clock alone makes wrong.
    let wrong = matches!(settled.lasting, Verdict::Fail | Verdict::Error | Verdict::Panicked);
    settled.pinned = wrong && !by_clock;
    settled
}

/// A case on the list fails as the list says, or the list is wrong.
fn listed(settled: &mut Settled, known: &KnownFailure, by_clock: bool, (list, today): (&str, Option<&str>)) {
    if settled.verdict == Verdict::Pass {
        settled.verdict = Verdict::UnexpectedPass;
        let message = format!("passes, and {list} lists it as failing: remove it there");
        settled.failure = Some(failure("", "a failure", "a pass", "exact", message));
        return;
    }
    let why = if by_clock || crate::digest::hex(&settled.said) != known.digest {
        "; a known failure, but not with this output".to_owned()
    } else if today.is_some_and(|today| known.expires.as_str() <= today) {
        format!("; a known failure that expired on {}", known.expires)
    } else {
        settled.verdict = Verdict::KnownFailure;
        known.reason.clone_into(&mut settled.reason);
        return;
    };
    if let Some(failure) = &mut settled.failure {
        failure.message.push_str(&why);
    }
}
