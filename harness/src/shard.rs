//! Parts of a selection, so that many machines can share one run.
//!
//! Every machine works the division out by itself: the same corpus, selection, costs and number of parts give the same
//! parts everywhere. Heavy pieces are dealt out first, each to the part that has least so far, so that no part is heavier
//! than the lightest by more than one piece. [`crate::merge()`] puts the reports together again.

use crate::registry::Registry;
use crate::run::selected;
use crate::selection::Selection;
use assay_model::{CaseKind, Part};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt;
use std::str::FromStr;

/// Most parts that a selection is divided into.
pub const MAX_SHARDS: u32 = 10_000;

/// What a case or vector line costs where nothing was measured: microseconds, a mean over the corpus with its harness.
const CASE: u64 = 10;
/// The same for a point of a sweep, whose derivation is evaluated on the way.
const POINT: u64 = 35;

/// One of several parts: `2/4` is the second of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Which part, from 1.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Of how many.
    #[must_use]
    pub const fn of(self) -> u32 {
        self.of
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u32>().ok();
        let parts = text.split_once('/').and_then(|(index, of)| Some((number(index)?, number(of)?)));
        match parts {
            Some((0, _)) => Err("shards count from 1: write 1/4 for the first of four".to_owned()),
            Some((_, of)) if of > MAX_SHARDS => Err(format!("at most {MAX_SHARDS} shards")),
            Some((index, of)) if index <= of => Ok(Self { index, of }),
            Some((index, of)) => Err(format!("there is no shard {index} of {of}")),
            None => Err(format!("`{text}` is no shard: write K/N, such as 1/4")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// What pieces cost, as an earlier run measured it: microseconds by id. What it does not know costs an estimate by its
/// number of points.
///
/// As text, one line a piece: the microseconds, a blank, the id; lines that begin with `#` are remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs(BTreeMap<String, u64>);

impl Costs {
    /// Notes a piece; given again, the latter holds.
    pub fn set(&mut self, id: &str, microseconds: u64) {
        self.0.insert(id.to_owned(), microseconds);
    }

    fn of(&self, id: &str, kind: CaseKind, points: u64) -> u64 {
        let estimate = if kind == CaseKind::Sweep { points.saturating_mul(POINT) } else { CASE };
        self.0.get(id).copied().unwrap_or(estimate)
    }
}

impl FromStr for Costs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut costs = Self::default();
        for (index, line) in
            text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let parts = line.split_once(' ').and_then(|(cost, id)| Some((cost.parse().ok()?, id.trim())));
            let (cost, id) = parts.filter(|(_, id)| !id.is_empty()).ok_or_else(|| {
                format!("line {}: write microseconds, a blank and the id of a case", index + 1)
            })?;
            if costs.0.insert(id.to_owned(), cost).is_some() {
                return Err(format!("line {}: `{id}` is there twice", index + 1));
            }
        }
        Ok(costs)
    }
}

/// As [`FromStr`] reads it, by id.
impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# Microseconds that each case, sweep and vector took. Written by `assay verify --write-costs`."
        )?;
        self.0.iter().try_for_each(|(id, cost)| writeln!(f, "{cost} {id}"))
    }
}

/// What one machine runs.
#[derive(Clone, Debug)]
pub struct Slice {
    part: Part,
    ids: BTreeSet<String>,
}

impl Slice {
    /// The part of `selection` that a shard is.
    ///
    /// # Errors
    /// The selection asks for a status, which only whole suites earn; or there are fewer pieces than shards, so that one
    /// would run nothing and vouch for nothing.
    pub fn new(
        registry: &Registry,
        selection: &Selection,
        shard: Shard,
        costs: &Costs,
    ) -> Result<Self, String> {
        if selection.wants_status() {
            return Err("a status is earned by whole suites, and a shard sees parts of them: leave the status out, and \
                        demand it of the merged report"
                .to_owned());
        }
        let mut pieces: Vec<(&str, u64)> = selected(registry, selection)
            .into_iter()
            .map(|(id, kind, points)| (id, costs.of(id, kind, points)))
            .collect();
        if pieces.len() < shard.of as usize {
            return Err(format!("{} cases cannot be divided into {} shards", pieces.len(), shard.of));
        }
        let selected = pieces.len() as u64;
        let dealt = deal(&mut pieces, shard.of);
        let plan = plan(&dealt, shard.of);
        let ours = dealt.into_iter().filter(|(_, index)| *index == shard.index);
        let ids = ours.map(|(id, _)| id.to_owned()).collect();
        Ok(Self { part: Part { shard: shard.index, of: shard.of, selected, plan }, ids })
    }

