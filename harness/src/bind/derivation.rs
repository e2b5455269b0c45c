//! Derivations of a suite: shared ones read once, each evaluated against the spec and the inputs of a case.

use super::Binder;
use crate::agree;
use assay_model::{CaseEntry, Game, Rule, Tree};
use assay_oracles::Spec;
use assay_oracles::derive::{DeriveError, Outcome, Program, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

/// Shared derivations: parsed (`None` where the text is not the language), and which were used.
#[derive(Default)]
pub(super) struct Shared {
    programs: BTreeMap<String, Option<Program>>,
    used: BTreeSet<String>,
}

/// A derivation ready to run, and where its text stands.
pub(super) struct Derivation {
    pub program: Program,
    pub text: String,
    place: Vec<String>,
}

/// What a derivation starts from: what the spec gives for the game, and the arguments.
pub(crate) fn scope(spec: &Spec, game: Game, arguments: &[(String, Tree)]) -> Result<Scope, String> {
    let mut scope = Scope::new(spec, game);
    for (name, value) in arguments {
        scope.bind(name, value)?;
    }
    Ok(scope)
}

impl Derivation {
    fn place(&self) -> Vec<&dyn Display> {
        self.place.iter().map(|part| part as &dyn Display).collect()
    }
}

impl Binder<'_> {
    /// Parses every shared derivation.
    pub(super) fn shared(&mut self) -> Shared {
        let mut programs = BTreeMap::new();
        for (name, text) in &self.raw.file.derivations {
            let program = match Program::parse(text) {
                Ok(program) => Some(program),
                Err(error) => {
                    self.misderived(&[&"derivations", name], text, &error, None);
                    None
                }
            };
            programs.insert(name.clone(), program);
        }
        Shared { programs, used: BTreeSet::new() }
    }

    /// Names the shared derivations that nothing uses, entries that cannot be read included.
    pub(super) fn unused(&mut self) {
        let idle = self.shared.programs.keys().filter(|name| !self.shared.used.contains(*name));
        let unused: Vec<String> = idle.filter(|name| !self.raw.hides(&format!("@{name}"))).cloned().collect();
        for name in unused {
            let message = format!("derivation `{name}` is used by nothing");
            self.wrong(
                Rule::UnusedDerivation,
                &[&"derivations", &name],
                message,
                "remove it, or write `derivation = \"@name\"` in a case",
            );
        }
    }

    /// The derivation of a case or sweep: its own text, or the shared one that it names.
    pub(super) fn derivation(&mut self, table: &str, index: usize, text: &str) -> Option<Derivation> {
        let Some(name) = text.trim().strip_prefix('@') else {
            let place = [table, &index.to_string(), "derivation"].map(str::to_owned).to_vec();
            return match Program::parse(text) {
                Ok(program) => Some(Derivation { program, text: text.to_owned(), place }),
                Err(error) => {
                    self.misderived(&[&table, &index, &"derivation"], text, &error, None);
                    None
                }
            };
        };
        self.shared.used.insert(name.to_owned());
        let Some(program) = self.shared.programs.get(name) else {
            // It may stand in a part that does not parse.
            if self.raw.hides(&format!("\n{name} ")) || self.raw.hides(&format!("\n{name}=")) {
                return None;
            }
            let known = self.shared.programs.keys().map(String::as_str);
            let near = crate::nearest::nearest(name, known, 3).join("`, `");
            let help = if near.is_empty() {
                "add it to `[derivations]`".to_owned()
            } else {
                format!("nearest: `{near}`")
            };
            self.wrong(
                Rule::UnknownDerivation,
                &[&table, &index, &"derivation"],
                format!("no derivation is called `{name}`"),
                help,
            );
            return None;
        };
        let text = self.raw.file.derivations.get(name).cloned().unwrap_or_default();
        // A shared one that does not parse has been told of once.
        program.clone().map(|program| Derivation {
            program,
            text,
            place: vec!["derivations".into(), name.into()],
        })
    }

    /// Evaluates, and tells where the derivation itself breaks.
    pub(super) fn evaluate(&mut self, derivation: &Derivation, scope: &Scope, id: &str) -> Option<Outcome> {
        // A default, constant or table that is wrong has been told of; every name that lacks it would be noise.
        if !self.spec.sound {
            return None;
        }
        match derivation.program.run(scope) {
            Ok(outcome) => Some(outcome),
            Err(error) => {
                self.misderived(&derivation.place(), &derivation.text, &error, Some(id));
                None
            }
        }
    }

    fn misderived(&mut self, place: &[&dyn Display], text: &str, error: &DeriveError, id: Option<&str>) {
        let whose = id.map_or_else(String::new, |id| format!(" for `{id}`"));
        let message = format!("derivation fails{whose}: {}", error.message);
        let problem = self.locator.inside(Rule::Derivation, place, text, error.offset, message, "");
        self.problems.push(problem);
    }

    /// Checks what a derivation gives against what the case expects.
    pub(super) fn derived(&mut self, index: usize, entry: &CaseEntry, outcome: &Outcome) {
        match (outcome, &entry.expect, &entry.error) {
            (Outcome::Steps(steps), Some(expect), None) => {
                for leaf in agree::disagreements(steps, expect) {
                    let stage: Vec<&str> = leaf.stage.split('.').collect();
                    let mut place: Vec<&dyn Display> = vec![&"case", &index, &"expect"];
                    place.extend(stage.iter().map(|part| part as &dyn Display));
                    let (name, found) = (&leaf.stage, &leaf.found);
                    let (message, help) = match leaf.derived {
                        None => (
                            format!("no step of `{}` gives `{name}`", entry.id),
                            "name a step like the stage, so that the expectation is derived",
                        ),
                        Some(derived) => (
                            format!("`{name}` is {found} here, and its derivation gives {derived}"),
                            "one of the two is wrong: check both against the spec",
                        ),
                    };
                    self.wrong(Rule::DerivationDoesNotReach, &place, message, help);
                }
            }
            (Outcome::Refused { errno, field, .. }, None, Some(error))
                if error.errno.as_str() != errno || error.field != *field =>
            {
                let message = format!(
                    "{} at `{}` is expected, and the derivation refuses with {errno} at `{field}`",
                    error.errno, error.field
                );
                let help = "one of the two is wrong";
                self.wrong(Rule::DerivationDoesNotReach, &[&"case", &index, &"error"], message, help);
            }
            (Outcome::Refused { errno, field, .. }, Some(_), None) => {
                let message =
                    format!("a breakdown is expected, and the derivation refuses with {errno} at `{field}`");
                self.wrong(
                    Rule::DerivationDoesNotReach,
                    &[&"case", &index, &"expect"],
                    message,
                    "expect the error, or correct the `require`",
                );
            }
            (Outcome::Steps(_), None, Some(error)) => {
                let message = format!("{} is expected, and the derivation refuses nothing", error.errno);
                let help = "end it in `require condition, \"ERRNO\", \"field\"`";
                self.wrong(Rule::DerivationDoesNotReach, &[&"case", &index, &"error"], message, help);
            }
            // The same refusal; or both or neither expected, which has been told already.
            _ => {}
        }
    }
}
