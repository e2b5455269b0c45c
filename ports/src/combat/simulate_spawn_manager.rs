//! `simulate_spawn_manager`: the cycle of launch, return, reload and rebuilding of carriers and missile launchers.
//!
//! The manager acts every ten frames: first each slot in order, then itself. What happens to the children in the world comes
//! in as events.

use super::{within, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_spawn_manager",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Launch, return, reload and rebuild cycle of carriers and missile launchers, from a script of events.",
    aliases: &[
        "Spawns",
        "SpawnsNumber",
        "SpawnRegenRate",
        "SpawnReloadRate",
        "SpawnManagerClass",
        "MissileSpawn",
        "aircraft carrier",
        "hornet",
        "V3 launcher",
        "dreadnought missiles",
        "boomer",
        "DMislTiltFrames",
        "V3RocketPauseFrames",
        "spawner",
    ],
    units: "time in frames (15 a second), heights in leptons, ammo in shots",
    example: r#"{"kind":"aircraft","number":3,"regen":600,"reload":150,"frames":120,"events":[{"frame":0,"what":"target"}]}"#,
};

/// The registered port.
pub static PORT: FnPort<SpawnInput, Spawn> = FnPort::new(&META, simulate_spawn_manager);

const FIRST_PASS: i32 = 20;
const PASS_EVERY: i32 = 10;
const GAP: i32 = 20;
const MISSILE_GAP: i32 = 9;
/// Leptons above the muzzle.
const LIFT: i32 = 10;
/// Height above the launcher from which a child does not dock.
const DOCK_BELOW: i32 = 20;
const FRAMES: i32 = 4096;
/// Longest timer of the rules in frames.
const LONGEST: i32 = 100_000;
const SLOTS: i32 = 8;
const EVENTS: usize = 64;

/// A launcher, its children and what happens.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpawnInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// What the children are.
    pub kind: Child,
    /// `SpawnsNumber`, 1 to 8.
    #[schemars(range(min = 1, max = 8))]
    pub number: i32,
    /// `SpawnRegenRate` in frames, 0 to 100000.
    #[schemars(range(min = 0, max = 100_000))]
    pub regen: i32,
    /// `SpawnReloadRate` in frames, 0 to 100000.
    #[schemars(range(min = 0, max = 100_000))]
    pub reload: i32,
    /// Whether the launcher's own type has `MissileSpawn`, default false (no stock launcher has).
    #[serde(default)]
    pub launcher_missile_spawn: bool,
    /// `Ammo` of the children's type in shots, 1 or more, default 1.
    #[serde(default = "ammo")]
    #[schemars(range(min = 1))]
    pub ammo: i32,
    /// `V3RocketPauseFrames`, 0 to 100000, default 0 (also stock).
    #[serde(default)]
    #[schemars(range(min = 0, max = 100_000))]
    pub v3_pause: i32,
    /// `V3RocketTiltFrames`, 0 to 100000, default 60 (also stock).
    #[serde(default = "tilt")]
    #[schemars(range(min = 0, max = 100_000))]
    pub v3_tilt: i32,
    /// `DMislPauseFrames`, 0 to 100000, default 10 (stock 20). CMISL waits by it as well.
    #[serde(default = "pause")]
    #[schemars(range(min = 0, max = 100_000))]
    pub dmisl_pause: i32,
    /// `DMislTiltFrames`, 0 to 100000, default 60 (also stock). CMISL waits by it as well.
    #[serde(default = "tilt")]
    #[schemars(range(min = 0, max = 100_000))]
    pub dmisl_tilt: i32,
    /// Height of the launcher's muzzle in leptons, default 0.
    #[serde(default)]
    pub muzzle_z: i32,
    /// State of the manager before the run: `idle`, or `launching` with its target taken. Default `idle`.
    #[serde(default)]
    pub start: Start,
    /// What happens, by frame; 64 events at most, none by default.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub events: Vec<Event>,
    /// Frames to run after the one in which the launcher was built, frame 0; 1 to 4096.
    #[schemars(range(min = 1, max = 4096))]
    pub frames: i32,
}

