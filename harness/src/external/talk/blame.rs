//! Who is to blame when an answer does not come: every open question is asked with nothing else open.

use super::{Next, Place, Said, Talk};
use crate::external::child::{Running, tail};
use crate::external::fault::Fault;
use crate::external::message::{Reply, Told};
use std::time::Instant;

/// What a wait for nothing costs, in starts.
const WAIT: u32 = 64;

impl Talk {
    /// Starts another process, if that is still worth it.
    pub(super) fn again(&mut self) -> bool {
        if self.over.is_none() && self.budget == 0 {
            let restarts = self.limits.restarts;
            let why = format!("was not asked: the port was lost too often (limit {restarts})");
            self.give_up(why);
        }
        if self.over.is_some() {
            return false;
        }
        if let Err(why) = self.start() {
            self.give_up(format!("was not asked: the port does not start any more: {why}"));
        }
        self.over.is_none()
    }

    fn give_up(&mut self, why: String) {
        let note = why.replacen("was not asked", "the rest was not asked", 1);
        self.closing.notes.insert(format!("{note}; what was depends on the order of the questions"));
        self.over = Some(why);
    }

    /// An answer to nothing that is open. The second one to a question spoils the first.
    pub(super) fn stray(&mut self, id: u64) -> Result<(), Fault> {
        if id >= self.ids {
            return Err(Fault::Protocol("answered an id that was never given".to_owned()));
        }
        self.budget = self.budget.saturating_sub(1);
        let fault = Fault::Protocol("answered a question twice".to_owned());
        match self.answered.get(&id).copied() {
            Some(place) => {
                let said = self.blamed(&fault);
                self.settle(place, said);
            }
            None => {
                self.closing.problems.insert(fault.cause());
            }
        }
        if self.budget == 0 { Err(fault) } else { Ok(()) }
    }

    pub(super) fn blamed(&self, fault: &Fault) -> Said {
        let stderr = self.child.as_ref().map(Running::stderr).unwrap_or_default();
        Said::Lost(fault.lost(tail(&stderr)))
    }

    /// The process is lost: every open question is asked alone, and if none of them is to blame the port is.
    pub(super) fn broken(&mut self, fault: Fault) {
        self.stop();
        self.charge(&fault);
        let open = std::mem::take(&mut self.flight);
        let mut blamed = false;
        for place in open.into_values() {
            let said = self.alone(place);
            blamed |= matches!(said, Said::Lost(_));
            self.settle(place, said);
        }
        if !blamed {
            self.closing.problems.insert(format!(
                "{}, and each question that was open it answers alone; its answers must not depend on each other",
                fault.words()
            ));
        }
    }

    fn charge(&mut self, fault: &Fault) {
        if matches!(fault, Fault::Time(_) | Fault::Deaf) {
            self.budget = self.budget.saturating_sub(WAIT);
        }
    }

    /// Asks one question with nothing else open. What fails in a process that answered others before is asked once more, in
    /// a fresh one.
    fn alone(&mut self, place: Place) -> Said {
        loop {
            let fresh = self.child.is_none();
            if fresh && !self.again() {
                return Said::NotAsked(self.over.clone().unwrap_or_default());
            }
            let fault = match self.only(place) {
                Ok(told) => return Said::Told(told),
                Err(fault) => fault,
            };
            self.flight.clear();
            self.stop();
            self.charge(&fault);
            if fresh {
                return Said::Lost(fault.lost(self.closing.stderr.clone()));
            }
        }
    }

    fn only(&mut self, place: Place) -> Result<Told, Fault> {
        let mut bytes = Vec::new();
        let asked = self.word(place, &mut bytes);
        if let Some(child) = &self.child {
            child.send(bytes);
        }
        self.deadline = Instant::now() + self.limits.answer;
        loop {
            match self.next() {
                Next::Asked | Next::Finish => {}
                Next::Fault(fault) => return Err(fault),
                Next::Reply(Reply::Answer { id, told, .. }) if id == asked => {
                    self.flight.remove(&id);
                    self.answered.insert(id, place);
                    return Ok(told);
                }
                Next::Reply(Reply::Malformed { id, why }) if id == asked => {
                    return Err(Fault::Protocol(format!("answered wrongly: {why}")));
                }
                Next::Reply(Reply::Garbage { why }) => return Err(Fault::Garbage(why)),
                Next::Reply(Reply::TooLong) => return Err(Fault::too_long()),
                Next::Reply(Reply::Answer { id, .. } | Reply::Malformed { id, .. }) => self.stray(id)?,
            }
        }
    }
}
