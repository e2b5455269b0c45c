//! `simulate_random_range`: the forms in which the engine asks its generator for a number.

use crate::math::random::{Generator, Pick};
use crate::math::simulate_random_stream::{skip, started};
use crate::math::{x87, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most calls in a list.
const MAX_CALLS: usize = 100;
/// Most times that one call repeats.
const MAX_TIMES: u32 = 10_000;
/// Most results of all calls together.
const MAX_RESULTS: u32 = 20_000;
/// The binary64 nearest to 1/2147483646, from 0x7E3570 of the YR executable.
const UNIT: f64 = f64::from_bits(0x3E00_0000_0040_0000);

/// Metadata.
pub static META: Meta = Meta {
    name: "simulate_random_range",
    area: Area::Math,
    kind: Kind::Simulate,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Inclusive ranged draws by mask and reject, and the modulo, percent and unit forms, with the raw draws each one uses.",
    aliases: &[
        "random number in a range",
        "RandomRanged",
        "Random_Pick",
        "Percent_Chance",
        "PercentChance",
        "Probability",
        "chance",
        "dice roll",
        "rejection sampling",
        "draw count",
        "RNG",
        "desync",
    ],
    units: "bounds and results are signed 32-bit numbers; unit results are 0 to 1; draws are counted",
    example: r#"{"seed":1,"calls":[{"lo":0,"hi":99,"times":10}]}"#,
};

/// The port.
pub static PORT: FnPort<RandomRangeInput, RandomRange> = FnPort::new(&META, simulate_random_range);

/// A freshly seeded generator and what is asked of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomRangeInput {
    /// Game whose generator runs. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The seed, an unsigned 32-bit number.
    pub seed: u32,
    /// Draws made and thrown away before the first call, 0 to 1000000. Default 0.
    #[serde(default)]
    #[schemars(range(max = 1_000_000))]
    pub skip: u32,
    /// RA2 and YR: the generator's byte that turns it off; every raw draw is 0 and nothing moves. Default false.
    #[serde(default)]
    pub disabled: bool,
    /// The calls in order, 1 to 100, with at most 20000 results together.
    #[schemars(length(min = 1, max = 100))]
    pub calls: Vec<Call>,
}

/// How a caller makes a number out of draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A number from `lo` to `hi`, both included, by mask and rejection.
    #[default]
    Range,
    /// The absolute remainder of one raw draw by `n`.
    Modulo,
    /// The signed remainder of one raw draw by `n`.
    SignedModulo,
    /// Whether a ranged draw of 0 to 99 is below `percent`.
    Percent,
    /// YR: a ranged draw of 0 to 0x7FFFFFFE times 1/2147483646, chopped.
    Unit,
}

/// One call, made once or several times in a row.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Form of the call. Default `range`.
    #[serde(default)]
    pub form: Form,
    /// `range`: one bound, a signed 32-bit number; the two may come in either order and are at most 2147483647 apart
    /// (RA1: 2147483646).
    pub lo: Option<i32>,
    /// `range`: the other bound.
    pub hi: Option<i32>,
    /// `modulo`, `signed_modulo`: the divisor, 1 to 2147483647.
    #[schemars(range(min = 1))]
    pub n: Option<i32>,
    /// `percent`: the chance in percent; 0 and below never happens, 100 and above always, and either still draws.
    pub percent: Option<i32>,
    /// Times that the call is made, 1 to 10000. Default 1.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 10_000))]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// What the calls gave, and what they cost.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RandomRange {
    /// The calls in order.
    pub calls: Vec<CallResult>,
    /// The results of all calls in one list.
    pub results: Vec<Drawn>,
    /// Raw draws that the calls used; skipped ones are not counted.
    pub draw_count: u64,
}

/// What one call gave.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CallResult {
    /// Form of the call.
    pub form: Form,
    /// Ranged forms: lower bound after ordering (range.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lo: Option<i32>,
    /// Ranged forms: upper bound after ordering (range.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hi: Option<i32>,
    /// Ranged forms: upper less lower bound (range.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<u32>,
    /// Ranged forms: the mask that draws go through; 0 for equal bounds (range.3, mask.1, mask.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<u32>,
    /// `percent` and `unit`: the ranged draws behind the results (chance.1, unit.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolls: Option<Vec<i32>>,
    /// One result for each time.
    pub results: Vec<Drawn>,
    /// Draws that were above the span and thrown away (range.3).
    pub rejected: u64,
    /// Raw draws used, the rejected ones included.
    pub draws: u64,
}

/// One result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Drawn {
    /// `range`, `modulo` and `signed_modulo`.
    Number(i32),
    /// `percent`: whether it happens.
    Chance(bool),
    /// `unit`.
    Unit(Real),
}

/// Seeds the generator of the game and makes the calls.
///
/// # Errors
/// `EINVAL` for a call that lacks a field, has one of another form, or leaves the bounds stated there; `EOPNOTSUPP` for
/// a form or a game without evidence.
pub fn simulate_random_range(input: &RandomRangeInput) -> Result<RandomRange, PortError> {
    META.offers(input.game)?;
    if input.calls.is_empty() || input.calls.len() > MAX_CALLS {
        return Err(PortError::invalid("calls", format!("1 to {MAX_CALLS} calls are needed")));
    }
    let mut results = 0;
    for (index, call) in input.calls.iter().enumerate() {
        check(input.game, call, index)?;
        results += call.times;
    }
    if results > MAX_RESULTS {
        return Err(PortError::invalid("calls", format!("the calls give more than {MAX_RESULTS} results")));
    }
    let mut generator = started(input.game, input.seed, input.disabled)?;
    skip(&mut generator, input.skip)?;
    let before = generator.draws();
    let calls: Vec<_> = input.calls.iter().map(|call| run(&mut generator, call)).collect();
    let results = calls.iter().flat_map(|call| call.results.iter().copied()).collect();
    Ok(RandomRange { calls, results, draw_count: generator.draws() - before })
}

