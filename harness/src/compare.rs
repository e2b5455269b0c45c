//! Compares a breakdown with its expectation and names the first stage that differs, in stage order.
//!
//! Comparison is exact: integers by value, floats by bits, text and booleans by equality; a stage that is `null` is a
//! stage that is not there, since TOML cannot write one. The only exceptions are the tolerances that a case declares.

use assay_model::tree::Number;
use assay_model::{Tolerance, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// How a case wants to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Only the stages that the expectation lists are compared.
    pub partial: bool,
    /// Exceptions by dotted stage; one on a list or a map covers what is in it.
    pub tolerance: &'a BTreeMap<String, Tolerance>,
}

/// Everything exact and every stage due.
pub const EXACT: Rules<'static> = Rules { partial: false, tolerance: &BTreeMap::new() };

/// The first stage that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Dotted path.
    pub stage: String,
    /// What was expected there, or `nothing`.
    pub expected: String,
    /// What came, or `nothing`.
    pub actual: String,
    /// The rule that was applied: `exact`, `ulps=…`, `abs=…`.
    pub rule: String,
}

/// Compares in the order of `actual`'s stages.
///
/// # Errors
/// The first stage that differs. Stages that are expected and missing come after the stages that are there.
pub fn compare(expected: &Tree, actual: &Tree, rules: Rules) -> Result<BTreeSet<String>, Box<Mismatch>> {
    let mut walk = Walk::new(rules, 1);
    // Stops at the first.
    let _ = walk.value(expected, actual);
    walk.found.pop().map_or(Ok(walk.needed), |first| Err(Box::new(first)))
}

/// Every stage that differs, up to `limit` of them, in the same order; the first is what [`compare`] names.
pub(crate) fn differences(expected: &Tree, actual: &Tree, rules: Rules, limit: usize) -> Vec<Mismatch> {
    let mut walk = Walk::new(rules, limit);
    // Stops when it has found enough.
    let _ = walk.value(expected, actual);
    walk.found
}

struct Walk<'a> {
    rules: Rules<'a>,
    path: String,
    /// Tolerances that made the difference.
    needed: BTreeSet<String>,
    found: Vec<Mismatch>,
    /// How many are wanted.
    limit: usize,
}

/// As many differences as were wanted.
struct Enough;

impl<'a> Walk<'a> {
    fn new(rules: Rules<'a>, limit: usize) -> Self {
        Self { rules, path: String::new(), needed: BTreeSet::new(), found: Vec::new(), limit }
    }

    fn value(&mut self, expected: &Tree, actual: &Tree) -> Result<(), Enough> {
        match (expected, actual) {
            (Tree::Map(expected), Tree::Map(actual)) => self.map(expected, actual),
            (Tree::List(expected), Tree::List(actual)) => self.list(expected, actual),
            _ => self.leaf(expected, actual),
        }
    }

    fn map(&mut self, expected: &[(String, Tree)], actual: &[(String, Tree)]) -> Result<(), Enough> {
        let find = |list: &'_ [(String, Tree)], key: &str| list.iter().position(|(name, _)| name == key);
        for (key, value) in actual {
            match find(expected, key) {
                Some(index) => self.at(key, |walk| walk.value(&expected[index].1, value))?,
                None if self.rules.partial || *value == Tree::Null => {}
                None => self.at(key, |walk| walk.mismatch(None, Some(value)))?,
            }
        }
        for (key, value) in expected {
            if *value != Tree::Null && find(actual, key).is_none() {
                self.at(key, |walk| walk.mismatch(Some(value), None))?;
            }
        }
        Ok(())
    }

    /// Lists agree in length, also in a partial expectation: an element has no name to be left out by.
    fn list(&mut self, expected: &[Tree], actual: &[Tree]) -> Result<(), Enough> {
        for index in 0..expected.len().max(actual.len()) {
            let pair = (expected.get(index), actual.get(index));
            self.at(&index.to_string(), |walk| match pair {
                (Some(expected), Some(actual)) => walk.value(expected, actual),
                (expected, actual) => walk.mismatch(expected, actual),
            })?;
        }
        Ok(())
    }

