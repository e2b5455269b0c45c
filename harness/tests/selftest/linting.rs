//! Every rule of the linter at its line and column, every error in one run, and mending that changes no meaning.

use crate::support::*;
use assay_harness::lint::{lint, mend};
use assay_harness::lock;
use assay_model::{Problem, Rule};

/// What the linter says of a corpus.
fn said(corpus: &Corpus) -> Vec<Problem> {
    lint(&corpus.registry(&RIGHT), &corpus.specs, &corpus.golden)
}

/// Line and column of a marker in a text.
fn place(text: &str, marker: &str) -> (usize, usize) {
    assay_model::files::position(text, text.find(marker).unwrap_or_else(|| panic!("no {marker}")))
}

/// Rule, file, line and column of everything found.
fn places(problems: &[Problem]) -> Vec<(Rule, &str, usize, usize)> {
    problems.iter().map(|p| (p.rule, p.file.as_str(), p.line, p.column)).collect()
}

/// The suite with one text replaced has exactly one problem: this rule at the marker.
fn one(from: &str, to: &str, rule: Rule, marker: &str, message: &str) {
    let text = suite(from, to);
    let problems = said(&Corpus::of(&text));
    let (line, column) = place(&text, marker);
    assert_eq!(places(&problems), [(rule, CASES, line, column)], "{problems:#?}");
    assert!(problems[0].message.contains(message), "{problems:#?}");
}

const EXPECT: &str = "kernel = { falloff = 0.75, draws = [100, 128] }";

#[test]
fn the_toy_is_clean() {
    assert_eq!(said(&Corpus::whole()), []);
}

#[test]
fn a_new_case_needs_no_lock() {
    let more = suite("[[case]]\nid = \"quarter\"", "[[case]]\nid = \"quarter-too\"");
    let quarter = &SUITE[SUITE.find("[[case]]").unwrap()..SUITE.find("[[case]]\nid = \"storm\"").unwrap()];
    let both = Corpus::whole().with(CASES, &format!("{more}\n{}\n", quarter.trim_end()));
    assert_eq!(said(&both), []);
}

#[test]
fn keys_types_and_words_are_told_where_they_stand() {
    one("title = \"a q", "titel = \"a q", Rule::UnknownKey, "titel", "unknown key `titel`");
    one(
        "title = \"a quarter of the way leaves three quarters\"",
        "title = 5",
        Rule::WrongType,
        "5\ngame",
        "integer",
    );
    one(
        "title = \"a quarter of the way leaves three quarters\"\n",
        "",
        Rule::MissingKey,
        "[[case]]",
        "missing key `title`",
    );
    one("tags = [\"edge:exact\"]", "tags = [\"a\", 3]", Rule::WrongType, "3]\ninput", "integer");
    one("field = \"distance\" }", "feld = \"distance\" }", Rule::UnknownKey, "feld", "unknown key `feld`");
    one(
        "errno = \"EINVAL\"",
        "errno = \"EINVALID\"",
        Rule::WrongValue,
        "\"EINVALID\"",
        "unknown word `EINVALID`",
    );
    one("damage = 33", "damage = 1979-05-27", Rule::WrongType, "1979", "a date has no meaning");
    one("[[sweep]]", "[[sweeep]]", Rule::UnknownKey, "sweeep", "unknown key `sweeep`");
    one(
        "[[case]]\nid = \"storm\"",
        "[[csae]]\nid = \"storm\"",
        Rule::UnknownKey,
        "csae",
        "unknown key `csae`",
    );
}

#[test]
fn claims_are_told_with_their_rule() {
    one("clause = [\"bounds.1\"]", "clause = [\"bound.1\"]", Rule::UnknownClause, "\"bound.1\"", "no clause");
    one(
        "id = \"all-near\"",
        "id = \"storm\"",
        Rule::DuplicateId,
        "id = \"storm\"\ntitle = \"every",
        "used twice",
    );
    one("result = 75", "result = 76", Rule::DerivationDoesNotReach, "result = 76", "its derivation gives 75");
    one(
        "derivation = \"@kernel\"\n[case.expect]",
        "recorded = \"tapes\"\n[case.expect]",
        Rule::UnknownSource,
        "recorded",
        "`tapes` is no source",
    );
    let grave = format!("{SUITE}\n[[removed]]\nid = \"storm\"\nreason = \" \"\n");
    let problems = said(&Corpus::of(&grave));
    assert_eq!(problems.iter().map(|p| p.rule).collect::<Vec<_>>(), [Rule::ReusedId, Rule::Tombstone]);
    let more = format!(
        "{SOURCES}\n[[source]]\nid = \"idle\"\nkind = \"documentation\"\nsubject = \"s\"\ngames = [\"YR\"]\nwhere = \"w\"\ngroup = \"g\"\n"
    );
    let problems = said(&Corpus::of(SUITE).with("oracles/sources.toml", &more));
    let (line, column) = place(&more, "\"idle\"");
    assert_eq!(places(&problems), [(Rule::UncitedSource, "oracles/sources.toml", line, column)]);
    let rule = "tolerance.\"kernel.falloff\" = { ulps = 1, why = \"\" }\n[case.expect]";
    one("[case.expect]", rule, Rule::Tolerance, "\"kernel.falloff\"", "has no reason");
}

