//! Hand-written cases: each claim in them is checked before anything runs.

use super::{Binder, scope};
use crate::compare::covering;
use crate::load::is_day;
use crate::suite::{Case, Due};
use assay_model::{CaseEntry, CaseKind, Rule, Tree};
use std::fmt::Display;

impl Binder<'_> {
    pub(super) fn case(&mut self, index: usize, entry: &CaseEntry) -> Option<Case> {
        self.claims(&[&"case", &index], entry.game, &entry.clause);
        if entry.title.trim().is_empty() {
            self.wrong(
                Rule::Title,
                &[&"case", &index, &"title"],
                format!("`{}` has no title", entry.id),
                "say what it shows",
            );
        }
        if let Some(dispute) = &entry.disputed
            && !is_day(&dispute.opened)
        {
            let message = format!("`{}` is no day", dispute.opened);
            self.wrong(
                Rule::Dispute,
                &[&"case", &index, &"disputed", &"opened"],
                message,
                "write YYYY-MM-DD",
            );
        }
        let kind = self.kind(index, entry);
        let due = self.due(index, entry);
        self.tolerances(index, entry);
        let arguments = match self.arguments(&entry.input, entry.game) {
            Ok(arguments) => arguments,
            Err(message) => {
                self.wrong(
                    Rule::Input,
                    &[&"case", &index, &"input"],
                    message,
                    "write `input = { … }` of the case's own game",
                );
                return None;
            }
        };
        let derivation = match &due {
            Some(_) => self.judge_derivation(index, entry, &arguments),
            None => None,
        };
        let key = self.key(entry, derivation.as_deref().unwrap_or_default());
        Some(Case {
            id: self.full(&entry.id),
            kind: kind?,
            line: self.locator.line(&[&"case", &index]),
            entry: entry.clone(),
            derivation,
            input: Tree::Map(arguments).to_json(),
            due: due?,
            key,
        })
    }

    /// Exactly one way in which the expectation was found.
    fn kind(&mut self, index: usize, entry: &CaseEntry) -> Option<CaseKind> {
        let CaseEntry { id, derivation, recorded, prose, .. } = entry;
        match (derivation, recorded, prose) {
            (Some(_), None, None) => Some(CaseKind::Computed),
            (_, Some(source), None) => {
                if let Err((rule, message, help)) = self.source(source, entry.game) {
                    self.wrong(rule, &[&"case", &index, &"recorded"], message, help);
                }
                Some(CaseKind::Recorded)
            }
            (None, None, Some(text)) if !text.trim().is_empty() => Some(CaseKind::Prose),
            (None, None, _) => {
                let help = "write `derivation` (computed), `recorded` (a source) or `prose` (why it holds)";
                self.wrong(
                    Rule::Kind,
                    &[&"case", &index],
                    format!("`{id}` does not say how it was derived"),
                    help,
                );
                None
            }
            _ => {
                let help = "`prose` stands alone; `recorded` may have a `derivation` besides";
                self.wrong(
                    Rule::Kind,
                    &[&"case", &index, &"prose"],
                    format!("`{id}` is derived in two ways"),
                    help,
                );
                None
            }
        }
    }

    /// A breakdown with at least one leaf, or an error.
    fn due(&mut self, index: usize, entry: &CaseEntry) -> Option<Due> {
        let id = &entry.id;
        match (&entry.expect, &entry.error) {
            (Some(expect), None) => {
                if !matches!(expect, Tree::Map(stages) if !stages.is_empty()) {
                    let help = "list every stage in `[case.expect]`";
                    self.wrong(
                        Rule::Expectation,
                        &[&"case", &index, &"expect"],
                        format!("`{id}` expects no stage"),
                        help,
                    );
                    return None;
                }
                Some(Due::Breakdown(expect.to_json()))
            }
            (None, Some(error)) => {
                if entry.partial || !entry.tolerance.is_empty() {
                    let message =
                        format!("`{id}` expects an error, which `partial` and `tolerance` say nothing about");
                    self.wrong(Rule::Expectation, &[&"case", &index, &"error"], message, "remove them");
                }
                Some(Due::Refusal(error.clone()))
            }
            (Some(_), Some(_)) => {
                let message = format!("`{id}` expects a breakdown and an error");
                self.wrong(Rule::Expectation, &[&"case", &index, &"error"], message, "keep one");
                None
            }
            (None, None) => {
                let help = "write `[case.expect]` or `[case.error]`";
                self.wrong(Rule::Expectation, &[&"case", &index], format!("`{id}` expects nothing"), help);
                None
            }
        }
    }

    /// Each tolerance is one usable rule, with a reason, for numbers that the expectation has.
    fn tolerances(&mut self, index: usize, entry: &CaseEntry) {
        for (stage, rule) in &entry.tolerance {
            let place: [&dyn Display; 4] = [&"case", &index, &"tolerance", stage];
            let mut wrong = |message: &str, help: &str| {
                self.problems.push(self.locator.problem(
                    Rule::Tolerance,
                    &place,
                    format!("tolerance for `{stage}` {message}"),
                    help,
                ));
            };
            if rule.why.trim().is_empty() {
                wrong("has no reason", "say in `why` what makes exact comparison impossible");
            }
            match (rule.ulps, rule.abs) {
                (Some(_), Some(_)) => wrong("has two rules", "keep `ulps` or `abs`"),
                (None, None) => wrong("has no rule", "give `ulps` or `abs`"),
                (Some(0), None) => wrong("tolerates nothing", "remove it"),
                (None, Some(abs)) if !abs.is_finite() || abs <= 0.0 => {
                    wrong("is no distance", "`abs` is above zero");
                }
                _ => {}
            }
            let (mut numbers, mut others) = (0, 0);
            if let Some(expect) = &entry.expect {
                expect.leaves(&mut |path, leaf| {
                    if covering(&entry.tolerance, path).is_some_and(|(name, _)| name == stage) {
                        *(if leaf.number().is_some() { &mut numbers } else { &mut others }) += 1;
                    }
                });
            }
            match (numbers, others) {
                (0, 0) => wrong("names no stage", "it is the dotted path of a stage in `expect`"),
                (0, _) => wrong("names no number", "only numbers have a distance"),
                _ => {}
            }
        }
    }

    /// Evaluates the derivation, where there is one, against the expectation; gives back its text.
    fn judge_derivation(
        &mut self,
        index: usize,
        entry: &CaseEntry,
        arguments: &[(String, Tree)],
    ) -> Option<String> {
        let text = entry.derivation.as_ref()?;
        let derivation = self.derivation("case", index, text)?;
        let (key, before) = (self.key(entry, &derivation.text), self.problems.len());
        if self.known.sound.contains(&key) {
            self.sound.insert(key);
            return Some(derivation.text);
        }
        match scope(self.spec, entry.game, arguments) {
            Ok(scope) => {
                if let Some(outcome) = self.evaluate(&derivation, &scope, &entry.id) {
                    self.derived(index, entry, &outcome);
                }
            }
            Err(message) => self.wrong(Rule::Input, &[&"case", &index, &"input"], message, ""),
        }
        self.holds(key, before);
        Some(derivation.text)
    }
}
