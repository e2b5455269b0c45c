//! `compute_x87_chop`: one step of the engine's floating point, beside what a round-to-nearest machine gives.

use crate::math::{x87, yr};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_x87_chop",
    area: Area::Math,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "One float step in the engine's x87 mode (53 bits, round toward zero): load, add, subtract, multiply, divide or root, then store and ftol.",
    aliases: &[
        "floating point",
        "rounding",
        "round toward zero",
        "truncation",
        "chop",
        "x87",
        "FPU control word",
        "0x0E7F",
        "ftol",
        "float to int",
        "double precision",
        "53 bit",
        "off by one percentage",
    ],
    units: "plain numbers: binary64 in, binary64 or binary32 out, a signed 32-bit integer",
    example: r#"{"op":"mul","a":0.3,"b":2200}"#,
};

/// The port.
pub static PORT: FnPort<X87ChopInput, X87Chop> = FnPort::new(&META, compute_x87_chop);

/// One step.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct X87ChopInput {
    /// Game that does the step; the three do it alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Operation: `load` and `sqrt` take `a` alone, the others `a` and `b`.
    pub op: Op,
    /// First operand, the binary64 that the register is loaded from: a number, or bits such as `"f64:0x3fd3333333333333"`.
    /// Any value, infinities and NaN included.
    pub a: RealArg,
    /// Second operand, in the same forms; needed by `add`, `sub`, `mul` and `div`, refused by the others.
    #[serde(default)]
    pub b: Option<RealArg>,
    /// Store between operation and conversion. Default `none`.
    #[serde(default)]
    pub store: Store,
}

/// Operation of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// `a` as it is.
    Load,
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// The square root of `a`.
    Sqrt,
}

/// Store that follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    /// The value stays in the register.
    #[default]
    None,
    /// Into a binary32 field.
    F32,
    /// Into a binary64 field.
    F64,
}

/// The stages of one step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct X87Chop {
    /// What a machine that rounds to nearest gives (mode.1).
    pub nearest: Real,
    /// What the engine has (step.1 to step.3).
    pub chopped: Real,
    /// Whether the two differ.
    pub lowered: bool,
    /// The value after the store; without one, the same as `chopped` (store.1, store.2).
    pub stored: Real,
    /// The stored value as a signed 32-bit integer (convert.1, convert.2).
    pub integer: i32,
    /// What is not covered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Does one step in the engine's mode.
///
/// # Errors
/// `EINVAL` for an operand that the operation lacks or does not take, and for rules text; `EOPNOTSUPP` for a game
/// without evidence.
pub fn compute_x87_chop(input: &X87ChopInput) -> Result<X87Chop, PortError> {
    META.offers(input.game)?;
    let a = held(&input.a, "a")?;
    let unary = matches!(input.op, Op::Load | Op::Sqrt);
    let b = match &input.b {
        Some(_) if unary => return Err(PortError::invalid("b", "this operation takes `a` alone")),
        None if !unary => return Err(PortError::invalid("b", "this operation needs a second operand")),
        Some(b) => held(b, "b")?,
        None => 0.0,
    };
    let (nearest, chopped) = match input.op {
        Op::Load => (a, a),
        Op::Add => (a + b, x87::add(a, b)),
        Op::Sub => (a - b, x87::sub(a, b)),
        Op::Mul => (a * b, x87::mul(a, b)),
        Op::Div => (a / b, x87::div(a, b)),
        Op::Sqrt => (a.sqrt(), x87::sqrt(a)),
    };
    let (nearest, chopped) = (x87::settled(nearest), x87::settled(chopped));
    let stored = match input.store {
        Store::F32 => x87::settled(f64::from(x87::store32(chopped))),
        Store::None | Store::F64 => chopped,
    };
    Ok(X87Chop {
        nearest: Real(nearest),
        chopped: Real(chopped),
        lowered: nearest.to_bits() != chopped.to_bits(),
        stored: Real(stored),
        integer: x87::ftol(stored),
        caveats: caveats(input, [a, b], nearest, chopped),
    })
}

fn held(arg: &RealArg, field: &str) -> Result<f64, PortError> {
    match arg {
        RealArg::Held(value) => Ok(*value),
        RealArg::Text(_) => {
            Err(PortError::invalid(field, "must be a number or bits: no rules key is read here"))
        }
    }
}

/// A register has a wider exponent than the binary64 of the model. A store narrows it to what the model says, since
/// truncating twice is truncating once; without a store the register keeps what the model has cut off.
fn caveats(input: &X87ChopInput, operands: [f64; 2], nearest: f64, chopped: f64) -> Vec<Caveat> {
    let scaling = matches!(input.op, Op::Mul | Op::Div);
    let over = nearest.is_infinite() && chopped.is_finite();
    let under =
        scaling && chopped.abs() < f64::MIN_POSITIVE && operands.iter().all(|x| x.is_finite() && *x != 0.0);
    if input.store == Store::None && (over || under) {
        vec![Caveat::new(
            "step.2",
            "outside the binary64 range a register keeps more than this value until it is stored",
        )]
    } else {
        Vec::new()
    }
}
