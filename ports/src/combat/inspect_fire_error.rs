//! `inspect_fire_error`: the first reason why an object may not fire at a target now.

use super::inspect_weapon_range::{WeaponRange, WeaponRangeInput, inspect_weapon_range};
use super::{one, yr};
use crate::rules::text::{Reader, double};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_fire_error",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "First reason, in the engine's order, why an object may not fire at a target now, and the code it gives.",
    aliases: &[
        "GetFireError",
        "FireError",
        "Can_Fire",
        "FIRE_ILLEGAL",
        "FIRE_REARM",
        "DecloakToFire",
        "FireInTransport",
        "cannot attack",
        "will not shoot",
        "fire gate",
        "target not allowed",
        "can fire",
    ],
    units: "ranges and distances in leptons, reload time in frames",
    example: r#"{"holds":["emp","hidden"],"rearm_left":5}"#,
};

/// The registered port.
pub static PORT: FnPort<FireErrorInput, FireError> = FnPort::new(&META, inspect_fire_error);

/// Least range that reaches into a bunker, in leptons.
const BUNKER_REACH: i32 = 384;
/// Most entries of the list.
const HOLDS: usize = 50;

/// A shooter, a target and a weapon.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FireErrorInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// The states that hold, in any order, at most 50; default none. Those that are found from numbers are not listed.
    #[serde(default)]
    #[schemars(length(max = 50))]
    pub holds: Vec<Gate>,
    /// Whether the target sits in a tank bunker; needs `range`. Default false.
    #[serde(default)]
    pub target_bunkered: bool,
    /// Frames until the weapon is ready; 0 or less is ready. Default 0.
    #[serde(default)]
    pub rearm_left: i32,
    /// Shots left; -1 is without end. Default -1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = -1))]
    pub ammo: Option<i32>,
    /// `Verses` of the warhead against the target's armor, any finite value, default 1; text is one token of the key.
    #[serde(default = "one")]
    pub verses: RealArg,
    /// Weapon and positions, as `inspect_weapon_range` takes them. Without them the range is not asked for.
    #[serde(default)]
    #[schemars(with = "WeaponRangeInput")]
    pub range: Option<WeaponRangeInput>,
    /// Whether the caller does not want the range asked for. Default false.
    #[serde(default)]
    pub ignore_range: bool,
}

/// A reason, in the engine's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// There is no target (clause target.1).
    NoTarget,
    /// The shooter is a slave (clause target.1).
    Slave,
    /// The shooter is warping in (clause busy.1).
    WarpingIn,
    /// The shooter is lifting the target (clause busy.1).
    LiftingTarget,
    /// The shooter is being warped out (clause busy.1).
    WarpedOut,
    /// The shooter is deactivated (clause busy.1).
    Deactivated,
    /// The shooter is sinking (clause busy.1).
    Sinking,
    /// The target is what the shooter drains (clause busy.1).
    DrainTarget,
    /// The target is the transport of the shooter (clause busy.1).
    OwnTransport,
    /// The shooter is warping the target away already (clause busy.1).
    WarpingTarget,
    /// A locomotor beam holds the shooter (clause busy.1).
    LocomotorHeld,
    /// The target is in limbo (clause victim.1).
    TargetInLimbo,
    /// The shooter is berserk and the target `BerserkFriendly` (clause victim.1).
    BerserkFriendly,
    /// The shooter is `Natural` and the target `Unnatural` (clause victim.1).
    Natural,
    /// The target is immobilised (clause victim.1).
    Immobilised,
    /// The target is under an iron curtain and the shooter the computer's (clause victim.1).
    IronCurtain,
    /// The target is hidden from the shooter, which would hurt it or is no ally (clause victim.1).
    Hidden,
    /// The shooter is falling (clause shooter.1).
    Falling,
    /// An EMP holds the shooter (clause shooter.1).
    Emp,
    /// There is no weapon (clause shooter.1).
    NoWeapon,
    /// An ion storm silences the weapon (clause shooter.1).
    IonStorm,
    /// The weapon drains and the target is drained already (clause weapon.1).
    AlreadyDrained,
    /// The weapon does not reach into a bunker; found from the range (clause bunker.1).
    BunkerReach,
    /// The shooter is deploying (clause weapon.1).
    Deploying,
    /// A psychedelic warhead, and the target is immune (clause weapon.1).
    PsychedelicImmune,
    /// A psychedelic warhead, and the target sits in a bunker (clause weapon.1).
    PsychedelicBunkered,
    /// A locomotor warhead, and the target deploys, hovers on jets or breathes (clause weapon.1).
    LocomotorImmune,
    /// The shooter rides open-topped, and the weapon is no `FireInTransport` (clause weapon.1).
    NoFireInTransport,
    /// The open-topped ride of the shooter sits in another transport (clause weapon.1).
    NestedTransport,
    /// The target is being warped away, and the warhead is no `Temporal` (clause weapon.1).
    TargetWarping,
    /// A spawner under a bridge or paralysed (clause spawn.1).
    SpawnerBlocked,
    /// A spawner without a live spawn (clause spawn.1).
    NoSpawn,
    /// The target flies, and the projectile has no `AA` (clause air.1).
    Flying,
    /// The target is off the ground layer, and the projectile has no `AA` (clause air.1).
    OffGround,
    /// Naval or land targeting leaves the target out (clause air.1).
    NavalTargeting,
    /// The frame is not the one to fire in (clause timing.1).
    FiringFrame,
    /// The reload timer runs; found from `rearm_left` (clause timing.1).
    RearmTimer,
    /// The last beam is still there (clause timing.1).
    BeamActive,
    /// No shot is left; found from `ammo` (clause ammo.1).
    NoAmmo,
    /// The shooter is cloaked, and the weapon is `DecloakToFire` (clause cloak.1).
    Cloaked,
    /// The shooter is a hunter-seeker (clause seeker.1).
    HunterSeeker,
    /// A parasite, and the target takes none (clause warhead.1).
    Parasite,
    /// Mind control, and the target cannot be taken (clause warhead.1).
    MindControl,
    /// Verses of exactly 0; found from `verses` (clause warhead.1).
    Verses,
    /// A bomb where there is one, or its removal where there is none (clause warhead.1).
    Bomb,
    /// The target is on another level of a bridge (clause warhead.1).
    Bridge,
    /// The target is out of range; found from `range` (clause range.1).
    OutOfRange,
}

