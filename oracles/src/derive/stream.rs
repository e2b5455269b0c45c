//! The random numbers of TS, RA2 and YR, for derivations: `stream` and `draw`.
//!
//! What a seed gives is itself derived, step by step, in the suites of `simulate_random_stream` and
//! `simulate_random_range`; every other suite that draws would repeat those forty lines and pay for 250 seeded words
//! at every point of a sweep. Written from the specs of those two, apart from `ports`, as a recurrence and not as a table
//! that is overwritten.

use super::number::Number;
use super::value::{Record, Value};
use std::sync::Arc;

/// Words of the seeded table, which come before the first that is drawn.
const TABLE: usize = 250;
/// How far behind the oldest word its partner lies.
const PARTNER: usize = 103;
/// Most words that `stream` gives.
pub const MOST_WORDS: usize = 1000;

/// What the seeding rounds mix in before and after squaring.
const ROUNDS: [(u32, u32); 4] = [
    (0xBAA9_6887, 0x4B0F_3B58),
    (0x1E17_D32C, 0xE874_F0C3),
    (0x03BC_DC3C, 0x6955_C5A6),
    (0x0F33_D1B2, 0x55A7_CA46),
];

/// The first `count` words that the seed draws.
pub fn words(seed: u32, count: usize) -> Vec<u32> {
    let mut sequence: Vec<u32> = (0..TABLE as u32).map(|index| seeded(seed, index)).collect();
    for oldest in 0..count {
        sequence.push(sequence[oldest] ^ sequence[oldest + PARTNER]);
    }
    sequence.split_off(TABLE)
}

/// One word of the table: a Feistel network over the seed and the word's index.
fn seeded(seed: u32, index: u32) -> u32 {
    let half = |(left, right): (u32, u32), (before, after): (u32, u32)| {
        let mixed = i64::from((right ^ before).cast_signed());
        let (high, low) = (mixed.div_euclid(1 << 16), mixed.rem_euclid(1 << 16));
        // Minus high² less one: the complement. Only the low 32 bits are kept, then looked at as signed.
        let square = i64::from((low * low - high * high - 1) as i32);
        let exchanged = (square.div_euclid(1 << 16) as u32) | ((square as u32) << 16);
        let product = (low * high) as u32;
        (right, left ^ (exchanged ^ after).wrapping_add(product))
    };
    ROUNDS.into_iter().fold((seed, index), half).1
}

/// A number from `low` to `high` by mask and rejection, and the index of the first word that was not needed.
fn ranged(words: &[Value], at: usize, low: i64, high: i64) -> Result<(i64, usize), String> {
    let (low, high) = (low.min(high), low.max(high));
    let span = high - low;
    if span == 0 {
        return Ok((low, at));
    }
    if span >= i64::from(i32::MAX) {
        return Err("bounds so far apart draw nothing in the engine: leave the call out".to_owned());
    }
    let mask = (u64::MAX >> span.leading_zeros()) as i128;
    for (index, word) in words.iter().enumerate().skip(at) {
        let Value::Number(word) = word else {
            return Err("the list holds something other than words".to_owned());
        };
        let word = word.to_int().ok_or("the list holds something other than words")? & mask;
        if word <= i128::from(span) {
            return Ok((low + word as i64, index + 1));
        }
    }
    Err(format!("the {} words given do not reach: ask `stream` for more", words.len()))
}

/// `stream(seed, count)`.
pub fn stream(seed: &Number, count: &Number) -> Result<Value, String> {
    let seed = seed.to_int().and_then(|seed| u32::try_from(seed).ok());
    let seed = seed.ok_or("a seed is an unsigned 32-bit number: write u32(…)")?;
    let count =
        count.to_int().and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= MOST_WORDS);
    let count = count.ok_or_else(|| format!("`stream` gives 0 to {MOST_WORDS} words"))?;
    Value::list(words(seed, count).into_iter().map(|word| Value::Number(i128::from(word).into())).collect())
}