    /// Which part it is, as the report says it.
    #[must_use]
    pub const fn part(&self) -> &Part {
        &self.part
    }

    /// Whether it runs the case of this id.
    #[must_use]
    pub fn takes(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// The ids that it runs.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }
}

/// Which part each piece goes to, from 1, by id: the heaviest first, each to the part that has least; of equal pieces the
/// lesser id first, of equal parts the first.
fn deal<'a>(pieces: &mut [(&'a str, u64)], of: u32) -> BTreeMap<&'a str, u32> {
    pieces.sort_unstable_by_key(|(id, cost)| (Reverse(*cost), *id));
    let mut loads: BinaryHeap<Reverse<(u64, u32)>> = (1..=of).map(|index| Reverse((0, index))).collect();
    let mut dealt = BTreeMap::new();
    for (id, cost) in pieces.iter() {
        let Some(Reverse((load, index))) = loads.pop() else { break };
        dealt.insert(*id, index);
        // Nothing is free, or a part could take every piece of no cost and leave another part without any.
        loads.push(Reverse((load.saturating_add((*cost).max(1)), index)));
    }
    dealt
}

fn plan(dealt: &BTreeMap<&str, u32>, of: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&of.to_le_bytes());
    for (id, index) in dealt {
        crate::digest::part(&mut hasher, id.as_bytes());
        hasher.update(&index.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_shard_is_read_and_nonsense_says_why() {
        let shard: Shard = "2/4".parse().unwrap();
        assert_eq!((shard.index(), shard.of(), shard.to_string().as_str()), (2, 4, "2/4"));
        for (wrong, why) in [
            ("0/4", "count from 1"),
            ("5/4", "there is no shard 5 of 4"),
            ("1", "write K/N"),
            ("a/b", "write K/N"),
            ("-1/4", "write K/N"),
            ("1/10001", "at most 10000"),
        ] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains(why), "{wrong}");
        }
    }

    #[test]
    fn costs_print_as_they_are_read() {
        let mut costs = Costs::default();
        costs.set("combat/x/a", 12);
        costs.set("combat/x/b", 0);
        assert_eq!(costs.to_string().parse::<Costs>().unwrap(), costs);
        for (wrong, why) in
            [("12", "line 1"), ("# x\nno combat/x", "line 2"), ("1 a\n2 a", "twice"), ("5 ", "line 1")]
        {
            assert!(wrong.parse::<Costs>().unwrap_err().contains(why), "{wrong}");
        }
        assert_eq!(costs.of("combat/x/a", CaseKind::Sweep, 1000), 12);
        assert_eq!(costs.of("combat/x/c", CaseKind::Sweep, 1000), 1000 * POINT);
        assert_eq!(costs.of("combat/x/c", CaseKind::Vector, 1), CASE);
    }

    proptest! {
        /// Every piece is dealt once, no part is empty, and no part is heavier than another by more than one piece.
        #[test]
        fn parts_are_whole_and_balanced(costs in prop::collection::vec(0_u64..5000, 1..200), of in 1_u32..12) {
            let names: Vec<String> = (0..costs.len()).map(|index| format!("a/b/{index:03}")).collect();
            let mut pieces: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(costs.iter().copied()).collect();
            prop_assume!(pieces.len() >= of as usize);
            let dealt = deal(&mut pieces, of);
            prop_assert_eq!(dealt.len(), names.len());
            let mut loads = vec![0; of as usize];
            for (id, cost) in &pieces {
                loads[dealt[id] as usize - 1] += (*cost).max(1);
            }
            let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
            prop_assert!(*least > 0 && most - least <= costs.iter().copied().max().unwrap().max(1));
            // The order in which pieces are listed does not matter.
            pieces.reverse();
            prop_assert_eq!(plan(&dealt, of), plan(&deal(&mut pieces, of), of));
        }
    }
}
