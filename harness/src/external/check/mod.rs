//! What is wrong with a conversation, step by step: for the author of a port.
//!
//! Values are not judged here; that is what a verification is for. A step that breaks the process gets a fresh one for
//! the next step, so one slip hides no other.

mod probe;

use super::message::{Introduction, Reply, Told, WINDOW};
use super::{Limits, words};
use crate::registry::{Entry, Registry};
use probe::Probe;
use serde::Serialize;

/// What a step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// As the protocol wants it.
    Good,
    /// Allowed, and worth a look.
    Remark,
    /// Against the protocol.
    Wrong,
}

impl Finding {
    /// The word as it is printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Remark => "remark",
            Self::Wrong => "wrong",
        }
    }
}

/// One step of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was tried: one word.
    pub step: &'static str,
    /// What it found.
    pub finding: Finding,
    /// What happened, and what to do; a line each.
    pub said: Vec<String>,
}

/// What came of all steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The command that starts the port.
    pub command: String,
    /// How the port introduced itself; nothing else was tried if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub introduction: Option<Introduction>,
    /// The steps in the order in which they were tried.
    pub steps: Vec<Step>,
}

impl Check {
    /// The worst finding.
    #[must_use]
    pub fn finding(&self) -> Finding {
        self.steps.iter().map(|step| step.finding).max().unwrap_or(Finding::Wrong)
    }
}

/// Tries a whole conversation with the port that `command` starts. Takes the time limits of `limits`.
///
/// # Errors
/// The command does not split into words, or cannot be started.
pub fn check(command: &str, limits: Limits, registry: &Registry) -> Result<Check, String> {
    let words = words(command)?;
    let mut check = Check { command: command.to_owned(), introduction: None, steps: Vec::new() };
    let mut probe = Probe::start(words, limits)?;
    match probe.meet() {
        Err(why) => {
            check.steps.push(step("hello", Finding::Wrong, vec![why]));
            return Ok(check);
        }
        Ok(introduction) => {
            let Introduction { name, language, version, .. } = &introduction;
            check.steps.push(step("hello", Finding::Good, vec![format!("{name} {version}, in {language}")]));
            check.introduction = Some(introduction);
        }
    }
    let introduction = check.introduction.clone();
    let offers = introduction.iter().flat_map(|introduction| &introduction.capabilities);
    let names: Vec<&str> = offers.map(|offer| offer.name.as_str()).collect();
    let (known, found) = offered(registry, &names);
    check.steps.push(found);
    let mut conversation = Conversation { probe, known };
    check.steps.extend(conversation.all());
    Ok(check)
}

fn step(name: &'static str, finding: Finding, said: Vec<String>) -> Step {
    Step { step: name, finding, said }
}

/// The capabilities that can be asked for.
fn offered<'a>(registry: &'a Registry, names: &[&str]) -> (Vec<&'a Entry>, Step) {
    let known: Vec<&Entry> = names.iter().filter_map(|name| registry.get(name)).collect();
    let unknown: Vec<&str> = names.iter().copied().filter(|name| registry.get(name).is_none()).collect();
    let mut said = vec![format!("{} of the corpus' {} capabilities", known.len(), registry.entries().len())];
    let mut finding = Finding::Good;
    if !unknown.is_empty() {
        finding = Finding::Remark;
        said.push(format!("this corpus has no `{}`", unknown.join("`, no `")));
    }
    if known.is_empty() {
        finding = Finding::Wrong;
        said.push("nothing can be asked; `assay list` has the names".to_owned());
    }
    (known, step("capabilities", finding, said))
}

/// A conversation that is tried step by step.
struct Conversation<'a> {
    probe: Probe,
    known: Vec<&'a Entry>,
}

/// What a step found, or how it broke.
type Found = Result<(Finding, Vec<String>), String>;
/// A step.
type Trying<T> = fn(&mut T) -> Found;

