//! `describe_capability`: what one capability takes, gives, and rests on.

use super::{argument, entry};
use crate::envelope::{Refusal, list, map, text, tree, unsigned};
use crate::services::{self, Service};
use crate::snapshot::Snapshot;
use assay_harness::Entry;
use assay_model::{Area, Kind, Tree, vocab::Game};
use std::collections::BTreeSet;

/// A spec longer than this is cut.
const SPEC_LIMIT: usize = 128 * 1024;
/// Cases listed at most; sweeps and vector files are listed whole, they are few.
const CASES_LIMIT: usize = 200;

pub(super) fn answer(arguments: &Tree, snapshot: &Snapshot) -> Result<Tree, Refusal> {
    let name = argument(arguments, "name").unwrap_or_default();
    if let Some(service) = services::named(name) {
        return Ok(of_service(service));
    }
    let entry = entry(snapshot, name)?;
    let mut data = metadata(entry, snapshot);
    data.extend(match argument(arguments, "detail") {
        Some("docs") => docs(entry, snapshot),
        Some("cases") => cases(entry),
        Some("evidence") => evidence(entry, snapshot),
        _ => Vec::new(),
    });
    Ok(Tree::Map(data))
}

type Members = Vec<(String, Tree)>;

fn members<const N: usize>(entries: [(&str, Tree); N]) -> Members {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A service entry has neither spec nor suite, and so neither status nor tier; whatever `detail` asks, there is no more.
fn of_service(service: &Service) -> Tree {
    map([
        ("name", text(service.name)),
        ("summary", text(service.summary)),
        ("area", text(Area::Service.as_str())),
        ("kind", text(Kind::Other.as_str())),
        ("service", Tree::Bool(true)),
        (
            "notes",
            map([
                ("deterministic", text("the same arguments give the same bytes from the same snapshot")),
                ("idempotent", text(service.repeats)),
                ("trust", text("not an engine system: no spec, no golden cases, no status")),
            ]),
        ),
        ("schema", service.schema()),
        ("example", Tree::from_json(service.example.as_bytes()).unwrap_or(Tree::Null)),
    ])
}

fn metadata(entry: &Entry, snapshot: &Snapshot) -> Members {
    let meta = entry.port.meta();
    let games = meta.games.iter().map(|game| {
        let tier = snapshot.tier_in(meta.name, *game).map_or(Tree::Null, |tier| text(tier.as_str()));
        let status = text(snapshot.status_in(meta.name, *game).as_str());
        (game.as_str().to_owned(), map([("status", status), ("tier", tier)]))
    });
    let mut data = members([
        ("name", text(meta.name)),
        ("summary", text(meta.summary)),
        ("area", text(meta.area.as_str())),
        ("kind", text(meta.kind.as_str())),
        ("status", text(snapshot.status(meta.name).as_str())),
        ("games", Tree::Map(games.collect())),
    ]);
    let missing = snapshot.missing(meta.name, meta.games);
    if !missing.is_empty() {
        data.push(("missing".to_owned(), list(missing)));
    }
    data.extend(members([
        ("units", text(meta.units)),
        (
            "notes",
            map([
                ("deterministic", text("the same arguments give the same bytes on every machine and thread")),
                ("idempotent", text("a call leaves nothing behind and may be repeated")),
                ("safety", text("pure calculation: reads and writes no file, network, clock or game")),
            ]),
        ),
        ("schema", snapshot.schema(meta.name)),
        ("example", Tree::from_json(meta.example.as_bytes()).unwrap_or(Tree::Null)),
        ("corpus_digest", text(snapshot.registry().corpus_digest())),
    ]));
    data
}

fn docs(entry: &Entry, snapshot: &Snapshot) -> Members {
    let spec = snapshot.registry().spec(entry.name()).map_or("", |spec| spec.text.as_str());
    let mut end = spec.len().min(SPEC_LIMIT);
    while !spec.is_char_boundary(end) {
        end -= 1;
    }
    members([
        ("breakdown_schema", tree(&entry.breakdown_schema)),
        ("spec", text(&spec[..end])),
        ("spec_truncated", Tree::Bool(end < spec.len())),
    ])
}

fn cases(entry: &Entry) -> Members {
    let Some(suite) = &entry.suite else {
        return members([("count", unsigned(0)), ("cases", Tree::List(Vec::new()))]);
    };
    let row = |id: &str, title: &str, game: Game, kind: &str| {
        map([("id", text(id)), ("title", text(title)), ("game", text(game.as_str())), ("kind", text(kind))])
    };
    let hand = suite.cases.iter().take(CASES_LIMIT);
    let hand = hand.map(|case| row(&case.id, &case.entry.title, case.entry.game, case.kind.as_str()));
    let sweeps = suite.sweeps.iter().map(|sweep| {
        let title = format!("{} ({} points)", sweep.entry.title, sweep.points);
        row(&sweep.id, &title, sweep.entry.game, "sweep")
    });
    let vectors = suite.vectors.iter().map(|file| {
        let id = format!("{}/{}.*", entry.path(), file.stem);
        row(&id, &format!("{} recorded vectors", file.lines.len()), file.header.game, "vector")
    });
    let rows: Vec<Tree> = hand.chain(sweeps).chain(vectors).collect();
    members([
        ("count", unsigned(suite.total() as u64)),
        ("cases", Tree::List(rows)),
        ("truncated", Tree::Bool(suite.cases.len() > CASES_LIMIT)),
    ])
}

fn evidence(entry: &Entry, snapshot: &Snapshot) -> Members {
    let oracle = snapshot.registry().oracle();
    let clauses = snapshot.registry().spec(entry.name()).map_or(&[][..], |spec| &spec.clauses);
    let rows = clauses.iter().map(|clause| {
        let tiers = clause
            .games
            .iter()
            .map(|game| (game.as_str().to_owned(), text(oracle.tier(clause, *game).as_str())));
        let mut row = members([
            ("id", text(&clause.id)),
            ("title", text(&clause.title)),
            ("tiers", Tree::Map(tiers.collect())),
            ("sources", list(&clause.sources)),
        ]);
        if let Some(open) = &clause.open {
            row.push(("open".to_owned(), text(open)));
        }
        Tree::Map(row)
    });
    let cited: BTreeSet<&String> = clauses.iter().flat_map(|clause| &clause.sources).collect();
    let sources = cited.into_iter().filter_map(|id| oracle.sources.get(id)).map(|source| {
        let row = map([
            ("kind", text(source.kind.as_str())),
            ("subject", text(&source.subject)),
            ("group", text(&source.group)),
            ("games", list(&source.games)),
            ("where", text(&source.location)),
            ("withdrawn", Tree::Bool(source.withdrawn)),
        ]);
        (source.id.clone(), row)
    });
    members([("clauses", Tree::List(rows.collect())), ("sources", Tree::Map(sources.collect()))])
}
