//! Sine and cosine as TS, RA2 and YR take them: out of a table of 10240 entries, one period and a quarter, without
//! interpolation.
//!
//! An angle is counted in half steps first. An odd count takes the next entry, and does so in the same direction for negative
//! angles, so the sine is not odd: that of minus a sixteenth of a half turn is not minus that of plus a sixteenth.

use super::sine_table::QUARTER;
use super::x87;

/// Half steps to a radian: a binary32, slightly below 16384 over a turn.
const HALF_STEPS: f64 = 2_607.594_482_421_875;
/// Entries to a turn.
const TURN: i32 = 8192;
/// Entries to half a turn, and to a quarter.
const HALF: usize = 4096;
const QUARTER_TURN: usize = 2048;
/// The two entries at which the processor's own sine is not quite zero.
const PI: u32 = 0x250D_3000;
const TWO_PI: u32 = 0xA58D_3000;

/// Radians to a unit of a 16-bit facing: a double, slightly below 0 because facings run clockwise.
const RADIANS: f64 = f64::from_bits(0xBF19_222D_989F_5E57);
/// Units of a facing to a radian.
const UNITS: f64 = f64::from_bits(0xC0C4_5F07_AF68_ECEF);
/// A quarter turn as the engine counts it, one unit short.
const NORTH: i32 = 0x3FFF;

/// Sine and cosine of an angle in radians, as binary32 numbers. Beyond 2^31 half steps the count wraps.
#[must_use]
pub fn sine_cosine(angle: f64) -> (f32, f32) {
    let count = x87::ftol(x87::mul(angle, HALF_STEPS));
    let step = count / 2 % TURN;
    let first = if step < 0 { step + TURN } else { step } as usize;
    let odd = usize::from(count % 2 != 0);
    let next = |index: usize, last: usize| if index < last { index + odd } else { index };
    (entry(next(first, 8191)), entry(next(first + QUARTER_TURN, 10_239)))
}

/// Entry 0 to 10239.
fn entry(index: usize) -> f32 {
    let bits = match index {
        HALF => PI,
        8192 => TWO_PI,
        _ => {
            let inside = index % HALF;
            let sign = if index / HALF % 2 == 1 { 1 << 31 } else { 0 };
            QUARTER[inside.min(HALF - inside)] ^ sign
        }
    };
    f32::from_bits(bits)
}

/// The angle of a 16-bit facing in radians: 0 points east, and facings count clockwise from the north.
#[must_use]
pub fn radians(facing: u16) -> f64 {
    x87::mul(f64::from(i32::from(facing as i16) - NORTH), RADIANS)
}

/// The 16-bit facing of an angle in radians.
#[must_use]
pub fn facing(angle: f64) -> u16 {
    x87::ftol(x87::mul(x87::sub(angle, std::f64::consts::FRAC_PI_2), UNITS)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_the_program() {
        // yr-movement-render A6: angle, sine bits.
        let sixteenth = std::f64::consts::PI / 16.0;
        assert_eq!(sine_cosine(sixteenth).0.to_bits(), 0x3E47_C5C1);
        assert_eq!(sine_cosine(-sixteenth).0.to_bits(), 0xBE46_3B4C);
        assert_eq!(sine_cosine(0.0), (0.0, 1.0));
        assert_eq!(sine_cosine(1.0).0, 0.841_554_94);
        assert_eq!(sine_cosine(std::f64::consts::FRAC_PI_2).0, 1.0);
        assert_eq!(sine_cosine(std::f64::consts::FRAC_PI_2).1.to_bits(), PI);
        assert_eq!(sine_cosine(std::f64::consts::PI).0.to_bits(), PI);
    }

    #[test]
    fn the_whole_table_has_the_hash_of_the_program() {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for index in 0..10_240 {
            for byte in entry(index).to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        }
        assert_eq!(hash, 0x4642_825E_C40E_CE86);
    }

    #[test]
    fn the_last_entries_are_not_stepped_over() {
        // An odd count goes up for negative angles as well, but not beyond the turn.
        assert_eq!(sine_cosine(-1.5 / HALF_STEPS).0.to_bits(), entry(1).to_bits());
        assert_eq!(sine_cosine(-2.5 / HALF_STEPS).0.to_bits(), entry(8191).to_bits());
        assert_eq!(sine_cosine(-3.5 / HALF_STEPS).0.to_bits(), entry(8191).to_bits());
    }

    #[test]
    fn facings_and_angles_are_a_unit_short_of_each_other() {
        assert_eq!(radians(0x3FFF), 0.0);
        assert_eq!(facing(0.0), 0x3FFF);
        assert_eq!(facing(std::f64::consts::FRAC_PI_2), 0);
        assert_eq!(facing(std::f64::consts::PI), 0xC001);
        assert!((radians(0) - std::f64::consts::FRAC_PI_2).abs() < 0.000_05);
    }
}
