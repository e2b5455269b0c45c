//! A process that is talked to by hand, one message at a time.

use crate::external::Limits;
use crate::external::child::{Ending, Running, Word, tail};
use crate::external::fault::Fault;
use crate::external::message::{self, Introduction, Reply, Told};
use std::cmp::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The process, and how to have another one.
pub(super) struct Probe {
    words: Vec<String>,
    limits: Limits,
    child: Option<Running>,
    events: Receiver<(u32, Word)>,
    sender: SyncSender<(u32, Word)>,
    number: u32,
    ids: u64,
}

impl Probe {
    pub fn start(words: Vec<String>, limits: Limits) -> Result<Self, String> {
        let (sender, events) = sync_channel(4);
        let mut probe = Self { words, limits, child: None, events, sender, number: 0, ids: 0 };
        probe.restart()?;
        Ok(probe)
    }

    fn restart(&mut self) -> Result<(), String> {
        self.number += 1;
        let number = self.number;
        self.child = Some(Running::start(&self.words, &self.sender, move |word| (number, word))?);
        Ok(())
    }

    /// Greets it and reads its introduction.
    pub fn meet(&mut self) -> Result<Introduction, String> {
        self.write(message::hello());
        let read = self.line(self.limits.start).map_err(|why| format!("before its hello it {why}"));
        let read = read.and_then(|line| message::introduction(&line));
        read.map_err(|why| match self.lose() {
            stderr if stderr.is_empty() => why,
            stderr => format!("{why}; standard error: {stderr}"),
        })
    }

    /// A process that has introduced itself: the one that there is, or another.
    pub fn ready(&mut self) -> Result<(), String> {
        if self.child.is_some() {
            return Ok(());
        }
        self.restart()?;
        self.meet().map(drop)
    }

    /// Ends the process, and gives the end of its standard error.
    pub fn lose(&mut self) -> String {
        self.child.take().map(|child| tail(&child.end())).unwrap_or_default()
    }

    pub fn write(&self, bytes: Vec<u8>) {
        if let Some(child) = &self.child {
            child.send(bytes);
        }
    }

    pub fn ask(&mut self, capability: &str, input: &[u8]) -> u64 {
        self.ask_all(vec![(capability, input.to_vec())]).first().copied().unwrap_or_default()
    }

    /// Sends questions at once, and gives their ids.
    pub fn ask_all(&mut self, questions: Vec<(&str, Vec<u8>)>) -> Vec<u64> {
        let (mut bytes, mut ids) = (Vec::new(), Vec::with_capacity(questions.len()));
        for (capability, input) in questions {
            ids.push(self.ids);
            bytes.extend_from_slice(message::head(self.ids).as_bytes());
            bytes.extend_from_slice(&message::tail(capability, &input));
            self.ids += 1;
        }
        self.write(bytes);
        ids
    }

    /// The answer to the only question that is open.
    pub fn answer(&mut self, asked: u64) -> Result<Told, String> {
        let (id, told) = self.any()?;
        match id.cmp(&asked) {
            Ordering::Equal => Ok(told),
            Ordering::Less => Err(format!("answered a question twice (id {id})")),
            Ordering::Greater => Err(format!("answered id {id} where {asked} was asked; copy the id")),
        }
    }

    /// The next answer.
    pub fn any(&mut self) -> Result<(u64, Told), String> {
        match self.next()? {
            Reply::Answer { id, told, .. } => Ok((id, told)),
            Reply::Malformed { id, why } => Err(format!("answered id {id} wrongly: {why}")),
            Reply::Garbage { why } => Err(Fault::Garbage(why).words()),
            Reply::TooLong => Err(Fault::too_long().cause()),
        }
    }

    /// The next line as an answer.
    pub fn next(&mut self) -> Result<Reply, String> {
        self.line(self.limits.answer).map(|line| message::reply(&line))
    }

    pub fn bye(&mut self) {
        self.write(message::line(&message::Bye::default()));
        self.close();
    }

    pub fn close(&mut self) {
        if let Some(child) = &mut self.child {
            child.close();
        }
    }

    /// How it leaves, in words that fit after "it ".
    pub fn ending(&mut self) -> Result<String, String> {
        match self.line(self.limits.leave) {
            Ok(line) => Err(format!("goes on speaking: `{}`", message::shown(&line))),
            Err(why) if why.starts_with("ended ") || why.starts_with("was ended ") => Ok(why),
            Err(why) if why.starts_with("wrote nothing") => Err("does not leave".to_owned()),
            Err(why) => Err(why),
        }
    }

    /// The next line; an error is what happened instead, in words that fit after "it ".
    fn line(&mut self, limit: Duration) -> Result<Vec<u8>, String> {
        const TICK: Duration = Duration::from_millis(100);
        let until = Instant::now() + limit;
        loop {
            let Some(child) = &mut self.child else { return Err("is gone".to_owned()) };
            if let Some(line) = child.line() {
                return Ok(line.to_vec());
            }
            let wait = until.saturating_duration_since(Instant::now()).min(TICK);
            match self.events.recv_timeout(wait) {
                Ok((number, _)) if number != self.number => {}
                Ok((_, Word::Lines(lines))) => child.feed(lines),
                Ok((_, Word::TooLong)) => return Err(Fault::too_long().cause()),
                Ok((_, Word::Deaf)) => {}
                Ok((_, Word::Closed)) => {
                    let closed = || "closed its standard output and went on".to_owned();
                    return Err(child.ending().map_or_else(closed, Ending::words));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("is gone".to_owned()),
                Err(RecvTimeoutError::Timeout) if child.has_ended() => {
                    return Err(child.ending().map_or_else(String::new, Ending::words));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    return Err(format!("wrote nothing within {} ms", limit.as_millis()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
