//! Uploads: files that remote callers send in pieces, held in memory within stated bounds, and gone with the process.

use super::error;
use assay_model::{Errno, PortError, ReadAt};
use assay_ports::assets::{hex, sha1::sha1};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How much a store takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of all files together, as they were announced.
    pub store: u64,
    /// Files at a time.
    pub files: usize,
    /// How long a file stays that nobody sends to or reads from.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file: 64 << 20, store: 256 << 20, files: 256, idle: Duration::from_secs(30 * 60) }
    }
}

/// A piece of a file.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// What the file is called here.
    pub id: &'a str,
    /// Bytes of the whole file.
    pub total: u64,
    /// Where the piece begins.
    pub offset: u64,
    /// The piece.
    pub bytes: &'a [u8],
    /// What SHA-1 the whole file must have, as 40 lower-case hexadecimal digits.
    pub sha1: Option<&'a str>,
}

/// How far an upload is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bytes that are there; the next piece begins here.
    pub received: u64,
    /// Bytes of the whole file.
    pub total: u64,
    /// SHA-1 of the file, once it is whole.
    pub sha1: Option<String>,
}

struct Upload {
    total: u64,
    announced: Option<String>,
    state: State,
    touched: Instant,
}

enum State {
    Growing(Vec<u8>),
    Whole(Arc<Vec<u8>>, String),
}

impl Upload {
    fn bytes(&self) -> &[u8] {
        match &self.state {
            State::Growing(bytes) => bytes,
            State::Whole(bytes, _) => bytes,
        }
    }

    fn stored(&self) -> Stored {
        let sha1 = match &self.state {
            State::Growing(_) => None,
            State::Whole(_, sha1) => Some(sha1.clone()),
        };
        Stored { received: self.bytes().len() as u64, total: self.total, sha1 }
    }
}

/// All uploads of a process.
#[derive(Default)]
pub struct Store {
    limits: Limits,
    uploads: Mutex<BTreeMap<String, Upload>>,
}