/// What the children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Child {
    /// `V3RocketType`.
    V3,
    /// `DMislType`, the Dreadnought's.
    Dmisl,
    /// `CMislType`, the Boomer's.
    Cmisl,
    /// Aircraft, such as HORNET and ASW.
    Aircraft,
}

/// The manager before the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Without a target.
    #[default]
    Idle,
    /// With a target that it has taken.
    Launching,
}

/// Something that happens.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Frame, 0 to the last one of the run. It comes before the manager's pass of that frame.
    #[schemars(range(min = 0, max = 4096))]
    pub frame: i32,
    /// What happens.
    pub what: What,
    /// Slot of the child, from 0; needed for what happens to a child and refused otherwise.
    #[serde(default)]
    #[schemars(with = "i32", range(min = 0, max = 7))]
    pub slot: Option<i32>,
    /// For `near` only, and needed there: height of the child less that of the launcher, in leptons.
    #[serde(default)]
    #[schemars(with = "i32")]
    pub dz: Option<i32>,
}

/// Sorts of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The launcher hands over a target.
    Target,
    /// The target that the manager has is gone.
    TargetGone,
    /// The launcher starts to move.
    Moves,
    /// The launcher stops.
    Stops,
    /// Targets are out of its reach from now on.
    OutOfReach,
    /// and within it again.
    InReach,
    /// A child has fired its last shot.
    Spent,
    /// A child is in the launcher's cell from now on.
    Near,
    /// and in another again.
    Away,
    /// A child is destroyed.
    Destroyed,
}

impl What {
    fn of_a_child(self) -> bool {
        matches!(self, Self::Spent | Self::Near | Self::Away | Self::Destroyed)
    }
}

fn ammo() -> i32 {
    1
}

fn pause() -> i32 {
    10
}

fn tilt() -> i32 {
    60
}

/// State of a slot; the engine's numbers are 0 to 4, 6 and 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// 0: aboard and ready.
    Idle,
    /// 1: a missile that raises itself.
    TakeOff,
    /// 2: out, waiting for the others.
    Preparing,
    /// 3: attacking.
    Attacking,
    /// 4: on the way back.
    Returning,
    /// 6: aboard, reloading.
    Reloading,
    /// 7: lost, being built anew.
    Dead,
}

/// State of the manager; the engine's numbers are 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// 0: without a target.
    Idle,
    /// 1: children leave.
    Launching,
    /// 2: waiting for them.
    Cooling,
}

/// The run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Spawn {
    /// Frames from one launch to the next (clause launch.2).
    pub gap: i32,
    /// Missiles: frames of the take-off (clause takeoff.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<i32>,
    /// Height at which a child appears, in leptons (clause launch.3).
    pub launch_z: i32,
    /// Passes of the manager in the run (clause pass.1).
    pub passes: i32,
    /// Frames of launches (clause launch.1).
    pub launches: Vec<i32>,
    /// Changes of slots in order (clauses launch.1 to rebuild.1).
    pub changes: Vec<Change>,
    /// Changes of the manager in order (clauses target.1, target.2, attack.1, cool.1).
    pub modes: Vec<ModeChange>,
    /// The slots after the run.
    pub slots: Vec<Slot>,
    /// The manager after the run.
    pub mode: Mode,
}

/// A slot that changes its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// Frame.
    pub frame: i32,
    /// Slot, from 0.
    pub slot: i32,
    /// State before.
    pub from: State,
    /// State from now on.
    pub to: State,
}

/// The manager changing its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ModeChange {
    /// Frame.
    pub frame: i32,
    /// State before.
    pub from: Mode,
    /// State from now on.
    pub to: Mode,
}

/// A slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Slot {
    /// Its state.
    pub state: State,
    /// Frame in which its timer has run, 0 before the first one.
    pub until: i32,
    /// Shots of its child.
    pub ammo: i32,
}

