//! `simulate_wide_area_damage`: the blast of an ion cannon in Tiberian Sun, which grows weaker toward its centre.
//!
//! Every cell of a square goes off by itself, with a share of the strength that is its distance from the centre over the
//! radius. Only the centre cell has all of it.

use super::ts;
use crate::math::compute_fast_sqrt::root;
use crate::math::random::Generator;
use crate::math::x87;
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_wide_area_damage",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts],
    summary: "Ion-cannon style blast over a square of cells, whose share of the strength rises from the centre outward.",
    aliases: &[
        "Wide_Area_Damage",
        "ion cannon",
        "IonCannonDamage",
        "blast radius",
        "nuke",
        "atom bomb",
        "DeformThreshhold",
        "Deform",
        "crater",
        "damage falloff",
        "superweapon damage",
    ],
    units: "radius in leptons (256 to a cell), distances in cells, damage in points",
    example: r#"{"radius":768,"strength":750}"#,
};

/// The registered port.
pub static PORT: FnPort<WideAreaInput, WideArea> = FnPort::new(&META, simulate_wide_area_damage);

/// Leptons to a cell.
const CELL: i32 = 256;
/// Largest radius, 16 cells: a blast of 1089 cells.
const MAX_RADIUS: i32 = 4096;

/// A blast.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WideAreaInput {
    /// Whose rule runs.
    #[serde(default = "ts")]
    pub game: Game,
    /// Radius in leptons, 0 to 4096.
    #[schemars(range(min = 0, max = 4096))]
    pub radius: i32,
    /// Strength of the blast in points; negative heals.
    pub strength: i32,
    /// The warhead's chance to deform the ground under the centre; without it nothing is drawn.
    #[serde(default)]
    pub deform: Option<Deform>,
}

/// What a warhead does to the ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deform {
    /// `DeformThreshhold` of the warhead in points: only a greater strength may deform.
    pub threshold: i32,
    /// `Deform` of the warhead, a factor: any finite value.
    pub factor: RealArg,
    /// Seed of the generator whose first draw decides, an unsigned 32-bit number.
    pub seed: u32,
}

/// The stages of a blast.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WideArea {
    /// Radius in cells, rounded up (clause radius.1).
    pub cell_radius: i32,
    /// The ground under the centre, where the warhead may deform it (clause deform.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deform: Option<Deformed>,
    /// What a cell gets at each distance that occurs, nearest first (clauses share.1, share.2).
    pub bands: Vec<Band>,
    /// The cells in the order in which they go off: column by column from the west, each from the north (clause cells.1).
    pub cells: Vec<Detonation>,
    /// Random draws of the blast itself; the explosions of its cells make their own.
    pub draw_count: u64,
}

/// The draw for the ground.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Deformed {
    /// Chance in percent; above the threshold only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<i32>,
    /// The number drawn, 0 to 99; above the threshold only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Whether the ground deforms.
    pub happens: bool,
}

/// All cells at one distance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Band {
    /// Distance from the centre in cells, truncated.
    pub distance: i32,
    /// Radius over distance; none at the centre.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Real>,
    /// Share of the strength: 1 over that, and 1 at the centre.
    pub factor: Real,
    /// Damage of each of its explosions in points.
    pub damage: i32,
    /// Number of cells.
    pub cells: u32,
}

/// One cell of the blast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Detonation {
    /// Cells east of the centre.
    pub x: i32,
    /// Cells south of the centre.
    pub y: i32,
    /// Distance from the centre in cells, truncated (clause share.1).
    pub distance: i32,
    /// Damage of its explosion in points (clause share.2).
    pub damage: i32,
}

/// A wide blast.
///
/// # Errors
/// `EINVAL` at `radius` outside 0 to 4096 and at `deform.factor` for text without a number and values that are not
/// finite; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_wide_area_damage(input: &WideAreaInput) -> Result<WideArea, PortError> {
    META.offers(input.game)?;
    if !(0..=MAX_RADIUS).contains(&input.radius) {
        return Err(PortError::invalid("radius", "must be from 0 to 4096"));
    }
    let cell_radius = (input.radius + CELL - 1) / CELL;
    let (deform, draw_count) = match &input.deform {
        Some(deform) => deformed(deform, input)?,
        None => (None, 0),
    };
    let mut bands: Vec<Band> = Vec::new();
    let mut cells = Vec::new();
    for x in -cell_radius..=cell_radius {
        for y in -cell_radius..=cell_radius {
            let distance = x87::ftol(root(f64::from(x * x + y * y)).root.0);
            let at = bands.iter().position(|band| band.distance == distance);
            let at = at.unwrap_or_else(|| {
                bands.push(band(distance, cell_radius, input.strength));
                bands.len() - 1
            });
            bands[at].cells += 1;
            cells.push(Detonation { x, y, distance, damage: bands[at].damage });
        }
    }
    bands.sort_by_key(|band| band.distance);
    Ok(WideArea { cell_radius, deform, bands, cells, draw_count })
}

/// A band without its cells.
fn band(distance: i32, cell_radius: i32, strength: i32) -> Band {
    let ratio = (distance > 0).then(|| x87::div(f64::from(cell_radius), f64::from(distance)));
    let factor = ratio.map_or(1.0, |ratio| x87::div(1.0, ratio));
    let damage = x87::ftol(x87::mul(f64::from(strength), factor));
    Band { distance, ratio: ratio.map(Real), factor: Real(factor), damage, cells: 0 }
}

/// The draw for the ground under the centre, and how many draws that was.
fn deformed(deform: &Deform, input: &WideAreaInput) -> Result<(Option<Deformed>, u64), PortError> {
    let factor = double(&deform.factor, "deform.factor", input.game, Reader::Double)?;
    if input.strength <= deform.threshold {
        return Ok((Some(Deformed { chance: None, roll: None, happens: false }), 0));
    }
    let scaled = x87::mul(x87::mul(f64::from(input.strength), 0.01), factor);
    let chance = x87::ftol(x87::mul(scaled, 100.0));
    let mut generator = Generator::seeded(input.game, deform.seed);
    let roll = generator.pick(0, 99).value;
    let happens = roll < chance;
    Ok((Some(Deformed { chance: Some(chance), roll: Some(roll), happens }), generator.draws()))
}
