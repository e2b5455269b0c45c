//! The conversation with a port: a window of open questions, and what is done when it breaks.
//!
//! One thread leads it. Whoever asks hands over a batch of questions and waits for all of its answers, so that nothing
//! depends on the order in which they come. When the process is lost with several questions open, each of them is asked
//! again with nothing else open (`alone`), and one that a fresh process cannot answer either is the one to blame. So a
//! verdict depends on its own question, not on its neighbours.

mod blame;
mod hear;

use super::child::{Running, Word, tail};
use super::message::{self, Introduction, Reply, Told, WINDOW};
use super::{Limits, fault::Fault};
use crate::run::call::Lost;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::time::{Duration, Instant};

/// How often a process is looked at that says nothing.
const TICK: Duration = Duration::from_millis(100);
/// Bytes of answers that are kept for one batch.
const HELD: usize = 32 << 20;

/// Questions that are asked together.
pub(super) struct Batch {
    /// Their lines, but for the beginning with the id.
    pub questions: Vec<Vec<u8>>,
    /// Who waits for the answers.
    pub reply: Sender<Vec<Said>>,
}

/// What came of a question.
#[derive(Debug)]
pub(super) enum Said {
    /// An answer.
    Told(Told),
    /// None; the port is to blame.
    Lost(Lost),
    /// None; it was not asked.
    NotAsked(String),
}

/// What the leading thread hears.
pub(super) enum Event {
    /// Somebody asks.
    Batch(Batch),
    /// The process of that number says something.
    From(u32, Word),
    /// Nobody will ask any more.
    Finish,
}

/// What is left to say when the conversation is over.
#[derive(Clone, Debug, Default)]
pub(super) struct Closing {
    /// What no single question is to blame for, without repetitions.
    pub problems: BTreeSet<String>,
    /// Remarks.
    pub notes: BTreeSet<String>,
    /// Processes that were started.
    pub starts: u32,
    /// The end of standard error of the last one.
    pub stderr: String,
}

/// A question of a batch.
type Place = (u64, usize);

/// A batch on its way.
struct Open {
    batch: Batch,
    said: Vec<Option<Said>>,
    /// Ids under which its questions were asked.
    ids: Vec<u64>,
    left: usize,
    /// Bytes of answers so far.
    held: usize,
}

/// What happens next.
enum Next {
    Asked,
    Reply(Reply),
    Fault(Fault),
    Finish,
}

/// The conversation.
pub(super) struct Talk {
    words: Vec<String>,
    limits: Limits,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    child: Option<Running>,
    window: usize,
    open: BTreeMap<u64, Open>,
    queue: VecDeque<Place>,
    flight: BTreeMap<u64, Place>,
    /// Answered questions of batches that are still open.
    answered: BTreeMap<u64, Place>,
    batches: u64,
    ids: u64,
    deadline: Instant,
    /// Starts and waits that are left.
    budget: u32,
    /// Why nothing is asked any more.
    over: Option<String>,
    finished: bool,
    closing: Closing,
}

impl Talk {
    /// Starts the process and reads its introduction.
    ///
    /// # Errors
    /// It cannot be started, or does not introduce itself: what is wrong, with the end of its standard error.
    pub fn open(
        words: Vec<String>,
        limits: Limits,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
    ) -> Result<(Self, Introduction), String> {
        let mut talk = Self {
            words,
            budget: limits.restarts.saturating_add(1),
            limits,
            events,
            sender,
            child: None,
            window: WINDOW as usize,
            open: BTreeMap::new(),
            queue: VecDeque::new(),
            flight: BTreeMap::new(),
            answered: BTreeMap::new(),
            batches: 0,
            ids: 0,
            deadline: Instant::now(),
            over: None,
            finished: false,
            closing: Closing::default(),
        };
        let introduction = talk.start()?;
        Ok((talk, introduction))
    }

    /// Leads the conversation until nobody asks any more.
    pub fn lead(mut self) -> Closing {
        loop {
            self.top_up();
            match self.next() {
                Next::Asked => {}
                Next::Reply(reply) => {
                    if let Err(fault) = self.take(reply) {
                        self.broken(fault);
                    }
                }
                Next::Fault(fault) => self.broken(fault),
                Next::Finish => return self.part(),
            }
        }
    }

