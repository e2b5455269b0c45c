//! Bytes going into a port and artefacts coming out.
//!
//! A port never opens a file. It takes [`Bytes`]: inline (`"hex:…"`, `"base64:…"`) or a positioned reader that the host
//! opened under a name (`"host:NAME"`). The host is in scope only while the port's input is being read ([`with_host`]).

use crate::error::PortError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// Random access to bytes that are not in memory.
pub trait ReadAt: Send + Sync {
    /// Length in bytes.
    fn length(&self) -> u64;

    /// Reads at `offset`; returns the number of bytes read, which is less than asked for only at the end.
    ///
    /// # Errors
    /// `EIO` when the bytes cannot be read any more.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError>;
}

/// What opens the names behind `"host:NAME"`.
pub trait Host: Send + Sync {
    /// Opens a named source.
    ///
    /// # Errors
    /// `ENOENT`, `EACCES` and the like, with the name in the message.
    fn open(&self, name: &str) -> Result<Arc<dyn ReadAt>, PortError>;
}

thread_local! {
    static HOST: RefCell<Option<Arc<dyn Host>>> = const { RefCell::new(None) };
}

/// Runs `body` with `host` answering `"host:NAME"` on this thread; the previous host comes back afterwards, also when
/// `body` panics.
pub fn with_host<R>(host: Option<Arc<dyn Host>>, body: impl FnOnce() -> R) -> R {
    struct Restore(Option<Arc<dyn Host>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            HOST.set(self.0.take());
        }
    }
    let _restore = Restore(HOST.replace(host));
    body()
}

/// Bytes handed to a port.
#[derive(Clone)]
pub enum Bytes {
    /// In memory.
    Inline(Arc<[u8]>),
    /// Read by position.
    Reader(Arc<dyn ReadAt>),
}

impl Bytes {
    /// Length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Self::Inline(bytes) => bytes.len() as u64,
            Self::Reader(reader) => reader.length(),
        }
    }

    /// Copies `length` bytes at `offset`.
    ///
    /// # Errors
    /// `EINVAL` when the range ends beyond the bytes; what the reader says otherwise.
    pub fn range(&self, offset: u64, length: usize) -> Result<Vec<u8>, PortError> {
        let end = offset.checked_add(length as u64).filter(|end| *end <= self.length());
        if end.is_none() {
            let message = format!("{length} bytes at {offset} end beyond the {} given", self.length());
            return Err(PortError::invalid("", message));
        }
        let mut buffer = vec![0; length];
        match self {
            // The range was checked above, and an inline length fits usize.
            Self::Inline(bytes) => buffer.copy_from_slice(&bytes[offset as usize..offset as usize + length]),
            Self::Reader(reader) => {
                if reader.read_at(offset, &mut buffer)? != length {
                    return Err(PortError::invalid("", "the source became shorter while it was read"));
                }
            }
        }
        Ok(buffer)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({} bytes)", self.length())
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let wrong = || de::Error::custom("bytes are \"hex:…\", \"base64:…\" or \"host:NAME\"");
        let (form, rest) = text.split_once(':').ok_or_else(wrong)?;
        match form {
            "hex" => from_hex(rest).map(|bytes| Self::Inline(bytes.into())).ok_or_else(wrong),
            "base64" => from_base64(rest).map(|bytes| Self::Inline(bytes.into())).ok_or_else(wrong),
            "host" => {
                let host = HOST.with_borrow(Clone::clone);
                let host = host.ok_or_else(|| de::Error::custom("no host here opens \"host:\" names"))?;
                host.open(rest).map(Self::Reader).map_err(de::Error::custom)
            }
            _ => Err(wrong()),
        }
    }
}

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(hex|base64|host):", "maxLength": 33_554_432 })
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let value = |digit: u8| (digit as char).to_digit(16);
    digits.chunks(2).map(|pair| Some((value(pair[0])? * 16 + value(pair[1])?) as u8)).collect()
}

/// Standard alphabet with padding, as MCP and data URLs use it.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - body.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() * 3 / 4);
    let (mut window, mut bits) = (0_u32, 0);
    for byte in body.bytes() {
        let sextet = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        window = (window << 6) | u32::from(sextet);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((window >> bits) as u8);
            window &= (1 << bits) - 1;
        }
    }
    // Left-over bits must be zero, or two texts would mean the same bytes.
    (window == 0).then_some(bytes)
}

/// An artefact of a run: a picture, a sound, or raw bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Stage that it belongs to.
    pub name: String,
    /// Media type, such as `image/png`, `audio/wav` or `application/octet-stream`.
    pub media_type: String,
    /// The bytes themselves.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, String> {
        let bytes: Bytes = serde_json::from_str(&format!("\"{text}\"")).map_err(|error| error.to_string())?;
        bytes.range(0, bytes.length() as usize).map_err(|error| error.to_string())
    }

    struct Memory;
    impl ReadAt for Memory {
        fn length(&self) -> u64 {
            3
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
            let from = offset as usize;
            buffer.copy_from_slice(&b"abc"[from..from + buffer.len()]);
            Ok(buffer.len())
        }
    }
    impl Host for Memory {
        fn open(&self, name: &str) -> Result<Arc<dyn ReadAt>, PortError> {
            if name == "m" { Ok(Arc::new(Self)) } else { Err(PortError::invalid("", format!("no `{name}`"))) }
        }
    }

    #[test]
    fn inline_forms() {
        assert_eq!(read("hex:00fF 10").unwrap(), [0, 255, 16]);
        assert_eq!(read("base64:Zm9vYg==").unwrap(), b"foob");
        assert_eq!(read("base64:").unwrap(), b"");
        for wrong in
            ["hex:0", "hex:0g", "base64:Zm9vYh==", "base64:Zm9", "base64:Zg==Zg==", "file:x", "plain"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hosted_bytes_need_a_host_in_scope_and_ranges_are_checked() {
        assert!(read("host:m").unwrap_err().contains("no host here"));
        with_host(Some(Arc::new(Memory)), || {
            assert_eq!(read("host:m").unwrap(), b"abc");
            assert!(read("host:n").unwrap_err().contains("no `n`"));
            let bytes: Bytes = serde_json::from_str("\"host:m\"").unwrap();
            assert_eq!(bytes.range(1, 2).unwrap(), b"bc");
            assert!(bytes.range(2, 2).unwrap_err().message.contains("end beyond the 3"));
            assert!(bytes.range(u64::MAX, 2).is_err());
        });
        assert!(read("host:m").is_err());
    }
}
