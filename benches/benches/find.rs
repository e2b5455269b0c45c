//! Search over the registry: the index beside its floor, one pass over the words of every document.

use assay_gateway::search::{Document, Index};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const QUESTION: &str = "how much does a shell hurt a tank";

fn documents() -> Vec<Document<'static>> {
    assay_ports::ALL.iter().map(|port| Document::of(port.meta())).collect()
}

fn find(criterion: &mut Criterion) {
    let documents = documents();
    let index = Index::new(&documents);
    let mut group = criterion.benchmark_group("find");
    group.bench_function("floor: one pass over the summaries", |bench| {
        let words: Vec<&str> = QUESTION.split(' ').collect();
        bench.iter(|| {
            documents
                .iter()
                .filter(|doc| words.iter().any(|word| black_box(doc.summary).contains(word)))
                .count()
        });
    });
    group.bench_function("ranked search", |bench| bench.iter(|| index.search(black_box(QUESTION))));
    group.bench_function("building the index", |bench| bench.iter(|| Index::new(&documents)));
    group.finish();
}

criterion_group!(benches, find);
criterion_main!(benches);
