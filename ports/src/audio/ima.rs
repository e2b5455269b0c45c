//! IMA ADPCM: a nibble to a sample. The codec itself, apart from any capability.

/// Steps by index (table.1).
const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88,
    97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658,
    724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660,
    4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818,
    18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

/// How the index moves, by the low three bits of a nibble (index.1).
const MOVES: [i32; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];

/// Largest index into the steps.
pub const MAX_INDEX: u8 = 88;

/// What the codec remembers between nibbles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The sample before.
    pub predictor: i16,
    /// Index of the step, 0 to 88; a larger one counts as 88.
    pub index: u8,
    /// Samples that were held at an end of the range.
    pub clamped: u64,
}

impl State {
    /// The sample of a nibble; bits above the low four are not looked at.
    pub fn nibble(&mut self, nibble: u8) -> i16 {
        let step = STEPS.get(usize::from(self.index)).copied().unwrap_or(32_767);
        let mut difference = step >> 3;
        for (bit, part) in [(1, step >> 2), (2, step >> 1), (4, step)] {
            if nibble & bit != 0 {
                difference += part;
            }
        }
        let signed = if nibble & 8 == 0 { difference } else { -difference };
        let wanted = i32::from(self.predictor) + signed;
        let held = wanted.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        self.clamped += u64::from(held != wanted);
        self.predictor = held as i16;
        let index = i32::from(self.index) + MOVES[usize::from(nibble & 7)];
        self.index = index.clamp(0, i32::from(MAX_INDEX)) as u8;
        self.predictor
    }

    /// The two samples of a byte, low nibble first (order.1).
    pub fn byte(&mut self, byte: u8) -> [i16; 2] {
        [self.nibble(byte), self.nibble(byte >> 4)]
    }
}
