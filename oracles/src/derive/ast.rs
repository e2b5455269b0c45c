//! The syntax tree that the parser builds and the machine walks.

use super::function::Function;
use super::value::Value;
use std::sync::Arc;

/// Index of a variable.
pub type Slot = usize;

/// An expression with the byte offset that its errors point to.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub offset: usize,
    /// Levels below and including this one; bounded, so that walking it cannot overflow the stack.
    pub height: usize,
}

/// What an expression does.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Constant(Value),
    Variable(Variable),
    /// Whether a name is bound.
    Given(Slot),
    Negate {
        operand: Box<Expr>,
        x87: bool,
    },
    Not(Box<Expr>),
    Complement(Box<Expr>),
    Binary {
        operator: Binary,
        x87: bool,
        operands: Box<[Expr; 2]>,
    },
    And(Box<[Expr; 2]>),
    Or(Box<[Expr; 2]>),
    /// Condition, value if so, value if not.
    Choice(Box<[Expr; 3]>),
    Index(Box<[Expr; 2]>),
    Field(Box<Expr>, Arc<str>),
    List(Vec<Expr>),
    Record(Vec<(Arc<str>, Expr)>),
    Call(Function, Vec<Expr>),
    X87(Box<Expr>),
}

/// Operators with two operands that are always evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
}

/// A dotted name. `fire.base` is the step of that name if there is one, and otherwise the field of `fire`.
#[derive(Clone, Debug)]
pub struct Variable {
    pub slot: Slot,
    pub fields: Vec<Arc<str>>,
    /// The reading with one name less, for when the slot is empty.
    pub shorter: Option<Box<Variable>>,
}

/// Statements between braces.
pub type Block = Vec<Statement>;

/// A statement with its place in the text.
#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub offset: usize,
    /// Where the next token stands: comments of the same line are before it.
    pub end: usize,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    Assign { slot: Slot, value: Expr },
    Replace { slot: Slot, path: Vec<Accessor>, value: Expr },
    Push { slot: Slot, path: Vec<Accessor>, value: Expr },
    If { arms: Vec<(Expr, Block)>, otherwise: Block },
    For { slot: Slot, from: Expr, to: Expr, inclusive: bool, body: Block },
    While { condition: Expr, body: Block },
    Require { condition: Expr, errno: Arc<str>, field: Arc<str> },
}

/// A step into a list or record that is changed in place.
#[derive(Clone, Debug)]
pub enum Accessor {
    Index(Expr),
    Field(Arc<str>),
}
