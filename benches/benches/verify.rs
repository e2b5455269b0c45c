//! The whole verify of the corpus beside its floor: the same port calls in a bare loop over inputs already parsed to
//! JSON, on one thread and on all.

use assay_harness::{Options, Registry, Selection, disk, verify};
use assay_model::Output;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;

fn corpus() -> Registry {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (specs, golden) = disk::read(&root).expect("the checkout that this bench stands in");
    Registry::new(assay_ports::ALL, &specs, &golden)
}

fn whole(criterion: &mut Criterion) {
    let registry = corpus();
    let mut group = criterion.benchmark_group("verify");
    group.sample_size(20);
    let mut output = Output::default();
    group.bench_function("floor: the cases' calls in a bare loop", |bench| {
        bench.iter(|| {
            for entry in registry.entries() {
                for case in entry.suite.iter().flat_map(|suite| &suite.cases) {
                    let _ = black_box(entry.port.run(&case.input, &mut output));
                }
            }
        });
    });
    for (name, jobs) in [("cases and sweeps, one thread", Some(1)), ("cases and sweeps, all threads", None)] {
        let options = Options { jobs, ..Options::default() };
        group.bench_function(name, |bench| {
            bench.iter(|| verify(&registry, &Selection::default(), &options));
        });
    }
    group.bench_function("load and bind the corpus", |bench| bench.iter(corpus));
    group.finish();
}

criterion_group!(benches, whole);
criterion_main!(benches);
