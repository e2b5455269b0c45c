//! What is bound before the first step.

use super::value::Value;
use crate::spec::Spec;
use assay_model::{Game, Tree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Constants, tables, defaults and inputs by name. Cheap to clone, so that a sweep binds its axes in a copy a point.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    spec: Arc<BTreeMap<String, Value>>,
    inputs: Arc<Vec<(Arc<str>, Value)>>,
}

impl Scope {
    /// The constants, tables and defaults of a spec for a game, and the game itself as `game`. Values that the loader
    /// reported as problems are left out.
    #[must_use]
    pub fn new(spec: &Spec, game: Game) -> Self {
        let mut bound = BTreeMap::new();
        let defaults = spec.defaults.entries().iter();
        let by_game = spec.defaults_by_game.get(&game).map_or(&[][..], Tree::entries).iter();
        for (name, value) in spec.constants.entries().iter().chain(defaults).chain(by_game) {
            if let Ok(value) = Value::from_tree(value) {
                bound.insert(name.clone(), value);
            }
        }
        bound.extend(spec.tables.iter().map(|(name, table)| (name.clone(), table.clone())));
        bound.insert("game".to_owned(), Value::Text(game.as_str().into()));
        Self { spec: Arc::new(bound), inputs: Arc::default() }
    }

    /// Binds an input of the case, in place of a default of that name.
    ///
    /// # Errors
    /// For text that is tagged as bits and is none, and for values beyond the limits of the language.
    pub fn bind(&mut self, name: &str, value: &Tree) -> Result<(), String> {
        let value = Value::from_tree(value).map_err(|message| format!("input `{name}`: {message}"))?;
        let inputs = Arc::make_mut(&mut self.inputs);
        match inputs.iter_mut().find(|(bound, _)| **bound == *name) {
            Some((_, place)) => *place = value,
            None => inputs.push((name.into(), value)),
        }
        Ok(())
    }

    /// What is bound to a name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let input = self.inputs.iter().find(|(bound, _)| **bound == *name).map(|(_, value)| value);
        input.or_else(|| self.spec.get(name))
    }
}
