//! Sweeps: axes that the port has, a bounded number of points, and a derivation that evaluates at the first of them.

use super::{Binder, MAX_POINTS, scope};
use crate::suite::{Sweep, axis_length};
use assay_model::{Rule, SweepEntry, Tree};

impl Binder<'_> {
    pub(super) fn sweep(&mut self, index: usize, entry: &SweepEntry) -> Option<Sweep> {
        self.claims(&[&"sweep", &index], entry.game, &entry.clause);
        if entry.title.trim().is_empty() {
            self.wrong(
                Rule::Title,
                &[&"sweep", &index, &"title"],
                format!("`{}` has no title", entry.id),
                "say what it covers",
            );
        }
        let points = self.axes(index, entry);
        let empty = Tree::Map(Vec::new());
        let arguments = self.arguments(entry.input.as_ref().unwrap_or(&empty), entry.game);
        let base = match arguments {
            Ok(base) => base,
            Err(message) => {
                self.wrong(
                    Rule::Input,
                    &[&"sweep", &index, &"input"],
                    message,
                    "write `input = { … }` of the sweep's own game",
                );
                return None;
            }
        };
        let derivation = self.derivation("sweep", index, &entry.derivation)?;
        let scope = match scope(self.spec, entry.game, &base) {
            Ok(scope) => scope,
            Err(message) => {
                self.wrong(Rule::Input, &[&"sweep", &index, &"input"], message, "");
                return None;
            }
        };
        let key = self.key(entry, &derivation.text);
        let sweep = Sweep {
            id: self.full(&entry.id),
            line: self.locator.line(&[&"sweep", &index]),
            entry: entry.clone(),
            derivation: derivation.text.clone(),
            points: points?,
            program: derivation.program.clone(),
            scope,
            base,
            stages: self.stages(),
            path: self.raw.path.clone(),
            key,
        };
        let before = self.problems.len();
        if !self.known.sound.contains(&key) {
            self.first_point(index, &sweep, &derivation);
        }
        self.holds(key, before);
        Some(sweep)
    }

    /// Number of points, if every axis is an argument with values and the product is bounded.
    fn axes(&mut self, index: usize, entry: &SweepEntry) -> Option<u64> {
        let known = self.target.input_schema.get("properties").and_then(|known| known.as_object());
        let mut points: u64 = 1;
        for (name, axis) in &entry.axes {
            let place = [&"sweep" as &dyn std::fmt::Display, &index, &"axes", name];
            if name == "game" {
                self.wrong(
                    Rule::Sweep,
                    &place,
                    "`game` is no axis",
                    "a sweep is claimed for one game; write one for each",
                );
            } else if known.is_none_or(|known| !known.contains_key(name)) {
                let names = known.into_iter().flatten().map(|(name, _)| name.as_str());
                let near = crate::nearest::nearest(name, names, 3).join("`, `");
                let help = if near.is_empty() { String::new() } else { format!("nearest: `{near}`") };
                self.wrong(
                    Rule::Sweep,
                    &place,
                    format!("`{}` has no input `{name}`", self.raw.capability),
                    help,
                );
            }
            if entry.input.as_ref().is_some_and(|input| input.get(name).is_some()) {
                self.wrong(Rule::Sweep, &place, format!("`{name}` is an axis and an input"), "keep one");
            }
            let length = axis_length(axis);
            if length == 0 {
                self.wrong(
                    Rule::Sweep,
                    &place,
                    format!("axis `{name}` has no value"),
                    "`from` ≤ `to`, `step` ≥ 1, lists with values",
                );
            }
            points = points.saturating_mul(length);
        }
        if entry.axes.is_empty() {
            self.wrong(
                Rule::Sweep,
                &[&"sweep", &index],
                format!("`{}` has no axis", entry.id),
                "a single point is a case",
            );
        }
        if points > MAX_POINTS {
            let message = format!("`{}` has {points} points, at most {MAX_POINTS} are run", entry.id);
            self.wrong(Rule::Sweep, &[&"sweep", &index, &"axes"], message, "take larger steps or split it");
        }
        (1..=MAX_POINTS).contains(&points).then_some(points)
    }

    /// Top-level stages of the port's breakdown.
    fn stages(&self) -> Vec<String> {
        let properties = self.target.breakdown_schema.get("properties").and_then(|stages| stages.as_object());
        properties.into_iter().flatten().map(|(name, _)| name.clone()).collect()
    }

    /// A derivation that cannot be evaluated at all is told of before anything runs.
    fn first_point(&mut self, index: usize, sweep: &Sweep, derivation: &super::derivation::Derivation) {
        let mut scope = sweep.scope.clone();
        for (name, value) in sweep.point(0) {
            if let Err(message) = scope.bind(&name, &value) {
                self.wrong(Rule::Sweep, &[&"sweep", &index, &"axes", &name], message, "");
                return;
            }
        }
        self.evaluate(derivation, &scope, &sweep.entry.id);
    }
}