#[test]
fn stages_are_those_of_the_port_whether_derived_or_not() {
    let prose = |expect: &str| {
        suite(
            "derivation = \"@kernel\"\n[case.expect]\nkernel = { falloff = 0.75, draws = [100, 128] }\nresult = 75",
            &format!("prose = \"so\"\n[case.expect]\n{expect}"),
        )
    };
    for (expect, rule, marker, message) in [
        (EXPECT, Rule::MissingStage, "expect]\nkernel = { falloff = 0.75", "stage `result` is missing"),
        (
            "kernel = { draws = [100, 128] }\nresult = 75",
            Rule::MissingStage,
            "kernel = { draws",
            "stage `kernel.falloff` is missing",
        ),
        (
            "kernel = { falof = 0.75, falloff = 0.75, draws = [100, 128] }\nresult = 75",
            Rule::UnknownStage,
            "falof",
            "no stage `kernel.falof`",
        ),
        (
            "kernel = { fallof = 0.75, draws = [100, 128] }\nresult = 75",
            Rule::UnknownStage,
            "fallof ",
            "no stage `kernel.fallof`",
        ),
    ] {
        let text = prose(expect);
        let problems = said(&Corpus::of(&text));
        let (line, column) = place(&text, marker);
        assert_eq!(places(&problems), [(rule, CASES, line, column)], "{problems:#?}");
        assert!(problems[0].message.contains(message), "{problems:#?}");
    }
    // What is optional may be left out, and a partial case leaves out what it likes.
    let text = prose("result = 75").replacen("prose = ", "partial = true\nprose = ", 1);
    let rules: Vec<Rule> = said(&Corpus::of(&text)).iter().map(|p| p.rule).collect();
    assert_eq!(rules, [Rule::Order], "only the place of `partial`");
}

#[test]
fn floats_keep_what_they_say() {
    let text = suite("falloff = 0.5,", "falloff = 0.5000000000000000055,");
    let problems = said(&Corpus::of(&text));
    let (line, column) = place(&text, "0.5000");
    assert_eq!(places(&problems), [(Rule::FloatText, CASES, line, column)]);
    assert!(problems[0].message.contains("it becomes 0.5"), "{problems:?}");
    let spec = TOY.replace("reach = 512", "reach = 512.00000000000000001");
    let problems = said(&Corpus::of(SUITE).with(SPEC, &spec));
    let (line, column) = place(&spec, "512.0");
    assert_eq!(places(&problems), [(Rule::FloatText, SPEC, line, column)]);
}

#[test]
fn order_and_layout_are_warnings() {
    one(
        "game = \"YR\"\nclause = [\"falloff.1\"]\ntags = [\"edge:exact\"]",
        "clause = [\"falloff.1\"]\ntags = [\"edge:exact\"]\ngame = \"YR\"",
        Rule::Order,
        "game = \"YR\"\ninput",
        "`game` stands too late",
    );
    one(
        EXPECT,
        "kernel = { draws = [100, 128], falloff = 0.75 }",
        Rule::Order,
        "falloff = 0.75 }",
        "`falloff`",
    );
    one("game = \"YR\"\n", "game = \"YR\"  \n", Rule::Layout, "  \nclause", "space at the end");
    let grave = SUITE.replacen("[[case]]", "[[removed]]\nid = \"old\"\nreason = \"r\"\n\n[[case]]", 1);
    let problems = said(&Corpus::of(&grave));
    let (line, column) = place(&grave, "[[removed]]");
    assert_eq!(places(&problems), [(Rule::Order, CASES, line, column)]);
    assert_eq!(problems[0].severity().as_str(), "warning");
}

