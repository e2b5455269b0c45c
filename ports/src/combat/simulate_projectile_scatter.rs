//! `simulate_projectile_scatter`: how far and in which direction an inaccurate shot misses.
//!
//! Two places scatter, with two draws each: the launch bends the way to the target, and the start of a flak bullet that is not
//! seen moves the target.

use super::{only, yr};
use crate::math::compute_distance::{DistanceInput, compute_distance};
use crate::math::random::Generator;
use crate::math::{sine, x87};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_projectile_scatter",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "How far and in which direction an inaccurate or flak shot misses its target, with its two draws.",
    aliases: &[
        "BallisticScatter",
        "Inaccurate",
        "FlakScatter",
        "Inviso",
        "Arcing",
        "scatter",
        "accuracy",
        "miss distance",
        "artillery spread",
        "flak cannon",
        "random displacement",
    ],
    units: "coordinates and lengths in leptons (256 to a cell), facings in 65536ths of a turn",
    example: r#"{"from":[0,0,0],"target":[1280,512,0],"arcing":true,"inaccurate":true,"seed":12345}"#,
};

/// The registered port.
pub static PORT: FnPort<ScatterInput, ProjectileScatter> = FnPort::new(&META, simulate_projectile_scatter);

/// Largest coordinate.
const FARTHEST: u32 = 1 << 24;
/// Largest scatter: twice it is still a number of 32 bits.
const LARGEST_SCATTER: i32 = 0x3FFF_FFFF;
/// Upper bound of the draw for the angle.
const WIDEST: i32 = 0x7FFF_FFFE;
/// What turns that draw into a share of a turn: slightly above one over the bound.
const SHARE: f64 = 4.656_612_877_414_201e-10;

/// A shot.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScatterInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Where it is fired, x, y and z from -16777216 to 16777216 leptons.
    pub from: [i32; 3],
    /// What it is aimed at, in the same bounds.
    pub target: [i32; 3],
    /// `Arcing` of the projectile. Default false.
    #[serde(default)]
    pub arcing: bool,
    /// `Inaccurate` of the projectile. Default false.
    #[serde(default)]
    pub inaccurate: bool,
    /// YR only: `FlakScatter` of the projectile. Default false.
    #[serde(default)]
    pub flak_scatter: bool,
    /// YR only: `Inviso` of the projectile. Default false.
    #[serde(default)]
    pub inviso: bool,
    /// `BallisticScatter` of the rules in leptons, 0 to 1073741823; default 256.
    #[serde(default = "cell")]
    #[schemars(range(min = 0, max = 1_073_741_823))]
    pub ballistic_scatter: i32,
    /// YR only: range of the weapon in leptons, at least 1 for flak; default 0. Nothing else reads it.
    #[serde(default)]
    pub range: i32,
    /// Seed of the generator, an unsigned 32-bit number. Either this or `given`.
    #[serde(default)]
    pub seed: Option<u32>,
    /// Numbers to take instead of draws, for a shot that scatters once.
    #[serde(default)]
    pub given: Option<Given>,
}

/// Numbers to take instead of draws.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The first number, within the bounds that the shot draws from.
    pub roll: i32,
    /// The second, 0 to 2147483646. Either this or `facing`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 2_147_483_646))]
    pub angle: Option<i32>,
    /// The facing that comes of the second number, 0 to 65535.
    #[serde(default)]
    pub facing: Option<u16>,
}

fn cell() -> i32 {
    256
}

/// Ways to scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// At the launch, by half to all of the scatter (clause launch.1).
    Plain,
    /// At the launch, in proportion to the distance (clause flak.1).
    Flak,
    /// At the start of the bullet, in proportion to the distance (clause impact.1).
    Impact,
}

/// A shot and where it goes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProjectileScatter {
    /// What bends the aim, if anything does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<Scatter>,
    /// What moves the target of the bullet, if anything does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Scatter>,
    /// Random draws.
    pub draw_count: u64,
}

/// The stages of one displacement.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scatter {
    /// Which way it is.
    pub arm: Arm,
    /// Flak: distance of the shot in leptons (clause distance.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<i32>,
    /// Flak: the distance that an exact root would give, for comparison; no stage reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
    /// Lower bound of the first draw.
    pub low: i32,
    /// Upper bound of the first draw.
    pub high: i32,
    /// The first number.
    pub roll: i32,
    /// Length of the displacement in leptons (clauses launch.1, flak.1, impact.1).
    pub length: i32,
    /// The second number (clause angle.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angle: Option<i32>,
    /// The facing that it gives (clause angle.1).
    pub facing: u16,
    /// That facing in radians.
    pub radians: Real,
    /// Sine out of the table (clause sine.1).
    pub sine: Real,
    /// Cosine out of the table (clause sine.1).
    pub cosine: Real,
    /// Where the shot goes instead, in leptons (clause turn.1).
    pub point: [i32; 3],
}

