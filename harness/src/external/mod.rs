//! Ports in other processes: any language, lines of JSON on standard input and output, judged by the same cases.
//!
//! `PROTOCOL.md` is what an author of such a port reads; [`schemas`] are its messages. [`External::open`] starts a port
//! and reads its introduction, [`External::verify`] judges it, and [`check()`] tells what is wrong with a conversation.
//! [`serve()`] is the other side, for ports in Rust.
//!
//! The judge is the one of the ports in this process: only who answers a question differs. A port that dies, hangs,
//! floods or speaks nonsense gets a verdict for that; it is never waited on without a limit, and what is kept of it is
//! bounded.

mod check;
mod child;
mod fault;
mod known;
mod message;
mod serve;
mod shape;
mod talk;

use crate::registry::Registry;
use crate::run::call::{Attempt, Lost};
use crate::run::callee::{Ask, Callee, Heard, Subject};
use crate::run::{Options, verify_subject};
use crate::selection::Selection;
use assay_model::{Game, Output, Outsider, Problem, Report, Rule};
use shape::Shapes;
use std::collections::BTreeMap;
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use talk::{Batch, Closing, Event, Said, Talk};

pub use check::{Check, Finding, Step, check};
pub use child::end_all;
pub use known::KnownList;
pub use message::{
    Answer, Bye, Farewell, Greeting, Hello, HelloReply, Introduction, MAX_LINE, Offer, PROTOCOL, Question,
    Refused, Run, WINDOW, schemas,
};
pub use serve::{Identity, serve};

/// The reference of the protocol, for authors of ports.
pub const REFERENCE: &str = include_str!("PROTOCOL.md");

/// Questions that a thread asks at a time: several windows, so that the port never waits for the judge.
const BATCH: usize = 256;
/// Bytes of a line around the input of a question.
const ROOM: usize = 256;
/// Threads that ask and judge, if nobody says how many: enough that one batch is under way while another is judged.
const THREADS: usize = 4;

/// How long a port is waited for, and how often it is started again.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest time in which no answer comes while questions are open.
    pub answer: Duration,
    /// Longest time until its introduction.
    pub start: Duration,
    /// Longest time to leave after `bye`.
    pub leave: Duration,
    /// Starts after the first one; a wait for nothing costs 64 of them. When they are used up, the rest is not asked.
    pub restarts: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(30),
            leave: Duration::from_secs(3),
            restarts: 1024,
        }
    }
}

/// A port in another process that has introduced itself.
pub struct External {
    command: String,
    introduction: Introduction,
    events: SyncSender<Event>,
    thread: Option<JoinHandle<Closing>>,
}

impl External {
    /// Starts `command` and reads its introduction. The command is split as a shell splits words, quotes and
    /// backslashes included, and started without a shell: variables, globs, pipes and `~` mean nothing. Write
    /// `sh -c '…'` where they should.
    ///
    /// # Errors
    /// The command cannot be split or started, or the process does not introduce itself as the protocol wants: what is
    /// wrong, with the end of its standard error.
    pub fn open(command: &str, limits: Limits) -> Result<Self, String> {
        let wrong = |why: String| format!("port `{command}`: {why}");
        let words = words(command).map_err(wrong)?;
        // Few events are enough: a port that writes faster than it is read waits.
        let (events, heard) = sync_channel(4);
        let (talk, introduction) = Talk::open(words, limits, (events.clone(), heard)).map_err(wrong)?;
        let thread = std::thread::spawn(move || talk.lead());
        Ok(Self { command: command.to_owned(), introduction, events, thread: Some(thread) })
    }

    /// What the port said of itself.
    #[must_use]
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// Judges the port by what `selection` takes, says good-bye to it, and reports. Cases of capabilities and games that
    /// it does not offer are skipped, and never sent. `known` is its own list of known failures; the one of the ports
    /// that are compiled in has no part in this.
    #[must_use]
    pub fn verify(
        mut self,
        registry: &Registry,
        selection: &Selection,
        options: &Options,
        known: Option<&KnownList>,
    ) -> Report {
        let none = KnownList::default();
        let known = known.unwrap_or(&none);
        let via = format!(" --port {}{}", shell_words::quote(&self.command), known.via());
        let line = Line { port: &self, offers: self.offers(), shapes: Shapes::of(registry) };
        let who = Subject { callee: &line, known: known.entries(), list: known.path(), via: &via };
        let jobs = options.jobs.or_else(|| {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            Some(processors.max(THREADS))
        });
        let mut report = verify_subject(registry, selection, &Options { jobs, ..options.clone() }, &who);
        let offers = self.offered(registry, &mut report.notes);
        let Closing { problems, notes, starts, stderr } = self.part();
        let help = "`assay port check` shows the conversation step by step";
        let broken = problems
            .into_iter()
            .map(|why| Problem::whole(Rule::Port, &self.command, format!("it {why}"), help));
        report.problems.extend(broken);
        report.problems.extend(known.problems(registry));
        report.problems.sort();
        report.notes.extend(notes);
        let Introduction { name, language, version, protocol, .. } = self.introduction.clone();
        let command = self.command.clone();
        let starts = u64::from(starts);
        report.port = Some(Outsider { name, language, version, command, protocol, offers, starts, stderr });
        report
    }

