//! `mix_key`: the 80 bytes at the start of an encrypted archive to the key of its index.

use super::{hex, yr};
use assay_model::{Area, Bytes, FnPort, Game, Kind, Meta, PortError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metadata.
pub static META: Meta = Meta {
    name: "mix_key",
    area: Area::Assets,
    kind: Kind::Compute,
    games: &[Game::Ra1, Game::Ts, Game::Ra2, Game::Yr],
    summary: "The Blowfish key of an encrypted MIX archive from its 80-byte key source, by the public RSA key.",
    aliases: &[
        "key source",
        "RSA",
        "public key",
        "Blowfish key",
        "PKStraw",
        "key.ini",
        "encrypted MIX",
        "65537",
    ],
    units: "80 bytes in, 56 bytes out",
    example: r#"{"source":"hex:0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"}"#,
};

/// The port.
pub static PORT: FnPort<MixKeyInput, MixKey> = FnPort::new(&META, mix_key);

/// A key source.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixKeyInput {
    /// Game whose archive it is; all use one public key. Default YR.
    #[serde(default = "yr")]
    pub game: Game,
    /// The 80 bytes after the flags of the archive.
    pub source: Bytes,
}

/// One half of a key source.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct KeyHalf {
    /// Whether the half is below the modulus, as every encrypted one is; one that is not is reduced first (power.1).
    pub below_modulus: bool,
    /// The power as 40 bytes, low byte first, in hexadecimal digits (power.1).
    pub power_hex: String,
}

/// A key.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MixKey {
    /// Both halves in order.
    pub halves: [KeyHalf; 2],
    /// The key as hexadecimal digits (join.1).
    pub key_hex: String,
    /// Number of different bytes in the key; Westwood's have few.
    pub unique_bytes: u32,
}

/// Ten words of 32 bits, the low one first.
type Wide = [u32; 10];

/// The public modulus, 319 bits.
const MODULUS: Wide = [
    0xAA43_7F15,
    0xD1FB_4F3D,
    0xF8B0_C1E6,
    0xABDD_0E6A,
    0x6682_B04A,
    0xE8AA_54FA,
    0x5171_3FA2,
    0x5651_60D6,
    0x6D39_FCE4,
    0x51BC_DA08,
];

/// Computes a key.
///
/// # Errors
/// `EINVAL` at `source`, by name: `truncated` (fewer than 80 bytes), `size_mismatch` (more).
pub fn mix_key(input: &MixKeyInput) -> Result<MixKey, PortError> {
    META.offers(input.game)?;
    let length = input.source.length();
    if length != 80 {
        let name = if length < 80 { "truncated" } else { "size_mismatch" };
        return Err(PortError::invalid("source", format!("{name}: {length} bytes, a key source has 80")));
    }
    let source = input.source.range(0, 80)?;
    let (first, second) = source.split_at(40);
    let (key, powers) = key_of(first, second);
    let half = |bytes: &[u8], power: &[u8; 40]| KeyHalf {
        below_modulus: less(&wide(bytes), &MODULUS),
        power_hex: hex(power),
    };
    let mut seen = [false; 256];
    key.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    Ok(MixKey {
        halves: [half(first, &powers[0]), half(second, &powers[1])],
        key_hex: hex(&key),
        unique_bytes: seen.iter().filter(|seen| **seen).count() as u32,
    })
}

/// The key of the two halves, and the powers that it was taken from.
#[must_use]
pub fn key_of(first: &[u8], second: &[u8]) -> ([u8; 56], [[u8; 40]; 2]) {
    let powers = [power(wide(first)), power(wide(second))];
    let mut key = [0; 56];
    key[..39].copy_from_slice(&powers[0][..39]);
    key[39..].copy_from_slice(&powers[1][..17]);
    (key, powers)
}

/// A little-endian number; what is missing of 40 bytes is zero.
fn wide(bytes: &[u8]) -> Wide {
    let mut number = [0; 10];
    for (at, byte) in bytes.iter().take(40).enumerate() {
        number[at / 4] |= u32::from(*byte) << (at % 4 * 8);
    }
    number
}

/// The number to the power of 65537, modulo the public modulus: sixteen squares and one product.
fn power(base: Wide) -> [u8; 40] {
    let mut base = base;
    while !less(&base, &MODULUS) {
        subtract(&mut base);
    }
    let mut square = base;
    for _ in 0..16 {
        square = product(&square, &square);
    }
    let result = product(&square, &base);
    let mut bytes = [0; 40];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(result) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// A product of two numbers below the modulus, by doubling; twice such a number fits 320 bits.
fn product(a: &Wide, b: &Wide) -> Wide {
    let mut result = [0; 10];
    for bit in (0..320).rev() {
        let twice = result;
        add(&mut result, &twice);
        if b[bit / 32] >> (bit % 32) & 1 == 1 {
            add(&mut result, a);
        }
    }
    result
}

/// Adds, and takes the modulus off once if the sum reaches it.
fn add(sum: &mut Wide, other: &Wide) {
    let mut carry = 0;
    for (word, other) in sum.iter_mut().zip(other) {
        carry += u64::from(*word) + u64::from(*other);
        *word = carry as u32;
        carry >>= 32;
    }
    if !less(sum, &MODULUS) {
        subtract(sum);
    }
}

fn subtract(number: &mut Wide) {
    let mut borrow = false;
    for (word, other) in number.iter_mut().zip(MODULUS) {
        let (first, under) = word.overflowing_sub(other);
        let (second, again) = first.overflowing_sub(u32::from(borrow));
        (*word, borrow) = (second, under || again);
    }
}

fn less(a: &Wide, b: &Wide) -> bool {
    a.iter().rev().lt(b.iter().rev())
}
