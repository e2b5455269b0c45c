//! Finding by meaning, held to labelled questions. Floors, not exact figures: a better index passes too.

use assay_gateway::search::{Document, Index};
use assay_model::Port;

struct Query {
    held: bool,
    text: &'static str,
    wanted: Vec<&'static str>,
}

fn queries() -> Vec<Query> {
    let lines = include_str!("queries.tsv").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [set, text, wanted] = fields[..] else { panic!("three fields: {line}") };
            let wanted = wanted.split(',').filter(|name| *name != "-").collect();
            Query { held: set == "held", text, wanted }
        })
        .collect()
}

fn documents(ports: &[&'static dyn Port]) -> Vec<Document<'static>> {
    ports.iter().map(|port| Document::of(port.meta())).collect()
}

fn ranking(index: &Index, query: &str) -> Vec<(String, u64, bool)> {
    index.search(query).iter().map(|hit| (index.name(hit.document).to_owned(), hit.score, hit.weak)).collect()
}

/// The answerable queries whose wanted capability is not among the first `depth`, each with what came instead.
fn misses(index: &Index, queries: &[&Query], depth: usize) -> Vec<String> {
    let missed = queries.iter().filter_map(|query| {
        let ranking = ranking(index, query.text);
        let mut names = ranking.iter().take(depth).map(|(name, ..)| name.as_str());
        if names.any(|name| query.wanted.contains(&name)) {
            return None;
        }
        let first: Vec<&String> = ranking.iter().take(3).map(|(name, ..)| name).collect();
        Some(format!("top {depth}: `{}` wants {:?}, got {first:?}", query.text, query.wanted))
    });
    missed.collect()
}

#[test]
fn labelled_queries_find_what_they_mean() {
    let index = Index::new(&documents(assay_ports::ALL));
    let queries = queries();
    for (held, name, floors) in [(false, "seen", [80, 95]), (true, "held out", [75, 90])] {
        let set: Vec<&Query> =
            queries.iter().filter(|query| query.held == held && !query.wanted.is_empty()).collect();
        for (depth, floor) in [1, 5].into_iter().zip(floors) {
            let misses = misses(&index, &set, depth);
            let recall = 100 * (set.len() - misses.len()) / set.len();
            println!("{name}: {} queries, top-{depth} {recall} %\n{}", set.len(), misses.join("\n"));
            assert!(recall >= floor, "{name}: top-{depth} is {recall} %, the floor {floor} %");
        }
    }
    assert!(queries.iter().filter(|query| !query.wanted.is_empty()).count() >= 60);
    assert_eq!(ranking(&index, "how much does a shell hurt a tank")[0].0, "compute_damage");
}

#[test]
fn names_come_first_however_they_are_spaced() {
    let index = Index::new(&documents(assay_ports::ALL));
    for port in assay_ports::ALL {
        let name = port.meta().name;
        for spelled in [name.to_owned(), name.replace('_', " "), name.replace('_', "-").to_uppercase()] {
            assert_eq!(ranking(&index, &spelled)[0].0, name, "{spelled}");
        }
    }
}

#[test]
fn questions_that_nothing_answers_are_empty_or_weak() {
    let index = Index::new(&documents(assay_ports::ALL));
    let hopeless: Vec<Query> = queries().into_iter().filter(|query| query.wanted.is_empty()).collect();
    let strong = hopeless.iter().filter(|query| {
        let strong: Vec<_> = ranking(&index, query.text).into_iter().filter(|(_, _, weak)| !weak).collect();
        if !strong.is_empty() {
            println!("`{}` finds {strong:?}", query.text);
        }
        !strong.is_empty()
    });
    let strong = strong.count();
    println!("{strong} of {} unanswerable queries have an unmarked hit", hopeless.len());
    assert!(hopeless.len() >= 15 && strong * 10 <= hopeless.len(), "{strong} of {}", hopeless.len());
}

#[test]
fn what_is_right_is_seldom_marked() {
    let index = Index::new(&documents(assay_ports::ALL));
    let queries = queries();
    let firsts = queries.iter().filter_map(|query| {
        let first = index.search(query.text).into_iter().next()?;
        query.wanted.contains(&index.name(first.document)).then_some((query.text, first.weak))
    });
    let (marked, right): (Vec<_>, Vec<_>) = firsts.partition(|(_, weak)| *weak);
    println!("{} of {} right answers are marked weak: {marked:?}", marked.len(), marked.len() + right.len());
    assert!(marked.len() * 10 <= marked.len() + right.len());
}

#[test]
fn the_order_of_registration_does_not_matter() {
    let forward = documents(assay_ports::ALL);
    let mut backward = forward.clone();
    backward.reverse();
    let mut interleaved: Vec<Document<'_>> = forward.iter().step_by(2).copied().collect();
    interleaved.extend(forward.iter().skip(1).step_by(2).copied());
    let indices = [Index::new(&forward), Index::new(&backward), Index::new(&interleaved)];
    for query in queries() {
        let expected = ranking(&indices[0], query.text);
        assert!(indices.iter().all(|index| ranking(index, query.text) == expected), "{}", query.text);
    }
}
