//! The functions of the language.

use super::binary::{self, BINARY32, BINARY64, Format, Rounding};
use super::integer;
use super::number::Number;
use super::numeral::{self, Numeral};
use super::stream;
use super::value::{MAX_SIZE, Value};
use assay_model::Bytes;
use serde::Deserialize;
use serde::de::value::{Error as BytesError, StrDeserializer};
use std::cmp::Ordering;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// A function by what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Store(Width, Rounding),
    Ftol,
    Trunc,
    Floor,
    DivideIntegers,
    Remainder,
    Wrap { bits: u32, signed: bool },
    Min,
    Max,
    Clamp,
    Abs,
    Sign,
    Sqrt,
    FromBits(Width),
    ToBits(Width),
    Length,
    Fill,
    IsText,
    Has,
    Atoi,
    Real(Width),
    Split,
    Trim,
    Lower,
    Bytes,
    Hex,
    Stream,
    Draw,
}

/// A float format by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Single,
    Double,
}

impl Width {
    const fn format(self) -> Format {
        match self {
            Self::Single => BINARY32,
            Self::Double => BINARY64,
        }
    }
}

const MANY: usize = 64;

/// Name, function, fewest and most arguments.
const FUNCTIONS: &[(&str, Function, usize, usize)] = &[
    ("f32", Function::Store(Width::Single, Rounding::TowardZero), 1, 1),
    ("f64", Function::Store(Width::Double, Rounding::TowardZero), 1, 1),
    ("nearest32", Function::Store(Width::Single, Rounding::Nearest), 1, 1),
    ("nearest64", Function::Store(Width::Double, Rounding::Nearest), 1, 1),
    ("ftol", Function::Ftol, 1, 1),
    ("trunc", Function::Trunc, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("idiv", Function::DivideIntegers, 2, 2),
    ("irem", Function::Remainder, 2, 2),
    ("i8", Function::Wrap { bits: 8, signed: true }, 1, 1),
    ("i16", Function::Wrap { bits: 16, signed: true }, 1, 1),
    ("i32", Function::Wrap { bits: 32, signed: true }, 1, 1),
    ("i64", Function::Wrap { bits: 64, signed: true }, 1, 1),
    ("u8", Function::Wrap { bits: 8, signed: false }, 1, 1),
    ("u16", Function::Wrap { bits: 16, signed: false }, 1, 1),
    ("u32", Function::Wrap { bits: 32, signed: false }, 1, 1),
    ("u64", Function::Wrap { bits: 64, signed: false }, 1, 1),
    ("min", Function::Min, 1, MANY),
    ("max", Function::Max, 1, MANY),
    ("clamp", Function::Clamp, 3, 3),
    ("abs", Function::Abs, 1, 1),
    ("sign", Function::Sign, 1, 1),
    ("sqrt", Function::Sqrt, 1, 1),
    ("bits32", Function::FromBits(Width::Single), 1, 1),
    ("bits64", Function::FromBits(Width::Double), 1, 1),
    ("to_bits32", Function::ToBits(Width::Single), 1, 1),
    ("to_bits64", Function::ToBits(Width::Double), 1, 1),
    ("len", Function::Length, 1, 1),
    ("fill", Function::Fill, 2, 2),
    ("is_text", Function::IsText, 1, 1),
    ("has", Function::Has, 2, 2),
    ("atoi", Function::Atoi, 1, 1),
    ("real32", Function::Real(Width::Single), 1, 1),
    ("real64", Function::Real(Width::Double), 1, 1),
    ("split", Function::Split, 2, 2),
    ("trim", Function::Trim, 1, 1),
    ("lower", Function::Lower, 1, 1),
    ("bytes", Function::Bytes, 1, 1),
    ("hex", Function::Hex, 1, 1),
    ("stream", Function::Stream, 2, 2),
    ("draw", Function::Draw, 4, 4),
];

impl Function {
    /// The function of that name.
    pub fn named(name: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|(known, ..)| *known == name).map(|(_, function, ..)| *function)
    }

    fn entry(self) -> (&'static str, RangeInclusive<usize>) {
        let entry = FUNCTIONS.iter().find(|(_, function, ..)| *function == self);
        entry.map_or(("", 0..=0), |(name, _, fewest, most)| (*name, *fewest..=*most))
    }

    /// Numbers of arguments that it takes.
    pub fn arity(self) -> RangeInclusive<usize> {
        self.entry().1
    }

    /// The same in words.
    pub fn takes(self) -> String {
        match self.arity().into_inner() {
            (fewest, MANY) => format!("{fewest} to {MANY} arguments"),
            (1, _) => "1 argument".to_owned(),
            (count, _) => format!("{count} arguments"),
        }
    }

    /// Applies it to as many arguments as it takes.
    pub fn call(self, arguments: &[Value]) -> Result<Value, String> {
        match (self, arguments) {
            (Self::IsText, [value]) => Ok(Value::Bool(matches!(value, Value::Text(_)))),
            (Self::Length, [Value::List(list)]) => {
                Ok(Value::Number(Number::from(list.items().len() as i128)))
            }
            (Self::Length, [other]) => Err(format!("`len` needs a list, got {}", other.sort())),
            (Self::Fill, [count, value]) => fill(self.number(count)?, value),
            (Self::Has, [text, part]) => Ok(Value::Bool(self.text(text)?.contains(self.text(part)?))),
            (Self::Atoi, [text]) => numeral::atoi(self.text(text)?).map(Value::Number),
            (Self::Real(width), [text]) => {
                Numeral::leading(self.text(text)?).nearest(width.format()).map(Value::Number)
            }
            (Self::Split, [text, at]) => split(self.text(text)?, self.text(at)?),
            (Self::Trim, [text]) => Ok(Value::Text(self.text(text)?.trim_ascii().into())),
            (Self::Lower, [text]) => Ok(Value::Text(self.text(text)?.to_ascii_lowercase().into())),
            (Self::Bytes, [text]) => bytes(self.text(text)?),
            (Self::Hex, [Value::List(list)]) => hex(list.items()),
            (Self::Hex, [other]) => Err(format!("`hex` needs a list of bytes, got {}", other.sort())),
            (Self::Stream, [seed, count]) => stream::stream(self.number(seed)?, self.number(count)?),
            (Self::Draw, [Value::List(words), at, low, high]) => {
                stream::draw(words.items(), self.number(at)?, self.number(low)?, self.number(high)?)
            }
            (Self::Draw, [other, ..]) => Err(format!("`draw` needs a list of words, got {}", other.sort())),
            _ => self.compute(arguments).map(Value::Number),
        }
    }

    /// The same with whatever rounds left out: what goes in comes out, exactly.
    pub fn call_unrounded(self, arguments: &[Value]) -> Result<Value, String> {
        match (self, arguments) {
            (Self::Sqrt, _) => Err("a root is not rational".to_owned()),
            (Self::Real(_), [text]) => Numeral::leading(self.text(text)?).exact().map(Value::Number),
            (_, [value]) if self.rounds() => self.number(value).cloned().map(Value::Number),
            _ => self.call(arguments),
        }
    }

    /// Whether it may change a number by rounding it.
    pub const fn rounds(self) -> bool {
        matches!(self, Self::Store(..) | Self::Ftol | Self::Trunc | Self::Floor | Self::Sqrt | Self::Real(_))
    }

    /// Functions from numbers to a number.
    fn compute(self, arguments: &[Value]) -> Result<Number, String> {
        match (self, arguments) {
            (Self::Min, [first, rest @ ..]) => self.choose(first, rest, Ordering::Less),
            (Self::Max, [first, rest @ ..]) => self.choose(first, rest, Ordering::Greater),
            (Self::DivideIntegers, [a, b]) => integer::divide(self.number(a)?, self.number(b)?),
            (Self::Remainder, [a, b]) => integer::remainder(self.number(a)?, self.number(b)?),
            (Self::Clamp, [value, low, high]) => self.clamp(value, low, high),
            (_, [value]) => self.compute_one(self.number(value)?),
            _ => Err(format!("`{}` takes {}, not {}", self.entry().0, self.takes(), arguments.len())),
        }
    }

    fn compute_one(self, value: &Number) -> Result<Number, String> {
        match self {
            Self::Store(width, rounding) => Ok(binary::store(value, width.format(), rounding)),
            Self::Ftol => integer::ftol(value),
            Self::Trunc => value.trunc(),
            Self::Floor => value.floor(),
            Self::Wrap { bits, signed } => integer::wrap(value, bits, signed),
            Self::Abs => Ok(integer::absolute(value)),
            Self::Sign => integer::sign(value),
            Self::Sqrt => Ok(binary::square_root(operand(value)?)),
            Self::FromBits(width) => {
                let most = if width == Width::Single { u64::from(u32::MAX) } else { u64::MAX };
                let bits =
                    value.to_int().and_then(|bits| u64::try_from(bits).ok()).filter(|bits| *bits <= most);
                let bits = bits.ok_or_else(|| format!("{value} is not an unsigned integer of that width"))?;
                Ok(binary::from_bits(width.format(), bits))
            }
            Self::ToBits(width) => binary::to_bits(width.format(), value)
                .map(|bits| Number::from(i128::from(bits)))
                .ok_or_else(|| format!("{value} is not exactly a float of that width: round it first")),
            _ => Err(format!("`{}` does not take {value}", self.entry().0)),
        }
    }

    fn choose(self, first: &Value, rest: &[Value], wanted: Ordering) -> Result<Number, String> {
        let mut best = self.number(first)?;
        for value in rest {
            let value = self.number(value)?;
            if self.order(value, best)? == wanted {
                best = value;
            }
        }
        Ok(best.clone())
    }

    fn clamp(self, value: &Value, low: &Value, high: &Value) -> Result<Number, String> {
        let (value, low, high) = (self.number(value)?, self.number(low)?, self.number(high)?);
        if self.order(low, high)?.is_gt() {
            return Err(format!("`clamp` has its bounds reversed: {low} is above {high}"));
        }
        let raised = if self.order(value, low)?.is_lt() { low } else { value };
        Ok(if self.order(raised, high)?.is_gt() { high } else { raised }.clone())
    }

    fn order(self, a: &Number, b: &Number) -> Result<Ordering, String> {
        a.order(b).ok_or_else(|| format!("`{}` cannot order nan", self.entry().0))
    }

    fn number(self, value: &Value) -> Result<&Number, String> {
        match value {
            Value::Number(number) => Ok(number),
            other => Err(format!("`{}` needs a number, got {}", self.entry().0, other.sort())),
        }
    }

    fn text(self, value: &Value) -> Result<&str, String> {
        match value {
            Value::Text(text) => Ok(text),
            other => Err(format!("`{}` needs text, got {}", self.entry().0, other.sort())),
        }
    }
}

