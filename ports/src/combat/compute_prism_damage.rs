//! The shot of a prism tower that others support.

use super::{within, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_prism_damage",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Scale and damage of a prism tower's shot that other towers support.",
    aliases: &[
        "PrismSupportModifier",
        "PrismSupportMax",
        "PrismType",
        "prism tower",
        "prism forwarding",
        "prism support",
        "charged shot",
        "supporting towers",
    ],
    units: "damage in points, modifier in percent, scale in 256ths",
    example: r#"{"damage":100,"supporters":1}"#,
};

/// The registered port.
pub static PORT: FnPort<PrismDamageInput, PrismDamage> = FnPort::new(&META, compute_prism_damage);

/// A tower that fires, and its supporters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrismDamageInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Damage` of the shot, in points.
    pub damage: i32,
    /// Towers that support the shot, 0 to 1000, default 0 (stock `PrismSupportMax` 8; ordinary play recruits one a shot).
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub supporters: i32,
    /// `PrismSupportModifier` in whole percent, -10000 to 10000, default 150 (stock; the constructor was not read).
    #[serde(default = "stock")]
    #[schemars(range(min = -10_000, max = 10_000))]
    pub modifier: i32,
}

/// The stages of a supported shot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PrismDamage {
    /// 100, and the modifier once for each supporter (clause percent.1).
    pub percent: i32,
    /// That in 256ths, an integer division (clause scale.1).
    pub scale: i32,
    /// Damage times scale, shifted right by 8 (clause damage.1).
    pub result: i32,
}

const fn stock() -> i32 {
    150
}

/// Damage of a supported shot.
///
/// # Errors
/// `EINVAL` for `supporters` outside 0 to 1000 and `modifier` outside -10000 to 10000; `EOPNOTSUPP` at `game` for any other
/// game.
pub fn compute_prism_damage(input: &PrismDamageInput) -> Result<PrismDamage, PortError> {
    META.offers(input.game)?;
    within(input.supporters, "supporters", 0, 1000)?;
    within(input.modifier, "modifier", -10_000, 10_000)?;
    let percent = input.modifier * input.supporters + 100;
    let scale = percent.wrapping_mul(256) / 100;
    Ok(PrismDamage { percent, scale, result: input.damage.wrapping_mul(scale) >> 8 })
}
