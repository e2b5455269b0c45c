//! `assay watch`: verify again on every save.
//!
//! The thin part: hears of changes, waits until a save is over, and draws. What a change touches is the business of
//! [`assay_harness::watch`].

use super::arguments::Watch as Arguments;
use super::{PASS, lock, output, screen};
use crate::snapshot::Gateway;
use assay_harness::{Options, Selection, watch::Watch};
use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
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
enum Heard {
    /// Something at these paths; none when anything may have changed.
    Changed(Vec<PathBuf>),
    /// The system lost track, or could not watch: why.
    Lost(String),
    /// Ctrl-C.
    Stop,
}

pub(super) fn command(gateway: &Gateway, arguments: &Arguments) -> Result<u8, String> {
    let selection: Selection = (arguments.selection.join(" ").parse())
        .map_err(|message| format!("failed to read the selection: {message}"))?;
    let root = lock::checkout(gateway)?;
    let root = root.canonicalize().map_err(|error| format!("failed to find {}: {error}", root.display()))?;
    let (sender, receiver) = channel();
    let stop = sender.clone();
    ctrlc::set_handler(move || drop(stop.send(Heard::Stop)))
        .map_err(|error| format!("failed to listen for Ctrl-C: {error}"))?;
    // Watched before anything is read, so that no save falls between the two.
    let mut eyes = Eyes::open(&root, &sender);
    let opened = Watch::open(assay_ports::ALL, &root, selection, &Options::dated());
    let (mut watch, first) = opened.map_err(|problem| format!("failed to read the checkout: {problem}"))?;
    let mut going = draw(&screen::text(&first, None))?;
    while going {
        let Some((paths, since)) = gather(&receiver, eyes.patience()) else { break };
        eyes.follow(&paths);
        let paths = relative(&root, &paths);
        if let Some(now) = watch.apply(&paths, &Options::dated()) {
            going = draw(&screen::text(&now, Some(since.elapsed())))?;
        }
    }
    Ok(PASS)
}

/// What watches the disk.
struct Eyes {
    root: PathBuf,
    /// `None` where the system cannot: then everything is read every [`POLL`].
    watcher: Option<notify::RecommendedWatcher>,
}

impl Eyes {
    fn open(root: &Path, sender: &Sender<Heard>) -> Self {
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
            output::note(&format!("failed to watch the disk: {error}; reading everything every {every} ms"));
        }
        Self { root: root.to_owned(), watcher: watcher.ok() }
    }

    /// How long to wait for news before looking by itself.
    fn patience(&self) -> Option<Duration> {
        self.watcher.is_none().then_some(POLL)
    }

    /// Watches a folder again that was taken away and put back.
    fn follow(&mut self, paths: &[PathBuf]) {
        let Some(watcher) = &mut self.watcher else { return };
        for (name, mode) in [
            ("golden", RecursiveMode::Recursive),
            ("oracles", RecursiveMode::Recursive),
            ("ports", RecursiveMode::NonRecursive),
        ] {
            let folder = self.root.join(name);
            let touched = paths.is_empty() || paths.contains(&folder);
            if touched && folder.is_dir() && watcher.watch(&folder, mode).is_err() {
                output::note(&format!("failed to watch {name} again; reading everything instead"));
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
fn gather(receiver: &Receiver<Heard>, patience: Option<Duration>) -> Option<(Vec<PathBuf>, Instant)> {
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
                output::note(&format!("lost track of the disk: {why}; reading everything"));
                anything = true;
            }
        }
        last = Instant::now();
        next = if last - started < LONGEST { receiver.recv_timeout(QUIET).ok() } else { None };
    }
    Some((if anything { Vec::new() } else { paths }, last))
}

/// Paths as the core names them; the empty one, everything, where one is not below the root or not UTF-8.
fn relative(root: &Path, paths: &[PathBuf]) -> BTreeSet<String> {
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

/// Shows a state: on a terminal in place of the one before, elsewhere below it. False when nobody reads any more.
fn draw(text: &str) -> Result<bool, String> {
    const CLEAR: &[u8] = b"\x1b[H\x1b[2J\x1b[3J";
    let mut stream = io::stdout().lock();
    let cleared = if stream.is_terminal() { stream.write_all(CLEAR) } else { Ok(()) };
    let mut stream = anstream::AutoStream::auto(stream);
    match cleared.and_then(|()| stream.write_all(text.as_bytes())).and_then(|()| stream.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("failed to draw: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, CreateKind, Flag};

    fn changed(paths: &[&str]) -> Heard {
        Heard::Changed(paths.iter().map(PathBuf::from).collect())
    }

    #[test]
    fn a_burst_is_one_change_and_the_end_is_the_end() {
        let (sender, receiver) = channel();
        for path in ["/r/a", "/r/b"] {
            sender.send(changed(&[path])).unwrap();
        }
        let (paths, _) = gather(&receiver, None).unwrap();
        assert_eq!(paths, [PathBuf::from("/r/a"), PathBuf::from("/r/b")]);
        sender.send(changed(&["/r/a"])).unwrap();
        sender.send(changed(&[])).unwrap();
        assert!(gather(&receiver, None).unwrap().0.is_empty(), "anything may have changed");
        sender.send(changed(&["/r/a"])).unwrap();
        sender.send(Heard::Stop).unwrap();
        assert!(gather(&receiver, None).is_none());
        // Without events it looks by itself.
        assert!(gather(&receiver, Some(Duration::ZERO)).unwrap().0.is_empty());
        drop(sender);
        assert!(gather(&receiver, None).is_none());
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
