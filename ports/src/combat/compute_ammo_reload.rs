//! `compute_ammo_reload`: frames until a unit gets its next shot back.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_ammo_reload",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Frames until the next ammo point, from Reload, EmptyReload, ReloadIncrement and PipWrap.",
    aliases: &[
        "Reload",
        "EmptyReload",
        "ReloadIncrement",
        "PipWrap",
        "Ammo",
        "StartReloading",
        "ammo reload",
        "rearm",
        "ammunition timer",
    ],
    units: "ammo in shots, time in frames (15 a second)",
    example: r#"{"ammo":1,"max_ammo":4,"reload":100,"reload_increment":10}"#,
};

/// The registered port.
pub static PORT: FnPort<AmmoReloadInput, AmmoReload> = FnPort::new(&META, compute_ammo_reload);

/// A unit and its keys.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmmoReloadInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Shots that the unit has.
    pub ammo: i32,
    /// `Ammo` of the type: shots when full.
    pub max_ammo: i32,
    /// `Reload` in frames, default 0.
    #[serde(default)]
    pub reload: i32,
    /// `EmptyReload` in frames, default -1: `Reload` counts at 0 shots as well.
    #[serde(default = "unset")]
    pub empty_reload: i32,
    /// `ReloadIncrement` in frames, default 0.
    #[serde(default)]
    pub reload_increment: i32,
    /// `PipWrap` in shots, default 0.
    #[serde(default)]
    pub pip_wrap: i32,
}

/// What the constructor writes: no delay of its own.
fn unset() -> i32 {
    -1
}

/// The rule that gives the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// No timer starts (clause full.1).
    None,
    /// `EmptyReload` (clause empty.1).
    Empty,
    /// `Reload` with its increment (clauses group.1, delay.1).
    Increment,
}

/// The timer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AmmoReload {
    /// The rule that counts.
    pub timer: Timer,
    /// Group of the shots (clause group.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Frames that are added to `Reload` (clause delay.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<i32>,
    /// Frames until the next shot; absent when no timer starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<i32>,
}

/// The timer of the next shot.
///
/// # Errors
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn compute_ammo_reload(input: &AmmoReloadInput) -> Result<AmmoReload, PortError> {
    META.offers(input.game)?;
    if input.ammo >= input.max_ammo {
        return Ok(AmmoReload { timer: Timer::None, group: None, added: None, frames: None });
    }
    if input.ammo == 0 && input.empty_reload != unset() {
        let frames = Some(input.empty_reload);
        return Ok(AmmoReload { timer: Timer::Empty, group: None, added: None, frames });
    }
    let group = if input.pip_wrap == 0 { 1 } else { input.ammo.wrapping_div(input.pip_wrap) };
    let added = input.reload_increment.wrapping_mul(group).wrapping_mul(group);
    Ok(AmmoReload {
        timer: Timer::Increment,
        group: Some(group),
        added: Some(added),
        frames: Some(input.reload.wrapping_add(added)),
    })
}
