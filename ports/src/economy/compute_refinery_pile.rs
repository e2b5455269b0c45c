//! `compute_refinery_pile`: a skeleton, which passes an amount on. Say here in one line what the system decides.

use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_refinery_pile",
    area: Area::Economy,
    kind: Kind::Compute,
    // Games that the evidence covers, each with cases, oldest first.
    games: &[Game::Yr],
    // One sentence of 10 to 160 characters: it is what a search finds.
    summary: "A skeleton: passes an amount on unchanged, until the rule of refinery pile is written.",
    // INI keys and the words that people search for.
    aliases: &["refinery pile"],
    units: "amount and result in points",
    // Arguments that run.
    example: r#"{"amount":7}"#,
};

/// The registered port.
pub static PORT: FnPort<Input, Breakdown> = FnPort::new(&META, compute_refinery_pile);

/// What goes in. Each field says its unit, its range and its default, which is the executable's own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Game whose rule runs. Default YR.
    #[serde(default = "default_game")]
    pub game: Game,
    /// Points that go in, 0 to 2147483647.
    pub amount: i32,
}

const fn default_game() -> Game {
    Game::Yr
}

/// What comes out: every stage of the computation, in the order in which the engine reaches it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// Points that come out (clause rule.1).
    pub result: i32,
    /// Open clauses that the input reached.
    pub caveats: Vec<Caveat>,
}

/// Passes the amount on.
///
/// # Errors
/// `EOPNOTSUPP` at `game` for a game that is not offered, `EINVAL` at `amount` for a negative one.
pub fn compute_refinery_pile(input: &Input) -> Result<Breakdown, PortError> {
    META.offers(input.game)?;
    if input.amount < 0 {
        return Err(PortError::invalid("amount", "must not be negative"));
    }
    // The rule stands here. Floats go through `crate::math::x87`, rules text through `crate::rules::text`.
    let result = input.amount;
    let caveats = vec![Caveat::new("rule.1", "this is a skeleton, no finding stands behind it")];
    Ok(Breakdown { result, caveats })
}
