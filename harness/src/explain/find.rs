//! What a name means: a capability, a case, or nothing, with the nearest.

use crate::nearest::nearest;
use crate::registry::{Entry, Registry};

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This capability; also for a case of a suite that does not load, which has nothing else to show.
    Capability(String),
    /// The case, sweep or vector line of this id.
    Case(String),
}

/// Looks a name up: a capability (`capability`, `area/capability`), or a case (`area/capability/case`,
/// `capability/case`, or its id alone where one suite has it).
///
/// # Errors
/// Nothing has the name, with the three nearest; or several suites have a case of that id.
pub fn find(registry: &Registry, name: &str) -> Result<Found, String> {
    let capability = |entry: &Entry| Found::Capability(entry.name().to_owned());
    let parts: Vec<&str> = name.trim_matches('/').split('/').collect();
    let entry = match parts[..] {
        [only] => registry.get(only),
        [first, second] => registry
            .get(second)
            .filter(|entry| entry.area().as_str() == first)
            .or_else(|| hidden(registry.get(first))),
        [area, second, _] => hidden(registry.get(second).filter(|entry| entry.area().as_str() == area)),
        _ => None,
    };
    if let Some(entry) = entry {
        return Ok(capability(entry));
    }
    let ending = format!("/{}", parts.join("/"));
    let named = |id: &&str| *id == &ending[1..] || (parts.len() < 3 && id.ends_with(&ending));
    match registry.ids().filter(named).collect::<Vec<_>>()[..] {
        [id] => Ok(Found::Case(id.to_owned())),
        [] => Err(unknown(registry, name, parts.len())),
        ref several => {
            let shown: Vec<&str> = several.iter().copied().take(3).collect();
            let more = if several.len() > shown.len() { ", …" } else { "" };
            Err(format!("`{name}` is the id of {} cases: `{}`{more}", several.len(), shown.join("`, `")))
        }
    }
}

/// The capability, if its suite does not load and so hides its cases.
fn hidden(entry: Option<&Entry>) -> Option<&Entry> {
    entry.filter(|entry| entry.suite.is_none())
}

/// The three nearest by their short names.
fn among<'a>(name: &str, names: &[(String, &'a str)]) -> Vec<&'a str> {
    let short = nearest(name, names.iter().map(|(short, _)| short.as_str()), 3);
    let whole = short.iter().flat_map(|short| names.iter().filter(move |(known, _)| known == short));
    whole.map(|(_, whole)| *whole).take(3).collect()
}

fn unknown(registry: &Registry, name: &str, parts: usize) -> String {
    if let Some(spec) = registry.spec(name) {
        return format!(
            "`{name}` has a spec ({}) and no port: register it in ports/src/lib.rs, or build again if it stands there",
            spec.path
        );
    }
    let tail = |id: &'_ str, parts: usize| -> String {
        let all: Vec<&str> = id.split('/').collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    // As many parts as were typed are compared, and whole ids are shown. One word is a capability before it is a case.
    let paths: Vec<String> = registry.entries().iter().map(Entry::path).collect();
    let capabilities = || paths.iter().map(|path| (tail(path, parts), path.as_str()));
    let cases = || registry.ids().map(|id| (tail(id, parts), id));
    let mut near = match parts {
        1 => among(name, &capabilities().collect::<Vec<_>>()),
        _ => among(name, &capabilities().chain(cases()).collect::<Vec<_>>()),
    };
    if near.is_empty() {
        near = among(name, &cases().collect::<Vec<_>>());
    }
    if near.is_empty() {
        format!("nothing is called `{name}`; `assay list` shows the capabilities")
    } else {
        format!("nothing is called `{name}`; nearest: `{}`", near.join("`, `"))
    }
}