/// Runs the manager.
///
/// # Errors
/// `EINVAL` at the field for a number out of its range, and at `events` for too many of them, one outside the run, a slot or
/// height that is missing, superfluous or out of range; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn simulate_spawn_manager(input: &SpawnInput) -> Result<Spawn, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let mut manager = Manager::new(input);
    for frame in 0..=input.frames {
        manager.frame = frame;
        for event in input.events.iter().filter(|event| event.frame == frame) {
            manager.happens(event);
        }
        if frame == manager.next_pass {
            manager.pass();
        }
    }
    Ok(manager.run)
}

fn check(input: &SpawnInput) -> Result<(), PortError> {
    within(input.number, "number", 1, SLOTS)?;
    within(input.regen, "regen", 0, LONGEST)?;
    within(input.reload, "reload", 0, LONGEST)?;
    within(input.ammo, "ammo", 1, i32::MAX)?;
    within(input.v3_pause, "v3_pause", 0, LONGEST)?;
    within(input.v3_tilt, "v3_tilt", 0, LONGEST)?;
    within(input.dmisl_pause, "dmisl_pause", 0, LONGEST)?;
    within(input.dmisl_tilt, "dmisl_tilt", 0, LONGEST)?;
    within(input.frames, "frames", 1, FRAMES)?;
    if input.events.len() > EVENTS {
        return Err(PortError::invalid("events", "are more than 64"));
    }
    for event in &input.events {
        within(event.frame, "events", 0, input.frames)?;
        if event.slot.is_some() != event.what.of_a_child() {
            return Err(PortError::invalid(
                "events",
                "need a slot for what happens to a child, and only there",
            ));
        }
        if event.dz.is_some() != (event.what == What::Near) {
            return Err(PortError::invalid("events", "need a height for `near`, and only there"));
        }
        within(event.slot.unwrap_or(0), "events", 0, input.number - 1)?;
    }
    Ok(())
}

struct Manager<'a> {
    input: &'a SpawnInput,
    missile: bool,
    frame: i32,
    next_pass: i32,
    /// Frame in which the gap is over.
    gap_until: i32,
    target: bool,
    queued: bool,
    moves: bool,
    reach: bool,
    /// Heights above the launcher of the children that are in its cell.
    near: Vec<Option<i32>>,
    run: Spawn,
}

impl<'a> Manager<'a> {
    fn new(input: &'a SpawnInput) -> Self {
        let wait = match input.kind {
            Child::V3 => Some(input.v3_pause + input.v3_tilt),
            Child::Dmisl | Child::Cmisl => Some(input.dmisl_pause + input.dmisl_tilt),
            Child::Aircraft => None,
        };
        let launching = input.start == Start::Launching;
        let slot = Slot { state: State::Idle, until: 0, ammo: input.ammo };
        let run = Spawn {
            gap: if input.launcher_missile_spawn { MISSILE_GAP } else { GAP },
            wait,
            launch_z: input.muzzle_z.wrapping_add(LIFT),
            passes: 0,
            launches: Vec::new(),
            changes: Vec::new(),
            modes: Vec::new(),
            slots: (0..input.number).map(|_| slot.clone()).collect(),
            mode: if launching { Mode::Launching } else { Mode::Idle },
        };
        Self {
            input,
            missile: wait.is_some(),
            frame: 0,
            next_pass: FIRST_PASS,
            gap_until: 0,
            target: launching,
            queued: false,
            moves: false,
            reach: true,
            near: vec![None; run.slots.len()],
            run,
        }
    }

    fn happens(&mut self, event: &Event) {
        let slot = event.slot.unwrap_or(0) as usize;
        match event.what {
            What::Target => self.queued = true,
            What::TargetGone if !self.target => {}
            What::TargetGone => {
                self.target = false;
                if !self.queued {
                    self.give_up();
                }
            }
            What::Moves => self.moves = true,
            What::Stops => self.moves = false,
            What::OutOfReach => self.reach = false,
            What::InReach => self.reach = true,
            What::Spent => self.run.slots[slot].ammo = 0,
            What::Near | What::Away => self.near[slot] = event.dz,
            What::Destroyed => self.lose(slot),
        }
    }

