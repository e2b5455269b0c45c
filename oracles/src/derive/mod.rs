//! The derivation language: how a golden case's expected values are computed, exactly and apart from any port.
//!
//! A derivation is a list of named steps, one a line. Numbers are exact rationals; what the engine rounds is written
//! where it rounds it: `x87(…)` cuts every operation inside to 53 bits toward zero, `f32(…)` stores, `ftol(…)`
//! truncates. A step named like a stage of the breakdown must equal what the case expects there.
//!
//! ```
//! use assay_oracles::derive::{Outcome, Program, Scope};
//! let program = Program::parse("falloff = 0.5\nresult = trunc(damage * falloff)").unwrap();
//! let mut scope = Scope::default();
//! scope.bind("damage", &assay_model::Tree::Int(131)).unwrap();
//! let Outcome::Steps(steps) = program.run(&scope).unwrap() else { panic!() };
//! assert_eq!(steps.agrees("result", &assay_model::Tree::Int(65)), Ok(()));
//! ```

mod ast;
mod binary;
mod evaluate;
mod expression;
mod function;
mod integer;
mod lexer;
mod machine;
mod names;
mod number;
mod numeral;
mod parser;
mod place;
mod print;
mod scope;
mod steps;
mod stream;
mod trace;
mod value;

#[cfg(test)]
mod paths;

pub use number::Number;
pub use scope::Scope;
pub use steps::Steps;
pub use trace::{Sets, Setting, Trace, TracedStep};
pub use value::{List, Record, Value};

use ast::Block;
use machine::{Machine, Refusal};
use names::Names;
use std::fmt;
use std::sync::Arc;

/// What is wrong in a derivation, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeriveError {
    /// Byte offset in the text of the derivation.
    pub offset: usize,
    /// What is wrong and what to do: a lower-case fragment.
    pub message: String,
}

impl DeriveError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }

    fn in_step(self, name: &str) -> Self {
        Self { message: format!("step `{name}`: {}", self.message), ..self }
    }
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DeriveError {}

/// A parsed derivation. Cheap to clone; can be run from several threads at once.
#[derive(Clone, Debug)]
pub struct Program {
    block: Arc<Block>,
    names: Arc<Names>,
}

/// How a derivation ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It gives these steps.
    Steps(Steps),
    /// A `require` was false: the port must refuse.
    Refused {
        /// Error name, one of [`assay_model::Errno`].
        errno: String,
        /// Dotted path of the offending field; empty for the input as a whole.
        field: String,
        /// The steps before the refusal.
        steps: Steps,
    },
}

impl Outcome {
    fn new(steps: Steps, refusal: Option<Refusal>) -> Self {
        match refusal {
            None => Self::Steps(steps),
            Some(refusal) => Self::Refused {
                errno: (*refusal.errno).to_owned(),
                field: (*refusal.field).to_owned(),
                steps,
            },
        }
    }

    /// The steps, those before a refusal included.
    #[must_use]
    pub const fn steps(&self) -> &Steps {
        match self {
            Self::Steps(steps) | Self::Refused { steps, .. } => steps,
        }
    }
}

impl Program {
    /// Parses a derivation.
    ///
    /// # Errors
    /// The first place where the text is not of the language or exceeds its limits.
    pub fn parse(text: &str) -> Result<Self, DeriveError> {
        let (block, names) = parser::parse(text, true)?;
        Ok(Self { block: Arc::new(block), names: Arc::new(names) })
    }

    /// Evaluates the derivation with what is bound in `scope`.
    ///
    /// # Errors
    /// The first step that cannot be evaluated, or that exceeds the budget.
    pub fn run(&self, scope: &Scope) -> Result<Outcome, DeriveError> {
        let bound = self.names.all().iter().map(|name| scope.get(name).cloned()).collect();
        let mut machine = Machine::new(&self.names, bound);
        let refusal = machine.run(&self.block)?;
        let steps = Steps::new(self.names.clone(), scope.clone(), machine.values, machine.order);
        Ok(Outcome::new(steps, refusal))
    }
}
