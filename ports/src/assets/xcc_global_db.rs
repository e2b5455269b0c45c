//! `xcc_global_db`: the names of the XCC global name database.

use super::crc::crc32;
use super::source::{Source, attachment, fault};
use super::xcc_local_db::{latin, next};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "xcc_global_db",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2],
    summary: "File names and descriptions of the four lists of the XCC global name database.",
    aliases: &[
        "global mix database.dat",
        "XCC",
        "name database",
        "known file names",
        "descriptions of files",
    ],
    units: "bytes in; names and descriptions",
    example: r#"{"bytes":"hex:01000000612e6d6978004100000000000000000000000000","find":"a.mix"}"#,
};

/// The port.
pub static PORT: FnPort<XccGlobalInput, XccGlobal> =
    FnPort::new(&META, xcc_global_db).attaching(|names| attachment("names", &names.data));

/// The games of the lists in order.
const GAMES: [Game; 4] = [Game::Td, Game::Ra1, Game::Ts, Game::Ra2];
/// Entries of a list that are shown.
const SHOWN: usize = 8;
/// Most entries of the name that was looked for that are shown.
const MAX_FOUND: usize = 64;

/// A database.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct XccGlobalInput {
    /// Game that is asked about; the whole file is read in any case. Default RA2.
    #[serde(default = "ra2")]
    pub game: Game,
    /// The file, at most 64 MiB.
    pub bytes: Bytes,
    /// A name to look for in all lists, at most 260 letters of either case. Default: none.
    #[serde(default)]
    #[schemars(length(max = 260))]
    pub find: Option<String>,
}

fn ra2() -> Game {
    Game::Ra2
}

/// What a database names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct XccGlobal {
    /// The four lists (lists.1).
    pub lists: Vec<XccList>,
    /// Bytes behind the last list.
    pub trailing: u64,
    /// CRC-32 of the attachment `names`: the names of all lists with line feeds between them.
    pub crc32: u32,
    /// Number of entries with the name that was looked for, in all lists (pair.1).
    pub found_count: u32,
    /// The first of them, at most 64 (pair.1).
    pub found: Vec<XccFound>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// The list of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct XccList {
    /// The game (lists.1).
    pub game: Game,
    /// Number of entries (lists.1).
    pub count: u32,
    /// Entries with a description that is not empty.
    pub described: u32,
    /// The first entries, at most 8.
    pub first: Vec<XccEntry>,
}

/// A name and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct XccEntry {
    /// The name, one character a byte (pair.1).
    pub name: String,
    /// What the file is; often empty (pair.1).
    pub description: String,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct XccFound {
    /// The game of the list.
    pub game: Game,
    /// Its place in the list, from 0.
    pub number: u32,
    /// What the file is.
    pub description: String,
}

/// Reads the lists.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (no count), `bad_count` (fewer entries than a list says, or than could be there),
/// `unterminated` (a text without its 0). `EFBIG` beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn xcc_global_db(input: &XccGlobalInput) -> Result<XccGlobal, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let mut rest = source.part(0, source.length())?;
    let mut names = XccGlobal {
        lists: Vec::new(),
        trailing: 0,
        crc32: 0,
        found_count: 0,
        found: Vec::new(),
        data: Vec::new(),
    };
    for game in GAMES {
        let Some((count, entries)) = rest.split_first_chunk() else {
            return Err(fault("truncated", format!("no count of the list of {game}")));
        };
        rest = entries;
        names.list(game, u32::from_le_bytes(*count), &mut rest, input.find.as_deref())?;
    }
    names.data.pop();
    names.trailing = rest.len() as u64;
    names.crc32 = crc32(&names.data);
    Ok(names)
}

impl XccGlobal {
    fn list(
        &mut self,
        game: Game,
        count: u32,
        rest: &mut &[u8],
        find: Option<&str>,
    ) -> Result<(), PortError> {
        // A name and a description have a 0 each.
        if u64::from(count) * 2 > rest.len() as u64 {
            let message = format!("{count} entries in the list of {game}, and {} bytes", rest.len());
            return Err(fault("bad_count", message));
        }
        let mut list = XccList { game, count, described: 0, first: Vec::new() };
        for number in 0..count {
            let (name, description) = (next(rest, number)?, next(rest, number)?);
            self.data.extend_from_slice(name);
            self.data.push(b'\n');
            list.described += u32::from(!description.is_empty());
            if list.first.len() < SHOWN {
                list.first.push(XccEntry { name: latin(name), description: latin(description) });
            }
            if find.is_some_and(|find| is_named(name, find)) {
                self.found_count += 1;
                if self.found.len() < MAX_FOUND {
                    self.found.push(XccFound { game, number, description: latin(description) });
                }
            }
        }
        self.lists.push(list);
        Ok(())
    }
}

/// Whether a name, one character a byte, is the one that is looked for.
fn is_named(name: &[u8], find: &str) -> bool {
    let mut wanted = find.chars();
    name.iter()
        .all(|byte| wanted.next().is_some_and(|wanted| char::from(*byte).eq_ignore_ascii_case(&wanted)))
        && wanted.next().is_none()
}