impl Store {
    /// An empty store.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        Self { limits, uploads: Mutex::new(BTreeMap::new()) }
    }

    /// How much it takes.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes a piece. The same piece may be sent again, which changes nothing.
    ///
    /// # Errors
    /// `EFBIG` for a file above the cap, `ENOSPC` when the store has no room for it, `ENOENT` for a later piece of an id
    /// that is unknown (it expired, or its beginning never came), `EEXIST` when the id has another total, digest or
    /// content, `EINVAL` for a gap, an overlap, a piece beyond the total, and for a whole file with another SHA-1 than was
    /// announced, which is then forgotten.
    pub fn take(&self, chunk: Chunk<'_>) -> Result<Stored, PortError> {
        self.take_at(chunk, Instant::now())
    }

    fn take_at(&self, chunk: Chunk<'_>, now: Instant) -> Result<Stored, PortError> {
        let mut uploads = self.current(now);
        if !uploads.contains_key(chunk.id) {
            self.admit(&uploads, chunk)?;
            let upload = Upload {
                total: chunk.total,
                announced: chunk.sha1.map(str::to_owned),
                state: State::Growing(room(chunk.total)?),
                touched: now,
            };
            uploads.insert(chunk.id.to_owned(), upload);
        }
        let grown = match uploads.get_mut(chunk.id) {
            Some(upload) => grow(upload, chunk, now),
            None => Err(unknown(chunk.id, BEGIN)),
        };
        // What never got a byte, or turned out to be another file, takes no room.
        let empty = |upload: &Upload| matches!(&upload.state, State::Growing(bytes) if bytes.is_empty());
        if grown.is_err() && uploads.get(chunk.id).is_some_and(empty) {
            uploads.remove(chunk.id);
        }
        grown
    }

    /// Whether a file that is not there yet may begin.
    fn admit(&self, uploads: &BTreeMap<String, Upload>, chunk: Chunk<'_>) -> Result<(), PortError> {
        if chunk.total > self.limits.file {
            let message = format!("a file of {} bytes is above the cap of {}", chunk.total, self.limits.file);
            return Err(error(Errno::Efbig, message));
        }
        if chunk.offset != 0 {
            return Err(unknown(chunk.id, BEGIN));
        }
        if chunk.bytes.is_empty() && chunk.total > 0 {
            return Err(error(Errno::Einval, "the first piece is empty: a file takes room from then on"));
        }
        let used: u64 = uploads.values().map(|upload| upload.total).sum();
        if used + chunk.total > self.limits.store || uploads.len() >= self.limits.files {
            let message = format!(
                "the store has {} of {} bytes left, and {} of {} files; remove an upload or wait until one expires",
                self.limits.store - used,
                self.limits.store,
                self.limits.files - uploads.len(),
                self.limits.files
            );
            return Err(error(Errno::Enospc, message));
        }
        Ok(())
    }

    /// Forgets an upload. Runs that read it go on.
    ///
    /// # Errors
    /// `ENOENT` when there is none.
    pub fn remove(&self, id: &str) -> Result<(), PortError> {
        self.current(Instant::now()).remove(id).map(drop).ok_or_else(|| unknown(id, ""))
    }

    /// The bytes of a whole upload.
    ///
    /// # Errors
    /// `ENOENT` when there is none, `EBUSY` while pieces are missing.
    pub fn reader(&self, id: &str) -> Result<Arc<dyn ReadAt>, PortError> {
        self.reader_at(id, Instant::now())
    }

    fn reader_at(&self, id: &str, now: Instant) -> Result<Arc<dyn ReadAt>, PortError> {
        let mut uploads = self.current(now);
        let upload = uploads.get_mut(id).ok_or_else(|| unknown(id, BEGIN))?;
        upload.touched = now;
        match &upload.state {
            State::Whole(bytes, _) => Ok(Arc::new(Held(Arc::clone(bytes)))),
            State::Growing(bytes) => {
                let message = format!("upload `{id}` has {} of {} bytes so far", bytes.len(), upload.total);
                Err(error(Errno::Ebusy, message))
            }
        }
    }

    /// The uploads without those that have expired.
    fn current(&self, now: Instant) -> MutexGuard<'_, BTreeMap<String, Upload>> {
        let mut uploads = self.uploads.lock().unwrap_or_else(PoisonError::into_inner);
        uploads.retain(|_, upload| now.saturating_duration_since(upload.touched) < self.limits.idle);
        uploads
    }
}

/// What to do when a file was thought to be there.
const BEGIN: &str = "; begin it at offset 0";

fn unknown(id: &str, help: &str) -> PortError {
    error(Errno::Enoent, format!("no upload is called `{id}`{help}"))
}

/// Room for exactly what was announced and counted: growing by doubling would take twice as much.
fn room(total: u64) -> Result<Vec<u8>, PortError> {
    let mut bytes = Vec::new();
    let found = usize::try_from(total).is_ok_and(|total| bytes.try_reserve_exact(total).is_ok());
    let none = || error(Errno::Enospc, format!("this machine has no memory for {total} bytes"));
    found.then_some(bytes).ok_or_else(none)
}

fn grow(upload: &mut Upload, chunk: Chunk<'_>, now: Instant) -> Result<Stored, PortError> {
    let known = match &upload.state {
        State::Growing(_) => upload.announced.as_deref(),
        State::Whole(_, sha1) => Some(sha1.as_str()),
    };
    let another = |given: &str| known.is_some_and(|known| known != given);
    if chunk.total != upload.total || chunk.sha1.is_some_and(another) {
        return Err(taken(chunk.id));
    }
    let received = upload.bytes().len() as u64;
    let wrong = |message: String| Err(error(Errno::Einval, message));
    let Some(end) = chunk.offset.checked_add(chunk.bytes.len() as u64).filter(|end| *end <= upload.total)
    else {
        return wrong(format!("the piece ends beyond the {} bytes of the file", upload.total));
    };
    if chunk.offset > received {
        return wrong(format!("a gap: the next piece begins at {received}, not at {}", chunk.offset));
    }
    upload.touched = now;
    if chunk.offset < received {
        if end > received {
            return wrong(format!(
                "an overlap: the next piece begins at {received}, not at {}",
                chunk.offset
            ));
        }
        // Both ends are within what is there.
        let there = &upload.bytes()[chunk.offset as usize..end as usize];
        return if there == chunk.bytes { Ok(upload.stored()) } else { Err(taken(chunk.id)) };
    }
    if let State::Growing(bytes) = &mut upload.state {
        bytes.extend_from_slice(chunk.bytes);
        upload.announced = upload.announced.take().or_else(|| chunk.sha1.map(str::to_owned));
        if end == upload.total {
            finish(upload, chunk.id)?;
        }
    }
    Ok(upload.stored())
}

