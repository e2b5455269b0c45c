//! A folder whose files may be opened, and nothing beside it: `..`, absolute paths and links that lead out are refused
//! while the path is walked, so that nobody can swap a part of it between a check and the opening.

use super::error;
use assay_model::{Errno, PortError, ReadAt};
use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use std::fs::File;
use std::io;
use std::path::Path;

/// An open folder.
pub struct Folder {
    dir: Dir,
}

impl Folder {
    /// Opens a folder of this machine.
    ///
    /// # Errors
    /// It is none, or cannot be read; a fragment that fits after "failed to".
    pub fn open(path: &Path) -> Result<Self, String> {
        let opened = Dir::open_ambient_dir(path, ambient_authority());
        opened.map(|dir| Self { dir }).map_err(|error| format!("open the folder {}: {error}", path.display()))
    }

    /// Opens a regular file below the folder.
    ///
    /// # Errors
    /// `ENOENT` when there is none, `EACCES` for a path that leads out and for a file that may not be read, `EINVAL` for
    /// anything but a regular file, `EIO` otherwise. Messages have the path as it was asked for, and nothing of where the
    /// folder is.
    pub fn file(&self, path: &str) -> Result<OpenFile, PortError> {
        let failed = |why: io::Error| match why.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                error(Errno::Enoent, format!("no file is at `{path}`"))
            }
            io::ErrorKind::PermissionDenied => error(
                Errno::Eacces,
                format!("`{path}` leads out of the folders that are open here, or may not be read"),
            ),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => {
                error(Errno::Einval, format!("`{path}` is no path"))
            }
            _ => error(Errno::Eio, format!("`{path}` cannot be opened")),
        };
        // A pipe without a writer would hold the call for ever if the opening waited for one.
        let file = self.dir.open_with(path, OpenOptions::new().read(true).nonblock(true)).map_err(failed)?;
        OpenFile::new(file.into_std(), path).map_err(failed)?.ok_or_else(|| irregular(path))
    }
}

fn irregular(path: &str) -> PortError {
    error(Errno::Einval, format!("`{path}` is no regular file"))
}

/// An open regular file that is read by position.
pub struct OpenFile {
    file: File,
    length: u64,
    name: String,
}

impl OpenFile {
    /// Takes a file that is open; `None` when it is no regular one.
    fn new(file: File, name: &str) -> io::Result<Option<Self>> {
        let about = file.metadata()?;
        Ok(about.is_file().then(|| Self { file, length: about.len(), name: name.to_owned() }))
    }

    /// Opens any file of this machine: one that the operator named.
    ///
    /// # Errors
    /// It is not there, may not be read, or is no regular file; a fragment that fits after "failed to".
    pub fn ambient(path: &Path) -> Result<Self, String> {
        let name = path.display().to_string();
        let failed = |why: io::Error| format!("read {name}: {why}");
        // Asked before it is opened, because opening a pipe would wait.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(format!("read {name}: it is no regular file"));
        }
        let opened = Self::new(File::open(path).map_err(failed)?, &name).map_err(failed)?;
        opened.ok_or_else(|| format!("read {name}: it is no regular file"))
    }
}

impl ReadAt for OpenFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        let wanted =
            usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        let mut done = 0;
        while done < wanted {
            match position(&self.file, offset + done as u64, &mut buffer[done..wanted]) {
                Ok(0) => {
                    let message = format!("`{}` became shorter while it was read", self.name);
                    return Err(error(Errno::Eio, message));
                }
                Ok(read) => done += read,
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(error(Errno::Eio, format!("`{}` cannot be read any more", self.name))),
            }
        }
        Ok(wanted)
    }
}

#[cfg(unix)]
fn position(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn position(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_is_cut_while_it_is_open_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        fs::write(&place, [7_u8; 5000]).unwrap();
        let file = Folder::open(folder.path()).unwrap().file("a").unwrap();
        let mut buffer = [0; 8];
        assert_eq!((file.read_at(4996, &mut buffer).unwrap(), buffer[3]), (4, 7), "less only at the end");
        assert_eq!(file.read_at(5000, &mut buffer).unwrap(), 0);
        File::options().write(true).open(&place).unwrap().set_len(10).unwrap();
        let refused = file.read_at(4096, &mut buffer).unwrap_err();
        assert_eq!(refused.errno, Errno::Eio);
        assert!(refused.message.contains("became shorter"), "{refused}");
        assert_eq!(file.read_at(0, &mut buffer).unwrap(), 8, "what is left can be read");
    }
}
