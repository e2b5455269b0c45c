//! How rules text becomes the number that the engine holds.
//!
//! Which reader a key goes through matters: 100 points of damage at `0.1` is 9 or 10. Text is rounded to nearest (the
//! readers work in integer code), everything after that toward zero.

use crate::math::x87;
use assay_model::{Game, PortError, RealArg};

/// The reader that a key goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The generic real reader: binary32 first, then widened; a `%` anywhere scales it.
    Double,
    /// The reader of `Verses`: a `%` token is a whole number scaled, any other a binary64.
    Verses,
}

/// The binary64 that the engine holds for an argument.
///
/// # Errors
/// `EINVAL` at `field` for text without a number and for values that are not finite.
pub fn double(arg: &RealArg, field: &str, game: Game, reader: Reader) -> Result<f64, PortError> {
    let value = match arg {
        RealArg::Held(value) => *value,
        RealArg::Text(text) => read(text, game, reader).ok_or_else(|| {
            PortError::invalid(field, format!("no number at the start of rules text `{text}`"))
        })?,
    };
    if value.is_finite() { Ok(value) } else { Err(PortError::invalid(field, "must be a finite number")) }
}

/// The binary32 that the engine holds for an argument: a held value is rounded to nearest, text is read as a binary64
/// and then narrowed by the store, toward zero.
///
/// # Errors
/// As [`double`], and for held values beyond the binary32 range.
pub fn single(arg: &RealArg, field: &str, game: Game) -> Result<f32, PortError> {
    let wide = double(arg, field, game, Reader::Double)?;
    let value = match arg {
        RealArg::Held(_) => wide as f32,
        RealArg::Text(_) => x87::store32(wide),
    };
    if value.is_finite() { Ok(value) } else { Err(PortError::invalid(field, "is beyond the binary32 range")) }
}

fn read(text: &str, game: Game, reader: Reader) -> Option<f64> {
    let percent = text.contains('%');
    let value = match (reader, percent) {
        (Reader::Double, _) => f64::from(numeral(text).parse::<f32>().ok()?),
        (Reader::Verses, true) => f64::from(leading_integer(text)?),
        (Reader::Verses, false) => numeral(text).parse::<f64>().ok()?,
    };
    Some(match (percent, game) {
        (false, _) => value,
        (true, Game::Ts) => x87::div(value, 100.0),
        // A compiled binary64, slightly above one hundredth.
        (true, _) => x87::mul(value, 0.01),
    })
}

/// The longest decimal numeral at the start, after blanks: sign, digits with a point, exponent. Without any digit it is
/// no number, and does not parse.
fn numeral(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let signed = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = digits(signed(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + signed(end + 1);
        let exponent = digits(start);
        if exponent > start {
            end = exponent;
        }
    }
    &text[..end]
}

/// The C `atoi` of a token, for tokens that begin with a number; saturating, since no key reaches the edge.
fn leading_integer(text: &str) -> Option<i32> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let sign = usize::from(text.starts_with(['+', '-']));
    let length = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        // `.5%` has no whole part: atoi gives 0, but text without any number is refused.
        return numeral(text).parse::<f64>().ok().map(|_| 0);
    }
    let magnitude = text[sign..sign + length].parse::<i64>().unwrap_or(i64::MAX);
    let value = if text.starts_with('-') { -magnitude } else { magnitude };
    Some(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str, game: Game, reader: Reader) -> f64 {
        double(&RealArg::Text(text.into()), "f", game, reader).unwrap()
    }

    #[test]
    fn readers_give_the_values_of_the_reports() {
        // yr-combat-economy ini_read_double and verses_parse; combat-rules N2, R-04, R-06.
        assert_eq!(held(".7", Game::Yr, Reader::Double), 0.699_999_988_079_071);
        assert_eq!(held("0.6", Game::Yr, Reader::Double), 0.600_000_023_841_857_9);
        assert_eq!(held("50%", Game::Yr, Reader::Double), 0.5);
        assert_eq!(held("70%", Game::Yr, Reader::Double), 0.7);
        assert_eq!(held("7%", Game::Yr, Reader::Verses), 0.069_999_999_999_999_99);
        assert_eq!(held("50.9%", Game::Yr, Reader::Verses), 0.5);
        assert_eq!(held("0.5%", Game::Yr, Reader::Verses), 0.0);
        assert_eq!(held("0.505", Game::Yr, Reader::Verses), 0.505);
        assert_eq!(held("1%", Game::Ts, Reader::Verses), 0.009_999_999_999_999_998);
    }

    #[test]
    fn the_three_ways_of_one_tenth_differ() {
        let hundred = |value: f64| x87::ftol(x87::mul(100.0, value));
        assert_eq!(hundred(0.1), 10);
        assert_eq!(hundred(held("0.1", Game::Yr, Reader::Double)), 10);
        assert_eq!(hundred(held("10%", Game::Yr, Reader::Verses)), 9);
        assert_eq!(hundred(held("1.3", Game::Yr, Reader::Double)), 129);
        assert_eq!(hundred(1.3), 130);
    }

    #[test]
    fn text_without_a_number_is_refused_and_trailing_text_is_not() {
        for wrong in ["", "%", "x1", ".", "-", "+.", "e5"] {
            assert!(double(&RealArg::Text(wrong.into()), "f", Game::Yr, Reader::Double).is_err(), "{wrong}");
        }
        assert_eq!(held(" -1.5e1 cells", Game::Yr, Reader::Double), -15.0);
        assert_eq!(held("2e", Game::Yr, Reader::Double), 2.0);
        assert_eq!(held("5.", Game::Yr, Reader::Double), 5.0);
        assert_eq!(held("-30%", Game::Ts, Reader::Verses), x87::div(-30.0, 100.0));
    }

    #[test]
    fn singles_round_to_nearest_when_held_and_toward_zero_when_read() {
        assert_eq!(single(&RealArg::Held(0.1), "f", Game::Yr).unwrap().to_bits(), 0x3dcc_cccd);
        let percent = RealArg::Text("10%".into());
        assert_eq!(single(&percent, "f", Game::Yr).unwrap().to_bits(), 0x3dcc_cccc);
        assert!(single(&RealArg::Held(1e39), "f", Game::Yr).is_err());
        assert!(double(&RealArg::Held(f64::NAN), "f", Game::Yr, Reader::Double).is_err());
    }
}
