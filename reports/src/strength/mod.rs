//! How strong the oracle is: which changes of the ports the golden cases catch.
//!
//! `.ci/strength` lets cargo-mutants change one thing in `ports` at a time and asks the golden suites alone. What it leaves
//! behind is read by [`outcomes`] and [`kills`], put together by [`merge`], held against `ports/strength.toml`
//! ([`Record`]) by [`assess`], and shown by [`strength_text`] and [`strength_json`]. Nothing here reads a file.

mod assess;
mod json;
mod matrix;
mod merge;
mod outcomes;
mod record;
#[cfg(test)]
mod sample;
mod text;

pub use assess::{Assessment, MOST_ARGUED, assess};
pub use json::strength_json;
pub use merge::{Run, merge};
pub use outcomes::{Kills, Outcome, Summary, kills, outcomes};
pub use record::{Equivalent, Floor, Record};
pub use text::{Shown, strength_text};

use std::collections::BTreeMap;

/// One file whose mutants are tried, and what their results rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Path relative to the repository.
    pub file: String,
    /// `area/capability` for the file of a capability, else its path below `ports/src`.
    pub row: String,
    /// Digest of the file: another text has other mutants.
    pub text: String,
    /// Suites that can see a mutant of the file, each with its keys.
    pub suites: BTreeMap<String, Keys>,
}

/// What the verdict of one suite rests on, as digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// The files of `ports` that its capability reaches.
    pub ports: String,
    /// Its spec and its golden folder.
    pub cases: String,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A case failed.
    Caught,
    /// It ran for ever or took its process down: caught as well.
    Hung,
    /// Every case passed.
    Survived,
    /// It does not compile, and does not count.
    Unviable,
    /// Ports or cases have changed since, in a way that may have changed the answer.
    Old,
}

/// One change of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// As cargo-mutants names it: `file:line:column: change`.
    pub name: String,
    /// Path relative to the repository.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Function that is changed.
    pub function: String,
    /// What is changed, in words.
    pub change: String,
    /// What became of it.
    pub state: State,
    /// Cases that fail under it, `area/capability/case`; for a vector file, the file.
    pub killers: Vec<String>,
    /// Those of them that did not come back.
    pub hung: Vec<String>,
    /// Why no input can tell it apart, if somebody argues so.
    pub argued: Option<String>,
}

/// How complete the results of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every mutant has an answer that still holds.
    Complete,
    /// Nothing was measured, or another text of the file.
    Missing,
    /// Only some parts were measured.
    Incomplete {
        /// Parts with results.
        have: usize,
        /// Parts in all.
        want: usize,
    },
    /// Everything was measured, but so many mutants have to be tried again.
    Old(usize),
}

/// The mutants of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `area/capability`, or the path below `ports/src` of a shared file.
    pub row: String,
    /// Path relative to the repository.
    pub file: String,
    /// How complete this is.
    pub standing: Standing,
    /// In the order of the file.
    pub mutants: Vec<Mutant>,
}

/// Mutants by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub mutants: usize,
    /// Those that compile.
    pub viable: usize,
    /// A case failed.
    pub caught: usize,
    /// It ran for ever or crashed; also caught.
    pub hung: usize,
    /// Nothing noticed, and nobody argues that nothing could.
    pub survived: usize,
    /// Nothing noticed, and the record says why nothing can.
    pub argued: usize,
    /// To be tried again.
    pub old: usize,
}

impl Tally {
    /// Caught and hung of those that could be, in percent; `None` when there are none.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let could = self.viable - self.argued;
        (could > 0).then(|| 100.0 * (self.caught + self.hung) as f64 / could as f64)
    }

    /// The score as a floor: whole percent, rounded down. Reckoned in integers, so that 100 means all.
    #[must_use]
    pub fn floor(&self) -> Option<u8> {
        let could = self.viable - self.argued;
        (could > 0).then(|| (100 * (self.caught + self.hung) / could).min(100) as u8)
    }

    /// Adds another tally.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            mutants: self.mutants + other.mutants,
            viable: self.viable + other.viable,
            caught: self.caught + other.caught,
            hung: self.hung + other.hung,
            survived: self.survived + other.survived,
            argued: self.argued + other.argued,
            old: self.old + other.old,
        }
    }
}

impl Row {
    /// Its mutants by what became of them.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally { mutants: self.mutants.len(), ..Tally::default() };
        for mutant in &self.mutants {
            tally.viable += usize::from(mutant.state != State::Unviable);
            match (mutant.state, &mutant.argued) {
                (State::Caught, _) => tally.caught += 1,
                (State::Hung, _) => tally.hung += 1,
                (State::Survived, None) => tally.survived += 1,
                (State::Survived, Some(_)) => tally.argued += 1,
                (State::Old, _) => tally.old += 1,
                (State::Unviable, _) => {}
            }
        }
        tally
    }
}
