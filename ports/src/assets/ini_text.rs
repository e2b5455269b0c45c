//! Maps and lists as INI text: sections, their keys in order, whole numbers, and packed sections.
//!
//! Every decoder of INI text reads it here (`Ini::load`), as the loaders of the games do on a first load. A header is
//! looked for before comments: `[`, then a name up to the first `]`. RA2 and YR let blanks stand before it and keep those
//! within; TS wants it in the first column and trims the name. Any other line loses what is behind a `;`, and is a key and
//! a value around the first `=`; where one of the two is empty, it does not count. Names keep their case. Nothing is
//! merged: of two sections with one name the first counts, of two equal keys the last.
//!
//! What the games cut off a long line is not cut here: YR reads 512 bytes, TS 128 or 512, which is not settled.

use super::base64::{self, Decoded};
use super::pack_chunks::{Codec, Pack, padding, unpack};
use super::source::{fault, unsupported};
use super::{MAX_INPUT, whole};
use assay_model::{Bytes, Game, PortError};
use schemars::{JsonSchema, Schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Most sections, keys and values together that are taken of one text. Rules of a large modification have 100,000.
const MOST_LINES: usize = 1_000_000;
/// Most characters of a text that a message repeats.
const TOLD: usize = 64;
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
    /// Keys and values in order, also those of a key that comes again. A value may be empty after [`Ini::parse`] alone.
    pub entries: Vec<(&'a [u8], &'a [u8])>,
}

/// A line that says something.
enum Line<'a> {
    /// The name between the brackets.
    Header(&'a [u8]),
    /// A key and its value, which may be empty.
    Entry(&'a [u8], &'a [u8]),
}

impl<'a> Ini<'a> {
    /// Splits a text into sections as it stands, values that are empty included, by the headers of RA2 and YR; what stands
    /// before the first is left out. This is for who compares or digests a text: what the games hold of it, `Ini::load`
    /// tells.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Self {
        let mut ini = Self { sections: Vec::new() };
        for (start, line) in lines(text, Game::Yr) {
            ini.take(start, line);
        }
        ini
    }

    /// Splits a text into the sections that a game holds of it after a first load.
    ///
    /// # Errors
    /// `EINVAL` at `bytes`: `bad_count` for more than 1,000,000 headers and lines with a key and a value.
    pub(crate) fn load(text: &'a [u8], game: Game) -> Result<Self, PortError> {
        let mut ini = Self { sections: Vec::new() };
        let counts = |line: &Line<'_>| !matches!(line, Line::Entry(_, []));
        for (taken, (start, line)) in lines(text, game).filter(|(_, line)| counts(line)).enumerate() {
            if taken == MOST_LINES {
                let message = format!("the text has more than {MOST_LINES} sections and lines with a value");
                return Err(fault("bad_count", message));
            }
            ini.take(start, line);
        }
        Ok(ini)
    }

    fn take(&mut self, start: usize, line: Line<'a>) {
        match line {
            Line::Header(name) => self.sections.push(Section { name, start, entries: Vec::new() }),
            Line::Entry(key, value) => {
                if let Some(section) = self.sections.last_mut() {
                    section.entries.push((key, value));
                }
            }
        }
    }

    /// The first section of each name.
    pub(crate) fn by_name(&self) -> BTreeMap<&'a [u8], &Section<'a>> {
        // What comes later replaces, so the first goes in last.
        self.sections.iter().rev().map(|section| (section.name, section)).collect()
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
        let name = told(self.name);
        let value = self.value(key);
        let value = value.ok_or_else(|| fault("missing", format!("[{name}] has no key {key}")))?;
        let numbers: Option<Vec<i32>> = pieces(value).map(whole_number).collect();
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
            fault("bad_number", format!("[{name}] {key}={} is not four whole numbers", told(value)))
        })
    }

    /// The bytes that the values stand for, in base 64, joined in order; their keys are not read.
    ///
    /// # Errors
    /// `EOPNOTSUPP` for a value of more than 127 characters, of which the games drop the rest; `EINVAL` at `bytes`:
    /// `bad_text` for what is no base 64.
    pub(crate) fn base64(&self) -> Result<Decoded, PortError> {
        let name = told(self.name);
        if let Some((key, value)) = self.entries.iter().find(|(_, value)| value.len() > PACK_LINE) {
            let (key, length) = (told(key), value.len());
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
            fault(wrong.name, format!("at byte {} of the pack in [{}]", wrong.at, told(self.name)))
        })?;
        pack.warnings.extend(padding(text.unpadded));
        Ok(pack)
    }
}

