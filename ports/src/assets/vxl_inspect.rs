//! `vxl_inspect`: the layout and the limbs of a voxel file.

use super::source::{Source, fault, text};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "vxl_inspect",
    area: Area::Assets,
    kind: Kind::Inspect,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Layout of a VXL voxel file: palette pages, limbs, their sizes, scales, bounds and normals.",
    aliases: &["VXL", "voxel", "limb", "voxel section", "tailer", "normals type", "palette page"],
    units: "bytes from the start of the file, voxels",
    example: "{\"bytes\":\"hex:566f78656c20416e696d6174696f6e0000000000010000000100000022000000626f647900000000000\
        0000000000000000000000100000002000000000000000a000000090000001100000000020a010b020201000001010c03010\
        10000000000000800000010000000abaaaa3d0000803f00000000000000000000003f000000000000803f00000000000000c\
        000000000000000000000803f00008040000080bf000000c0000040c00000803f000000400000404002010304\"}",
};

/// The port.
pub static PORT: FnPort<VxlInspectInput, VxlInspect> = FnPort::new(&META, vxl_inspect);

/// Bytes of the header, of a palette page, and of the header and the tail of a limb.
const HEADER: u64 = 32;
const PAGE: u64 = 770;
const LIMB: u64 = 28;
const TAIL: u64 = 92;
/// Most limbs.
const MAX_LIMBS: u32 = 512;

/// A voxel file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VxlInspectInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB and 512 limbs.
    pub bytes: Bytes,
}

/// What a voxel file holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VxlInspect {
    /// Number of palette pages (header.1).
    pub page_count: u32,
    /// First and last colour of the house in each page (page.1).
    pub remaps: Vec<[u8; 2]>,
    /// Number of limbs (header.1).
    pub limb_count: u32,
    /// Where the headers of the limbs begin (layout.1).
    pub limbs_at: u64,
    /// Where the body begins (layout.1).
    pub body_at: u64,
    /// Bytes of the body (header.1).
    pub body_size: u32,
    /// Where the tails of the limbs begin (layout.1).
    pub tails_at: u64,
    /// Bytes after the tails.
    pub trailing: u64,
    /// The limbs in order.
    pub limbs: Vec<VxlLimb>,
}

/// One limb.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VxlLimb {
    /// Its name, up to the first 0 (limb.1).
    pub name: String,
    /// Its number, which is its place as a rule (limb.1).
    pub number: u32,
    /// Table of where columns begin, from the start of the body (tail.1).
    pub starts: u32,
    /// Table of where columns end (tail.1).
    pub ends: u32,
    /// The columns themselves (tail.1).
    pub spans: u32,
    /// Scale (tail.1).
    pub scale: f64,
    /// Three rows of four numbers (tail.1).
    pub transform: [[f64; 4]; 3],
    /// Least corner (tail.1).
    pub min: [f64; 3],
    /// Greatest corner (tail.1).
    pub max: [f64; 3],
    /// Voxels along x, y and z (tail.1).
    pub size: [u8; 3],
    /// Table of normals: 1 to 4 (tail.1).
    pub normals: u8,
}

/// Reads the layout of a file.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_magic`, `bad_count` (no limb, more than 512, other numbers of headers and
/// tails, or normals of no known table). `EFBIG` beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn vxl_inspect(input: &VxlInspectInput) -> Result<VxlInspect, PortError> {
    META.offers(input.game)?;
    layout(&Source::read(&input.bytes)?)
}

/// The same of a file in memory.
pub(crate) fn layout(source: &Source) -> Result<VxlInspect, PortError> {
    if source.part(0, HEADER)?[..16] != *b"Voxel Animation\0" {
        return Err(fault("bad_magic", "the file does not begin with Voxel Animation"));
    }
    let (pages, count, tails, body) = (source.u32(16)?, source.u32(20)?, source.u32(24)?, source.u32(28)?);
    if count == 0 || count > MAX_LIMBS || count != tails {
        return Err(fault("bad_count", format!("{count} limbs with {tails} tails")));
    }
    let limbs_at = HEADER + PAGE * u64::from(pages);
    let body_at = limbs_at + LIMB * u64::from(count);
    let tails_at = body_at + u64::from(body);
    let end = tails_at + TAIL * u64::from(count);
    source.part(0, end)?;
    let remap = |page| Ok([source.u8(HEADER + PAGE * page)?, source.u8(HEADER + PAGE * page + 1)?]);
    let limb = |index| limb(source, limbs_at + LIMB * index, tails_at + TAIL * index);
    Ok(VxlInspect {
        page_count: pages,
        remaps: (0..u64::from(pages)).map(remap).collect::<Result<_, PortError>>()?,
        limb_count: count,
        limbs_at,
        body_at,
        body_size: body,
        tails_at,
        trailing: source.length() - end,
        limbs: (0..u64::from(count)).map(limb).collect::<Result<_, _>>()?,
    })
}

fn limb(source: &Source, head: u64, tail: u64) -> Result<VxlLimb, PortError> {
    let normals = source.u8(tail + 91)?;
    if !(1..=4).contains(&normals) {
        return Err(fault("bad_count", format!("normals of table {normals}")));
    }
    let mut numbers = [0.0; 19];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = source.f32(tail + 12 + 4 * place as u64)?;
    }
    let [scale, a, b, c, d, e, f, g, h, i, j, k, l, x0, y0, z0, x1, y1, z1] = numbers;
    Ok(VxlLimb {
        name: text(source.part(head, 16)?),
        number: source.u32(head + 16)?,
        starts: source.u32(tail)?,
        ends: source.u32(tail + 4)?,
        spans: source.u32(tail + 8)?,
        scale,
        transform: [[a, b, c, d], [e, f, g, h], [i, j, k, l]],
        min: [x0, y0, z0],
        max: [x1, y1, z1],
        size: source.triple(tail + 88)?,
        normals,
    })
}
