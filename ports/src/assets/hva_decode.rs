//! `hva_decode`: the matrices that move the limbs of a voxel file.

use super::crc::crc32;
use super::source::{Source, attachment, fault, text};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "hva_decode",
    area: Area::Assets,
    kind: Kind::Decode,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Frames, limb names and 3 by 4 matrices of an HVA voxel animation.",
    aliases: &["HVA", "voxel animation", "transform matrix", "turret animation", "limb", "section matrix"],
    units: "matrices in rows of four, the last of a row its translation in voxels",
    example: r#"{"bytes":"hex:5445535400000000000000000000000001000000010000007475720000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<HvaDecodeInput, HvaDecode> =
    FnPort::new(&META, hva_decode).attaching(|hva| attachment("matrices", &hva.data));

/// Bytes of the header, of a name and of a matrix.
const HEADER: u64 = 24;
const NAME: u64 = 16;
const MATRIX: u64 = 48;
/// Most limbs, as many as a voxel file may have, and most matrices.
const MAX_LIMBS: u32 = 512;
const MAX_MATRICES: u64 = 131_072;

/// An HVA file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HvaDecodeInput {
    /// Game that reads it; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The file, at most 64 MiB, 512 limbs and 131072 matrices (header.1).
    pub bytes: Bytes,
}

/// What an HVA file holds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HvaDecode {
    /// Name of what it was made from, up to its first 0; often a path or rubbish (header.1).
    pub source: String,
    /// Number of frames (header.1).
    pub frame_count: u32,
    /// Number of limbs (header.1).
    pub section_count: u32,
    /// Names of the limbs; they go with those of the voxel file by place, not by name (names.1).
    pub sections: Vec<String>,
    /// Numbers that are infinite or none; they show as null.
    pub non_finite: u32,
    /// Bytes after the matrices.
    pub trailing: u64,
    /// CRC-32 of the matrices as they are in the file, which are the attachment.
    pub crc32: u32,
    /// The matrices: all limbs of the first frame, then all of the next (matrix.1).
    pub matrices: Vec<HvaMatrix>,
    /// The attachment.
    #[serde(skip)]
    pub data: Vec<u8>,
}

/// One matrix.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HvaMatrix {
    /// Its frame, from 0.
    pub frame: u32,
    /// Its limb, from 0.
    pub section: u32,
    /// Where it begins in the file (matrix.1).
    pub offset: u64,
    /// Three rows of four numbers (matrix.1).
    pub rows: [[f64; 4]; 3],
}

/// Decodes an animation.
///
/// # Errors
/// `EINVAL` at `bytes`, by name: `truncated`, `bad_count` (no frame, no limb, more than 512 limbs or 131072 matrices). `EFBIG`
/// beyond 64 MiB; `EOPNOTSUPP` at `game` for a game without evidence.
pub fn hva_decode(input: &HvaDecodeInput) -> Result<HvaDecode, PortError> {
    META.offers(input.game)?;
    let source = Source::read(&input.bytes)?;
    source.part(0, HEADER)?;
    let (frames, sections) = (source.u32(16)?, source.u32(20)?);
    // Two factors below 2^32 fit 64 bits.
    let count = u64::from(frames) * u64::from(sections);
    if count == 0 || sections > MAX_LIMBS || count > MAX_MATRICES {
        let most = format!("at most {MAX_LIMBS} limbs and {MAX_MATRICES} matrices are read");
        return Err(fault("bad_count", format!("{frames} frames of {sections} limbs; {most}")));
    }
    let start = HEADER + NAME * u64::from(sections);
    let size = count * MATRIX;
    let data = source.part(start, size)?.to_vec();
    let name = |index| Ok(text(source.part(HEADER + NAME * index, NAME)?));
    let names = (0..u64::from(sections)).map(name).collect::<Result<_, PortError>>()?;
    let matrix = |index| matrix(&source, index, start + MATRIX * index, sections);
    let matrices = (0..count).map(matrix).collect::<Result<Vec<_>, _>>()?;
    let numbers = matrices.iter().flat_map(|matrix| matrix.rows.as_flattened());
    Ok(HvaDecode {
        source: text(source.part(0, NAME)?),
        frame_count: frames,
        section_count: sections,
        sections: names,
        non_finite: numbers.filter(|number| !number.is_finite()).count() as u32,
        trailing: source.length() - start - size,
        crc32: crc32(&data),
        matrices,
        data,
    })
}

fn matrix(source: &Source, index: u64, offset: u64, sections: u32) -> Result<HvaMatrix, PortError> {
    let mut rows = [[0.0; 4]; 3];
    for (place, number) in rows.as_flattened_mut().iter_mut().enumerate() {
        *number = source.f32(offset + 4 * place as u64)?;
    }
    let sections = u64::from(sections);
    Ok(HvaMatrix { frame: (index / sections) as u32, section: (index % sections) as u32, offset, rows })
}
