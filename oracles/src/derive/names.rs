//! The variables of a program.

use super::ast::Slot;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Variables of a program, by slot.
#[derive(Clone, Debug, Default)]
pub struct Names {
    slots: BTreeMap<Arc<str>, Slot>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The slot of a name, made when it is new.
    pub fn intern(&mut self, name: &str) -> Slot {
        if let Some(slot) = self.slots.get(name) {
            return *slot;
        }
        let name: Arc<str> = name.into();
        self.slots.insert(name.clone(), self.names.len());
        self.names.push(name);
        self.names.len() - 1
    }

    /// The slot of a name.
    pub fn slot(&self, name: &str) -> Option<Slot> {
        self.slots.get(name).copied()
    }

    /// The name of a slot.
    pub fn name(&self, slot: Slot) -> &str {
        &self.names[slot]
    }

    /// Every name, by slot.
    pub fn all(&self) -> &[Arc<str>] {
        &self.names
    }
}
