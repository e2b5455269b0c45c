//! What a rank does to one number of an object: damage, armor, speed, reload or sight.
//!
//! TS writes bonuses into its rules (.25 is a quarter more), YR the factors themselves (1.1). The same file read by the other
//! game therefore means something else.

use super::{one, yr};
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_veterancy_bonus",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "What a rank makes of damage, armor, speed, reload time or sight; TS rules hold bonuses, YR rules factors.",
    aliases: &[
        "VeteranCombat",
        "VeteranArmor",
        "VeteranSpeed",
        "VeteranROF",
        "VeteranSight",
        "FIREPOWER",
        "STRONGER",
        "FASTER",
        "ROF",
        "SIGHT",
        "veteran bonus",
        "elite bonus",
        "promotion effects",
    ],
    units: "the unit of the base (points, leptons a frame, frames, cells)",
    example: r#"{"bonus":"damage","ability":true,"setting":"1.1","base":100}"#,
};

/// The registered port.
pub static PORT: FnPort<VeterancyBonusInput, VeterancyBonus> = FnPort::new(&META, compute_veterancy_bonus);

/// A number and the rank's say in it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VeterancyBonusInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Which number the rank changes.
    pub bonus: Bonus,
    /// Whether the object's rank holds the ability of that bonus, default false. Rank alone does nothing.
    #[serde(default)]
    pub ability: bool,
    /// The bonus' rules key, any finite value, default 1 (the constructors). YR: the factor, for armor the divisor. TS: what
    /// is added to 1.
    #[serde(default = "one")]
    pub setting: RealArg,
    /// The number before the rank: damage done, damage taken, speed, reload frames or sight.
    pub base: i32,
}

/// The number that a rank changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Damage of a shot: ability FIREPOWER, key `VeteranCombat`.
    Damage,
    /// Damage that arrives: ability STRONGER, key `VeteranArmor`.
    Armor,
    /// Speed: ability FASTER, key `VeteranSpeed`.
    Speed,
    /// Frames between shots: ability ROF, key `VeteranROF`.
    Reload,
    /// Sight in cells: ability SIGHT, key `VeteranSight`.
    Sight,
}

/// The number after the rank.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VeterancyBonus {
    /// What the base is multiplied by; left out where the rank does nothing (clauses factor.1, factor.2, sight.1) and for the
    /// armor of YR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<Real>,
    /// What the base is divided by: armor of YR (clause armor.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divisor: Option<Real>,
    /// The number after the rank, truncated (clause chop.1).
    pub result: i32,
}

/// A number after the rank.
///
/// # Errors
/// `EINVAL` at `setting` for text without a number and values that are not finite; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_veterancy_bonus(input: &VeterancyBonusInput) -> Result<VeterancyBonus, PortError> {
    META.offers(input.game)?;
    let setting = double(&input.setting, "setting", input.game, Reader::Double)?;
    let base = f64::from(input.base);
    let mut output = VeterancyBonus { factor: None, divisor: None, result: input.base };
    if !input.ability {
        return Ok(output);
    }
    let factor = match (input.game, input.bonus) {
        (Game::Ts, Bonus::Armor | Bonus::Reload) => x87::div(1.0, x87::add(setting, 1.0)),
        (Game::Ts, _) => x87::add(setting, 1.0),
        (_, Bonus::Armor) => {
            output.divisor = Some(setting.into());
            output.result = x87::ftol(x87::div(base, setting));
            return Ok(output);
        }
        // The stock 0 switches the bonus off instead of blinding the object.
        (_, Bonus::Sight) if setting == 0.0 => return Ok(output),
        (_, _) => setting,
    };
    output.factor = Some(factor.into());
    output.result = x87::ftol(x87::mul(factor, base));
    Ok(output)
}
