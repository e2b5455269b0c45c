//! `simulate_radiation`: what a radiation site does to one cell around it, from the first hit to the last frame watched.
//!
//! A site deposits a level on the cells around its centre and takes it away again in equal steps. The steps end with the
//! site, so a site that lives shorter than one step leaves its radiation behind.

use super::{yes, yr};
use crate::math::compute_distance::{Distance, DistanceInput, compute_distance};
use crate::math::x87;
use crate::rules::argument::{held, within};
use crate::rules::text::{Reader, double, single};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_radiation",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Radiation of a cell over time: deposit by distance, decay steps, second hits on the centre, and damage.",
    aliases: &[
        "RadLevel",
        "RadDurationMultiple",
        "RadApplicationDelay",
        "RadLevelMax",
        "RadLevelDelay",
        "RadLevelFactor",
        "RadSiteWarhead",
        "RadSiteClass",
        "Desolator",
        "radiation field",
        "fallout",
        "nuclear radiation",
        "rad site",
    ],
    units: "offsets in cells, heights and radius in leptons (256 to a cell), times in frames, damage in points",
    example: concat!(
        r#"{"level":500,"cell_spread":10.0,"duration_multiple":1,"level_delay":90,"level_max":500,"#,
        r#""level_factor":".2","application_delay":16,"dx":1,"frames":500}"#,
    ),
};

/// The registered port.
pub static PORT: FnPort<RadiationInput, Radiation> = FnPort::new(&META, simulate_radiation);

/// Leptons to a cell.
const CELL: i32 = 256;
/// Greatest level of one hit.
const MAX_LEVEL: i32 = 100_000;
/// Greatest `RadDurationMultiple`.
const MAX_MULTIPLE: i32 = 1_000;
/// Frames that can be watched.
const MAX_FRAMES: i32 = 3_000;
/// Hits after the first.
const MAX_HITS: usize = 8;

/// Hits on one centre, the rules, and the cell that is watched.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RadiationInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `RadLevel` of the weapon whose hit opens the site in frame 0, 1 to 100000.
    #[schemars(range(min = 1, max = 100_000))]
    pub level: i32,
    /// `CellSpread` of its warhead in cells, a binary32 from 0 to less than 8388608.
    pub cell_spread: RealArg,
    /// `RadDurationMultiple` in frames for each point of level, 1 to 1000 (the constructor's 0 is no use; stock 1).
    #[schemars(range(min = 1, max = 1_000))]
    pub duration_multiple: i32,
    /// `RadLevelDelay` in frames, 1 to 1000000 (the constructor's 0 divides by zero; stock 90).
    #[schemars(range(min = 1, max = 1_000_000))]
    pub level_delay: i32,
    /// `RadLevelMax`, the most of a cell's level that hurts (constructor 0, stock 500).
    pub level_max: i32,
    /// `RadLevelFactor`, points of damage for each point of level: any finite value (constructor 0, stock .2).
    pub level_factor: RealArg,
    /// `RadApplicationDelay` in frames, 1 to 1000000 (the constructor's 0 divides by zero; stock 16).
    #[schemars(range(min = 1, max = 1_000_000))]
    pub application_delay: i32,
    /// Cells from the centre east to the cell watched, -1000 to 1000. Default 0.
    #[serde(default)]
    #[schemars(range(min = -1_000, max = 1_000))]
    pub dx: i32,
    /// Cells from the centre south to the cell watched, -1000 to 1000. Default 0.
    #[serde(default)]
    #[schemars(range(min = -1_000, max = 1_000))]
    pub dy: i32,
    /// Height of the middle of that cell above the middle of the centre in leptons, -100000 to 100000; 104 to a level.
    /// Default 0.
    #[serde(default)]
    #[schemars(range(min = -100_000, max = 100_000))]
    pub dz: i32,
    /// Level that the cell has already, from other sites: 0 to 1000000, default 0.
    #[serde(default)]
    #[schemars(with = "RealArg", extend("default" = 0.0))]
    pub present: Option<RealArg>,
    /// Later hits of the same weapon on the same centre, in the order of their frames; up to eight.
    #[serde(default)]
    #[schemars(length(max = 8))]
    pub again: Vec<Hit>,
    /// Number of the frame of the first hit, 0 to 1000000000; the damage waits for round numbers. Default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub start_frame: i32,
    /// Frames to watch after the first hit, 0 to 3000.
    #[schemars(range(min = 0, max = 3_000))]
    pub frames: i32,
    /// Whether the object that stands in the cell all the time is infantry, a vehicle or an aircraft, which a building is
    /// not. Default true.
    #[serde(default = "yes")]
    pub mobile: bool,
    /// `ImmuneToRadiation` of its type, default false.
    #[serde(default)]
    pub immune: bool,
    /// Whether it flies high, default false.
    #[serde(default)]
    pub flying: bool,
    /// Whether it is in limbo, default false.
    #[serde(default)]
    pub in_limbo: bool,
}

