//! Selections against a registry: filters, misses with the nearest names, and problems that concern what is selected.

use crate::support::*;
use assay_harness::{Options, Registry, Selection, verify};
use assay_model::{FnPort, Meta, Port, Report};

fn select(text: &str) -> Report {
    let selection: Selection = text.parse().unwrap();
    verify(&Corpus::whole().registry(&RIGHT), &selection, &Options::default())
}

fn cases(text: &str) -> Vec<String> {
    let report = select(text);
    assert_eq!(report.problems, [], "{text}");
    report.results.iter().map(|result| result.id.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn patterns_and_filters_narrow() {
    assert_eq!(cases("*").len(), 7);
    assert_eq!(cases("compute_toy/nega*"), ["negative", "negative-storm"]);
    assert_eq!(cases("combat game=TS"), ["negative-storm", "storm"]);
    assert_eq!(cases("tag=edge:*"), ["quarter"]);
    assert_eq!(cases("tag=game,tag=sweep"), ["all-near", "storm"]);
    assert_eq!(cases("tier=verified").len(), 7);
    assert_eq!(cases("tier=initial"), [""; 0]);
    assert_eq!(cases("status=verified").len(), 7);
    assert_eq!(cases("status=verified compute_toy/quarter"), ["quarter"]);
    assert_eq!(cases("status=partial"), [""; 0]);
    assert_eq!(cases("combat/compute_toy/taped.*"), ["taped.v1", "taped.v2"]);
}

#[test]
fn what_is_not_complete_says_so_and_has_no_standing() {
    let part = select("compute_toy/quarter");
    assert!(!part.complete && part.standings.is_empty());
    assert_eq!((part.verdict(), part.selection.as_str()), ("pass", "compute_toy/quarter"));
    let all = select("combat");
    assert!(all.complete && all.standings.contains_key("compute_toy"));
}

#[test]
fn a_pattern_that_matches_nothing_is_a_problem_that_names_the_nearest() {
    let report = select("combat/compute_toy/quartr");
    assert_eq!((report.verdict(), report.exit_code()), ("broken", 2));
    let message = report.problems[0].to_string();
    assert!(
        message.starts_with(
            "selection: nothing matches `combat/compute_toy/quartr`; nearest: `combat/compute_toy/quarter`"
        ),
        "{message}"
    );
    assert!(select("compute_tay").problems[0].message.contains("nearest: `compute_toy`"));
    // Beside a pattern that matches it is still a problem.
    assert_eq!(select("combat,economy").verdict(), "broken");
}

#[test]
fn an_empty_selection_is_not_green() {
    assert_eq!(select("tag=nothing").verdict(), "broken");
}

static OTHER: Meta = Meta { name: "compute_other", ..META_COPY };
const META_COPY: Meta = Meta {
    name: "compute_toy",
    area: META.area,
    kind: META.kind,
    games: META.games,
    summary: META.summary,
    aliases: META.aliases,
    units: META.units,
    example: META.example,
};
static OTHER_PORT: ToyPort = FnPort::new(&OTHER, right);

#[test]
fn problems_of_what_was_not_selected_stay_out_of_a_partial_run() {
    let corpus = Corpus::whole()
        .with("oracles/specs/combat/compute_other.md", TOY)
        .with("golden/combat/compute_other/cases.toml", &suite("result = 75", "result = 76"));
    let ports: &'static [&'static dyn Port] =
        Box::leak(Box::new([&RIGHT as &dyn Port, &OTHER_PORT as &dyn Port]));
    let registry = Registry::new(ports, &corpus.specs, &corpus.golden);
    let run = |text: &str| verify(&registry, &text.parse().unwrap(), &Options::default());
    assert_eq!(run("compute_toy").problems, []);
    assert_eq!(run("compute_toy").verdict(), "pass");
    for broken in ["", "compute_other", "combat", "combat/compute_other/quarter"] {
        let report = run(broken);
        assert_eq!(report.verdict(), "broken", "{broken}");
        assert!(
            report.problems.iter().any(|p| p.message.contains("`result` is 76 here")),
            "{broken} {:?}",
            report.problems
        );
    }
}