/// `draw(words, at, low, high)`: `{value, at}`.
pub fn draw(words: &[Value], at: &Number, low: &Number, high: &Number) -> Result<Value, String> {
    let at = at.to_int().and_then(|at| usize::try_from(at).ok());
    let at = at.ok_or("`draw` starts at a word: a whole number from 0")?;
    let bound = |bound: &Number| {
        let whole = bound.to_int().and_then(|bound| i32::try_from(bound).ok()).map(i64::from);
        whole.ok_or_else(|| format!("bounds of `draw` are signed 32-bit numbers, not {bound}"))
    };
    let (value, next) = ranged(words, at, bound(low)?, bound(high)?)?;
    let number = |value: i128| Value::Number(value.into());
    let fields = vec![("value".into(), number(value.into())), ("at".into(), number(next as i128))];
    Ok(Value::Record(Arc::new(Record::new(fields)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i128) -> Number {
        Number::from(value)
    }

    fn drawn(count: i128, at: i128, low: i128, high: i128) -> Result<Value, String> {
        let Value::List(words) = stream(&number(1), &number(count))? else { panic!("no list") };
        draw(words.items(), &number(at), &number(low), &number(high))
    }

    fn pair(value: i128, at: i128) -> Value {
        let field = |(name, held): (&str, i128)| (name.into(), Value::Number(held.into()));
        Value::Record(Arc::new(Record::new([("value", value), ("at", at)].map(field).to_vec()).unwrap()))
    }

    /// The original under a processor emulator drew these (source `vera-rng-emulated`).
    #[test]
    fn the_words_are_those_of_the_original() {
        assert_eq!(words(0, 4), [1_229_352_179, 1_781_224_790, 2_424_954_917, 2_632_964_923]);
        assert_eq!(words(1, 4), [2_025_287_381, 660_436_142, 3_663_968_561, 2_901_129_938]);
    }

    /// Word 397 is the first whose partner is itself drawn twice over; the table as it is overwritten tells the same.
    #[test]
    fn the_recurrence_is_the_table_that_is_overwritten() {
        let mut table: Vec<u32> = (0..TABLE as u32).map(|index| seeded(77, index)).collect();
        let overwritten: Vec<u32> = (0..MOST_WORDS)
            .map(|draw| {
                table[draw % TABLE] ^= table[(draw + PARTNER) % TABLE];
                table[draw % TABLE]
            })
            .collect();
        assert_eq!(words(77, MOST_WORDS), overwritten);
    }

    /// Seed 1 draws 2025287381 = …1010101 first: masked by 127 that is 85, within 0 to 99. Masked by 63 (for a span of
    /// 40) it is 21, by 15 it is 5, by 7 it is 5.
    #[test]
    fn a_draw_masks_and_rejects() {
        assert_eq!(drawn(8, 0, 0, 99), Ok(pair(85, 1)));
        assert_eq!(drawn(8, 0, 99, 0), Ok(pair(85, 1)));
        assert_eq!(drawn(8, 0, -10, 30), Ok(pair(11, 1)));
        // 5 is above a span of 4 and thrown away; 660436142 ends in 110, and so is 6; 3663968561 ends in 001.
        assert_eq!(drawn(8, 0, 10, 14), Ok(pair(11, 3)));
        assert_eq!(drawn(0, 0, 7, 7), Ok(pair(7, 0)));
    }

    #[test]
    fn what_cannot_be_drawn_is_said() {
        let message = |result: Result<Value, String>| result.unwrap_err();
        assert_eq!(message(drawn(2, 0, 10, 14)), "the 2 words given do not reach: ask `stream` for more");
        assert_eq!(message(drawn(8, -1, 0, 1)), "`draw` starts at a word: a whole number from 0");
        assert_eq!(
            message(drawn(8, 0, 0, i128::from(i32::MAX))),
            "bounds so far apart draw nothing in the engine: leave the call out"
        );
        assert_eq!(
            message(drawn(8, 0, 0, 1 << 40)),
            "bounds of `draw` are signed 32-bit numbers, not 1099511627776"
        );
        assert_eq!(
            message(stream(&number(-1), &number(1))),
            "a seed is an unsigned 32-bit number: write u32(…)"
        );
        assert_eq!(message(stream(&number(1), &number(1001))), "`stream` gives 0 to 1000 words");
    }
}
