//! From the runs of a file to one answer for each of its mutants.
//!
//! An answer holds as long as what it rests on does. That a mutant was *caught* rests on one case that caught it: on the
//! ports that its suite reaches and on its being there still (ids are never used again). That a mutant *survived* rests
//! on every suite that could have seen it. So a new case makes only the survivors be tried again.

use super::{Keys, Kills, Mutant, Outcome, Row, Standing, State, Summary, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// One run of cargo-mutants over some mutants of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Digest of the file that was mutated.
    pub text: String,
    /// Suites that judged, with their keys at the time.
    pub suites: BTreeMap<String, Keys>,
    /// Which of how many parts of the file it is; `None` for one that tries some mutants again.
    pub part: Option<(usize, usize)>,
    /// What came of each mutant.
    pub outcomes: Vec<(Outcome, Kills)>,
}

/// One answer to what becomes of a mutant.
type Answer<'a> = (&'a Run, &'a Outcome, &'a Kills);

/// Puts the runs of a file together. `cases` are the cases that exist today.
#[must_use]
pub fn merge(unit: &Unit, runs: &[Run], cases: &BTreeSet<String>) -> Row {
    let runs: Vec<&Run> = runs.iter().filter(|run| run.text == unit.text).collect();
    let want = runs.iter().filter_map(|run| run.part).map(|(_, of)| of).max();
    let parts: BTreeSet<usize> =
        runs.iter().filter_map(|run| run.part).filter(|(_, of)| Some(*of) == want).map(|(k, _)| k).collect();
    let mut found: BTreeMap<(u32, u32, &str), Vec<Answer>> = BTreeMap::new();
    for run in &runs {
        for (outcome, kills) in &run.outcomes {
            let place = (outcome.line, outcome.column, outcome.change.as_str());
            found.entry(place).or_default().push((run, outcome, kills));
        }
    }
    let mutants: Vec<Mutant> = found.into_values().map(|answers| mutant(unit, &answers, cases)).collect();
    let old = mutants.iter().filter(|mutant| mutant.state == State::Old).count();
    let standing = match want {
        None => Standing::Missing,
        Some(want) if parts.len() < want => Standing::Incomplete { have: parts.len(), want },
        Some(_) if old > 0 => Standing::Old(old),
        Some(_) => Standing::Complete,
    };
    Row { row: unit.row.clone(), file: unit.file.clone(), standing, mutants }
}

/// The answers that hold, of which one under today's keys is worth most, and then one that caught the mutant.
fn mutant(unit: &Unit, answers: &[Answer], cases: &BTreeSet<String>) -> Mutant {
    let holding = answers.iter().filter_map(|(run, outcome, kills)| {
        let state = state(unit, run, outcome, kills, cases)?;
        Some((run.suites == unit.suites, state != State::Survived, state, *outcome, *kills))
    });
    let best = holding.max_by_key(|(current, caught, ..)| (*current, *caught));
    let (state, outcome, kills) = best
        .map_or((State::Old, answers[0].1, None), |(_, _, state, outcome, kills)| {
            (state, outcome, Some(kills))
        });
    let list = |set: fn(&Kills) -> &BTreeSet<String>| {
        kills.map(|kills| set(kills).iter().cloned().collect()).unwrap_or_default()
    };
    Mutant {
        name: outcome.name.clone(),
        file: outcome.file.clone(),
        line: outcome.line,
        column: outcome.column,
        function: outcome.function.clone(),
        change: outcome.change.clone(),
        state,
        killers: list(|kills| &kills.cases),
        hung: list(|kills| &kills.hung),
        argued: None,
    }
}

