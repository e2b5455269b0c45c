//! `compute_launch_speed`: how fast a shell leaves the barrel, from range and gravity.
//!
//! A homing projectile has the speed of its weapon. Anything else is thrown: as fast as the range needs, and a fifth more
//! under the root for good measure.

use super::yr;
use crate::math::compute_fast_sqrt::root;
use crate::math::x87;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_launch_speed",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Launch speed of an unguided shell from range and gravity; a homing projectile has its weapon's Speed.",
    aliases: &[
        "Speed",
        "ROT",
        "Arcing",
        "Floater",
        "Gravity",
        "muzzle velocity",
        "artillery",
        "ballistic",
        "Calculate_Projectile_Speed",
        "Init_Max_Speed",
        "shell speed",
        "lobbed shot",
    ],
    units: "range in leptons, speed in leptons a frame, gravity in leptons a frame squared",
    example: r#"{"range":1728}"#,
};

/// The registered port.
pub static PORT: FnPort<LaunchSpeedInput, LaunchSpeed> = FnPort::new(&META, compute_launch_speed);

/// What range and gravity are multiplied by, a double.
const REACH: f64 = 1.2;
const TABLE: &str = "the readings do not tell the unit's root from the table's, which gives one less here";

/// A projectile and how far it has to go.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaunchSpeedInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Leptons, at least 0: the weapon's `Range` for the speed that is stored with it, the distance for a single shot.
    #[schemars(range(min = 0))]
    pub range: i32,
    /// `Gravity` of the rules, at least 0; default 6 (stock).
    #[serde(default = "stock_gravity")]
    #[schemars(range(min = 0))]
    pub gravity: i32,
    /// `Floater` of the projectile, which halves gravity. Default false.
    #[serde(default)]
    pub floater: bool,
    /// `ROT` of the projectile; anything but 0 is homing. Default 0.
    #[serde(default)]
    pub rot: i32,
    /// `Speed` of the weapon, in leptons a frame; needed by a homing projectile, refused for any other.
    pub speed: Option<i32>,
}

/// `Gravity` as the stock rules have it.
pub(super) fn stock_gravity() -> i32 {
    6
}

/// The gravity that acts on a projectile; floaters feel half of it (clause gravity.1).
pub(super) fn pull(gravity: i32, floater: bool) -> f64 {
    x87::mul(f64::from(gravity), if floater { 0.5 } else { 1.0 })
}

/// The stages of a launch; those that did not run are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct LaunchSpeed {
    /// Whether the projectile homes (clause homing.1).
    pub homing: bool,
    /// Gravity that acts on it (clause gravity.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Real>,
    /// Range times gravity times 1.2 (clause product.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product: Option<Real>,
    /// The root of the product (clause root.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Real>,
    /// Speed that the table root of `compute_fast_sqrt` would give, for comparison; no stage reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_speed: Option<i32>,
    /// The speed, in leptons a frame (clauses homing.1, root.1).
    pub result: i32,
    /// Set where the two roots differ by a whole unit (clause root.1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Launch speed of a projectile.
///
/// # Errors
/// `EINVAL` at the field for a negative range or gravity, and for a `speed` that a homing projectile lacks or another one
/// does not read; `EOPNOTSUPP` for a game without evidence.
pub fn compute_launch_speed(input: &LaunchSpeedInput) -> Result<LaunchSpeed, PortError> {
    META.offers(input.game)?;
    for (field, value) in [("range", input.range), ("gravity", input.gravity)] {
        if value < 0 {
            return Err(PortError::invalid(field, "must not be negative"));
        }
    }
    if input.rot != 0 {
        let needed = || PortError::invalid("speed", "is needed by a homing projectile");
        let result = input.speed.ok_or_else(needed)?;
        return Ok(LaunchSpeed { homing: true, result, ..LaunchSpeed::default() });
    }
    if input.speed.is_some() {
        return Err(PortError::invalid("speed", "is read by homing projectiles only; leave it out"));
    }
    let gravity = pull(input.gravity, input.floater);
    let product = x87::mul(x87::mul(f64::from(input.range), gravity), REACH);
    let found = root(product);
    let (result, table_speed) = (x87::ftol(found.exact.0), x87::ftol(found.root.0));
    Ok(LaunchSpeed {
        homing: false,
        gravity: Some(Real(gravity)),
        product: Some(Real(product)),
        root: Some(found.exact),
        table_speed: Some(table_speed),
        result,
        caveats: if table_speed == result { Vec::new() } else { vec![Caveat::new("root.1", TABLE)] },
    })
}