impl Conversation<'_> {
    fn all(&mut self) -> Vec<Step> {
        let steps: [(&'static str, Trying<Self>); 8] = [
            ("examples", Self::examples),
            ("window", Self::window),
            ("stranger", Self::stranger),
            ("input", Self::bad_input),
            ("long", Self::long),
            ("nonsense", Self::nonsense),
            ("bye", Self::bye),
            ("end", Self::end),
        ];
        let mut done = Vec::with_capacity(steps.len());
        for (name, body) in steps {
            let found = self.probe.ready().and_then(|()| body(self));
            done.push(match found {
                Ok((finding, said)) => step(name, finding, said),
                Err(why) => {
                    let stderr = self.probe.lose();
                    let tail = (!stderr.is_empty()).then(|| format!("standard error: {stderr}"));
                    step(name, Finding::Wrong, std::iter::once(why).chain(tail).collect())
                }
            });
        }
        done
    }

    /// Every capability answers its own example.
    fn examples(&mut self) -> Found {
        let (mut said, mut answered) = (Vec::new(), 0);
        for entry in self.known.clone() {
            let id = self.probe.ask(entry.name(), entry.port.meta().example.as_bytes());
            let name = entry.name();
            match self
                .probe
                .answer(id)
                .map_err(|why| format!("asked for the example of `{name}`, it {why}"))?
            {
                Told::Ok(_) => answered += 1,
                Told::Error(error) => said.push(format!("`{name}` refuses its own example: {error}")),
                Told::Skip(reason) => said.push(format!("`{name}` skips its own example: {reason}")),
            }
        }
        let finding = if said.is_empty() { Finding::Good } else { Finding::Remark };
        said.insert(0, format!("{answered} of {} examples answered with a breakdown", self.known.len()));
        Ok((finding, said))
    }

    /// A full window is answered, each question once, and as it is answered alone.
    fn window(&mut self) -> Found {
        let known = self.known.clone();
        let Some(first) = known.first() else { return Ok((Finding::Good, Vec::new())) };
        let cycle = || known.iter().cycle().take(WINDOW as usize);
        let mut alone = Vec::new();
        for entry in &known {
            let id = self.probe.ask(entry.name(), entry.port.meta().example.as_bytes());
            alone.push(self.probe.answer(id).map_err(|why| format!("asked alone, it {why}"))?);
        }
        let questions = cycle().map(|entry| (entry.name(), entry.port.meta().example.as_bytes().to_vec()));
        let ids = self.probe.ask_all(questions.collect());
        let start = ids.first().copied().unwrap_or_default();
        let (mut open, mut order) = (ids.clone(), Vec::new());
        while !open.is_empty() {
            let why = |why: String| format!("with {} of {WINDOW} questions open, it {why}", open.len());
            let (id, told) = self.probe.any().map_err(why)?;
            let Some(place) = open.iter().position(|one| *one == id) else {
                let what = if ids.contains(&id) {
                    "answered a question twice"
                } else {
                    "answered an id that is not open"
                };
                return Err(format!("{what} (id {id}); copy the id of the question, and answer it once"));
            };
            open.remove(place);
            order.push(id);
            let index = (id - start) as usize % known.len();
            if alone.get(index) != Some(&told) {
                let name = known.get(index).unwrap_or(first).name();
                return Err(format!("answers `{name}` differently with others open; a port must be pure"));
            }
        }
        let way = if order.is_sorted() { "in order" } else { "in an order of its own" };
        Ok((Finding::Good, vec![format!("{WINDOW} questions at a time, answered {way}")]))
    }

    /// A capability that it does not offer is skipped.
    fn stranger(&mut self) -> Found {
        let id = self.probe.ask("no_such_capability", b"{}");
        Ok(
            match self
                .probe
                .answer(id)
                .map_err(|why| format!("asked for `no_such_capability`, it {why}; answer `skip`"))?
            {
                Told::Skip(reason) => {
                    (Finding::Good, vec![format!("a capability that it does not offer is skipped: {reason}")])
                }
                Told::Error(error) => (
                    Finding::Remark,
                    vec![format!(
                        "refuses a capability that it does not offer with {error}; `skip` is clearer"
                    )],
                ),
                Told::Ok(_) => {
                    return Err(
                        "gives a breakdown of a capability that does not exist; answer `skip`".to_owned()
                    );
                }
            },
        )
    }

    /// An input that no capability takes is refused.
    fn bad_input(&mut self) -> Found {
        let Some(entry) = self.known.first() else { return Ok((Finding::Good, Vec::new())) };
        let name = entry.name();
        let id = self.probe.ask(name, br#"{"no_such_argument":[{}]}"#);
        Ok(
            match self
                .probe
                .answer(id)
                .map_err(|why| format!("asked `{name}` with an unknown argument, it {why}"))?
            {
                Told::Error(error) => {
                    (Finding::Good, vec![format!("an unknown argument is refused: {error}")])
                }
                _ => (
                    Finding::Remark,
                    vec![format!("`{name}` accepts an argument that does not exist; refuse it with EINVAL")],
                ),
            },
        )
    }

    /// A long line is read whole.
    fn long(&mut self) -> Found {
        let Some(entry) = self.known.first() else { return Ok((Finding::Good, Vec::new())) };
        let padding = "x".repeat(1 << 20);
        let input = format!(r#"{{"padding":"{padding}"}}"#);
        let questions = (0..4).map(|_| (entry.name(), input.clone().into_bytes())).collect();
        for _ in self.probe.ask_all(questions) {
            self.probe.any().map(drop).map_err(|why| {
                format!("asked with four lines of 1 MiB, it {why}; read lines of up to 16 MiB, and write while more come")
            })?;
        }
        Ok((Finding::Good, vec!["lines of 1 MiB are read".to_owned()]))
    }

    /// What it does with a line that is no message. The harness never sends one.
    fn nonsense(&mut self) -> Found {
        self.probe.write(b"this is no message\n".to_vec());
        let Some(entry) = self.known.first() else { return Ok((Finding::Good, Vec::new())) };
        let id = self.probe.ask(entry.name(), entry.port.meta().example.as_bytes());
        match self.probe.next() {
            Ok(Reply::Answer { id: said, .. }) if said == id => {
                Ok((Finding::Good, vec!["a line that is no message is passed over".to_owned()]))
            }
            Ok(_) => {
                Err("answers a line that is no message; write to standard error, and leave or go on"
                    .to_owned())
            }
            Err(why) if why.starts_with("ended with") => {
                self.probe.lose();
                Ok((Finding::Good, vec![format!("on a line that is no message it {why}")]))
            }
            Err(why) => Err(format!("on a line that is no message it {why}; leave, or go on")),
        }
    }

    /// After `bye` it leaves with status 0.
    fn bye(&mut self) -> Found {
        self.probe.bye();
        self.left("after bye")
    }

    /// When its input ends it leaves as well.
    fn end(&mut self) -> Found {
        self.probe.close();
        self.left("when its standard input ends")
    }

    fn left(&mut self, when: &str) -> Found {
        let ending = self.probe.ending();
        self.probe.lose();
        match ending {
            Ok(words) if words == "ended with status 0" => {
                Ok((Finding::Good, vec![format!("it leaves {when}")]))
            }
            Ok(words) => Ok((Finding::Remark, vec![format!("{when} it {words}; status 0 is expected")])),
            Err(why) => Err(format!("{when} it {why}; flush and leave")),
        }
    }
}
