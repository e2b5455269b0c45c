//! Base64 for attachments (RFC 4648 with padding) and cursors (URL alphabet, no padding).

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Standard alphabet, padded.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    let mut text = encode(bytes, STANDARD);
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// URL alphabet, without padding.
#[must_use]
pub fn base64url(bytes: &[u8]) -> String {
    encode(bytes, URL)
}

fn encode(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut window = [0_u8; 4];
        window[1..=chunk.len()].copy_from_slice(chunk);
        let window = u32::from_be_bytes(window);
        for sextet in 0..=chunk.len() {
            let index = (window >> (18 - 6 * sextet)) & 63;
            text.push(char::from(alphabet[index as usize]));
        }
    }
    text
}

/// The bytes of a [`base64url`] text; `None` for anything that it does not produce.
#[must_use]
pub fn from_base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut window, mut bits) = (0_u32, 0);
    for byte in text.bytes() {
        let sextet = URL.iter().position(|letter| *letter == byte)?;
        window = (window << 6) | sextet as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((window >> bits) as u8);
            window &= (1 << bits) - 1;
        }
    }
    (window == 0 && bits < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn decoding_takes_back_exactly_what_encoding_gives() {
        for length in 0..32_u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(151)).collect();
            assert_eq!(from_base64url(&base64url(&bytes)), Some(bytes));
        }
        for wrong in ["Z", "Zh", "Zg==", "Zm9v+", "ö"] {
            assert_eq!(from_base64url(wrong), None, "{wrong}");
        }
    }
}
