//! `asset_sniff`: what kind of file a byte string is, whatever its name says.

use super::mix_list::{MixListInput, mix_list};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "asset_sniff",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "What kind of game file a byte string is, by its marks, its layout or its text.",
    aliases: &[
        "file type",
        "detect format",
        "magic number",
        "identify file",
        "unknown file",
        "which format",
        "sniff",
    ],
    units: "bytes in; the name of a kind",
    example: r#"{"bytes":"hex:474142410200000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<AssetSniffInput, AssetSniff> = FnPort::new(&META, asset_sniff);

/// A byte string.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssetSniffInput {
    /// Game whose file it may be; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file. Only what decides is read of it; text is looked for in files of at most 32 MiB.
    pub bytes: Bytes,
}

/// The kinds, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    /// Voxel file.
    Vxl,
    /// String table.
    Csf,
    /// Index of an audio bag.
    Idx,
    /// Font with Unicode slots.
    Fnt,
    /// Movie.
    Vqa,
    /// Movie of another maker.
    Bink,
    /// Sound of another maker.
    Wav,
    /// Palette in text.
    TextPalette,
    /// Name database of XCC.
    XccDatabase,
    /// Picture.
    Pcx,
    /// Saved game.
    Save,
    /// Palette.
    Pal,
    /// Template of terrain.
    TmpTs,
    /// Sprite of TS and later.
    ShpTs,
    /// Sprite of TD and RA1.
    ShpTd,
    /// Archive.
    Mix,
    /// Sound.
    Aud,
    /// Rules, a map, or other text in sections.
    Ini,
    /// None of these.
    Unknown,
}

/// What a kind was known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// Bytes at the start that only this kind has (mark.1).
    Mark,
    /// Counts and places that fit each other (palette.1 to sound.1).
    Layout,
    /// Its characters (text.1).
    Text,
    /// Nothing.
    Nothing,
}

/// What a byte string is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AssetSniff {
    /// The first kind that fits.
    pub kind: AssetKind,
    /// What it was known by.
    pub known_by: KnownBy,
    /// Number of bytes.
    pub length: u64,
}

/// Marks at the start of a file; behind FORM there has to be WVQA as well.
const MARKS: [(&[u8], AssetKind); 12] = [
    (b"Voxel Animation\0", AssetKind::Vxl),
    (b" FSC", AssetKind::Csf),
    (b"GABA", AssetKind::Idx),
    (b"fonT", AssetKind::Fnt),
    (b"BIKi", AssetKind::Bink),
    (b"BIKf", AssetKind::Bink),
    (b"RIFF", AssetKind::Wav),
    (b"JASC-PAL", AssetKind::TextPalette),
    (b"XCC by Olaf", AssetKind::XccDatabase),
    (b"\x0a\x05\x01\x08", AssetKind::Pcx),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", AssetKind::Save),
    (b"FORM", AssetKind::Vqa),
];

/// Tests of the layout in order.
const LAYOUTS: [(Test, AssetKind); 6] = [
    (is_palette, AssetKind::Pal),
    (is_template, AssetKind::TmpTs),
    (is_sprite, AssetKind::ShpTs),
    (is_old_sprite, AssetKind::ShpTd),
    (is_archive, AssetKind::Mix),
    (is_sound, AssetKind::Aud),
];

/// Whether a file has the layout; none where it ends too early for that.
type Test = fn(&AssetSniffInput) -> Option<bool>;

/// Longest text that is looked through: 32 MiB.
const MAX_TEXT: u64 = 32 << 20;
/// Bytes that are looked at first: of a large file that is no text, no more are read.
const FIRST_TEXT: u64 = 512;