    fn start(&mut self) -> Result<Introduction, String> {
        self.closing.starts += 1;
        self.budget = self.budget.saturating_sub(1);
        let number = self.closing.starts;
        let child = Running::start(&self.words, &self.sender, move |word| Event::From(number, word))?;
        child.send(message::hello());
        self.child = Some(child);
        self.deadline = Instant::now() + self.limits.start;
        let met = self.meet();
        if met.is_err() {
            self.stop();
        }
        let introduction = met.map_err(|why| match self.closing.stderr.as_str() {
            "" => why,
            stderr => format!("{why}; it wrote to standard error:\n{stderr}"),
        })?;
        self.window = introduction.window.unwrap_or(WINDOW).clamp(1, WINDOW) as usize;
        Ok(introduction)
    }

    /// Ends the process, and keeps the end of its standard error.
    fn stop(&mut self) {
        if let Some(child) = self.child.take() {
            self.closing.stderr = tail(&child.end());
        }
    }

    fn enqueue(&mut self, batch: Batch) {
        let (number, count) = (self.batches, batch.questions.len());
        self.batches += 1;
        if count == 0 {
            // Whoever asked may be gone.
            let _ = batch.reply.send(Vec::new());
            return;
        }
        let said = (0..count).map(|_| None).collect();
        self.open.insert(number, Open { batch, said, ids: Vec::with_capacity(count), left: count, held: 0 });
        self.queue.extend((0..count).map(|index| (number, index)));
    }

    /// Asks until the window is full; not while lines are left to be taken, so that questions go in company.
    fn top_up(&mut self) {
        if self.queue.is_empty() || self.child.as_ref().is_some_and(Running::has_lines) {
            return;
        }
        if self.child.is_none() && !self.again() {
            let reason = self.over.clone().unwrap_or_default();
            for place in std::mem::take(&mut self.queue) {
                self.settle(place, Said::NotAsked(reason.clone()));
            }
            return;
        }
        if self.flight.is_empty() {
            self.deadline = Instant::now() + self.limits.answer;
        }
        let mut bytes = Vec::new();
        while self.flight.len() < self.window
            && let Some(place) = self.queue.pop_front()
        {
            self.word(place, &mut bytes);
        }
        if let Some(child) = &self.child
            && !bytes.is_empty()
        {
            child.send(bytes);
        }
    }

    /// Adds the line of a question, which is open from then on, and gives its id.
    fn word(&mut self, place: Place, bytes: &mut Vec<u8>) -> u64 {
        let id = self.ids;
        self.ids += 1;
        bytes.extend_from_slice(message::head(id).as_bytes());
        if let Some(open) = self.open.get_mut(&place.0) {
            open.ids.push(id);
            bytes.extend_from_slice(open.batch.questions.get(place.1).map_or(b"", Vec::as_slice));
        }
        self.flight.insert(id, place);
        id
    }

    /// An answer, or what stands for one.
    fn take(&mut self, reply: Reply) -> Result<(), Fault> {
        let (id, said, size) = match reply {
            Reply::Answer { id, told, size } => (id, Said::Told(told), size),
            Reply::Malformed { id, why } => {
                (id, self.blamed(&Fault::Protocol(format!("answered wrongly: {why}"))), 0)
            }
            Reply::Garbage { why } => return Err(Fault::Garbage(why)),
            Reply::TooLong => return Err(Fault::too_long()),
        };
        let Some(place) = self.flight.remove(&id) else { return self.stray(id) };
        self.deadline = Instant::now() + self.limits.answer;
        self.answered.insert(id, place);
        let full = self.open.get_mut(&place.0).is_some_and(|open| {
            open.held += size;
            open.held > HELD && open.held > size
        });
        let said = if full {
            self.blamed(&Fault::Protocol(format!(
                "answered too much: more than {} MiB at a time",
                HELD >> 20
            )))
        } else {
            said
        };
        self.settle(place, said);
        Ok(())
    }

    /// Notes what came of a question; the last of a batch sends the batch home.
    fn settle(&mut self, (number, index): Place, said: Said) {
        let Some(open) = self.open.get_mut(&number) else { return };
        let Some(slot) = open.said.get_mut(index) else { return };
        if slot.replace(said).is_none() {
            open.left -= 1;
        }
        if open.left == 0
            && let Some(open) = self.open.remove(&number)
        {
            for id in &open.ids {
                self.answered.remove(id);
            }
            // Whoever asked may be gone.
            let _ = open.batch.reply.send(open.said.into_iter().flatten().collect());
        }
    }
}