    fn leaf(&mut self, expected: &Tree, actual: &Tree) -> Result<(), Enough> {
        if expected.same(actual) {
            return Ok(());
        }
        if let Some((stage, tolerance)) = covering(self.rules.tolerance, &self.path)
            && within(tolerance, expected, actual)
        {
            self.needed.insert(stage.to_owned());
            return Ok(());
        }
        self.mismatch(Some(expected), Some(actual))
    }

    fn at<R>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let result = body(self);
        self.path.truncate(length);
        result
    }

    fn mismatch(&mut self, expected: Option<&Tree>, actual: Option<&Tree>) -> Result<(), Enough> {
        let print = |side: Option<&Tree>| side.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let rule =
            covering(self.rules.tolerance, &self.path).map_or("exact".to_owned(), |(_, rule)| name(rule));
        let (expected, actual) = (print(expected), print(actual));
        self.found.push(Mismatch { stage: self.path.clone(), expected, actual, rule });
        if self.found.len() < self.limit { Ok(()) } else { Err(Enough) }
    }
}

/// The tolerance that names the stage or the nearest stage around it.
pub(crate) fn covering<'a>(
    tolerances: &'a BTreeMap<String, Tolerance>,
    path: &str,
) -> Option<(&'a str, &'a Tolerance)> {
    let mut stage = path;
    loop {
        if let Some((name, tolerance)) = tolerances.get_key_value(stage) {
            return Some((name, tolerance));
        }
        stage = stage.rsplit_once('.')?.0;
    }
}

fn name(rule: &Tolerance) -> String {
    match (rule.ulps, rule.abs) {
        (Some(ulps), _) => format!("ulps={ulps}"),
        (None, Some(abs)) => format!("abs={abs}"),
        (None, None) => "exact".to_owned(),
    }
}

/// Whether two finite numbers are as near as the rule says. Nothing else has a distance.
fn within(rule: &Tolerance, expected: &Tree, actual: &Tree) -> bool {
    let (Some(a), Some(b)) = (finite(expected), finite(actual)) else { return false };
    match (rule.ulps, rule.abs) {
        (Some(ulps), _) => ordinal(a).abs_diff(ordinal(b)) <= u64::from(ulps),
        (None, Some(abs)) => (a - b).abs() <= abs,
        (None, None) => false,
    }
}

/// The number as a finite binary64, if it is one exactly.
fn finite(tree: &Tree) -> Option<f64> {
    match tree.number()? {
        Number::Float(value) => value.is_finite().then_some(value),
        Number::Int(value) => (value.unsigned_abs() <= 1 << 53).then_some(value as f64),
    }
}

