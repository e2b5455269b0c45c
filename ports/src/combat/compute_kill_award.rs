//! What a kill is worth, and which object receives it.

use super::{within, yes, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "compute_kill_award",
    area: Area::Combat,
    kind: Kind::Compute,
    games: &[Game::Yr],
    summary: "Points of experience that a kill is worth, and who receives them: transport, killer, launcher or occupant.",
    aliases: &[
        "Trainable",
        "DontScore",
        "MissileSpawn",
        "kill credit",
        "experience receiver",
        "victim rank",
        "kill points",
        "who gets the veterancy",
    ],
    units: "points in credits of the victim's cost",
    example: r#"{"victim_cost":900,"victim_rank":"veteran"}"#,
};

/// The registered port.
pub static PORT: FnPort<KillAwardInput, KillAward> = FnPort::new(&META, compute_kill_award);

/// Dearest victim: three times its cost fits 32 bits.
pub(super) const MAX_COST: i32 = 715_827_882;

/// A victim and its killer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KillAwardInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// Cost of the victim in credits, 0 to 715827882 (three times that fits 32 bits).
    #[schemars(range(min = 0, max = 715_827_882))]
    pub victim_cost: i32,
    /// Rank of the victim, default rookie.
    #[serde(default)]
    #[schemars(extend("default" = "rookie"))]
    pub victim_rank: VictimRank,
    /// Whether the killer's house and the victim are allied, default false.
    #[serde(default)]
    pub allied: bool,
    /// `DontScore` of the victim's type, default false.
    #[serde(default)]
    pub dont_score: bool,
    /// `Trainable` of the type of the transport that carries the killer; left out when nothing carries it.
    #[serde(default)]
    pub transport_trainable: Option<bool>,
    /// `Trainable` of the killer's type, default true.
    #[serde(default = "yes")]
    pub trainable: bool,
    /// `Trainable` of the type of the object that launched the killer, which is a spawned missile; left out for any other
    /// killer.
    #[serde(default)]
    pub launcher_trainable: Option<bool>,
    /// Whether the killer is a building with an occupant at its fire index, default false.
    #[serde(default)]
    pub occupied: bool,
}

/// Rank of a victim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VictimRank {
    /// Worth its cost.
    #[default]
    Rookie,
    /// Worth twice its cost.
    Veteran,
    /// Worth three times its cost.
    Elite,
}

/// Who receives an award.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Receiver {
    /// The transport that carries the killer.
    Transport,
    /// The killer.
    Killer,
    /// What launched the missile that killed.
    Launcher,
    /// The occupant of the building that fired.
    Occupant,
    /// Nobody.
    None,
}

/// An award.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct KillAward {
    /// Cost times 1, 2 or 3 for the victim's rank, or 0 (clauses rank.1, ally.1, score.1).
    pub points: i32,
    /// Who receives them (clauses receiver.1, score.1).
    pub receiver: Receiver,
}

/// Points for a kill and who receives them.
///
/// # Errors
/// `EINVAL` at `victim_cost` outside 0 to 715827882; `EOPNOTSUPP` at `game` for any other game.
pub fn compute_kill_award(input: &KillAwardInput) -> Result<KillAward, PortError> {
    META.offers(input.game)?;
    within(input.victim_cost, "victim_cost", 0, MAX_COST)?;
    if input.dont_score {
        return Ok(KillAward { points: 0, receiver: Receiver::None });
    }
    let points = if input.allied { 0 } else { worth(input.victim_cost, input.victim_rank) };
    let receiver = if input.transport_trainable == Some(true) {
        Receiver::Transport
    } else if input.trainable {
        Receiver::Killer
    } else if let Some(launcher) = input.launcher_trainable {
        if launcher { Receiver::Launcher } else { Receiver::None }
    } else if input.occupied {
        Receiver::Occupant
    } else {
        Receiver::None
    };
    Ok(KillAward { points, receiver })
}

/// Cost times 1, 2 or 3.
pub(super) const fn worth(cost: i32, rank: VictimRank) -> i32 {
    match rank {
        VictimRank::Rookie => cost,
        VictimRank::Veteran => cost * 2,
        VictimRank::Elite => cost * 3,
    }
}
