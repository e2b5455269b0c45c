//! Mends what is mechanical, by changing nothing but the pieces of text that are wrong: remarks and derivations stay byte
//! for byte. A change of meaning is refused.

use super::sheet::{Edit, Sheet};
use super::{entry, mechanical};
use crate::registry::Registry;
use assay_model::{Problem, Rule, Tree};

/// Passes over one file at most. Pieces that overlap are mended one after the other.
const MAX_PASSES: usize = 32;

/// A file as it should be.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The whole text.
    pub text: String,
    /// What was wrong and is not any more, in the order in which it was mended; places are those of the text of the time.
    pub done: Vec<Problem>,
}

/// The file at `path` with everything mended that is mechanical; `None` if there is nothing to mend, or the file does not
/// parse.
///
/// # Errors
/// The mended text would say something else than the old one.
pub fn mend(registry: &Registry, path: &str, text: &str) -> Result<Option<Mended>, Problem> {
    let mut mended = Mended { text: text.to_owned(), done: Vec::new() };
    for _ in 0..MAX_PASSES {
        let Some((next, mut done)) = pass(registry, path, &mended.text) else { break };
        mended.text = next;
        mended.done.append(&mut done);
    }
    if mended.done.is_empty() {
        return Ok(None);
    }
    if meaning(path, text).is_none() || meaning(path, text) != meaning(path, &mended.text) {
        let message = "cannot be mended without changing what it says";
        return Err(Problem::whole(Rule::Order, path, message, "mend it by hand"));
    }
    Ok(Some(mended))
}

/// Applies every edit that does not overlap one before it.
fn pass(registry: &Registry, path: &str, text: &str) -> Option<(String, Vec<Problem>)> {
    let sheet = Sheet::of(path, text).filter(Sheet::is_whole)?;
    let findings = mechanical(&sheet, entry(registry, path));
    let mut edits: Vec<(Problem, Edit)> =
        findings.into_iter().filter_map(|finding| Some((finding.problem, finding.edit?))).collect();
    edits.sort_by_key(|(_, edit)| edit.range.start);
    let (mut next, mut from, mut done) = (String::with_capacity(text.len()), 0, Vec::new());
    for (problem, edit) in edits {
        if edit.range.start < from || text[edit.range.clone()] == edit.text {
            continue;
        }
        next.push_str(&text[from..edit.range.start]);
        next.push_str(&edit.text);
        from = edit.range.end;
        done.push(problem);
    }
    next.push_str(&text[from..]);
    (!done.is_empty()).then_some((next, done))
}

/// What a file says, whatever the order of its keys: its TOML as a value, and what follows the front matter of a spec.
fn meaning<'a>(path: &str, text: &'a str) -> Option<(Tree, &'a str)> {
    let (toml, rest) = match path.ends_with(".md") {
        true => assay_oracles::front_matter(text).map(|(front, body)| (&text[front], &text[body..]))?,
        false => (text, ""),
    };
    Some((toml::from_str(toml).ok()?, rest))
}
