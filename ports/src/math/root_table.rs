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
    let mut root = 1 << 23;
    let mut index = 0;
    while index < ENTRIES {
        root = root_after(root, index as u64);
        table[index] = (root - (1 << 23)) as u32;
        index += 1;
    }
    table
}

/// The whole root of an entry's significand from that of the entry before: a step of Newton's, which from there overshoots
/// by one at most. (`isqrt` for each entry gives the same and makes every build of this crate seconds longer.)
const fn root_after(root: u64, index: u64) -> u64 {
    // The significand in units of 1/8192: 8192 + i, or 2 · (8192 + (i − 8192)).
    let significand = if index < 8192 { 8192 + index } else { 2 * index };
    let square = significand << 33;
    let next = root + (square - root * root) / (2 * root);
    if next * next > square { next - 1 } else { next }
}
