//! Hears of changes below a checkout and waits until a save is over. What a change touches is the business of
//! [`assay_harness::watch`].

use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// A save is over when nothing happened for this long: editors write, truncate and rename in several steps.
const QUIET: Duration = Duration::from_millis(15);
/// Who writes without end is shown after this long all the same.
const LONGEST: Duration = Duration::from_millis(200);
/// How often everything is read where the system cannot tell of changes.
const POLL: Duration = Duration::from_millis(500);
/// Folders of a checkout that are watched with all in them.
const FOLDERS: [&str; 2] = ["golden", "oracles"];

/// What the loop hears.
pub enum Heard {
    /// Something at these paths; none when anything may have changed.
    Changed(Vec<PathBuf>),
    /// The system lost track, or could not watch: why.
    Lost(String),
    /// It is over.
    Stop,
}

/// What watches the disk.
pub struct Eyes {
    root: PathBuf,
    /// Whom to tell of what the system cannot do.
    note: fn(&str),
    /// `None` where the system cannot: then everything is read every [`POLL`].
    watcher: Option<notify::RecommendedWatcher>,
}

impl Eyes {
    /// Watches the checkout at `root`, an absolute path without links. Never fails: where the system cannot watch, everything is read now and then.
    #[must_use]
    pub fn open(root: &Path, sender: &Sender<Heard>, note: fn(&str)) -> Self {
        let sender = sender.clone();
        let started = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if let Some(heard) = heard(event) {
                // Nobody listens any more when the loop is over.
                let _ = sender.send(heard);
            }
        });
        let watcher = started.and_then(|mut watcher| {
            // The root alone, for folders that are taken away and put back; and what is read.
            watcher.watch(root, RecursiveMode::NonRecursive)?;
            for folder in FOLDERS {
                watcher.watch(&root.join(folder), RecursiveMode::Recursive)?;
            }
            if root.join("ports").is_dir() {
                watcher.watch(&root.join("ports"), RecursiveMode::NonRecursive)?;
            }
            Ok(watcher)
        });
        if let Err(error) = &watcher {
            let every = POLL.as_millis();
            note(&format!("failed to watch the disk: {error}; reading everything every {every} ms"));
        }
        Self { root: root.to_owned(), note, watcher: watcher.ok() }
    }

    /// How long to wait for news before looking by itself.
    fn patience(&self) -> Option<Duration> {
        self.watcher.is_none().then_some(POLL)
    }

    /// Watches a folder again that was taken away and put back.
    pub fn follow(&mut self, paths: &[PathBuf]) {
        let Some(watcher) = &mut self.watcher else { return };
        for (name, mode) in [
            ("golden", RecursiveMode::Recursive),
            ("oracles", RecursiveMode::Recursive),
            ("ports", RecursiveMode::NonRecursive),
        ] {
            let folder = self.root.join(name);
            let touched = paths.is_empty() || paths.contains(&folder);
            if touched && folder.is_dir() && watcher.watch(&folder, mode).is_err() {
                (self.note)(&format!("failed to watch {name} again; reading everything instead"));
                self.watcher = None;
                return;
            }
        }
    }
}

/// What an event of the system means. Reading is none: we read ourselves.
fn heard(event: notify::Result<Event>) -> Option<Heard> {
    match event {
        Err(error) => Some(Heard::Lost(error.to_string())),
        Ok(event) if event.need_rescan() => Some(Heard::Changed(Vec::new())),
        Ok(Event { kind: EventKind::Access(_), .. }) => None,
        Ok(event) => Some(Heard::Changed(event.paths)),
    }
}

/// Waits for a change and for the end of it. Gives the paths (none: anything) and when the last of it was heard, or
/// nothing at the end of it all.
pub fn gather(receiver: &Receiver<Heard>, eyes: &Eyes) -> Option<(Vec<PathBuf>, Instant)> {
    gather_within(receiver, eyes.patience(), eyes.note)
}

