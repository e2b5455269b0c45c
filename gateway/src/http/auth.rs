//! The one bearer token of a server: where it comes from, and whether a request carries it.

use super::problem::{Kind, Problem};
use axum::http::{HeaderMap, HeaderValue, header};
use std::fmt;
use std::path::Path;
use subtle::ConstantTimeEq as _;

/// The environment variable that may hold the token.
pub const VARIABLE: &str = "ASSAY_TOKEN";
/// A shorter token is guessed too easily.
const SHORTEST: usize = 16;

/// A token, of which only the hash is kept: comparing hashes takes the same time wherever two tokens differ, and however
/// long they are.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token from its text; white space around it is none of it.
    ///
    /// # Errors
    /// It is too short, or holds what no header can carry.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("use the token: it is not one word of visible ASCII".to_owned());
        }
        if text.len() < SHORTEST {
            return Err(format!("use the token: it is shorter than {SHORTEST} characters"));
        }
        Ok(Self(hash(text.as_bytes())))
    }

    /// The token in a file, or else in the environment.
    ///
    /// # Errors
    /// The file cannot be read, or what was found is no token; a fragment that fits after "failed to", without the token.
    pub fn find(file: Option<&Path>) -> Result<Option<Self>, String> {
        if let Some(file) = file {
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("read the token file {}: {error}", file.display()))?;
            return Self::new(&text).map(Some);
        }
        std::env::var_os(VARIABLE).map(|text| Self::new(&text.to_string_lossy())).transpose()
    }

    /// Whether a request carries it.
    ///
    /// # Errors
    /// It carries none, or another.
    pub fn admits(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let refused = |detail: &str, challenge: &'static str| {
            Err(Problem::new(Kind::Unauthorized, detail)
                .with(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge)))
        };
        let mut given = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(given), None) = (given.next(), given.next()) else {
            return refused("one Authorization header is needed", r#"Bearer realm="assay""#);
        };
        let wrong = r#"Bearer realm="assay", error="invalid_token""#;
        match bearer(given.as_bytes()) {
            Some(given) if bool::from(hash(given).ct_eq(&self.0)) => Ok(()),
            _ => refused("the Authorization header does not carry the token of this server", wrong),
        }
    }
}

fn bearer(header: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = header.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| rest.trim_ascii())
}

fn hash(text: &[u8]) -> [u8; 32] {
    *blake3::hash(text).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(token: &Token, values: &[&str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        token.admits(&headers).is_ok()
    }

    #[test]
    fn only_the_token_itself_is_admitted() {
        let token = Token::new("  0123456789abcdef\n").unwrap();
        for right in ["Bearer 0123456789abcdef", "bearer 0123456789abcdef", "Bearer  0123456789abcdef"] {
            assert!(asked(&token, &[right]), "{right}");
        }
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdef0",
            "Basic 0123456789abcdef",
        ] {
            assert!(!asked(&token, &[wrong]), "{wrong}");
        }
        assert!(!asked(&token, &[]));
        assert!(!asked(&token, &["Bearer 0123456789abcdef", "Bearer 0123456789abcdef"]));
    }

    #[test]
    fn a_token_is_one_long_word_and_never_shown() {
        for wrong in ["", "brief", "two words of it are none", "0123456789abcdeé"] {
            let message = Token::new(wrong).unwrap_err();
            assert!(wrong.is_empty() || !message.contains(wrong), "{message}");
        }
        assert_eq!(format!("{:?}", Token::new("0123456789abcdef").unwrap()), "Token(…)");
    }

    #[test]
    fn a_file_holds_a_token_or_says_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        assert!(Token::find(Some(&file)).unwrap_err().contains("read the token file"));
        std::fs::write(&file, "0123456789abcdef\n").unwrap();
        assert!(asked(&Token::find(Some(&file)).unwrap().unwrap(), &["Bearer 0123456789abcdef"]));
    }
}
