//! Resources: what can be read under an `oracle://` URI. They show what the tools show, through the same presenters, and
//! declare nothing of their own. Knows no protocol.

mod complete;
mod list;
mod page;
mod read;
mod status;
mod template;

pub use complete::{Completions, Of, complete};
pub use list::{Listed, list};
pub use page::{PAGE, PAGE_MAX, Page, page};
pub use read::{Content, Unreadable, read};
pub use template::{expanded, variables};

/// Text in JSON.
pub const JSON: &str = "application/json";
/// Text for people.
pub const MARKDOWN: &str = "text/markdown";

/// A family of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Where the whole stands.
    Status,
    /// Where one capability stands: its suite, run now.
    Standing,
    /// All capabilities.
    Catalog,
    /// The capabilities of one area.
    Area,
    /// One capability as `describe_capability` shows it.
    Capability,
    /// The JSON Schema of its arguments.
    Schema,
    /// Its spec.
    Spec,
    /// One golden case, explained.
    Case,
    /// How a job is done.
    Guide,
}

/// How a family is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// What it leads to.
    pub family: Family,
    /// After RFC 6570.
    pub uri: &'static str,
    /// Name for programs.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What is there.
    pub description: &'static str,
    /// Media type of what is there.
    pub media_type: &'static str,
}

/// Every family, in the order in which they are listed. A constant, independent of the registry.
pub const TEMPLATES: &[Template] = &[
    Template {
        family: Family::Status,
        uri: "oracle://status",
        name: "status",
        title: "Status",
        description: "Snapshot, corpus, how many capabilities are verified, and whether a change waits to be mended.",
        media_type: JSON,
    },
    Template {
        family: Family::Standing,
        uri: "oracle://status/{name}",
        name: "standing",
        title: "Status of a capability",
        description: "The golden cases of one capability, run now; as verify_spec gives it.",
        media_type: JSON,
    },
    Template {
        family: Family::Catalog,
        uri: "oracle://catalog{?limit,cursor}",
        name: "catalog",
        title: "Catalog",
        description: "All capabilities, 50 a page unless limit (1 to 1000) says otherwise; as find_capabilities gives them.",
        media_type: JSON,
    },
    Template {
        family: Family::Area,
        uri: "oracle://catalog/{area}{?limit,cursor}",
        name: "catalog-area",
        title: "Catalog of an area",
        description: "The capabilities of one area.",
        media_type: JSON,
    },
    Template {
        family: Family::Capability,
        uri: "oracle://capability/{name}",
        name: "capability",
        title: "Capability",
        description: "Status per game, units, argument schema and example; as describe_capability gives it.",
        media_type: JSON,
    },
    Template {
        family: Family::Schema,
        uri: "oracle://capability/{name}/schema",
        name: "schema",
        title: "Argument schema",
        description: "JSON Schema (2020-12) of the arguments of a capability.",
        media_type: "application/schema+json",
    },
    Template {
        family: Family::Spec,
        uri: "oracle://spec/{name}",
        name: "spec",
        title: "Spec",
        description: "The findings about one system: numbered clauses with games and sources.",
        media_type: MARKDOWN,
    },
    Template {
        family: Family::Case,
        uri: "oracle://case/{area}/{capability}/{case}",
        name: "case",
        title: "Golden case",
        description: "One golden case: input, expectation, derivation step by step, and what the port says to it now.",
        media_type: JSON,
    },
    Template {
        family: Family::Guide,
        uri: "oracle://guide/{name}",
        name: "guide",
        title: "Guide",
        description: "How a job is done, step by step.",
        media_type: MARKDOWN,
    },
];

impl Family {
    /// How it is announced.
    #[must_use]
    pub fn template(self) -> &'static Template {
        &TEMPLATES[self as usize]
    }

    /// The URI with these path variables.
    #[must_use]
    pub fn uri(self, values: &[&str]) -> String {
        expanded(self.template().uri, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_stand_in_the_order_of_the_families() {
        for (place, template) in TEMPLATES.iter().enumerate() {
            assert_eq!(template.family as usize, place);
            assert_eq!(template.family.template(), template);
        }
    }
}
