//! Bytes going into a port and artefacts coming out.
//!
//! A port never opens a file. It takes [`Bytes`]: inline (`"hex:…"`, `"base64:…"`) or a positioned reader that the host
//! opened for a [`Source`] (`{"path": "rel/file.mix", "entry": "rules.ini"}`, `{"upload": "id"}`; `"host:rel/file.mix"` is
//! short for a path alone). The host is in scope only while the port's input is being read ([`with_host`]).

use crate::error::PortError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
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

/// Most archives inside each other that an `entry` goes through.
pub const MAX_ENTRIES: usize = 8;
/// Most characters of a path.
const MAX_PATH: usize = 1024;
/// Most characters of the name of an entry or an upload.
const MAX_NAME: usize = 260;

/// Where bytes come from that do not stand in the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What is opened first.
    pub place: Place,
    /// What is taken out of it: an entry of an archive, an entry of that one, and so on; at most [`MAX_ENTRIES`].
    pub entries: Vec<String>,
}

/// What a host opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file below a folder that the operator allows; parts are joined by `/`.
    Path(String),
    /// A file that was uploaded under an id.
    Upload(String),
}

/// A [`Source`] as it is written.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    path: Option<String>,
    upload: Option<String>,
    entry: Option<Entry>,
}

/// One name, or the names on the way into an archive inside an archive.
#[derive(serde::Deserialize)]
#[serde(untagged, expecting = "`entry` is a name, an id such as \"0x1a2b3c4d\", or a list of them")]
enum Entry {
    One(String),
    Nested(Vec<String>),
}

impl Written {
    fn source(self) -> Result<Source, String> {
        let place = match (self.path, self.upload) {
            (Some(path), None) => Place::Path(path),
            (None, Some(id)) => Place::Upload(id),
            _ => return Err("give exactly one of `path` and `upload`".to_owned()),
        };
        let entries = match self.entry {
            None => Vec::new(),
            Some(Entry::One(name)) => vec![name],
            Some(Entry::Nested(names)) => names,
        };
        let (written, most) = match &place {
            Place::Path(path) => (path, MAX_PATH),
            Place::Upload(id) => (id, MAX_NAME),
        };
        let fits = |text: &str, most: usize| !text.is_empty() && text.chars().count() <= most;
        if !fits(written, most) || !entries.iter().all(|name| fits(name, MAX_NAME)) {
            let message = format!("a path has 1 to {MAX_PATH} characters, an id or entry 1 to {MAX_NAME}");
            return Err(message);
        }
        if entries.len() > MAX_ENTRIES {
            return Err(format!("`entry` goes through at most {MAX_ENTRIES} archives"));
        }
        Ok(Source { place, entries })
    }
}

/// What opens sources.
pub trait Host: Send + Sync {
    /// Opens a source.
    ///
    /// # Errors
    /// `ENOENT`, `EACCES` and the like, with what was asked for in the message.
    fn open(&self, source: &Source) -> Result<Arc<dyn ReadAt>, PortError>;
}

/// What a host refused, and whether the source was written as an object.
type Refused = (PortError, bool);

thread_local! {
    static HOST: RefCell<Option<Arc<dyn Host>>> = const { RefCell::new(None) };
    /// A deserialiser's error is a text; this keeps the rest of what a host said until the error has been passed on.
    static REFUSED: RefCell<Option<Refused>> = const { RefCell::new(None) };
}

