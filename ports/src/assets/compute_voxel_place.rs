//! `compute_voxel_place`: how far the translation of a voxel animation moves a limb.

use super::yr;
use crate::math::x87::{div, mul, sub};
use crate::rules::text::{Reader, double};
use assay_model::{Area, Caveat, FnPort, Game, Kind, Meta, PortError, Real, RealArg};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "compute_voxel_place",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Translation of an HVA matrix scaled by the bounds and size of its voxel limb, as one tool does it.",
    aliases: &[
        "limb translation",
        "HVA translation",
        "voxel scale",
        "section offset",
        "limb bounds",
        "turret offset",
    ],
    units: "voxels in; the units of the limb's bounds times its scale out",
    example: r#"{"translation":[0.5,-2,4],"scale":0.0833333358168602,"min":[-6,-6,0],"max":[6,6,12],"size":[12,12,6]}"#,
};

/// The port.
pub static PORT: FnPort<VoxelPlaceInput, VoxelPlace> = FnPort::new(&META, compute_voxel_place);

/// A translation and its limb.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoxelPlaceInput {
    /// Game whose files they are; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// Last column of the HVA matrix: x, y, z in voxels, each within the range of a binary32.
    pub translation: [RealArg; 3],
    /// Scale in the tail of the limb, within the range of a binary32.
    pub scale: RealArg,
    /// Least corner of its bounds, within the range of a binary32.
    pub min: [RealArg; 3],
    /// Greatest corner of its bounds, within the range of a binary32.
    pub max: [RealArg; 3],
    /// Its size in voxels along x, y and z, each 1 to 255.
    pub size: [u8; 3],
}

/// A scaled translation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VoxelPlace {
    /// Scale * (max - min) / size along x, y and z (factor.1).
    pub factor: [Real; 3],
    /// The translation times that (factor.1).
    pub translation_scaled: [Real; 3],
    /// What the result reaches of the open clause: always.
    pub caveats: Vec<Caveat>,
}

/// Scales a translation.
///
/// # Errors
/// `EINVAL` at `size` for a limb without size, and at a number that is not finite or beyond the range of a binary32, which all
/// of them are in the files, so that nothing overflows; `EOPNOTSUPP` at `game` for a game
/// without evidence.
pub fn compute_voxel_place(input: &VoxelPlaceInput) -> Result<VoxelPlace, PortError> {
    META.offers(input.game)?;
    if input.size.contains(&0) {
        return Err(PortError::invalid("size", "must be at least 1 along every axis"));
    }
    let number = |arg: &RealArg, field: &str| {
        let value = double(arg, field, input.game, Reader::Double)?;
        if value.abs() <= f64::from(f32::MAX) {
            return Ok(value);
        }
        Err(PortError::invalid(field, "is beyond the binary32 range"))
    };
    let scale = number(&input.scale, "scale")?;
    let (mut factor, mut translation_scaled) = ([Real(0.0); 3], [Real(0.0); 3]);
    for axis in 0..3 {
        let across = sub(number(&input.max[axis], "max")?, number(&input.min[axis], "min")?);
        let scaled = div(mul(scale, across), f64::from(input.size[axis]));
        let translation = number(&input.translation[axis], "translation")?;
        factor[axis] = Real(scaled);
        translation_scaled[axis] = Real(mul(translation, scaled));
    }
    let text = "one tool does so; how the games put body and limb together is another matter";
    Ok(VoxelPlace { factor, translation_scaled, caveats: vec![Caveat::new("factor.1", text)] })
}
