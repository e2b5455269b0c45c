//! `inspect_weapon_range`: how far a weapon reaches from where its owner is, and whether a target is inside that.

use super::{only, yes, yr};
use crate::math::compute_distance::{Distance, DistanceInput, Foundation, compute_distance};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_weapon_range",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Yr],
    summary: "Effective weapon range after air, garrison, bunker, open-topped and building bonuses, and whether a target is \
              inside it.",
    aliases: &[
        "Range",
        "MinimumRange",
        "AirRangeBonus",
        "OccupyWeaponRange",
        "BunkerWeaponRangeBonus",
        "OpenToppedRangeBonus",
        "In_Range",
        "InRange",
        "out of range",
        "too close",
        "reach",
        "firing distance",
    ],
    units: "leptons (256 to a cell), garrison, bunker and open-topped numbers in cells",
    example: r#"{"range":1280,"dx":1281,"dy":0}"#,
};

/// The registered port.
pub static PORT: FnPort<WeaponRangeInput, WeaponRange> = FnPort::new(&META, inspect_weapon_range);

/// Leptons of a cell.
const CELL: i32 = 256;
/// Leptons that each cell of a building's width and height adds.
const SIDE: i32 = 64;
/// What TS takes off.
const THIRD: i32 = CELL / 3;
/// The range that reaches everything.
const ALWAYS: i32 = -2 * CELL;
/// Rise that a bridge stops.
const RISE: i32 = 3 * 104;
/// Bonus of a bunker and of an open-topped ride in cells, as the constructor writes them.
const BONUS: i32 = 2;

/// A weapon, its owner and a target.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeaponRangeInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `Range` of the weapon in leptons (the rules give cells), a signed 32-bit number. YR: -512 reaches everything.
    pub range: i32,
    /// `MinimumRange` of the weapon in leptons, default 0.
    #[serde(default)]
    pub minimum_range: i32,
    /// From shooter to target in x, in leptons, -33554432 to 33554432.
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dx: i32,
    /// From shooter to target in y, in leptons, -33554432 to 33554432.
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dy: i32,
    /// Height of the target above the shooter in leptons, -33554432 to 33554432; default 0. YR: for a target that flies lower
    /// than 208 leptons, to the ground or deck below it.
    #[serde(default)]
    #[schemars(range(min = -33_554_432, max = 33_554_432))]
    pub dz: i32,
    /// Foundation of the target, if it is a building.
    #[serde(default)]
    #[schemars(with = "Foundation")]
    pub building: Option<Foundation>,
    /// `Arcing` of the projectile. Default false.
    #[serde(default)]
    pub arcing: bool,
    /// Whether an arcing projectile has a trajectory to the target (`compute_ballistic_pitch`); in YR one that no bridge stops.
    /// Default true.
    #[serde(default = "yes")]
    pub trajectory: bool,
    /// Whether the shooter is in a cell with a bridge, below its deck. Default false.
    #[serde(default)]
    pub under_bridge: bool,
    /// Whether the target is at the top of that deck or above. Default false.
    #[serde(default)]
    pub target_on_deck: bool,
    /// TS: whether the cell of the target has a bridge, which arcs look at. Default false.
    #[serde(default)]
    pub bridge_cell: bool,
    /// TS: whether the shooter is an aircraft. Default false.
    #[serde(default)]
    pub aircraft: bool,
    /// TS: whether the shooter is in the air. Default false.
    #[serde(default)]
    pub airborne: bool,
    /// TS: `AA` of the projectile. Default false.
    #[serde(default)]
    pub anti_air: bool,
    /// TS: whether the shooter stands on the ground or a deck. Default true.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub grounded: Option<bool>,
    /// YR: whether the target is in the air, 208 leptons above the ground or more. Default false.
    #[serde(default)]
    pub high_flying: bool,
    /// YR: `AirRangeBonus` of the shooter's type in leptons (the rules give cells), default 0.
    #[serde(default)]
    pub air_range_bonus: i32,
    /// YR: the garrisoned building that the shooter is, if it is one.
    #[serde(default)]
    #[schemars(with = "Garrison")]
    pub garrison: Option<Garrison>,
    /// YR: whether the shooter, no building itself, sits in a tank bunker. Default false.
    #[serde(default)]
    pub bunkered: bool,
    /// YR: `BunkerWeaponRangeBonus` in cells, default 2 (constructor and stock).
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 2))]
    pub bunker_range_bonus: Option<i32>,
    /// YR: whether the shooter rides in an open-topped transport. Default false.
    #[serde(default)]
    pub open_topped: bool,
    /// YR: `OpenToppedRangeBonus` in cells, default 2 (constructor and stock).
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 2))]
    pub open_topped_range_bonus: Option<i32>,
}

