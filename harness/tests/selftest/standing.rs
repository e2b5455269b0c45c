//! What a capability has earned, and what is missing to more.

use crate::support::*;
use assay_harness::{Gate, gate};
use assay_model::{FnPort, Game, Standing, Status, Tier};

fn standing(corpus: &Corpus, port: &'static ToyPort) -> Standing {
    corpus.run(port).standings["compute_toy"].clone()
}

#[test]
fn everything_verified_and_passing_is_verified() {
    let standing = standing(&Corpus::whole(), &RIGHT);
    assert_eq!(standing.missing, [""; 0]);
    assert_eq!(standing.status, Status::Verified);
    assert_eq!(standing.games, [(Game::Ts, Status::Verified), (Game::Yr, Status::Verified)].into());
    assert_eq!(standing.tiers[&Game::Ts], Tier::Verified);
}

#[test]
fn a_clause_without_a_case_in_one_game_makes_that_game_partial() {
    let text = suite(
        "clause = [\"bounds.1\"]\ninput = { distance = -1 }\nderivation",
        "clause = [\"falloff.1\"]\ninput = { distance = -1 }\nderivation",
    );
    let standing = standing(&Corpus::of(&text).locked(), &RIGHT);
    assert_eq!(standing.missing, ["YR: clause bounds.1 has no passing case"]);
    assert_eq!(standing.games, [(Game::Ts, Status::Verified), (Game::Yr, Status::Partial)].into());
    assert_eq!(standing.status, Status::Partial);
}

#[test]
fn a_weaker_or_open_clause_makes_it_partial() {
    let weak = SOURCES.replace("original-program", "disassembly");
    let standing = standing(&Corpus::whole().with("oracles/sources.toml", &weak), &RIGHT);
    assert!(
        standing.missing.contains(&"YR: clause falloff.1 is high-confidence".to_owned()),
        "{:?}",
        standing.missing
    );
    assert_eq!((standing.status, standing.tiers[&Game::Yr]), (Status::Partial, Tier::HighConfidence));
    let open = TOY.replacen("- sources: tape\n", "- sources: tape\n- open: what lies beyond\n", 1);
    let standing = super::standing::standing(&Corpus::whole().with(SPEC, &open), &RIGHT);
    assert!(
        standing.missing.contains(&"TS: clause falloff.1 is open: what lies beyond".to_owned()),
        "{:?}",
        standing.missing
    );
    assert_eq!(standing.tiers[&Game::Yr], Tier::InProgress);
}

#[test]
fn prose_alone_does_not_carry_a_clause() {
    let told = suite("derivation = \"@kernel\"\nerror", "prose = \"the reader says so\"\nerror");
    let standing = standing(&Corpus::of(&told).locked(), &RIGHT);
    assert_eq!(standing.missing, ["YR: clause bounds.1 has a passing case in prose alone"]);
}

static WRONG_STORM: ToyPort = FnPort::new(&META, |input| {
    right(input).map(|toy| Toy { firestorm: toy.firestorm.map(|_| false), ..toy })
});

#[test]
fn drift_makes_its_game_partial() {
    let standing = standing(&Corpus::whole(), &WRONG_STORM);
    assert_eq!(standing.games, [(Game::Ts, Status::Partial), (Game::Yr, Status::Verified)].into());
    assert!(
        standing.missing.contains(&"TS: combat/compute_toy/storm is fail".to_owned()),
        "{:?}",
        standing.missing
    );
}

#[test]
fn a_gate_asks_for_verified_capabilities_and_a_corpus() {
    let report = Corpus::whole().run(&RIGHT);
    let all = Gate {
        require_verified: true,
        deny_skipped: true,
        expect_corpus: Some(report.corpus_digest[..16].to_owned()),
    };
    assert_eq!(gate(&report, &all), []);
    let partial = Corpus::whole().run(&WRONG_STORM);
    let problems = gate(&partial, &Gate { expect_corpus: Some("0123456789abcdef".to_owned()), ..all });
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].message.starts_with("corpus 0123456789abcdef is expected, and this is "));
    assert!(problems[1].to_string().starts_with("combat/compute_toy: is not verified: TS: "), "{problems:?}");
}
