//! Blowfish: sixteen rounds, boxes from pi, blocks of eight bytes by themselves, halves with the high byte first.

use super::pi_table::PI;

/// A key made ready.
pub struct Blowfish {
    rounds: [u32; 18],
    boxes: Vec<u32>,
}

impl Blowfish {
    /// Makes a key ready; its bytes are used over and over. An empty key is taken as one zero byte.
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        let mut cipher = Self { rounds: [0; 18], boxes: PI[18..].to_vec() };
        let mut bytes = if key.is_empty() { &[0] } else { key }.iter().cycle();
        for (round, start) in cipher.rounds.iter_mut().zip(PI) {
            let word = bytes.by_ref().take(4).fold(0, |word, byte| word << 8 | u32::from(*byte));
            *round = start ^ word;
        }
        let (mut left, mut right) = (0, 0);
        for at in (0..18).step_by(2) {
            (left, right) = cipher.forward(left, right);
            cipher.rounds[at] = left;
            cipher.rounds[at + 1] = right;
        }
        for at in (0..1024).step_by(2) {
            (left, right) = cipher.forward(left, right);
            cipher.boxes[at] = left;
            cipher.boxes[at + 1] = right;
        }
        cipher
    }

    fn mix(&self, word: u32) -> u32 {
        let [a, b, c, d] = word.to_be_bytes().map(usize::from);
        let sum = self.boxes[a].wrapping_add(self.boxes[256 + b]);
        (sum ^ self.boxes[512 + c]).wrapping_add(self.boxes[768 + d])
    }

    fn forward(&self, left: u32, right: u32) -> (u32, u32) {
        self.turn(left, right, self.rounds.iter())
    }

    /// Sixteen rounds with the keys in this order; the last two go in without mixing.
    fn turn<'a>(&self, left: u32, right: u32, mut keys: impl Iterator<Item = &'a u32>) -> (u32, u32) {
        let (mut left, mut right) = (left, right);
        for key in keys.by_ref().take(16) {
            left ^= key;
            right ^= self.mix(left);
            (left, right) = (right, left);
        }
        let mut last = keys.copied();
        let (for_left, for_right) = (last.next().unwrap_or(0), last.next().unwrap_or(0));
        (right ^ for_right, left ^ for_left)
    }

    /// Encrypts or decrypts whole blocks in place; a ragged tail stays as it is.
    pub fn apply(&self, bytes: &mut [u8], decrypt: bool) {
        for block in bytes.as_chunks_mut::<8>().0 {
            let word = u64::from_be_bytes(*block);
            let (left, right) = ((word >> 32) as u32, word as u32);
            let (left, right) = if decrypt {
                self.turn(left, right, self.rounds.iter().rev())
            } else {
                self.forward(left, right)
            };
            *block = (u64::from(left) << 32 | u64::from(right)).to_be_bytes();
        }
    }
}
