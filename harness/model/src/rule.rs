//! The rules that a corpus is held to: a closed list, so that a reader can filter by one and a tool can explain it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The corpus cannot be trusted.
    Error,
    /// It deserves a look; nothing is refused for it.
    Warning,
}

impl Severity {
    /// The word as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Writes the list once: variant, word, severity, description.
macro_rules! rules {
    ($($rule:ident $word:literal $severity:ident $description:literal;)*) => {
        /// What a problem breaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Rule {
            $(#[doc = $description] #[serde(rename = $word)] $rule,)*
        }

        impl Rule {
            /// Every rule, in the order in which they are listed.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// The word that names it, lower-case and joined by `-`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$rule => $word,)* }
            }

            /// One line: what must hold.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $(Self::$rule => $description,)* }
            }

            /// How bad it is to break it.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$rule => Severity::$severity,)* }
            }
        }
    };
}

rules! {
    File "file" Error "Every file can be read, and stands where the layout wants it.";
    Syntax "syntax" Error "Every file is well-formed TOML, JSON or Markdown with front matter.";
    UnknownKey "unknown-key" Error "Only the keys of the format are used.";
    MissingKey "missing-key" Error "Every required key is there.";
    WrongType "wrong-type" Error "Every value is of the type that its key takes.";
    WrongValue "wrong-value" Error "Every value is one that its key allows.";
    BadId "bad-id" Error "Ids are lower-case words joined by `-`; ids of clauses are a word, a point and a number.";
    DuplicateId "duplicate-id" Error "Ids are unique where they are given.";
    ReusedId "reused-id" Error "The id of a removed case is never used again.";
    Title "title" Error "Every case, sweep, clause and spec has a title.";
    UnknownGame "unknown-game" Error "A game is one that the port and the spec are for.";
    UnknownClause "unknown-clause" Error "A clause that a case names is in the spec.";
    ClauseOfAnotherGame "clause-of-another-game" Error "A clause that a case names holds for the game of the case.";
    UnknownSource "unknown-source" Error "A source that is cited is in oracles/sources.toml.";
    SourceOfAnotherGame "source-of-another-game" Error "A source that is cited is evidence for the game.";
    UncitedSource "uncited-source" Error "Every source is cited by a clause, a table or a case.";
    Group "group" Error "The independence group of a source is one of the known teams.";
    Clause "clause" Error "A clause has well-formed metadata: games, sources, and `open` while a part is unknown.";
    Binding "binding" Error "Defaults, constants and tables of a spec are names and values that a derivation can use.";
    Defaults "defaults" Error "The defaults of spec and port are the same.";
    Composes "composes" Error "A composed capability has a spec of its own.";
    Table "table" Error "A table names a known source and its values fit its type.";
    Pairing "pairing" Error "Port, spec and suite stand beside each other, under one area and one name.";
    Coverage "coverage" Error "Every game that a capability lists has cases and clauses.";
    Input "input" Error "The input of a case is a table of the case's own game.";
    Kind "kind" Error "A case is derived in exactly one way: computed, recorded or prose.";
    Expectation "expectation" Error "A case expects a breakdown or an error, and one of the two.";
    Derivation "derivation" Error "A derivation is of the language, and evaluates for its case.";
    DerivationDoesNotReach "derivation-does-not-reach" Error "Every expected leaf comes out of the derivation of its case.";
    UnknownDerivation "unknown-derivation" Error "A shared derivation that a case names exists.";
    UnusedDerivation "unused-derivation" Error "Every shared derivation is used.";
    MissingStage "missing-stage" Error "An expectation lists every stage that the port always gives, or is `partial`.";
    UnknownStage "unknown-stage" Error "Every stage of an expectation is one that the port can give.";
    Sweep "sweep" Error "The axes of a sweep are inputs with values, and its points are bounded in number.";
    Vectors "vectors" Error "A vector file holds as many vectors as its header counts, each with input and output.";
    Tolerance "tolerance" Error "A tolerance is one usable rule for numbers of the expectation, with a reason.";
    FloatText "float-text" Error "A float is written with the digits that its value keeps.";
    Tombstone "tombstone" Error "A tombstone says why the case went, and stays.";
    RemovedWithoutTombstone "removed-without-tombstone" Error "A case that was locked is there, or has a tombstone.";
    KnownFailure "known-failure" Error "A known failure names a case, a reason and the day on which it expires.";
    Dispute "dispute" Error "A dispute says where, why and since when.";
    Lock "lock" Error "golden/index.lock says what the corpus holds.";
    Selection "selection" Error "A selection takes something.";
    Port "port" Error "A port in another process keeps to the protocol, and its answers do not depend on each other.";
    Demand "demand" Error "What a run was asked to hold itself to holds.";
    StaleClause "stale-clause" Warning "A case was read again since a clause that it cites changed.";
    Order "order" Warning "Keys, stages and tombstones stand in the order of the format.";
    Layout "layout" Warning "No space at the end of a line, and one end of line at the end of a file.";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_the_same_in_json() {
        let words: std::collections::BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        assert_eq!(words.len(), Rule::ALL.len());
        for rule in Rule::ALL {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.as_str());
            assert!(rule.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{rule}");
            assert!(rule.description().ends_with('.'), "{rule}");
        }
        assert_eq!((Rule::Order.severity(), Rule::Syntax.severity()), (Severity::Warning, Severity::Error));
    }
}
