//! One case, sweep or vector line.

use super::stages::{Compared, stages};
use super::steps::Text;
use super::{clause, port, sweep};
use crate::bind::scope;
use crate::compare::{EXACT, Rules};
use crate::registry::{Entry, Registry};
use crate::run::{Options, verify};
use crate::selection::Selection;
use crate::suite::{Case, Due, Suite, Sweep, Vector, VectorFile};
use assay_model::explain::{CaseExplained, SweepExplained};
use assay_model::{CaseResult, Tree};
use assay_oracles::derive::{Outcome, Trace};

/// Explains the case, sweep or vector line of an id; `at` says which point of a sweep, one `axis=value` for each axis.
///
/// # Errors
/// No case has the id, or `at` is no point of it.
pub fn case(
    registry: &Registry,
    options: &Options,
    id: &str,
    at: &[String],
) -> Result<CaseExplained, String> {
    let unknown = || format!("no case is called `{id}`");
    let selection = Selection::all().pattern(id)?;
    let report = verify(registry, &selection, options);
    let result = report.results.into_iter().find(|result| result.id == id).ok_or_else(unknown)?;
    let entry = registry.get(&result.capability).ok_or_else(unknown)?;
    let suite = entry.suite.as_ref().ok_or_else(unknown)?;
    let context = Context { registry, entry, suite };
    let mut explained = if let Some(index) = suite.sweeps.iter().position(|sweep| sweep.id == id) {
        context.sweep(index, result, at)?
    } else if !at.is_empty() {
        return Err(format!("`{id}` is one point: only a sweep has axes to choose on"));
    } else if let Some(index) = suite.cases.iter().position(|case| case.id == id) {
        context.case(index, result)
    } else {
        let mut lines = suite.vectors.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
        let (file, line) = lines.find(|(_, line)| line.id == id).ok_or_else(unknown)?;
        context.vector(file, line, result)
    };
    explained.problems = report.problems;
    Ok(explained)
}

struct Context<'a> {
    registry: &'a Registry,
    entry: &'a Entry,
    suite: &'a Suite,
}

/// What is due, and how it is compared.
struct Asked<'a> {
    expected: Option<&'a Tree>,
    rules: Rules<'a>,
    text: Option<Text<'a>>,
    trace: Option<Result<Trace, String>>,
    /// Top-level stages of the breakdown, where the derivation is all that is expected.
    sweep: Option<&'a [String]>,
}

impl Context<'_> {
    fn case(&self, index: usize, result: CaseResult) -> CaseExplained {
        let Case { line, entry, derivation, input, .. } = &self.suite.cases[index];
        let arguments = Tree::from_json(input).unwrap_or(Tree::Null);
        let written = entry.derivation.as_deref().unwrap_or_default();
        let text = derivation.as_ref().map(|text| Text::of(self.suite, "case", index, written, text));
        let trace = text
            .as_ref()
            .zip(self.registry.spec(self.entry.name()))
            .map(|(text, spec)| text.trace(scope(spec, entry.game, arguments.entries())));
        let rules = Rules { partial: entry.partial, tolerance: &entry.tolerance };
        let asked = Asked { expected: entry.expect.as_ref(), rules, text, trace, sweep: None };
        CaseExplained {
            title: entry.title.clone(),
            line: *line,
            tags: entry.tags.clone(),
            note: entry.note.clone(),
            recorded: entry.recorded.as_ref().and_then(|id| clause::source(self.registry, id)),
            prose: entry.prose.clone(),
            ..self.explain(result, arguments, &asked)
        }
    }

    fn vector(&self, file: &VectorFile, vector: &Vector, result: CaseResult) -> CaseExplained {
        let arguments = Tree::from_json(&vector.input).unwrap_or(Tree::Null);
        let expected = match &vector.due {
            Due::Breakdown(bytes) => Tree::from_json(bytes).ok(),
            Due::Refusal(_) => None,
        };
        let rules = Rules { partial: file.header.partial, ..EXACT };
        let asked = Asked { expected: expected.as_ref(), rules, text: None, trace: None, sweep: None };
        CaseExplained {
            file: file.path.clone(),
            line: vector.line,
            recorded: clause::source(self.registry, &file.header.source),
            ..self.explain(result, arguments, &asked)
        }
    }

    fn sweep(&self, index: usize, result: CaseResult, at: &[String]) -> Result<CaseExplained, String> {
        let sweep: &Sweep = &self.suite.sweeps[index];
        let chosen: SweepExplained = sweep::choose(self.entry.port, sweep, result.verdict, at)?;
        let entry = &sweep.entry;
        let text = Text::of(self.suite, "sweep", index, &entry.derivation, &sweep.derivation);
        let trace = text.trace(sweep.scope_at(&chosen.at));
        let derived = trace.as_ref().ok().and_then(|trace| match &trace.outcome {
            Outcome::Steps(steps) => expected(steps, &sweep.stages),
            Outcome::Refused { .. } => None,
        });
        let asked = Asked {
            expected: derived.as_ref(),
            rules: EXACT,
            text: Some(text),
            trace: Some(trace),
            sweep: Some(&sweep.stages),
        };
        Ok(CaseExplained {
            title: entry.title.clone(),
            line: sweep.line,
            tags: entry.tags.clone(),
            ..self.explain(result, sweep.input_at(&chosen.at), &asked)
        })
        .map(|explained| CaseExplained { sweep: Some(chosen), ..explained })
    }

    /// Runs the port and sets everything side by side.
    fn explain(&self, result: CaseResult, input: Tree, asked: &Asked) -> CaseExplained {
        let answer = port::answer(self.entry.port, &input.to_json());
        let actual = port::breakdown(&answer);
        let outcome = asked.trace.as_ref().and_then(|trace| trace.as_ref().ok()).map(|trace| &trace.outcome);
        let steps = outcome.map(Outcome::steps);
        let compared = match (asked.sweep, outcome, asked.expected, actual) {
            (Some(stages), Some(Outcome::Steps(steps)), _, Some(actual)) => {
                Compared::derived(steps, stages, actual)
            }
            (None, _, Some(expected), Some(actual)) => Compared::of(expected, actual, asked.rules, steps),
            _ => Compared::default(),
        };
        let (stages, more_stages) = stages(asked.expected, actual, &compared, steps);
        let derivation = asked.text.as_ref().zip(asked.trace.as_ref());
        let derivation = derivation.map(|(text, trace)| text.explain(trace, &compared, actual));
        let spec = self.registry.spec(self.entry.name());
        CaseExplained {
            id: result.id.clone(),
            title: String::new(),
            file: self.suite.path.clone(),
            line: 0,
            kind: result.kind,
            game: result.game,
            tags: Vec::new(),
            note: None,
            input,
            clauses: spec.map_or_else(Vec::new, |spec| {
                clause::cited(self.registry, spec, &result.clause, result.game)
            }),
            sweep: None,
            recorded: None,
            prose: None,
            derivation,
            stages,
            more_stages,
            differences: compared.differences,
            more_differences: compared.more,
            port: answer,
            result,
            problems: Vec::new(),
        }
    }
}

/// What a derivation expects of the top-level stages.
fn expected(steps: &assay_oracles::derive::Steps, stages: &[String]) -> Option<Tree> {
    let given = stages.iter().filter_map(|stage| Some((stage.clone(), steps.tree(stage)?)));
    Some(Tree::Map(given.collect()))
}
