//! `save_inspect`: the title of a saved game, from the compound file that it is.

use super::crc::crc32;
use super::source::{Source, fault};
use super::yr;
use assay_model::{Area, Bytes, Errno, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "save_inspect",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Title and streams of a saved game, which is an OLE2 compound file.",
    aliases: &[
        "SAV",
        "savegame",
        "saved game",
        "Scenario Description",
        "compound file",
        "OLE2",
        "structured storage",
    ],
    units: "sizes in bytes; the title as text",
    example: "{\"bytes\":\"base64:0M8R4KGxGuEAAAAAAAAAAAAAAAAAAAAAPgADAP7/CQAGAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAEAAAAgAAAAEAAA\
        D+////AAAAAAAAAAD/////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        /////////////////////////////////////////////////////9/////v////7////+////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        ///////////////1IAbwBvAHQAIABFAG4AdAByAHkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAWAAUB////////////////AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAAACAA\
        AAAAAAUwBjAGUAbgBhAHIAaQBvACAARABlAHMAYwByAGkAcAB0AGkAbwBuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        ACoAAgH///////////////8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFAAAAAAAAABDAE\
        8ATgBUAEUATgBUAFMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEgACAf//\
        /////////////wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAARAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/v////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////////////////////////////////////////////////////////////////\
        //////////////////////////////9NAGkAcwBzAGkAbwBuACAAMQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\"}",
};

/// The port.
pub static PORT: FnPort<SaveInspectInput, SaveInspect> = FnPort::new(&META, save_inspect);

/// What every compound file begins with.
const MARK: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
/// Bytes of the header, of an entry of the directory, and the sectors of the table that the header lists.
const HEADER: u64 = 512;
const ENTRY: u64 = 128;
const LISTED: u64 = 109;
/// The end of a chain, and the first number that is no sector.
const END: u32 = 0xFFFF_FFFE;
const NO_SECTOR: u32 = 0xFFFF_FFFA;
/// The stream with the title.
const TITLE: &str = "Scenario Description";

/// A saved game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveInspectInput {
    /// Game that saved it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB.
    pub bytes: Bytes,
}

/// What a saved game says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SaveInspect {
    /// Version of the compound file: 3 or 4 (header.1).
    pub version: u16,
    /// Bytes of a sector (header.1).
    pub sector_size: u32,
    /// Streams in the order of the directory (directory.1).
    pub streams: Vec<SaveStream>,
    /// Whether the title lies among the small streams (small.1).
    pub small: bool,
    /// Characters of 16 bits in the title, up to its first 0 (title.1).
    pub characters: u32,
    /// CRC-32 of those characters, low bytes first.
    pub crc32: u32,
    /// The title as the list of saved games shows it (title.1).
    pub title: String,
}

/// A stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SaveStream {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// Its first sector, or small sector.
    pub start: u32,
}

/// Finds the title.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (no header), `bad_magic`, `bad_count` (sectors of a size that none has, a table
/// of more sectors than the file), `offset_out_of_range` (a sector that the file or its table does not have), `unterminated`
/// (a chain that goes round), `size_mismatch` (a chain shorter than its stream). `ENOENT`, `not_found`, without a stream of
/// the title. `EFBIG` beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn save_inspect(input: &SaveInspectInput) -> Result<SaveInspect, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    if source.part(0, HEADER)?[..8] != MARK {
        return Err(fault("bad_magic", "no compound file"));
    }
    let file = Compound::read(&source)?;
    let directory = file.large(source.u32(48)?, None)?;
    let entries: Vec<Entry> = directory.chunks_exact(ENTRY as usize).map(Entry::read).collect();
    let streams = entries.iter().filter(|entry| entry.kind == 2);
    let Some(title) = streams.clone().find(|entry| entry.name == TITLE) else {
        let message = format!("not_found: no stream {TITLE:?}");
        return Err(PortError { errno: Errno::Enoent, field: "bytes".to_owned(), message });
    };
    let small = title.size < u64::from(source.u32(56)?);
    let bytes = if small {
        let root = entries.iter().find(|entry| entry.kind == 5);
        file.small(root.map_or(END, |root| root.start), title)?
    } else {
        file.large(title.start, Some(title.size))?
    };
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    let stream =
        |entry: &Entry| SaveStream { name: entry.name.clone(), size: entry.size, start: entry.start };
    Ok(SaveInspect {
        version: source.u16(26)?,
        sector_size: 1 << file.shift,
        streams: streams.map(stream).collect(),
        small,
        characters: units.len() as u32,
        crc32: crc32(&units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>()),
        title: String::from_utf16_lossy(&units),
    })
}

/// An entry of the directory (directory.1).
struct Entry {
    name: String,
    kind: u8,
    start: u32,
    size: u64,
}

