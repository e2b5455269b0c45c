//! The port's answer to one input, run just now.

use crate::run::call::{Attempt, Lost, attempt};
use assay_model::explain::PortAnswer;
use assay_model::{Output, Port, Tree};

/// Calls the port.
pub(super) fn answer(port: &dyn Port, input: &[u8]) -> PortAnswer {
    let mut output = Output::default();
    match attempt(port, input, &mut output).0 {
        Attempt::Answered => match Tree::from_json(&output.json) {
            Ok(breakdown) => PortAnswer::Breakdown { breakdown },
            Err(error) => PortAnswer::Unreadable { message: error.to_string() },
        },
        Attempt::Refused(error) => PortAnswer::Refused {
            errno: error.errno.as_str().to_owned(),
            field: error.field,
            message: error.message,
        },
        Attempt::Panicked(panic) => PortAnswer::Panicked { place: panic.place, message: panic.message },
        // Only another process gives these.
        Attempt::Skipped(message) | Attempt::Lost(Lost { message, .. }) => PortAnswer::Unreadable { message },
    }
}

/// The breakdown, if it gave one.
pub(super) fn breakdown(answer: &PortAnswer) -> Option<&Tree> {
    match answer {
        PortAnswer::Breakdown { breakdown } => Some(breakdown),
        _ => None,
    }
}
