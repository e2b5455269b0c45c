//! `simulate_rearm_delay`: how many frames a weapon rests after a shot, with the draws that this costs.

use super::compute_veterancy_bonus::{Bonus, VeterancyBonus, VeterancyBonusInput, compute_veterancy_bonus};
use super::{one, only, yes, yr};
use crate::math::random::Generator;
use crate::math::x87;
use crate::rules::argument::within;
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_rearm_delay",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "Frames until the next shot: burst delay, or ROF with house factor, jitter, rank, garrison and bunker.",
    aliases: &[
        "ROF",
        "Burst",
        "BurstDelay0",
        "VeteranROF",
        "OccupyROFMultiplier",
        "BunkerROFMultiplier",
        "Rearm_Delay",
        "GetROF",
        "rate of fire",
        "reload time",
        "rearm timer",
        "cooldown",
    ],
    units: "frames (15 to a second), factors without unit",
    example: r#"{"rof":60,"seed":1,"rof_ability":true,"veteran_rof":"0.6"}"#,
};

/// The registered port.
pub static PORT: FnPort<RearmDelayInput, RearmDelay> = FnPort::new(&META, simulate_rearm_delay);

/// Most burst delays.
const DELAYS: usize = 4;

/// A weapon that has just fired, and who fired it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RearmDelayInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `ROF` of the weapon in frames, a signed 32-bit number.
    pub rof: i32,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
    /// Whether there is a weapon. Default true.
    #[serde(default = "yes")]
    pub weapon: bool,
    /// Whether the firer is a building. Default false.
    #[serde(default)]
    pub building: bool,
    /// Shots left of the firer; -1 is without end. Default -1.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = -1))]
    pub ammo: Option<i32>,
    /// `IsSonic` of the weapon. Default false.
    #[serde(default)]
    pub sonic: bool,
    /// Whether the weapon is one of spark or fire particles or a railgun whose particle system is alive. Default false.
    #[serde(default)]
    pub particles_alive: bool,
    /// `Burst` of the weapon, at least 1; default 1.
    #[serde(default = "single_shot")]
    #[schemars(range(min = 1))]
    pub burst: i32,
    /// Counter of the burst with this shot counted, at least 0; default 1.
    #[serde(default)]
    #[schemars(with = "i32", range(min = 0), extend("default" = 1))]
    pub burst_index: Option<i32>,
    /// Delays after the first to fourth shot in frames, -1 for a draw; those left out are -1. YR: `BurstDelay0`… of a
    /// vehicle's type; TS: of the weapon. Default none.
    #[serde(default)]
    #[schemars(length(max = 4))]
    pub burst_delays: Vec<i32>,
    /// YR: whether the firer is a vehicle, which alone reads the delays. Default false.
    #[serde(default)]
    pub vehicle: bool,
    /// `ROF` of the firer's house, country times difficulty: a factor, any finite value, default 1.
    #[serde(default = "one")]
    pub house_rof: RealArg,
    /// Whether the firer's rank holds ROF. Default false.
    #[serde(default)]
    pub rof_ability: bool,
    /// `VeteranROF`, any finite value, default 1 (the constructors). YR: the factor itself (stock .6). TS: what is added to 1
    /// (stock .2).
    #[serde(default = "one")]
    pub veteran_rof: RealArg,
    /// YR: whether the firer is a building that fires through its occupants. Default false.
    #[serde(default)]
    pub occupied: bool,
    /// YR: how many occupants that building has, at least 0; default 0.
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub occupants: i32,
    /// YR: `OccupyROFMultiplier`, any finite binary32, default 1 (stock 1.2).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub occupy_rof_multiplier: Option<RealArg>,
    /// YR: whether the firer, no building itself, sits in a tank bunker. Default false.
    #[serde(default)]
    pub bunkered: bool,
    /// YR: `BunkerROFMultiplier`, any finite binary32, default 1 (stock 1.3).
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 1.0))]
    pub bunker_rof_multiplier: Option<RealArg>,
    /// YR: whether the firer is berserk. Default false.
    #[serde(default)]
    pub berserk: bool,
}

fn single_shot() -> i32 {
    1
}

/// What spares the engine the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shortcut {
    /// A building with more than one shot left (clause shortcut.1).
    Ammo,
    /// No weapon (clause shortcut.2).
    NoWeapon,
    /// A sonic weapon, or one whose particles live (clause shortcut.3).
    Beam,
}

/// A rest inside a burst.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BurstDelay {
    /// Whether it was listed; else it was drawn (clauses burst.1, burst.2, burst.3).
    pub listed: bool,
    /// Frames.
    pub frames: i32,
}

/// The stages of a delay; those that did not run are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RearmDelay {
    /// What ended it at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortcut: Option<Shortcut>,
    /// The rest inside a burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<BurstDelay>,
    /// The number drawn from 0 to 2 (clause base.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<i32>,
    /// `ROF` times the factor of the house (clause base.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaled: Option<Real>,
    /// Product and jitter, truncated (clause base.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<i32>,
    /// The rank's say, with the stages of `compute_veterancy_bonus` (clause veteran.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub veteran: Option<VeterancyBonus>,
    /// Divided by the occupants (clause garrison.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<i32>,
    /// Divided by `OccupyROFMultiplier`, truncated (clause garrison.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub garrison: Option<i32>,
    /// Divided by `BunkerROFMultiplier`, truncated (clause bunker.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bunker: Option<i32>,
    /// Halved (clause berserk.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub berserk: Option<i32>,
    /// Frames until the next shot.
    pub result: i32,
    /// Random draws.
    pub draw_count: u64,
}

