//! How an infantryman dies: which sequence or animation plays, and whether he is gone at once.

use super::{only, yr};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "inspect_infantry_death",
    area: Area::Combat,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Yr],
    summary: "What a killed infantryman does for each InfDeath value: death sequence, animation, or silent removal.",
    aliases: &[
        "InfDeath",
        "DeathAnims",
        "NotHuman",
        "InfantryExplode",
        "FlamingInfantry",
        "InfantryMutate",
        "InfantryVirus",
        "InfantryBrute",
        "infantry death animation",
        "how infantry dies",
        "genetic mutator",
    ],
    units: "height in leptons",
    example: r#"{"inf_death":2}"#,
};

/// The registered port.
pub static PORT: FnPort<InfantryDeathInput, InfantryDeath> = FnPort::new(&META, inspect_infantry_death);

/// Highest that counts as on the water, in leptons.
const ON_WATER: i32 = 10;

/// An infantryman, what killed him, and where he stood.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InfantryDeathInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `InfDeath` of the warhead.
    pub inf_death: i32,
    /// TS only: whether the hit has a warhead, default true; without one the index is 0.
    #[serde(default)]
    #[schemars(with = "bool", extend("default" = true))]
    pub warhead_present: Option<bool>,
    /// Whether the damage ignored defences, default false.
    #[serde(default)]
    pub forced: bool,
    /// `Cyborg` of the type, default false.
    #[serde(default)]
    pub cyborg: bool,
    /// Whether he lies or crawls, default false.
    #[serde(default)]
    pub prone: bool,
    /// `JumpJet` of the type, default false.
    #[serde(default)]
    pub jump_jet: bool,
    /// Whether the object is marked to explode, default false.
    #[serde(default)]
    pub to_explode: bool,
    /// Whether the cell is water, default false.
    #[serde(default)]
    pub over_water: bool,
    /// Height above the ground in leptons, default 0.
    #[serde(default)]
    pub height: i32,
    /// Whether the killer is a building with `LaserFence=yes`, default false.
    #[serde(default)]
    pub laser_fence: bool,
    /// TS only: whether the type is a dog, default false.
    #[serde(default)]
    pub dog: bool,
    /// YR only: whether he plays the paradrop sequence, default false.
    #[serde(default)]
    pub paradropping: bool,
    /// YR only: entries of the type's `DeathAnims`, 0 to 1000, default 0.
    #[serde(default)]
    #[schemars(range(max = 1000))]
    pub death_anims: u16,
    /// YR only: `NotHuman` of the type, default false.
    #[serde(default)]
    pub not_human: bool,
    /// YR only: whether index 9 finds its cell unfit: no free infantry spot, a building, or ground that feet cannot cross
    /// without a bridge. Default false.
    #[serde(default)]
    pub mutation_blocked: bool,
}

/// What comes before the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Override {
    /// Nothing: the index decides.
    None,
    /// Exploding over water.
    Water,
    /// A cyborg that crawls.
    CrawlingCyborg,
    /// A jump-jet.
    JumpJet,
}

/// What is seen of a death.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing.
    Silent,
    /// `Wake` and the first splash.
    WakeAndSplash,
    /// `InfantryExplode`.
    Explode,
    /// TS: sequence of death by gun fire.
    GunDeath,
    /// TS: sequence of death by explosion.
    ExplosionDeath,
    /// TS: a dog's sequence of death by fire.
    FireDeath,
    /// YR: sequence Die1.
    Die1,
    /// YR: sequence Die2.
    Die2,
    /// `FlamingInfantry`.
    Flaming,
    /// The electrocution animation.
    Electro,
    /// YR: `InfantryHeadPop`.
    HeadPop,
    /// YR: `InfantryNuked`.
    Nuked,
    /// YR: `InfantryVirus`.
    Virus,
    /// YR: `InfantryMutate`.
    Mutate,
    /// YR: `InfantryBrute`.
    Brute,
    /// YR: an entry of `DeathAnims`.
    DeathAnim,
}

/// A death.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InfantryDeath {
    /// Whether a cyborg hit past its defences adds an `InfantryExplode` of its own (clause forced.1).
    pub cyborg_blast: bool,
    /// What comes before the index (clauses water.1, water.2, cyborg.1).
    #[serde(rename = "override")]
    pub overridden: Override,
    /// Index that decided (clauses index.1, index.2, paradrop.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<i32>,
    /// YR: whether the virus leaves its particle (clauses paradrop.1, not-human.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virus_particle: Option<bool>,
    /// YR: entry of `DeathAnims` that plays (clause anims.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub death_anim: Option<i32>,
    /// What is seen (clauses table.1, table.2, mutate.1).
    pub outcome: Outcome,
    /// Whether the object is gone at once; a death sequence plays first otherwise (clauses removed.1, forced.1).
    pub removed: bool,
    /// Where readings of YR differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub caveats: Vec<Caveat>,
}