/// What one answer says, if it holds today.
fn state(
    unit: &Unit,
    run: &Run,
    outcome: &Outcome,
    kills: &Kills,
    cases: &BTreeSet<String>,
) -> Option<State> {
    let current = run.suites == unit.suites;
    let holds = |case: &String| {
        let suite = case.rsplit_once('/').map_or(case.as_str(), |(suite, _)| suite);
        let ports = |suites: &BTreeMap<String, Keys>| suites.get(suite).map(|keys| keys.ports.clone());
        cases.contains(case) && ports(&unit.suites).is_some() && ports(&unit.suites) == ports(&run.suites)
    };
    let caught = match outcome.summary {
        Summary::Unviable => return Some(State::Unviable),
        Summary::MissedMutant => return current.then_some(State::Survived),
        Summary::CaughtMutant | Summary::Timeout => current || kills.cases.iter().any(holds),
        // Something else than the mutant went wrong: no answer.
        Summary::Success | Summary::Failure => false,
    };
    let hung = outcome.summary == Summary::Timeout || !kills.ended || kills.hung == kills.cases;
    caught.then_some(if hung { State::Hung } else { State::Caught })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::sample;

    fn states(unit: &Unit, runs: &[Run]) -> Vec<State> {
        merge(unit, runs, &sample::cases()).mutants.iter().map(|mutant| mutant.state).collect()
    }

    #[test]
    fn a_run_under_todays_keys_answers_everything() {
        let row = merge(&sample::unit(), &[sample::run()], &sample::cases());
        assert_eq!(row.standing, Standing::Complete);
        let states: Vec<State> = row.mutants.iter().map(|mutant| mutant.state).collect();
        assert_eq!(states, [State::Caught, State::Survived, State::Hung, State::Unviable, State::Hung]);
        assert_eq!(row.mutants[0].killers, ["a/one/x", "a/two/z"]);
        assert_eq!(row.mutants[2].hung, ["a/one/x"]);
    }

    #[test]
    fn new_cases_make_only_survivors_old() {
        let mut unit = sample::unit();
        unit.suites.get_mut("a/one").unwrap().cases = "new".to_owned();
        let row = merge(&unit, &[sample::run()], &sample::cases());
        assert_eq!(row.standing, Standing::Old(2), "the survivor, and the crash that names no case");
        assert_eq!(states(&unit, &[sample::run()])[..3], [State::Caught, State::Old, State::Hung]);
    }

    #[test]
    fn a_kill_holds_while_its_case_is_there_and_its_ports_are_the_same() {
        let mut unit = sample::unit();
        unit.suites.get_mut("a/one").unwrap().ports = "new".to_owned();
        assert_eq!(states(&unit, &[sample::run()])[0], State::Caught, "a/two still catches it");
        assert_eq!(states(&unit, &[sample::run()])[2], State::Old, "only a/one did");
        unit.suites.get_mut("a/two").unwrap().cases = "new".to_owned();
        let row = merge(&unit, &[sample::run()], &["a/one/x".to_owned()].into());
        assert_eq!(row.mutants[0].state, State::Old, "a/two/z is gone");
    }

    #[test]
    fn another_text_of_the_file_has_no_results() {
        let unit = Unit { text: "new".to_owned(), ..sample::unit() };
        let row = merge(&unit, &[sample::run()], &sample::cases());
        assert_eq!((row.standing, row.mutants.len()), (Standing::Missing, 0));
    }

    #[test]
    fn a_missing_part_is_seen() {
        let run = Run { part: Some((1, 3)), ..sample::run() };
        let row = merge(&sample::unit(), &[run], &sample::cases());
        assert_eq!(row.standing, Standing::Incomplete { have: 1, want: 3 });
    }

    #[test]
    fn a_mutant_tried_again_has_its_new_answer() {
        let mut unit = sample::unit();
        unit.suites.get_mut("a/one").unwrap().cases = "new".to_owned();
        let mut again = Run { suites: unit.suites.clone(), part: None, ..sample::run() };
        again.outcomes.retain(|(outcome, _)| outcome.summary == Summary::MissedMutant);
        again.outcomes[0].0.summary = Summary::CaughtMutant;
        again.outcomes[0].1 = kills_of("assay-judge caught a/one/new\nassay-judge end 1\n");
        assert_eq!(states(&unit, &[sample::run(), again])[1], State::Caught);
    }

    fn kills_of(log: &str) -> Kills {
        crate::strength::kills(log)
    }
}
