//! Reads a checkout: the specs side and the golden side, as two sets of text files.
//!
//! Only folders that the layout names are walked, directories behind symbolic links are not followed, and only regular
//! files up to [`MAX_FILE`] are read, so that no link, pipe or device can make the reader hang.

use assay_model::{Files, Problem, Rule};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// Folders below the start of a walk; `golden/<area>/<capability>/vectors/` is three deep.
const MAX_DEPTH: usize = 4;

/// Reads the specs (`oracles/…`) and the golden side (`golden/…`, `ports/known-failures.toml`) of the checkout at
/// `root`.
///
/// # Errors
/// A problem when `root` is no Assay checkout, or a file cannot be read, is no UTF-8, or is over [`MAX_FILE`].
pub fn read(root: &Path) -> Result<(Files, Files), Problem> {
    checkout(root)?;
    let (mut specs, mut golden) = (files(root), files(root));
    one(root, "oracles/sources.toml", &mut specs)?;
    walk(root, "oracles/specs", &["md"], MAX_DEPTH, &mut specs)?;
    walk(root, "oracles/tables", &["json"], MAX_DEPTH, &mut specs)?;
    walk(root, "golden", &["toml", "jsonl", "lock"], MAX_DEPTH, &mut golden)?;
    optional(root, "ports/known-failures.toml", &mut golden)?;
    Ok((specs, golden))
}

/// Reads what one suite needs: the sources, the tables, the specs and its golden folder. For a test runner that starts
/// one process a suite.
///
/// # Errors
/// As [`read`].
pub fn read_suite(root: &Path, area: &str, capability: &str) -> Result<(Files, Files), Problem> {
    checkout(root)?;
    let (mut specs, mut golden) = (files(root), files(root));
    one(root, "oracles/sources.toml", &mut specs)?;
    walk(root, "oracles/tables", &["json"], MAX_DEPTH, &mut specs)?;
    // Every spec, not this one alone: a composition is judged by the specs of its parts.
    walk(root, "oracles/specs", &["md"], MAX_DEPTH, &mut specs)?;
    walk(root, &format!("golden/{area}/{capability}"), &["toml", "jsonl"], MAX_DEPTH, &mut golden)?;
    optional(root, "ports/known-failures.toml", &mut golden)?;
    Ok((specs, golden))
}

/// Reads `golden/index.lock` alone.
///
/// # Errors
/// As [`read`]; a missing lock is an error.
pub fn read_lock(root: &Path) -> Result<String, Problem> {
    checkout(root)?;
    let mut golden = files(root);
    one(root, crate::lock::PATH, &mut golden)?;
    Ok(golden.texts.remove(crate::lock::PATH).unwrap_or_default())
}

fn files(root: &Path) -> Files {
    Files { origin: root.display().to_string(), ..Files::default() }
}

fn checkout(root: &Path) -> Result<(), Problem> {
    for needed in ["oracles/sources.toml", "golden"] {
        if !root.join(needed).exists() {
            let message = format!("is no Assay checkout: `{needed}` is missing");
            let help = "name the folder that holds `oracles/` and `golden/`";
            return Err(Problem::whole(Rule::File, root.display().to_string(), message, help));
        }
    }
    Ok(())
}

fn optional(root: &Path, path: &str, into: &mut Files) -> Result<(), Problem> {
    if root.join(path).exists() { one(root, path, into) } else { Ok(()) }
}

