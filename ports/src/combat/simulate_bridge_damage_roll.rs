//! `simulate_bridge_damage_roll`: whether a hit gets through to a bridge, block by block, and the draws that this costs.
//!
//! A cell can be several bridges at once for the engine: by its tiles and by its overlay. Each sort is tried by a block of its
//! own, with its own draw, whatever the blocks before it did.

use super::{yes, yr};
use crate::math::random::Generator;
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "simulate_bridge_damage_roll",
    area: Area::Combat,
    kind: Kind::Simulate,
    games: &[Game::Ts, Game::Yr],
    summary: "Whether a hit damages a bridge: gates, height window and BridgeStrength roll of each block, with draws.",
    aliases: &[
        "BridgeStrength",
        "DestroyableBridges",
        "bridge damage",
        "destroy bridge",
        "blow up bridge",
        "Wall",
        "IonCannonWarhead",
        "low bridge",
        "high bridge",
        "rail bridge",
        "collapse",
    ],
    units: "damage and strength in points, heights in leptons (104 to a level)",
    example: r#"{"damage":400,"blocks":["high_structural"],"seed":12345}"#,
};

/// The registered port.
pub static PORT: FnPort<BridgeInput, Bridge> = FnPort::new(&META, simulate_bridge_damage_roll);

/// Leptons to a level.
const LEVEL: i32 = 104;
/// Times that the ion cannon tries a bridge that does not give way.
const TRIES: u32 = 4;
const BASE: &str =
    "the height that is added to the levels was derived as 208 in one reading; TS has 416 in its place";

/// A hit on a cell with a bridge.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Damage of the hit in points.
    pub damage: i32,
    /// `BridgeStrength` of the rules in points, at least 1; default 1000 (stock 1500).
    #[serde(default = "strength")]
    #[schemars(range(min = 1))]
    pub strength: i32,
    /// `DestroyableBridges` of the scenario. Default true.
    #[serde(default = "yes")]
    pub destroyable: bool,
    /// `Wall` of the warhead. Default true.
    #[serde(default = "yes")]
    pub wall: bool,
    /// Whether the warhead is `IonCannonWarhead`, which needs no roll. Default false.
    #[serde(default)]
    pub ion_cannon: bool,
    /// The sorts of bridge that the cell is, in any order; up to four.
    #[schemars(length(max = 4))]
    pub blocks: Vec<Block>,
    /// Whether the cell lies under a high bridge, which makes the height of the impact count. Default false.
    #[serde(default)]
    pub under_bridge: bool,
    /// Level of the cell, -128 to 127; default 0.
    #[serde(default)]
    pub level: i8,
    /// Height of the impact in leptons; default 0.
    #[serde(default)]
    pub impact_z: i32,
    /// Calls of the routine that breaks the bridge which fail before one succeeds, 0 to 4; default 0. Tried again by the
    /// ion cannon only.
    #[serde(default)]
    #[schemars(range(max = 4))]
    pub failures: u8,
    /// Seed of the generator, an unsigned 32-bit number.
    pub seed: u32,
}

fn strength() -> i32 {
    1000
}

/// A sort of bridge. The order here is the engine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// YR: tiles of a high bridge.
    HighStructural,
    /// YR: tiles of a low bridge.
    LowStructural,
    /// YR: overlay of a low bridge.
    LowOverlay,
    /// YR: overlay of a high bridge.
    HighOverlay,
    /// TS: tiles or deck of a bridge.
    Bridge,
    /// TS: tiles or deck of a railway bridge.
    RailBridge,
    /// TS: overlay of a low bridge.
    LowBridge,
}

impl Block {
    fn game(self) -> Game {
        match self {
            Self::HighStructural | Self::LowStructural | Self::LowOverlay | Self::HighOverlay => Game::Yr,
            Self::Bridge | Self::RailBridge | Self::LowBridge => Game::Ts,
        }
    }

    /// Whether the height of the impact counts, and whether the ion cannon tries again.
    fn structural(self) -> bool {
        !matches!(self, Self::LowOverlay | Self::HighOverlay | Self::LowBridge)
    }
}

