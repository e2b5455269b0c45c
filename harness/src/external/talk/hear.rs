//! What the leading thread hears from the process, from its introduction to its good-bye.

use super::{Closing, Event, Next, TICK, Talk};
use crate::external::child::{Running, Word};
use crate::external::fault::Fault;
use crate::external::message::{self, Introduction};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// How long a process gets to end, or to answer what it read, once a question could not be written.
const DEAF: Duration = Duration::from_millis(500);

impl Talk {
    /// Waits for the introduction. Nothing is open then, so batches only queue up.
    pub(super) fn meet(&mut self) -> Result<Introduction, String> {
        loop {
            if let Some(line) = self.child.as_mut().and_then(Running::line) {
                let read = message::introduction(line)?;
                if self.child.as_ref().is_some_and(Running::has_lines) {
                    return Err("it goes on speaking after its hello, before it was asked".to_owned());
                }
                return Ok(read);
            }
            match self.hear(Some(self.deadline)) {
                None | Some(Next::Asked | Next::Reply(_) | Next::Finish) => {}
                Some(Next::Fault(Fault::Time(_))) => {
                    let seconds = self.limits.start.as_secs_f64();
                    return Err(format!("it does not say hello within {seconds} s"));
                }
                Some(Next::Fault(fault)) => return Err(format!("it {} before it said hello", fault.cause())),
            }
        }
    }

    /// The next thing that happens. Waits without end only while nothing is open.
    pub(super) fn next(&mut self) -> Next {
        loop {
            if let Some(reply) = self.child.as_mut().and_then(Running::reply) {
                return Next::Reply(reply);
            }
            if self.finished && self.open.is_empty() {
                return Next::Finish;
            }
            let until = if self.flight.is_empty() { None } else { Some(self.deadline) };
            if let Some(next) = self.hear(until) {
                return next;
            }
        }
    }

    /// Waits for one event. `None`: it led to nothing, or only brought lines.
    pub(super) fn hear(&mut self, until: Option<Instant>) -> Option<Next> {
        let event = match until {
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => {
                let wait = until.saturating_duration_since(Instant::now()).min(TICK);
                self.events.recv_timeout(wait)
            }
        };
        match event {
            Ok(Event::Batch(batch)) => {
                self.enqueue(batch);
                Some(Next::Asked)
            }
            Ok(Event::Finish) | Err(RecvTimeoutError::Disconnected) => {
                self.finished = true;
                Some(Next::Asked)
            }
            // Of a process that is no more.
            Ok(Event::From(number, _)) if number != self.closing.starts || self.child.is_none() => None,
            Ok(Event::From(_, word)) => self.heard(word),
            Err(RecvTimeoutError::Timeout) => self.silence(until),
        }
    }

    fn heard(&mut self, word: Word) -> Option<Next> {
        let child = self.child.as_mut()?;
        match word {
            Word::Lines(lines) => {
                child.feed(lines);
                None
            }
            Word::TooLong => Some(Next::Fault(Fault::too_long())),
            Word::Closed => Some(Next::Fault(match child.ending() {
                Some(ending) => Fault::Crash(ending.words()),
                None => Fault::Protocol("closed its standard output and went on".to_owned()),
            })),
            Word::Deaf => {
                // If it is ending, its output ends in a moment, and that says more.
                if !self.flight.is_empty() {
                    self.deadline = self.deadline.min(Instant::now() + DEAF);
                }
                None
            }
        }
    }

    /// Nothing came for a tick. A process may have ended while something that it started holds its pipes.
    fn silence(&mut self, until: Option<Instant>) -> Option<Next> {
        let child = self.child.as_mut()?;
        if child.has_ended() {
            let ending = child.ending()?;
            return Some(Next::Fault(Fault::Crash(ending.words())));
        }
        if until.is_none_or(|until| Instant::now() < until) {
            return None;
        }
        // A question that was written before the input was closed breaks no pipe, so the pipe is looked at.
        Some(Next::Fault(if !self.flight.is_empty() && child.is_deaf() {
            Fault::Deaf
        } else {
            Fault::Time(self.limits.answer)
        }))
    }

    /// Says good-bye, and looks whether the port leaves as it should.
    pub(super) fn part(mut self) -> Closing {
        let Some(mut child) = self.child.take() else { return self.closing };
        child.send(message::line(&message::Bye::default()));
        child.close();
        self.child = Some(child);
        self.deadline = Instant::now() + self.limits.leave;
        let note = loop {
            if self.child.as_mut().and_then(Running::line).is_some() {
                self.closing.problems.insert("it goes on speaking when everything is answered".to_owned());
            }
            if Instant::now() > self.deadline + TICK {
                break Some("does not leave after bye".to_owned());
            }
            match self.hear(Some(self.deadline)) {
                Some(Next::Fault(Fault::Crash(words))) if words == "ended with status 0" => break None,
                Some(Next::Fault(Fault::Time(_))) => break Some("does not leave after bye".to_owned()),
                Some(Next::Fault(fault)) => break Some(format!("{} after bye", fault.cause())),
                _ => {}
            }
        };
        self.closing.notes.extend(note.map(|note| format!("the port {note}")));
        self.stop();
        self.closing
    }
}