#[test]
fn what_left_since_the_lock_is_told() {
    let whole = Corpus::whole();
    let renamed = whole.clone().with(CASES, &suite("id = \"quarter\"", "id = \"a-quarter\""));
    let problems = said(&renamed);
    assert_eq!(places(&problems), [(Rule::RemovedWithoutTombstone, CASES, 0, 0)]);
    // With a tombstone that is locked, the id is gone for good.
    let grave = suite("id = \"quarter\"", "id = \"a-quarter\"")
        + "\n[[removed]]\nid = \"quarter\"\nreason = \"renamed\"\n";
    let buried = whole.with(CASES, &grave).locked();
    assert_eq!(said(&buried), []);
    let problems = said(&buried.clone().with(CASES, &suite("id = \"quarter\"", "id = \"a-quarter\"")));
    assert_eq!(places(&problems), [(Rule::Tombstone, CASES, 0, 0)]);
    let problems = said(&buried.with(CASES, SUITE));
    let (line, column) = place(SUITE, "id = \"quarter\"");
    let gone = (Rule::RemovedWithoutTombstone, CASES, 0, 0);
    assert_eq!(places(&problems), [gone, (Rule::ReusedId, CASES, line, column)]);
}

#[test]
fn a_clause_that_changed_is_told_at_each_case_that_cites_it() {
    let moved = Corpus::whole().with(SPEC, &TOY.replace("There is no such place.", "Nothing is there."));
    let problems = said(&moved);
    let first = SUITE.find("\"bounds.1\"").unwrap();
    let second = first + 1 + SUITE[first + 1..].find("\"bounds.1\"").unwrap();
    let expected = [first, second].map(|at| {
        let (line, column) = assay_model::files::position(SUITE, at);
        (Rule::StaleClause, CASES, line, column)
    });
    assert_eq!(places(&problems), expected);
    assert!(problems[0].help.contains("assay lock --reread combat/compute_toy"), "{problems:?}");
    let moved = Corpus::whole().with(SPEC, &TOY.replace("in a straight line", "in a curve"));
    assert!(places(&said(&moved)).contains(&(Rule::StaleClause, VECTORS, 1, 1)));
}

#[test]
fn every_slip_is_told_in_one_run_and_nothing_else() {
    // Two syntax errors, two bad keys in one case, an unknown clause and a wrong value in whole cases.
    let text = SUITE
        .replacen("title = \"a quarter of the way leaves three quarters\"", "title = \"a quarter", 1)
        .replacen(
            "firestorm = true\n\n[[case]]\nid = \"negative\"",
            "firestorm = false\n\n[[case]]\nid = \"negative\"",
            1,
        )
        .replacen(
            "title = \"a negative distance is refused\"\ngame = \"YR\"",
            "titel = \"a negative distance is refused\"\ngame = \"YS\"",
            1,
        )
        .replacen(
            "title = \"in the other game too\"\ngame = \"TS\"\nclause = [\"bounds.1\"]",
            "title = \"in the other game too\"\ngame = \"TS\"\nclause = [\"bounds.9\"]",
            1,
        )
        .replacen("distance = { from = -1, to = 600 }", "distance = { from = -1, to = }", 1);
    let corpus = Corpus::of(&text);
    let at = |rule, marker: &str| {
        let (line, column) = place(&text, marker);
        (rule, CASES, line, column)
    };
    let problems = said(&corpus);
    let found = places(&problems);
    let line = |marker: &str| place(&text, marker).0;
    assert_eq!((found[0].0, found[0].2), (Rule::Syntax, line("title = \"a quarter")), "{problems:#?}");
    assert_eq!(
        found[1..5],
        [
            at(Rule::DerivationDoesNotReach, "firestorm = false"),
            at(Rule::UnknownKey, "titel"),
            at(Rule::WrongValue, "\"YS\""),
            at(Rule::UnknownClause, "\"bounds.9\""),
        ],
        "{problems:#?}"
    );
    assert_eq!((found[5].0, found[5].2, found.len()), (Rule::Syntax, line("to = }"), 6), "{problems:#?}");
    // Such a suite vouches for nothing.
    assert!(corpus.registry(&RIGHT).entries()[0].suite.is_none());
}

