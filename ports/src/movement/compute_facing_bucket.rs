//! A facing rounded to the few directions that a sprite, a turn table or a muzzle flash knows.
//!
//! Rounding and shifting differ on half of all facings, so both are shown. An eight-direction sprite goes through two
//! roundings and a table instead; that is another system.

use assay_model::{Area, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `compute_facing_bucket` says of itself.
pub static META: Meta = Meta {
    name: "compute_facing_bucket",
    area: Area::Movement,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "Rounds a facing to 8, 16, 32, 64 or 256 steps and to sprite frames.",
    aliases: &[
        "quantise facing",
        "octant",
        "compass direction",
        "sprite frame",
        "DirStruct",
        "DirType",
        "Facing8",
        "Facing16",
        "Facing32",
        "Dir_To_8",
        "Rotates",
        "muzzle flash",
    ],
    units: "facing: 65536 (RA1: 256) to a turn, north 0, clockwise; bucket: 0 to buckets - 1",
    example: r#"{"game":"YR","facing":16383,"buckets":32}"#,
};

/// `compute_facing_bucket` as a capability.
pub static PORT: FnPort<FacingBucketInput, FacingBucket> = FnPort::new(&META, compute_facing_bucket);

/// RA1: the first byte of each of the 32 directions, and at last where the first one begins again. The steps are uneven
/// on purpose: they undo a distortion of the program that drew the sprites (clause `ra1-thirty-two.1`).
const RA1_STARTS: [u8; 33] = [
    0, 5, 14, 22, 33, 39, 46, 53, 60, 67, 74, 81, 88, 96, 104, 113, 122, 133, 142, 151, 161, 167, 174, 181,
    188, 195, 202, 209, 216, 224, 232, 241, 250,
];

/// Largest offset of either sign; more would only wrap again.
const OFFSET_LIMIT: i32 = 65_535;

/// Arguments of [`compute_facing_bucket`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacingBucketInput {
    /// Game whose rule is wanted. Default YR.
    #[serde(default = "super::default_game")]
    pub game: Game,
    /// Facing: 0 to 65535, 65536 to a turn; in RA1 a byte, 0 to 255.
    pub facing: u16,
    /// Directions wanted: 8, 16, 32, 64 or 256; in RA1 8, 16 or 32.
    #[schemars(extend("enum" = [8, 16, 32, 64, 256]))]
    pub buckets: u16,
    /// Added to the bucket before it wraps; -65535 to 65535. RA1 has none: 0 only. Default 0.
    #[serde(default)]
    #[schemars(range(min = -65_535, max = 65_535))]
    pub offset: i32,
}

/// Stages of [`compute_facing_bucket`]. A stage that does not apply is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FacingBucket {
    /// The facing that came in.
    pub raw: u16,
    /// Width of the bucket in bits.
    pub bits: u8,
    /// The direction, rounded, half up, offset and wrapped (clauses `round.1`, `offset.1`; RA1 `ra1-eight.1`,
    /// `ra1-sixteen.1`, `ra1-thirty-two.1`).
    pub bucket: u16,
    /// What cutting gives instead of rounding, without offset, for comparison; in RA1 with 8 buckets what `Dir_To_8`
    /// answers (clauses `round.1`, `ra1-eight.2`).
    pub truncated: u16,
    /// The facing that stands for the bucket; RA1 has one for 8 directions only (clauses `widen.1`, `ra1-eight.3`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authored: Option<u16>,
    /// YR, 8 buckets, no offset: which of exactly eight muzzle animations is played (clause `muzzle.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muzzle_frame: Option<u16>,
    /// YR, 32 buckets, no offset: frame of a rotating projectile sprite (clause `bullet.1`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bullet_frame: Option<u16>,
}

/// Rounds a facing to a bucket.
///
/// # Errors
/// `EOPNOTSUPP` at `game`; `EINVAL` at `buckets`, `offset` or (RA1) `facing` for values that the game does not have.
pub fn compute_facing_bucket(input: &FacingBucketInput) -> Result<FacingBucket, PortError> {
    META.offers(input.game)?;
    let bits = match (input.game, input.buckets) {
        (_, 8) => 3,
        (_, 16) => 4,
        (_, 32) => 5,
        (Game::Ra1, _) => return Err(PortError::invalid("buckets", "must be 8, 16 or 32 in RA1")),
        (_, 64) => 6,
        (_, 256) => 8,
        _ => return Err(PortError::invalid("buckets", "must be 8, 16, 32, 64 or 256")),
    };
    if input.offset.unsigned_abs() > OFFSET_LIMIT.unsigned_abs() {
        return Err(PortError::invalid("offset", "must be -65535 to 65535"));
    }
    if input.game == Game::Ra1 {
        return ancestor(input, bits);
    }
    let bucket = wrap(i32::from(rounded(input.facing, bits)) + input.offset, bits);
    let conventions = input.game == Game::Yr && input.offset == 0;
    Ok(FacingBucket {
        raw: input.facing,
        bits: bits as u8,
        bucket,
        truncated: input.facing >> (16 - bits),
        authored: Some(wrap((i32::from(bucket) - input.offset) << (16 - bits), 16)),
        muzzle_frame: (conventions && bits == 3).then_some((bucket + 1) & 7),
        bullet_frame: (conventions && bits == 5).then_some(28_u16.wrapping_sub(bucket) & 31),
    })
}

/// A 16-bit facing rounded, half up, to `bits` bits, not wrapped (clause `round.1`). `bits` is 1 to 15.
pub(crate) const fn rounded(facing: u16, bits: u32) -> u16 {
    ((facing >> (15 - bits)) + 1) >> 1
}

/// The low `bits` bits; `bits` is at most 16.
fn wrap(value: i32, bits: u32) -> u16 {
    (value & ((1 << bits) - 1)) as u16
}

/// RA1, whose facings are bytes.
fn ancestor(input: &FacingBucketInput, bits: u32) -> Result<FacingBucket, PortError> {
    if input.offset != 0 {
        return Err(PortError::invalid("offset", "must be 0 in RA1, which has no offset"));
    }
    let Ok(facing) = u8::try_from(input.facing) else {
        return Err(PortError::invalid("facing", "must be 0 to 255 in RA1"));
    };
    let bucket = match bits {
        3 => facing.wrapping_add(0x10) >> 5,
        4 => facing.wrapping_add(8) >> 4,
        _ => (RA1_STARTS.partition_point(|start| *start <= facing) as u8).wrapping_sub(1) & 31,
    };
    // `Dir_To_8` sets bit 4 first, which the shift drops again.
    let truncated = facing >> (8 - bits);
    Ok(FacingBucket {
        raw: input.facing,
        bits: bits as u8,
        bucket: u16::from(bucket),
        truncated: u16::from(truncated),
        authored: (bits == 3).then_some(u16::from(bucket) << 5),
        muzzle_frame: None,
        bullet_frame: None,
    })
}
