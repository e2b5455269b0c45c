//! `ports/strength.toml`: how strong each suite was, below which it must not fall, and which mutants nobody can catch.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// By `area/capability`, or by path below `ports/src` for a shared file.
    #[serde(default)]
    pub floors: BTreeMap<String, Floor>,
    /// Mutants that are argued to be no change at all.
    #[serde(default)]
    pub equivalent: Vec<Equivalent>,
}

/// What one file reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Mutants that compile.
    pub mutants: usize,
    /// Those that were caught.
    pub caught: usize,
    /// Least score, in whole percent.
    pub floor: u8,
    /// Day of the measurement, `YYYY-MM-DD`.
    pub measured: String,
}

/// A mutant that no input can tell from the port. Lines move, so none is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// Path relative to the repository.
    pub file: String,
    /// Function that is changed.
    pub function: String,
    /// The change, in the words of cargo-mutants.
    pub change: String,
    /// Which of several such changes in the function, from 1 in the order of the text; needed only then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nth: Option<usize>,
    /// Why no input can tell it apart.
    pub why: String,
}

impl Record {
    /// Reads the file.
    ///
    /// # Errors
    /// It is no TOML, has unknown keys, a floor above 100, more caught than there are, or an argument without words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let record: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for (row, floor) in &record.floors {
            if floor.floor > 100 || floor.caught > floor.mutants {
                return Err(format!("`{row}`: a floor is at most 100, and at most all mutants are caught"));
            }
        }
        match record.equivalent.iter().find(|entry| entry.why.trim().is_empty()) {
            Some(entry) => Err(format!("`{}` in `{}` has no argument", entry.change, entry.function)),
            None => Ok(record),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[floors]
"a/one" = { mutants = 42, caught = 41, floor = 97, measured = "2026-11-30" }
[[equivalent]]
file = "ports/src/a/one.rs"
function = "one"
change = "replace < with <= in one"
why = "the two sides are never equal"
"#;

    #[test]
    fn the_file_is_read_and_slips_are_refused() {
        let record = Record::parse(TEXT).unwrap();
        assert_eq!(record.floors["a/one"].floor, 97);
        assert_eq!(record.equivalent[0].nth, None);
        for (from, to) in [
            ("floor = 97", "floor = 101"),
            ("caught = 41", "caught = 43"),
            ("the two sides are never equal", " "),
            ("change =", "chance ="),
            ("measured =", "mesaured ="),
        ] {
            assert!(Record::parse(&TEXT.replace(from, to)).is_err(), "{to}");
        }
    }
}
