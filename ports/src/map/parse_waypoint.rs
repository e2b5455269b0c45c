//! `parse_waypoint`: waypoints as the letters that triggers and teams write.

use super::yr;
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "parse_waypoint",
    area: Area::Map,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Yr],
    summary: "Waypoint letters of triggers and team types to a number, and a number to its letters.",
    aliases: &[
        "waypoint letters",
        "TeamTypes Waypoint",
        "Waypoint_From_Name",
        "Waypoint_To_Name",
        "base 26",
        "waypoint AA",
    ],
    units: "letters; waypoint numbers, -1 for none",
    example: r#"{"letters":"CV"}"#,
};

/// The port.
pub static PORT: FnPort<WaypointInput, Waypoint> = FnPort::new(&META, parse_waypoint);

/// Most letters of a waypoint here: seven would not fit 32 bits.
const LETTERS: usize = 6;
/// Letters that TS reads.
const TS_LETTERS: usize = 2;
/// Highest number that six letters have.
const HIGHEST: i32 = 321_272_405;

/// A waypoint in one of two forms.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaypointInput {
    /// Game whose rule runs. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Its letters, of either case; none for no waypoint. At most 6; TS reads two. Without `number`.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub letters: Option<String>,
    /// Its number: -1 for none, to 321272405; 701 in TS. Without `letters`.
    #[serde(default)]
    #[schemars(range(min = -1, max = 321_272_405))]
    pub number: Option<i32>,
}

/// A waypoint in both forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Waypoint {
    /// Each letter that counts as 1 to 26 (letters.1).
    pub digits: Vec<i32>,
    /// The number, -1 for none (letters.1).
    pub number: i32,
    /// The letters of the number (letters.1).
    pub letters: String,
    /// Letters that were given and do not count (two.1).
    pub unread: u32,
    /// Waypoints that a map has (range.1).
    pub limit: i32,
    /// Whether it is one of them (range.1).
    pub in_range: bool,
}

/// Reads a waypoint.
///
/// # Errors
/// `EINVAL` at `letters` for anything but letters and for more than 6; at `number` below -1, and above what the letters
/// of the game reach; at `number` for both or neither of the forms. `EOPNOTSUPP` at `game` for a game without evidence.
pub fn parse_waypoint(input: &WaypointInput) -> Result<Waypoint, PortError> {
    META.offers(input.game)?;
    let ts = input.game == Game::Ts;
    let limit = if ts { 100 } else { 702 };
    let (digits, unread) = match (&input.letters, input.number) {
        (Some(letters), None) => read(letters, ts)?,
        (None, Some(number)) => (digits(number, if ts { 701 } else { HIGHEST })?, 0),
        _ => return Err(PortError::invalid("number", "give either `letters` or `number`")),
    };
    let number = digits.iter().fold(0, |number, digit| number * 26 + digit) - 1;
    Ok(Waypoint {
        number,
        letters: digits.iter().map(|digit| char::from(b'@' + *digit as u8)).collect(),
        unread,
        limit,
        in_range: (0..limit).contains(&number),
        digits,
    })
}

/// The digits of letters, and how many letters more there are than the game reads.
fn read(letters: &str, ts: bool) -> Result<(Vec<i32>, u32), PortError> {
    if letters.len() > LETTERS || !letters.bytes().all(|letter| letter.is_ascii_alphabetic()) {
        return Err(PortError::invalid("letters", format!("must be at most {LETTERS} letters A to Z")));
    }
    let mut digits: Vec<i32> =
        letters.bytes().map(|letter| i32::from(letter.to_ascii_uppercase() - b'@')).collect();
    let unread = if ts { digits.len().saturating_sub(TS_LETTERS) } else { 0 };
    digits.truncate(digits.len() - unread);
    Ok((digits, unread as u32))
}

/// The digits of a number, which has no digit zero.
fn digits(number: i32, highest: i32) -> Result<Vec<i32>, PortError> {
    if !(-1..=highest).contains(&number) {
        return Err(PortError::invalid("number", format!("must be from -1 to {highest}")));
    }
    let mut digits = Vec::new();
    let mut rest = number + 1;
    while rest > 0 {
        digits.push((rest - 1) % 26 + 1);
        rest = (rest - 1) / 26;
    }
    digits.reverse();
    Ok(digits)
}