/// Position of a float among all floats, so that neighbours are one apart; both zeros share a place.
fn ordinal(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::from_json(text.as_bytes()).unwrap()
    }

    fn differs(expected: &str, actual: &str) -> (String, String, String) {
        let mismatch = compare(&tree(expected), &tree(actual), EXACT).unwrap_err();
        (mismatch.stage, mismatch.expected, mismatch.actual)
    }

    fn triple(stage: &str, expected: &str, actual: &str) -> (String, String, String) {
        (stage.to_owned(), expected.to_owned(), actual.to_owned())
    }

    #[test]
    fn the_first_difference_in_stage_order_is_named() {
        assert_eq!(
            differs(r#"{"z":1,"a":{"b":[1,2]}}"#, r#"{"a":{"b":[1,3]},"z":2}"#),
            triple("a.b.1", "2", "3")
        );
        let all = differences(&tree(r#"{"z":1,"a":[1,2],"q":3}"#), &tree(r#"{"a":[0,2,3],"z":2}"#), EXACT, 9);
        let stages: Vec<&str> = all.iter().map(|found| found.stage.as_str()).collect();
        assert_eq!(stages, ["a.0", "a.2", "z", "q"]);
        assert_eq!(differs(r#"{"a":1}"#, r#"{"a":1,"b":{"c":2}}"#), triple("b", "nothing", r#"{"c":2}"#));
        assert_eq!(differs(r#"{"a":1,"b":2}"#, r#"{"a":1}"#), triple("b", "2", "nothing"));
        assert_eq!(differs(r#"{"a":[1]}"#, r#"{"a":[1,2]}"#), triple("a.1", "nothing", "2"));
        assert_eq!(differs(r#"{"a":[1]}"#, r#"{"a":[]}"#), triple("a.0", "1", "nothing"));
        assert_eq!(differs(r#"{"a":{}}"#, r#"{"a":[]}"#), triple("a", "{}", "[]"));
        assert_eq!(
            differs(r#"{"a":0.7}"#, r#"{"a":0.7000000000000001}"#),
            triple("a", "0.7", "0.7000000000000001")
        );
    }

    #[test]
    fn order_of_keys_and_null_stages_make_no_difference() {
        assert!(compare(&tree(r#"{"a":1,"b":2}"#), &tree(r#"{"b":2.0,"c":null,"a":1}"#), EXACT).is_ok());
        assert_eq!(differs(r#"{"a":1}"#, r#"{"a":null}"#), triple("a", "1", "null"));
    }

    #[test]
    fn a_partial_expectation_looks_at_what_it_lists() {
        let none = BTreeMap::new();
        let rules = Rules { partial: true, tolerance: &none };
        assert!(compare(&tree(r#"{"a":{"b":1}}"#), &tree(r#"{"a":{"b":1,"c":2},"d":3}"#), rules).is_ok());
        assert!(compare(&tree(r#"{"a":{"b":1}}"#), &tree(r#"{"a":{"c":2}}"#), rules).is_err());
        assert!(compare(&tree(r#"{"a":[1]}"#), &tree(r#"{"a":[1,2]}"#), rules).is_err());
    }

    fn tolerating(stage: &str, ulps: Option<u32>, abs: Option<f64>) -> BTreeMap<String, Tolerance> {
        [(stage.to_owned(), Tolerance { ulps, abs, why: "test".into() })].into()
    }

    fn compared(
        tolerance: &BTreeMap<String, Tolerance>,
        expected: &str,
        actual: &str,
    ) -> Result<usize, String> {
        let rules = Rules { partial: false, tolerance };
        compare(&tree(expected), &tree(actual), rules).map(|needed| needed.len()).map_err(|found| found.rule)
    }

    #[test]
    fn a_tolerance_is_one_rule_for_one_stage_and_says_whether_it_was_needed() {
        let ulp = tolerating("a", Some(1), None);
        assert_eq!(compared(&ulp, r#"{"a":0.7}"#, r#"{"a":0.7}"#), Ok(0));
        assert_eq!(compared(&ulp, r#"{"a":0.7}"#, r#"{"a":0.7000000000000001}"#), Ok(1));
        assert_eq!(compared(&ulp, r#"{"a":0.7}"#, r#"{"a":0.7000000000000002}"#), Err("ulps=1".into()));
        assert_eq!(
            compared(&ulp, r#"{"a":1,"b":0.7}"#, r#"{"a":1,"b":0.7000000000000001}"#),
            Err("exact".into())
        );
        let abs = tolerating("list", None, Some(0.5));
        assert_eq!(compared(&abs, r#"{"list":[1,2]}"#, r#"{"list":[1.5,1.5]}"#), Ok(1));
        assert_eq!(compared(&abs, r#"{"list":[1,2]}"#, r#"{"list":[1.75,2]}"#), Err("abs=0.5".into()));
    }

    #[test]
    fn what_is_no_finite_number_has_no_distance() {
        let wide = tolerating("a", None, Some(f64::MAX));
        for (expected, actual) in [
            (r#""f64:0x7ff0000000000000""#, r#""f64:0x7ff0000000000001""#),
            ("1", r#""1""#),
            ("1", "true"),
            ("9223372036854775807", "9223372036854775806"),
        ] {
            let (expected, actual) = (format!("{{\"a\":{expected}}}"), format!("{{\"a\":{actual}}}"));
            assert!(compared(&wide, &expected, &actual).is_err(), "{expected} {actual}");
        }
        assert_eq!(ordinal(0.0), ordinal(-0.0));
        assert_eq!(ordinal(f64::from_bits(1)) - ordinal(-f64::from_bits(1)), 2);
    }
}