/// Takes what a host refused on this thread since this was last asked.
pub(crate) fn refused() -> Option<Refused> {
    REFUSED.take()
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

/// The forms, for whoever wrote another.
const FORMS: &str = "bytes are \"hex:…\", \"base64:…\", \"host:PATH\", or an object with `path` or `upload`";

struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORMS)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bytes, E> {
        let wrong = || E::custom(FORMS);
        let (form, rest) = text.split_once(':').ok_or_else(wrong)?;
        match form {
            "hex" => from_hex(rest).map(|bytes| Bytes::Inline(bytes.into())).ok_or_else(wrong),
            "base64" => from_base64(rest).map(|bytes| Bytes::Inline(bytes.into())).ok_or_else(wrong),
            "host" => opened(Written { path: Some(rest.to_owned()), upload: None, entry: None }, false),
            _ => Err(wrong()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Bytes, A::Error> {
        opened(Written::deserialize(MapAccessDeserializer::new(map))?, true)
    }
}

/// What the host in scope opens.
fn opened<E: de::Error>(written: Written, object: bool) -> Result<Bytes, E> {
    let source = written.source().map_err(E::custom)?;
    let host = HOST.with_borrow(Clone::clone);
    let host = host.ok_or_else(|| E::custom("no host here opens a path or an upload; give the bytes"))?;
    host.open(&source).map(Bytes::Reader).map_err(|error| {
        let text = E::custom(&error);
        REFUSED.set(Some((error, object)));
        text
    })
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

impl JsonSchema for Bytes {
    fn schema_name() -> Cow<'static, str> {
        "Bytes".into()
    }

    fn inline_schema() -> bool {
        true
    }

    /// One schema for both forms: what it says of texts holds for texts, and what it says of members for objects.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let name = |most: usize, about: &str| json_schema!({ "type": "string", "minLength": 1, "maxLength": most, "description": about });
        json_schema!({
            "type": ["string", "object"],
            "pattern": "^(hex|base64|host):",
            "maxLength": 33_554_432,
            "properties": {
                "path": name(MAX_PATH, "A file below a folder that the operator allows (--assets), parts joined by /."),
                "upload": name(MAX_NAME, "Instead of path: the id of a file that upload_asset took."),
                "entry": {
                    "type": ["string", "array"], "minLength": 1, "maxLength": MAX_NAME,
                    "minItems": 1, "maxItems": MAX_ENTRIES, "items": { "type": "string", "minLength": 1, "maxLength": MAX_NAME },
                    "description": "What to take out of that MIX: a name, an id such as 0x1a2b3c4d, or a list into nested ones."
                },
            },
            "additionalProperties": false,
        })
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
    use crate::error::Errno;

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
        fn open(&self, source: &Source) -> Result<Arc<dyn ReadAt>, PortError> {
            match &source.place {
                Place::Path(name) if name == "m" => Ok(Arc::new(Self)),
                place => Err(PortError {
                    errno: Errno::Enoent,
                    field: String::new(),
                    message: format!("no {place:?} with {:?}", source.entries),
                }),
            }
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
            assert!(read("host:n").unwrap_err().contains("no Path(\"n\")"));
            let bytes: Bytes = serde_json::from_str("\"host:m\"").unwrap();
            assert_eq!(bytes.range(1, 2).unwrap(), b"bc");
            assert!(bytes.range(2, 2).unwrap_err().message.contains("end beyond the 3"));
            assert!(bytes.range(u64::MAX, 2).is_err());
        });
        assert!(read("host:m").is_err());
    }

    #[test]
    fn objects_name_one_place_and_a_way_into_it() {
        let written = |json: &str| serde_json::from_str::<Bytes>(json).map_err(|error| error.to_string());
        with_host(Some(Arc::new(Memory)), || {
            assert_eq!(written(r#"{"path":"m"}"#).unwrap().length(), 3);
            let said = written(r#"{"upload":"u","entry":"a"}"#).unwrap_err();
            assert!(said.contains(r#"no Upload("u") with ["a"]"#), "{said}");
            let said = written(r#"{"path":"p","entry":["a","b"]}"#).unwrap_err();
            assert!(said.contains(r#"no Path("p") with ["a", "b"]"#), "{said}");
            for wrong in [
                "{}",
                r#"{"path":"m","upload":"m"}"#,
                r#"{"entry":"a"}"#,
                r#"{"path":""}"#,
                r#"{"path":"m","entry":7}"#,
                r#"{"path":"m","entry":[""]}"#,
                r#"{"path":"m","entry":["a","a","a","a","a","a","a","a","a"]}"#,
                r#"{"path":"m","name":"a"}"#,
                "7",
            ] {
                refused();
                assert!(written(wrong).is_err(), "{wrong}");
                assert!(refused().is_none(), "the host was asked for {wrong}");
            }
        });
        assert!(written(r#"{"path":"m"}"#).unwrap_err().contains("no host here"));
    }

    #[test]
    fn what_a_host_refuses_is_kept_whole() {
        with_host(Some(Arc::new(Memory)), || {
            assert!(read("host:n").is_err());
            let (error, object) = refused().unwrap();
            assert_eq!((error.errno, object), (Errno::Enoent, false));
            assert!(refused().is_none());
        });
    }
}
