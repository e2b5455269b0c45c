//! Maps and lists as INI text: sections, their keys in order, whole numbers, and packed sections.
//!
//! This is what decoders of single sections need, and no more: it merges nothing, and of two sections with one name the
//! first counts. Names keep their case and the blanks within their brackets; a `;` begins a comment anywhere; keys and
//! values lose what is around them, up to and with the blank.

use super::base64::{self, Decoded};
use super::pack_chunks::{Codec, Pack, padding, unpack};
use super::source::{fault, unsupported};
use super::{MAX_INPUT, whole};
use assay_model::{Bytes, PortError};
use schemars::{JsonSchema, Schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;

/// Most characters of a value that the games take into a packed section.
const PACK_LINE: usize = 127;
/// Width and height of a map together: the games keep 512 by 512 cells.
const MOST: i32 = 512;

/// A file of INI text: the text as it stands, or its bytes in one of the forms of [`Bytes`].
#[derive(Clone, Debug, JsonSchema)]
#[schemars(inline, transform = any_text)]
pub struct IniText(Bytes);

/// The schema of [`Bytes`], where any text will do.
fn any_text(schema: &mut Schema) {
    schema.remove("pattern");
}

impl IniText {
    /// All bytes of the file.
    ///
    /// # Errors
    /// `EFBIG` at `bytes` beyond 32 MiB; what a named source says when it cannot be read.
    pub(crate) fn whole(&self) -> Result<Vec<u8>, PortError> {
        whole(&self.0, "bytes", MAX_INPUT)
    }
}

/// A text that begins like none of the forms of [`Bytes`] is the file itself.
struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = IniText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("INI text, \"hex:…\", \"base64:…\", \"host:PATH\", or an object with `path` or `upload`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<IniText, E> {
        if ["hex:", "base64:", "host:"].iter().any(|form| text.starts_with(form)) {
            return Bytes::deserialize(StrDeserializer::new(text)).map(IniText);
        }
        Ok(IniText(Bytes::Inline(text.as_bytes().into())))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<IniText, A::Error> {
        Bytes::deserialize(MapAccessDeserializer::new(map)).map(IniText)
    }
}

impl<'de> Deserialize<'de> for IniText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

/// The sections of a text, in order.
pub struct Ini<'a> {
    /// Every section, also those that share a name.
    pub sections: Vec<Section<'a>>,
}

/// A section.
pub struct Section<'a> {
    /// What stands between its brackets.
    pub name: &'a [u8],
    /// Where its line begins: bytes from the start of the text.
    pub start: usize,
    /// Keys and values in order, also those of a key that comes again; a value may be empty.
    pub entries: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> Ini<'a> {
    /// Splits a text into sections; what stands before the first is left out, and so are lines without a key.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Self {
        let mut sections: Vec<Section<'a>> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let body = trim(line.split(|byte| *byte == b';').next().unwrap_or_default());
            if let Some(name) = header(body) {
                sections.push(Section { name, start, entries: Vec::new() });
            } else if let (Some(section), Some(entry)) = (sections.last_mut(), cut(body, b'=')) {
                let (key, value) = (trim(entry.0), trim(entry.1));
                if !key.is_empty() {
                    section.entries.push((key, value));
                }
            }
            start += line.len();
        }
        Self { sections }
    }

    /// The first section of a name.
    pub(crate) fn find(&self, name: &str) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.name == name.as_bytes())
    }

    /// The same where it has to be there.
    ///
    /// # Errors
    /// `EINVAL` at `bytes`: `missing`.
    pub(crate) fn section(&self, name: &str) -> Result<&Section<'a>, PortError> {
        self.find(name).ok_or_else(|| fault("missing", format!("the text has no section [{name}]")))
    }

    /// Width and height of the map, from `[Map] Size=x,y,width,height`.
    ///
    /// # Errors
    /// `EINVAL` at `bytes`: `missing` without section or key, `bad_number` for anything but four whole numbers,
    /// `bad_count` for a side below 1 or sides that come to more than 512.
    pub(crate) fn map_size(&self) -> Result<(i32, i32), PortError> {
        let [_, _, width, height] = self.section("Map")?.rectangle("Size")?;
        if width < 1 || height < 1 || height > MOST - width {
            return Err(fault("bad_count", format!("a map of {width} by {height} cells")));
        }
        Ok((width, height))
    }
}

