//! Base 64 as it stands in maps: without the rigour of an argument, of which two texts may not mean the same bytes.

/// What a text stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether padding at the end is missing; some writers leave it out.
    pub unpadded: bool,
}

/// Decodes a text of the standard alphabet. Padding may stand at the end alone and may be missing; bits of the last digit that make
/// no byte are not looked at.
///
/// Nothing for another character, padding that is followed by anything or is too much, and a last digit that begins no byte.
pub(crate) fn decode(text: impl Iterator<Item = u8>) -> Option<Decoded> {
    let mut bytes = Vec::with_capacity(text.size_hint().0 / 4 * 3);
    let (mut window, mut digits, mut padding) = (0_u32, 0_usize, 0_usize);
    for character in text {
        if character == b'=' {
            padding += 1;
            continue;
        }
        if padding > 0 {
            return None;
        }
        window = window << 6 | u32::from(digit(character)?);
        digits += 1;
        // Two digits make the first byte, each of the next two one more; what is above those bits has been taken.
        match digits % 4 {
            2 => bytes.push((window >> 4) as u8),
            3 => bytes.push((window >> 2) as u8),
            0 => bytes.push(window as u8),
            _ => {}
        }
    }
    let due = digits.next_multiple_of(4) - digits;
    (due < 3 && padding <= due).then_some(Decoded { bytes, unpadded: padding < due })
}

/// The six bits of a character.
fn digit(character: u8) -> Option<u8> {
    match character {
        b'A'..=b'Z' => Some(character - b'A'),
        b'a'..=b'z' => Some(character - b'a' + 26),
        b'0'..=b'9' => Some(character - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<(Vec<u8>, bool)> {
        decode(text.bytes()).map(|decoded| (decoded.bytes, decoded.unpadded))
    }

    #[test]
    fn padding_may_be_missing_and_spare_bits_are_not_looked_at() {
        let bytes = |text: &str| text.as_bytes().to_vec();
        assert_eq!(decoded(""), Some((Vec::new(), false)));
        assert_eq!(decoded("Zm9v"), Some((bytes("foo"), false)));
        assert_eq!(decoded("Zm9vYg=="), Some((bytes("foob"), false)));
        assert_eq!(decoded("Zm9vYh=="), Some((bytes("foob"), false)));
        assert_eq!(decoded("Zm9vYg="), Some((bytes("foob"), true)));
        assert_eq!(decoded("Zm9vYg"), Some((bytes("foob"), true)));
        assert_eq!(decoded("Zm9vYmE"), Some((bytes("fooba"), true)));
        assert_eq!(decoded("+/+/"), Some((vec![0xFB, 0xFF, 0xBF], false)));
    }

    #[test]
    fn what_is_no_base_64_is_nothing() {
        for text in ["Z", "Zm9vY", "Zm9v=", "Zm9vYg===", "Zg==Zg==", "Zm9*", "Zm 9", "===="] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
