//! `vpl_shade`: the colour of a voxel at a light level.

use super::vpl_decode::{VplDecodeInput, vpl_decode};
use super::yr;
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "vpl_shade",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Ts, Game::Ra2, Game::Yr],
    summary: "Palette index that a voxel colour takes at a light level, from a VPL file.",
    aliases: &["VPL", "voxel shading", "light level", "lighting page", "shaded colour", "voxels.vpl"],
    units: "palette indexes; a level is the number of a page",
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
        saGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=\",\"level\":0,\"colour\":255}",
};

/// The port.
pub static PORT: FnPort<VplShadeInput, VplShade> = FnPort::new(&META, vpl_shade);

/// A lookup, a level, a colour.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VplShadeInput {
    /// Game that shades; the three are alike. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The VPL file: 784 bytes and 1 to 128 pages of 256.
    pub bytes: Bytes,
    /// Light level, which is the number of a page, from 0.
    pub level: u32,
    /// Palette index of the voxel, 0 to 255.
    pub colour: u8,
}

/// The shaded colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VplShade {
    /// Number of pages.
    pub pages: u32,
    /// The page that is taken (shade.1, clamp.1).
    pub page: u32,
    /// Whether the level was beyond the last page; the games do not look, and read what is behind (clamp.1).
    pub clamped: bool,
    /// Whether the colour is one of the house colours.
    pub remapped: bool,
    /// The palette index that is drawn (shade.1).
    pub result: u8,
}

/// Looks a colour up.
///
/// # Errors
/// As `vpl_decode`.
pub fn vpl_shade(input: &VplShadeInput) -> Result<VplShade, PortError> {
    META.offers(input.game)?;
    let vpl = vpl_decode(&VplDecodeInput { game: input.game, bytes: input.bytes.clone() })?;
    let page = input.level.min(vpl.pages - 1);
    let at = 256 * page as usize + usize::from(input.colour);
    Ok(VplShade {
        pages: vpl.pages,
        page,
        clamped: page != input.level,
        remapped: (vpl.remap_first..=vpl.remap_last).contains(&u32::from(input.colour)),
        result: vpl.data[at],
    })
}
