//! Values of expressions.

use super::DeriveError;
use super::ast::{Binary, Expr, ExprKind, Variable};
use super::binary;
use super::function::{Function, operand};
use super::integer;
use super::machine::Machine;
use super::names::Names;
use super::number::Number;
use super::place::beyond;
use super::value::{List, Record, Value};
use std::sync::Arc;

/// Constants heavier than this are not computed ahead, so that parsing is as bounded as running.
const LIGHT: u64 = 16;

/// Computes a call or operator whose operands are constants; leaves alone what fails, so that running says where.
pub fn folded(expr: Expr) -> Expr {
    let light = |expr: &Expr| match &expr.kind {
        ExprKind::Constant(Value::Number(number)) => number.weight() <= LIGHT,
        ExprKind::Constant(_) => true,
        _ => false,
    };
    let constant = match &expr.kind {
        ExprKind::Call(function, arguments) => *function != Function::Fill && arguments.iter().all(light),
        ExprKind::Binary { operands, .. } => operands.iter().all(light),
        ExprKind::X87(operand) => light(operand),
        _ => false,
    };
    if !constant {
        return expr;
    }
    match Machine::new(&Names::default(), Vec::new()).evaluate(&expr) {
        Ok(value) => Expr { kind: ExprKind::Constant(value), offset: expr.offset, height: 1 },
        Err(_) => expr,
    }
}

impl Machine<'_> {
    /// A number, paid for by its size.
    pub(super) fn number(&mut self, expr: &Expr) -> Result<Number, DeriveError> {
        // Most operands are constants and variables: this spares them the way through a value.
        let plain = match &expr.kind {
            ExprKind::Constant(value) => Some(value),
            ExprKind::Variable(variable) => self.plain(variable),
            _ => None,
        };
        if let Some(Value::Number(number @ Number::Dyadic { .. })) = plain {
            let number = number.clone();
            self.pay(1, expr.offset)?;
            return Ok(number);
        }
        match self.evaluate(expr)? {
            Value::Number(number) => {
                self.pay(number.weight(), expr.offset)?;
                Ok(number)
            }
            other => Err(DeriveError::new(expr.offset, format!("expected a number, got {}", other.sort()))),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool, DeriveError> {
        match self.evaluate(expr)? {
            Value::Bool(truth) => Ok(truth),
            other => {
                Err(DeriveError::new(expr.offset, format!("expected a condition, got {}", other.sort())))
            }
        }
    }

    /// The value of any expression.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result<Value, DeriveError> {
        self.pay(1, expr.offset)?;
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Variable(variable) => {
                self.variable(variable).map_err(|message| DeriveError::new(expr.offset, message))
            }
            ExprKind::Binary { operator, x87, operands } => {
                self.binary(*operator, *x87, operands, expr.offset)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, expr.offset),
            ExprKind::Index(parts) => self.element(&parts[0], &parts[1]),
            ExprKind::X87(operand) => self.x87(operand),
            ExprKind::Choice(parts) => {
                let chosen = if self.truth(&parts[0])? { &parts[1] } else { &parts[2] };
                self.evaluate(chosen)
            }
            ExprKind::And(operands) => {
                Ok(Value::Bool(self.truth(&operands[0])? && self.truth(&operands[1])?))
            }
            ExprKind::Or(operands) => Ok(Value::Bool(self.truth(&operands[0])? || self.truth(&operands[1])?)),
            ExprKind::Not(operand) => Ok(Value::Bool(!self.truth(operand)?)),
            _ => self.evaluate_rare(expr),
        }
    }

    /// The rest of [`Machine::evaluate`], apart so that the frame of the recursion stays small.
    fn evaluate_rare(&mut self, expr: &Expr) -> Result<Value, DeriveError> {
        let fail = |message: String| DeriveError::new(expr.offset, message);
        match &expr.kind {
            ExprKind::Given(slot) => Ok(Value::Bool(self.values.get(*slot).is_some_and(Option::is_some))),
            ExprKind::Negate { operand, x87 } => {
                let number = self.number(operand)?;
                let x87 = *x87 && !self.unrounded;
                if x87 {
                    self::operand(&number).map_err(fail)?;
                }
                Ok(Value::Number(if x87 { binary::negate(&number) } else { number.negated() }))
            }
            ExprKind::Complement(operand) => {
                integer::complement(&self.number(operand)?).map(Value::Number).map_err(fail)
            }
            ExprKind::Field(record, name) => match self.evaluate(record)? {
                Value::Record(record) => field(&record, name).map_err(fail),
                other => {
                    Err(fail(format!("only a record has a field `{name}`, and this is {}", other.sort())))
                }
            },
            ExprKind::List(items) => {
                let items: Result<Vec<Value>, _> = items.iter().map(|item| self.evaluate(item)).collect();
                Value::list(items?).map_err(fail)
            }
            ExprKind::Record(fields) => {
                let field = |(name, value): &(Arc<str>, Expr)| Ok((name.clone(), self.evaluate(value)?));
                let fields: Result<Vec<_>, DeriveError> = fields.iter().map(field).collect();
                Ok(Value::Record(Arc::new(Record::new(fields?).map_err(fail)?)))
            }
            _ => Err(fail("this has no value".to_owned())),
        }
    }

    fn variable(&self, variable: &Variable) -> Result<Value, String> {
        let mut candidate = Some(variable);
        while let Some(variable) = candidate {
            if let Some(value) = &self.values[variable.slot] {
                return variable.fields.iter().try_fold(value.clone(), |value, name| match &value {
                    Value::Record(record) => field(record, name),
                    other => Err(format!("only a record has a field `{name}`, and this is {}", other.sort())),
                });
            }
            candidate = variable.shorter.as_deref();
        }
        let name = self.names.name(variable.slot);
        Err(format!(
            "`{name}` is not known here: no step above, input, default, constant or table has that name"
        ))
    }

    /// The value of a name without fields, if it is set.
    fn plain(&self, variable: &Variable) -> Option<&Value> {
        if variable.fields.is_empty() { self.values[variable.slot].as_ref() } else { None }
    }

    fn element(&mut self, list: &Expr, index: &Expr) -> Result<Value, DeriveError> {
        let place = self.index(index)?;
        let at = |list: &List| match list.items().get(place) {
            Some(value) => Ok(value.clone()),
            None => Err(DeriveError::new(index.offset, beyond(place, list))),
        };
        if let ExprKind::Variable(variable) = &list.kind
            && let Some(Value::List(list)) = self.plain(variable)
        {
            // Read where it is, without a share of it in hand.
            return at(list);
        }
        match self.evaluate(list)? {
            Value::List(list) => at(&list),
            other => {
                Err(DeriveError::new(list.offset, format!("only lists have an index, not {}", other.sort())))
            }
        }
    }

    fn call(&mut self, function: Function, arguments: &[Expr], offset: usize) -> Result<Value, DeriveError> {
        let base = self.stack.len();
        for argument in arguments {
            let value = self.evaluate(argument)?;
            if let Value::Number(number) = &value {
                self.pay(number.weight(), offset)?;
            }
            self.stack.push(value);
        }
        let arguments = &self.stack[base..];
        let result =
            if self.unrounded { function.call_unrounded(arguments) } else { function.call(arguments) };
        let result = result.map_err(|message| DeriveError::new(offset, message))?;
        self.stack.truncate(base);
        if let (Function::Fill | Function::Bytes, Value::List(list)) = (function, &result) {
            self.pay(list.items().len() as u64, offset)?;
        }
        Ok(result)
    }

    fn x87(&mut self, expr: &Expr) -> Result<Value, DeriveError> {
        let value = self.evaluate(expr)?;
        if let (Value::Number(number), false) = (&value, self.unrounded) {
            operand(number).map_err(|message| DeriveError::new(expr.offset, message))?;
        }
        Ok(value)
    }

    fn binary(
        &mut self,
        operator: Binary,
        x87: bool,
        operands: &[Expr; 2],
        offset: usize,
    ) -> Result<Value, DeriveError> {
        let [left, right] = operands;
        if matches!(operator, Binary::Equal | Binary::Unequal) {
            let (a, b) = (self.evaluate(left)?, self.evaluate(right)?);
            self.pay(weight(&a) + weight(&b), offset)?;
            let equal = equal(&a, &b).map_err(|message| DeriveError::new(offset, message))?;
            return Ok(Value::Bool(equal == (operator == Binary::Equal)));
        }
        let (a, b) = (self.number(left)?, self.number(right)?);
        if matches!(operator, Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual) {
            let order = a.order(&b);
            return Ok(Value::Bool(order.is_some_and(|order| match operator {
                Binary::Less => order.is_lt(),
                Binary::LessOrEqual => order.is_le(),
                Binary::Greater => order.is_gt(),
                _ => order.is_ge(),
            })));
        }
        let x87 = x87 && !self.unrounded;
        let arithmetic =
            matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide);
        if x87 && arithmetic {
            for (number, expr) in [(&a, left), (&b, right)] {
                operand(number).map_err(|message| DeriveError::new(expr.offset, message))?;
            }
        }
        let result = if x87 { x87_arithmetic(operator, &a, &b) } else { arithmetic_exact(operator, &a, &b) };
        result.map(Value::Number).map_err(|message| DeriveError::new(offset, message))
    }
}

