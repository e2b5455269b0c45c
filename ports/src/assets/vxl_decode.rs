//! `vxl_decode`: the voxels of every limb of a voxel file.

use super::crc::crc32;
use super::source::{MAX_BYTES, Source, attachment, fault, within};
use super::vxl_inspect::{VxlInspect, VxlLimb, layout};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "vxl_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Voxels of every limb of a VXL file with colours and normals, and what its redundant counts say.",
    aliases: &["VXL", "voxel", "span", "voxel column", "voxel colour", "voxel normal", "unpack voxels"],
    units: "voxels, bytes",
    example: "{\"bytes\":\"hex:566f78656c20416e696d6174696f6e0001000000010000000100000022000000101f000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000\
        000000000000000000000626f6479000000000000000000000000000000000100000002000000000000000a0000000900000\
        01100000000020a010b020201000001010c0301010000000000000800000010000000abaaaa3d0000803f000000000000000\
        00000003f000000000000803f00000000000000c000000000000000000000803f00008040000080bf000000c0000040c0000\
        0803f000000400000404002010304\"}",
};

/// The port.
pub static PORT: FnPort<VxlDecodeInput, VxlDecode> =
    FnPort::new(&META, vxl_decode).attaching(|vxl| attachment("voxels", &vxl.data));

/// The place of a column that is not there.
const NONE: i32 = -1;

/// A voxel file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VxlDecodeInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB and 512 limbs; its voxels and spans are at most 64 MiB, at five bytes and sixteen.
    pub bytes: Bytes,
    /// Whether to refuse what the games do not look at: a repeated count or an end of a column that is wrong. Default
    /// false, which counts them.
    #[serde(default)]
    pub strict: bool,
}

/// What a voxel file shows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VxlDecode {
    /// Layout of the file.
    pub layout: VxlInspect,
    /// The limbs in order.
    pub limbs: Vec<VxlVoxels>,
    /// CRC-32 of the attachment `voxels`: x, y, z, colour, normal of each, limb by limb, columns in order of their numbers,
    /// upwards.
    pub crc32: u32,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// The voxels of one limb.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct VxlVoxels {
    /// Number of voxels (span.1).
    pub voxels: u32,
    /// Columns that are not empty (column.1).
    pub columns: u32,
    /// Spans in them (span.1).
    pub spans: u32,
    /// Highest index of a normal among the voxels (span.1); nothing without voxels. The table that `layout` names for the limb
    /// has a vector for it or not, as `inspect_voxel_normal` tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default)]
    pub highest_normal: Option<u8>,
    /// Spans whose repeated count is another (repeat.1).
    pub wrong_repeats: u32,
    /// Columns whose end is another than the table says (end.1).
    pub wrong_ends: u32,
    /// CRC-32 of this limb's part of the attachment.
    pub crc32: u32,
}

/// Decodes all limbs.
///
/// # Errors
/// As `vxl_inspect`; further `EINVAL` at `bytes`: `offset_out_of_range` (a table or column whose place is
/// outside the body), `truncated` (a table or column that leaves the body), `size_mismatch` (a column higher than its limb, one
/// that begins and has no end, and with `strict` any wrong count or end). `EFBIG`, `output_overrun`, for more voxels and spans
/// than the cap.
pub fn vxl_decode(input: &VxlDecodeInput) -> Result<VxlDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    let layout = layout(&source)?;
    let body = source.part(layout.body_at, u64::from(layout.body_size))?;
    // Columns may share their bytes, so what comes out is counted before any of it is made.
    let mut spent = 0;
    for limb in &layout.limbs {
        Columns { body, limb, spent: &mut spent, data: None }.read()?;
    }
    let (mut limbs, mut data, mut spent) = (Vec::with_capacity(layout.limbs.len()), Vec::new(), 0);
    for limb in &layout.limbs {
        let start = data.len();
        let mut decoded = Columns { body, limb, spent: &mut spent, data: Some(&mut data) }.read()?;
        if input.strict && decoded.wrong_repeats + decoded.wrong_ends > 0 {
            let message = format!(
                "{} counts are repeated wrong, {} ends are wrong",
                decoded.wrong_repeats, decoded.wrong_ends
            );
            return Err(fault("size_mismatch", message));
        }
        decoded.crc32 = crc32(&data[start..]);
        limbs.push(decoded);
    }
    Ok(VxlDecode { limbs, crc32: crc32(&data), data, layout })
}

