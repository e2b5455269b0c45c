//! The resources that have a fixed URI, page by page: status and catalogs first, then guides, then the capabilities.

use super::page::{Page, page};
use super::{Family, Template};
use crate::guides;
use crate::services;
use crate::snapshot::Snapshot;
use assay_model::Area;
use std::collections::BTreeSet;

/// A resource as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is read.
    pub uri: String,
    /// Name for programs.
    pub name: String,
    /// What is there.
    pub description: String,
    /// The family, with title and media type.
    pub template: &'static Template,
}

impl Listed {
    fn new(family: Family, values: &[&str], description: &str) -> Self {
        let template = family.template();
        Self {
            uri: family.uri(values),
            name: values.first().map_or(template.name, |value| value).to_owned(),
            description: description.to_owned(),
            template,
        }
    }

    /// Sorts as the list does: by family, then by URI.
    fn key(&self) -> String {
        format!("{:02} {}", rank(self.template.family), self.uri)
    }
}

const fn rank(family: Family) -> u8 {
    match family {
        Family::Status => 0,
        Family::Catalog => 1,
        Family::Area => 2,
        Family::Guide => 3,
        _ => 4,
    }
}

/// One page of the list. Schemas, specs, standings and cases are not on it: their templates lead there from a name.
///
/// # Errors
/// A message for people when the cursor is none of this list.
pub fn list(snapshot: &Snapshot, cursor: Option<&str>, limit: usize) -> Result<Page<Listed>, &'static str> {
    let mut all: Vec<Listed> = [Family::Status, Family::Catalog]
        .map(|family| Listed::new(family, &[], family.template().description))
        .into();
    let entries = snapshot.registry().entries();
    let areas: BTreeSet<Area> = entries.iter().map(assay_harness::Entry::area).collect();
    all.extend(areas.iter().map(|area| {
        Listed::new(Family::Area, &[area.as_str()], &format!("The capabilities of the area {area}."))
    }));
    all.extend(
        guides::all().iter().map(|guide| Listed::new(Family::Guide, &[guide.name], guide.description)),
    );
    let capabilities = entries.iter().map(|entry| (entry.name(), entry.port.meta().summary));
    let services = services::ALL.iter().map(|service| (service.name, service.summary));
    all.extend(
        capabilities.chain(services).map(|(name, summary)| Listed::new(Family::Capability, &[name], summary)),
    );
    all.sort_by_cached_key(Listed::key);
    page("resources", all, Listed::key, cursor, limit)
}
