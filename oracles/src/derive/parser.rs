//! Tokens to statements. Expressions are in [`super::expression`].

use super::DeriveError;
use super::ast::{Accessor, Block, Slot, Statement, StatementKind};
use super::lexer::{Token, tokens};
use super::names::Names;
use serde::Deserialize;
use serde::de::value::{Error as WordError, StrDeserializer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Blocks nest at most this deep.
const MAX_BLOCKS: usize = 32;
/// Names that mean something else.
pub const RESERVED: &[&str] =
    &["if", "else", "for", "while", "in", "require", "true", "false", "inf", "nan", "null"];

/// The parser's place in the text.
pub struct Parser {
    tokens: Vec<(Token, usize)>,
    position: usize,
    /// Open brackets of the expression; ends of line mean nothing inside.
    pub(super) brackets: usize,
    /// Open `x87(`.
    pub(super) x87: usize,
    /// Levels of the expression being parsed.
    pub(super) nesting: usize,
    blocks: usize,
    /// Whether constant operands are computed ahead.
    pub(super) fold: bool,
    /// Dotted names that some step has.
    pub(super) dotted: BTreeSet<String>,
    /// Variables of the loops around.
    loops: Vec<Slot>,
    pub(super) names: Names,
}

/// Parses a whole derivation; `fold` computes constant operands ahead.
pub fn parse(text: &str, fold: bool) -> Result<(Block, Names), DeriveError> {
    let tokens = tokens(text)?;
    let dotted = dotted_steps(&tokens);
    let mut parser = Parser {
        tokens,
        position: 0,
        brackets: 0,
        x87: 0,
        nesting: 0,
        blocks: 0,
        fold,
        dotted,
        loops: Vec::new(),
        names: Names::default(),
    };
    let block = parser.statements()?;
    if parser.peek() != &Token::End {
        return Err(parser.unexpected("a statement"));
    }
    Ok((block, parser.names))
}

/// The dotted names that are assigned somewhere: elsewhere they are read as steps, not as fields.
fn dotted_steps(tokens: &[(Token, usize)]) -> BTreeSet<String> {
    let mut steps = BTreeSet::new();
    let mut name = String::new();
    for (token, _) in tokens {
        match token {
            Token::Name(part) if name.is_empty() || name.ends_with('.') => name.push_str(part),
            Token::Symbol(".") if !name.is_empty() => name.push('.'),
            Token::Symbol("=") if name.contains('.') => {
                steps.insert(std::mem::take(&mut name));
            }
            Token::Name(part) => name = (**part).to_owned(),
            _ => name.clear(),
        }
    }
    steps
}

impl Parser {
    pub(super) fn peek(&mut self) -> &Token {
        while self.brackets > 0 && self.tokens[self.position].0 == Token::Newline {
            self.position += 1;
        }
        &self.tokens[self.position].0
    }

    pub(super) fn offset(&mut self) -> usize {
        self.peek();
        self.tokens[self.position].1
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(found) if *found == symbol);
        if found {
            self.position += 1;
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), DeriveError> {
        if self.accept(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(found) if **found == *word);
        if found {
            self.position += 1;
        }
        found
    }

    pub(super) fn fail<T>(&mut self, message: impl Into<String>) -> Result<T, DeriveError> {
        Err(DeriveError::new(self.offset(), message))
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> DeriveError {
        let found = match self.peek() {
            Token::Number { value, .. } => format!("`{value}`"),
            Token::Text(text) => format!("{text:?}"),
            Token::Name(name) => format!("`{name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::Newline => "the end of the line".to_owned(),
            Token::End => "the end".to_owned(),
        };
        DeriveError::new(self.offset(), format!("expected {expected}, found {found}"))
    }

    fn skip_lines(&mut self) {
        while self.peek() == &Token::Newline {
            self.position += 1;
        }
    }

    /// Statements up to `}` or the end.
    fn statements(&mut self) -> Result<Block, DeriveError> {
        let mut block = Vec::new();
        loop {
            self.skip_lines();
            if matches!(self.peek(), Token::End | Token::Symbol("}")) {
                return Ok(block);
            }
            block.push(self.statement()?);
            if !matches!(self.peek(), Token::Newline | Token::End | Token::Symbol("}")) {
                return Err(self.unexpected("the end of the line (one statement a line)"));
            }
        }
    }

    fn block(&mut self) -> Result<Block, DeriveError> {
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS {
            return self.fail(format!("blocks nest deeper than {MAX_BLOCKS}"));
        }
        self.expect("{")?;
        let block = self.statements()?;
        self.expect("}")?;
        self.blocks -= 1;
        Ok(block)
    }

    fn statement(&mut self) -> Result<Statement, DeriveError> {
        let offset = self.offset();
        let Token::Name(word) = self.peek().clone() else { return Err(self.unexpected("a statement")) };
        let keyword: fn(&mut Self) -> Result<StatementKind, DeriveError> = match &*word {
            "if" => Self::branch,
            "for" => Self::count,
            "while" => Self::repeat,
            "require" => Self::require,
            "push" if self.tokens[self.position + 1].0 == Token::Symbol("(") => Self::push,
            _ => return self.ended(offset, Self::assignment),
        };
        self.position += 1;
        self.ended(offset, keyword)
    }

    fn ended(
        &mut self,
        offset: usize,
        parse: impl FnOnce(&mut Self) -> Result<StatementKind, DeriveError>,
    ) -> Result<Statement, DeriveError> {
        let kind = parse(self)?;
        Ok(Statement { kind, offset, end: self.offset() })
    }

    fn branch(&mut self) -> Result<StatementKind, DeriveError> {
        let mut arms = Vec::new();
        loop {
            arms.push((self.expression()?, self.block()?));
            let after = self.position;
            self.skip_lines();
            if !self.accept_word("else") {
                self.position = after;
                return Ok(StatementKind::If { arms, otherwise: Vec::new() });
            }
            if !self.accept_word("if") {
                return Ok(StatementKind::If { arms, otherwise: self.block()? });
            }
        }
    }

    fn count(&mut self) -> Result<StatementKind, DeriveError> {
        let offset = self.offset();
        let name = self.name()?;
        let slot = self.step(&name, offset)?;
        if !self.accept_word("in") {
            return Err(self.unexpected("`in`"));
        }
        let from = self.expression()?;
        let inclusive = self.accept("..=");
        if !inclusive {
            self.expect("..")?;
        }
        let to = self.expression()?;
        self.loops.push(slot);
        let body = self.block()?;
        self.loops.pop();
        Ok(StatementKind::For { slot, from, to, inclusive, body })
    }

    fn repeat(&mut self) -> Result<StatementKind, DeriveError> {
        Ok(StatementKind::While { condition: self.expression()?, body: self.block()? })
    }

    fn require(&mut self) -> Result<StatementKind, DeriveError> {
        let condition = self.expression()?;
        self.expect(",")?;
        let offset = self.offset();
        let errno = self.literal("an errno such as \"EINVAL\"")?;
        if assay_model::Errno::deserialize(StrDeserializer::<WordError>::new(&errno)).is_err() {
            return Err(DeriveError::new(offset, format!("{errno:?} is no errno, such as \"EINVAL\"")));
        }
        self.expect(",")?;
        let field = self.literal("the field in quotes (\"\" for the input as a whole)")?;
        Ok(StatementKind::Require { condition, errno, field })
    }

    fn literal(&mut self, expected: &str) -> Result<Arc<str>, DeriveError> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.position += 1;
                Ok(text)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn push(&mut self) -> Result<StatementKind, DeriveError> {
        self.expect("(")?;
        self.brackets += 1;
        let (slot, path) = self.target()?;
        self.expect(",")?;
        let value = self.expression()?;
        self.expect(")")?;
        self.brackets -= 1;
        Ok(StatementKind::Push { slot, path, value })
    }

    fn assignment(&mut self) -> Result<StatementKind, DeriveError> {
        let (slot, path) = self.target()?;
        self.expect("=")?;
        let value = self.expression()?;
        Ok(if path.is_empty() {
            StatementKind::Assign { slot, value }
        } else {
            StatementKind::Replace { slot, path, value }
        })
    }

    pub(super) fn name(&mut self) -> Result<Arc<str>, DeriveError> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.position += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// What a statement sets: a step, or a place inside a list or record.
    fn target(&mut self) -> Result<(Slot, Vec<Accessor>), DeriveError> {
        let offset = self.offset();
        let mut parts = vec![self.name()?];
        while self.accept(".") {
            parts.push(self.name()?);
        }
        // `fire.base = …` is a step of that name; in `storage.units[0] = …` the name ends where no step has it.
        let length = (2..=parts.len()).rev().find(|length| self.dotted.contains(&parts[..*length].join(".")));
        let fields = parts.split_off(length.unwrap_or(1));
        let slot = self.step(&parts.join("."), offset)?;
        let mut path: Vec<Accessor> = fields.into_iter().map(Accessor::Field).collect();
        loop {
            if self.accept("[") {
                self.brackets += 1;
                path.push(Accessor::Index(self.expression()?));
                self.expect("]")?;
                self.brackets -= 1;
            } else if self.accept(".") {
                path.push(Accessor::Field(self.name()?));
            } else {
                return Ok((slot, path));
            }
        }
    }

    /// The slot of a name that a statement sets.
    fn step(&mut self, name: &str, offset: usize) -> Result<Slot, DeriveError> {
        let first = name.split('.').next().unwrap_or(name);
        if RESERVED.contains(&first) {
            let message = format!("`{first}` is a word of the language: name the step otherwise");
            return Err(DeriveError::new(offset, message));
        }
        let slot = self.names.intern(name);
        if self.loops.contains(&slot) {
            let message = format!("`{name}` counts the loop around it and cannot be set");
            return Err(DeriveError::new(offset, message));
        }
        let inside = |step: &&String| step.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        match self.dotted.iter().find(inside) {
            // A record, and a step named like one of its fields, would say the same thing twice.
            Some(step) => Err(DeriveError::new(
                offset,
                format!(
                    "step `{name}` overlaps step `{step}`: give the record in one step, or each field in its own"
                ),
            )),
            None => Ok(slot),
        }
    }
}
