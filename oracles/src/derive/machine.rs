//! Runs statements. Every level, copy and large number is paid for from one budget; [`super::evaluate`] does expressions.

use super::DeriveError;
use super::ast::{Accessor, Block, Expr, Slot, Statement, StatementKind};
use super::names::Names;
use super::number::Number;
use super::place::{Change, Key, put};
use super::trace::Recorder;
use super::value::Value;
use std::sync::Arc;

/// Evaluation steps of one derivation.
pub const BUDGET: u64 = 20_000_000;

/// Why a derivation ended before its last statement: the port must refuse.
pub struct Refusal {
    pub errno: Arc<str>,
    pub field: Arc<str>,
}

/// The state of one evaluation.
pub struct Machine<'a> {
    pub(super) names: &'a Names,
    /// Values by slot.
    pub values: Vec<Option<Value>>,
    /// Slots that were set, in the order of their first setting.
    pub order: Vec<Slot>,
    set: Vec<bool>,
    /// Arguments of the calls under way.
    pub(super) stack: Vec<Value>,
    pub(super) budget: u64,
    /// Whether everything that rounds gives back what it takes: for a trace alone.
    pub(super) unrounded: bool,
    /// Takes down what statements set, where somebody wants to know.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl<'a> Machine<'a> {
    /// A machine before the first statement; `values` are what is bound, by slot.
    pub fn new(names: &'a Names, values: Vec<Option<Value>>) -> Self {
        let set = vec![false; values.len()];
        Self {
            names,
            values,
            order: Vec::new(),
            set,
            stack: Vec::new(),
            budget: BUDGET,
            unrounded: false,
            recorder: None,
        }
    }

    /// Takes the cost of something from the budget.
    pub(super) fn pay(&mut self, cost: u64, offset: usize) -> Result<(), DeriveError> {
        match self.budget.checked_sub(cost) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(DeriveError::new(
                offset,
                format!(
                    "the derivation takes more than {BUDGET} steps: shorten its loops, or record the values"
                ),
            )),
        }
    }

    /// Runs statements until one refuses.
    pub fn run(&mut self, block: &Block) -> Result<Option<Refusal>, DeriveError> {
        for statement in block {
            self.pay(1, statement.offset)?;
            if let Some(refusal) = self.execute(statement)? {
                return Ok(Some(refusal));
            }
        }
        Ok(None)
    }

    fn execute(&mut self, statement: &Statement) -> Result<Option<Refusal>, DeriveError> {
        match &statement.kind {
            StatementKind::Assign { slot, value } => {
                let unrounded = self.evaluate_unrounded(statement, value);
                let value = self.evaluate(value).map_err(|error| error.in_step(self.names.name(*slot)))?;
                self.record(statement, &[], &value, unrounded);
                self.values[*slot] = Some(value);
                self.mark(*slot);
            }
            StatementKind::Replace { slot, path, value } => {
                self.change(*slot, path, (value, Change::Replace), statement)?;
            }
            StatementKind::Push { slot, path, value } => {
                self.change(*slot, path, (value, Change::Push), statement)?;
            }
            StatementKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    if self.truth(condition)? {
                        return self.run(block);
                    }
                }
                return self.run(otherwise);
            }
            StatementKind::For { slot, from, to, inclusive, body } => {
                return self.count(*slot, (from, to, *inclusive), body);
            }
            StatementKind::While { condition, body } => {
                while self.truth(condition)? {
                    if let Some(refusal) = self.run(body)? {
                        return Ok(Some(refusal));
                    }
                }
            }
            StatementKind::Require { condition, errno, field } => {
                if !self.truth(condition)? {
                    self.record_refusal(statement);
                    return Ok(Some(Refusal { errno: errno.clone(), field: field.clone() }));
                }
            }
        }
        Ok(None)
    }

    fn count(
        &mut self,
        slot: Slot,
        (from, to, inclusive): (&Expr, &Expr, bool),
        body: &Block,
    ) -> Result<Option<Refusal>, DeriveError> {
        let (first, last) = (self.bound(from)?, self.bound(to)?);
        let last = if inclusive { last.saturating_add(1) } else { last };
        let before = self.values[slot].take();
        for index in first..last {
            self.values[slot] = Some(Value::Number(Number::from(index)));
            if let Some(refusal) = self.run(body)? {
                return Ok(Some(refusal));
            }
            self.pay(1, from.offset)?;
        }
        self.values[slot] = before;
        Ok(None)
    }

    fn bound(&mut self, expr: &Expr) -> Result<i128, DeriveError> {
        let number = self.number(expr)?;
        number
            .to_int()
            .ok_or_else(|| DeriveError::new(expr.offset, format!("a loop counts integers, not to {number}")))
    }

    fn mark(&mut self, slot: Slot) {
        if !self.set[slot] {
            self.set[slot] = true;
            self.order.push(slot);
        }
    }

    fn change(
        &mut self,
        slot: Slot,
        path: &[Accessor],
        (expr, change): (&Expr, fn(Value) -> Change),
        statement: &Statement,
    ) -> Result<(), DeriveError> {
        let offset = statement.offset;
        let unrounded = self.evaluate_unrounded(statement, expr);
        let changed = self.evaluate(expr).and_then(|element| {
            let mut keys = Vec::with_capacity(path.len());
            for accessor in path {
                keys.push(match accessor {
                    Accessor::Field(name) => Key::Field(name),
                    Accessor::Index(expr) => Key::Index(self.index(expr)?),
                });
            }
            self.record(statement, &keys, &element, unrounded);
            let fail = |message: String| DeriveError::new(offset, message);
            let value = self.values[slot]
                .take()
                .ok_or_else(|| fail("it is not set yet: give it a list first".into()))?;
            let mut copied = 0;
            let value = put(value, &keys, change(element), &mut copied).map_err(fail)?;
            self.pay(copied, offset)?;
            Ok(value)
        });
        self.values[slot] = Some(changed.map_err(|error| error.in_step(self.names.name(slot)))?);
        self.mark(slot);
        Ok(())
    }

    /// The place in a list that an expression says.
    pub(super) fn index(&mut self, expr: &Expr) -> Result<usize, DeriveError> {
        let number = self.number(expr)?;
        let index = number.to_int().and_then(|index| usize::try_from(index).ok());
        index
            .ok_or_else(|| DeriveError::new(expr.offset, format!("{number} is no index: lists count from 0")))
    }
}
