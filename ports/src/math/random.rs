//! The engines' random generators, for every port that draws.
//!
//! [`Stream`] is the 250-word lagged XOR of Tiberian Sun and its successors, [`Congruential`] the 15-bit generator of Red
//! Alert (spec `simulate_random_stream`); both make ranged draws by mask and rejection (spec `simulate_random_range`).
//! [`Generator`] is the one that a game uses.

use assay_model::Game;

/// Words of the lagged generator.
pub const WORDS: usize = 250;
/// Distance of the second cursor from the first.
const LAG: usize = 103;

/// Draws after which a ranged draw has ended, whatever the seed. A rejected word has the top bit of the mask set (the
/// values without it fit the span). After 250 of them in a row every word of the table has that bit, so the next draw,
/// the XOR of two words, has not. The congruential generator stays far below: over its whole period no bit that a mask
/// can end on is set more than 24 times in a row.
const MAX_DRAWS: u32 = 251;

/// First constants of the four seeding rounds.
const MIX_IN: [u32; 4] = [0xBAA9_6887, 0x1E17_D32C, 0x03BC_DC3C, 0x0F33_D1B2];
/// Second constants of the four seeding rounds.
const MIX_OUT: [u32; 4] = [0x4B0F_3B58, 0xE874_F0C3, 0x6955_C5A6, 0x55A7_CA46];

/// One word of the seeded table.
fn seeded_word(seed: u32, index: u32) -> u32 {
    let (mut left, mut right) = (seed, index);
    for (mix_in, mix_out) in MIX_IN.into_iter().zip(MIX_OUT) {
        let mixed = right ^ mix_in;
        let low = (mixed & 0xFFFF) as i32;
        let high = (mixed as i32) >> 16;
        let square = low.wrapping_mul(low).wrapping_add(!high.wrapping_mul(high));
        #[expect(
            clippy::manual_rotate,
            reason = "no rotation: the shift fills with the sign, so a negative ORs in ones"
        )]
        let swapped = (square >> 16) | (square << 16);
        let sum = (swapped as u32 ^ mix_out).wrapping_add(low.wrapping_mul(high) as u32);
        (left, right) = (right, left ^ sum);
    }
    right
}

/// What a ranged draw did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The number drawn.
    pub value: i32,
    /// Lower bound after ordering.
    pub low: i32,
    /// Upper bound after ordering.
    pub high: i32,
    /// Upper bound less lower bound; 0 for equal bounds.
    pub span: u32,
    /// All ones up to the highest bit of the span that the search sees; 0 for equal bounds.
    pub mask: u32,
    /// Draws thrown away.
    pub rejected: u32,
}

/// Mask and reject, with draws of which `bits` are significant (spec `simulate_random_range`, clauses range.1 to range.4).
fn pick(bits: u32, a: i32, b: i32, mut next: impl FnMut() -> u32) -> Pick {
    let (low, high) = (a.min(b), a.max(b));
    let span = high.wrapping_sub(low) as u32;
    let mut pick = Pick { value: low, low, high, span, mask: 0, rejected: 0 };
    if span == 0 {
        return pick;
    }
    // The search for the highest bit starts at the top significant bit and ends at bit 0, set or not.
    let seen = span & (u32::MAX >> (32 - bits));
    pick.mask = u32::MAX >> seen.max(1).leading_zeros();
    if span >= 0x7FFF_FFFF {
        // The loop asks whether span + 1 is above the span; here the sum wraps, so it is left before the first draw.
        pick.value = low.wrapping_add(i32::MIN);
        return pick;
    }
    for _ in 0..MAX_DRAWS {
        let roll = next() & pick.mask;
        if roll <= span {
            pick.value = low.wrapping_add(roll as i32);
            break;
        }
        pick.rejected += 1;
    }
    pick
}

/// The generator of TS, RA2 and YR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    words: [u32; WORDS],
    first: usize,
    second: usize,
    disabled: bool,
    draws: u64,
}

impl Stream {
    /// The table that a seed gives, cursors at 0 and 103.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let words = std::array::from_fn(|index| seeded_word(seed, index as u32));
        Self { words, first: 0, second: LAG, disabled: false, draws: 0 }
    }

    /// Sets the byte that makes every draw 0 and moves nothing (RA2 and YR; TS has no such byte).
    pub fn disable(&mut self) {
        self.disabled = true;
    }

    /// The next raw draw, all 32 bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "a generator is no iterator: it has no end and is not consumed"
    )]
    pub fn next(&mut self) -> u32 {
        if self.disabled {
            return 0;
        }
        self.words[self.first] ^= self.words[self.second];
        let word = self.words[self.first];
        let advance = |cursor: usize| if cursor + 1 == WORDS { 0 } else { cursor + 1 };
        (self.first, self.second) = (advance(self.first), advance(self.second));
        self.draws += 1;
        word
    }

    /// A number between two bounds, both included and in either order, with its stages. Bounds more than `0x7FFF_FFFE`
    /// apart give `lower + 0x8000_0000`, wrapped, without a draw.
    pub fn pick(&mut self, lo: i32, hi: i32) -> Pick {
        pick(32, lo, hi, || self.next())
    }

    /// Raw draws made since seeding.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// The table as it is now.
    #[must_use]
    pub fn words(&self) -> &[u32; WORDS] {
        &self.words
    }

    /// Both cursors, 0 to 249.
    #[must_use]
    pub fn cursors(&self) -> (u8, u8) {
        (self.first as u8, self.second as u8)
    }
}

