//! Opaque page cursors.
//!
//! A cursor names the last item that was shown, not a page number, so it survives a new snapshot: whatever then comes
//! after that item in the total order is the next page. It also carries a hash of the question, because the position
//! means nothing to another one.

use crate::encode::{base64url, from_base64url};

const VERSION: &str = "1";

/// The cursor after `position` in the answer to `question` (tool name and normalised filters).
#[must_use]
pub fn write(question: &str, position: &str) -> String {
    base64url(format!("{VERSION}|{}|{position}", hash(question)).as_bytes())
}

/// The position inside a cursor.
///
/// # Errors
/// A message for people when the text is no cursor, or one for another question.
pub fn read(question: &str, cursor: &str) -> Result<String, &'static str> {
    let text = from_base64url(cursor).and_then(|bytes| String::from_utf8(bytes).ok());
    let mut fields = text.as_deref().unwrap_or_default().splitn(3, '|');
    match (fields.next(), fields.next(), fields.next()) {
        (Some(VERSION), Some(asked), Some(position)) if asked == hash(question) => Ok(position.to_owned()),
        (Some(VERSION), Some(_), Some(_)) => Err("the cursor belongs to another query"),
        _ => Err("this is not a cursor that a page gave"),
    }
}

fn hash(question: &str) -> String {
    blake3::hash(question.as_bytes()).to_hex()[..12].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_fits_its_own_question_only() {
        let cursor = write("find damage", "1200:compute_damage|x");
        assert_eq!(read("find damage", &cursor).as_deref(), Ok("1200:compute_damage|x"));
        assert!(read("find ore", &cursor).unwrap_err().contains("another query"));
        for wrong in ["", "!", "AAAA", &cursor[1..]] {
            assert!(read("find damage", wrong).is_err(), "{wrong}");
        }
        assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'));
    }
}
