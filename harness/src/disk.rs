//! Reads a checkout: the specs side and the golden side, as two sets of text files.
//!
//! Only folders that the layout names are walked, directories behind symbolic links are not followed, and only regular
//! files up to [`MAX_FILE`] are read, so that no link, pipe or device can make the reader hang.

use assay_model::{Files, Problem, Rule};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// Folders below the start of a walk; `golden/<area>/<capability>/vectors/` is three deep.
const MAX_DEPTH: usize = 4;

/// Folders that are read, and the extensions in each.
const FOLDERS: [(&str, &[&str]); 3] =
    [("oracles/specs", &["md"]), ("oracles/tables", &["json"]), ("golden", &["toml", "jsonl", "lock"])];

const SOURCES: &str = "oracles/sources.toml";
const KNOWN: &str = crate::load::known::PATH;

/// Reads the specs (`oracles/…`) and the golden side (`golden/…`, `ports/known-failures.toml`) of the checkout at
/// `root`.
///
/// # Errors
/// A problem when `root` is no Assay checkout, or a file cannot be read, is no UTF-8, or is over [`MAX_FILE`].
pub fn read(root: &Path) -> Result<(Files, Files), Problem> {
    checkout(root)?;
    let (mut specs, mut golden) = (files(root), files(root));
    one(root, SOURCES, &mut specs)?;
    for (folder, extensions) in FOLDERS {
        let side = if folder == "golden" { &mut golden } else { &mut specs };
        walk(root, folder, extensions, MAX_DEPTH, &mut Strict(side))?;
    }
    optional(root, KNOWN, &mut golden)?;
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
    one(root, SOURCES, &mut specs)?;
    // Every spec, not this one alone: a composition is judged by the specs of its parts.
    for (folder, extensions) in FOLDERS.iter().filter(|(folder, _)| *folder != "golden") {
        walk(root, folder, extensions, MAX_DEPTH, &mut Strict(&mut specs))?;
    }
    let folder = format!("golden/{area}/{capability}");
    walk(root, &folder, &["toml", "jsonl"], MAX_DEPTH, &mut Strict(&mut golden))?;
    optional(root, KNOWN, &mut golden)?;
    Ok((specs, golden))
}

/// A checkout that is read again piece by piece. Unlike [`read`] it goes on where a file cannot be read.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
    /// `oracles/…`.
    pub specs: Files,
    /// `golden/…` and the known failures.
    pub golden: Files,
    /// What could not be read, by path: it is in neither side.
    pub unread: BTreeMap<String, Problem>,
}

impl Checkout {
    /// Reads the checkout at `root`.
    ///
    /// # Errors
    /// A problem when `root` is no Assay checkout.
    pub fn open(root: &Path) -> Result<Self, Problem> {
        checkout(root)?;
        let (specs, golden) = (files(root), files(root));
        let mut read = Self { root: root.to_owned(), specs, golden, unread: BTreeMap::new() };
        read.refresh("");
        Ok(read)
    }

    /// Reads again what lies at a path relative to the root, be it a file, a folder with all in it, or gone; the empty
    /// path is everything. Gives the paths whose content is another than before.
    pub fn refresh(&mut self, path: &str) -> BTreeSet<String> {
        let before = self.take(path);
        for (folder, extensions) in FOLDERS {
            if within(folder, path) {
                self.folder(folder, extensions, MAX_DEPTH);
            } else if let Some(rest) = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
                self.below(folder, rest, extensions);
            }
        }
        for file in [SOURCES, KNOWN].into_iter().filter(|file| within(file, path)) {
            self.file(file);
        }
        let after = self.of(path);
        let changed = before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path));
        changed.cloned().collect()
    }

    /// What lies `rest` below a folder of the layout: read if a walk would come to it.
    fn below(&mut self, folder: &str, rest: &str, extensions: &[&str]) {
        let parts: Vec<&str> = rest.split('/').collect();
        let mut path = folder.to_owned();
        for (depth, part) in parts.iter().enumerate() {
            path = format!("{path}/{part}");
            if depth > MAX_DEPTH || part.starts_with('.') {
                return;
            }
            let Ok(metadata) = fs::symlink_metadata(self.root.join(&path)) else { return };
            if depth + 1 < parts.len() {
                if !metadata.is_dir() {
                    return;
                }
            } else if metadata.is_dir() && depth < MAX_DEPTH {
                self.folder(&path, extensions, MAX_DEPTH - depth - 1);
            } else if !metadata.is_dir() && has_extension(part, extensions) {
                self.file(&path);
            }
        }
    }

    fn folder(&mut self, folder: &str, extensions: &[&str], depth: usize) {
        let root = self.root.clone();
        // A lenient walk has nothing to stop at.
        let _ = walk(&root, folder, extensions, depth, self);
    }

    /// Reads a file that may just have gone.
    fn file(&mut self, path: &str) {
        if self.root.join(path).exists() {
            let _ = self.take_file(&self.root.clone(), path);
        }
    }

    /// Forgets what is at or below a path, and gives it.
    fn take(&mut self, path: &str) -> BTreeMap<String, String> {
        let found = self.of(path);
        for path in found.keys() {
            self.specs.texts.remove(path);
            self.golden.texts.remove(path);
            self.unread.remove(path);
        }
        found
    }

    /// Texts at or below a path, and for what could not be read the reason.
    fn of(&self, path: &str) -> BTreeMap<String, String> {
        let texts = self.specs.texts.iter().chain(&self.golden.texts).filter(|(at, _)| within(at, path));
        let unread = self.unread.iter().filter(|(at, _)| within(at, path));
        let unread = unread.map(|(at, problem)| (at.clone(), problem.to_string()));
        texts.map(|(at, text)| (at.clone(), text.clone())).chain(unread).collect()
    }
}

