//! Which explosion or splash a detonation shows, and how large its flash is.

use super::{ts, within, yes};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_combat_anim",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Ts],
    summary: "Index of the explosion or splash animation of a detonation, and the size of its combat flash.",
    aliases: &[
        "AnimList",
        "SplashList",
        "Conventional",
        "EMEffect",
        "Bright",
        "explosion animation",
        "splash animation",
        "combat light",
        "combat flash",
    ],
    units: "damage in points, index from 0, flash size in light steps",
    example: r#"{"damage":40,"count":3,"bright":true}"#,
};

/// The registered port.
pub static PORT: FnPort<CombatAnimInput, CombatAnim> = FnPort::new(&META, compute_combat_anim);

/// Points of damage to an entry of `AnimList`.
const PER_EXPLOSION: i32 = 25;
/// Points of damage to an entry of `SplashList`.
const PER_SPLASH: i32 = 35;

/// A detonation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CombatAnimInput {
    /// Whose rule runs.
    #[serde(default = "ts")]
    pub game: Game,
    /// Points of damage of the detonation.
    pub damage: i32,
    /// Entries of the warhead's `AnimList`, 0 to 1000.
    #[schemars(range(min = 0, max = 1000))]
    pub count: i32,
    /// Entries of `SplashList`, 0 to 1000, default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub splash_count: i32,
    /// Whether the detonation has a warhead, default true.
    #[serde(default = "yes")]
    pub warhead_present: bool,
    /// Whether the cell is water, default false.
    #[serde(default)]
    pub water: bool,
    /// Whether the detonation is as high as a bridge over that water, default false.
    #[serde(default)]
    pub on_bridge: bool,
    /// `Conventional` of the warhead, default false.
    #[serde(default)]
    pub conventional: bool,
    /// `EMEffect` of the warhead, default false.
    #[serde(default)]
    pub em_effect: bool,
    /// What the random draw for an `EMEffect` warhead gave, 0 to the last index; left out when it is not known.
    #[serde(default)]
    pub draw: Option<i32>,
    /// `Bright` of the warhead, default false.
    #[serde(default)]
    pub bright: bool,
    /// Whether the caller asks for the flash in any case, default false.
    #[serde(default)]
    pub forced_flash: bool,
}

/// Where the animation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum List {
    /// Nowhere: there is none.
    None,
    /// The warhead's `AnimList`.
    Anim,
    /// `SplashList`.
    Splash,
}

/// What a detonation shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CombatAnim {
    /// Where the animation comes from (clauses gate.1, splash.1).
    pub list: List,
    /// Entries that the random draw chooses among (clause em.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<i32>,
    /// Entry that plays, from 0 (clauses index.1, splash.1, em.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    /// Size of the flash (clause flash.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flash: Option<i32>,
}

/// Animation and flash of a detonation.
///
/// # Errors
/// `EINVAL` at `count` and `splash_count` outside 0 to 1000, at `draw` where no draw is made or outside its range, and at
/// `damage` so far below 0 that the entry would lie before the list; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_combat_anim(input: &CombatAnimInput) -> Result<CombatAnim, PortError> {
    META.offers(input.game)?;
    within(input.count, "count", 0, 1000)?;
    within(input.splash_count, "splash_count", 0, 1000)?;
    let flash = ((input.bright && input.warhead_present) || input.forced_flash)
        .then(|| (input.damage.wrapping_mul(64) >> 8).clamp(21, 63));
    let mut output = CombatAnim { list: List::None, choices: None, index: None, flash };
    let splash = input.water && input.conventional && !input.on_bridge;
    let (list, count, per) = if splash {
        (List::Splash, input.splash_count, PER_SPLASH)
    } else {
        (List::Anim, input.count, PER_EXPLOSION)
    };
    let shown = input.damage != 0 && input.warhead_present && count > 0;
    let drawn = shown && input.em_effect && !splash;
    if let Some(draw) = input.draw {
        if !drawn {
            return Err(PortError::invalid("draw", "no draw is made here"));
        }
        within(draw, "draw", 0, count - 1)?;
    }
    if shown {
        output.list = list;
        output.choices = drawn.then_some(count);
        output.index = if drawn { input.draw } else { Some(entry(input.damage, count, per)?) };
    }
    Ok(output)
}

/// The entry for an amount of damage.
fn entry(damage: i32, count: i32, per: i32) -> Result<i32, PortError> {
    let index = damage.min(per * count - 1) / per;
    if index < 0 {
        return Err(PortError::invalid("damage", "is so far below 0 that the engine reads before the list"));
    }
    Ok(index)
}