/// The lines of a text that say something, and where they begin.
fn lines(text: &[u8], game: Game) -> impl Iterator<Item = (usize, Line<'_>)> {
    let mut next = 0;
    let placed = text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = next;
        next += line.len();
        (start, line)
    });
    placed.filter_map(move |(start, line)| {
        header(line, game).map(Line::Header).or_else(|| entry(line)).map(|line| (start, line))
    })
}

/// The name that a line gives to a section, if it is the header of one.
fn header(line: &[u8], game: Game) -> Option<&[u8]> {
    let strict = game == Game::Ts;
    let line = if strict { line } else { trim(line) };
    let (name, _) = cut(line.strip_prefix(b"[")?, b']')?;
    Some(if strict { trim(name) } else { name })
}

/// Key and value of a line that is no header, if it has a key.
fn entry(line: &[u8]) -> Option<Line<'_>> {
    let (key, value) = cut(line.split(|byte| *byte == b';').next()?, b'=')?;
    let key = trim(key);
    (!key.is_empty()).then(|| Line::Entry(key, trim(value)))
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

/// The same for a message: 64 characters at most, and a mark where there are more.
pub(crate) fn told(text: &[u8]) -> String {
    // No character of UTF-8 has more than four bytes, so 65 of them are there, but for the part of one at the end.
    let head = &text[..text.len().min(4 * TOLD + 4)];
    let whole = match std::str::from_utf8(head) {
        Err(cut) if cut.error_len().is_none() && head.len() < text.len() => cut.valid_up_to(),
        _ => head.len(),
    };
    let mut told = shown(&head[..whole]);
    if let Some((end, _)) = told.char_indices().nth(TOLD) {
        told.truncate(end);
        told.push('…');
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_64_characters_of_a_text() {
        for character in ["x", "ä", "€", "𝄞"] {
            let text = |number| character.repeat(number).into_bytes();
            assert_eq!(told(&text(64)).into_bytes(), text(64));
            for more in [65, 66, 1000] {
                assert_eq!(told(&text(more)), format!("{}…", character.repeat(64)));
            }
            // A character that begins anywhere about the cut.
            assert_eq!(told(&[b"a".as_slice(), &text(1000)].concat()), format!("a{}…", character.repeat(63)));
        }
    }

    #[test]
    fn text_that_is_no_utf8_has_a_character_a_byte() {
        assert_eq!(told(b"H\xf6he"), "Höhe");
        assert_eq!(told(&[0xe4; 300]), format!("{}…", "ä".repeat(64)));
        assert_eq!(told(&[0xe4; 64]), "ä".repeat(64));
    }

    #[test]
    fn a_text_as_it_stands_keeps_what_the_games_do_not() {
        let text = b"[A] ;x\nk = v ; c\n=z\nq=\n[A;]\n";
        let (all, held) = (Ini::parse(text), Ini::load(text, Game::Yr).unwrap());
        assert_eq!(all.sections[0].entries, [(&b"k"[..], &b"v"[..]), (b"q", b"")]);
        assert_eq!(held.sections[0].entries, [(&b"k"[..], &b"v"[..])]);
        for sections in [all.sections, held.sections] {
            assert_eq!(sections.iter().map(|section| section.start).collect::<Vec<_>>(), [0, 23]);
            assert_eq!(sections[1].name, b"A;");
        }
    }
}
