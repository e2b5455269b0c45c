//! The digest that says which ports were judged: blake3 over the sources that a port is made of, in path order.
//!
//! It covers the crate `ports` and the crate `harness/model`, which holds the numbers that ports take and give; sources and
//! manifests, tests left out. It does not cover the compiler, its flags and other people's crates: two builds of one digest
//! may still differ, and a receipt names compiler, target and `Cargo.lock` beside it. The build script computes it for the
//! binary, and `assay bisect` for a revision that it has not built yet.

use std::path::Path;
use std::{fs, io};

/// What is covered: folders and files of a checkout.
pub const COVERED: [&str; 4] =
    ["harness/model/Cargo.toml", "harness/model/src", "ports/Cargo.toml", "ports/src"];

/// The digest of the ports of a checkout, hex.
///
/// # Errors
/// Something covered cannot be read, or a file name is not UTF-8.
pub fn digest(root: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for covered in COVERED {
        collect(root, covered, &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let content = fs::read(root.join(&path))?;
        for part in [path.as_bytes(), &content] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// The paths of the regular files at or below a path; names that begin with a point are an editor's.
fn collect(root: &Path, path: &str, files: &mut Vec<String>) -> io::Result<()> {
    let kind = fs::symlink_metadata(root.join(path))?.file_type();
    if kind.is_file() {
        files.push(path.to_owned());
    }
    if !kind.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(root.join(path))? {
        let name = entry?.file_name();
        let name = name
            .to_str()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a file name is not UTF-8"))?;
        if !name.starts_with('.') {
            collect(root, &format!("{path}/{name}"), files)?;
        }
    }
    Ok(())
}
