//! One call of a tool: arguments in, reply out. Pure and synchronous; knows no transport.

mod describe;
mod detail;
pub(crate) mod find;
pub(crate) mod run;
mod verify;

pub use detail::summarise;
pub use run::{Artefacts, artefacts, with_defaults};

use crate::assets::Assets;
use crate::control::Control;
use crate::envelope::{Refusal, Reply, list, text, value};
use crate::search::nearest;
use crate::snapshot::Snapshot;
use crate::surface::Tool;
use crate::validate::Violation;
use assay_harness::Entry;
use assay_model::{Errno, Tree};
use serde::Deserialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

/// What a call sees beside its arguments.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The one snapshot that it is answered from.
    pub snapshot: &'a Snapshot,
    /// What its arguments may name instead of bytes.
    pub assets: &'a Arc<Assets>,
    /// Its progress, and whether to stop.
    pub control: &'a Control,
}

/// Answers one call from one snapshot. Never panics: what breaks inside is an `EIO` without the inside.
#[must_use]
pub fn dispatch(tool: Tool, arguments: &Value, snapshot: &Snapshot) -> Reply {
    dispatch_with(tool, arguments, snapshot, &Control::default())
}

/// The same for a call that reports its progress and can be stopped. It opens no path, and its uploads are those of all
/// such calls.
#[must_use]
pub fn dispatch_with(tool: Tool, arguments: &Value, snapshot: &Snapshot, control: &Control) -> Reply {
    static NONE: LazyLock<Arc<Assets>> = LazyLock::new(Arc::default);
    dispatch_call(tool, arguments, Call { snapshot, assets: &NONE, control })
}

/// The same for a call whose arguments may name files and uploads.
#[must_use]
pub fn dispatch_call(tool: Tool, arguments: &Value, call: Call<'_>) -> Reply {
    let outcome = guarded(tool.name(), || answer(tool, arguments, call));
    Reply { outcome, snapshot_sequence: call.snapshot.sequence(), ut: call.snapshot.ut() }
}

/// What `answer` gives, or an `EIO` that says nothing of the inside when it panics.
pub(crate) fn guarded(name: &str, answer: impl FnOnce() -> Result<Tree, Refusal>) -> Result<Tree, Refusal> {
    catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|_| Err(Refusal::failed(format!("unexpected failure inside {name}"))))
}

fn answer(tool: Tool, arguments: &Value, call: Call<'_>) -> Result<Tree, Refusal> {
    let arguments =
        Tree::deserialize(arguments).map_err(|error| Refusal::rejected(Errno::Einval, error.to_string()))?;
    let arguments = arguments.integral();
    let checked = tool.checked().ok_or_else(|| Refusal::failed("the argument schema does not compile"))?;
    let violations = checked.violations(&value(&arguments));
    if !violations.is_empty() {
        return Err(einval(&violations, "arguments of the tool"));
    }
    match tool {
        Tool::Find => find::answer(&arguments, call.snapshot),
        Tool::Describe => describe::answer(&arguments, call.snapshot),
        Tool::Run => run::answer(&arguments, call),
        Tool::Verify => verify::answer(&arguments, call.snapshot, call.control),
    }
}

/// Wrong arguments, every violation listed.
fn einval(violations: &[Violation], what: &str) -> Refusal {
    let first = &violations[0];
    let place = if first.pointer.is_empty() { "at the top" } else { first.pointer.as_str() };
    let more = match violations.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let errors = Tree::List(violations.iter().map(Violation::tree).collect());
    Refusal::rejected(Errno::Einval, format!("wrong {what}: {place}: {}{more}", first.message))
        .with("errors", errors)
}

/// One wrong argument of a tool.
fn wrong(pointer: &str, keyword: &str, message: impl Into<String>, hint: impl Into<String>) -> Refusal {
    einval(&[Violation::new(pointer, keyword, message, hint)], "arguments of the tool")
}

/// The capability of a name, or `ENOENT` with the three nearest.
fn entry<'a>(snapshot: &'a Snapshot, name: &str) -> Result<&'a Entry, Refusal> {
    snapshot.registry().get(name).ok_or_else(|| {
        let near = nearest(snapshot.index(), name, 3);
        let hint = near.first().map_or_else(
            || "find_capabilities lists what exists".to_owned(),
            |first| format!("did you mean {first}? find_capabilities searches by meaning"),
        );
        Refusal::rejected(Errno::Enoent, format!("no capability is called `{}`", clip(name, 80)))
            .with("nearest", list(near))
            .with("hint", text(hint))
    })
}

fn argument<'a>(arguments: &'a Tree, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Tree::as_str)
}

fn count(arguments: &Tree, name: &str, default: u64) -> usize {
    let given = match arguments.get(name) {
        Some(Tree::Int(value)) => u64::try_from(*value).unwrap_or(default),
        _ => default,
    };
    usize::try_from(given).unwrap_or(usize::MAX)
}

pub(crate) fn clip(value: &str, most: usize) -> String {
    match value.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