/// How an infantryman dies.
///
/// # Errors
/// `EINVAL` for an argument of the other game, and at `death_anims` above 1000; `EOPNOTSUPP` at `game` for any other game.
pub fn inspect_infantry_death(input: &InfantryDeathInput) -> Result<InfantryDeath, PortError> {
    META.offers(input.game)?;
    input.check()?;
    let immediate = input.forced && input.cyborg;
    let mut death = InfantryDeath {
        cyborg_blast: immediate && input.to_explode,
        overridden: input.overridden(),
        index: None,
        virus_particle: None,
        death_anim: None,
        outcome: Outcome::Explode,
        removed: true,
        caveats: Vec::new(),
    };
    if input.game == Game::Yr && input.on_water() && !input.to_explode {
        let message = "one of three readings removes whatever dies over water, and shows nothing";
        death.caveats.push(Caveat::new("water.2", message));
    }
    match (death.overridden, input.game) {
        (Override::Water, _) => death.outcome = Outcome::WakeAndSplash,
        (Override::CrawlingCyborg | Override::JumpJet, _) => {}
        (Override::None, Game::Ts) => death.ts(input),
        (Override::None, _) => death.yr(input),
    }
    let sequence = matches!(
        death.outcome,
        Outcome::GunDeath | Outcome::ExplosionDeath | Outcome::FireDeath | Outcome::Die1 | Outcome::Die2
    );
    death.removed = !sequence || immediate;
    Ok(death)
}

impl InfantryDeathInput {
    fn check(&self) -> Result<(), PortError> {
        only(Game::Ts, self.game, self.warhead_present.is_some(), "warhead_present")?;
        only(Game::Ts, self.game, self.dog, "dog")?;
        only(Game::Yr, self.game, self.paradropping, "paradropping")?;
        only(Game::Yr, self.game, self.death_anims > 0, "death_anims")?;
        only(Game::Yr, self.game, self.not_human, "not_human")?;
        only(Game::Yr, self.game, self.mutation_blocked, "mutation_blocked")?;
        if self.death_anims > 1000 {
            return Err(PortError::invalid("death_anims", "must be from 0 to 1000"));
        }
        Ok(())
    }

    const fn on_water(&self) -> bool {
        self.over_water && self.height <= ON_WATER
    }

    fn overridden(&self) -> Override {
        if self.on_water() && self.to_explode {
            Override::Water
        } else if self.cyborg && self.prone {
            Override::CrawlingCyborg
        } else if self.jump_jet {
            Override::JumpJet
        } else {
            Override::None
        }
    }
}

impl InfantryDeath {
    fn ts(&mut self, input: &InfantryDeathInput) {
        let mut index = if input.warhead_present == Some(false) { 0 } else { input.inf_death };
        if input.laser_fence {
            index = 5;
        }
        self.index = Some(index);
        self.outcome = match index {
            1 => Outcome::GunDeath,
            2 => Outcome::ExplosionDeath,
            3 => Outcome::Explode,
            4 | 5 if input.dog => Outcome::FireDeath,
            4 => Outcome::Flaming,
            5 => Outcome::Electro,
            _ => Outcome::Silent,
        };
    }

    fn yr(&mut self, input: &InfantryDeathInput) {
        let (mut index, mut particle) = (input.inf_death, false);
        if input.paradropping {
            particle = index == 8;
            index = 3;
        }
        if input.laser_fence {
            index = 5;
        }
        self.index = Some(index);
        if input.death_anims > 0 {
            let entry = if (0..i32::from(input.death_anims)).contains(&index) { index } else { 0 };
            self.death_anim = Some(entry);
            self.outcome = Outcome::DeathAnim;
        } else if input.not_human {
            particle = particle || index == 8;
            self.outcome = Outcome::Die1;
        } else {
            self.outcome = match index {
                1 => Outcome::Die1,
                2 => Outcome::Die2,
                3 => Outcome::Explode,
                4 => Outcome::Flaming,
                5 => Outcome::Electro,
                6 => Outcome::HeadPop,
                7 => Outcome::Nuked,
                8 => Outcome::Virus,
                9 if input.mutation_blocked => Outcome::Die2,
                9 => Outcome::Mutate,
                10 => Outcome::Brute,
                _ => Outcome::Silent,
            };
        }
        self.virus_particle = Some(particle);
    }
}
