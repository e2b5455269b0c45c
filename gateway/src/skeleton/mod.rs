//! Skeletons that `assay new` writes: a capability with spec, suite and port, or one more case.
//!
//! Rendering and writing are apart: a [`Plan`] says what would be written, and writes all of it or nothing.

pub mod capability;
pub mod case;
mod register;
mod stages;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What is to be written below a root. Paths are relative to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// New files: path and text. None of them may exist.
    pub create: Vec<(String, String)>,
    /// Files that change.
    pub edit: Vec<Edit>,
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Path relative to the root.
    pub path: String,
    /// What it must hold now.
    pub old: String,
    /// What it will hold.
    pub new: String,
}

impl Plan {
    /// Every path that is written, new files first.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let created = self.create.iter().map(|(path, _)| path.as_str());
        created.chain(self.edit.iter().map(|edit| edit.path.as_str()))
    }

    /// Writes everything, or leaves everything as it was.
    ///
    /// # Errors
    /// A new file exists already, an edited one no longer holds what it did, or the disk refuses.
    pub fn write(&self, root: &Path) -> Result<(), String> {
        for (path, _) in &self.create {
            if root.join(path).symlink_metadata().is_ok() {
                return Err(format!("failed to write {path}: it exists already"));
            }
        }
        for edit in &self.edit {
            if fs::read_to_string(root.join(&edit.path)).ok().as_ref() != Some(&edit.old) {
                return Err(format!("failed to write {}: it changed while this ran; try again", edit.path));
            }
        }
        let mut done = Done::default();
        let outcome = self.write_each(root, &mut done);
        if outcome.is_err() {
            done.undo();
        }
        outcome
    }

    fn write_each(&self, root: &Path, done: &mut Done) -> Result<(), String> {
        for (path, text) in &self.create {
            let place = root.join(path);
            done.folders(&place)
                .and_then(|()| {
                    let mut file = OpenOptions::new().write(true).create_new(true).open(&place)?;
                    done.files.push(place);
                    file.write_all(text.as_bytes())
                })
                .map_err(|error| format!("failed to write {path}: {error}"))?;
        }
        for edit in &self.edit {
            let place = root.join(&edit.path);
            replace(&place, &edit.new).map_err(|error| format!("failed to write {}: {error}", edit.path))?;
            done.edits.push((place, edit.old.clone()));
        }
        Ok(())
    }
}

/// Writes beside the target and renames, so that nobody sees half a file.
fn replace(place: &Path, text: &str) -> io::Result<()> {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push("~new");
    let beside = place.with_file_name(name);
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, place))
}

/// What has been written so far.
#[derive(Default)]
struct Done {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
    edits: Vec<(PathBuf, String)>,
}

impl Done {
    /// Makes the folders above a file that are not there.
    fn folders(&mut self, place: &Path) -> io::Result<()> {
        let above: Vec<&Path> = place.ancestors().skip(1).take_while(|folder| !folder.exists()).collect();
        for folder in above.into_iter().rev() {
            fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
        }
        Ok(())
    }

    /// Takes everything back, the last first. What cannot be taken back has been told of by the error that led here.
    fn undo(&self) {
        for (place, old) in self.edits.iter().rev() {
            let _ = replace(place, old);
        }
        for file in self.files.iter().rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every file below a folder with its text.
    fn all(root: &Path) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            found.push((folder.clone(), String::new()));
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push((path.clone(), fs::read_to_string(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    fn text(path: &str) -> (String, String) {
        (path.to_owned(), path.to_owned())
    }

    fn edit(path: &str, old: &str) -> Edit {
        Edit { path: path.to_owned(), old: old.to_owned(), new: "new".to_owned() }
    }

    #[test]
    fn all_is_written_or_nothing() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::write(root.join("list"), "old").unwrap();
        fs::write(root.join("file"), "f").unwrap();
        let before = all(root);
        for (plan, why) in [
            (Plan { create: vec![text("a/b"), text("file")], edit: vec![] }, "file: it exists already"),
            (Plan { create: vec![text("a/b")], edit: vec![edit("list", "other")] }, "list: it changed"),
            // `file` is no folder, which shows only when the first two are written.
            (
                Plan { create: vec![text("a/b"), text("a/c/d"), text("file/e")], edit: vec![] },
                "failed to write file/e",
            ),
        ] {
            let error = plan.write(root).unwrap_err();
            assert!(error.contains(why), "{error}");
            assert_eq!(all(root), before, "{why}");
        }
        // An edit that fails takes the new files with it, and the edits before it.
        fs::create_dir(root.join("list2~new")).unwrap();
        fs::write(root.join("list2"), "old").unwrap();
        let before = all(root);
        let plan = Plan { create: vec![text("a/b")], edit: vec![edit("list", "old"), edit("list2", "old")] };
        assert!(plan.write(root).unwrap_err().starts_with("failed to write list2: "));
        assert_eq!(all(root), before);
        let good = Plan { create: vec![text("a/b")], edit: vec![edit("list", "old")] };
        good.write(root).unwrap();
        assert_eq!(fs::read_to_string(root.join("list")).unwrap(), "new");
        assert_eq!(fs::read_to_string(root.join("a/b")).unwrap(), "a/b");
        assert_eq!(good.paths().collect::<Vec<_>>(), ["a/b", "list"]);
    }
}