fn gather_within(
    receiver: &Receiver<Heard>,
    patience: Option<Duration>,
    note: fn(&str),
) -> Option<(Vec<PathBuf>, Instant)> {
    let first = match patience {
        None => receiver.recv().ok()?,
        Some(patience) => match receiver.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return Some((Vec::new(), Instant::now())),
            heard => heard.ok()?,
        },
    };
    let started = Instant::now();
    let (mut paths, mut anything, mut last) = (Vec::new(), false, started);
    let mut next = Some(first);
    while let Some(heard) = next {
        match heard {
            Heard::Stop => return None,
            Heard::Changed(found) => {
                anything |= found.is_empty();
                paths.extend(found);
            }
            Heard::Lost(why) => {
                note(&format!("lost track of the disk: {why}; reading everything"));
                anything = true;
            }
        }
        last = Instant::now();
        next = if last - started < LONGEST { receiver.recv_timeout(QUIET).ok() } else { None };
    }
    Some((if anything { Vec::new() } else { paths }, last))
}

/// Paths as the core names them; the empty one, everything, where one is not below the root or not UTF-8.
pub fn relative(root: &Path, paths: &[PathBuf]) -> BTreeSet<String> {
    let whole = || BTreeSet::from([String::new()]);
    if paths.is_empty() {
        return whole();
    }
    let parts = |path: &PathBuf| {
        let rest = path.strip_prefix(root).ok()?;
        let parts: Option<Vec<&str>> = rest.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    };
    // The root itself changes whenever something is created in it, which has an event of its own.
    let below = paths.iter().filter(|path| *path != root);
    below.map(parts).collect::<Option<BTreeSet<String>>>().unwrap_or_else(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, CreateKind, Flag};
    use std::sync::mpsc::channel;

    fn changed(paths: &[&str]) -> Heard {
        Heard::Changed(paths.iter().map(PathBuf::from).collect())
    }

    #[test]
    fn a_burst_is_one_change_and_the_end_is_the_end() {
        let (sender, receiver) = channel();
        for path in ["/r/a", "/r/b"] {
            sender.send(changed(&[path])).unwrap();
        }
        let (paths, _) = gather_within(&receiver, None, |_| ()).unwrap();
        assert_eq!(paths, [PathBuf::from("/r/a"), PathBuf::from("/r/b")]);
        sender.send(changed(&["/r/a"])).unwrap();
        sender.send(changed(&[])).unwrap();
        assert!(gather_within(&receiver, None, |_| ()).unwrap().0.is_empty(), "anything may have changed");
        sender.send(changed(&["/r/a"])).unwrap();
        sender.send(Heard::Stop).unwrap();
        assert!(gather_within(&receiver, None, |_| ()).is_none());
        // Without events it looks by itself.
        assert!(gather_within(&receiver, Some(Duration::ZERO), |_| ()).unwrap().0.is_empty());
        drop(sender);
        assert!(gather_within(&receiver, None, |_| ()).is_none());
    }

    #[test]
    fn paths_are_relative_and_strange_ones_mean_everything() {
        let root = Path::new("/r");
        let of = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            relative(root, &paths).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of(&["/r/golden/a/b", "/r/golden/a/b", "/r"]), ["golden/a/b"]);
        assert_eq!(of(&[]), [""]);
        assert_eq!(of(&["/elsewhere", "/r/golden"]), [""]);
        assert_eq!(of(&["/r"]), [""; 0]);
    }

    #[test]
    fn reading_is_no_change_and_an_overflow_is_every_change() {
        let event = |kind| Ok(Event::new(kind).add_path(PathBuf::from("/r/a")));
        assert!(heard(event(EventKind::Access(AccessKind::Any))).is_none());
        assert!(
            matches!(heard(event(EventKind::Create(CreateKind::File))), Some(Heard::Changed(p)) if p.len() == 1)
        );
        let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert!(matches!(heard(Ok(overflow)), Some(Heard::Changed(p)) if p.is_empty()));
        assert!(matches!(heard(Err(notify::Error::generic("gone"))), Some(Heard::Lost(_))));
    }
}
