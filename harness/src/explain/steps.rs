//! A derivation with what each statement set, exactly and as the engine has it, beside the port's stage.

use super::stages::{Compared, clip};
use crate::locate::Locator;
use crate::suite::Suite;
use assay_model::explain::{DerivationExplained, RefusalExplained, SettingExplained, StepExplained};
use assay_model::{Rule, Tree};
use assay_oracles::derive::{Outcome, Scope, Sets, Setting, Trace, TracedStep, Value};
use std::fmt::Display;
use std::ops::Range;

/// A derivation and where its text stands.
pub(super) struct Text<'a> {
    pub text: &'a str,
    file: &'a str,
    /// Line of its first character.
    line: usize,
    name: Option<String>,
}

impl<'a> Text<'a> {
    /// The derivation of the case or sweep at `index` of its table, whose entry says `written`.
    pub fn of(suite: &'a Suite, table: &str, index: usize, written: &str, text: &'a str) -> Self {
        let locator = Locator::new(&suite.path, &suite.text);
        let name = written.trim().strip_prefix('@').map(str::to_owned);
        let place: [&dyn Display; 3] = [&table, &index, &"derivation"];
        let line = match &name {
            Some(name) => locator.inside(Rule::Derivation, &[&"derivations", name], text, 0, "", ""),
            None => locator.inside(Rule::Derivation, &place, text, 0, "", ""),
        }
        .line;
        Self { text, file: &suite.path, line, name }
    }

    fn line(&self, offset: usize) -> usize {
        self.line + self.text[..offset].matches('\n').count()
    }

    fn source(&self, span: &Range<usize>) -> String {
        self.text[span.clone()].to_owned()
    }

    /// Follows the derivation.
    pub fn trace(&self, scope: Result<Scope, String>) -> Result<Trace, String> {
        Trace::of(self.text, &scope?)
            .map_err(|error| format!("line {}: {}", self.line(error.offset), error.message))
    }

    /// What an explanation says of it.
    pub fn explain(
        &self,
        trace: &Result<Trace, String>,
        compared: &Compared,
        actual: Option<&Tree>,
    ) -> DerivationExplained {
        let mut explained = DerivationExplained {
            name: self.name.clone(),
            file: self.file.to_owned(),
            line: self.line,
            steps: Vec::new(),
            more_steps: 0,
            refusal: None,
            broken: None,
        };
        match trace {
            Ok(trace) => {
                explained.steps =
                    trace.steps.iter().map(|step| self.step(step, trace, compared, actual)).collect();
                explained.more_steps = trace.left_out;
                explained.refusal = self.refusal(trace);
            }
            Err(message) => explained.broken = Some(message.clone()),
        }
        explained
    }

    fn step(
        &self,
        step: &TracedStep,
        trace: &Trace,
        compared: &Compared,
        actual: Option<&Tree>,
    ) -> StepExplained {
        let part = step.last && step.sets != Sets::Whole;
        let whole = if part { trace.outcome.steps().leaf(&step.name) } else { None };
        let first = step.first.iter().zip(1..).map(|(run, number)| Some(setting(run, number)));
        let before = step.times - step.tail.len() as u64;
        let gap = (before > step.first.len() as u64).then_some(None);
        let tail = step.tail.iter().zip(before + 1..).map(|(run, number)| Some(setting(run, number)));
        let runs = if step.times > 1 { first.chain(gap).chain(tail).collect() } else { Vec::new() };
        let last = step.latest().map(|run| setting(run, step.times));
        StepExplained {
            line: self.line(step.span.start),
            source: self.source(&step.span),
            step: step.name.clone(),
            times: step.times,
            last: last.unwrap_or_else(|| SettingExplained {
                run: 0,
                place: String::new(),
                value: String::new(),
                exact: None,
                digits: None,
            }),
            runs,
            whole: whole.map(|whole| clip(whole.to_string())),
            stage: if step.last { compared.beside(&step.name, actual) } else { None },
        }
    }

    fn refusal(&self, trace: &Trace) -> Option<RefusalExplained> {
        let (span, Outcome::Refused { errno, field, .. }) = (trace.refused.as_ref()?, &trace.outcome) else {
            return None;
        };
        Some(RefusalExplained {
            line: self.line(span.start),
            source: self.source(span),
            errno: errno.clone(),
            field: field.clone(),
        })
    }
}

fn setting(run: &Setting, number: u64) -> SettingExplained {
    let value = run.value.to_string();
    // 0.7 that was made by rounding is not seven tenths, and that is what matters.
    let digits = match (&run.unrounded, &run.value) {
        (Some(_), Value::Number(number)) => Some(number.exact()).filter(|digits| *digits != value),
        _ => None,
    };
    SettingExplained {
        run: number,
        place: run.place.clone(),
        value: clip(value),
        exact: run.unrounded.as_ref().map(|exact| clip(exact.exact())),
        digits,
    }
}
