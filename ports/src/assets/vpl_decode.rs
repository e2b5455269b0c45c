//! `vpl_decode`: the lighting pages of a VPL file.

use super::crc::crc32;
use super::source::{Source, attachment, fault};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "vpl_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Remap range, palette and lighting pages of a VPL voxel palette lookup.",
    aliases: &["VPL", "voxels.vpl", "voxel palette", "lighting page", "light level table", "shade lookup"],
    units: "pages of 256 palette indexes; channels of colours from 0 to 255",
    example: "{\"bytes\":\"base64:EAAAAB8AAAABAAAAAAAAAAAHDhUcIyoxOD9GTVRbYmlwd36FjJOaoaivtr3Ey9LZ4Ofu9fwDChEYHyYtNDtCSVBXXm\
        Vsc3qBiI+WnaSrsrnAx87V3OPq8fj/Bg0UGyIpMDc+RUxTWmFob3Z9hIuSmaCnrrW8w8rR2N/m7fT7AgkQFx4lLDM6\
        QUhPVl1ka3J5gIeOlZyjqrG4v8bN1Nvi6fD3/gUMExohKC82PURLUllgZ251fIOKkZifpq20u8LJ0Nfe5ezz+gEIDx\
        YdJCsyOUBHTlVcY2pxeH+GjZSboqmwt77FzNPa4ejv9v0ECxIZICcuNTxDSlFYX2ZtdHuCiZCXnqWss7rByM/W3eTr\
        8vkABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wM\
        fO1dzj6vH4/wYNFBsiKTA3PkVMU1phaG92fYSLkpmgp661vMPK0djf5u30+wIJEBceJSwzOkFIT1ZdZGtyeYCHjpWc\
        o6qxuL/GzdTb4unw9/4FDBMaISgvNj1ES1JZYGdudXyDipGYn6attLvCydDX3uXs8/oBCA8WHSQrMjlAR05VXGNqcX\
        h/ho2Um6KpsLe+xczT2uHo7/b9BAsSGSAnLjU8Q0pRWF9mbXR7gomQl56lrLO6wcjP1t3k6/L5AAcOFRwjKjE4P0ZN\
        VFtiaXB3foWMk5qhqK+2vcTL0tng5+71/AMKERgfJi00O0JJUFdeZWxzeoGIj5adpKuyucDHztXc4+rx+P8GDRQbIi\
        kwNz5FTFNaYWhvdn2Ei5KZoKeutbzDytHY3+bt9PsCCRAXHiUsMzpBSE9WXWRrcnmAh46VnKOqsbi/xs3U2+Lp8Pf+\
        BQwTGiEoLzY9REtSWWBnbnV8g4qRmJ+mrbS7wsnQ197l7PP6AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09\
        rh6O/2/QQLEhkgJy41PENKUVhfZm10e4KJkJeepayzusHIz9bd5Ovy+f/+/fz7+vn49/b19PPy8fDv7u3s6+rp6Ofm\
        5eTj4uHg397d3Nva2djX1tXU09LR0M/OzczLysnIx8bFxMPCwcC/vr28u7q5uLe2tbSzsrGwr66trKuqqainpqWko6\
        KhoJ+enZybmpmYl5aVlJOSkZCPjo2Mi4qJiIeGhYSDgoGAf359fHt6eXh3dnV0c3JxcG9ubWxramloZ2ZlZGNiYWBf\
        Xl1cW1pZWFdWVVRTUlFQT05NTEtKSUhHRkVEQ0JBQD8+PTw7Ojk4NzY1NDMyMTAvLi0sKyopKCcmJSQjIiEgHx4dHB\
        saGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=\"}",
};

/// The port.
pub static PORT: FnPort<VplDecodeInput, VplDecode> =
    FnPort::new(&META, vpl_decode).attaching(|vpl| attachment("pages", &vpl.data));

/// Bytes of the four words, of the palette with them, and of a page.
const WORDS: u64 = 16;
const HEADER: u64 = WORDS + 768;
const PAGE: u64 = 256;
/// Most pages.
const MAX_PAGES: u32 = 128;

/// A lookup.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VplDecodeInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file: 784 bytes and 1 to 128 pages of 256.
    pub bytes: Bytes,
}

/// What a lookup holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VplDecode {
    /// First palette index of the house colours (header.1).
    pub remap_first: u32,
    /// Last palette index of the house colours (header.1).
    pub remap_last: u32,
    /// Number of pages (header.1).
    pub pages: u32,
    /// A word that nothing is known of.
    pub unknown: u32,
    /// CRC-32 of the palette, 768 bytes of whole colours (palette.1).
    pub palette_crc32: u32,
    /// CRC-32 of the attachment `pages` (page.1).
    pub crc32: u32,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// Decodes a lookup.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated` (no header), `bad_count` (no page, or more than 128), `size_mismatch` (another length
/// than the pages give). `EFBIG` beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn vpl_decode(input: &VplDecodeInput) -> Result<VplDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let palette = source.part(0, HEADER)?;
    let palette_crc32 = crc32(&palette[WORDS as usize..]);
    let pages = source.u32(8)?;
    if !(1..=MAX_PAGES).contains(&pages) {
        return Err(fault("bad_count", format!("{pages} pages, 1 to {MAX_PAGES} are read")));
    }
    let size = PAGE * u64::from(pages);
    if HEADER + size != source.length() {
        let message = format!("{pages} pages take {} bytes, not {}", HEADER + size, source.length());
        return Err(fault("size_mismatch", message));
    }
    let data = source.part(HEADER, size)?.to_vec();
    Ok(VplDecode {
        remap_first: source.u32(0)?,
        remap_last: source.u32(4)?,
        pages,
        unknown: source.u32(12)?,
        palette_crc32,
        crc32: crc32(&data),
        data,
    })
}