/// Whether a path is another one or lies below it.
fn within(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What a walk does with what it comes to.
trait Visitor {
    /// Takes a file.
    fn take_file(&mut self, root: &Path, path: &str) -> Result<(), Problem>;
    /// Hears of a folder that cannot be listed.
    fn cannot(&mut self, problem: Problem) -> Result<(), Problem>;
}

/// Stops at the first problem.
struct Strict<'a>(&'a mut Files);

impl Visitor for Strict<'_> {
    fn take_file(&mut self, root: &Path, path: &str) -> Result<(), Problem> {
        one(root, path, self.0)
    }

    fn cannot(&mut self, problem: Problem) -> Result<(), Problem> {
        Err(problem)
    }
}

impl Visitor for Checkout {
    fn take_file(&mut self, root: &Path, path: &str) -> Result<(), Problem> {
        let side = if path.starts_with("oracles/") { &mut self.specs } else { &mut self.golden };
        if let Err(problem) = one(root, path, side) {
            self.unread.insert(path.to_owned(), problem);
        }
        Ok(())
    }

    fn cannot(&mut self, problem: Problem) -> Result<(), Problem> {
        self.unread.insert(problem.file.clone(), problem);
        Ok(())
    }
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

/// Visits every file below `folder` that has one of the extensions; a folder that does not exist is empty. Names that
/// begin with a point are passed over: editors keep their own files under such names, links that lead nowhere included.
fn walk(
    root: &Path,
    folder: &str,
    extensions: &[&str],
    depth: usize,
    visitor: &mut dyn Visitor,
) -> Result<(), Problem> {
    let place = root.join(folder);
    if !place.is_dir() {
        return Ok(());
    }
    let broken =
        |error: std::io::Error| Problem::whole(Rule::File, folder, format!("cannot be listed: {error}"), "");
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) => return visitor.cannot(broken(error)),
    };
    for entry in entries {
        let listed = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
        let (name, kind) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                visitor.cannot(broken(error))?;
                continue;
            }
        };
        let Ok(name) = name.into_string() else {
            visitor.cannot(Problem::whole(
                Rule::File,
                folder,
                "holds a file whose name is not UTF-8",
                "rename it",
            ))?;
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{folder}/{name}");
        // The type of the entry itself: a link to a folder is not walked, so no loop can catch the walk.
        if kind.is_dir() {
            if depth > 0 {
                walk(root, &path, extensions, depth - 1, visitor)?;
            }
        } else if has_extension(&name, extensions) {
            visitor.take_file(root, &path)?;
        }
    }
    Ok(())
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    extensions.contains(&Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default())
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

    /// After any change, what is read piece by piece is what is read as a whole.
    #[test]
    fn a_tree_is_refreshed_where_it_changed() {
        let root = tempfile::tempdir().unwrap();
        checkout_at(root.path());
        let mut tree = Checkout::open(root.path()).unwrap();
        let mut refresh = |path: &str| {
            let changed: Vec<String> = tree.refresh(path).into_iter().collect();
            if let Ok((specs, golden)) = read(root.path()) {
                assert_eq!((&tree.specs.texts, &tree.golden.texts), (&specs.texts, &golden.texts), "{path}");
                assert!(tree.unread.is_empty());
            }
            changed
        };
        let at = |path: &str| root.path().join(path);
        assert_eq!(refresh(""), [""; 0]);
        fs::write(at("golden/combat/x/cases.toml"), "more").unwrap();
        assert_eq!(refresh("golden/combat/x/cases.toml"), ["golden/combat/x/cases.toml"]);
        fs::write(at("golden/combat/x/cases.toml"), b"\xff").unwrap();
        assert_eq!(refresh("golden/combat/x"), ["golden/combat/x/cases.toml"]);
        fs::write(at("golden/combat/x/cases.toml"), "more").unwrap();
        assert_eq!(refresh("golden/combat/x/cases.toml"), ["golden/combat/x/cases.toml"]);
        fs::rename(at("golden/combat/x"), at("golden/combat/y")).unwrap();
        assert_eq!(refresh("golden/combat").len(), 4);
        fs::remove_dir_all(at("golden/combat/y")).unwrap();
        let vectors = "golden/combat/y/vectors/a.jsonl";
        assert_eq!(refresh("golden/combat/y"), ["golden/combat/y/cases.toml", vectors]);
        fs::remove_file(at("ports/known-failures.toml")).unwrap();
        assert_eq!(refresh("ports"), ["ports/known-failures.toml"]);
        fs::write(at("oracles/sources.toml"), "t").unwrap();
        fs::write(at("oracles/tables/u.json"), "[]").unwrap();
        assert_eq!(refresh("oracles"), ["oracles/sources.toml", "oracles/tables/u.json"]);
        fs::create_dir_all(at("golden/a/b/c/d/e")).unwrap();
        for path in [".cases.toml.swp", "notes.txt", ".#cases.toml", "a/b/c/d/e/deep.toml"] {
            fs::write(at("golden").join(path), "no").unwrap();
            assert_eq!(refresh(&format!("golden/{path}")), [""; 0], "{path}");
        }
        assert_eq!(refresh("oracles/src"), [""; 0]);
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