/// A garrisoned building.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Garrison {
    /// Cells across, 1 to 255.
    #[schemars(range(min = 1))]
    pub width: u8,
    /// Cells down, 1 to 255.
    #[schemars(range(min = 1))]
    pub height: u8,
    /// `OccupyWeaponRange` in cells, default 5 (constructor and stock).
    #[serde(default = "occupy_weapon_range")]
    pub weapon_range: i32,
}

fn occupy_weapon_range() -> i32 {
    5
}

/// What the range test says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The weapon reaches everything (clause always.1).
    Always,
    /// Nearer than the minimum range (clause minimum.1).
    TooClose,
    /// Farther than the range (clauses direct.1, arc.1).
    TooFar,
    /// No arc reaches the target (clauses arc.1, arc.2).
    NoTrajectory,
    /// A bridge is between (clauses bridge.1, arc.3).
    Bridge,
    /// TS: the target is too high (clause steep.1).
    SteepUp,
    /// TS: the target is too low (clause steep.2).
    SteepDown,
    /// Inside the range.
    #[default]
    InRange,
}

/// The stages of a range test; those that did not run are left out. Each range includes the ones before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct WeaponRange {
    /// The range to begin with, in leptons (clause base.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<i32>,
    /// With the bonus against high flyers (clause air.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub air: Option<i32>,
    /// The garrison's own range (clause garrison.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garrison: Option<i32>,
    /// With the bonus of the bunker (clause bunker.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bunker: Option<i32>,
    /// With the bonus of the ride (clause open-topped.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_topped: Option<i32>,
    /// With the sides of the target (clause building.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub building: Option<i32>,
    /// The range that is compared, in leptons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective: Option<i32>,
    /// Distance in three dimensions, with the stages of `compute_distance` (clauses minimum.1, direct.1, airborne.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spatial: Option<Distance>,
    /// Distance on the map, where it is read (clauses arc.1, aircraft.1, steep.1, steep.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planar: Option<Distance>,
    /// The outcome, with its reason.
    pub verdict: Verdict,
    /// Whether the target is in range.
    pub in_range: bool,
}

/// Tests a target against a weapon's range.
///
/// # Errors
/// `EINVAL` at the field for differences beyond 33554432 either way, foundations without cells, and arguments of the other
/// game; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_weapon_range(input: &WeaponRangeInput) -> Result<WeaponRange, PortError> {
    META.offers(input.game)?;
    refuse(input)?;
    let ancestor = input.game == Game::Ts;
    let dz = if input.airborne { 0 } else { input.dz };
    let spatial = measure(input, dz, false)?;
    if !ancestor && input.range == ALWAYS {
        return Ok(WeaponRange { verdict: Verdict::Always, in_range: true, ..WeaponRange::default() });
    }
    let planar = (ancestor || input.arcing).then(|| measure(input, dz, true)).transpose()?;
    let reach = reach(input);
    let verdict = judge(input, dz, reach.effective, spatial.result, planar.as_ref().map(|it| it.result));
    let in_range = verdict == Verdict::InRange;
    Ok(WeaponRange { spatial: Some(spatial), planar, verdict, in_range, ..reach })
}

