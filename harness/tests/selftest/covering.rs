//! Coverage: which clauses a passing case carries, in which order, and how they count.

use crate::support::*;
use assay_harness::{Options, Selection, coverage};
use assay_model::coverage::{Coverage, Covered, Tally};
use assay_model::{CaseKind, FnPort, Game, Port};

fn covered(
    corpus: &Corpus,
    port: &'static dyn Port,
    selection: &str,
    missing: bool,
) -> Result<Coverage, String> {
    let selection: Selection = selection.parse().unwrap();
    coverage(&corpus.registry(port), &selection, &Options::default(), missing)
}

fn keys(coverage: &Coverage) -> Vec<String> {
    coverage.rows.iter().map(|row| format!("{} {}", row.clause, row.game)).collect()
}

#[test]
fn every_clause_is_a_row_a_game_with_its_cases_by_kind() {
    let all = covered(&Corpus::whole(), &RIGHT, "", false).unwrap();
    assert_eq!(keys(&all), ["falloff.1 TS", "falloff.1 YR", "bounds.1 TS", "bounds.1 YR", "storm.1 TS"]);
    assert_eq!(all.total, Covered { clauses: 5, covered: 5, verified: 5 });
    let one = Tally { total: 1, passing: 1 };
    let two = Tally { total: 2, passing: 2 };
    assert_eq!(
        all.rows[1].cases,
        [(CaseKind::Computed, one), (CaseKind::Sweep, one), (CaseKind::Vector, two)].into()
    );
    assert_eq!(all.rows[0].cases, [(CaseKind::Computed, one)].into(), "of that game alone");
}

static WRONG_STORM: ToyPort = FnPort::new(&META, |input| {
    right(input).map(|toy| Toy { firestorm: toy.firestorm.map(|_| false), ..toy })
});

#[test]
fn what_no_passing_case_carries_comes_first_and_counts() {
    let failing = covered(&Corpus::whole(), &WRONG_STORM, "", false).unwrap();
    assert_eq!(keys(&failing), ["falloff.1 TS", "storm.1 TS", "falloff.1 YR", "bounds.1 TS", "bounds.1 YR"]);
    assert_eq!(failing.rows[0].cases, [(CaseKind::Computed, Tally { total: 1, passing: 0 })].into());
    assert_eq!(failing.total, Covered { clauses: 5, covered: 3, verified: 3 });
    let missing = covered(&Corpus::whole(), &WRONG_STORM, "", true).unwrap();
    assert_eq!(keys(&missing), ["falloff.1 TS", "storm.1 TS"]);
    assert_eq!(missing.total, failing.total, "the counts are those of all");
    // Prose explains, and carries nothing.
    let told = suite("derivation = \"@kernel\"\nerror", "prose = \"the reader says so\"\nerror");
    let prose = covered(&Corpus::of(&told).locked(), &RIGHT, "", true).unwrap();
    assert_eq!(keys(&prose), ["bounds.1 YR"]);
    assert_eq!(prose.rows[0].cases, [(CaseKind::Prose, Tally { total: 1, passing: 1 })].into());
}

#[test]
fn covered_is_not_verified_where_the_evidence_is_weak() {
    let weak = SOURCES.replace("original-program", "disassembly");
    let all = covered(&Corpus::whole().with("oracles/sources.toml", &weak), &RIGHT, "", false).unwrap();
    assert_eq!(all.total, Covered { clauses: 5, covered: 5, verified: 0 });
}

#[test]
fn a_suite_that_does_not_load_covers_nothing() {
    let broken = covered(&Corpus::of(&suite("result = 75", "result = 76")), &RIGHT, "", false).unwrap();
    assert_eq!((broken.total.clauses, broken.total.covered), (5, 0));
    assert_eq!(broken.broken, ["combat/compute_toy"]);
}

#[test]
fn selections_pick_capabilities_games_tiers_and_statuses() {
    let corpus = Corpus::whole();
    let rows = |selection: &str| covered(&corpus, &RIGHT, selection, false).map(|found| found.rows.len());
    for (selection, expected) in [
        ("combat", 5),
        ("compute_toy", 5),
        ("combat/compute_*", 5),
        ("game=TS", 3),
        ("compute_toy game=YR", 2),
        ("tier=verified", 5),
        ("tier=initial", 0),
        ("status=verified", 5),
        ("status=partial", 0),
    ] {
        assert_eq!(rows(selection), Ok(expected), "{selection}");
    }
    assert!(rows("tag=x").unwrap_err().contains("tags pick cases"));
    assert!(rows("compute_toi").unwrap_err().contains("nearest: `compute_toy`"));
    let games = covered(&corpus, &RIGHT, "game=YR", false).unwrap();
    assert!(games.rows.iter().all(|row| row.game == Game::Yr));
}