/// The generator of RA1: 32 bits of state, 15 of them drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Congruential {
    state: u32,
    draws: u64,
}

impl Congruential {
    /// The seed is the state.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self { state: seed, draws: 0 }
    }

    /// The next raw draw, 0 to 32767.
    #[expect(
        clippy::should_implement_trait,
        reason = "a generator is no iterator: it has no end and is not consumed"
    )]
    pub fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(0x41C6_4E6D).wrapping_add(0x3039);
        self.draws += 1;
        (self.state >> 10) & 0x7FFF
    }

    /// A number between two bounds, both included and in either order, with its stages. The mask ends at bit 14 at most,
    /// so bounds more than 32767 apart leave most of the range out.
    pub fn pick(&mut self, lo: i32, hi: i32) -> Pick {
        pick(15, lo, hi, || self.next())
    }

    /// Raw draws made since seeding.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// The state as it is now.
    #[must_use]
    pub fn state(&self) -> u32 {
        self.state
    }
}

/// The generator that a game uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generator {
    /// TS, RA2 and YR.
    Lagged(Box<Stream>),
    /// TD and RA1.
    Congruential(Congruential),
}

impl Generator {
    /// The game's generator, seeded.
    #[must_use]
    pub fn seeded(game: Game, seed: u32) -> Self {
        match game {
            Game::Ts | Game::Ra2 | Game::Yr => Self::Lagged(Box::new(Stream::new(seed))),
            Game::Td | Game::Ra1 => Self::Congruential(Congruential::new(seed)),
        }
    }

    /// The next raw draw.
    #[expect(
        clippy::should_implement_trait,
        reason = "a generator is no iterator: it has no end and is not consumed"
    )]
    pub fn next(&mut self) -> u32 {
        match self {
            Self::Lagged(stream) => stream.next(),
            Self::Congruential(generator) => generator.next(),
        }
    }

    /// A ranged draw with its stages.
    pub fn pick(&mut self, lo: i32, hi: i32) -> Pick {
        match self {
            Self::Lagged(stream) => stream.pick(lo, hi),
            Self::Congruential(generator) => generator.pick(lo, hi),
        }
    }

    /// Raw draws made since seeding.
    #[must_use]
    pub fn draws(&self) -> u64 {
        match self {
            Self::Lagged(stream) => stream.draws(),
            Self::Congruential(generator) => generator.draws(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of which 250 draws in a row have the top bit of the mask `3` set, the most that there can be.
    fn stubborn() -> Stream {
        let mut stream = Stream::new(0);
        stream.words = std::array::from_fn(|index| if (44..147).contains(&index) { 3 } else { 0 });
        stream
    }

    #[test]
    fn rejection_ends_with_the_251st_draw_at_the_latest() {
        let mut stream = stubborn();
        let pick = stream.pick(0, 2);
        assert_eq!((pick.value, pick.rejected, stream.draws()), (0, 250, u64::from(MAX_DRAWS)));
    }

    #[test]
    fn no_bit_of_the_congruential_generator_stays_set_for_long() {
        for bit in 10..25 {
            let (mut generator, mut run, mut longest) = (Congruential::new(0), 0, 0);
            // Bit n has the period 2^(n + 1); one more run of 64 covers the seam.
            for _ in 0..(1_u32 << (bit + 1)) + 64 {
                generator.next();
                run = if generator.state >> bit & 1 == 1 { run + 1 } else { 0 };
                longest = longest.max(run);
            }
            assert!(longest <= 24, "bit {bit}: {longest}");
        }
    }

    #[test]
    fn cursors_wrap_apart_and_a_disabled_stream_stands_still() {
        let mut stream = Stream::new(1);
        for _ in 0..147 {
            stream.next();
        }
        assert_eq!(stream.cursors(), (147, 0));
        let before = stream.clone();
        stream.disable();
        assert_eq!((stream.next(), stream.pick(9, 3).value, stream.draws()), (0, 3, 147));
        assert_eq!((stream.words(), stream.cursors()), (before.words(), before.cursors()));
    }

    #[test]
    fn the_widest_bounds_draw_nothing() {
        let mut stream = Stream::new(1);
        assert_eq!(stream.pick(0, i32::MAX).value, i32::MIN);
        assert_eq!(stream.pick(-1, i32::MAX - 1).value, i32::MAX);
        assert_eq!(stream.pick(i32::MIN, i32::MAX).value, 0);
        assert_eq!(stream.draws(), 0);
    }

    #[test]
    fn the_congruential_mask_search_stops_at_bit_14() {
        let mask = |span: i32| Congruential::new(1).pick(0, span).mask;
        assert_eq!([mask(32767), mask(32768), mask(32769), mask(100_000)], [0x7FFF, 1, 1, 0x7FF]);
        assert_eq!([mask(1), mask(2), mask(0x7FFF_FFFE)], [1, 3, 0x7FFF]);
    }
}
