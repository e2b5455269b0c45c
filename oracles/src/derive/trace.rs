//! A derivation watched while it runs: what each statement set, and what it would have been without rounding.
//!
//! A loop sets a step thousands of times, so a statement keeps its first and last few values and counts the others:
//! what a trace holds is bounded by the length of the text. Running without a trace pays one test a statement.

use super::ast::{Expr, ExprKind, Slot, Statement, StatementKind};
use super::machine::{BUDGET, Machine};
use super::names::Names;
use super::parser;
use super::place::Key;
use super::scope::Scope;
use super::steps::Steps;
use super::value::Value;
use super::{DeriveError, Outcome};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

/// Values kept of a statement at its beginning, and again at its end.
const KEPT: usize = 3;
/// Statements kept; the rest is counted.
const MOST: usize = 2000;
/// Steps that one expression may take when it is evaluated again without rounding.
const AGAIN: u64 = 100_000;
/// Lists and records of more fields are not compared with what they would be without rounding.
const COMPARED: usize = 64;

/// What a derivation did.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The statements that set something, in the order of their first run.
    pub steps: Vec<TracedStep>,
    /// Runs of statements that found no room.
    pub left_out: u64,
    /// Byte range of the `require` that refused.
    pub refused: Option<Range<usize>>,
    /// How it ended.
    pub outcome: Outcome,
}

/// One statement, all its runs together.
#[derive(Clone, Debug)]
pub struct TracedStep {
    /// Byte range in the text; a comment on the same line is in it.
    pub span: Range<usize>,
    /// The step that it sets; may be dotted.
    pub name: String,
    /// What of the step it sets.
    pub sets: Sets,
    /// Whether no later statement set the step again.
    pub last: bool,
    /// How often it ran.
    pub times: u64,
    /// The first runs.
    pub first: Vec<Setting>,
    /// The last runs, as far as they are not among the first; empty if there are none.
    pub tail: VecDeque<Setting>,
}

impl TracedStep {
    /// The last run.
    #[must_use]
    pub fn latest(&self) -> Option<&Setting> {
        self.tail.back().or_else(|| self.first.last())
    }
}

/// What of a step a statement sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// All of it.
    Whole,
    /// An element or a field.
    Part,
    /// One more element.
    Push,
}

/// One run of a statement.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Place inside the step, such as `[3]`; empty for the whole.
    pub place: String,
    /// The value that was set.
    pub value: Value,
    /// What the expression gives with everything that rounds left out, where that is another value: the operations of
    /// `x87` exact, and `f32`, `f64`, `nearest32`, `nearest64`, `ftol`, `trunc`, `floor`, `real32` and `real64` giving
    /// back what they take. `None` also where there is no such value, as with roots and infinities.
    pub unrounded: Option<Value>,
}

impl Trace {
    /// Evaluates a derivation with what is bound in `scope`, keeping track.
    ///
    /// # Errors
    /// Those of [`super::Program::parse`] and [`super::Program::run`].
    pub fn of(text: &str, scope: &Scope) -> Result<Self, DeriveError> {
        // Constants that were computed ahead would hide their rounding; but what is too deep without that still runs.
        Self::with(text, scope, false).or_else(|_| Self::with(text, scope, true))
    }

    fn with(text: &str, scope: &Scope, fold: bool) -> Result<Self, DeriveError> {
        let (block, names) = parser::parse(text, fold)?;
        let names = Arc::new(names);
        let bound = names.all().iter().map(|name| scope.get(name).cloned()).collect();
        let mut machine = Machine::new(&names, bound);
        machine.recorder = Some(Box::default());
        // Evaluating again must not make a derivation fail that runs.
        machine.budget = 3 * BUDGET;
        let refusal = machine.run(&block)?;
        let recorder = *machine.recorder.take().unwrap_or_default();
        let steps = Steps::new(names.clone(), scope.clone(), machine.values, machine.order);
        Ok(recorder.finish(text, &names, Outcome::new(steps, refusal)))
    }
}

/// Takes down what statements set.
#[derive(Default)]
pub struct Recorder {
    entries: Vec<Entry>,
    /// Entry of a statement, by its offset.
    places: BTreeMap<usize, usize>,
    /// Entry that set a step last.
    last: BTreeMap<Slot, usize>,
    left_out: u64,
    refused: Option<Range<usize>>,
}

struct Entry {
    span: Range<usize>,
    slot: Slot,
    sets: Sets,
    rounds: bool,
    times: u64,
    first: Vec<Setting>,
    tail: VecDeque<Setting>,
}

impl Recorder {
    /// The entry of a statement, made when it is new; nothing when there are too many.
    fn entry(&mut self, statement: &Statement) -> Option<usize> {
        if let Some(index) = self.places.get(&statement.offset) {
            return Some(*index);
        }
        let (slot, sets, value) = match &statement.kind {
            StatementKind::Assign { slot, value } => (*slot, Sets::Whole, value),
            StatementKind::Replace { slot, value, .. } => (*slot, Sets::Part, value),
            StatementKind::Push { slot, value, .. } => (*slot, Sets::Push, value),
            _ => return None,
        };
        if self.entries.len() == MOST {
            return None;
        }
        self.places.insert(statement.offset, self.entries.len());
        self.entries.push(Entry {
            span: statement.offset..statement.end,
            slot,
            sets,
            rounds: rounds(value),
            times: 0,
            first: Vec::new(),
            tail: VecDeque::new(),
        });
        Some(self.entries.len() - 1)
    }