impl Entry {
    fn read(bytes: &[u8]) -> Self {
        let units = bytes[..64].chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let units: Vec<_> = units.take_while(|unit| *unit != 0).collect();
        let places = words(&bytes[116..124]);
        Self {
            name: String::from_utf16_lossy(&units),
            kind: bytes[66],
            start: places[0],
            size: u64::from(places[1]),
        }
    }
}

/// A compound file with its table of sectors.
struct Compound<'a> {
    source: &'a Source,
    shift: u16,
    small_shift: u16,
    /// The sector behind each sector.
    table: Vec<u32>,
}

impl<'a> Compound<'a> {
    fn read(source: &'a Source) -> Result<Self, PortError> {
        let (shift, small_shift) = (source.u16(30)?, source.u16(32)?);
        if !matches!(shift, 9 | 12) || small_shift != 6 {
            return Err(fault("bad_count", format!("sectors of 2^{shift} and 2^{small_shift} bytes")));
        }
        let mut file = Self { source, shift, small_shift, table: Vec::new() };
        for number in file.table_sectors()? {
            file.table.extend(words(file.sector(number)?));
        }
        Ok(file)
    }

    /// The sectors that hold the table: some in the header, the others in a chain of lists of their own, each of which ends
    /// with the place of the next (table.1).
    fn table_sectors(&self) -> Result<Vec<u32>, PortError> {
        let listed = (0..LISTED).map(|number| self.source.u32(76 + 4 * number));
        let mut sectors = listed.collect::<Result<Vec<_>, _>>()?;
        let behind = |list| Ok(words(self.sector(list)?).pop().unwrap_or(END));
        for list in chain(self.source.u32(68)?, self.sectors(), behind)? {
            let mut list = words(self.sector(list)?);
            list.pop();
            sectors.append(&mut list);
        }
        sectors.retain(|sector| *sector < NO_SECTOR);
        if sectors.len() as u64 > self.sectors() {
            return Err(fault(
                "bad_count",
                format!("{} sectors of the table in a file of {}", sectors.len(), self.sectors()),
            ));
        }
        Ok(sectors)
    }

    /// Sectors that the file may have.
    fn sectors(&self) -> u64 {
        self.source.length() >> self.shift
    }

    fn sector(&self, number: u32) -> Result<&'a [u8], PortError> {
        let size = 1 << self.shift;
        let part = self.source.part((u64::from(number) + 1) << self.shift, size);
        part.map_err(|_| fault("offset_out_of_range", format!("no sector {number}")))
    }

    /// The bytes of a chain of sectors: all of them, or as many as a stream has.
    fn large(&self, start: u32, size: Option<u64>) -> Result<Vec<u8>, PortError> {
        let mut bytes = Vec::new();
        for number in chain(start, self.sectors(), linked(&self.table))? {
            bytes.extend_from_slice(self.sector(number)?);
        }
        cut(bytes, size)
    }

    /// The bytes of a stream among the small ones, which lie in a stream of the root (small.1).
    fn small(&self, root: u32, stream: &Entry) -> Result<Vec<u8>, PortError> {
        let all = self.large(root, None)?;
        let table = words(&self.large(self.source.u32(60)?, None)?);
        let size = 1_usize << self.small_shift;
        let mut bytes = Vec::new();
        for number in chain(stream.start, table.len() as u64, linked(&table))? {
            let sector = all.get(number as usize * size..(number as usize + 1) * size);
            let sector =
                sector.ok_or_else(|| fault("offset_out_of_range", format!("no small sector {number}")))?;
            bytes.extend_from_slice(sector);
        }
        cut(bytes, Some(stream.size))
    }
}

/// Double words, low bytes first.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The sectors of a chain, at most `most`; `behind` says what comes after one (table.1).
fn chain(
    start: u32,
    most: u64,
    behind: impl Fn(u32) -> Result<u32, PortError>,
) -> Result<Vec<u32>, PortError> {
    let (mut chain, mut next) = (Vec::new(), start);
    while next < NO_SECTOR {
        if chain.len() as u64 >= most {
            return Err(fault("unterminated", format!("the chain of sector {start} goes round")));
        }
        chain.push(next);
        next = behind(next)?;
    }
    Ok(chain)
}

/// What a table says of the sector behind one.
fn linked(table: &[u32]) -> impl Fn(u32) -> Result<u32, PortError> {
    |sector| {
        let behind = table.get(sector as usize).copied();
        behind.ok_or_else(|| fault("offset_out_of_range", format!("sector {sector} is in no table")))
    }
}

/// As many bytes as a stream has; its chain has to bring them.
fn cut(mut bytes: Vec<u8>, size: Option<u64>) -> Result<Vec<u8>, PortError> {
    if let Some(size) = size {
        if size > bytes.len() as u64 {
            return Err(fault(
                "size_mismatch",
                format!("{} bytes in the chain of a stream of {size}", bytes.len()),
            ));
        }
        bytes.truncate(size as usize);
    }
    Ok(bytes)
}
