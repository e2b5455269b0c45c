//! Clauses: the numbered findings of a spec.

use crate::reader::exact_game;
use crate::source::{SOURCES, Sources};
use assay_model::files::position;
use assay_model::{Game, Problem, Rule};
use std::ops::Range;

/// One numbered finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// `word.number`, unique in the spec.
    pub id: String,
    /// The rest of the heading.
    pub title: String,
    /// Games it holds for, in vocabulary order.
    pub games: Vec<Game>,
    /// Ids of the sources that support it, in file order.
    pub sources: Vec<String>,
    /// What is still open, if something is.
    pub open: Option<String>,
    /// Prose, without heading and metadata.
    pub text: String,
    /// blake3, in hex, of normalised title, games, sources, open part and prose: wrapping lines anew does not change it.
    pub digest: String,
    /// Line of the heading, from 1.
    pub line: usize,
}

/// What a clause is checked against.
pub struct Context<'a> {
    /// Path of the spec.
    pub file: &'a str,
    /// The whole spec.
    pub text: &'a str,
    /// Games of the spec.
    pub games: &'a [Game],
    /// Sources that can be cited.
    pub sources: &'a Sources,
}

/// What the bullets of a clause say, with byte offsets.
#[derive(Default)]
struct Metadata<'a> {
    games: Vec<(usize, Game)>,
    sources: Vec<(usize, &'a str)>,
    open: Option<&'a str>,
}

/// A heading and the text below it.
#[derive(Clone, Debug)]
struct Part {
    heading: Range<usize>,
    body: Range<usize>,
    /// Line of the heading, from 1.
    line: usize,
}