/// An operand of x87 code, which is a binary64 value.
pub fn operand(number: &Number) -> Result<&Number, String> {
    if binary::holds(BINARY64, number) {
        return Ok(number);
    }
    Err(format!("operand {number} is not a binary64 value: write nearest64(…), or f64(…) to cut it off"))
}

/// The pieces between separators, empty ones included.
fn split(text: &str, at: &str) -> Result<Value, String> {
    if at.is_empty() {
        return Err("`split` needs a separator".to_owned());
    }
    Value::list(text.split(at).map(|piece| Value::Text(piece.into())).collect())
}

/// The bytes that a port reads out of `"hex:…"` or `"base64:…"`.
fn bytes(text: &str) -> Result<Value, String> {
    let wrong = || format!("`bytes` reads \"hex:…\" and \"base64:…\", not {text:?}");
    if text.starts_with("host:") {
        return Err(wrong());
    }
    let read = Bytes::deserialize(StrDeserializer::<BytesError>::new(text)).map_err(|_| wrong())?;
    let read = read.range(0, read.length() as usize).map_err(|error| error.message)?;
    Value::list(read.into_iter().map(|byte| Value::Number(i128::from(byte).into())).collect())
}

/// Bytes as text: two lower-case digits each.
fn hex(bytes: &[Value]) -> Result<Value, String> {
    let mut text = String::with_capacity(bytes.len() * 2);
    for value in bytes {
        let Value::Number(number) = value else {
            return Err(format!("`hex` needs a list of bytes, and one is {}", value.sort()));
        };
        let byte = number.to_int().and_then(|byte| u8::try_from(byte).ok());
        let byte = byte.ok_or_else(|| format!("{number} is not a byte"))?;
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(Value::Text(text.into()))
}

fn fill(count: &Number, value: &Value) -> Result<Value, String> {
    let count = count.to_int().filter(|count| (0..=i128::from(MAX_SIZE)).contains(count));
    let count = count.ok_or_else(|| format!("`fill` makes lists of 0 to {MAX_SIZE} elements"))?;
    Value::list(vec![value.clone(); count as usize])
}
