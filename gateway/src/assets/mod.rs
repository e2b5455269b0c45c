//! Where the bytes of an argument come from when they do not stand in it: files below folders that the operator allows,
//! uploads, and entries of archives in either.
//!
//! Everything is read by position ([`ReadAt`]): no file is mapped or loaded as a whole, and an archive inside an archive is
//! a window on the outermost file. Ports see the bytes alone.

mod archive;
mod folder;
pub mod names;
pub mod sniff;
mod store;

pub use archive::{Archive, Found, Window, enter};
pub use folder::{Folder, OpenFile};
pub use store::{Chunk, Limits, Store, Stored};

use assay_model::{Errno, Host, Place, PortError, ReadAt, Source};
use std::path::Path;
use std::sync::Arc;

/// What a process may open for its callers.
#[derive(Default)]
pub struct Assets {
    folders: Vec<Folder>,
    uploads: Store,
}

impl Assets {
    /// These folders, in the order in which a path is looked for, and a store for uploads.
    ///
    /// # Errors
    /// A folder cannot be opened; a fragment that fits after "failed to".
    pub fn new<P: AsRef<Path>>(folders: &[P], limits: Limits) -> Result<Self, String> {
        let folders = folders.iter().map(|folder| Folder::open(folder.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { folders, uploads: Store::new(limits) })
    }

    /// The uploads.
    #[must_use]
    pub const fn uploads(&self) -> &Store {
        &self.uploads
    }

    fn file(&self, path: &str) -> Result<Arc<dyn ReadAt>, PortError> {
        if self.folders.is_empty() {
            let message = "no folder is open to paths here; start with --assets DIR, or upload the file";
            return Err(error(Errno::Eacces, message));
        }
        // A folder that does not have it leaves it to the next; any other failure is the answer.
        let mut missing = None;
        for folder in &self.folders {
            match folder.file(path) {
                Ok(file) => return Ok(Arc::new(file)),
                Err(refused) if refused.errno == Errno::Enoent => missing = Some(refused),
                Err(refused) => return Err(refused),
            }
        }
        Err(missing.unwrap_or_else(|| error(Errno::Enoent, format!("no file is at `{path}`"))))
    }
}

impl Host for Assets {
    fn open(&self, source: &Source) -> Result<Arc<dyn ReadAt>, PortError> {
        let outermost = match &source.place {
            Place::Path(path) => self.file(path)?,
            Place::Upload(id) => self.uploads.reader(id)?,
        };
        source.entries.iter().try_fold(outermost, |archive, name| enter(archive, name))
    }
}

/// A failure that is charged to the argument as a whole.
pub(crate) fn error(errno: Errno, message: impl Into<String>) -> PortError {
    PortError { errno, field: String::new(), message: message.into() }
}
