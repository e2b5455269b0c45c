//! Expressions, by precedence climbing: one level of recursion a bracket, however many operators.

use super::DeriveError;
use super::ast::{Binary, Expr, ExprKind, Variable};
use super::binary;
use super::evaluate::folded;
use super::function::Function;
use super::lexer::Token;
use super::number::Number;
use super::parser::{Parser, RESERVED};
use super::value::Value;
use std::sync::Arc;

/// What stands between two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infix {
    Or,
    And,
    Plain(Binary),
}

/// Operators with their precedence, loosest first.
const INFIX: &[(&str, Infix, u8)] = &[
    ("||", Infix::Or, 1),
    ("&&", Infix::And, 2),
    ("==", Infix::Plain(Binary::Equal), COMPARISON),
    ("!=", Infix::Plain(Binary::Unequal), COMPARISON),
    ("<", Infix::Plain(Binary::Less), COMPARISON),
    ("<=", Infix::Plain(Binary::LessOrEqual), COMPARISON),
    (">", Infix::Plain(Binary::Greater), COMPARISON),
    (">=", Infix::Plain(Binary::GreaterOrEqual), COMPARISON),
    ("|", Infix::Plain(Binary::BitOr), 4),
    ("^", Infix::Plain(Binary::BitXor), 5),
    ("&", Infix::Plain(Binary::BitAnd), 6),
    ("<<", Infix::Plain(Binary::ShiftLeft), 7),
    (">>", Infix::Plain(Binary::ShiftRight), 7),
    ("+", Infix::Plain(Binary::Add), 8),
    ("-", Infix::Plain(Binary::Subtract), 8),
    ("*", Infix::Plain(Binary::Multiply), 9),
    ("/", Infix::Plain(Binary::Divide), 9),
];
const COMPARISON: u8 = 3;

/// Levels of an expression, the terms of a sum counted one by one. Walking one level takes some 6 KB of stack in a build
/// without optimisation, and a thread has 2 MB.
const MAX_HEIGHT: usize = 200;
/// Brackets, signs and operators inside each other; parsing one takes some 11 KB of stack.
const MAX_NESTING: usize = 100;

impl Parser {
    /// One expression.
    pub(super) fn expression(&mut self) -> Result<Expr, DeriveError> {
        self.climb(0)
    }

    fn climb(&mut self, loosest: u8) -> Result<Expr, DeriveError> {
        let mut left = self.unary()?;
        loop {
            let Some((infix, level)) = self.infix().filter(|(_, level)| *level > loosest) else {
                return Ok(left);
            };
            let offset = self.offset();
            self.next();
            let right = self.nested(offset, |parser| parser.climb(level))?;
            if level == COMPARISON && self.infix().is_some_and(|(_, next)| next == COMPARISON) {
                return self.fail("comparisons do not chain: join them with `&&`");
            }
            let (height, operands) = (left.height.max(right.height), Box::new([left, right]));
            let kind = match infix {
                Infix::Or => ExprKind::Or(operands),
                Infix::And => ExprKind::And(operands),
                Infix::Plain(operator) => ExprKind::Binary { operator, x87: self.x87 > 0, operands },
            };
            left = self.folded(node(kind, offset, height)?);
        }
    }

    fn folded(&self, expr: Expr) -> Expr {
        if self.fold { folded(expr) } else { expr }
    }

    fn infix(&mut self) -> Option<(Infix, u8)> {
        let Token::Symbol(symbol) = *self.peek() else { return None };
        INFIX.iter().find(|(text, ..)| *text == symbol).map(|(_, infix, level)| (*infix, *level))
    }

    fn unary(&mut self) -> Result<Expr, DeriveError> {
        let offset = self.offset();
        self.nested(offset, |parser| parser.signed(offset))
    }

