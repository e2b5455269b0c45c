//! Text to tokens, each with its byte offset.

use super::DeriveError;
use super::number::Number;
use super::numeral::{self, Numeral};
use std::sync::Arc;

/// A derivation is at most this long, in bytes.
const MAX_TEXT: usize = 65_536;

/// A piece of text that means something.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A number; `real` when it is written with point or exponent.
    Number {
        /// Its exact value.
        value: Number,
        /// Whether `-0` of it is the float `-0.0`.
        real: bool,
    },
    /// Text in double quotes.
    Text(Arc<str>),
    /// A name or keyword.
    Name(Arc<str>),
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of a line.
    Newline,
    /// The end of the text.
    End,
}

/// Longest first, so that the first match is the right one.
const SYMBOLS: &[&str] = &[
    "..=", "..", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "<", ">", "=", "!", "~",
    "&", "|", "^", "(", ")", "[", "]", "{", "}", ",", ".", ":",
];

/// Tokens with their byte offsets; the last one is [`Token::End`].
pub fn tokens(text: &str) -> Result<Vec<(Token, usize)>, DeriveError> {
    if text.len() > MAX_TEXT {
        return Err(DeriveError::new(0, format!("the derivation is longer than {MAX_TEXT} bytes")));
    }
    let mut found = Vec::new();
    let mut offset = 0;
    while let Some(letter) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let length = match letter {
            '\n' => {
                found.push((Token::Newline, offset));
                1
            }
            ' ' | '\t' | '\r' => 1,
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ => {
                let (token, length) =
                    token(rest, letter).map_err(|message| DeriveError::new(offset, message))?;
                found.push((token, offset));
                length
            }
        };
        offset += length;
    }
    found.push((Token::End, text.len()));
    Ok(found)
}

/// The token at the start of `rest`, which begins with `letter`, and its length in bytes.
fn token(rest: &str, letter: char) -> Result<(Token, usize), String> {
    if letter.is_ascii_digit() {
        return number(rest);
    }
    if letter == '"' {
        return quoted(rest);
    }
    if letter.is_ascii_alphabetic() || letter == '_' {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        return Ok((Token::Name(rest[..length].into()), length));
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => Err(format!("`{letter}` means nothing here")),
    }
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    // A point belongs to a number only before a digit: `0..4` is a range.
    let bytes = rest.as_bytes();
    let belongs = |index: usize| {
        let (byte, before) = (bytes[index], bytes[index.saturating_sub(1)]);
        let digit_follows = bytes.get(index + 1).is_some_and(u8::is_ascii_digit);
        byte.is_ascii_alphanumeric()
            || byte == b'_'
            || (byte == b'.' && digit_follows)
            || (matches!(byte, b'+' | b'-')
                && matches!(before, b'e' | b'E')
                && digit_follows
                && !is_hex(rest))
    };
    let length = (0..bytes.len()).find(|index| !belongs(*index)).unwrap_or(bytes.len());
    let written = &rest[..length];
    let plain = written.replace('_', "");
    if let Some(digits) = plain.strip_prefix("0x") {
        return Ok((Token::Number { value: numeral::hexadecimal(digits)?, real: false }, length));
    }
    let (numeral, used) = Numeral::unsigned(&plain);
    if used != plain.len() {
        return Err(format!("`{written}` is not a number"));
    }
    Ok((Token::Number { value: numeral.exact()?, real: plain.contains(['.', 'e', 'E']) }, length))
}

fn is_hex(rest: &str) -> bool {
    rest.starts_with("0x")
}

fn quoted(rest: &str) -> Result<(Token, usize), String> {
    let mut text = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => return Ok((Token::Text(text.into()), index + 1)),
            '\n' => break,
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                _ => return Err("after `\\` comes `\"` or `\\`".to_owned()),
            },
            _ => text.push(letter),
        }
    }
    Err("the text does not end on its line: close it with `\"`".to_owned())
}
