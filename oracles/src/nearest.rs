//! The names nearest to a wrong one.

/// Up to `count` of `names` that are nearest to `wrong` by edit distance, nearest first, ties in name order. Names
/// that have little in common with it are left out.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let limit = wrong.chars().count() / 2 + 2;
    let mut scored: Vec<(usize, &str)> = names
        .map(|name| (if name.contains(wrong) { 0 } else { distance(wrong, name) }, name))
        .filter(|(score, _)| *score <= limit)
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(count).map(|(_, name)| name).collect()
}

/// The one of `names` that a slip of the pen turned into `wrong`, if one is that near.
#[must_use]
pub fn meant<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = wrong.chars().count().div_ceil(3);
    names
        .map(|name| (distance(wrong, name), name))
        .filter(|(score, _)| *score <= limit)
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
    }

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let names = ["title", "tags", "expect", "input"];
        for (wrong, right) in [("titel", "title"), ("tag", "tags"), ("expct", "expect")] {
            assert_eq!(meant(wrong, names.into_iter()), Some(right));
        }
        assert_eq!(meant("colour", names.into_iter()), None);
    }

    #[test]
    fn near_names_come_first_and_far_ones_not_at_all() {
        let names = ["combat/compute_damage", "economy/spread_ore", "combat/compute_damages"];
        assert_eq!(
            nearest("combat/compute_damge", names.iter().copied(), 3),
            ["combat/compute_damage", "combat/compute_damages"]
        );
        assert_eq!(nearest("ore", names.iter().copied(), 3), ["economy/spread_ore"]);
        assert!(nearest("zzzzzzzzzzzzzzzz", names.iter().copied(), 3).is_empty());
    }
}