    /// Bounds the parser's own recursion; [`node`] bounds that of the machine.
    fn nested<T>(
        &mut self,
        offset: usize,
        parse: impl FnOnce(&mut Self) -> Result<T, DeriveError>,
    ) -> Result<T, DeriveError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return too_deep(offset);
        }
        let parsed = parse(self)?;
        self.nesting -= 1;
        Ok(parsed)
    }

    fn signed(&mut self, offset: usize) -> Result<Expr, DeriveError> {
        if self.accept("-") {
            let real = matches!(self.peek(), Token::Number { value, real: true } if value.is_zero());
            let operand = self.unary()?;
            match operand.kind {
                ExprKind::Constant(Value::Number(number)) => {
                    // `-0.0` is the float of that name, and x87 code has no other negative.
                    let signed = real || self.x87 > 0;
                    let negative = if signed { binary::negate(&number) } else { number.negated() };
                    node(ExprKind::Constant(Value::Number(negative)), offset, 0)
                }
                _ => {
                    let height = operand.height;
                    node(ExprKind::Negate { operand: Box::new(operand), x87: self.x87 > 0 }, offset, height)
                }
            }
        } else if self.accept("!") {
            let operand = self.unary()?;
            let height = operand.height;
            node(ExprKind::Not(Box::new(operand)), offset, height)
        } else if self.accept("~") {
            let operand = self.unary()?;
            let height = operand.height;
            node(ExprKind::Complement(Box::new(operand)), offset, height)
        } else {
            self.postfix()
        }
    }

    fn postfix(&mut self) -> Result<Expr, DeriveError> {
        let mut expr = self.primary()?;
        loop {
            let offset = self.offset();
            let height = expr.height;
            if self.accept("[") {
                let index = self.bracketed("]", Self::expression)?;
                let height = height.max(index.height);
                expr = node(ExprKind::Index(Box::new([expr, index])), offset, height)?;
            } else if self.accept(".") {
                let name = self.name()?;
                expr = node(ExprKind::Field(Box::new(expr), name), offset, height)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, DeriveError> {
        let offset = self.offset();
        let constant = |value| node(ExprKind::Constant(value), offset, 0);
        match self.peek().clone() {
            Token::Number { value, .. } => {
                self.next();
                constant(Value::Number(value))
            }
            Token::Text(text) => {
                self.next();
                constant(Value::Text(text))
            }
            Token::Name(name) => {
                self.next();
                match &*name {
                    "true" => constant(Value::Bool(true)),
                    "false" => constant(Value::Bool(false)),
                    "null" => constant(Value::Null),
                    "inf" => constant(Value::Number(Number::Infinite { negative: false })),
                    "nan" => constant(Value::Number(Number::Nan)),
                    _ if self.accept("(") => self.call(&name, offset),
                    reserved if RESERVED.contains(&reserved) => Err(DeriveError::new(
                        offset,
                        format!("`{reserved}` is a word of the language, not a value"),
                    )),
                    _ => self.variable(name, offset),
                }
            }
            Token::Symbol("(") => {
                self.next();
                self.bracketed(")", Self::expression)
            }
            Token::Symbol("[") => {
                self.next();
                let items = self.bracketed("]", |parser| parser.listed("]", Self::expression))?;
                let height = items.iter().map(|item| item.height).max().unwrap_or(0);
                node(ExprKind::List(items), offset, height)
            }
            Token::Symbol("{") => {
                self.next();
                self.record(offset)
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Parses up to a closing bracket; the opening one is read already.
    fn bracketed<T>(
        &mut self,
        close: &str,
        parse: impl FnOnce(&mut Self) -> Result<T, DeriveError>,
    ) -> Result<T, DeriveError> {
        self.brackets += 1;
        let inside = parse(self)?;
        self.expect(close)?;
        self.brackets -= 1;
        Ok(inside)
    }

    /// Things with commas between them and, if one likes, after the last.
    fn listed<T>(
        &mut self,
        close: &'static str,
        mut parse: impl FnMut(&mut Self) -> Result<T, DeriveError>,
    ) -> Result<Vec<T>, DeriveError> {
        let mut items = Vec::new();
        while self.peek() != &Token::Symbol(close) {
            items.push(parse(self)?);
            if !self.accept(",") {
                break;
            }
        }
        Ok(items)
    }

    fn record(&mut self, offset: usize) -> Result<Expr, DeriveError> {
        let mut seen = std::collections::BTreeSet::new();
        let fields = self.bracketed("}", |parser| {
            parser.listed("}", |parser| {
                let at = parser.offset();
                let name = parser.name()?;
                parser.expect(":")?;
                if !seen.insert(name.clone()) {
                    return Err(DeriveError::new(at, format!("the record has `{name}` twice")));
                }
                Ok((name, parser.expression()?))
            })
        })?;
        let height = fields.iter().map(|(_, value)| value.height).max().unwrap_or(0);
        node(ExprKind::Record(fields), offset, height)
    }

    /// `name` was read, and so were dots and names that follow if some step is named like that.
    fn variable(&mut self, name: Arc<str>, offset: usize) -> Result<Expr, DeriveError> {
        let mut parts = vec![name];
        while self.accept(".") {
            parts.push(self.name()?);
        }
        let mut variable: Option<Box<Variable>> = None;
        for length in 1..=parts.len() {
            let name = parts[..length].join(".");
            if length == 1 || self.dotted.contains(&name) {
                let slot = self.names.intern(&name);
                variable =
                    Some(Box::new(Variable { slot, fields: parts[length..].to_vec(), shorter: variable }));
            }
        }
        match variable {
            Some(variable) => node(ExprKind::Variable(*variable), offset, 0),
            None => self.fail("expected a name"),
        }
    }

    /// The bracket after the name is read already.
    fn call(&mut self, name: &str, offset: usize) -> Result<Expr, DeriveError> {
        let inside_x87 = name == "x87";
        self.x87 += usize::from(inside_x87);
        let arguments = self.bracketed(")", |parser| parser.listed(")", Self::expression))?;
        self.x87 -= usize::from(inside_x87);
        let height = arguments.iter().map(|argument| argument.height).max().unwrap_or(0);
        let count = arguments.len();
        let takes = |what: &str| Err(DeriveError::new(offset, format!("`{name}` takes {what}, not {count}")));
        let kind = match name {
            "x87" => match <[Expr; 1]>::try_from(arguments) {
                Ok([argument]) => ExprKind::X87(Box::new(argument)),
                Err(_) => return takes("1 argument"),
            },
            "if" => match <[Expr; 3]>::try_from(arguments) {
                Ok(parts) => ExprKind::Choice(Box::new(parts)),
                Err(_) => return takes("3 arguments (condition, value if so, value if not)"),
            },
            "given" => match arguments.as_slice() {
                [Expr { kind: ExprKind::Variable(variable), .. }] if variable.fields.is_empty() => {
                    ExprKind::Given(variable.slot)
                }
                _ => return takes("the name of an input"),
            },
            _ => {
                let Some(function) = Function::named(name) else {
                    return Err(DeriveError::new(offset, format!("there is no function `{name}`")));
                };
                if !function.arity().contains(&count) {
                    return takes(&function.takes());
                }
                if function == Function::Sqrt && self.x87 == 0 {
                    return Err(DeriveError::new(offset, "a root is not rational: write x87(sqrt(…))"));
                }
                ExprKind::Call(function, arguments)
            }
        };
        Ok(self.folded(node(kind, offset, height)?))
    }
}

fn node(kind: ExprKind, offset: usize, below: usize) -> Result<Expr, DeriveError> {
    if below >= MAX_HEIGHT {
        return too_deep(offset);
    }
    Ok(Expr { kind, offset, height: below + 1 })
}

fn too_deep<T>(offset: usize) -> Result<T, DeriveError> {
    Err(DeriveError::new(offset, "the expression nests too deep: split it into steps"))
}
