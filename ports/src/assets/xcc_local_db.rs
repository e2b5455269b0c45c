//! `xcc_local_db`: the names of an XCC local name database.

use super::crc::crc32;
use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "xcc_local_db",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "File names that an XCC local name database gives the entries of its archive.",
    aliases: &["local mix database.dat", "XCC", "name database", "LMD", "names of a MIX", "file names"],
    units: "bytes in; names",
    example: r#"{"bytes":"hex:584343206279204f6c61662076616e20646572205370656b1a04172710198000550000000000000000000000050000000200000072756c65732e696e69006c6f63616c206d69782064617461626173652e64617400"}"#,
};

/// The port.
pub static PORT: FnPort<XccLocalInput, XccLocal> =
    FnPort::new(&META, xcc_local_db).attaching(|names| attachment("names", &names.data));

/// The mark, and the bytes of the header.
const MARK: &[u8; 32] = b"XCC by Olaf van der Spek\x1a\x04\x17\x27\x10\x19\x80\x00";
const HEADER: u64 = 52;
/// Most names, as many as an archive has entries, and its own.
const MAX_NAMES: u32 = 65_536;

/// A database.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct XccLocalInput {
    /// Game whose archive it was in; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB.
    pub bytes: Bytes,
}

/// What a database names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct XccLocal {
    /// Its length in bytes, as it says (header.1).
    pub size: u32,
    /// Its kind: 0 (header.1).
    pub kind: u32,
    /// Its version: 0 (header.1).
    pub version: u32,
    /// Number of the game: 0 TD, 1 RA1, 2 TS, 5 RA2, 6 YR, 15 Firestorm; 3, 4 and 7 to 14 are other games (game.1).
    pub game_code: u32,
    /// Number of names (header.1).
    pub count: u32,
    /// Whether it names itself, in letters of either case; writers differ (names.1).
    pub names_itself: bool,
    /// Bytes behind the last name.
    pub trailing: u64,
    /// CRC-32 of the attachment `names`: all names with line feeds between them.
    pub crc32: u32,
    /// The names in order, one character a byte (names.1).
    pub names: Vec<String>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Reads the names.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (no header), `bad_magic`, `size_mismatch` (a length shorter than the header or longer
/// than the file), `bad_count` (more names than an archive
/// has, or fewer than it says), `unterminated` (a name without its 0). `EFBIG` beyond 64 MiB;
/// `EOPNOTSUPP` at `game` for a game without evidence.
pub fn xcc_local_db(input: &XccLocalInput) -> Result<XccLocal, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let head = source.part(0, HEADER)?;
    if !head.starts_with(MARK) {
        return Err(fault("bad_magic", "the file does not begin with the mark of XCC"));
    }
    let size = source.u32(32)?;
    if u64::from(size) < HEADER || u64::from(size) > source.length() {
        return Err(fault("size_mismatch", format!("{size} bytes said, {} there", source.length())));
    }
    let mut rest = source.part(HEADER, u64::from(size) - HEADER)?;
    let count = source.u32(48)?;
    if count > MAX_NAMES {
        return Err(fault("bad_count", format!("{count} names, at most {MAX_NAMES} are read")));
    }
    let (mut names, mut data) = (Vec::new(), Vec::new());
    for number in 0..count {
        let name = next(&mut rest, number)?;
        data.extend_from_slice(name);
        data.push(b'\n');
        names.push(latin(name));
    }
    data.pop();
    let itself = |name: &String| name.eq_ignore_ascii_case("local mix database.dat");
    Ok(XccLocal {
        size,
        kind: source.u32(36)?,
        version: source.u32(40)?,
        game_code: source.u32(44)?,
        count,
        names_itself: names.iter().any(itself),
        trailing: rest.len() as u64 + source.length() - u64::from(size),
        crc32: crc32(&data),
        names,
        data,
    })
}

/// Takes a text up to its 0 off the front.
pub(super) fn next<'a>(rest: &mut &'a [u8], number: u32) -> Result<&'a [u8], PortError> {
    let bytes = *rest;
    if bytes.is_empty() {
        return Err(fault("bad_count", format!("the file ends before text {number}")));
    }
    let Some(end) = bytes.iter().position(|byte| *byte == 0) else {
        return Err(fault("unterminated", format!("text {number} has no 0")));
    };
    *rest = &bytes[end + 1..];
    Ok(&bytes[..end])
}

/// One character a byte.
pub(super) fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