#[test]
fn what_only_a_broken_case_used_is_not_called_unused() {
    // The shared derivation is used by one case alone, the games are covered by broken cases alone.
    let only = "[derivations]\nkernel = \"result = damage\"\n\n[[case]]\nid = \"a\"\ntitle = \"t\"\ngame = \"YR\"\nclause = [\"falloff.1\"]\ninput = {}\nderivaton = \"@kernel\"\nexpect = { result = 100 }\n";
    let problems = said(&Corpus::of(only));
    let rules: Vec<Rule> = problems.iter().map(|problem| problem.rule).collect();
    assert_eq!(rules.iter().filter(|rule| **rule == Rule::UnknownKey).count(), 1);
    assert!(!rules.contains(&Rule::UnusedDerivation) && !rules.contains(&Rule::Coverage), "{problems:#?}");
    // A source that only a broken vector file cites is not uncited, and a broken spec is not missing.
    let spec = TOY.replace("title = \"Toy\"", "title = 5").replace("### bounds.1 ", "### bounds ");
    let problems = said(&Corpus::of(SUITE).with(SPEC, &spec));
    let (title, bounds) = (place(&spec, "5\ngames"), place(&spec, "bounds A"));
    assert_eq!(
        places(&problems),
        [(Rule::WrongType, SPEC, title.0, title.1), (Rule::BadId, SPEC, bounds.0, bounds.1)],
        "{problems:#?}"
    );
}

/// The text after mending.
fn mended(corpus: &Corpus, path: &str) -> Option<String> {
    let text = if path == CASES { &corpus.golden.texts[path] } else { &corpus.specs.texts[path] };
    mend(&corpus.registry(&RIGHT), path, text).unwrap().map(|mended| mended.text)
}

#[test]
fn mending_moves_what_is_wrong_and_touches_nothing_else() {
    let wrong = "[[removed]]\nid = \"old\"\nreason = \"r\"\n\n# The first.\n[[case]]\nid = \"quarter\"\n# Why YR.\nclause = [\"falloff.1\"]\n  title = \"t\"  # a remark\ngame = \"YR\" \nderivation = '''\n# kept   \nresult = 75\nkernel.falloff = 0.75\nkernel.draws = [100, 128]\n'''\ninput = { distance = 128 }\n[case.expect]\nresult = 75\nkernel = { draws = [100, 128], falloff = 0.7500000000000000055 }\n\n\n";
    let right = "# The first.\n[[case]]\nid = \"quarter\"\n  title = \"t\"  # a remark\ngame = \"YR\"\n# Why YR.\nclause = [\"falloff.1\"]\ninput = { distance = 128 }\nderivation = '''\n# kept   \nresult = 75\nkernel.falloff = 0.75\nkernel.draws = [100, 128]\n'''\n[case.expect]\nkernel = { falloff = 0.75, draws = [100, 128] }\nresult = 75\n\n\n[[removed]]\nid = \"old\"\nreason = \"r\"\n\n";
    let once = mended(&Corpus::of(wrong), CASES).unwrap();
    assert_eq!(once.trim_end(), right.trim_end());
    assert!(once.ends_with("\"r\"\n"));
    assert_eq!(mended(&Corpus::of(&once), CASES), None, "mending twice changes nothing");
    let left: Vec<Rule> = said(&Corpus::of(&once)).iter().map(|problem| problem.rule).collect();
    assert!(
        !left.contains(&Rule::Order) && !left.contains(&Rule::Layout) && !left.contains(&Rule::FloatText),
        "{left:?}"
    );
    let same = |text: &str| Corpus::of(text).with(VECTORS, TAPED).registry(&RIGHT);
    // What the digest covers is the same.
    let digest = |text: &str| lock::render(&same(text)).lines().nth(1).map(str::to_owned);
    assert_eq!(digest(wrong), digest(&once));
}

#[test]
fn sources_and_front_matter_are_mended_and_broken_files_are_left_alone() {
    let sources = SOURCES.replace(
        "kind = \"original-program\"\nsubject = \"toy.exe\"",
        "subject = \"toy.exe\"\nkind = \"original-program\"",
    );
    let spec =
        TOY.replace("title = \"Toy\"\ngames = [\"TS\", \"YR\"]", "games = [\"TS\", \"YR\"]\ntitle = \"Toy\"");
    let corpus = Corpus::of(SUITE).with("oracles/sources.toml", &sources).with(SPEC, &spec);
    let rules: Vec<Rule> = said(&corpus).iter().map(|problem| problem.rule).collect();
    assert_eq!(rules, [Rule::Order, Rule::Order]);
    assert_eq!(mended(&corpus, "oracles/sources.toml").as_deref(), Some(SOURCES));
    assert_eq!(mended(&corpus, SPEC).as_deref(), Some(TOY));
    let broken = suite("game = \"YR\"\n", "game = \"YR\"  \n") + "x = \n";
    assert_eq!(mended(&Corpus::of(&broken), CASES), None);
}
