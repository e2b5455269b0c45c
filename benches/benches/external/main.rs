//! Ports in other processes: 100 000 made-up cases through children in Rust, Python and JavaScript, each beside its floor, the
//! bare loops of the same child without a judge: one question at a time, and a window of 64.
//!
//! The Rust child is this program itself. Children of languages that are not installed are left out, with a note.

mod floor;
mod toy;

use assay_harness::external::{External, Identity, Limits, serve};
use assay_harness::{Options, Selection, verify};
use assay_model::Port;
use criterion::{BenchmarkId, Criterion, Throughput};
use floor::Bare;
use std::process::{Command, Stdio};
use toy::{CASES, TOY, registry};

/// A language, and the command that starts its child.
struct Child {
    language: &'static str,
    command: String,
}

/// The children that can be started here.
fn children() -> Vec<Child> {
    let own = std::env::current_exe().expect("the path of this program");
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/external");
    let all = [
        ("Rust", format!("'{}' child", own.display())),
        ("Python", format!("python3 '{beside}/child.py'")),
        ("JavaScript", format!("node '{beside}/child.js'")),
    ];
    let there = |command: &str| {
        let program = command.split(' ').next().unwrap_or_default().trim_matches('\'');
        let mut version = Command::new(program);
        version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        program == own.to_string_lossy() || version.status().is_ok_and(|status| status.success())
    };
    let (here, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, command)| there(command));
    for (language, command) in gone {
        eprintln!("left out: {language}, for `{command}` does not start");
    }
    here.into_iter().map(|(language, command)| Child { language, command }).collect()
}

fn benches(criterion: &mut Criterion) {
    let registry = registry();
    let questions = floor::questions(&registry);
    let mut group = criterion.benchmark_group("external");
    group.sample_size(10).throughput(Throughput::Elements(CASES as u64));
    group.bench_function("in this process", |bench| {
        bench.iter(|| verify(&registry, &Selection::all(), &Options::default()));
    });
    for Child { language, command } in children() {
        for (name, window) in [("floor: one at a time", 1), ("floor: a window of 64", 64)] {
            group.bench_function(BenchmarkId::new(name, language), |bench| {
                let mut bare = Bare::start(&command);
                bench.iter(|| bare.round(&questions, window));
            });
        }
        // Starting and leaving are part of it, as they are of a run.
        group.bench_function(BenchmarkId::new("verify", language), |bench| {
            bench.iter(|| {
                let port = External::open(&command, Limits::default()).expect("a child that says hello");
                let report = port.verify(&registry, &Selection::all(), &Options::default(), None);
                assert_eq!((report.verdict(), report.counts.pass), ("pass", CASES as u64));
            });
        });
    }
    group.finish();
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("child") {
        let ports: [&dyn Port; 1] = [&TOY];
        let identity = Identity { name: "bench", version: "1" };
        serve(identity, &ports, std::io::stdin(), std::io::stdout()).expect("a harness at the other end");
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    benches(&mut criterion);
    criterion.final_summary();
}
