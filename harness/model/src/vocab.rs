//! The closed vocabularies: games, areas, kinds, tiers and statuses.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// Declares a closed vocabulary once: the enum, its spelling on the wire, its listing and its parser.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident, $what:literal { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vmeta])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every word of the vocabulary, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word as it is written in files and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "enum": [$($text),+] })
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|word| word.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|word| word.as_str()).collect();
                    format!("unknown {} `{text}` (one of {})", $what, known.join(", "))
                })
            }
        }
    };
}

vocabulary! {
    /// A game whose executable a rule is claimed for. `TD` and `RA1` are the ancestors.
    Game, "game" {
        /// Tiberian Dawn (1995).
        Td = "TD",
        /// Red Alert (1996).
        Ra1 = "RA1",
        /// Tiberian Sun with Firestorm, 2.03.
        Ts = "TS",
        /// Red Alert 2, 1.006.
        Ra2 = "RA2",
        /// Yuri's Revenge, 1.001.
        Yr = "YR",
    }
}

vocabulary! {
    /// The area of the question that a capability answers. The list is closed; `service` is for entries that are not
    /// engine systems.
    Area, "area" {
        /// Computer-player decisions.
        Ai = "ai",
        /// File formats and codecs.
        Assets = "assets",
        /// Sound codecs and volume.
        Audio = "audio",
        /// Damage, warheads, weapons, veterancy, status effects.
        Combat = "combat",
        /// Ore, harvesters, money.
        Economy = "economy",
        /// Cell light, tints, palettes.
        Lighting = "lighting",
        /// Cells, land types, overlays, map line formats.
        Map = "map",
        /// Float model, roots, distances, random generators.
        Math = "math",
        /// Facings, speeds, locomotors, path search.
        Movement = "movement",
        /// Bullets in flight, bounce, particles.
        Physics = "physics",
        /// Output, drain and working state of buildings.
        Power = "power",
        /// Build time, factories, prices.
        Production = "production",
        /// Rules text, layers, multipliers.
        Rules = "rules",
        /// Charging and effects of super weapons.
        Superweapons = "superweapons",
        /// Timers, rates, frame budget.
        Timing = "timing",
        /// Projection, radar, sidebar.
        Ui = "ui",
        /// Service entries: guides and batches, never counted as systems.
        Service = "service",
    }
}

vocabulary! {
    /// What sort of answer a capability gives.
    Kind, "kind" {
        /// One value with named stages.
        Compute = "compute",
        /// Facts, tables, first failing test.
        Inspect = "inspect",
        /// State over frames, draws or steps.
        Simulate = "simulate",
        /// Bytes or rules text to values.
        Decode = "decode",
        /// Checks one thing against another.
        Verify = "verify",
        /// Anything else.
        Other = "other",
    }
}

vocabulary! {
    /// How well a clause is supported for one game; ordered from weakest to strongest. Always computed, never written.
    Tier, "tier" {
        /// A lead.
        Initial = "initial",
        /// A part is still open.
        InProgress = "in-progress",
        /// One group of first-hand readers.
        HighConfidence = "high-confidence",
        /// Two independent groups, or the original program itself.
        Verified = "verified",
    }
}

vocabulary! {
    /// How far a capability can be trusted. Always computed, never written.
    Status, "status" {
        /// Some clause is weaker than verified, lacks a case, or fails.
        Partial = "partial",
        /// Every clause of every listed game is verified and has a passing computed, recorded or real-file case.
        Verified = "verified",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip_and_unknown_words_name_the_vocabulary() {
        for game in Game::ALL {
            assert_eq!(game.as_str().parse::<Game>(), Ok(*game));
        }
        assert_eq!("yr".parse::<Game>(), Ok(Game::Yr));
        assert!("RA3".parse::<Game>().unwrap_err().contains("TD, RA1, TS, RA2, YR"));
        assert!(Tier::Verified > Tier::HighConfidence);
        assert_eq!(Area::ALL.len(), 17, "sixteen areas and service");
    }
}
