//! `map_preview`: the small picture of a map that menus show.

use super::ini_text::{Ini, IniText, Section};
use super::pack_chunks::Codec;
use super::sha1::sha1;
use super::source::{attachment, fault};
use super::{hex, yr};
use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "map_preview",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Preview picture of a map from Preview and PreviewPack: size, colours, or why there is none.",
    aliases: &["PreviewPack", "Preview Size", "minimap picture", "map thumbnail", "no_preview"],
    units: "pixels; colours as 0xRRGGBB",
    example: r#"{"bytes":"[Preview]\nSize=0,0,2,1\n[PreviewPack]\n1=CgAGABf/AAAAAP8RAAA=\n"}"#,
};

/// The port.
pub static PORT: FnPort<MapPreviewInput, MapPreview> =
    FnPort::new(&META, map_preview).attaching(|preview| attachment("rgb", &preview.data));

/// Most bytes of a picture: 16 MiB.
const MOST: usize = 16 << 20;
/// Width and height of the dummy, its length, and how its two lines begin, in either order.
const DUMMY: (i32, i32, usize, [&[u8]; 2]) = (106, 61, 140, [b"BIACcgAEwBtA", b"yAsAIAXQ5PDQ"]);

/// A map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapPreviewInput {
    /// Game that reads it; all read alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The map file: its text, or `"hex:…"`, `"base64:…"`, a named source. At most 32 MiB; `[Preview]` and
    /// `[PreviewPack]` are read.
    pub bytes: IniText,
}

/// Why a map has no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoPreview {
    /// It has none of the sections.
    Absent,
    /// The pack has no value.
    Empty,
    /// The pack is the one that tools write in place of a picture (dummy.1).
    Dummy,
}

/// The picture of a map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapPreview {
    /// Why there is no picture; everything below is 0 or empty then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_preview: Option<NoPreview>,
    /// Width in pixels (size.1).
    pub width: i32,
    /// Height in pixels (size.1).
    pub height: i32,
    /// Chunks of the pack.
    pub chunks: u32,
    /// Bytes behind the last chunk.
    pub trailing: u32,
    /// What is odd but no error: `missing_padding` of base 64; left out where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub warnings: Vec<String>,
    /// Bytes unpacked: three a pixel (pixels.1).
    pub output_len: u32,
    /// SHA-1 of them, 40 hexadecimal digits; they are the attachment `rgb`, rows from the top, red first (pixels.1).
    pub sha1: String,
    /// Colours of the corners: top left, top right, bottom left, bottom right (pixels.1).
    pub corners: Vec<u32>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Decodes the picture of a map.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `missing` (one of the two sections, or the size), `bad_number`, `bad_count` (a size that is
/// not positive), `bad_text` (no base 64), those of `pack_chunks`, `size_mismatch` (not three
/// bytes a pixel). `EOPNOTSUPP` for a pack line of more than 127 characters, and at `game` for a game without evidence.
/// `EFBIG` beyond 32 MiB.
pub fn map_preview(input: &MapPreviewInput) -> Result<MapPreview, PortError> {
    META.offers(input.game)?;
    let text = input.bytes.whole()?;
    let ini = Ini::load(&text, input.game)?;
    if ini.find("Preview").is_none() && ini.find("PreviewPack").is_none() {
        return Ok(MapPreview::none(NoPreview::Absent));
    }
    let section = ini.section("PreviewPack")?;
    if section.entries.iter().all(|(_, value)| value.is_empty()) {
        return Ok(MapPreview::none(NoPreview::Empty));
    }
    let [_, _, width, height] = ini.section("Preview")?.rectangle("Size")?;
    if is_dummy(section, width, height) {
        return Ok(MapPreview::none(NoPreview::Dummy));
    }
    if width < 1 || height < 1 {
        return Err(fault("bad_count", format!("a picture of {width} by {height} pixels")));
    }
    let pack = section.unpack(Codec::Lzo, MOST)?;
    // Three times the product of two lengths may need more than 64 bits.
    let size = 3 * i128::from(width) * i128::from(height);
    if i128::from(pack.output_len) != size {
        return Err(fault("size_mismatch", format!("{} bytes, the picture has {size}", pack.output_len)));
    }
    Ok(MapPreview {
        no_preview: None,
        width,
        height,
        chunks: pack.chunks.len() as u32,
        trailing: pack.trailing,
        warnings: pack.warnings,
        output_len: pack.output_len,
        sha1: hex(&sha1(&pack.output)),
        corners: corners(&pack.output, width as usize),
        data: pack.output,
    })
}

impl MapPreview {
    fn none(why: NoPreview) -> Self {
        Self {
            no_preview: Some(why),
            width: 0,
            height: 0,
            chunks: 0,
            trailing: 0,
            warnings: Vec::new(),
            output_len: 0,
            sha1: String::new(),
            corners: Vec::new(),
            data: Vec::new(),
        }
    }
}

/// Whether a pack is the dummy, which no codec unpacks.
fn is_dummy(section: &Section<'_>, width: i32, height: i32) -> bool {
    let (dummy_width, dummy_height, length, starts) = DUMMY;
    let [(_, first), (_, second)] = section.entries[..] else { return false };
    let begins = |line: &[u8], start: usize| line.starts_with(starts[start]);
    let either = begins(first, 0) && begins(second, 1) || begins(first, 1) && begins(second, 0);
    (width, height) == (dummy_width, dummy_height) && first.len() + second.len() == length && either
}

/// The corners of a picture of whole rows.
fn corners(rgb: &[u8], width: usize) -> Vec<u32> {
    let pixels: Vec<u32> =
        rgb.chunks_exact(3).map(|pixel| u32::from_be_bytes([0, pixel[0], pixel[1], pixel[2]])).collect();
    let below = pixels.len() - width;
    [0, width - 1, below, pixels.len() - 1].map(|at| pixels[at]).to_vec()
}
