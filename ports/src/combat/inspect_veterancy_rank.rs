//! The rank that an object's experience stands for.

use super::{held, yes, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_veterancy_rank",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Yr],
    summary: "Rank (rookie, veteran, elite) that the experience of an object stands for, and what the rank setters write.",
    aliases: &[
        "veterancy",
        "rank",
        "veteran",
        "elite",
        "rookie",
        "experience level",
        "promotion threshold",
        "chevrons",
    ],
    units: "experience in ranks: 1 is veteran, 2 is elite",
    example: r#"{"veterancy":1.5}"#,
};

/// The registered port.
pub static PORT: FnPort<VeterancyRankInput, VeterancyRank> = FnPort::new(&META, inspect_veterancy_rank);

/// An object's experience, and a setter that may have written it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VeterancyRankInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Experience of the object, any finite number. YR holds a binary32, TS a binary64.
    pub veterancy: RealArg,
    /// A setter that overwrites the experience first; none by default.
    #[serde(default)]
    pub setter: Option<Setter>,
    /// Whether that setter grants its rank or takes it away, default true.
    #[serde(default = "yes")]
    pub grant: bool,
}

/// A routine that writes a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Setter {
    /// TS only: the rank below rookie.
    DeTrained,
    /// Rookie.
    Rookie,
    /// Veteran.
    Veteran,
    /// Elite.
    Elite,
}

/// A rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// Below 0: worse than a rookie.
    DeTrained,
    /// From 0 to less than 1.
    Rookie,
    /// From 1 to less than 2.
    Veteran,
    /// From 2.
    Elite,
}

/// What the experience stands for.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VeterancyRank {
    /// Experience as the object holds it (clauses width.1, width.2, setter.1, setter.2).
    pub held: Real,
    /// Its rank (clauses rank.1, rank.2).
    pub rank: Rank,
}

/// Rank of an amount of experience.
///
/// # Errors
/// `EINVAL` at `veterancy` for text, values that are not finite and, in YR, values that no binary32 holds; at `setter` for
/// `de_trained` in YR; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_veterancy_rank(input: &VeterancyRankInput) -> Result<VeterancyRank, PortError> {
    META.offers(input.game)?;
    let before = experience(&input.veterancy, "veterancy", input.game)?;
    let value = match input.setter {
        None => before,
        Some(Setter::DeTrained) if input.game == Game::Yr => {
            return Err(PortError::invalid("setter", "only TS has a setter for the rank below rookie"));
        }
        Some(setter) if input.grant => match setter {
            Setter::DeTrained => -0.25,
            Setter::Rookie => 0.0,
            Setter::Veteran => 1.0,
            Setter::Elite => 2.0,
        },
        Some(_) => 0.0,
    };
    Ok(rank_of(value))
}

/// Experience as the game holds it: a binary32 in YR, a binary64 in TS.
///
/// # Errors
/// `EINVAL` at `field` for text, values that are not finite and, in YR, values beyond the binary32 range.
pub(super) fn experience(arg: &RealArg, field: &str, game: Game) -> Result<f64, PortError> {
    let value = held(arg, field)?;
    if game == Game::Ts {
        return Ok(value);
    }
    let single = value as f32;
    if single.is_finite() {
        Ok(f64::from(single))
    } else {
        Err(PortError::invalid(field, "is beyond the binary32 range"))
    }
}

/// The rank of experience that is held already.
pub(super) fn rank_of(value: f64) -> VeterancyRank {
    let rank = if value >= 2.0 {
        Rank::Elite
    } else if value >= 1.0 {
        Rank::Veteran
    } else if value >= 0.0 {
        Rank::Rookie
    } else {
        Rank::DeTrained
    };
    VeterancyRank { held: value.into(), rank }
}
