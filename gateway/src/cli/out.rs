//! `--out`: bytes into a file, or with `-` to standard output.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// What writes the bytes. The outer error is of where they come from, the inner one of where they go.
type Body<'a> = &'a mut dyn FnMut(&mut dyn Write) -> Result<io::Result<()>, String>;

/// Writes to `out`, which is never half written: a new file takes its place once it is whole. What is read from must not be
/// replaced.
///
/// # Errors
/// `out` is the file at `from` or cannot be written, or what `body` says; a fragment that fits after "failed to".
pub fn write(out: &Path, from: &Path, body: Body<'_>) -> Result<(), String> {
    let failed = |error: io::Error| format!("write {}: {error}", out.display());
    if out == Path::new("-") {
        return stdout(body);
    }
    // Through a link, so that it is kept.
    let place = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    if fs::canonicalize(from).is_ok_and(|from| from == place) {
        return Err(format!("write {}: it is the file that is read; name another", out.display()));
    }
    let there = fs::metadata(&place).ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        // A pipe or a device takes the bytes as they come.
        let mut file = fs::OpenOptions::new().write(true).open(&place).map_err(failed)?;
        return body(&mut file)?.map_err(failed);
    }
    let mut file = beside(&place, there.map(|there| there.permissions())).map_err(failed)?;
    body(&mut file)?.map_err(failed)?;
    file.persist(&place).map(drop).map_err(|error| failed(error.error))
}

/// Writes all of `bytes`, as [`write`] does.
///
/// # Errors
/// Those of [`write`].
pub fn bytes(out: &Path, from: &Path, bytes: &[u8]) -> Result<(), String> {
    write(out, from, &mut |to| Ok(to.write_all(bytes)))
}

/// A new file in the same folder, with the permissions of the one that it will replace.
fn beside(place: &Path, permissions: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".assay-");
    if let Some(permissions) = permissions.or_else(usual) {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// What a program gives a new file; the system takes away what the user does not want.
#[cfg(unix)]
fn usual() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
const fn usual() -> Option<fs::Permissions> {
    None
}

fn stdout(body: Body<'_>) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    if stdout.is_terminal() {
        return Err("write bytes to a terminal: name a file with --out".to_owned());
    }
    match body(&mut stdout)?.and_then(|()| stdout.flush()) {
        // A reader that left is not told of.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("write the result: {error}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let (from, out) = (folder.path().join("from"), folder.path().join("out"));
        fs::write(&from, "source").unwrap();
        bytes(&out, &from, b"first").unwrap();
        assert_eq!(fs::read(&out).unwrap(), b"first");
        let broken = write(&out, &from, &mut |to| {
            to.write_all(b"half").unwrap();
            Err("read it".to_owned())
        });
        assert_eq!(broken.unwrap_err(), "read it");
        assert_eq!(fs::read(&out).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
        assert!(bytes(&folder.path().join("none/out"), &from, b"").unwrap_err().starts_with("write "));
        assert!(bytes(folder.path(), &from, b"").is_err(), "a folder");
    }

    #[test]
    fn the_source_is_never_the_target() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        fs::write(&from, "source").unwrap();
        let same = folder.path().join(".").join("from");
        assert!(
            bytes(&same, &from, b"x").unwrap_err().ends_with("it is the file that is read; name another")
        );
        let linked = folder.path().join("linked");
        fs::hard_link(&from, &linked).unwrap();
        bytes(&linked, &from, b"x").unwrap();
        assert_eq!(
            (fs::read(&from).unwrap(), fs::read(&linked).unwrap()),
            (b"source".to_vec(), b"x".to_vec())
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [from, out, link] = ["from", "out", "link"].map(|name| folder.path().join(name));
        fs::write(&out, "old").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&out, &link).unwrap();
        bytes(&link, &from, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&out).unwrap(), b"new");
        assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o640);
        bytes(Path::new("/dev/null"), &from, b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
