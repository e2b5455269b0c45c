//! Who answers questions: the port in this process, or another process behind the same seam.

use super::call::{Attempt, attempt};
use crate::load::known::KnownFailure;
use assay_model::{Game, Output, Port};
use std::collections::BTreeMap;
use std::time::Duration;

/// One question: a port and its input as canonical JSON.
pub(crate) struct Ask<'a> {
    pub port: &'a dyn Port,
    pub input: &'a [u8],
}

/// Hears the answer to the question of that index: what came, the canonical breakdown if it is one, and how long the
/// call took, where that can be known.
pub(crate) type Heard<'a> = dyn FnMut(usize, Attempt, &[u8], Duration) + 'a;

/// Answers questions. Any number of threads ask at a time.
pub(crate) trait Callee: Sync {
    /// Most questions that one thread should ask at a time.
    fn appetite(&self) -> usize;

    /// Whether it can be asked for a capability in a game.
    ///
    /// # Errors
    /// Why not: the reason of a skip.
    fn offers(&self, capability: &str, game: Game) -> Result<(), String>;

    /// Answers every question once, in their order.
    fn ask(&self, asked: &[Ask], output: &mut Output, heard: &mut Heard);
}

/// The ports of this process.
pub(crate) struct Here;

impl Callee for Here {
    fn appetite(&self) -> usize {
        1
    }

    fn offers(&self, _: &str, _: Game) -> Result<(), String> {
        Ok(())
    }

    fn ask(&self, asked: &[Ask], output: &mut Output, heard: &mut Heard) {
        for (index, Ask { port, input }) in asked.iter().enumerate() {
            let (attempt, took) = attempt(*port, input, output);
            heard(index, attempt, &output.json, took);
        }
    }
}

/// Who is judged, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub callee: &'a dyn Callee,
    /// What it gets wrong today, by id.
    pub known: &'a BTreeMap<String, KnownFailure>,
    /// The file that says so, for messages.
    pub list: &'a str,
    /// What the command that repeats a failure needs beside the id: empty, or ` --port …`.
    pub via: &'a str,
}
