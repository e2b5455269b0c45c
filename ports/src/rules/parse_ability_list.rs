//! The abilities that a unit gains with its rank.

use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the capability says of itself.
pub static META: Meta = Meta {
    name: "parse_ability_list",
    area: Area::Rules,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Yr],
    summary: "VeteranAbilities and EliteAbilities text to flags, the items that are lost, and what a unit of a rank has.",
    aliases: &[
        "VeteranAbilities",
        "EliteAbilities",
        "HasWeaponAbility",
        "Has_Ability",
        "veteran abilities",
        "elite abilities",
        "SELF_HEAL",
        "FIREPOWER",
        "TIBERIUM_PROOF",
        "promotion bonuses",
    ],
    units: "indices 0 to 17 in the order of the program's table; held_at in bytes from the start of the type",
    example: r#"{"veteran":"STRONGER, ROF","elite":"SELF_HEAL","rank":"elite"}"#,
};

/// The registered port.
pub static PORT: FnPort<AbilityListInput, AbilityLists> = FnPort::new(&META, parse_ability_list);

/// Longest text that is read here, in bytes; what the program's buffer holds is not known.
const LONGEST: usize = 127;
/// Where a type of YR holds the flags of veterans and of elites.
const HELD_AT: (u32, u32) = (0x29C, 0x2AE);

macro_rules! abilities {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// An ability, in the order of the program's table (clauses order.1, order.2).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum Ability { $($(#[$doc])* #[serde(rename = $name)] $variant,)* }

        /// Every ability with its name.
        const TABLE: &[(Ability, &str)] = &[$((Ability::$variant, $name),)*];
    };
}

abilities! {
    /// Moves faster.
    Faster "FASTER",
    /// Takes less damage.
    Stronger "STRONGER",
    /// Does more damage.
    Firepower "FIREPOWER",
    /// Scatters from danger by itself.
    Scatter "SCATTER",
    /// Reloads faster.
    Rof "ROF",
    /// Sees farther.
    Sight "SIGHT",
    /// Cloaks.
    Cloak "CLOAK",
    /// Is not hurt by Tiberium.
    TiberiumProof "TIBERIUM_PROOF",
    /// Is not hurt by veins.
    VeinProof "VEIN_PROOF",
    /// Heals by itself.
    SelfHeal "SELF_HEAL",
    /// Explodes when it dies.
    Explodes "EXPLODES",
    /// Is not shown by radar.
    RadarInvisible "RADAR_INVISIBLE",
    /// Sees what is cloaked.
    Sensors "SENSORS",
    /// Knows no fear.
    Fearless "FEARLESS",
    /// Plants charges.
    C4 "C4",
    /// Is healed by Tiberium.
    TiberiumHeal "TIBERIUM_HEAL",
    /// Guards an area by default.
    GuardArea "GUARD_AREA",
    /// Crushes infantry.
    Crusher "CRUSHER",
}

/// The rank of the unit that is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbilityRank {
    /// No rank yet.
    #[default]
    Rookie,
    /// The first rank.
    Veteran,
    /// The second rank.
    Elite,
}

/// Two keys of a unit type, and a unit's rank.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbilityListInput {
    /// Whose rule runs.
    #[serde(default = "yr")]
    pub game: Game,
    /// `VeteranAbilities`, at most 127 bytes; left out where the rules do not have the key.
    #[serde(default)]
    #[schemars(length(max = 127))]
    pub veteran: Option<String>,
    /// `EliteAbilities`, likewise.
    #[serde(default)]
    #[schemars(length(max = 127))]
    pub elite: Option<String>,
    /// What an earlier rules file gave veterans, at most 18.
    #[serde(default)]
    #[schemars(length(max = 18))]
    pub veteran_held: Vec<Ability>,
    /// What it gave elites, at most 18.
    #[serde(default)]
    #[schemars(length(max = 18))]
    pub elite_held: Vec<Ability>,
    /// Rank of the unit, default rookie.
    #[serde(default)]
    pub rank: AbilityRank,
}

fn yr() -> Game {
    Game::Yr
}

/// Both lists, and what they come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AbilityLists {
    /// `VeteranAbilities`.
    pub veteran: AbilityList,
    /// `EliteAbilities`.
    pub elite: AbilityList,
    /// What a unit of the rank has, in table order (clause rank.1).
    pub has: Vec<Ability>,
}

/// One of the lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AbilityList {
    /// Whether the key replaces what was held (clauses list.1, list.2).
    pub present: bool,
    /// The items of the text as they are compared (clause token.1).
    pub items: Vec<String>,
    /// Those that are no ability (clause token.2).
    pub unknown: Vec<String>,
    /// The flags that are set, in table order.
    pub flags: Vec<AbilityFlag>,
}

/// A flag that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AbilityFlag {
    /// Place in the table, 0 to 17.
    pub index: usize,
    /// Which ability.
    pub name: Ability,
    /// Offset of the flag in a type; YR only (clause order.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_at: Option<u32>,
}

/// Flags of both keys, and the abilities of a rank.
///
/// # Errors
/// `EINVAL` at `veteran` or `elite` for text beyond 127 bytes, at `veteran_held` or `elite_held` for more than 18 abilities;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn parse_ability_list(input: &AbilityListInput) -> Result<AbilityLists, PortError> {
    META.offers(input.game)?;
    let list = |text: &Option<String>, held: &[Ability], field: &str, at: u32| {
        if held.len() > TABLE.len() {
            return Err(PortError::invalid(format!("{field}_held"), "must be at most 18 abilities"));
        }
        let text = text.as_deref().unwrap_or_default();
        if text.len() > LONGEST {
            return Err(PortError::invalid(field, "must be at most 127 bytes of rules text"));
        }
        Ok(read(text.trim_ascii(), held, (input.game == Game::Yr).then_some(at)))
    };
    let veteran = list(&input.veteran, &input.veteran_held, "veteran", HELD_AT.0)?;
    let elite = list(&input.elite, &input.elite_held, "elite", HELD_AT.1)?;
    let names = |list: &AbilityList, ability| list.flags.iter().any(|flag| flag.name == ability);
    let has = |ability: &Ability| match input.rank {
        AbilityRank::Rookie => false,
        AbilityRank::Veteran => names(&veteran, *ability),
        AbilityRank::Elite => names(&veteran, *ability) || names(&elite, *ability),
    };
    let has = TABLE.iter().map(|(ability, _)| *ability).filter(has).collect();
    Ok(AbilityLists { veteran, elite, has })
}

/// One key over what was held before; blank text is no key.
fn read(text: &str, held: &[Ability], at: Option<u32>) -> AbilityList {
    let present = !text.is_empty();
    let items: Vec<&str> = text.split(',').filter(|item| !item.is_empty()).collect();
    let named = |item: &str| TABLE.iter().find(|(_, name)| name.eq_ignore_ascii_case(item));
    let set = |ability: Ability| match present {
        true => items.iter().any(|item| named(item).is_some_and(|(found, _)| *found == ability)),
        false => held.contains(&ability),
    };
    let flags = TABLE.iter().enumerate().filter(|(_, (ability, _))| set(*ability));
    let flags = flags.map(|(index, (name, _))| AbilityFlag {
        index,
        name: *name,
        held_at: at.map(|at| at + index as u32),
    });
    AbilityList {
        present,
        flags: flags.collect(),
        unknown: items.iter().filter(|item| named(item).is_none()).map(|item| (*item).to_owned()).collect(),
        items: items.into_iter().map(str::to_owned).collect(),
    }
}
