//! The kill matrix, turned: for each case, what it catches and what nothing else would.

use super::{Assessment, Mutant, State};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One case of the matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// Mutants that it catches.
    pub kills: usize,
    /// Mutants that no other case catches.
    pub alone: usize,
}

/// Every case by id. `cases` are those that exist, so that one which catches nothing is there too.
pub fn reaches(assessment: &Assessment, cases: &BTreeSet<String>) -> BTreeMap<String, Reach> {
    let mut reaches: BTreeMap<String, Reach> =
        cases.iter().map(|case| (case.clone(), Reach::default())).collect();
    for mutant in caught(assessment) {
        for case in &mutant.killers {
            let reach = reaches.entry(case.clone()).or_default();
            reach.kills += 1;
            reach.alone += usize::from(mutant.killers.len() == 1);
        }
    }
    reaches
}

/// Mutants with a case that catches them, in row order.
pub fn caught(assessment: &Assessment) -> impl Iterator<Item = &Mutant> {
    let mutants = assessment.rows.iter().flat_map(|row| &row.mutants);
    mutants.filter(|mutant| matches!(mutant.state, State::Caught | State::Hung) && !mutant.killers.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::{assess, sample};

    #[test]
    fn kills_and_lone_kills_are_counted_and_idle_cases_are_there() {
        let assessment = assess(vec![sample::row()], &sample::record(90));
        let reaches = reaches(&assessment, &sample::cases());
        assert_eq!(reaches["a/one/x"], Reach { kills: 41, alone: 40 });
        assert_eq!(reaches["a/two/z"], Reach { kills: 1, alone: 0 });
        assert_eq!(reaches["a/one/y"], Reach::default());
    }
}