/// Frames until the next shot.
///
/// # Errors
/// `EINVAL` at the field for numbers outside their bounds, text without a number, values that are not finite, and arguments
/// of YR given for TS; `EOPNOTSUPP` at `game` for any other game.
pub fn simulate_rearm_delay(input: &RearmDelayInput) -> Result<RearmDelay, PortError> {
    META.offers(input.game)?;
    let firer = Firer::new(input.game, input)?;
    let index = input.burst_index.unwrap_or(1);
    within(index, "burst_index", 0, i32::MAX)?;
    let mut generator = Generator::seeded(input.game, input.seed);
    let delay = firer.delay(index, &mut generator)?;
    Ok(RearmDelay { draw_count: generator.draws(), ..delay })
}

/// A checked input with its factors read.
pub(super) struct Firer<'a> {
    input: &'a RearmDelayInput,
    game: Game,
    house: f64,
    occupy: f64,
    bunker: f64,
}

impl<'a> Firer<'a> {
    /// Checks all but the counter.
    ///
    /// # Errors
    /// As [`simulate_rearm_delay`].
    pub(super) fn new(game: Game, input: &'a RearmDelayInput) -> Result<Self, PortError> {
        within(input.burst, "burst", 1, i32::MAX)?;
        if input.burst_delays.len() > DELAYS {
            return Err(PortError::invalid("burst_delays", format!("must be at most {DELAYS}")));
        }
        only(Game::Yr, game, input.vehicle, "vehicle")?;
        only(Game::Yr, game, input.occupied, "occupied")?;
        only(Game::Yr, game, input.occupants != 0, "occupants")?;
        within(input.occupants, "occupants", 0, i32::MAX)?;
        only(Game::Yr, game, input.bunkered, "bunkered")?;
        only(Game::Yr, game, input.berserk, "berserk")?;
        let house = double(&input.house_rof, "house_rof", game, Reader::Double)?;
        double(&input.veteran_rof, "veteran_rof", game, Reader::Double)?;
        let multiplier = |arg: &Option<RealArg>, field: &str| {
            only(Game::Yr, game, arg.is_some(), field)?;
            arg.as_ref().map_or(Ok(1.0), |arg| single(arg, field, game)).map(f64::from)
        };
        let occupy = multiplier(&input.occupy_rof_multiplier, "occupy_rof_multiplier")?;
        let bunker = multiplier(&input.bunker_rof_multiplier, "bunker_rof_multiplier")?;
        Ok(Self { input, game, house, occupy, bunker })
    }

    /// The rest after a shot that raised the counter to `index`; the caller counts its draws.
    ///
    /// # Errors
    /// None that [`Firer::new`] lets through.
    pub(super) fn delay(&self, index: i32, generator: &mut Generator) -> Result<RearmDelay, PortError> {
        let mut output = RearmDelay { shortcut: self.shortcut(), ..RearmDelay::default() };
        match output.shortcut {
            Some(Shortcut::Ammo | Shortcut::NoWeapon) => output.result = 1,
            Some(Shortcut::Beam) => output.result = self.input.rof,
            None if index < self.input.burst => {
                let burst = self.between(index, generator);
                output.result = burst.frames;
                output.burst = Some(burst);
            }
            None => self.reload(&mut output, generator)?,
        }
        if self.input.berserk {
            output.result /= 2;
            output.berserk = Some(output.result);
        }
        Ok(output)
    }

    fn shortcut(&self) -> Option<Shortcut> {
        if self.input.building && self.input.ammo.is_some_and(|ammo| ammo > 1) {
            Some(Shortcut::Ammo)
        } else if !self.input.weapon {
            Some(Shortcut::NoWeapon)
        } else if self.input.sonic || self.input.particles_alive {
            Some(Shortcut::Beam)
        } else {
            None
        }
    }

    /// The rest inside a burst.
    fn between(&self, index: i32, generator: &mut Generator) -> BurstDelay {
        let place = usize::try_from(index).ok().and_then(|index| index.checked_sub(1));
        let reads = self.game == Game::Ts || self.input.vehicle;
        let listed = place.filter(|_| reads).and_then(|place| self.input.burst_delays.get(place)).copied();
        match listed.filter(|delay| *delay != -1) {
            Some(frames) => BurstDelay { listed: true, frames },
            None => BurstDelay { listed: false, frames: generator.pick(3, 5).value },
        }
    }

    /// The rest after a burst.
    fn reload(&self, output: &mut RearmDelay, generator: &mut Generator) -> Result<(), PortError> {
        let jitter = generator.pick(0, 2).value;
        let scaled = x87::mul(f64::from(self.input.rof), self.house);
        let base = x87::ftol(x87::add(scaled, f64::from(jitter)));
        let mut frames = base;
        (output.jitter, output.scaled, output.base) = (Some(jitter), Some(Real(scaled)), Some(base));
        if self.input.rof_ability {
            let veteran = compute_veterancy_bonus(&VeterancyBonusInput {
                game: self.game,
                bonus: Bonus::Reload,
                ability: true,
                setting: self.input.veteran_rof.clone(),
                base,
            })?;
            frames = veteran.result;
            output.veteran = Some(veteran);
        }
        let divided = |frames: i32, by: f64| x87::ftol(x87::div(f64::from(frames), by));
        if self.input.occupied {
            if self.input.occupants > 0 {
                frames /= self.input.occupants;
                output.shared = Some(frames);
            }
            if self.occupy > 0.0 {
                frames = divided(frames, self.occupy);
                output.garrison = Some(frames);
            }
        }
        if self.input.bunkered && self.bunker != 0.0 {
            frames = divided(frames, self.bunker);
            output.bunker = Some(frames);
        }
        output.result = frames;
        Ok(())
    }
}
