//! What a tiny `Verses` forbids: firing at all, shooting back, picking the target.

use super::yr;
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_verses_engagement",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Whether a Verses value lets a weapon be fired at an armor by force, in retaliation, or of its own accord.",
    aliases: &[
        "Verses",
        "force fire",
        "retaliate",
        "passive acquire",
        "0% verses",
        "1% verses",
        "2% verses",
        "cannot attack armor",
        "auto target",
    ],
    units: "Verses as a factor",
    example: r#"{"verses":"1%"}"#,
};

/// The registered port.
pub static PORT: FnPort<VersesEngagementInput, VersesEngagement> =
    FnPort::new(&META, inspect_verses_engagement);

/// Limit of retaliation: a binary32, just below a hundredth.
const RETALIATE: f32 = 0.01;
/// Limit of the passive search, as a binary64.
const PASSIVE: f64 = 0.02;
/// The same limit if the executable holds it as a binary32.
const PASSIVE_SINGLE: f32 = 0.02;

/// What a warhead does to one armor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VersesEngagementInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Verses` entry for the target's armor: a factor, any finite value. Text is one token of the key.
    pub verses: RealArg,
}

/// What the value allows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VersesEngagement {
    /// The value as the warhead holds it (clause token.1).
    pub held: Real,
    /// Whether the weapon may be fired at that armor at all, by force included (clause force.1).
    pub force_fire: bool,
    /// Whether a unit that was hit shoots back with it (clause retaliate.1).
    pub retaliate: bool,
    /// Whether the search for targets considers that armor (clauses passive.1, passive.2).
    pub passive_acquire: bool,
    /// Where the limit was not read to the last bit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// What a value of `Verses` allows.
///
/// # Errors
/// `EINVAL` at `verses` for text without a number and values that are not finite; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_verses_engagement(input: &VersesEngagementInput) -> Result<VersesEngagement, PortError> {
    META.offers(input.game)?;
    let verses = double(&input.verses, "verses", input.game, Reader::Verses)?;
    let mut output = VersesEngagement {
        held: verses.into(),
        force_fire: verses != 0.0,
        retaliate: verses > f64::from(RETALIATE),
        passive_acquire: verses > PASSIVE,
        caveats: Vec::new(),
    };
    if verses > f64::from(PASSIVE_SINGLE) && !output.passive_acquire {
        let message = "the width of the limit was not read: as a binary32 it would let this value pass";
        output.caveats.push(Caveat::new("passive.2", message));
    }
    Ok(output)
}