/// A later hit on the centre.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hit {
    /// Frame of the hit, counted from the first one: 0 to 3000, not after `frames`.
    #[schemars(range(min = 0, max = 3_000))]
    pub frame: i32,
    /// `RadLevel` of the hit, 1 to 100000.
    #[schemars(range(min = 1, max = 100_000))]
    pub level: i32,
}

/// What happened in the cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Radiation {
    /// Whole cells of `CellSpread` (clause size.1).
    pub spread: i32,
    /// Radius of the site in leptons (clause size.1).
    pub radius: i32,
    /// From the middle of the centre to the middle of the cell, with the stages of `compute_distance` (clause deposit.1).
    pub distance: Distance,
    /// Whether the object can be hurt at all (clause damage.2).
    pub exposed: bool,
    /// Every change of the cell's level, in the order of the frames.
    pub stages: Vec<Stage>,
    /// Frames that the site still has; 0 when it is gone (clause tick.1).
    pub left: i32,
    /// Level of the cell at the end.
    pub cell: Real,
    /// Points that the site dealt to the object, before the object's own receiver (clause damage.1).
    pub total_damage: i64,
}

/// What changed the cell's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A hit where no site is: one is made.
    Hit,
    /// A hit on the centre of a site.
    Merge,
    /// One step of the decay.
    Decay,
    /// The site is removed, which changes no level.
    Gone,
}

/// A change, and what the cell does until the next one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Stage {
    /// Frame, counted from the first hit.
    pub frame: i32,
    /// What happens.
    pub event: Event,
    /// Of a merge: what is left of the old level (clause merge.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effective: Option<i32>,
    /// Of a merge: level taken out of the cell for the old deposit (clause merge.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Real>,
    /// Of hits: level of the site from now on (clauses life.1, merge.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<i32>,
    /// Of hits: frames that the site lives from now on (clause life.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<i32>,
    /// Of hits: steps that the decay is divided into (clause life.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<i32>,
    /// Of hits: level that the site adds to the cell (clause deposit.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit: Option<Real>,
    /// Of a step of the decay: level that it takes, if there is as much (clause decay.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<Real>,
    /// Level of the cell from now on.
    pub cell: Real,
    /// What of it hurts, a whole number (clause damage.1).
    pub intensity: i32,
    /// Points of each application to the object (clauses damage.1, damage.2).
    pub damage: i32,
    /// Applications until the next change. A site acts before the objects of its frame and a hit counts from the next
    /// frame on (clauses tick.1, damage.1).
    pub applications: i32,
}

