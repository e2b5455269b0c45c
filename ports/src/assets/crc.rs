//! The usual CRC-32, which pins decoded bytes that are too many to print.

/// Bytes that are taken in one step.
const STEP: usize = 16;

/// What a byte leaves of the remainder when so many bytes follow it: `TABLES[0]` is the table of the textbook.
static TABLES: [[u32; 256]; STEP] = tables();

const fn tables() -> [[u32; 256]; STEP] {
    let mut tables = [[0; 256]; STEP];
    let mut byte = 0;
    while byte < 256 {
        let (mut remainder, mut bit) = (byte as u32, 0);
        while bit < 8 * STEP {
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ 0xEDB8_8320 } else { remainder >> 1 };
            bit += 1;
            if bit % 8 == 0 {
                tables[bit / 8 - 1][byte] = remainder;
            }
        }
        byte += 1;
    }
    tables
}

/// The checksum of some bytes.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let (steps, rest) = bytes.as_chunks::<STEP>();
    // The remainder stands over the first four bytes of a step; each byte then adds what it leaves at its distance from the end.
    let state = steps.iter().fold(u32::MAX, |state, step| {
        let start = state.to_le_bytes();
        let byte = |at: usize| step[at] ^ start.get(at).unwrap_or(&0);
        (0..STEP).fold(0, |sum, at| sum ^ TABLES[STEP - 1 - at][usize::from(byte(at))])
    });
    !rest.iter().fold(state, |state, byte| state >> 8 ^ TABLES[0][usize::from(state as u8 ^ byte)])
}
