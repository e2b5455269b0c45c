//! `simulate_parasite`: a terror drone in its host, and what hits, repairs and the host's end make of it.

use super::yr;
use crate::rules::argument::within;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_parasite",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Yr],
    summary: "Whether a terror drone survives hits on its host, a repair, being driven out and the host's end.",
    aliases: &[
        "SuppressionThreshold",
        "Parasite",
        "ParasiteClass",
        "Parasiteable",
        "Terror Drone",
        "shake off drone",
        "repair kills drone",
        "infested vehicle",
        "service depot",
    ],
    units: "hits and threshold in points, times in frames from the attachment",
    example: concat!(
        r#"{"threshold":50,"incidents":[{"frame":10,"what":"hit","points":100},{"frame":90,"what":"host_dies"}],"#,
        r#""frames":100}"#,
    ),
};

/// The registered port.
pub static PORT: FnPort<ParasiteInput, Parasite> = FnPort::new(&META, simulate_parasite);

/// Frames that a repair dooms a parasite for.
const HEAL_FRAMES: i32 = 50;
/// Greatest hit and threshold.
const MAX_POINTS: i32 = 100_000;
/// Frames that can be watched.
const MAX_FRAMES: i32 = 2_000;
/// Incidents of a run.
const MAX_INCIDENTS: usize = 64;

/// A parasite and what happens to its host.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParasiteInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `SuppressionThreshold` of the parasite's type in points, 0 to 100000.
    #[schemars(range(min = 0, max = 100_000))]
    pub threshold: i32,
    /// What happens to the host, in the order of the frames; up to 64.
    #[schemars(length(max = 64))]
    pub incidents: Vec<Incident>,
    /// `ROF` of the parasite's weapon in frames, 1 to 100000: with it the bites are listed.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100_000))]
    pub rof: Option<i32>,
    /// Last frame to watch, 0 to 2000; the parasite attaches itself in frame 0.
    #[schemars(range(min = 0, max = 2_000))]
    pub frames: i32,
}

/// Something that happens to the host.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incident {
    /// Its frame, 0 to 2000, not after `frames`; it happens after the host's own turn.
    #[schemars(range(min = 0, max = 2_000))]
    pub frame: i32,
    /// What happens.
    pub what: What,
    /// Of a hit, and of nothing else: its points, -100000 to 100000; below 0 it repairs or heals.
    #[serde(default)]
    #[schemars(range(min = -100_000, max = 100_000))]
    pub points: Option<i32>,
    /// Of a hit: whether it is the parasite's own. Default false.
    #[serde(default)]
    pub own: bool,
}

/// Sorts of incidents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The host is hit, repaired or healed.
    Hit,
    /// The parasite is driven out of the host.
    DrivenOut,
    /// The host dies.
    HostDies,
}

/// How it ends for the parasite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is in the host still.
    Attached,
    /// It is dead.
    Dead,
    /// It is out and alive, if there is room for it.
    Released,
}

/// What became of the parasite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Parasite {
    /// The incidents up to the parasite's end.
    pub stages: Vec<Stage>,
    /// Frames in which it bites, where `rof` is given (clause bite.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bites: Option<Vec<i32>>,
    /// What became of it.
    pub fate: Fate,
    /// Frame in which it left the host or died.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone_at: Option<i32>,
    /// Frames that it is doomed for after the last frame, while it is in the host (clause doom.1).
    pub doomed_for: i32,
}

/// What an incident did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stage {
    /// Frame.
    pub frame: i32,
    /// What happened.
    pub what: What,
    /// Frames that the parasite is doomed for from now on, where this was set (clauses hit.1, heal.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doom: Option<i32>,
    /// Whether it is doomed in this frame (clause doom.1).
    pub doomed: bool,
    /// What becomes of it (clauses doom.1, heal.1).
    pub fate: Fate,
}

/// A parasite in its host.
///
/// # Errors
/// `EINVAL` at the field for values out of their ranges, at `incidents` for too many, for those out of order or after
/// `frames`, for a hit without points and for points or `own` of anything else; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_parasite(input: &ParasiteInput) -> Result<Parasite, PortError> {
    META.offers(input.game)?;
    check(input)?;
    let (mut until, mut fate, mut stages) = (0, Fate::Attached, Vec::new());
    for incident in &input.incidents {
        let points = incident.points.unwrap_or(0);
        let doom = doom(points, incident.own, input.threshold);
        until = doom.map_or(until, |doom| incident.frame + doom);
        let doomed = incident.frame < until;
        // A repair drives the parasite out as well.
        let out = incident.what != What::Hit || points < 0;
        fate = match (out, doomed) {
            (false, _) => Fate::Attached,
            (true, true) => Fate::Dead,
            (true, false) => Fate::Released,
        };
        stages.push(Stage { frame: incident.frame, what: incident.what, doom, doomed, fate });
        if out {
            break;
        }
    }
    let gone_at = stages.last().filter(|stage| stage.fate != Fate::Attached).map(|stage| stage.frame);
    let end = gone_at.unwrap_or(input.frames);
    let bites = input.rof.map(|rof| (1..=end).step_by(rof.unsigned_abs() as usize).collect());
    let doomed_for = if gone_at.is_some() { 0 } else { (until - input.frames).max(0) };
    Ok(Parasite { stages, bites, fate, gone_at, doomed_for })
}

/// Frames that a hit dooms the parasite for, if it does.
fn doom(points: i32, own: bool, threshold: i32) -> Option<i32> {
    if points < 0 {
        Some(HEAL_FRAMES)
    } else if points > threshold && !own {
        Some(points * 2 - threshold)
    } else {
        None
    }
}

/// The ranges that the schema states.
fn check(input: &ParasiteInput) -> Result<(), PortError> {
    within(input.threshold, "threshold", 0, MAX_POINTS)?;
    within(input.frames, "frames", 0, MAX_FRAMES)?;
    within(input.rof.unwrap_or(1), "rof", 1, MAX_POINTS)?;
    let whole = |incident: &Incident| match (incident.what, incident.points) {
        (What::Hit, Some(points)) => (-MAX_POINTS..=MAX_POINTS).contains(&points),
        (What::Hit, None) | (_, Some(_)) => false,
        (_, None) => !incident.own,
    };
    let ordered = input.incidents.is_sorted_by_key(|incident| incident.frame);
    let inside = input.incidents.iter().all(|it| whole(it) && (0..=input.frames).contains(&it.frame));
    if ordered && inside && input.incidents.len() <= MAX_INCIDENTS {
        return Ok(());
    }
    Err(PortError::invalid(
        "incidents",
        "must be up to 64 in the order of their frames, none after `frames`; hits with points from -100000 to 100000, and \
         nothing else with points or `own`",
    ))
}