fn x87_arithmetic(operator: Binary, a: &Number, b: &Number) -> Result<Number, String> {
    match operator {
        Binary::Add => binary::add(a, b),
        Binary::Subtract => binary::subtract(a, b),
        Binary::Multiply => binary::multiply(a, b),
        Binary::Divide => binary::divide(a, b),
        _ => arithmetic_exact(operator, a, b),
    }
}

fn arithmetic_exact(operator: Binary, a: &Number, b: &Number) -> Result<Number, String> {
    match operator {
        Binary::Add => a.plus(b),
        Binary::Subtract => a.minus(b),
        Binary::Multiply => a.times(b),
        Binary::Divide => a.over(b),
        Binary::BitOr => integer::or(a, b),
        Binary::BitXor => integer::xor(a, b),
        Binary::BitAnd => integer::and(a, b),
        Binary::ShiftLeft => integer::shift_left(a, b),
        _ => integer::shift_right(a, b),
    }
}

fn weight(value: &Value) -> u64 {
    match value {
        Value::Number(number) => number.weight(),
        _ => 0,
    }
}

/// Equality of scalars of one sort; anything may be compared with null.
fn equal(a: &Value, b: &Value) -> Result<bool, String> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Ok(a.order(b).is_some_and(std::cmp::Ordering::is_eq)),
        (Value::Text(a), Value::Text(b)) => Ok(a == b),
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Null, other) | (other, Value::Null) => Ok(*other == Value::Null),
        _ => Err(format!("{} does not compare with {}", a.sort(), b.sort())),
    }
}

fn field(record: &Record, name: &str) -> Result<Value, String> {
    record.get(name).cloned().ok_or_else(|| record.no_field(name))
}
