//! A registry made from the one before: the same as a fresh one, and only what an edit touched is bound again.

use crate::support::*;
use assay_harness::{Options, Registry, Selection, lock, verify};
use std::sync::Arc;

/// A table that the other toy carries.
const TABLE: &str = "oracles/tables/steps.json";

/// Two toys; the other one composes the first and carries a table.
fn two() -> Corpus {
    let front = "[constants]\nreach = 512\n";
    let carried = format!("composes = [\"compute_toy\"]\n[tables]\nsteps = \"{TABLE}\"\n{front}");
    let spec = TOY.replace(front, "").replace("[defaults]", &carried.replace(front, "[defaults]"));
    let spec = spec.replacen("+++\n# Toy", &format!("{front}+++\n# Toy"), 1);
    let table = r#"{"about":"steps","source":"tape","type":"int","values":[1,2,3]}"#;
    pair().with(OTHER_SPEC, &spec).with(TABLE, table)
}

fn fresh(corpus: &Corpus) -> Registry {
    Registry::new(PAIR, &corpus.specs, &corpus.golden)
}

/// Everything that anybody can see of two registries is the same.
fn assert_same(renewed: &Registry, fresh: &Registry) {
    assert_eq!(renewed.problems(), fresh.problems());
    assert_eq!(lock::render(renewed), lock::render(fresh));
    assert!(renewed.ids().eq(fresh.ids()));
    assert_eq!(renewed.corpus_digest(), fresh.corpus_digest());
    let report =
        |registry| serde_json::to_string(&verify(registry, &Selection::all(), &Options::default())).unwrap();
    assert_eq!(report(renewed), report(fresh));
}

/// Names of the suites that were bound anew for `after`.
fn bound(before: &Corpus, after: &Corpus) -> Vec<&'static str> {
    let old = fresh(before);
    let new = old.renew(&after.specs, &after.golden);
    assert_same(&new, &fresh(after));
    let pairs = old.entries().iter().zip(new.entries());
    let another = pairs.filter(|(old, new)| match (&old.suite, &new.suite) {
        (Some(old), Some(new)) => !Arc::ptr_eq(old, new),
        _ => true,
    });
    another.map(|(_, new)| new.name()).collect()
}

#[test]
fn only_what_binding_reads_is_bound_again() {
    let before = two();
    assert_eq!(fresh(&before).problems(), []);
    let toy =
        |path: &str, from: &str, to: &str| before.clone().with(path, &before.text(path).replace(from, to));
    assert_eq!(bound(&before, &before), [""; 0]);
    assert_eq!(bound(&before, &toy(CASES, "a quarter of", "one quarter of")), ["compute_toy"]);
    assert_eq!(bound(&before, &toy(VECTORS, "\"v2\"", "\"v3\"")), ["compute_toy"]);
    assert_eq!(bound(&before, &toy(SPEC, "in a straight line", "in a line")), ["compute_toy"]);
    assert_eq!(bound(&before, &toy(OTHER_SPEC, "in a straight line", "in a line")), ["compute_other"]);
    assert_eq!(bound(&before, &toy(TABLE, "3]", "4]")), ["compute_other"]);
    let sources = "oracles/sources.toml";
    assert_eq!(bound(&before, &toy(sources, "the tape", "a tape")), ["compute_other", "compute_toy"]);
    let list = "[[known]]\nid = \"combat/compute_toy/storm\"\nreason = \"r\"\ndigest = \"d\"\nexpires = \"2027-01-01\"\n";
    assert_eq!(bound(&before, &before.clone().with("ports/known-failures.toml", list)), [""; 0]);
    assert_eq!(bound(&before, &before.clone().without(lock::PATH)), [""; 0]);
}

#[test]
fn a_part_that_is_weaker_weakens_what_composes_it_without_binding_it() {
    let before = two();
    let open = "- sources: tape\n- open: nobody looked\n\nIt falls";
    let after = before.clone().with(SPEC, &TOY.replace("- sources: tape\n\nIt falls", open));
    assert_eq!(bound(&before, &after), ["compute_toy"]);
    let renewed = fresh(&before).renew(&after.specs, &after.golden);
    let report = verify(&renewed, &Selection::all(), &Options::default());
    let missing = &report.standings["compute_other"].missing;
    assert!(
        missing.iter().any(|line| line.contains("compute_toy, which it composes, is in-progress")),
        "{missing:?}"
    );
}

/// Through every way of breaking and mending, the chain of renewals is at each step what a fresh start would be.
#[test]
fn breaking_and_mending_leaves_no_trace() {
    let whole = two();
    let steps = [
        whole.clone().with(CASES, "[[case]\n"),
        whole.clone().with(CASES, ""),
        whole.clone().without(CASES),
        whole.clone(),
        whole.clone().with(VECTORS, "half a lin"),
        whole.clone().without(CASES).with(VECTORS, "half a lin"),
        whole.clone().with(SPEC, "+++\ntitle = \"To"),
        whole.clone().with(OTHER_SPEC, ""),
        whole.clone().without(SPEC),
        whole.clone().without("oracles/sources.toml"),
        whole.clone().with("oracles/sources.toml", "[[source]]\nid = \"tape\"\n"),
        whole.clone().with(TABLE, "{"),
        whole.clone().with("golden/combat/compute_toy/stray.toml", ""),
        whole.clone().with("golden/combat/compute_third/cases.toml", SUITE),
        whole.clone().with("ports/known-failures.toml", "known = 1"),
        whole.clone().with(lock::PATH, "nonsense"),
        // Derivations that agreed before are looked at again wherever they or what they read is another.
        whole.clone().with(CASES, &suite("result = 75", "result = 76")),
        whole.clone().with(CASES, &suite("title = \"in the other", "titel = \"in the other")),
        whole.clone().with(CASES, &suite("distance / reach", "distance / 256")),
        whole.clone().with(CASES, &suite("input = { distance = 128 }", "input = { distance = 129 }")),
        whole.clone().with(SPEC, &TOY.replace("reach = 512", "reach = 256")),
        whole.clone().with(SPEC, &TOY.replace("damage = 100", "damage = 101")),
        whole.clone().with(SPEC, &TOY.replace("reach = 512", "much = 512")),
        whole.clone(),
    ];
    let mut registry = fresh(&whole);
    for step in &steps {
        registry = registry.renew(&step.specs, &step.golden);
        assert_same(&registry, &fresh(step));
    }
}