    fn set(&mut self, index: usize, setting: Setting) {
        let entry = &mut self.entries[index];
        entry.times += 1;
        self.last.insert(entry.slot, index);
        if entry.first.len() < KEPT {
            entry.first.push(setting);
            return;
        }
        if entry.tail.len() == KEPT {
            entry.tail.pop_front();
        }
        entry.tail.push_back(setting);
    }

    fn finish(self, text: &str, names: &Names, outcome: Outcome) -> Trace {
        let trimmed = |span: Range<usize>| span.start..span.start + text[span.clone()].trim_end().len();
        let last = self.last;
        let steps = self.entries.into_iter().enumerate().map(|(index, entry)| TracedStep {
            span: trimmed(entry.span),
            name: names.name(entry.slot).to_owned(),
            sets: entry.sets,
            last: last.get(&entry.slot) == Some(&index),
            times: entry.times,
            first: entry.first,
            tail: entry.tail,
        });
        let steps = steps.filter(|step| step.times > 0).collect();
        Trace { steps, left_out: self.left_out, refused: self.refused.map(trimmed), outcome }
    }
}

/// Keys as they are written after a name.
fn place(keys: &[Key]) -> String {
    let written = |key: &Key| match key {
        Key::Index(index) => format!("[{index}]"),
        Key::Field(name) => format!(".{name}"),
    };
    keys.iter().map(written).collect()
}

impl Machine<'_> {
    /// Evaluates what a statement is about to set without rounding. Nothing without a trace, and where nothing rounds.
    pub(super) fn evaluate_unrounded(&mut self, statement: &Statement, expr: &Expr) -> Option<Value> {
        let recorder = self.recorder.as_deref_mut()?;
        let entry = recorder.entry(statement)?;
        if !recorder.entries[entry].rounds {
            return None;
        }
        let (budget, depth) = (self.budget, self.stack.len());
        self.budget = budget.min(AGAIN);
        let given = self.budget;
        self.unrounded = true;
        let value = self.evaluate(expr).ok();
        self.unrounded = false;
        self.stack.truncate(depth);
        self.budget = budget - (given - self.budget);
        value
    }

    /// Takes down what a statement sets.
    pub(super) fn record(
        &mut self,
        statement: &Statement,
        keys: &[Key],
        value: &Value,
        unrounded: Option<Value>,
    ) {
        let Some(recorder) = self.recorder.as_deref_mut() else { return };
        let Some(entry) = recorder.entry(statement) else {
            recorder.left_out += 1;
            return;
        };
        let unrounded = unrounded.filter(|unrounded| differs(unrounded, value));
        recorder.set(entry, Setting { place: place(keys), value: value.clone(), unrounded });
    }

    /// Takes down which `require` refused.
    pub(super) fn record_refusal(&mut self, statement: &Statement) {
        if let Some(recorder) = self.recorder.as_deref_mut() {
            recorder.refused = Some(statement.offset..statement.end);
        }
    }
}

/// Whether rounding made a difference. Both zeros are one value here: exact arithmetic has no other.
fn differs(unrounded: &Value, value: &Value) -> bool {
    match (unrounded, value) {
        (Value::Number(a), Value::Number(b)) => a != b && a.order(b).is_none_or(std::cmp::Ordering::is_ne),
        (Value::List(a), Value::List(b)) => {
            let (a, b) = (a.items(), b.items());
            b.len() <= COMPARED && (a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differs(a, b)))
        }
        (Value::Record(a), Value::Record(b)) => {
            let (a, b) = (a.fields(), b.fields());
            b.len() <= COMPARED && (a.len() != b.len() || a.iter().zip(b).any(|(a, b)| differs(&a.1, &b.1)))
        }
        _ => unrounded != value,
    }
}

/// Whether an expression holds anything that may round.
fn rounds(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Variable(_) | ExprKind::Given(_) => false,
        ExprKind::Binary { x87, operands, .. } => *x87 || operands.iter().any(rounds),
        ExprKind::Call(function, arguments) => function.rounds() || arguments.iter().any(rounds),
        ExprKind::Negate { operand, .. }
        | ExprKind::Not(operand)
        | ExprKind::Complement(operand)
        | ExprKind::X87(operand)
        | ExprKind::Field(operand, _) => rounds(operand),
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Index(parts) => parts.iter().any(rounds),
        ExprKind::Choice(parts) => parts.iter().any(rounds),
        ExprKind::List(items) => items.iter().any(rounds),
        ExprKind::Record(fields) => fields.iter().any(|(_, value)| rounds(value)),
    }
}
