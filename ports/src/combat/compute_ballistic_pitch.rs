//! `compute_ballistic_pitch`: the two angles at which an unguided shell reaches a target, or none.

use super::compute_launch_speed::{LaunchSpeed, LaunchSpeedInput, compute_launch_speed, pull, stock_gravity};
use super::yr;
use crate::math::x87::{add, div, ftol, mul, sqrt, sub};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_ballistic_pitch",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Yr],
    summary: "Low and high firing angle of an unguided shell at a distance and height, or that it cannot reach.",
    aliases: &[
        "pitch",
        "elevation",
        "firing angle",
        "high arc",
        "low arc",
        "Arcing",
        "Lobber",
        "artillery",
        "ballistic",
        "trajectory",
        "out of reach",
        "Gravity",
    ],
    units: "leptons, leptons a frame, gravity in leptons a frame squared, angles in degrees above the horizon",
    example: r#"{"speed":95,"distance":1000}"#,
};

/// The registered port.
pub static PORT: FnPort<BallisticPitchInput, BallisticPitch> = FnPort::new(&META, compute_ballistic_pitch);

/// Horizontal distance that stands for none.
const NO_DISTANCE: f64 = 0.001;
const ARC: &str = "which arccosine the program takes was not read; the angle is the true one of this cosine";
const OVERHEAD: &str =
    "the readings differ on a distance of 0: 0.001, or 0 in the routine that gives the angle";

/// A shot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallisticPitchInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Horizontal distance to the target in leptons, 0 to 33554432.
    #[schemars(range(min = 0, max = 33_554_432))]
    pub distance: i32,
    /// Height of the target above the muzzle in leptons, -33554432 to 33554432; default 0.
    #[serde(default)]
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub height: i32,
    /// Launch speed in leptons a frame, 1 to 8191. Without it the speed is that of `compute_launch_speed` for the distance.
    #[schemars(range(min = 1, max = 8191))]
    pub speed: Option<i32>,
    /// `Gravity` of the rules, 0 to 65535; default 6 (stock).
    #[serde(default = "stock_gravity")]
    #[schemars(range(min = 0, max = 65535))]
    pub gravity: i32,
    /// `Floater` of the projectile, which halves gravity. Default false.
    #[serde(default)]
    pub floater: bool,
}

/// One of the two arcs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Arc {
    /// v² − height · gravity, plus the root for the low arc and less it for the high one (clause arc.1).
    pub numerator: Real,
    /// The numerator over the denominator: the square of the horizontal speed (clause arc.1).
    pub quotient: Real,
    /// Cosine of the angle: horizontal speed over speed (clause angle.1); left out where the quotient is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosine: Option<Real>,
    /// The angle of that cosine in degrees, to a thousandth (clause angle.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degrees: Option<Real>,
}

/// The stages of a shot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BallisticPitch {
    /// The launch, where no speed was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<LaunchSpeed>,
    /// Launch speed in leptons a frame.
    pub speed: i32,
    /// Gravity that acts on the shell.
    pub gravity: Real,
    /// v⁴ − 2 v² · height · gravity − gravity² · distance² (clause reach.1).
    pub discriminant: Real,
    /// 2 · (height² / distance² + 1) (clause arc.1).
    pub denominator: Real,
    /// Whether the discriminant is not negative (clause reach.1).
    pub reachable: bool,
    /// The flat arc (clause arc.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<Arc>,
    /// The steep arc (clause arc.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<Arc>,
    /// What the result reaches of the open clauses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// Firing angles of a shot.
///
/// # Errors
/// `EINVAL` at the field for values outside their ranges, and at `speed` for a launch without speed; `EOPNOTSUPP` for a
/// game without evidence.
pub fn compute_ballistic_pitch(input: &BallisticPitchInput) -> Result<BallisticPitch, PortError> {
    META.offers(input.game)?;
    let bounded = [
        ("distance", input.distance, 0, 33_554_432),
        ("height", input.height, -33_554_432, 33_554_432),
        ("gravity", input.gravity, 0, 65_535),
        ("speed", input.speed.unwrap_or(1), 1, 8191),
    ];
    for (field, value, low, high) in bounded {
        if value < low || value > high {
            return Err(PortError::invalid(field, format!("must be from {low} to {high}")));
        }
    }
    let launch = match input.speed {
        Some(_) => None,
        None => Some(compute_launch_speed(&LaunchSpeedInput {
            game: input.game,
            range: input.distance,
            gravity: input.gravity,
            floater: input.floater,
            rot: 0,
            speed: None,
        })?),
    };
    let launched = launch.as_ref().map(|launch| launch.result);
    let speed = input.speed.or(launched).unwrap_or(0);
    if speed < 1 {
        return Err(PortError::invalid("speed", "is 0 at this distance, and the rule divides by it"));
    }
    Ok(solve(input, launch, speed))
}

fn solve(input: &BallisticPitchInput, launch: Option<LaunchSpeed>, speed: i32) -> BallisticPitch {
    let gravity = pull(input.gravity, input.floater);
    let distance = if input.distance == 0 { NO_DISTANCE } else { f64::from(input.distance) };
    let (height, v) = (f64::from(input.height), f64::from(speed));
    let (v2, x2) = (mul(v, v), mul(distance, distance));
    let rise = mul(mul(mul(2.0, v2), height), gravity);
    let discriminant = sub(sub(mul(v2, v2), rise), mul(mul(gravity, gravity), x2));
    let denominator = mul(add(div(mul(height, height), x2), 1.0), 2.0);
    let reachable = discriminant >= 0.0;
    let base = sub(v2, mul(height, gravity));
    let arc = |numerator: f64| {
        let quotient = div(numerator, denominator);
        let cosine = (quotient >= 0.0).then(|| div(sqrt(quotient), v));
        Arc {
            numerator: Real(numerator),
            quotient: Real(quotient),
            cosine: cosine.map(Real),
            degrees: cosine.map(|cosine| Real(degrees(cosine))),
        }
    };
    let mut caveats = launch.as_ref().map_or_else(Vec::new, |launch| launch.caveats.clone());
    for caveat in &mut caveats {
        caveat.clause.insert_str(0, "compute_launch_speed/");
    }
    if reachable {
        caveats.push(Caveat::new("angle.1", ARC));
    }
    if input.distance == 0 {
        caveats.push(Caveat::new("overhead.1", OVERHEAD));
    }
    BallisticPitch {
        launch,
        speed,
        gravity: Real(gravity),
        discriminant: Real(discriminant),
        denominator: Real(denominator),
        reachable,
        low: reachable.then(|| arc(add(base, sqrt(discriminant)))),
        high: reachable.then(|| arc(sub(base, sqrt(discriminant)))),
        caveats,
    }
}

/// The angle of a cosine from 0 to 1 in degrees, to the nearest thousandth. The tangent of half the angle is halved twice
/// more, which leaves the series an argument below one fifth: sixteen terms are exact to the last bits.
fn degrees(cosine: f64) -> f64 {
    let half = |tangent: f64| tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let tangent = half(half(((1.0 - cosine) / (1.0 + cosine)).sqrt()));
    let square = tangent * tangent;
    let series = (0..16).rev().fold(0.0, |sum, term| 1.0 / f64::from(2 * term + 1) - square * sum);
    // Eight times the angle that is left, in thousandths of a degree.
    let thousandths = 8.0 * tangent * series * (180_000.0 / std::f64::consts::PI);
    f64::from(ftol(thousandths + 0.5)) / 1000.0
}
