//! `inspect_ifv_slot`: which weapon a vehicle with a gunner uses, after passengers have come and gone.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_ifv_slot",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Yr],
    summary: "Which weapon slot an IFV uses after passengers boarded and left: that of whoever boarded it empty.",
    aliases: &[
        "IFVMode",
        "IFV",
        "Gunner",
        "Weapon1",
        "turret swap",
        "infantry fighting vehicle",
        "FV",
        "passenger weapon",
        "gunner mode",
        "repair IFV",
    ],
    units: "slots from 0 to 17",
    example: r#"{"events":[{"kind":"board","mode":1},{"kind":"board","mode":2},{"kind":"leave","seat":0}]}"#,
};

/// The registered port.
pub static PORT: FnPort<IfvSlotInput, IfvSlot> = FnPort::new(&META, inspect_ifv_slot);

/// Most events of one call.
const EVENTS: usize = 100;
/// The last slot.
const LAST: i32 = 17;

/// Passengers of a vehicle that begins empty.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IfvSlotInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Who boards and who leaves, in order; at most 100.
    #[schemars(length(max = 100))]
    pub events: Vec<Event>,
}

/// A passenger comes or goes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Whether it boards or leaves.
    pub kind: EventKind,
    /// Who boards: `IFVMode` of its type, a signed 32-bit number; default 0.
    #[serde(default)]
    #[schemars(with = "i32", extend("default" = 0))]
    pub mode: Option<i32>,
    /// Who leaves: its place among those inside, from 0 for the one that is there longest; default 0.
    #[serde(default)]
    #[schemars(with = "i32", range(min = 0, max = 99), extend("default" = 0))]
    pub seat: Option<i32>,
}

/// What a passenger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Boards.
    Board,
    /// Leaves.
    Leave,
}

/// The weapon of the vehicle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IfvSlot {
    /// The slot after each event.
    pub slots: Vec<i32>,
    /// `IFVMode` of those inside at the end, the longest first.
    pub inside: Vec<i32>,
    /// Slot of the weapon at the end (clauses board.1, board.2, keep.1, keep.2, empty.1).
    pub slot: i32,
}

/// Lets passengers come and go.
///
/// # Errors
/// `EINVAL` at `events` for more than 100, and at the event for a seat that nobody is in and for what belongs to the other
/// kind; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_ifv_slot(input: &IfvSlotInput) -> Result<IfvSlot, PortError> {
    META.offers(input.game)?;
    if input.events.len() > EVENTS {
        return Err(PortError::invalid("events", format!("must be at most {EVENTS}")));
    }
    let (mut slots, mut inside, mut slot) = (Vec::new(), Vec::new(), 0);
    for (index, event) in input.events.iter().enumerate() {
        let wrong = |field: &str, why: &str| Err(PortError::invalid(format!("events.{index}.{field}"), why));
        match event.kind {
            EventKind::Board if event.seat.is_some() => return wrong("seat", "is for who leaves"),
            EventKind::Leave if event.mode.is_some() => return wrong("mode", "is for who boards"),
            EventKind::Board => {
                let mode = event.mode.unwrap_or(0);
                if inside.is_empty() {
                    slot = if (0..=LAST).contains(&mode) { mode } else { 0 };
                }
                inside.push(mode);
            }
            EventKind::Leave => {
                let seat = usize::try_from(event.seat.unwrap_or(0)).ok();
                match seat.filter(|seat| *seat < inside.len()) {
                    Some(seat) => inside.remove(seat),
                    None => return wrong("seat", "has nobody in it"),
                };
                if inside.is_empty() {
                    slot = 0;
                }
            }
        }
        slots.push(slot);
    }
    Ok(IfvSlot { slots, inside, slot })
}