impl<'a> Section<'a> {
    /// The value of a key; the last one, where there are more.
    pub(crate) fn value(&self, key: &str) -> Option<&'a [u8]> {
        self.entries.iter().rev().find(|(name, _)| *name == key.as_bytes()).map(|(_, value)| *value)
    }

    /// The four whole numbers of a key.
    ///
    /// # Errors
    /// `EINVAL` at `bytes`: `missing`, `bad_number`.
    pub(crate) fn rectangle(&self, key: &str) -> Result<[i32; 4], PortError> {
        let name = shown(self.name);
        let value = self.value(key);
        let value = value.ok_or_else(|| fault("missing", format!("[{name}] has no key {key}")))?;
        let numbers: Option<Vec<i32>> = pieces(value).map(whole_number).collect();
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
            fault("bad_number", format!("[{name}] {key}={} is not four whole numbers", shown(value)))
        })
    }

    /// The bytes that the values stand for, in base 64, joined in order; their keys are not read.
    ///
    /// # Errors
    /// `EOPNOTSUPP` for a value of more than 127 characters, of which the games drop the rest; `EINVAL` at `bytes`:
    /// `bad_text` for what is no base 64.
    pub(crate) fn base64(&self) -> Result<Decoded, PortError> {
        let name = shown(self.name);
        if let Some((key, value)) = self.entries.iter().find(|(_, value)| value.len() > PACK_LINE) {
            let (key, length) = (shown(key), value.len());
            return Err(unsupported(format!("[{name}] {key} has {length} characters, over {PACK_LINE}")));
        }
        let text = self.entries.iter().flat_map(|(_, value)| value.iter().copied());
        base64::decode(text).ok_or_else(|| fault("bad_text", format!("[{name}] is not base 64")))
    }

    /// Unpacks a section of a map; the digest of what comes out is left empty.
    ///
    /// # Errors
    /// As [`Section::base64`]; `EINVAL` at `bytes` for what [`unpack`] finds, with the name of the section.
    pub(crate) fn unpack(&self, codec: Codec, cap: usize) -> Result<Pack, PortError> {
        let text = self.base64()?;
        let mut pack = unpack(&text.bytes, codec, cap).map_err(|wrong| {
            fault(wrong.name, format!("at byte {} of the pack in [{}]", wrong.at, shown(self.name)))
        })?;
        pack.warnings.extend(padding(text.unpadded));
        Ok(pack)
    }
}

/// What stands between the bracket at the start and the first one that closes it.
fn header(body: &[u8]) -> Option<&[u8]> {
    cut(body.strip_prefix(b"[")?, b']').map(|(name, _)| name)
}

/// What is before and behind the first of a byte.
fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|byte| *byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

/// Without the blanks and control characters around it.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|byte| *byte > b' ') else { return &[] };
    let end = text.iter().rposition(|byte| *byte > b' ').unwrap_or(start);
    &text[start..=end]
}

/// The parts between commas, trimmed, empty ones included.
pub(crate) fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b',').map(trim)
}

/// A whole number with or without sign, and nothing behind it.
pub(crate) fn whole_number(text: &[u8]) -> Option<i32> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Bytes as text: UTF-8 where they are that, otherwise one character a byte.
pub(crate) fn shown(text: &[u8]) -> String {
    let latin = || text.iter().map(|byte| char::from(*byte)).collect();
    std::str::from_utf8(text).map_or_else(|_| latin(), str::to_owned)
}
