//! A file held in memory and read by position, and the names of what can be wrong with one.
//!
//! Every message begins with one of a few names (`truncated`, `bad_magic`, …), so that a caller can tell causes apart.

use assay_model::{Attachment, Bytes, Errno, PortError};

/// Most bytes of one file, and most bytes that one decoder gives.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// A refusal of the file as it stands: `name: message`.
pub(crate) fn fault(name: &str, message: impl AsRef<str>) -> PortError {
    PortError::invalid("bytes", format!("{name}: {}", message.as_ref()))
}

/// A form of the file that no game is known to read.
pub(crate) fn unsupported(message: impl AsRef<str>) -> PortError {
    PortError::unsupported("bytes", format!("unsupported: {}", message.as_ref()))
}

/// A file that asks for more than is done for one.
pub(crate) fn overrun(message: impl AsRef<str>) -> PortError {
    let message = format!("output_overrun: {}", message.as_ref());
    PortError { errno: Errno::Efbig, field: "bytes".to_owned(), message }
}

/// Refuses an amount of work or output beyond [`MAX_BYTES`]; `message` says what there is too much of.
pub(crate) fn within(amount: u64, message: impl FnOnce() -> String) -> Result<(), PortError> {
    if amount > MAX_BYTES { Err(overrun(message())) } else { Ok(()) }
}

/// Refuses an output beyond the cap.
pub(crate) fn capped(length: u64) -> Result<(), PortError> {
    within(length, || format!("{length} bytes come out, at most {MAX_BYTES} are given"))
}

/// Text of a fixed field: up to the first NUL, one character a byte.
pub(crate) fn text(field: &[u8]) -> String {
    field.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

/// All bytes of a file.
pub(crate) struct Source(Vec<u8>);

impl Source {
    /// Takes a file into memory; refused beyond [`MAX_BYTES`].
    pub(crate) fn read(bytes: &Bytes) -> Result<Self, PortError> {
        super::whole(bytes, "bytes", MAX_BYTES).map(Self)
    }

    /// Takes the first bytes of a file into memory, at most `most`, for a file that is read by position from there on.
    pub(crate) fn head(bytes: &Bytes, most: u64) -> Result<Self, PortError> {
        bytes.range(0, bytes.length().min(most) as usize).map(Self)
    }

    /// Number of bytes.
    pub(crate) fn length(&self) -> u64 {
        self.0.len() as u64
    }

    /// `length` bytes at `at`.
    pub(crate) fn part(&self, at: u64, length: u64) -> Result<&[u8], PortError> {
        let end = at.checked_add(length).filter(|end| *end <= self.length());
        let end = end.ok_or_else(|| {
            fault("truncated", format!("{length} bytes at {at} end beyond {}", self.length()))
        })?;
        Ok(&self.0[at as usize..end as usize])
    }

    /// `length` bytes at a place that the file itself states: one behind the end is another fault than data that are cut.
    pub(crate) fn stated(&self, at: u64, length: u64) -> Result<&[u8], PortError> {
        if at > self.length() {
            return Err(fault("offset_out_of_range", format!("data at {at} of {}", self.length())));
        }
        self.part(at, length)
    }

    fn array<const N: usize>(&self, at: u64) -> Result<[u8; N], PortError> {
        let mut array = [0; N];
        array.copy_from_slice(self.part(at, N as u64)?);
        Ok(array)
    }

    /// The byte at `at`.
    pub(crate) fn u8(&self, at: u64) -> Result<u8, PortError> {
        self.array::<1>(at).map(|[byte]| byte)
    }

    /// The little-endian 16 bits at `at`.
    pub(crate) fn u16(&self, at: u64) -> Result<u16, PortError> {
        self.array(at).map(u16::from_le_bytes)
    }

    /// The same with a sign.
    pub(crate) fn i16(&self, at: u64) -> Result<i16, PortError> {
        self.array(at).map(i16::from_le_bytes)
    }

    /// The little-endian 32 bits at `at`.
    pub(crate) fn u32(&self, at: u64) -> Result<u32, PortError> {
        self.array(at).map(u32::from_le_bytes)
    }

    /// The same with a sign.
    pub(crate) fn i32(&self, at: u64) -> Result<i32, PortError> {
        self.array(at).map(i32::from_le_bytes)
    }

    /// The binary32 at `at`, as the binary64 of the same value.
    pub(crate) fn f32(&self, at: u64) -> Result<f64, PortError> {
        self.array(at).map(|bytes| f64::from(f32::from_le_bytes(bytes)))
    }

    /// Three bytes, such as a colour.
    pub(crate) fn triple(&self, at: u64) -> Result<[u8; 3], PortError> {
        self.array(at)
    }
}

/// Decoded bytes as the one artefact of a run.
pub(crate) fn attachment(name: &str, bytes: &[u8]) -> Vec<Attachment> {
    vec![super::artefact(name, bytes)]
}
