//! `find_capabilities`: words and filters to a page of capabilities.

use super::{argument, count, wrong};
use crate::cursor;
use crate::envelope::{Refusal, list, map, text, unsigned};
use crate::services;
use crate::snapshot::Snapshot;
use crate::surface::FIND_LIMIT;
use assay_harness::Entry;
use assay_model::{Area, Game, Kind, Status, Tree};
use std::collections::BTreeSet;

/// What a capability must be to be shown.
struct Filter {
    area: Option<Area>,
    kind: Option<Kind>,
    games: Vec<Game>,
    status: Option<Status>,
}

/// One capability that passed, with its place in the total order: best score first, then area and name.
struct Row<'a> {
    entry: &'a Entry,
    score: u64,
    weak: bool,
}

pub(super) fn answer(arguments: &Tree, snapshot: &Snapshot) -> Result<Tree, Refusal> {
    page(arguments, snapshot, count(arguments, "limit", FIND_LIMIT))
}

/// One page of at most `limit` capabilities. A cursor fits any page of the same question, whoever presents it.
pub(crate) fn page(arguments: &Tree, snapshot: &Snapshot, limit: usize) -> Result<Tree, Refusal> {
    let filter = filter(arguments)?;
    let query = argument(arguments, "query").unwrap_or_default().trim();
    let mut rows = rows(snapshot, query);
    rows.retain(|row| keeps(&filter, snapshot, row.entry));
    rows.sort_by_key(Row::place);
    let question = question(arguments, query);
    let total = rows.len();
    if let Some(cursor) = argument(arguments, "cursor") {
        let after = cursor::read(&question, cursor).map_err(|message| {
            wrong("/cursor", "cursor", message, "leave it out to start from the first page")
        })?;
        rows.retain(|row| row.position() > after);
    }
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| text(cursor::write(&question, &row.position())));
    let mut data = vec![
        ("count".to_owned(), unsigned(total as u64)),
        ("capabilities".to_owned(), Tree::List(rows.iter().map(|row| row.tree(snapshot)).collect())),
        ("next_cursor".to_owned(), next.unwrap_or(Tree::Null)),
    ];
    let services = services(&filter, query);
    if !services.is_empty() && argument(arguments, "cursor").is_none() {
        data.push(("services".to_owned(), Tree::List(services)));
    }
    if total == 0 {
        let entries = || snapshot.registry().entries().iter().map(|entry| entry.port.meta());
        let areas: BTreeSet<Area> = entries().map(|meta| meta.area).collect();
        let kinds: BTreeSet<Kind> = entries().map(|meta| meta.kind).collect();
        data.push(("areas".to_owned(), list(areas)));
        data.push(("kinds".to_owned(), list(kinds)));
        data.push((
            "hint".to_owned(),
            text("nothing matches; try other words, fewer filters, or no query to list all"),
        ));
    }
    Ok(Tree::Map(data))
}

/// Service entries that the question is about. They are no engine systems, so no count has them.
fn services(filter: &Filter, query: &str) -> Vec<Tree> {
    if filter.kind.is_some() || filter.status.is_some() || !filter.games.is_empty() {
        return Vec::new();
    }
    let found = match filter.area {
        Some(Area::Service) if query.is_empty() => services::ALL.to_vec(),
        None | Some(Area::Service) if !query.is_empty() => services::search(query),
        _ => Vec::new(),
    };
    found
        .into_iter()
        .map(|service| map([("name", text(service.name)), ("summary", text(service.summary))]))
        .collect()
}

impl Row<'_> {
    fn place(&self) -> (u64, &'static str, &'static str) {
        let meta = self.entry.port.meta();
        (u64::MAX - self.score, meta.area.as_str(), meta.name)
    }

    /// The place as text that sorts the same way: a space comes before anything in a name.
    fn position(&self) -> String {
        let (score, area, name) = self.place();
        format!("{score:020} {area} {name}")
    }

    fn tree(&self, snapshot: &Snapshot) -> Tree {
        let meta = self.entry.port.meta();
        let mut members = vec![
            ("name".to_owned(), text(meta.name)),
            ("summary".to_owned(), text(meta.summary)),
            ("area".to_owned(), text(meta.area.as_str())),
            ("kind".to_owned(), text(meta.kind.as_str())),
            ("games".to_owned(), list(meta.games)),
            ("status".to_owned(), text(snapshot.status(meta.name).as_str())),
        ];
        if self.weak {
            members.push(("weak".to_owned(), Tree::Bool(true)));
        }
        Tree::Map(members)
    }
}

fn rows<'a>(snapshot: &'a Snapshot, query: &str) -> Vec<Row<'a>> {
    let entries = snapshot.registry().entries();
    if query.is_empty() {
        return entries.iter().map(|entry| Row { entry, score: 0, weak: false }).collect();
    }
    let hits = snapshot.index().search(query).into_iter();
    hits.filter_map(|hit| Some(Row { entry: entries.get(hit.document)?, score: hit.score, weak: hit.weak }))
        .collect()
}

fn filter(arguments: &Tree) -> Result<Filter, Refusal> {
    let area = argument(arguments, "area").map(str::parse::<Area>).transpose();
    let area =
        area.map_err(|message| wrong("/area", "format", message, "leave it out to search all areas"))?;
    let games = match arguments.get("games") {
        Some(Tree::List(games)) => games.iter().filter_map(|game| game.as_str()?.parse().ok()).collect(),
        _ => Vec::new(),
    };
    Ok(Filter {
        area,
        kind: argument(arguments, "kind").and_then(|kind| kind.parse().ok()),
        games,
        status: argument(arguments, "status").and_then(|status| status.parse().ok()),
    })
}

/// With games and a status together, one of the games must have that status.
fn keeps(filter: &Filter, snapshot: &Snapshot, entry: &Entry) -> bool {
    let meta = entry.port.meta();
    let in_game =
        |game: &&Game| filter.status.is_none_or(|status| snapshot.status_in(meta.name, **game) == status);
    let status_and_games = if filter.games.is_empty() {
        filter.status.is_none_or(|status| snapshot.status(meta.name) == status)
    } else {
        filter.games.iter().filter(|game| meta.games.contains(game)).any(|game| in_game(&game))
    };
    filter.area.is_none_or(|area| area == meta.area)
        && filter.kind.is_none_or(|kind| kind == meta.kind)
        && status_and_games
}

/// The normalised question that a cursor belongs to. The limit is no part of it: pages may differ in size.
fn question(arguments: &Tree, query: &str) -> String {
    let mut words: Vec<&str> = match arguments.get("games") {
        Some(Tree::List(games)) => games.iter().filter_map(Tree::as_str).collect(),
        _ => Vec::new(),
    };
    words.sort_unstable();
    let one = |name: &str| text(argument(arguments, name).unwrap_or_default());
    let parts = [
        ("query", text(query)),
        ("area", one("area")),
        ("kind", one("kind")),
        ("status", one("status")),
        ("games", list(words)),
    ];
    format!("find {}", map(parts))
}
