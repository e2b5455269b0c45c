//! Entries of MIX archives, found by name or id and read in place.

use super::error;
use assay_model::{Bytes, Errno, Game, PortError, ReadAt};
use assay_ports::assets::mix_id::{IdRule, id_of};
use assay_ports::assets::mix_list::{Entry, Layout, MixList, MixListInput, mix_list};
use std::sync::Arc;

/// A part of other bytes.
pub struct Window {
    inside: Arc<dyn ReadAt>,
    start: u64,
    length: u64,
}

impl Window {
    /// `length` bytes at `start`; `None` when they end beyond what is there.
    #[must_use]
    pub fn new(inside: Arc<dyn ReadAt>, start: u64, length: u64) -> Option<Self> {
        let end = start.checked_add(length)?;
        (end <= inside.length()).then_some(Self { inside, start, length })
    }
}

impl ReadAt for Window {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        let left = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        self.inside.read_at(self.start + offset, &mut buffer[..wanted])
    }
}

/// An archive whose index has been read.
pub struct Archive {
    bytes: Arc<dyn ReadAt>,
    list: MixList,
}

/// An entry of an archive, and its number from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its place in the index.
    pub number: usize,
    /// What the index says.
    pub entry: Entry,
}

impl Archive {
    /// Reads the index, which is decrypted where it has to be.
    ///
    /// # Errors
    /// `EINVAL` when it is none, and what reading says.
    pub fn open(bytes: Arc<dyn ReadAt>) -> Result<Self, PortError> {
        // The layout tells itself, so any game will do.
        let input = MixListInput { game: Game::Yr, bytes: Bytes::Reader(Arc::clone(&bytes)), strict: false };
        Ok(Self { list: mix_list(&input)?, bytes })
    }

    /// The index.
    #[must_use]
    pub const fn list(&self) -> &MixList {
        &self.list
    }

    /// The rules by which this archive may have made its ids, the likelier first.
    #[must_use]
    pub const fn rules(&self) -> &'static [IdRule] {
        match self.list.kind {
            Layout::Classic => &[IdRule::Classic],
            Layout::Flagged => &[IdRule::Ts, IdRule::Classic],
        }
    }

    /// The first entry of a name, or of an id written `0x` and hexadecimal digits.
    ///
    /// # Errors
    /// `ENOENT` when there is none; `EOPNOTSUPP` for a name beyond ASCII, whose capitals depend on the code page.
    pub fn find(&self, name: &str) -> Result<Found, PortError> {
        let ids = match id(name) {
            Some(id) => vec![id],
            None if !name.is_ascii() => {
                let message = format!("unsupported: `{name}` has characters beyond ASCII; give its id");
                return Err(error(Errno::Eopnotsupp, message));
            }
            None => {
                let rules = self.rules().iter();
                rules.map(|rule| id_of(name.as_bytes(), *rule).map(|(_, id)| id)).collect::<Result<_, _>>()?
            }
        };
        let found = ids.iter().find_map(|id| self.list.entries.iter().position(|entry| entry.id == *id));
        let number =
            found.ok_or_else(|| error(Errno::Enoent, format!("the archive has no entry `{name}`")))?;
        Ok(Found { number, entry: self.list.entries[number] })
    }

    /// The bytes of an entry, in place.
    ///
    /// # Errors
    /// `EINVAL` when the archive ends inside them.
    pub fn bytes(&self, entry: &Entry) -> Result<Arc<dyn ReadAt>, PortError> {
        let start = self.list.body_offset + u64::from(entry.offset);
        let window = Window::new(Arc::clone(&self.bytes), start, entry.size.into());
        let cut =
            || error(Errno::Einval, format!("truncated: the archive ends inside entry 0x{:08x}", entry.id));
        window.map(|window| Arc::new(window) as Arc<dyn ReadAt>).ok_or_else(cut)
    }
}

/// The entry of a name or an id, in place.
///
/// # Errors
/// As [`Archive::open`], [`Archive::find`] and [`Archive::bytes`]; the message names the entry.
pub fn enter(bytes: Arc<dyn ReadAt>, name: &str) -> Result<Arc<dyn ReadAt>, PortError> {
    let within = |why: PortError| PortError {
        message: format!("`{name}` cannot be taken out of what is no archive: {}", why.message),
        field: String::new(),
        ..why
    };
    let archive = Archive::open(bytes).map_err(within)?;
    archive.bytes(&archive.find(name)?.entry)
}

/// An id as people write one.
fn id(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let fits = (1..=8).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_all_digits_and_anything_else_a_name() {
        assert_eq!(id("0x1a2b3C4d"), Some(0x1a2b_3c4d));
        assert_eq!(
            (id("0X5"), id("0x"), id("0x123456789"), id("0x12.shp"), id("0x+5")),
            (Some(5), None, None, None, None)
        );
    }
}