/// What the engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// May fire.
    Ok,
    /// No ammunition.
    Ammo,
    /// Not yet.
    Rearm,
    /// Not at this target.
    Illegal,
    /// Not with this weapon now.
    Cannot,
    /// Has to show itself first.
    Cloaked,
    /// Too far or too near.
    Range,
}

impl Gate {
    /// Whether it is found from numbers.
    fn found(self) -> bool {
        matches!(self, Self::BunkerReach | Self::RearmTimer | Self::NoAmmo | Self::Verses | Self::OutOfRange)
    }

    fn code(self) -> Code {
        match self {
            Self::WarpingIn
            | Self::LiftingTarget
            | Self::WarpingTarget
            | Self::NoSpawn
            | Self::FiringFrame
            | Self::RearmTimer
            | Self::BeamActive => Code::Rearm,
            Self::Hidden | Self::Emp | Self::NoWeapon | Self::IonStorm | Self::SpawnerBlocked => Code::Cannot,
            Self::NoAmmo => Code::Ammo,
            Self::Cloaked => Code::Cloaked,
            Self::HunterSeeker | Self::OutOfRange => Code::Range,
            _ => Code::Illegal,
        }
    }
}

/// Whether the object may fire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FireError {
    /// The first reason that holds (clause order.1); left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// Its code.
    pub code: Code,
    /// The range test, where it was reached, with the stages of `inspect_weapon_range` (clause range.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<WeaponRange>,
}

/// Finds the first reason.
///
/// # Errors
/// `EINVAL` at the field for reasons that are found from numbers, a list that is too long, a bunkered target without a range,
/// Verses without a number, and below `range` for what `inspect_weapon_range` refuses; `EOPNOTSUPP` at `game` for any other
/// game.
pub fn inspect_fire_error(input: &FireErrorInput) -> Result<FireError, PortError> {
    META.offers(input.game)?;
    if input.holds.len() > HOLDS {
        return Err(PortError::invalid("holds", format!("must be at most {HOLDS}")));
    }
    if input.holds.iter().any(|gate| gate.found()) {
        return Err(PortError::invalid("holds", "lists a reason that is found from a number"));
    }
    let verses = double(&input.verses, "verses", input.game, Reader::Verses)?;
    let range = input.range.as_ref().map(measure).transpose()?;
    let reach = input.range.as_ref().map(|range| range.range);
    if input.target_bunkered && reach.is_none() {
        return Err(PortError::invalid("range", "is needed for a bunkered target"));
    }
    let found = [
        (input.target_bunkered && reach.is_some_and(|reach| reach < BUNKER_REACH), Gate::BunkerReach),
        (input.rearm_left > 0, Gate::RearmTimer),
        (input.ammo == Some(0), Gate::NoAmmo),
        (verses == 0.0, Gate::Verses),
    ];
    let found = found.into_iter().filter(|(holds, _)| *holds).map(|(_, gate)| gate);
    let early = input.holds.iter().copied().chain(found).min();
    let range = range.filter(|_| early.is_none() && !input.ignore_range);
    let outside = range.as_ref().filter(|range| !range.in_range).map(|_| Gate::OutOfRange);
    let gate = early.or(outside);
    Ok(FireError { gate, code: gate.map_or(Code::Ok, Gate::code), range })
}

/// The range test, with its fields named from here.
fn measure(input: &WeaponRangeInput) -> Result<WeaponRange, PortError> {
    if input.game != Game::Yr {
        return Err(PortError::invalid("range.game", "must be YR"));
    }
    inspect_weapon_range(input)
        .map_err(|error| PortError { field: format!("range.{}", error.field), ..error })
}