    /// The games of each capability; `None` is every game.
    fn offers(&self) -> BTreeMap<&str, Option<&[Game]>> {
        let offers = self.introduction.capabilities.iter();
        offers.map(|offer| (offer.name.as_str(), offer.games.as_deref())).collect()
    }

    /// The capabilities of the corpus among those that it offers; a remark on each of the others.
    fn offered(&self, registry: &Registry, notes: &mut Vec<String>) -> Vec<String> {
        let names = self.introduction.capabilities.iter().map(|offer| &offer.name);
        let (mut known, unknown): (Vec<_>, Vec<_>) =
            names.cloned().partition(|name| registry.get(name).is_some());
        let near = |name: &str| crate::nearest(name, registry.entries().iter().map(crate::Entry::name), 1);
        notes.extend(unknown.iter().map(|name| match near(name).first() {
            Some(near) => {
                format!("the port offers `{name}`, which this corpus has not; did it mean `{near}`?")
            }
            None => format!("the port offers `{name}`, which this corpus has not"),
        }));
        known.sort();
        known
    }

    /// Asks, and waits for every answer.
    fn answers(&self, questions: Vec<Vec<u8>>) -> Vec<Said> {
        if questions.is_empty() {
            return Vec::new();
        }
        let (reply, answers) = channel();
        let sent = self.events.send(Event::Batch(Batch { questions, reply }));
        sent.ok().and_then(|()| answers.recv().ok()).unwrap_or_default()
    }

    fn part(&mut self) -> Closing {
        // If the thread has gone, joining it tells.
        let _ = self.events.send(Event::Finish);
        let lost =
            || Closing { problems: ["was lost by the harness".to_owned()].into(), ..Closing::default() };
        self.thread.take().map_or_else(lost, |thread| thread.join().unwrap_or_else(|_| lost()))
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.part();
        }
    }
}

/// A command as words.
fn words(command: &str) -> Result<Vec<String>, String> {
    let words = shell_words::split(command)
        .map_err(|error| format!("the command does not split into words: {error}"))?;
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

/// A port as one who answers.
struct Line<'a> {
    port: &'a External,
    offers: BTreeMap<&'a str, Option<&'a [Game]>>,
    shapes: Shapes,
}

impl Callee for Line<'_> {
    fn appetite(&self) -> usize {
        BATCH
    }

    fn offers(&self, capability: &str, game: Game) -> Result<(), String> {
        match self.offers.get(capability) {
            None => Err(format!("the port does not offer {capability}")),
            Some(Some(games)) if !games.contains(&game) => {
                Err(format!("the port does not offer {capability} for {game}"))
            }
            Some(_) => Ok(()),
        }
    }

    fn ask(&self, asked: &[Ask], _: &mut Output, heard: &mut Heard) {
        // The harness keeps to its own limit.
        let fits = |ask: &&Ask| ask.input.len() <= MAX_LINE - ROOM;
        let question = |ask: &Ask| message::tail(ask.port.meta().name, ask.input);
        let questions: Vec<Vec<u8>> = asked.iter().filter(fits).map(question).collect();
        let mut said = self.port.answers(questions).into_iter();
        for (index, ask) in asked.iter().enumerate() {
            let (attempt, json) = if fits(&ask) {
                self.attempt(ask.port.meta().name, said.next())
            } else {
                let limit = MAX_LINE >> 20;
                (Attempt::Skipped(format!("its input is longer than a line of {limit} MiB")), Vec::new())
            };
            heard(index, attempt, &json, Duration::ZERO);
        }
    }
}

impl Line<'_> {
    fn attempt(&self, capability: &str, said: Option<Said>) -> (Attempt, Vec<u8>) {
        use message::Told;
        let attempt = match said {
            Some(Said::Told(Told::Ok(tree))) => {
                return (Attempt::Answered, self.shapes.canonical(capability, tree));
            }
            Some(Said::Told(Told::Error(error))) => Attempt::Refused(error),
            Some(Said::Told(Told::Skip(reason)) | Said::NotAsked(reason)) => Attempt::Skipped(reason),
            Some(Said::Lost(lost)) => Attempt::Lost(lost),
            None => Attempt::Lost(Lost {
                rule: "protocol",
                said: "the conversation ended early".to_owned(),
                message: "the conversation ended early".to_owned(),
                stderr: String::new(),
            }),
        };
        (attempt, Vec::new())
    }
}
