//! Reading one resource.

use super::page::{PAGE, PAGE_MAX};
use super::status::status;
use super::template::matched;
use super::{Family, TEMPLATES, Template};
use crate::envelope::{Refusal, Reply, map, text, tree, value};
use crate::guides;
use crate::search::nearest;
use crate::services;
use crate::snapshot::{Kept, Snapshot};
use crate::surface::Tool;
use crate::tools::{clip, dispatch, find, guarded};
use assay_harness::explain;
use assay_model::{Area, Errno, Tree};

/// What stands under a URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The text.
    pub text: String,
    /// Its media type.
    pub media_type: &'static str,
}

/// Why a URI cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing stands there.
    Missing {
        /// A lower-case fragment.
        message: String,
        /// What may have been meant.
        nearest: Vec<String>,
    },
    /// A parameter is wrong.
    Wrong(String),
    /// Something broke inside.
    Failed(String),
}

impl Unreadable {
    fn missing(message: impl Into<String>) -> Self {
        Self::Missing { message: message.into(), nearest: Vec::new() }
    }
}

impl From<Refusal> for Unreadable {
    fn from(refusal: Refusal) -> Self {
        match refusal.errno {
            Errno::Enoent => {
                let near = refusal.details.into_iter().find(|(key, _)| key == "nearest");
                let nearest = match near {
                    Some((_, Tree::List(names))) => {
                        names.iter().filter_map(Tree::as_str).map(str::to_owned).collect()
                    }
                    _ => Vec::new(),
                };
                Self::Missing { message: refusal.message, nearest }
            }
            Errno::Einval => Self::Wrong(refusal.message),
            _ => Self::Failed(refusal.message),
        }
    }
}

/// Reads a URI from one snapshot. JSON that mirrors a tool is that tool's envelope. `kept` is for the status alone.
///
/// # Errors
/// Nothing stands there, a parameter is wrong, or something broke inside.
pub fn read(snapshot: &Snapshot, kept: Option<&Kept>, uri: &str) -> Result<Content, Unreadable> {
    let (template, variables) = TEMPLATES
        .iter()
        .find_map(|template| Some((template, matched(template.uri, uri)?)))
        .ok_or_else(|| Unreadable::missing(format!("no resource has the URI `{}`", clip(uri, 200))))?;
    let get =
        |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
    let name = get("name").unwrap_or_default();
    let text = match template.family {
        Family::Status => envelope(snapshot, guarded("status", || Ok(status(snapshot, kept))))?,
        Family::Catalog => catalog(snapshot, None, get("limit"), get("cursor"))?,
        Family::Area => catalog(snapshot, get("area"), get("limit"), get("cursor"))?,
        Family::Standing => standing(snapshot, name)?,
        Family::Capability => tool(snapshot, Tool::Describe, &map([("name", text(name))]))?,
        Family::Schema => schema(snapshot, name)?,
        Family::Spec => spec(snapshot, name)?,
        Family::Case => {
            let id = ["area", "capability", "case"].map(|part| get(part).unwrap_or_default()).join("/");
            envelope(snapshot, guarded("the explanation", || case(snapshot, &id)))?
        }
        Family::Guide => guide(name)?,
    };
    let Template { media_type, .. } = template;
    Ok(Content { text, media_type })
}

fn envelope(snapshot: &Snapshot, outcome: Result<Tree, Refusal>) -> Result<String, Unreadable> {
    let data = outcome?;
    let reply = Reply { outcome: Ok(data), snapshot_sequence: snapshot.sequence(), ut: snapshot.ut() };
    Ok(reply.envelope().to_string())
}

fn tool(snapshot: &Snapshot, tool: Tool, arguments: &Tree) -> Result<String, Unreadable> {
    let reply = dispatch(tool, &value(arguments), snapshot);
    let shown = reply.envelope().to_string();
    reply.outcome.map_err(Unreadable::from).map(|_| shown)
}

fn catalog(
    snapshot: &Snapshot,
    area: Option<&str>,
    limit: Option<&str>,
    cursor: Option<&str>,
) -> Result<String, Unreadable> {
    if let Some(area) = area.filter(|area| area.parse::<Area>().is_err()) {
        return Err(Unreadable::missing(format!("no area is called `{}`", clip(area, 80))));
    }
    let limit = match limit.map(str::parse::<usize>) {
        None => PAGE,
        Some(Ok(limit)) if (1..=PAGE_MAX).contains(&limit) => limit,
        Some(_) => return Err(Unreadable::Wrong(format!("limit is a number from 1 to {PAGE_MAX}"))),
    };
    let given = [("area", area), ("cursor", cursor)];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), text(value?))));
    let arguments = Tree::Map(given.collect());
    envelope(snapshot, guarded("the catalog", || find::page(&arguments, snapshot, limit)))
}

fn standing(snapshot: &Snapshot, name: &str) -> Result<String, Unreadable> {
    let entry = snapshot.registry().get(name).ok_or_else(|| no_capability(snapshot, name))?;
    tool(snapshot, Tool::Verify, &map([("selection", text(entry.path()))]))
}

fn schema(snapshot: &Snapshot, name: &str) -> Result<String, Unreadable> {
    let of_service = || services::named(name).map(services::Service::schema);
    let of_entry = || snapshot.registry().get(name).map(|_| snapshot.schema(name));
    let schema = of_service().or_else(of_entry).ok_or_else(|| no_capability(snapshot, name))?;
    Ok(schema.to_string())
}

fn spec(snapshot: &Snapshot, name: &str) -> Result<String, Unreadable> {
    let spec = snapshot.registry().spec(name).ok_or_else(|| no_capability(snapshot, name))?;
    Ok(spec.text.clone())
}

fn no_capability(snapshot: &Snapshot, name: &str) -> Unreadable {
    let message = format!("no capability is called `{}`", clip(name, 80));
    Unreadable::Missing { message, nearest: nearest(snapshot.index(), name, 3) }
}

fn case(snapshot: &Snapshot, id: &str) -> Result<Tree, Refusal> {
    let registry = snapshot.registry();
    if !registry.ids().any(|known| known == id) {
        let message = match explain::find(registry, id) {
            Err(message) => message,
            Ok(_) => format!("no case is called `{}`, or its suite does not load", clip(id, 200)),
        };
        return Err(Refusal::rejected(Errno::Enoent, message));
    }
    let case = explain::case(registry, &snapshot.options(), id, &[]);
    case.map(|case| tree(&case)).map_err(Refusal::failed)
}

fn guide(name: &str) -> Result<String, Unreadable> {
    let guide = guides::named(name).ok_or_else(|| Unreadable::Missing {
        message: format!("no guide is called `{}`", clip(name, 80)),
        nearest: guides::all().iter().map(|guide| guide.name.to_owned()).collect(),
    })?;
    Ok(guide.text.to_owned())
}
