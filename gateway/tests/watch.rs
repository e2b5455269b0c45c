//! `assay watch` as it is used: the real binary, real saves.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use support::{bend_vector, checkout, command, vectors};

/// Generous: what is tested is that it comes, not when.
const LIMIT: Duration = Duration::from_secs(120);

/// A running watch, and the lines that it prints.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// Everything up to a line that begins so.
    fn until(&self, start: &str) -> String {
        let (mut seen, deadline) = (String::new(), Instant::now() + LIMIT);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line =
                self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no line `{start}…` after:\n{seen}"));
            seen.push_str(&line);
            seen.push('\n');
            if line.starts_with(start) {
                return seen;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_wrong_value_is_red_when_it_is_saved_and_green_when_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    checkout(root);
    let path = vectors();
    let capability = path.split('/').nth(2).unwrap();
    let good = std::fs::read_to_string(root.join(&path)).unwrap();
    let mut running = Running::start(&["watch", capability, "--root", root.to_str().unwrap()]);
    let first = running.until("pass ");
    assert!(first.contains(" of combat/"), "{first}");
    let id = bend_vector(root, &path);
    let red = running.until("fail 1 of");
    assert!(red.contains(&format!("changed {path}")), "{red}");
    assert!(red.contains(&format!("fail {id} (")) && red.contains("  stage     "), "{red}");
    // Half of a file, then all of it under another name and renamed.
    std::fs::write(root.join(&path), &good[..good.len() / 2]).unwrap();
    let half = running.until("broken ");
    assert!(half.contains(&format!("problem {path}:")) && half.contains("stale combat/"), "{half}");
    std::fs::write(root.join("golden/whole"), &good).unwrap();
    std::fs::rename(root.join("golden/whole"), root.join(&path)).unwrap();
    let mended = running.until("pass ");
    assert!(!mended.contains("stale "), "{mended}");
    // A suite in a new folder, which nobody watched before.
    let stray = root.join("golden/combat/compute_nothing");
    std::fs::create_dir(&stray).unwrap();
    std::fs::write(stray.join("cases.toml"), "").unwrap();
    let new = running.until("broken ");
    assert!(new.contains("no port is called `compute_nothing`"), "{new}");
    std::fs::remove_dir_all(&stray).unwrap();
    running.until("pass ");
    // Ctrl-C is how it ends.
    let pid = running.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
}

#[test]
fn it_needs_a_checkout_and_a_selection_that_can_be_read() {
    for arguments in [vec!["watch"], vec!["watch", "--root", "/no/such/folder"], vec!["watch", "a/b/c/d"]] {
        assert_eq!(command(&arguments).output().unwrap().status.code(), Some(2), "{arguments:?}");
    }
}
