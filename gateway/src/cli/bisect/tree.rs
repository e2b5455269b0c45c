//! The history, and a worktree of its own to look at it: nobody's checkout is ever touched.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where everything is kept, below the checkout.
pub const FOLDER: &str = "target/bisect";

/// What git says to some arguments.
///
/// # Errors
/// What it complains of.
pub fn git<S: AsRef<OsStr>>(at: &Path, arguments: impl IntoIterator<Item = S>) -> Result<String, String> {
    let output = Command::new("git").arg("-C").arg(at).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("failed to run git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next().unwrap_or("git failed and did not say why").to_owned())
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its full name.
    pub commit: String,
    /// Its day and the first line of its message.
    pub subject: String,
}

/// The revisions from a good one to a bad one, the good one first, along first parents.
///
/// # Errors
/// One of them is none, or the good one does not lead to the bad one.
pub fn history(root: &Path, good: &str, bad: &str) -> Result<Vec<Revision>, String> {
    let named = |revision: &str| {
        let commit = format!("{revision}^{{commit}}");
        git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
            .map_err(|_| format!("failed to find revision `{revision}`"))
    };
    let (good, bad) = (named(good)?, named(bad)?);
    git(root, ["merge-base", "--is-ancestor", &good, &bad])
        .map_err(|_| format!("{} does not lead to {}", short(&good), short(&bad)))?;
    let log = |arguments: [&str; 3]| {
        let words = ["log", "--format=%H %cs %s"].into_iter().chain(arguments);
        git(root, words).map_err(|error| format!("failed to list the history: {error}"))
    };
    let first = log(["--max-count=1", "--no-walk", &good])?;
    let rest = log(["--first-parent", "--reverse", &format!("{good}..{bad}")])?;
    Ok(first.lines().chain(rest.lines()).filter_map(revision).collect())
}

fn revision(line: &str) -> Option<Revision> {
    let (commit, subject) = line.split_once(' ')?;
    Some(Revision { commit: commit.to_owned(), subject: subject.to_owned() })
}

/// The first twelve characters of a name or digest.
pub fn short(text: &str) -> &str {
    text.get(..12).unwrap_or(text)
}

/// A worktree that goes when this does.
pub struct Tree {
    root: PathBuf,
    place: PathBuf,
}

impl Tree {
    /// Makes one at a revision; what killed runs left behind goes first.
    ///
    /// # Errors
    /// What git or the disk say.
    pub fn open(root: &Path, commit: &str) -> Result<Self, String> {
        let folder = root.join(FOLDER);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("failed to make {}: {error}", folder.display()))?;
        sweep(root, &folder);
        let place = folder.join(format!("tree-{}", std::process::id()));
        let tree = Self { root: root.to_owned(), place };
        let arguments = ["worktree", "add", "--detach", "--force"].map(OsStr::new);
        let arguments = arguments.into_iter().chain([tree.place.as_os_str(), OsStr::new(commit)]);
        git(root, arguments).map_err(|error| format!("failed to make a worktree: {error}"))?;
        Ok(tree)
    }

    /// Where it is.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Makes it the tree of a revision. What is not tracked goes, but for what git ignores.
    ///
    /// # Errors
    /// What git says.
    pub fn switch(&self, commit: &str) -> Result<(), String> {
        git(&self.place, ["checkout", "--detach", "--force", "--quiet", commit])
            .and_then(|_| git(&self.place, ["clean", "-fdq"]))
            .map(drop)
            .map_err(|error| format!("failed to check out {}: {error}", short(commit)))
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        remove(&self.root, &self.place);
    }
}

/// Takes a worktree away. What does not go now goes with the next run.
fn remove(root: &Path, place: &Path) {
    let words = ["worktree", "remove", "--force", "--force"].map(OsStr::new);
    let _ = git(root, words.into_iter().chain([place.as_os_str()]));
    let _ = fs::remove_dir_all(place);
    let _ = git(root, ["worktree", "prune"]);
}

/// Takes away the worktrees of runs that are no longer there.
fn sweep(root: &Path, folder: &Path) {
    let alive = |id: &str| !Path::new("/proc/self").exists() || Path::new("/proc").join(id).exists();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(id) = name.to_str().and_then(|name| name.strip_prefix("tree-"))
            && !alive(id)
        {
            remove(root, &entry.path());
        }
    }
}
