//! `inspect_bullet_submunitions`: how often a bullet detonates, where, and what it lets out, with the draws that this costs.

use super::yr;
use crate::math::random::Generator;
use crate::math::{sine, x87};
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_bullet_submunitions",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Extra detonations and sub-bullets of Cluster and Airburst bullets, their places and their draws.",
    aliases: &[
        "Cluster",
        "Airburst",
        "AirburstWeapon",
        "cluster bomb",
        "submunition",
        "sub-bullets",
        "V3 rocket",
        "bomblets",
        "multiple detonations",
    ],
    units: "coordinates and radii in leptons (256 to a cell), facings in 65536ths of a turn",
    example: r#"{"coord":[5000,5000,0],"cluster":3,"seed":12345}"#,
};

/// The registered port.
pub static PORT: FnPort<SubmunitionInput, Submunitions> = FnPort::new(&META, inspect_bullet_submunitions);

/// Largest coordinate.
const FARTHEST: i32 = 1 << 23;
/// Most detonations of a call.
const MOST: i32 = 200;
/// Cells to a side of the map.
const MAP: i32 = 512;
/// The neighbours of a cell, clockwise from the north.
const NEIGHBOURS: [[i32; 2]; 8] = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/// A bullet that goes off.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubmunitionInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Where it goes off first, x, y and z from -8388608 to 8388608 leptons.
    pub coord: [i32; 3],
    /// `Airburst` of the projectile. Default false.
    #[serde(default)]
    pub airburst: bool,
    /// `Cluster` of the projectile, up to 200.
    #[schemars(range(max = 200))]
    pub cluster: i32,
    /// The detonation, counted from 1, that ends the bullet itself. Default none.
    #[serde(default)]
    #[schemars(range(min = 1, max = 2_147_483_647))]
    pub dies_at: Option<i32>,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
}

/// What comes of a bullet.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Submunitions {
    /// The detonations of its warhead, in order (clauses fork.1, cluster.1).
    pub detonations: Vec<Detonation>,
    /// The bullets that it lets out, in order (clauses airburst.1, airburst.2).
    pub bullets: Vec<SubBullet>,
    /// Random draws.
    pub draw_count: u64,
}

/// One detonation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Detonation {
    /// Where it is, in leptons.
    pub coord: [i32; 3],
    /// Whether the bullet is gone with it (clause cluster.1).
    pub last: bool,
    /// What is drawn after it (clause cluster.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
}

/// A place for the next detonation, which may never come.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Next {
    /// Radius in leptons, 256 to 512 (clause cluster.2).
    pub radius: i32,
    /// Low byte of the second word (clause point.1).
    pub byte: u8,
    /// The point, in leptons (clauses cluster.3, point.1).
    pub coord: [i32; 3],
    /// Whether it lies on the map; the first place is taken if not (clause point.2).
    pub on_map: bool,
}

/// One bullet that is let out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SubBullet {
    /// The cell that it is aimed at, from the cell of the detonation.
    pub cell: [i32; 2],
    /// The number drawn, 0 to 32 (clause airburst.2).
    pub roll: i32,
    /// The facing that it gives (clause airburst.2).
    pub facing: u16,
}

/// What a bullet lets out.
///
/// # Errors
/// `EINVAL` at the field for coordinates out of bounds, for a cluster above 200, for a `dies_at` below 1, and for one that
/// is given for an airburst; `EOPNOTSUPP` for a game without evidence.
pub fn inspect_bullet_submunitions(input: &SubmunitionInput) -> Result<Submunitions, PortError> {
    META.offers(input.game)?;
    for axis in input.coord {
        within(axis, "coord", -FARTHEST, FARTHEST)?;
    }
    within(input.cluster, "cluster", i32::MIN, MOST)?;
    if let Some(at) = input.dies_at {
        within(at, "dies_at", 1, i32::MAX)?;
        if input.airburst {
            return Err(PortError::invalid("dies_at", "makes no difference to an airburst"));
        }
    }
    let mut generator = Generator::seeded(input.game, input.seed);
    let (mut detonations, mut bullets) = (Vec::new(), Vec::new());
    if input.airburst {
        detonations.push(Detonation { coord: input.coord, last: false, next: None });
        for cell in NEIGHBOURS.into_iter().chain([[0, 0]]) {
            let roll = generator.pick(0, 32).value;
            bullets.push(SubBullet { cell, roll, facing: (roll << 8) as u16 });
        }
    } else {
        let mut coord = input.coord;
        for number in 1..=input.cluster {
            let last = input.dies_at == Some(number);
            let next = (!last).then(|| next(input.coord, &mut generator));
            let following = next.as_ref().map_or(coord, |next| next.coord);
            detonations.push(Detonation { coord, last, next });
            coord = following;
            if last {
                break;
            }
        }
    }
    Ok(Submunitions { detonations, bullets, draw_count: generator.draws() })
}

/// A random point around the first.
fn next(first: [i32; 3], generator: &mut Generator) -> Next {
    let radius = generator.pick(256, 512).value;
    let byte = generator.next() as u8;
    let (sine, cosine) = sine::sine_cosine(sine::radians(u16::from(byte) << 8));
    let along = |part: f32| x87::mul(f64::from(part), f64::from(radius));
    let [x, y, z] = first;
    let moved =
        [x87::ftol(x87::add(f64::from(x), along(cosine))), x87::ftol(x87::sub(f64::from(y), along(sine)))];
    let on_map = moved.iter().all(|axis| (0..MAP).contains(&(axis / 256)));
    let coord = if on_map { [moved[0], moved[1], z] } else { first };
    Next { radius, byte, coord, on_map }
}
