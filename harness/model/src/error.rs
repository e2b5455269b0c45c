//! Errors that a port or the gateway reports, in the closed errno vocabulary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The closed list of error names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Errno {
    /// An argument is wrong.
    Einval,
    /// The named thing does not exist.
    Enoent,
    /// Not allowed to read it.
    Eacces,
    /// Busy; try again.
    Ebusy,
    /// Unexpected failure inside.
    Eio,
    /// Took too long.
    Etimedout,
    /// Not supported, for this game or at all.
    Eopnotsupp,
    /// Larger than a stated limit.
    Efbig,
    /// A bounded store is full.
    Enospc,
    /// Exists already.
    Eexist,
    /// Not permitted.
    Eperm,
}

impl Errno {
    /// The name as it is written in cases and envelopes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Einval => "EINVAL",
            Self::Enoent => "ENOENT",
            Self::Eacces => "EACCES",
            Self::Ebusy => "EBUSY",
            Self::Eio => "EIO",
            Self::Etimedout => "ETIMEDOUT",
            Self::Eopnotsupp => "EOPNOTSUPP",
            Self::Efbig => "EFBIG",
            Self::Enospc => "ENOSPC",
            Self::Eexist => "EEXIST",
            Self::Eperm => "EPERM",
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a port says when the engine cannot accept an input. Never a panic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PortError {
    /// Which sort of error.
    pub errno: Errno,
    /// Dotted path of the offending input field; empty when the input as a whole is wrong.
    pub field: String,
    /// A lower-case fragment that fits after "failed to run: ".
    pub message: String,
}

impl PortError {
    /// An argument that the engine cannot accept.
    #[must_use]
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { errno: Errno::Einval, field: field.into(), message: message.into() }
    }

    /// The name of what is wrong, where the message begins with one: `truncated` of `truncated: 4 bytes at 8 end beyond 9`.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let (name, _) = self.message.split_once(':')?;
        let word = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
        (!name.is_empty() && name.bytes().all(word)).then_some(name)
    }

    /// A game or form that the evidence does not cover.
    #[must_use]
    pub fn unsupported(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { errno: Errno::Eopnotsupp, field: field.into(), message: message.into() }
    }
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            write!(f, "{}: {}", self.errno, self.message)
        } else {
            write!(f, "{} at `{}`: {}", self.errno, self.field, self.message)
        }
    }
}

impl std::error::Error for PortError {}