impl Context<'_> {
    /// Reads the clauses after the front matter, which ends at the byte offset `start`.
    pub fn clauses(&self, start: usize, problems: &mut Vec<Problem>) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        for part in self.parts(start) {
            let Some(clause) = self.clause(&part, problems) else { continue };
            match clauses.iter().find(|other| other.id == clause.id) {
                Some(first) => {
                    let message = format!("duplicate clause `{}` (first at line {})", clause.id, first.line);
                    problems.push(self.at(
                        Rule::DuplicateId,
                        part.heading.start + 4,
                        message,
                        "number it anew",
                    ));
                }
                None => clauses.push(clause),
            }
        }
        clauses
    }

    fn at(&self, rule: Rule, offset: usize, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem::at(rule, self.file, self.text, offset, message, help)
    }

    /// Third-level headings, each with the text up to the next heading of that level or above. Fenced code is no heading.
    fn parts(&self, start: usize) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let (mut open, mut fenced) = (false, false);
        let first = position(self.text, start).0;
        for (index, line) in lines(self.text, start..self.text.len()).enumerate() {
            let text = &self.text[line.clone()];
            fenced ^= text.trim_start().starts_with("```");
            if fenced || !["# ", "## ", "### "].iter().any(|level| text.starts_with(level)) {
                if let Some(part) = parts.last_mut().filter(|_| open) {
                    part.body.end = line.end;
                }
                continue;
            }
            open = text.starts_with("### ");
            if open {
                parts.push(Part { body: line.end..line.end, heading: line, line: first + index });
            }
        }
        parts
    }

    fn clause(&self, part: &Part, problems: &mut Vec<Problem>) -> Option<Clause> {
        let heading = self.text[part.heading.clone()].strip_prefix("### ")?.trim();
        let (id, title) = heading.split_once(char::is_whitespace).unwrap_or((heading, ""));
        if !is_clause_id(id) {
            let message = format!("`{id}` is no clause id");
            let help =
                "write a lower-case word, a point and a number, such as `gate.1`; other headings are `## `";
            problems.push(self.at(Rule::BadId, part.heading.start + 4, message, help));
            return None;
        }
        if title.is_empty() {
            let message = format!("clause `{id}` has no title");
            problems.push(self.at(Rule::Title, part.heading.start, message, "say after the id what holds"));
        }
        let (metadata, prose) = self.metadata(id, part, problems);
        self.evidence(id, part.heading.start, &metadata, problems);
        let mut clause = Clause {
            id: id.to_owned(),
            title: title.trim().to_owned(),
            games: metadata.games.iter().map(|(_, game)| *game).collect(),
            sources: metadata.sources.iter().map(|(_, source)| (*source).to_owned()).collect(),
            open: metadata.open.map(str::to_owned),
            text: self.text[prose..part.body.end].trim().to_owned(),
            digest: String::new(),
            line: part.line,
        };
        clause.games.sort_unstable();
        clause.digest = digest(&clause);
        Some(clause)
    }

    /// Reads the bullets after a heading; also gives the offset of the prose.
    fn metadata(&self, id: &str, part: &Part, problems: &mut Vec<Problem>) -> (Metadata<'_>, usize) {
        let (bullets, prose) = self.bullets(part);
        let mut metadata = Metadata::default();
        let mut seen: Vec<&str> = Vec::new();
        for bullet in bullets {
            let text = &self.text[bullet.clone()];
            let (key, value) = text[2..].split_once(':').unwrap_or((&text[2..], ""));
            let key = key.trim();
            if seen.contains(&key) {
                problems.push(self.at(
                    Rule::Clause,
                    bullet.start,
                    format!("clause `{id}` has `{key}` twice"),
                    "keep one",
                ));
                continue;
            }
            seen.push(key);
            let value = bullet.end - value.len()..bullet.end;
            match key {
                "games" => metadata.games = self.games(id, value, problems),
                "sources" => metadata.sources = self.sources(value, problems),
                "open" => {
                    metadata.open = Some(self.text[value].trim());
                    if metadata.open == Some("") {
                        problems.push(self.at(
                            Rule::Clause,
                            bullet.start,
                            "`open` says nothing",
                            "say what is not known",
                        ));
                    }
                }
                _ => {
                    let help =
                        "known are games, sources and open; leave a blank line before a list in the prose";
                    let key = key.lines().next().unwrap_or_default();
                    problems.push(self.at(
                        Rule::UnknownKey,
                        bullet.start,
                        format!("unknown metadata `{key}`"),
                        help,
                    ));
                }
            }
        }
        for (key, example) in [("games", "YR"), ("sources", "vera-damage-kernel")] {
            if !seen.contains(&key) {
                let help = format!("add `- {key}: {example}` below the heading");
                problems.push(self.at(
                    Rule::MissingKey,
                    part.heading.start,
                    format!("clause `{id}` names no {key}"),
                    help,
                ));
            }
        }
        (metadata, prose)
    }

    /// The bullets right after a heading, each with the indented lines that continue it, and where the prose begins.
    fn bullets(&self, part: &Part) -> (Vec<Range<usize>>, usize) {
        let mut bullets: Vec<Range<usize>> = Vec::new();
        for line in lines(self.text, part.body.clone()) {
            let text = self.text[line.clone()].trim_end();
            let end = line.start + text.len();
            match bullets.last_mut() {
                _ if text.starts_with("- ") => bullets.push(line.start..end),
                Some(bullet) if text.starts_with("  ") => bullet.end = end,
                None if text.is_empty() => {}
                _ => return (bullets, line.start),
            }
        }
        (bullets, part.body.end)
    }

    fn games(&self, id: &str, value: Range<usize>, problems: &mut Vec<Problem>) -> Vec<(usize, Game)> {
        let mut games: Vec<(usize, Game)> = Vec::new();
        for (offset, word) in self.words(value, "game", problems) {
            match exact_game(word) {
                Err(message) => problems.push(self.at(Rule::UnknownGame, offset, message, "")),
                Ok(game) => {
                    if !self.games.contains(&game) {
                        let message = format!("clause `{id}` is for {game}, which the spec does not list");
                        problems.push(self.at(
                            Rule::UnknownGame,
                            offset,
                            message,
                            "add it to `games` of the front matter",
                        ));
                    }
                    games.push((offset, game));
                }
            }
        }
        games
    }

    fn sources(&self, value: Range<usize>, problems: &mut Vec<Problem>) -> Vec<(usize, &str)> {
        let sources = self.words(value, "source", problems);
        for (offset, source) in sources.iter().filter(|(_, source)| self.sources.get(source).is_none()) {
            let help = format!("add it to {SOURCES}");
            problems.push(self.at(Rule::UnknownSource, *offset, format!("unknown source `{source}`"), help));
        }
        sources
    }

    /// The words of a comma-separated value with their offsets, each once.
    fn words(&self, value: Range<usize>, what: &str, problems: &mut Vec<Problem>) -> Vec<(usize, &str)> {
        let mut words: Vec<(usize, &str)> = Vec::new();
        let mut start = value.start;
        for word in self.text[value.clone()].split(',') {
            let offset = start + word.len() - word.trim_start().len();
            start += word.len() + 1;
            match word.trim() {
                "" => problems.push(self.at(
                    Rule::Clause,
                    offset,
                    format!("expected a {what}"),
                    "list them with commas between",
                )),
                word if words.iter().any(|(_, other)| *other == word) => {
                    problems.push(self.at(
                        Rule::Clause,
                        offset,
                        format!("{what} `{word}` is listed twice"),
                        "keep one",
                    ));
                }
                word => words.push((offset, word)),
            }
        }
        words
    }

    /// Whether each source says something about a game of the clause, and each game has a source that does.
    fn evidence(&self, id: &str, heading: usize, metadata: &Metadata, problems: &mut Vec<Problem>) {
        let known: Vec<_> = metadata
            .sources
            .iter()
            .filter_map(|(offset, id)| Some((*offset, self.sources.get(id)?)))
            .collect();
        if known.len() != metadata.sources.len() || metadata.games.is_empty() || known.is_empty() {
            return;
        }
        for (offset, source) in &known {
            if !metadata.games.iter().any(|(_, game)| source.games.contains(game)) {
                let games: Vec<_> = source.games.iter().map(|game| game.as_str()).collect();
                let message = format!(
                    "source `{}` is evidence for {}, not for this clause",
                    source.id,
                    games.join(", ")
                );
                problems.push(self.at(
                    Rule::SourceOfAnotherGame,
                    *offset,
                    message,
                    "cite it where its games are, or correct its `games`",
                ));
            }
        }
        for (_, game) in &metadata.games {
            if !known.iter().any(|(_, source)| source.games.contains(game)) {
                let message = format!("clause `{id}` has no source that is evidence for {game}");
                problems.push(self.at(
                    Rule::SourceOfAnotherGame,
                    heading,
                    message,
                    "cite one, or take the game out of the clause",
                ));
            }
        }
    }
}

/// `word.number`: a lower-case word that begins with a letter, a point, digits.
fn is_clause_id(id: &str) -> bool {
    id.split_once('.').is_some_and(|(word, number)| {
        word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Byte ranges of the lines of a part of the text, ends of line included.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        let found = start..start + line.len();
        start = found.end;
        found
    })
}

fn digest(clause: &Clause) -> String {
    let mut normal = String::new();
    let mut field = |text: &str| {
        for word in text.split_whitespace() {
            normal.push_str(word);
            normal.push(' ');
        }
        // Ends a field: no word contains it.
        normal.push('\n');
    };
    field(&clause.title);
    clause.games.iter().for_each(|game| field(game.as_str()));
    field("");
    let mut sources: Vec<&str> = clause.sources.iter().map(String::as_str).collect();
    sources.sort_unstable();
    sources.into_iter().for_each(&mut field);
    field("");
    field(if clause.open.is_some() { "open" } else { "" });
    field(clause.open.as_deref().unwrap_or_default());
    field(&clause.text);
    blake3::hash(normal.as_bytes()).to_hex().to_string()
}