/// A cell near a radiation site.
///
/// # Errors
/// `EINVAL` at the field for values out of their ranges, for text without a number, at `again` for hits that are too many,
/// out of order or after `frames`, and for one on a site that has no step to decay in, where the engine divides by zero;
/// `EOPNOTSUPP` for a game without evidence.
pub fn simulate_radiation(input: &RadiationInput) -> Result<Radiation, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let size = single(&input.cell_spread, "cell_spread", input.game)?;
    if !(0.0..8_388_608.0).contains(&size) {
        return Err(PortError::invalid("cell_spread", "is not between 0 and 8388608 cells"));
    }
    let factor = double(&input.level_factor, "level_factor", input.game, Reader::Double)?;
    let spread = x87::ftol(f64::from(size));
    let radius = spread * CELL + CELL / 2;
    let distance = compute_distance(&leptons(input))?;
    let exposed = input.mobile && !input.immune && !input.flying && !input.in_limbo;
    let mut run = Run {
        input,
        radius,
        distance: distance.result,
        factor: if exposed { factor } else { 0.0 },
        cell: present(input)?,
        site: None,
        stages: Vec::new(),
    };
    run.watch()?;
    let total_damage =
        run.stages.iter().map(|stage| i64::from(stage.damage) * i64::from(stage.applications)).sum();
    let left = run.site.as_ref().map_or(0, |site| site.gone() - input.frames);
    let (cell, stages) = (Real(run.cell), run.stages);
    Ok(Radiation { spread, radius, distance, exposed, stages, left, cell, total_damage })
}

/// The ranges that the schema states.
fn check(input: &RadiationInput) -> Result<(), PortError> {
    within(input.level, "level", 1, MAX_LEVEL)?;
    within(input.duration_multiple, "duration_multiple", 1, MAX_MULTIPLE)?;
    within(input.level_delay, "level_delay", 1, 1_000_000)?;
    within(input.application_delay, "application_delay", 1, 1_000_000)?;
    within(input.dx, "dx", -1_000, 1_000)?;
    within(input.dy, "dy", -1_000, 1_000)?;
    within(input.dz, "dz", -100_000, 100_000)?;
    within(input.start_frame, "start_frame", 0, 1_000_000_000)?;
    within(input.frames, "frames", 0, MAX_FRAMES)?;
    let ordered = input.again.is_sorted_by_key(|hit| hit.frame);
    let inside = input
        .again
        .iter()
        .all(|hit| (0..=input.frames).contains(&hit.frame) && (1..=MAX_LEVEL).contains(&hit.level));
    if !ordered || !inside || input.again.len() > MAX_HITS {
        return Err(PortError::invalid(
            "again",
            "must be up to eight hits of level 1 to 100000, in the order of their frames and none after `frames`",
        ));
    }
    Ok(())
}

/// The level that is there before the first hit.
fn present(input: &RadiationInput) -> Result<f64, PortError> {
    let level = input.present.as_ref().map_or(Ok(0.0), |level| held(level, "present"))?;
    if (0.0..=1_000_000.0).contains(&level) {
        Ok(level)
    } else {
        Err(PortError::invalid("present", "must be from 0 to 1000000"))
    }
}

/// The way from the centre to the cell.
fn leptons(input: &RadiationInput) -> DistanceInput {
    DistanceInput {
        game: input.game,
        dx: input.dx * CELL,
        dy: input.dy * CELL,
        dz: input.dz,
        planar: false,
        level_snap: false,
        building: None,
        target: true,
    }
}

/// A site since its last hit.
struct Site {
    /// Its level.
    level: i32,
    /// Frame of that hit.
    born: i32,
    /// Frames that it lives.
    duration: i32,
    /// Steps of its decay.
    steps: i32,
    /// Level that it put on the cell.
    amount: f64,
    /// Steps done.
    done: i32,
}

impl Site {
    /// Frame in which it is removed.
    fn gone(&self) -> i32 {
        self.born.saturating_add(self.duration)
    }

    /// Frame of its next step.
    fn next(&self, delay: i32) -> i32 {
        self.born.saturating_add(delay.saturating_mul(self.done + 1))
    }
}

/// The watch over one cell.
struct Run<'a> {
    input: &'a RadiationInput,
    radius: i32,
    distance: i32,
    factor: f64,
    cell: f64,
    site: Option<Site>,
    stages: Vec<Stage>,
}