    fn pass(&mut self) {
        self.next_pass = self.frame + PASS_EVERY;
        self.run.passes += 1;
        for index in 0..self.run.slots.len() {
            self.act(index);
        }
        match self.run.mode {
            Mode::Idle => {
                self.take();
                if self.target && self.reach {
                    self.mode(Mode::Launching);
                } else if self.target {
                    self.give_up();
                }
            }
            Mode::Launching => self.launching(),
            Mode::Cooling => {
                let out = |slot: &Slot| matches!(slot.state, State::Attacking | State::Returning);
                if !self.run.slots.iter().any(out) {
                    self.mode(Mode::Idle);
                }
            }
        }
    }

    /// One slot.
    fn act(&mut self, index: usize) {
        let over = self.frame >= self.run.slots[index].until;
        match self.run.slots[index].state {
            State::Idle => self.launch(index),
            State::TakeOff if over => self.lose(index),
            State::Preparing if !self.missile => {
                self.take();
                if !self.target {
                    self.change(index, State::Returning);
                }
            }
            State::Attacking => {
                if !self.fights(index) {
                    self.change(index, State::Returning);
                }
            }
            State::Returning => {
                if self.fights(index) {
                    self.change(index, State::Attacking);
                } else if self.near[index].is_some_and(|dz| dz < DOCK_BELOW) {
                    self.run.slots[index].until = self.frame + self.input.reload;
                    self.change(index, State::Reloading);
                }
            }
            State::Reloading | State::Dead if over => {
                self.run.slots[index].ammo = self.input.ammo;
                self.change(index, State::Idle);
            }
            State::TakeOff | State::Preparing | State::Reloading | State::Dead => {}
        }
    }

    fn launch(&mut self, index: usize) {
        let held = self.missile && self.moves;
        if self.target && self.frame >= self.gap_until && self.run.mode != Mode::Cooling && !held {
            self.gap_until = self.frame + self.run.gap;
            self.run.launches.push(self.frame);
            self.near[index] = None;
            self.change(index, State::Preparing);
            if self.missile {
                self.take();
            }
        }
    }

    fn launching(&mut self) {
        if !self.target {
            self.give_up();
            return;
        }
        let ready = |slot: &Slot| matches!(slot.state, State::Preparing | State::Dead);
        if !self.run.slots.iter().all(ready) {
            return;
        }
        let mut missiles = false;
        for index in 0..self.run.slots.len() {
            if self.run.slots[index].state != State::Preparing {
                continue;
            }
            if let Some(wait) = self.run.wait {
                self.run.slots[index].until = self.frame + wait;
                self.change(index, State::TakeOff);
                missiles = true;
            } else {
                self.change(index, State::Attacking);
            }
        }
        if missiles {
            self.target = false;
            self.queued = false;
        }
        self.mode(Mode::Cooling);
    }

    /// Takes the queued target.
    fn take(&mut self) {
        self.target |= self.queued;
        self.queued = false;
    }

    /// Whether an aircraft has shots and a target.
    fn fights(&mut self, index: usize) -> bool {
        self.take();
        self.target && self.run.slots[index].ammo > 0
    }

    /// Drops the targets, and the missiles that are out with them.
    fn give_up(&mut self) {
        for index in 0..self.run.slots.len() {
            if self.missile && self.run.slots[index].state == State::Preparing {
                self.lose(index);
            }
        }
        self.target = false;
        self.queued = false;
        self.mode(Mode::Idle);
    }

    /// A child that is gone.
    fn lose(&mut self, index: usize) {
        if self.run.slots[index].state != State::Dead {
            self.run.slots[index].until = self.frame + self.input.regen;
            self.change(index, State::Dead);
        }
    }

    fn change(&mut self, index: usize, to: State) {
        let slot = &mut self.run.slots[index];
        self.run.changes.push(Change { frame: self.frame, slot: index as i32, from: slot.state, to });
        slot.state = to;
    }

    fn mode(&mut self, to: Mode) {
        if self.run.mode != to {
            self.run.modes.push(ModeChange { frame: self.frame, from: self.run.mode, to });
            self.run.mode = to;
        }
    }
}
