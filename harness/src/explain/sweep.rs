//! Which point of a sweep is explained.

use crate::nearest::nearest;
use crate::run::sweep::first_failing;
use crate::suite::{Sweep, axis_index, axis_length};
use assay_model::case::Axis;
use assay_model::explain::{AxisExplained, Chosen, SweepExplained};
use assay_model::{Port, Verdict};

/// Values of a list that are shown.
const SHOWN: usize = 12;

/// The point that `at` asks for, one `axis=value` for each axis; without, the first that fails, or the first of all.
///
/// # Errors
/// A word that is no `axis=value`, an axis or a value that the sweep has not, an axis that is left out or named twice.
pub(super) fn choose(
    port: &dyn Port,
    sweep: &Sweep,
    verdict: Verdict,
    at: &[String],
) -> Result<SweepExplained, String> {
    let (index, chosen) = if at.is_empty() {
        let failing = if verdict == Verdict::Pass { None } else { first_failing(port, sweep) };
        failing.map_or((0, Chosen::First), |index| (index, Chosen::FirstFailing))
    } else {
        (asked(sweep, at)?, Chosen::Asked)
    };
    let axes = sweep.entry.axes.iter().map(|(name, axis)| AxisExplained {
        name: name.clone(),
        values: values(axis),
        count: axis_length(axis),
    });
    Ok(SweepExplained { axes: axes.collect(), points: sweep.points, index, chosen, at: sweep.point(index) })
}

fn asked(sweep: &Sweep, at: &[String]) -> Result<u64, String> {
    let axes = &sweep.entry.axes;
    let mut typed: Vec<(&str, &str)> = Vec::new();
    for word in at {
        let Some((name, value)) = word.split_once('=') else {
            return Err(format!("`{word}` is no point: write axis=value"));
        };
        if !axes.contains_key(name) {
            let near = nearest(name, axes.keys().map(String::as_str), 3);
            let known: Vec<&str> =
                if near.is_empty() { axes.keys().map(String::as_str).collect() } else { near };
            return Err(format!("the sweep has no axis `{name}`; it has `{}`", known.join("`, `")));
        }
        if typed.iter().any(|(known, _)| *known == name) {
            return Err(format!("axis `{name}` is given twice"));
        }
        typed.push((name, value));
    }
    let mut index: u64 = 0;
    for (name, axis) in axes {
        let Some((_, value)) = typed.iter().find(|(known, _)| known == name) else {
            return Err(format!("axis `{name}` is missing: a point has a value on each ({})", values(axis)));
        };
        let place = axis_index(axis, value)
            .ok_or_else(|| format!("axis `{name}` never is `{value}`: it is {}", values(axis)))?;
        // Below the number of points, which is bounded.
        index = index * axis_length(axis) + place;
    }
    Ok(index)
}

/// The values of an axis in words.
fn values(axis: &Axis) -> String {
    match axis {
        Axis::Range(range) if range.step == 1 => format!("{} to {}", range.from, range.to),
        Axis::Range(range) => format!("{} to {} in steps of {}", range.from, range.to, range.step),
        Axis::List(values) => {
            let shown = values.iter().take(SHOWN).map(super::stages::print).collect::<Vec<_>>().join(", ");
            let more = if values.len() > SHOWN { ", …" } else { "" };
            format!("{shown}{more}")
        }
    }
}
