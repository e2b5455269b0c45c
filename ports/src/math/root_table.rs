//! The mantissa table of the engines' square root, built at compile time by whole numbers alone.
//!
//! A significand `s` from 1 up to 4 has its root from 1 up to 2; entry `i` is the fraction of that root in 23 bits,
//! rounded down. With `s` as a multiple of 1/8192 the root in units of 2^-23 is the whole root of `s · 2^46`, so no
//! float is needed and no rounding mode can matter (spec `compute_fast_sqrt`, clause entry.1).

/// Entries: 8192 significands from 1 up to 2, then 8192 from 2 up to 4.
pub const ENTRIES: usize = 16_384;

/// The table, at 0x008650BC of the YR executable.
pub static TABLE: [u32; ENTRIES] = build();

const fn build() -> [u32; ENTRIES] {
    let mut table = [0; ENTRIES];
    let mut index = 0;
    while index < ENTRIES {
        table[index] = entry(index as u64);
        index += 1;
    }
    table
}

/// The fraction of one root.
const fn entry(index: u64) -> u32 {
    // The significand in units of 1/8192: 8192 + i, or 2 · (8192 + (i − 8192)).
    let significand = if index < 8192 { 8192 + index } else { 2 * index };
    let root = (significand << 33).isqrt();
    (root - (1 << 23)) as u32
}