/// Refuses what belongs to the other game, and foundations without cells.
fn refuse(input: &WeaponRangeInput) -> Result<(), PortError> {
    let game = input.game;
    only(Game::Ts, game, input.bridge_cell, "bridge_cell")?;
    only(Game::Ts, game, input.aircraft, "aircraft")?;
    only(Game::Ts, game, input.airborne, "airborne")?;
    only(Game::Ts, game, input.anti_air, "anti_air")?;
    only(Game::Ts, game, input.grounded.is_some(), "grounded")?;
    only(Game::Yr, game, input.high_flying, "high_flying")?;
    only(Game::Yr, game, input.air_range_bonus != 0, "air_range_bonus")?;
    only(Game::Yr, game, input.garrison.is_some(), "garrison")?;
    only(Game::Yr, game, input.bunkered, "bunkered")?;
    only(Game::Yr, game, input.bunker_range_bonus.is_some(), "bunker_range_bonus")?;
    only(Game::Yr, game, input.open_topped, "open_topped")?;
    only(Game::Yr, game, input.open_topped_range_bonus.is_some(), "open_topped_range_bonus")?;
    let target = input.building.map(|it| (it.width, it.height));
    let own = input.garrison.map(|it| (it.width, it.height));
    for (name, sides) in [("building", target), ("garrison", own)] {
        for (side, cells) in
            sides.into_iter().flat_map(|(width, height)| [("width", width), ("height", height)])
        {
            if cells == 0 {
                return Err(PortError::invalid(format!("{name}.{side}"), "must be at least 1"));
            }
        }
    }
    Ok(())
}

/// The distance to the middle of the target.
fn measure(input: &WeaponRangeInput, dz: i32, planar: bool) -> Result<Distance, PortError> {
    let (game, dx, dy) = (input.game, input.dx, input.dy);
    compute_distance(&DistanceInput {
        game,
        dx,
        dy,
        dz,
        planar,
        level_snap: false,
        building: None,
        target: true,
    })
}

/// The range and its bonuses, in the engine's order.
fn reach(input: &WeaponRangeInput) -> WeaponRange {
    let cells = |cells: i32| cells.wrapping_mul(CELL);
    let ancestor = input.game == Game::Ts;
    let base = if ancestor { input.range.wrapping_sub(THIRD) } else { input.range };
    let mut range = base;
    let air = input.high_flying.then(|| add(&mut range, input.air_range_bonus));
    let garrison =
        input.garrison.map(|it| cells(i32::from(it.width.min(it.height) / 2).wrapping_add(it.weapon_range)));
    range = garrison.unwrap_or(range);
    let bunker = input.bunkered.then(|| add(&mut range, cells(input.bunker_range_bonus.unwrap_or(BONUS))));
    let open_topped =
        input.open_topped.then(|| add(&mut range, cells(input.open_topped_range_bonus.unwrap_or(BONUS))));
    let sides = input.building.filter(|_| !input.arcing).map(|it| i32::from(it.width) + i32::from(it.height));
    let building = sides.map(|sides| add(&mut range, sides * SIDE));
    // The arc of TS compares no range.
    let effective = (!ancestor || !input.arcing).then_some(range);
    WeaponRange {
        base: Some(base),
        air,
        garrison,
        bunker,
        open_topped,
        building,
        effective,
        ..WeaponRange::default()
    }
}

/// One bonus.
fn add(range: &mut i32, bonus: i32) -> i32 {
    *range = range.wrapping_add(bonus);
    *range
}

/// The tests in the engine's order.
fn judge(
    input: &WeaponRangeInput,
    dz: i32,
    effective: Option<i32>,
    spatial: i32,
    planar: Option<i32>,
) -> Verdict {
    let ancestor = input.game == Game::Ts;
    // What an arc and an aircraft measure; the others measure in three dimensions.
    let distance = planar.filter(|_| input.arcing || input.aircraft).unwrap_or(spatial);
    // Only TS asks for steepness.
    let flat = planar.filter(|_| ancestor);
    let grounded = input.grounded.unwrap_or(true);
    let bridged = if input.arcing {
        input.bridge_cell && dz >= RISE
    } else {
        input.under_bridge && input.target_on_deck
    };
    if spatial < input.minimum_range {
        Verdict::TooClose
    } else if effective.is_some_and(|range| distance > range) {
        Verdict::TooFar
    } else if input.arcing && !input.trajectory {
        Verdict::NoTrajectory
    } else if bridged {
        Verdict::Bridge
    } else if flat.is_some_and(|flat| !input.arcing && !input.anti_air && dz >= flat) {
        Verdict::SteepUp
    } else if flat.is_some_and(|flat| grounded && -dz >= flat) {
        Verdict::SteepDown
    } else {
        Verdict::InRange
    }
}
