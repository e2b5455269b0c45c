//! Samples as WAV: the 44 bytes of a header, and the samples as they are.

use super::shapes::number;
use assay_model::Tree;

/// Bits of a sample: every decoder gives sixteen, low byte first, whatever its codec has.
const BITS: u16 = 16;

/// A sound whose `rate` in samples a second and `channels` the breakdown has, or the `entry` that it is of.
///
/// # Errors
/// A breakdown that does not say so, or says what no WAV has; samples above 4 GiB.
pub(super) fn wav(breakdown: &Tree, samples: &[u8]) -> Result<Vec<u8>, String> {
    let entry = breakdown.get("entry").unwrap_or(&Tree::Null);
    let within = |name: &str, low: i64, high: i64| {
        let value = number(breakdown, name).or_else(|| number(entry, name));
        let value = value.filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("the breakdown has no `{name}` from {low} to {high}"))
    };
    let rate = within("rate", 1, 1_000_000)? as u32;
    let channels = within("channels", 1, 8)? as u16;
    let frame = channels * BITS / 8;
    let length = u32::try_from(samples.len()).ok().filter(|length| *length <= u32::MAX - 44);
    let length = length.ok_or("a sound above 4 GiB has no place in a WAV")?;
    let mut wav = Vec::with_capacity(44 + samples.len() + 1);
    wav.extend_from_slice(b"RIFF");
    // Chunks begin at even places.
    wav.extend_from_slice(&(36 + length + length % 2).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    wav.extend_from_slice(&1_u16.to_le_bytes());
    wav.extend_from_slice(&channels.to_le_bytes());
    wav.extend_from_slice(&rate.to_le_bytes());
    wav.extend_from_slice(&(rate * u32::from(frame)).to_le_bytes());
    wav.extend_from_slice(&frame.to_le_bytes());
    wav.extend_from_slice(&BITS.to_le_bytes());
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&length.to_le_bytes());
    wav.extend_from_slice(samples);
    wav.extend_from_slice(&[0][..samples.len() % 2]);
    Ok(wav)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_what_follows() {
        let breakdown = Tree::from_json(br#"{"rate":22050,"channels":2,"bits":8}"#).unwrap();
        let wav = wav(&breakdown, &[1, 2, 3, 4]).unwrap();
        let expected: &[u8] = &[
            b'R', b'I', b'F', b'F', 40, 0, 0, 0, b'W', b'A', b'V', b'E', b'f', b'm', b't', b' ', 16, 0, 0, 0,
            1, 0, 2, 0, 0x22, 0x56, 0, 0, 0x88, 0x58, 1, 0, 4, 0, 16, 0, b'd', b'a', b't', b'a', 4, 0, 0, 0,
            1, 2, 3, 4,
        ];
        assert_eq!(wav, expected);
    }

    #[test]
    fn odd_lengths_are_filled_and_odd_breakdowns_refused() {
        let tree = |json: &str| Tree::from_json(json.as_bytes()).unwrap();
        let one = wav(&tree(r#"{"entry":{"rate":8000,"channels":1}}"#), &[9]).unwrap();
        assert_eq!(
            (one.len(), &one[4..8], &one[40..44], one[44]),
            (46, &[38, 0, 0, 0][..], &[1, 0, 0, 0][..], 9)
        );
        let wrong = [
            r#"{"channels":1}"#,
            r#"{"rate":8000}"#,
            r#"{"rate":0,"channels":1}"#,
            r#"{"rate":1,"channels":9}"#,
            r#"{"rate":"1","channels":1}"#,
        ];
        for wrong in wrong {
            assert!(wav(&tree(wrong), &[]).is_err(), "{wrong}");
        }
    }
}