impl Run<'_> {
    /// All changes up to the last frame; the sites act first in theirs.
    fn watch(&mut self) -> Result<(), PortError> {
        let first = Hit { frame: 0, level: self.input.level };
        for hit in std::iter::once(first).chain(self.input.again.iter().copied()) {
            self.sites(hit.frame);
            self.hit(hit)?;
        }
        self.sites(self.input.frames);
        self.count();
        Ok(())
    }

    /// What the site does up to a frame, that frame included.
    fn sites(&mut self, until: i32) {
        while let Some(site) = &mut self.site {
            let (step, gone) = (site.next(self.input.level_delay), site.gone());
            if step.min(gone) > until {
                return;
            }
            if step <= gone {
                site.done += 1;
                let loss = x87::div(site.amount, f64::from(site.steps));
                self.take(loss);
                self.push(Stage { loss: Some(Real(loss)), ..self.stage(step, Event::Decay) });
            } else {
                self.site = None;
                self.push(self.stage(gone, Event::Gone));
            }
        }
    }

    /// A hit on the centre.
    fn hit(&mut self, hit: Hit) -> Result<(), PortError> {
        let input = self.input;
        let (mut effective, mut removed) = (None, None);
        if let Some(old) = &self.site {
            if old.steps == 0 {
                return Err(PortError::invalid(
                    "again",
                    "hits a site that lives shorter than one step of its decay, where the engine divides by zero",
                ));
            }
            let left = old.gone() - hit.frame;
            let product = x87::mul(f64::from(old.level), f64::from(left));
            effective = Some(x87::ftol(x87::div(product, f64::from(old.duration))));
            let count = f64::from(left / input.level_delay + 1);
            let outstanding = x87::mul(x87::div(old.amount, f64::from(old.steps)), count);
            removed = Some(Real(outstanding));
            self.take(outstanding);
        }
        let level = effective.unwrap_or(0) + hit.level;
        let duration = level * input.duration_multiple;
        let steps = duration / input.level_delay;
        let amount = self.share(level);
        self.cell = x87::add(self.cell, amount);
        self.site = Some(Site { level, born: hit.frame, duration, steps, amount, done: 0 });
        let event = if effective.is_some() { Event::Merge } else { Event::Hit };
        self.push(Stage {
            effective,
            removed,
            level: Some(level),
            duration: Some(duration),
            steps: Some(steps),
            deposit: Some(Real(amount)),
            ..self.stage(hit.frame, event)
        });
        Ok(())
    }

    /// What a site of this level puts on the cell.
    fn share(&self, level: i32) -> f64 {
        // Beyond the radius nothing is added, as at it.
        let rest = f64::from((self.radius - self.distance).max(0));
        x87::mul(x87::div(rest, f64::from(self.radius)), f64::from(level))
    }

    /// Takes level out of the cell, which stops at 0.
    fn take(&mut self, amount: f64) {
        self.cell = x87::sub(self.cell, amount).max(0.0);
    }

    /// A change with the cell as it is now.
    fn stage(&self, frame: i32, event: Event) -> Stage {
        let intensity = x87::ftol(self.cell.min(f64::from(self.input.level_max)));
        let damage = x87::ftol(x87::mul(f64::from(intensity.max(0)), self.factor));
        Stage {
            frame,
            event,
            effective: None,
            removed: None,
            level: None,
            duration: None,
            steps: None,
            deposit: None,
            loss: None,
            cell: Real(self.cell),
            intensity,
            damage,
            applications: 0,
        }
    }

    fn push(&mut self, stage: Stage) {
        self.stages.push(stage);
    }

    /// Counts the applications between the changes.
    fn count(&mut self) {
        let mut until = self.input.frames;
        for index in (0..self.stages.len()).rev() {
            let stage = &mut self.stages[index];
            // The object's turn comes after the site's and may come before or after the hit.
            let struck = matches!(stage.event, Event::Hit | Event::Merge);
            let before = stage.frame - i32::from(!struck);
            let rounds = |frame: i32| (self.input.start_frame + frame) / self.input.application_delay;
            stage.applications = rounds(until) - rounds(before);
            until = before;
        }
    }
}