/// Tells the kind.
///
/// # Errors
/// `EOPNOTSUPP` at `game` for a game without evidence; what the source of the bytes says when it cannot be read.
pub fn asset_sniff(input: &AssetSniffInput) -> Result<AssetSniff, PortError> {
    META.offers(input.game)?;
    let length = input.bytes.length();
    let head = input.bytes.range(0, length.min(16) as usize)?;
    let marked = MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, kind)| *kind);
    let marked = marked.filter(|kind| *kind != AssetKind::Vqa || head.get(8..12) == Some(b"WVQA"));
    let laid_out = || LAYOUTS.iter().find(|(test, _)| test(input) == Some(true)).map(|(_, kind)| *kind);
    let (kind, known_by) = if let Some(kind) = marked {
        (kind, KnownBy::Mark)
    } else if let Some(kind) = laid_out() {
        (kind, KnownBy::Layout)
    } else if is_text(input) == Some(true) {
        (AssetKind::Ini, KnownBy::Text)
    } else {
        (AssetKind::Unknown, KnownBy::Nothing)
    };
    Ok(AssetSniff { kind, known_by, length })
}

fn word(input: &AssetSniffInput, at: u64) -> Option<u16> {
    let bytes = input.bytes.range(at, 2).ok()?;
    Some(u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn double_word(input: &AssetSniffInput, at: u64) -> Option<u32> {
    let bytes = input.bytes.range(at, 4).ok()?;
    Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// 768 bytes of six bits (palette.1).
fn is_palette(input: &AssetSniffInput) -> Option<bool> {
    let bytes = input.bytes.range(0, 768).ok()?;
    Some(input.bytes.length() == 768 && bytes.iter().all(|byte| *byte < 64))
}

/// Cells of the size of TS or of RA2, and not too many (template.1).
fn is_template(input: &AssetSniffInput) -> Option<bool> {
    let cell = (double_word(input, 8)?, double_word(input, 12)?);
    let cells = u64::from(double_word(input, 0)?) * u64::from(double_word(input, 4)?);
    Some(matches!(cell, (48, 24) | (60, 30)) && cells <= 4096)
}

/// A word of 0, and frames within the canvas whose data begin in the file (sprite.1).
fn is_sprite(input: &AssetSniffInput) -> Option<bool> {
    let length = input.bytes.length();
    let count = word(input, 6)?;
    let (width, height) = (i32::from(word(input, 2)?), i32::from(word(input, 4)?));
    if word(input, 0)? != 0 || count == 0 {
        return Some(false);
    }
    let table = input.bytes.range(8, 24 * usize::from(count)).ok()?;
    Some(table.chunks_exact(24).all(|frame| {
        let number = |at: usize| i32::from(i16::from_le_bytes([frame[at], frame[at + 1]]));
        let (x, y, w, h) = (number(0), number(2), number(4), number(6));
        let offset = u32::from_le_bytes([frame[20], frame[21], frame[22], frame[23]]);
        let empty = w == 0 || h == 0;
        let inside = x >= 0 && y >= 0 && w >= 0 && h >= 0 && x + w <= width && y + h <= height;
        empty || inside && u64::from(offset) < length
    }))
}

/// A number of frames, and behind their entries one that points at the end of the file (old-sprite.1).
fn is_old_sprite(input: &AssetSniffInput) -> Option<bool> {
    let count = u64::from(word(input, 0)?);
    let end = double_word(input, 14 + 8 * count)? & 0x00FF_FFFF;
    Some(count > 0 && u64::from(end) == input.bytes.length())
}

/// An index that accounts for every byte of the file (archive.1).
fn is_archive(input: &AssetSniffInput) -> Option<bool> {
    let list = mix_list(&MixListInput { game: input.game, bytes: input.bytes.clone(), strict: true });
    Some(list.is_ok())
}

/// The mark of the first chunk (sound.1).
fn is_sound(input: &AssetSniffInput) -> Option<bool> {
    Some(double_word(input, 16)? == 0x0000_DEAF)
}

/// Nothing but text, and a line that begins with a bracket (text.1).
fn is_text(input: &AssetSniffInput) -> Option<bool> {
    let length = Some(input.bytes.length()).filter(|length| *length <= MAX_TEXT)?;
    let printable = |byte: &u8| !matches!(byte, 0..=8 | 11 | 12 | 14..=31 | 127);
    let text = |length: u64| {
        let bytes = input.bytes.range(0, length as usize).ok()?;
        Some(bytes).filter(|bytes| bytes.iter().all(printable))
    };
    text(length.min(FIRST_TEXT))?;
    let section = |line: &[u8]| line.trim_ascii_start().starts_with(b"[");
    Some(text(length)?.split(|byte| *byte == b'\n').any(section))
}