/// What the hit did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bridge {
    /// Whether the blocks are entered at all (clause gate.1).
    pub entered: bool,
    /// The blocks in the engine's order (clauses order.1, order.2).
    pub blocks: Vec<BlockResult>,
    /// Blocks whose bridge breaks.
    pub hits: u32,
    /// Random draws (clause roll.1).
    pub draw_count: u64,
    /// Set where the height window of YR was looked at (clause window.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// What one block did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BlockResult {
    /// The block.
    pub block: Block,
    /// The heights that it takes, where height counts (clauses window.1, window.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// The number drawn, 1 to the strength (clause roll.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<i32>,
    /// Whether the hit gets through (clauses roll.1, ion.1).
    pub through: bool,
    /// Calls of the routine that breaks the bridge (clauses ion.1, low.1).
    pub calls: u32,
    /// Whether the bridge breaks.
    pub broken: bool,
}

/// The heights of impact that count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Window {
    /// Impacts must be above this, in leptons.
    pub above: i32,
    /// and at most this.
    pub up_to: i32,
    /// Whether the impact is.
    pub inside: bool,
}

/// A hit on the bridges of a cell.
///
/// # Errors
/// `EINVAL` at the field for a strength below 1, for more failures than 4, and for blocks that are listed twice or belong to
/// the other game; `EOPNOTSUPP` for a game without evidence.
pub fn simulate_bridge_damage_roll(input: &BridgeInput) -> Result<Bridge, PortError> {
    META.offers(input.game)?;
    if input.strength < 1 {
        return Err(PortError::invalid("strength", "must be at least 1"));
    }
    if u32::from(input.failures) > TRIES {
        return Err(PortError::invalid("failures", "must be at most 4"));
    }
    let mut order = input.blocks.clone();
    order.sort_unstable();
    if order.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(PortError::invalid("blocks", "lists a block twice"));
    }
    if order.iter().any(|block| block.game() != input.game) {
        return Err(PortError::invalid("blocks", format!("has a block that {} does not have", input.game)));
    }
    let entered = input.destroyable && input.wall;
    let mut generator = Generator::seeded(input.game, input.seed);
    let order = if entered { order } else { Vec::new() };
    let blocks: Vec<_> = order.into_iter().map(|block| run(block, input, &mut generator)).collect();
    let looked = input.game == Game::Yr && blocks.iter().any(|block| block.window.is_some());
    Ok(Bridge {
        entered,
        hits: blocks.iter().filter(|block| block.broken).count() as u32,
        blocks,
        draw_count: generator.draws(),
        caveats: if looked { vec![Caveat::new("window.2", BASE)] } else { Vec::new() },
    })
}

/// One block.
fn run(block: Block, input: &BridgeInput, generator: &mut Generator) -> BlockResult {
    let window = (block.structural() && input.under_bridge).then(|| {
        let base = if input.game == Game::Ts { 4 * LEVEL } else { 2 * LEVEL };
        let level = i32::from(input.level);
        let (above, up_to) = ((level - 2) * LEVEL + base, (level + 1) * LEVEL + base);
        Window { above, up_to, inside: above < input.impact_z && input.impact_z <= up_to }
    });
    let mut result = BlockResult { block, window, roll: None, through: false, calls: 0, broken: false };
    if result.window.as_ref().is_some_and(|window| !window.inside) {
        return result;
    }
    if !input.ion_cannon {
        result.roll = Some(generator.pick(1, input.strength).value);
    }
    result.through = result.roll.is_none_or(|roll| roll < input.damage);
    if result.through {
        let failures = u32::from(input.failures);
        let allowed = if input.ion_cannon && block.structural() { TRIES } else { 1 };
        result.broken = failures < allowed;
        // The overlay block of TS calls its routine once more, whatever came of it.
        let again = u32::from(block == Block::LowBridge);
        result.calls = (failures + 1).min(allowed) + again;
    }
    result
}
