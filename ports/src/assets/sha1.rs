//! SHA-1 as FIPS 180 has it: the digest that archives carry and that decoded bytes are compared by.

/// A digest in the making, for what is not in memory as a whole.
pub struct Sha1 {
    state: [u32; 5],
    length: u64,
}

impl Sha1 {
    /// Before the first byte.
    #[must_use]
    pub const fn new() -> Self {
        Self { state: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0], length: 0 }
    }

    /// Takes whole blocks of 64 bytes in, and gives back what is left over: nothing but at the end.
    pub fn blocks<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (blocks, rest) = bytes.as_chunks::<64>();
        for block in blocks {
            absorb(&mut self.state, block);
        }
        self.length += (bytes.len() - rest.len()) as u64;
        rest
    }

    /// The digest with the last bytes, fewer than a block.
    #[must_use]
    pub fn finish(mut self, rest: &[u8]) -> [u8; 20] {
        let rest = self.blocks(rest);
        // The bytes left over, one set bit, zeros, and the length in bits: one block or two.
        let bits = (self.length + rest.len() as u64) * 8;
        let mut tail = [0; 128];
        tail[..rest.len()].copy_from_slice(rest);
        tail[rest.len()] = 0x80;
        let end = if rest.len() < 56 { 64 } else { 128 };
        tail[end - 8..end].copy_from_slice(&bits.to_be_bytes());
        self.blocks(&tail[..end]);
        let mut digest = [0; 20];
        for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

impl Default for Sha1 {
    fn default() -> Self {
        Self::new()
    }
}

/// The digest of some bytes.
#[must_use]
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::new().finish(bytes)
}

fn absorb(state: &mut [u32; 5], block: &[u8; 64]) {
    let mut words = [0_u32; 80];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for at in 16..80 {
        words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in words.into_iter().enumerate() {
        let (mixed, constant) = match round {
            0..20 => ((b & c) | (!b & d), 0x5A82_7999),
            20..40 => (b ^ c ^ d, 0x6ED9_EBA1),
            40..60 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6_u32),
        };
        let next =
            a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(constant).wrapping_add(word);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (kept, added) in state.iter_mut().zip([a, b, c, d, e]) {
        *kept = kept.wrapping_add(added);
    }
}