/// How a shot misses.
///
/// # Errors
/// `EINVAL` at the field for coordinates and a scatter out of bounds, for flak without a range, for neither or both of
/// `seed` and `given`, for numbers that no draw could give, and for arguments of YR given for TS; `EOPNOTSUPP` for a game
/// without evidence.
pub fn simulate_projectile_scatter(input: &ScatterInput) -> Result<ProjectileScatter, PortError> {
    META.offers(input.game)?;
    input.check()?;
    let hidden_flak = input.flak_scatter && input.inviso;
    let launch = (input.inaccurate && input.arcing).then_some(if input.flak_scatter && !hidden_flak {
        Arm::Flak
    } else {
        Arm::Plain
    });
    let impact = hidden_flak.then_some(Arm::Impact);
    if input.given.is_some() && launch.is_some() == impact.is_some() {
        return Err(PortError::invalid("given", "is for a shot that scatters once"));
    }
    let mut generator = Generator::seeded(input.game, input.seed.unwrap_or(0));
    let mut run = |arm: Option<Arm>| arm.map(|arm| input.scatter(arm, &mut generator)).transpose();
    let (launch, impact) = (run(launch)?, run(impact)?);
    Ok(ProjectileScatter { launch, impact, draw_count: generator.draws() })
}

impl ScatterInput {
    fn check(&self) -> Result<(), PortError> {
        only(Game::Yr, self.game, self.flak_scatter, "flak_scatter")?;
        only(Game::Yr, self.game, self.inviso, "inviso")?;
        only(Game::Yr, self.game, self.range != 0, "range")?;
        for (field, coord) in [("from", self.from), ("target", self.target)] {
            if coord.iter().any(|axis| axis.unsigned_abs() > FARTHEST) {
                return Err(PortError::invalid(field, "must be from -16777216 to 16777216"));
            }
        }
        if !(0..=LARGEST_SCATTER).contains(&self.ballistic_scatter) {
            return Err(PortError::invalid("ballistic_scatter", "must be from 0 to 1073741823"));
        }
        if self.seed.is_some() == self.given.is_some() {
            return Err(PortError::invalid("seed", "is needed, or `given`, and not both"));
        }
        Ok(())
    }

    /// One displacement.
    fn scatter(&self, arm: Arm, generator: &mut Generator) -> Result<Scatter, PortError> {
        let scatter = self.ballistic_scatter;
        let (low, high) = match arm {
            Arm::Plain => (scatter / 2, scatter),
            Arm::Flak => (0, scatter),
            Arm::Impact => (0, 2 * scatter),
        };
        let roll = match self.given {
            Some(given) if !(low..=high).contains(&given.roll) => {
                return Err(PortError::invalid("given.roll", format!("must be from {low} to {high}")));
            }
            Some(given) => given.roll,
            None => generator.pick(low, high).value,
        };
        let (mut distance, mut exact, mut length) = (None, None, roll);
        if arm != Arm::Plain {
            if self.range < 1 {
                return Err(PortError::invalid("range", "must be at least 1 for flak"));
            }
            let measured = self.distance()?;
            (distance, exact) = (Some(measured.0), measured.1);
            length = roll.wrapping_mul(measured.0) / self.range;
        }
        let (angle, facing) = self.turn(generator)?;
        let radians = sine::radians(facing);
        let (sine, cosine) = sine::sine_cosine(radians);
        let point = self.moved(arm, length, sine, cosine);
        let (radians, sine, cosine) = (Real(radians), sine.into(), cosine.into());
        Ok(Scatter {
            arm,
            distance,
            exact,
            low,
            high,
            roll,
            length,
            angle,
            facing,
            radians,
            sine,
            cosine,
            point,
        })
    }

    /// Distance of the shot, by the engine's root and by an exact one.
    fn distance(&self) -> Result<(i32, Option<i32>), PortError> {
        let [dx, dy, dz] = std::array::from_fn(|axis| self.target[axis] - self.from[axis]);
        let (planar, level_snap) = (false, false);
        let input =
            DistanceInput { game: self.game, dx, dy, dz, planar, level_snap, building: None, target: true };
        let distance = compute_distance(&input)?;
        Ok((distance.result, distance.exact))
    }

    /// The second number and its facing.
    fn turn(&self, generator: &mut Generator) -> Result<(Option<i32>, u16), PortError> {
        let angle = match self.given {
            None => generator.pick(0, WIDEST).value,
            Some(Given { angle: Some(angle), facing: None, .. }) => angle,
            Some(Given { angle: None, facing: Some(facing), .. }) => return Ok((None, facing)),
            Some(_) => return Err(PortError::invalid("given.angle", "is needed, or `facing`, and not both")),
        };
        if !(0..=WIDEST).contains(&angle) {
            return Err(PortError::invalid("given.angle", "must be from 0 to 2147483646"));
        }
        let turned = x87::mul(x87::mul(f64::from(angle), SHARE), std::f64::consts::TAU);
        Ok((Some(angle), sine::facing(turned)))
    }

    /// The point that is moved: the vector from the muzzle at the launch, the target itself later.
    fn moved(&self, arm: Arm, length: i32, sine: f32, cosine: f32) -> [i32; 3] {
        let [from_x, from_y] = if arm == Arm::Impact { [0, 0] } else { [self.from[0], self.from[1]] };
        let along = |part: f32| x87::mul(f64::from(part), f64::from(length));
        let y = x87::ftol(x87::sub(f64::from(self.target[1] - from_y), along(sine)));
        let x = x87::ftol(x87::add(along(cosine), f64::from(self.target[0] - from_x)));
        [x.wrapping_add(from_x), y.wrapping_add(from_y), self.target[2]]
    }
}
