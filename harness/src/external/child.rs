//! A process behind pipes: one thread writes, one reads lines, one keeps the end of standard error.
//!
//! Nothing here waits on the process without a limit. It leads a group of its own (on Unix), which is killed and reaped
//! as one, so that what it started goes with it. A thread whose pipe somebody outside the group still holds is left
//! behind; it ends with the pipe.

use super::message::{self, Reply};
use std::collections::BTreeSet;
use std::io::{self, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of standard error that are kept.
const STDERR: usize = 64 << 10;
/// Bytes of them that go with one verdict.
const TAIL: usize = 4 << 10;
/// How long a process may take to be gone once its pipes are closed.
const LEAVING: Duration = Duration::from_secs(1);

/// What the threads of a process tell, with the number of the process.
#[derive(Debug)]
pub(super) enum Word {
    /// Whole lines.
    Lines(Vec<u8>),
    /// Its standard output has ended.
    Closed,
    /// A line that is longer than a line may be.
    TooLong,
    /// What was sent could not be written: it reads no more.
    Deaf,
}

/// A running process.
pub(super) struct Running {
    process: Process,
    to: Option<Sender<Vec<u8>>>,
    /// Gone once nobody will write any more.
    stdin: Weak<ChildStdin>,
    stderr: Arc<Mutex<Vec<u8>>>,
    quiet: Receiver<()>,
    stop: Arc<AtomicBool>,
    lines: Vec<u8>,
    at: usize,
}

impl Running {
    /// Starts `words`. Its threads speak to `tell` until they are told to stop.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start<T, F>(words: &[String], events: &SyncSender<T>, tell: F) -> Result<Self, String>
    where
        T: Send + 'static,
        F: Fn(Word) -> T + Clone + Send + 'static,
    {
        let Some((program, arguments)) = words.split_first() else {
            return Err("the command of the port is empty".to_owned());
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        lead_group(&mut command);
        let mut child = command.spawn().map_err(|error| format!("failed to start `{program}`: {error}"))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process::new(child);
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(format!("failed to start `{program}`: it has no pipes"));
        };
        let (to, from) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (done, quiet) = channel();
        let (deaf, hear) = ((events.clone(), tell.clone()), (events.clone(), tell));
        let stdin = Arc::new(stdin);
        let looked_at = Arc::downgrade(&stdin);
        thread::spawn(move || {
            if !write(&stdin, &from) {
                // Whoever listens may be gone.
                let _ = deaf.0.send(deaf.1(Word::Deaf));
            }
        });
        let halt = Arc::clone(&stop);
        thread::spawn(move || read(stdout, &halt, |word| hear.0.send(hear.1(word)).is_ok()));
        let sink = Arc::clone(&kept);
        thread::spawn(move || {
            keep(stderr, &sink);
            drop(done);
        });
        let (lines, at) = (Vec::new(), 0);
        Ok(Self { process, to: Some(to), stdin: looked_at, stderr: kept, quiet, stop, lines, at })
    }

    /// Hands bytes to the thread that writes; never waits.
    pub fn send(&self, bytes: Vec<u8>) {
        if let Some(to) = &self.to {
            // A thread that has ended has said so.
            let _ = to.send(bytes);
        }
    }

    /// Closes its standard input once everything is written.
    pub fn close(&mut self) {
        self.to = None;
    }

    /// Takes in lines; those before are used up.
    pub fn feed(&mut self, lines: Vec<u8>) {
        (self.lines, self.at) = (lines, 0);
    }

    /// The next line, without its end.
    pub fn line(&mut self) -> Option<&[u8]> {
        let rest = self.lines.get(self.at..)?;
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let start = self.at;
        self.at += end + 1;
        let line = self.lines.get(start..start + end)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next line as an answer.
    pub fn reply(&mut self) -> Option<Reply> {
        self.line().map(message::reply)
    }

    /// Whether lines are left.
    pub fn has_lines(&self) -> bool {
        self.at < self.lines.len()
    }

    /// Whether nobody reads its standard input any more, though it is still written to or was given up over that.
    pub fn is_deaf(&self) -> bool {
        self.to.is_some() && self.stdin.upgrade().is_none_or(|stdin| system::is_unread(&stdin))
    }

    /// Whether the process itself has ended, whoever holds its pipes. It stays to be reaped.
    pub fn has_ended(&mut self) -> bool {
        self.process.ended().is_some()
    }

    /// How the process ended by itself, waiting a moment for it; `None` if it did not.
    pub fn ending(&mut self) -> Option<Ending> {
        let until = Instant::now() + LEAVING;
        loop {
            match self.process.ended() {
                None if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                found => return found,
            }
        }
    }

    /// Ends it with everything that it started, and gives the end of its standard error.
    pub fn end(mut self) -> Vec<u8> {
        self.stop.store(true, Ordering::Release);
        self.to = None;
        self.process.kill();
        // The thread drops its end of the channel when the pipe has run dry.
        let _ = self.quiet.recv_timeout(LEAVING);
        self.stderr()
    }

    /// The end of its standard error so far.
    pub fn stderr(&self) -> Vec<u8> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The last whole lines of standard error as text, at most 4 KiB, control characters escaped.
pub(super) fn tail(stderr: &[u8]) -> String {
    let start = stderr.len().saturating_sub(TAIL);
    let mut kept = stderr.get(start..).unwrap_or_default();
    if start > 0
        && let Some(line) = kept.iter().position(|byte| *byte == b'\n')
        && line + 1 < kept.len()
    {
        kept = kept.get(line + 1..).unwrap_or_default();
    }
    let mut text = String::with_capacity(kept.len());
    for character in String::from_utf8_lossy(kept).trim_end().chars() {
        match character {
            '\n' | '\t' => text.push(character),
            '\r' => {}
            other if other.is_control() => text.extend(other.escape_unicode()),
            other => text.push(other),
        }
    }
    text
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl Ending {
    /// In words that fit after "it ".
    pub fn words(self) -> String {
        match self {
            Self::Status(status) => format!("ended with status {status}"),
            Self::Signal(signal) => match signal_name(signal) {
                "" => format!("was ended by signal {signal}"),
                name => format!("was ended by signal {signal} ({name})"),
            },
        }
    }
}

/// Signals that have the same number everywhere.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => "",
    }
}

/// Processes that run now, for [`end_all`].
static LIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends every process that runs now, with what it started: for a host that is told to stop at once.
pub fn end_all() {
    for number in LIVE.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        system::end_group(*number);
    }
}

/// The process itself. It is killed and reaped when it is dropped, whatever happened.
struct Process(Child);

impl Process {
    fn new(child: Child) -> Self {
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(child.id());
        Self(child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0.id());
    }
}

#[cfg(unix)]
mod system {
    use super::{Child, ChildStdin, Command, Ending, Process};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt as _;

    /// Ends a group.
    pub fn end_group(number: u32) {
        if let Some(pid) = i32::try_from(number).ok().and_then(Pid::from_raw) {
            // A group that is gone already needs no ending.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Whether every reader of the pipe is gone. Does not wait.
    pub fn is_unread(stdin: &ChildStdin) -> bool {
        let mut pipe = [PollFd::new(stdin, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut pipe, Some(&now)).is_ok_and(|count| count > 0)
    }

    /// The process leads a group, so that what it starts can be ended with it.
    pub fn lead_group(command: &mut Command) {
        command.process_group(0);
    }

    impl Process {
        /// How it ended, if it has. It is not reaped, so that its number, and that of its group, stay its own.
        pub fn ended(&mut self) -> Option<Ending> {
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let status = waitid(WaitId::Pid(Pid::from_child(&self.0)), look).ok()??;
            let exit = status.exit_status().map(Ending::Status);
            exit.or_else(|| status.terminating_signal().map(Ending::Signal))
        }

        /// Ends the group and reaps the process. A second time does nothing.
        pub fn kill(&mut self) {
            let Self(child) = self;
            if reaped(child) {
                return;
            }
            // A group that is gone already needs no killing.
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Whether it was reaped before: then its number may be another's by now.
    fn reaped(child: &Child) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), look).is_err()
    }
}

#[cfg(not(unix))]
mod system {
    use super::{ChildStdin, Command, Ending, Process};

    /// There are no groups to end; a port that reads the end of its input leaves by itself.
    pub fn end_group(_: u32) {}

    /// A pipe does not tell; writing to it does.
    pub fn is_unread(_: &ChildStdin) -> bool {
        false
    }

    /// There are no groups to lead: what the process starts is its own concern.
    pub fn lead_group(_: &mut Command) {}

    impl Process {
        pub fn ended(&mut self) -> Option<Ending> {
            let status = self.0.try_wait().ok()??;
            status.code().map(Ending::Status)
        }

        pub fn kill(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

use system::lead_group;

/// Writes what comes until nothing more does; false when the process does not read any more.
fn write(mut stdin: &ChildStdin, from: &Receiver<Vec<u8>>) -> bool {
    while let Ok(mut bytes) = from.recv() {
        // What has queued up goes in one piece.
        for more in from.try_iter() {
            bytes.extend_from_slice(&more);
        }
        if stdin.write_all(&bytes).is_err() {
            return false;
        }
    }
    true
}

/// Reads whole lines until the end, a line that is too long, or a listener who is gone.
fn read(mut stdout: ChildStdout, stop: &AtomicBool, tell: impl Fn(Word) -> bool) {
    let (mut pending, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if stop.load(Ordering::Acquire) {
            return;
        }
        let fresh = buffer.get(..count).unwrap_or_default();
        match fresh.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                let (whole, rest) = fresh.split_at(end + 1);
                pending.extend_from_slice(whole);
                let lines = std::mem::replace(&mut pending, rest.to_vec());
                if !tell(Word::Lines(lines)) {
                    return;
                }
            }
            None => pending.extend_from_slice(fresh),
        }
        if pending.len() > message::MAX_LINE {
            tell(Word::TooLong);
            return;
        }
    }
    // What stands after the last line end was never finished.
    tell(Word::Closed);
}

/// Keeps the end of standard error.
fn keep(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(buffer.get(..count).unwrap_or_default());
                if kept.len() > 2 * STDERR {
                    let surplus = kept.len() - STDERR;
                    kept.drain(..surplus);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_standard_error_is_whole_lines_of_plain_text() {
        assert_eq!(tail(b"one\r\ntwo\n\n"), "one\ntwo");
        assert_eq!(tail(b"\x1b[31mred"), "\\u{1b}[31mred");
        let long = "line of text\n".repeat(10_000);
        let kept = tail(long.as_bytes());
        assert!(kept.len() <= TAIL && kept.lines().all(|line| line == "line of text"));
        let endless = "x".repeat(STDERR);
        assert_eq!(tail(endless.as_bytes()).len(), TAIL);
    }

    #[test]
    fn endings_are_words() {
        assert_eq!(Ending::Status(3).words(), "ended with status 3");
        assert_eq!(Ending::Signal(11).words(), "was ended by signal 11 (SIGSEGV)");
        assert_eq!(Ending::Signal(64).words(), "was ended by signal 64");
    }
}