/// Seals a file that has all its bytes; one that is another than was announced loses them.
fn finish(upload: &mut Upload, id: &str) -> Result<(), PortError> {
    let State::Growing(bytes) = &mut upload.state else { return Ok(()) };
    let bytes = std::mem::take(bytes);
    let digest = hex(&sha1(&bytes));
    if let Some(announced) = upload.announced.as_ref().filter(|announced| **announced != digest) {
        let message = format!("`{id}` has SHA-1 {digest}, not {announced}; it is forgotten, send it again");
        return Err(error(Errno::Einval, message));
    }
    upload.state = State::Whole(Arc::new(bytes), digest);
    Ok(())
}

fn taken(id: &str) -> PortError {
    error(Errno::Eexist, format!("`{id}` is another file already; remove it, or take another id"))
}

/// Bytes of an upload, which live on while somebody reads them.
struct Held(Arc<Vec<u8>>);

impl ReadAt for Held {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let length = buffer.len().min(self.0.len() - start);
        buffer[..length].copy_from_slice(&self.0[start..start + length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { file: 10, store: 16, files: 3, idle: Duration::from_secs(60) };

    fn chunk<'a>(id: &'a str, total: u64, offset: u64, bytes: &'a [u8]) -> Chunk<'a> {
        Chunk { id, total, offset, bytes, sha1: None }
    }

    fn errno<T>(outcome: Result<T, PortError>) -> Errno {
        outcome.err().map(|error| error.errno).unwrap()
    }

    #[test]
    fn pieces_join_in_order_and_may_be_sent_again() {
        let store = Store::new(LIMITS);
        assert_eq!(
            store.take(chunk("a", 5, 0, b"he")).unwrap(),
            Stored { received: 2, total: 5, sha1: None }
        );
        assert_eq!(errno(store.reader("a")), Errno::Ebusy);
        assert_eq!(store.take(chunk("a", 5, 0, b"he")).unwrap().received, 2, "again");
        let whole = store.take(chunk("a", 5, 2, b"llo")).unwrap();
        assert_eq!(whole.sha1.as_deref(), Some("aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"));
        assert_eq!(store.take(chunk("a", 5, 2, b"llo")).unwrap(), whole, "again");
        let other =
            Chunk { sha1: Some("da39a3ee5e6b4b0d3255bfef95601890afd80709"), ..chunk("a", 5, 2, b"llo") };
        assert_eq!(errno(store.take(other)), Errno::Eexist, "what it has is known now");
        let reader = store.reader("a").unwrap();
        store.remove("a").unwrap();
        assert_eq!(errno(store.remove("a")), Errno::Enoent);
        let mut bytes = [0; 9];
        assert_eq!(
            (reader.read_at(1, &mut bytes).unwrap(), &bytes[..4]),
            (4, &b"ello"[..]),
            "it is still read"
        );
        assert_eq!(reader.read_at(u64::MAX, &mut bytes).unwrap(), 0);
        let empty = store.take(chunk("none", 0, 0, b"")).unwrap();
        assert_eq!(empty.sha1.as_deref(), Some("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
        assert_eq!(store.take(chunk("none", 0, 0, b"")).unwrap(), empty);
    }

    #[test]
    fn each_refusal_has_its_errno_and_leaves_what_was_there() {
        let store = Store::new(LIMITS);
        assert_eq!(errno(store.take(chunk("a", 11, 0, b"x"))), Errno::Efbig);
        assert_eq!(errno(store.take(chunk("a", 5, 1, b"x"))), Errno::Enoent);
        assert_eq!(errno(store.reader("a")), Errno::Enoent);
        assert_eq!(errno(store.take(chunk("a", 1, 0, b"xy"))), Errno::Einval, "beyond the total");
        store.take(chunk("a", 10, 0, b"0123")).unwrap();
        assert_eq!(errno(store.take(chunk("a", 10, 5, b"x"))), Errno::Einval, "a gap");
        assert_eq!(errno(store.take(chunk("a", 10, 3, b"34"))), Errno::Einval, "an overlap");
        assert_eq!(errno(store.take(chunk("a", 10, 4, b"456789x"))), Errno::Einval, "beyond the total");
        assert_eq!(errno(store.take(chunk("a", 10, u64::MAX, b"x"))), Errno::Einval);
        assert_eq!(errno(store.take(chunk("a", 10, 0, b"01x"))), Errno::Eexist, "other content");
        assert_eq!(errno(store.take(chunk("a", 9, 4, b"4"))), Errno::Eexist, "another total");
        assert_eq!(errno(store.take(chunk("b", 7, 0, b"x"))), Errno::Enospc, "6 are left");
        store.take(chunk("b", 6, 0, b"x")).unwrap();
        store.take(chunk("c", 0, 0, b"")).unwrap();
        assert_eq!(errno(store.take(chunk("d", 0, 0, b""))), Errno::Enospc, "three files");
        assert_eq!(store.take(chunk("a", 10, 4, b"456789")).unwrap().received, 10);
        store.remove("b").unwrap();
        assert_eq!(
            errno(store.take(chunk("d", 6, 0, b""))),
            Errno::Einval,
            "nothing but the claim to a place"
        );
        assert!(store.take(chunk("d", 6, 0, b"123456")).is_ok(), "there is room again");
    }

    #[test]
    fn a_file_with_another_digest_is_forgotten() {
        let store = Store::new(LIMITS);
        let hello = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d";
        let piece = |bytes| Chunk { sha1: Some(hello), ..chunk("a", 5, 0, bytes) };
        let refused = store.take(piece(b"hallo")).unwrap_err();
        assert_eq!(refused.errno, Errno::Einval);
        assert!(refused.message.contains("has SHA-1"), "{refused}");
        assert_eq!(errno(store.reader("a")), Errno::Enoent);
        assert!(store.take(piece(b"hello")).unwrap().sha1.is_some());
        let other =
            Chunk { sha1: Some("da39a3ee5e6b4b0d3255bfef95601890afd80709"), ..chunk("a", 5, 0, b"hello") };
        assert_eq!(errno(store.take(other)), Errno::Eexist);
    }

    #[test]
    fn what_nobody_touches_expires_and_makes_room() {
        let store = Store::new(LIMITS);
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        store.take_at(chunk("a", 10, 0, b"0123456789"), start).unwrap();
        assert!(store.reader_at("a", after(59)).is_ok(), "reading keeps it");
        assert!(store.reader_at("a", after(118)).is_ok());
        assert_eq!(errno(store.take_at(chunk("b", 10, 0, b"x"), after(177))), Errno::Enospc);
        assert_eq!(errno(store.reader_at("a", after(178))), Errno::Enoent);
        assert!(store.take_at(chunk("b", 10, 0, b"x"), after(178)).is_ok());
    }

    #[test]
    fn what_this_machine_has_no_memory_for_is_refused() {
        let all = Limits { file: u64::MAX, store: u64::MAX, ..LIMITS };
        assert_eq!(errno(Store::new(all).take(chunk("a", u64::MAX / 2, 0, b"x"))), Errno::Enospc);
        assert_eq!(errno(Store::new(all).take(chunk("a", u64::MAX, 0, b"x"))), Errno::Enospc);
    }
}