/// The columns of a limb on their way into the attachment, or only to be counted.
struct Columns<'a> {
    body: &'a [u8],
    limb: &'a VxlLimb,
    /// What the voxels and spans so far cost, of all limbs.
    spent: &'a mut u64,
    data: Option<&'a mut Vec<u8>>,
}

impl Columns<'_> {
    fn read(&mut self) -> Result<VxlVoxels, PortError> {
        let mut decoded = VxlVoxels::default();
        let [across, along, high] = self.limb.size;
        for y in 0..along {
            for x in 0..across {
                let column = u64::from(y) * u64::from(across) + u64::from(x);
                let start = self.entry(self.limb.starts, column)?;
                let end = self.entry(self.limb.ends, column)?;
                if start == NONE {
                    continue;
                }
                if end == NONE {
                    return Err(fault("size_mismatch", format!("column {column} begins and does not end")));
                }
                let first = i64::from(self.limb.spans) + i64::from(start);
                // Of a limb without height nothing is read.
                if start < 0 || (high > 0 && first > self.body.len() as i64) {
                    let message = format!("column {column} begins at {start}, which is outside the body");
                    return Err(fault("offset_out_of_range", message));
                }
                let last = self.column(x, y, i64::from(start), &mut decoded)?;
                decoded.columns += 1;
                decoded.wrong_ends += u32::from(last != i64::from(end));
            }
        }
        Ok(decoded)
    }

    /// Reads a column and gives the place of its last byte, counted as its start is.
    fn column(&mut self, x: u8, y: u8, start: i64, decoded: &mut VxlVoxels) -> Result<i64, PortError> {
        let (mut at, mut z, high) = (start, 0_u32, u32::from(self.limb.size[2]));
        while z < high {
            let (skip, count) = (self.byte(at)?, self.byte(at + 1)?);
            self.spend(count)?;
            z += u32::from(skip);
            if z + u32::from(count) > high {
                return Err(fault("size_mismatch", format!("a column higher than {high}")));
            }
            at += 2;
            if self.data.is_some() {
                self.voxels([x, y, z as u8], at, count, decoded)?;
            }
            decoded.spans += 1;
            decoded.voxels += u32::from(count);
            z += u32::from(count);
            at += 2 * i64::from(count);
            decoded.wrong_repeats += u32::from(self.byte(at)? != count);
            at += 1;
        }
        Ok(at - 1)
    }

    /// Puts the `count` voxels at `at` into the attachment, the lowest of them at the place given.
    fn voxels(
        &mut self,
        [x, y, z]: [u8; 3],
        at: i64,
        count: u8,
        decoded: &mut VxlVoxels,
    ) -> Result<(), PortError> {
        let first = (i64::from(self.limb.spans) + at) as usize;
        let pairs =
            self.body.get(first..first + 2 * usize::from(count)).ok_or_else(|| beyond(first as u64))?;
        let Some(data) = &mut self.data else { return Ok(()) };
        for (voxel, pair) in pairs.chunks_exact(2).enumerate() {
            decoded.highest_normal = decoded.highest_normal.max(Some(pair[1]));
            data.extend_from_slice(&[x, y, z + voxel as u8, pair[0], pair[1]]);
        }
        Ok(())
    }

    /// Takes a span of `count` voxels off the cap. One that gives nothing is work all the same.
    fn spend(&mut self, count: u8) -> Result<(), PortError> {
        *self.spent += 16 + 5 * u64::from(count);
        within(*self.spent, || format!("voxels of 5 bytes and spans of 16 are more than {MAX_BYTES}"))
    }

    /// An entry of a table in the body.
    fn entry(&self, table: u32, column: u64) -> Result<i32, PortError> {
        if u64::from(table) > self.body.len() as u64 {
            return Err(fault("offset_out_of_range", format!("a table at {table} is outside the body")));
        }
        let at = usize::try_from(u64::from(table) + 4 * column).unwrap_or(usize::MAX);
        let entry = self.body.get(at..).and_then(|rest| rest.first_chunk::<4>());
        entry.map(|bytes| i32::from_le_bytes(*bytes)).ok_or_else(|| beyond(at as u64))
    }

    /// A byte of the columns, counted from where those of the limb begin.
    fn byte(&self, at: i64) -> Result<u8, PortError> {
        let at = (i64::from(self.limb.spans) + at) as usize;
        self.body.get(at).copied().ok_or_else(|| beyond(at as u64))
    }
}

fn beyond(at: u64) -> PortError {
    fault("truncated", format!("byte {at} is beyond the body"))
}
