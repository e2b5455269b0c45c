//! How a port can break the conversation, in words that are the same in every run.

use super::message::MAX_LINE;
use crate::run::call::Lost;
use std::time::Duration;

/// What a port did instead of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Its process ended: how, in words that fit after "it ".
    Crash(String),
    /// Nothing came for so long.
    Time(Duration),
    /// Nothing came, and it reads no more.
    Deaf,
    /// It did what the protocol does not allow, in words that fit after "it ".
    Protocol(String),
    /// It wrote a line that is no answer: the line, which may hold anything, and what is wrong with it.
    Garbage(String),
}

impl Fault {
    /// A line without an end.
    pub fn too_long() -> Self {
        Self::Protocol(format!("wrote a line of more than {} MiB", MAX_LINE >> 20))
    }

    /// What it did, in words that fit after "it " and are the same for the same behaviour: digests cover them.
    pub fn cause(&self) -> String {
        match self {
            Self::Crash(words) | Self::Protocol(words) => words.clone(),
            Self::Time(limit) => format!("gave no answer within {} ms", limit.as_millis()),
            Self::Deaf => "closed its standard input with questions open".to_owned(),
            Self::Garbage(_) => "wrote what is no answer".to_owned(),
        }
    }

    /// The cause with whatever else is known.
    pub fn words(&self) -> String {
        match self {
            Self::Garbage(line) => format!("{}: {line}", self.cause()),
            _ => self.cause(),
        }
    }

    /// The same as what came of a question.
    pub fn lost(&self, stderr: String) -> Lost {
        let rule = match self {
            Self::Crash(_) => "crash",
            Self::Time(_) => "time",
            Self::Deaf | Self::Protocol(_) | Self::Garbage(_) => "protocol",
        };
        let message = format!("the port {}", self.words());
        Lost { rule, said: self.cause(), message, stderr }
    }
}
