//! One more case of a suite: the form of it, with placeholders where a researcher writes the values.

use super::stages;
use assay_harness::{Entry, Registry, nearest, toml_text};
use assay_model::{Game, SuiteFile, Tree};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A case that is ready to be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCase {
    /// `golden/…/cases.toml`.
    pub path: String,
    /// The id that it got.
    pub id: String,
    /// Line of its `[[case]]` in the new file, from 1.
    pub line: usize,
    /// The whole new file.
    pub text: String,
}

/// Appends a case to the suite of a capability, whose `cases.toml` holds `text`.
///
/// # Errors
/// There is no such capability, the file is no suite, the game is not offered, or the id is none or is taken.
pub fn append(
    registry: &Registry,
    text: &str,
    name: &str,
    id: Option<&str>,
    game: Option<Game>,
) -> Result<NewCase, String> {
    let entry = entry(registry, name)?;
    let path = cases(entry);
    let file: SuiteFile =
        toml::from_str(text).map_err(|error| format!("failed to read {path}: {}", error.message()))?;
    let game = offered(entry, game)?;
    let id = free(&file, id)?;
    let spec = registry.spec(entry.name()).ok_or_else(|| format!("failed to find a spec of `{name}`"))?;
    let holding = spec.clauses.iter().filter(|clause| clause.games.contains(&game));
    let clauses: Vec<&str> = holding.map(|clause| clause.id.as_str()).collect();
    if clauses.is_empty() {
        return Err(format!("failed to find a clause for {game} in {}", spec.path));
    }
    let before = format!("{}\n\n", text.trim_end());
    let block = render(entry, &file, &id, game, &clauses);
    let above = block.lines().take_while(|line| *line != "[[case]]").count();
    let line = before.lines().count() + above + 1;
    Ok(NewCase { path, id, line, text: before + &block })
}

/// The capability of that name, also where its path is given.
///
/// # Errors
/// There is none; the nearest names are in the text.
pub fn entry<'a>(registry: &'a Registry, name: &str) -> Result<&'a Entry, String> {
    let entries = registry.entries();
    entries.iter().find(|entry| entry.name() == name || entry.path() == name).ok_or_else(|| {
        let near = nearest(name, entries.iter().map(Entry::name), 3).join(", ");
        format!("failed to find a capability `{name}` (nearest: {near})")
    })
}

/// Where the suite of a capability stands.
#[must_use]
pub fn cases(entry: &Entry) -> String {
    format!("golden/{}/cases.toml", entry.path())
}

fn offered(entry: &Entry, game: Option<Game>) -> Result<Game, String> {
    let games = entry.port.meta().games;
    match game {
        None => example_game(entry)
            .or_else(|| games.first().copied())
            .ok_or_else(|| format!("failed to find a game of `{}`", entry.name())),
        Some(game) if games.contains(&game) => Ok(game),
        Some(game) => {
            let games: Vec<_> = games.iter().map(|game| game.as_str()).collect();
            Err(format!(
                "failed to write a case for {game}: `{}` is offered for {}",
                entry.name(),
                games.join(", ")
            ))
        }
    }
}

/// The game that the example is for: its own, or the one that an input is for which names none.
fn example_game(entry: &Entry) -> Option<Game> {
    let example = Tree::from_json(entry.port.meta().example.as_bytes()).ok()?;
    let default = entry.input_schema.pointer("/properties/game/default").and_then(|game| game.as_str());
    let game = example.get("game").and_then(Tree::as_str).or(default)?.parse().ok()?;
    entry.port.meta().games.contains(&game).then_some(game)
}

/// The id that was asked for, or the next free one. Ids of tombstones are never used again.
fn free(file: &SuiteFile, wanted: Option<&str>) -> Result<String, String> {
    let cases = file.cases.iter().map(|case| case.id.as_str());
    let removed = file.removed.iter().map(|tombstone| tombstone.id.as_str());
    let taken: BTreeSet<&str> =
        cases.chain(file.sweeps.iter().map(|sweep| sweep.id.as_str())).chain(removed).collect();
    let Some(id) = wanted else {
        let mut numbered = (1_u64..).map(|number| format!("case-{number}"));
        return numbered
            .find(|id| !taken.contains(id.as_str()))
            .ok_or_else(|| "failed to find an id".to_owned());
    };
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    if !id.split('-').all(word) {
        return Err(format!("failed to use `{id}`: an id is lower-case words joined by `-`"));
    }
    if taken.contains(id) {
        return Err(format!("failed to use `{id}`: ids are unique in their suite, and never used again"));
    }
    Ok(id.to_owned())
}

fn render(entry: &Entry, file: &SuiteFile, id: &str, game: Game, clauses: &[&str]) -> String {
    let mut out = String::from(
        "# A skeleton: every value below is a placeholder, and `assay verify` is red until each is replaced by what the\n\
         # clause gives, worked out by hand. What the port prints is never copied here.\n",
    );
    if !file.derivations.is_empty() {
        let names: Vec<String> =
            file.derivations.keys().map(|name| format!("`derivation = \"@{name}\"`")).collect();
        let _ = writeln!(
            out,
            "# Shared derivations, if one of them fits instead of the steps: {}.",
            names.join(", ")
        );
    }
    let input = Tree::from_json(entry.port.meta().example.as_bytes()).unwrap_or(Tree::Null);
    let arguments = input.entries().iter().filter(|(name, _)| name != "game").cloned().collect();
    let text = |text: &str| toml_text::value(&Tree::Text(text.to_owned()));
    let _ = write!(
        out,
        "[[case]]\nid = {}\ntitle = \"placeholder: say in one line what the case shows\"\ngame = {}\n",
        text(id),
        text(game.as_str())
    );
    let _ = writeln!(
        out,
        "clause = [{}]  # those that it exercises, of {}",
        text(clauses[0]),
        clauses.join(", ")
    );
    let _ = writeln!(out, "input = {}", toml_text::value(&Tree::Map(arguments)));
    let stages = stages::of(&entry.breakdown_schema);
    out.push_str(
        "derivation = '''\n# One step for every stage: expressions over the inputs, not constants.\n",
    );
    for stage in &stages {
        let _ = writeln!(out, "{}", stage.step());
    }
    out.push_str("'''\n[case.expect]\n");
    if stages.iter().any(stages::Stage::is_optional) {
        out.push_str(
            "# Stages that are not always there are comments: take the mark away where they come.\n",
        );
    } else if entry.breakdown_schema["required"].as_array().is_none_or(Vec::is_empty) {
        out.push_str("# No stage is always there: take away those that do not come.\n");
    }
    for stage in &stages {
        let _ = writeln!(out, "{}", stage.expectation());
    }
    out
}
