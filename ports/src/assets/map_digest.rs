//! `map_digest`: the checksum that a map carries of itself, and whether it is still right.

use super::ini_text::{Ini, IniText};
use super::sha1::sha1;
use super::source::fault;
use super::{hex, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "map_digest",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "The digest that a map stores of its text, beside the one that its text has, with either end of line.",
    aliases: &["Digest", "map checksum", "map SHA-1", "map hash", "edited map", "CRLF"],
    units: "bytes in, 20-byte digests as hexadecimal digits out",
    example: r#"{"bytes":"[A]\nx=1\n\n[Digest]\n1=OSNPSV5Qc/RtWu0SCRpeD6b5CO4=\n"}"#,
};

/// The port.
pub static PORT: FnPort<MapDigestInput, MapDigest> = FnPort::new(&META, map_digest);

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapDigestInput {
    /// Game that reads it; all are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB.
    pub bytes: IniText,
}

/// The way in which a digest is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DigestForm {
    /// Lines end with CR and LF, without the empty line before the section (crlf.1).
    Crlf,
    /// Lines end with LF, with that line (lf.1).
    Lf,
}

/// A map's digests.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapDigest {
    /// Lines before `[Digest]`.
    pub lines: u32,
    /// Whether the last of them is empty.
    pub empty_line: bool,
    /// Sections behind `[Digest]`, which no digest covers (place.1).
    pub behind: u32,
    /// What the map stores, 40 hexadecimal digits (stored.1).
    pub stored: String,
    /// SHA-1 with CR and LF (crlf.1).
    pub computed_crlf: String,
    /// SHA-1 with LF (lf.1).
    pub computed_lf: String,
    /// Whether one of them is what the map stores. The games load a map in any case.
    pub matches: bool,
    /// Which of them; left out without a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<DigestForm>,
}

/// Takes the digests of a map.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (no section `[Digest]`), `bad_text` (no base 64), `size_mismatch` (no digest of 20
/// bytes). `EOPNOTSUPP` for a line of more than 127 characters, and at `game` for a game without evidence. `EFBIG` beyond
/// 32 MiB.
pub fn map_digest(input: &MapDigestInput) -> Result<MapDigest, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    let section = ini.section("Digest")?;
    let stored = section.base64()?.bytes;
    if stored.len() != 20 {
        return Err(fault("size_mismatch", format!("the digest has {} bytes, not 20", stored.len())));
    }
    let mut lines: Vec<&[u8]> = text[..section.start]
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect();
    let number = lines.len() as u32;
    let computed_lf = digest(&lines, b"\n");
    let empty_line = lines.last().is_some_and(|line| line.is_empty());
    if empty_line {
        lines.pop();
    }
    let computed_crlf = digest(&lines, b"\r\n");
    let stored = hex(&stored);
    let form = match &stored {
        stored if *stored == computed_crlf => Some(DigestForm::Crlf),
        stored if *stored == computed_lf => Some(DigestForm::Lf),
        _ => None,
    };
    Ok(MapDigest {
        lines: number,
        empty_line,
        behind: ini.sections.iter().filter(|other| other.start > section.start).count() as u32,
        stored,
        computed_crlf,
        computed_lf,
        matches: form.is_some(),
        form,
    })
}

/// SHA-1 over lines that end in some way.
fn digest(lines: &[&[u8]], end: &[u8]) -> String {
    let text: Vec<u8> = lines.iter().flat_map(|line| [*line, end]).flatten().copied().collect();
    hex(&sha1(&text))
}