/// Refuses what the form does not take, and what no evidence covers.
fn check(game: Game, call: &Call, index: usize) -> Result<(), PortError> {
    let wrong =
        |field: &str, message: String| Err(PortError::invalid(format!("calls.{index}.{field}"), message));
    if call.times == 0 || call.times > MAX_TIMES {
        return wrong("times", format!("must be 1 to {MAX_TIMES}"));
    }
    let form = call.form;
    let fields = [
        ("lo", call.lo, form == Form::Range),
        ("hi", call.hi, form == Form::Range),
        ("n", call.n, matches!(form, Form::Modulo | Form::SignedModulo)),
        ("percent", call.percent, form == Form::Percent),
    ];
    for (field, value, taken) in fields {
        match (value, taken) {
            (None, true) => return wrong(field, "is needed by this form".to_owned()),
            (Some(_), false) => return wrong(field, "does not belong to this form".to_owned()),
            _ => {}
        }
    }
    if call.n.is_some_and(|n| n < 1) {
        return wrong("n", "must be at least 1".to_owned());
    }
    if form == Form::Unit && game != Game::Yr {
        let message = format!("no evidence gives the unit factor of {game}; draw `range` 0 to 2147483646");
        return Err(PortError::unsupported(format!("calls.{index}.form"), message));
    }
    let widest = if game == Game::Ra1 { 0x7FFF_FFFE } else { 0x7FFF_FFFF };
    let span = call.lo.zip(call.hi).map_or(0, |(lo, hi)| lo.abs_diff(hi));
    if span > widest {
        return wrong("hi", format!("is more than {widest} away from `lo`, where the loop overflows"));
    }
    Ok(())
}

/// Makes one call as often as it says. The call has been checked.
fn run(generator: &mut Generator, call: &Call) -> CallResult {
    let before = generator.draws();
    let times = 0..call.times;
    let mut result = match call.form {
        Form::Range => {
            let (lo, hi) = (call.lo.unwrap_or(0), call.hi.unwrap_or(0));
            ranged(call, times.map(|_| generator.pick(lo, hi)).collect(), Drawn::Number)
        }
        Form::Percent => {
            let percent = call.percent.unwrap_or(0);
            let happens = |roll| Drawn::Chance(roll < percent);
            ranged(call, times.map(|_| generator.pick(0, 99)).collect(), happens)
        }
        Form::Unit => {
            let scaled = |roll| Drawn::Unit(Real(x87::mul(f64::from(roll), UNIT)));
            ranged(call, times.map(|_| generator.pick(0, 0x7FFF_FFFE)).collect(), scaled)
        }
        Form::Modulo | Form::SignedModulo => {
            let n = call.n.unwrap_or(1).max(1);
            let results = times.map(|_| remainder(generator.next() as i32, n, call.form)).collect();
            CallResult { results, ..blank(call.form) }
        }
    };
    result.draws = generator.draws() - before;
    result
}

fn remainder(word: i32, n: i32, form: Form) -> Drawn {
    let signed = word % n;
    Drawn::Number(if form == Form::Modulo { signed.abs() } else { signed })
}

fn blank(form: Form) -> CallResult {
    let (results, rejected, draws) = (Vec::new(), 0, 0);
    CallResult { form, lo: None, hi: None, span: None, mask: None, rolls: None, results, rejected, draws }
}

/// The stages of a ranged form; a form that makes something else of the number lists the number too.
fn ranged(call: &Call, picks: Vec<Pick>, make: impl Fn(i32) -> Drawn) -> CallResult {
    let mut result = blank(call.form);
    if let Some(pick) = picks.first() {
        (result.lo, result.hi) = (Some(pick.low), Some(pick.high));
        (result.span, result.mask) = (Some(pick.span), Some(pick.mask));
    }
    if call.form != Form::Range {
        result.rolls = Some(picks.iter().map(|pick| pick.value).collect());
    }
    result.rejected = picks.iter().map(|pick| u64::from(pick.rejected)).sum();
    result.results = picks.iter().map(|pick| make(pick.value)).collect();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_factor_is_the_nearest_double_and_the_top_roll_is_chopped_below_one() {
        assert_eq!(UNIT, 4.656_612_877_414_201e-10);
        assert_eq!(UNIT, 1.0 / 2_147_483_646.0);
        assert_eq!(2_147_483_646.0 * UNIT, 1.0);
        assert_eq!(x87::mul(2_147_483_646.0, UNIT), 1.0 - f64::EPSILON / 2.0);
    }

    #[test]
    fn a_remainder_by_one_and_of_the_lowest_word_are_safe() {
        assert_eq!(remainder(i32::MIN, 30, Form::Modulo), Drawn::Number(8));
        assert_eq!(remainder(i32::MIN, 30, Form::SignedModulo), Drawn::Number(-8));
        assert_eq!(remainder(-7, 1, Form::Modulo), Drawn::Number(0));
    }
}