/// Reads one regular file, never more than the limit, whatever its size is said to be.
fn one(root: &Path, path: &str, into: &mut Files) -> Result<(), Problem> {
    let broken = |message: String| Problem::whole(Rule::File, path, message, "");
    let place = root.join(path);
    let metadata = fs::metadata(&place).map_err(|error| broken(format!("cannot be read: {error}")))?;
    if !metadata.is_file() {
        return Err(broken("is not a regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    let file = File::open(&place).map_err(|error| broken(format!("cannot be read: {error}")))?;
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| broken(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Problem::whole(
            Rule::File,
            path,
            "is over 64 MiB",
            "split the vectors into files of about 2000 lines",
        ));
    }
    let text = String::from_utf8(bytes).map_err(|error| broken(format!("is not UTF-8: {error}")))?;
    into.texts.insert(path.to_owned(), text);
    Ok(())
}

/// Reads every file below `folder` that has one of the extensions; a folder that does not exist is empty.
fn walk(
    root: &Path,
    folder: &str,
    extensions: &[&str],
    depth: usize,
    into: &mut Files,
) -> Result<(), Problem> {
    let place = root.join(folder);
    if !place.is_dir() {
        return Ok(());
    }
    let broken =
        |error: std::io::Error| Problem::whole(Rule::File, folder, format!("cannot be listed: {error}"), "");
    for entry in fs::read_dir(&place).map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(Problem::whole(
                Rule::File,
                folder,
                "holds a file whose name is not UTF-8",
                "rename it",
            ));
        };
        let path = format!("{folder}/{name}");
        // The type of the entry itself: a link to a folder is not walked, so no loop can catch the walk.
        if entry.file_type().map_err(broken)?.is_dir() {
            if depth > 0 {
                walk(root, &path, extensions, depth - 1, into)?;
            }
        } else if extensions
            .contains(&Path::new(&name).extension().and_then(|e| e.to_str()).unwrap_or_default())
        {
            one(root, &path, into)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout_at(root: &Path) {
        for folder in ["oracles/specs/combat", "oracles/tables", "golden/combat/x/vectors", "ports"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (path, text) in [
            ("oracles/sources.toml", "s"),
            ("oracles/specs/combat/x.md", "spec"),
            ("oracles/tables/t.json", "{}"),
            ("golden/combat/x/cases.toml", "cases"),
            ("golden/combat/x/vectors/a.jsonl", "vectors"),
            ("golden/combat/x/notes.txt", "not read"),
            ("golden/index.lock", "lock"),
            ("ports/known-failures.toml", "known"),
        ] {
            fs::write(root.join(path), text).unwrap();
        }
    }

    #[test]
    fn reads_what_the_layout_names_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        checkout_at(root.path());
        let (specs, golden) = read(root.path()).unwrap();
        let paths = |files: &Files| files.texts.keys().cloned().collect::<Vec<_>>();
        assert_eq!(
            paths(&specs),
            ["oracles/sources.toml", "oracles/specs/combat/x.md", "oracles/tables/t.json"]
        );
        assert_eq!(
            paths(&golden),
            [
                "golden/combat/x/cases.toml",
                "golden/combat/x/vectors/a.jsonl",
                "golden/index.lock",
                "ports/known-failures.toml"
            ]
        );
        assert_eq!(golden.origin, root.path().display().to_string());
        let (specs, golden) = read_suite(root.path(), "combat", "x").unwrap();
        assert_eq!((specs.texts.len(), golden.texts.len()), (3, 3));
        assert_eq!(read_lock(root.path()).unwrap(), "lock");
    }

    #[test]
    fn a_folder_that_is_no_checkout_is_named_with_what_it_lacks() {
        let root = tempfile::tempdir().unwrap();
        let problem = read(root.path()).unwrap_err();
        assert!(problem.to_string().contains("is no Assay checkout: `oracles/sources.toml` is missing"));
    }

    #[test]
    fn text_that_is_no_utf8_is_refused() {
        let root = tempfile::tempdir().unwrap();
        checkout_at(root.path());
        fs::write(root.path().join("golden/combat/x/cases.toml"), b"\xff").unwrap();
        assert!(read(root.path()).unwrap_err().message.contains("is not UTF-8"));
    }

    #[cfg(unix)]
    #[test]
    fn links_cannot_make_it_hang() {
        let root = tempfile::tempdir().unwrap();
        checkout_at(root.path());
        std::os::unix::fs::symlink(root.path().join("golden"), root.path().join("golden/combat/loop"))
            .unwrap();
        assert_eq!(read(root.path()).unwrap().1.texts.len(), 4);
        std::os::unix::fs::symlink("/dev/zero", root.path().join("golden/combat/x/vectors/z.jsonl")).unwrap();
        assert!(read(root.path()).unwrap_err().message.contains("not a regular file"));
    }

    #[test]
    fn a_file_over_the_limit_is_refused() {
        let root = tempfile::tempdir().unwrap();
        checkout_at(root.path());
        // Sparse: no 64 MiB are written.
        File::create(root.path().join("golden/index.lock")).unwrap().set_len(MAX_FILE + 1).unwrap();
        assert!(read(root.path()).unwrap_err().message.contains("over 64 MiB"));
    }
}
