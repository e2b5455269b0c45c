//! `llms.txt`: what is here, with a link to each thing; and `llms-full.txt`: the same with everything said.

use super::Site;
use crate::guides;
use crate::services;
use crate::snapshot::Snapshot;
use crate::surface::{INSTRUCTIONS, Tool};
use crate::validate::wants;
use assay_harness::Entry;
use assay_model::Area;
use serde_json::Value;
use std::fmt::Write as _;

/// The index.
pub fn short(snapshot: &Snapshot, site: Site<'_>) -> String {
    let origin = site.origin;
    let mut text = opening();
    let _ = writeln!(text, "## Connect\n");
    let _ = writeln!(text, "- [MCP]({origin}/mcp): Streamable HTTP, all protocol revisions");
    let _ = writeln!(text, "- [Tools]({origin}/api/v1/tools): the same tools as plain HTTP");
    let _ = writeln!(text, "- [OpenAPI]({origin}/api/v1/openapi.json): description of the HTTP interface");
    let _ = writeln!(text, "- [Server card]({origin}/mcp/server-card): identity and endpoint\n");
    tools(&mut text);
    each_area(snapshot, |area, entries| {
        let _ = writeln!(text, "## Capabilities: {area}\n");
        for entry in entries {
            let (name, summary) = (entry.name(), entry.port.meta().summary);
            let _ = writeln!(text, "- [{name}]({origin}/api/v1/capabilities/{name}): {summary}");
        }
        text.push('\n');
    });
    let _ = writeln!(text, "## Services\n");
    for service in services::ALL {
        let name = service.name;
        let _ = writeln!(text, "- [{name}]({origin}/api/v1/capabilities/{name}): {}", service.summary);
    }
    let _ = writeln!(text, "\n## Optional\n");
    let _ = writeln!(
        text,
        "- [Everything]({origin}/llms-full.txt): guides, and the arguments of every capability"
    );
    text
}

/// Everything.
pub fn full(snapshot: &Snapshot, site: Site<'_>) -> String {
    let mut text = opening();
    let _ = writeln!(text, "MCP endpoint: {0}/mcp. HTTP interface: {0}/api/v1/openapi.json.\n", site.origin);
    tools(&mut text);
    for guide in guides::all() {
        // A guide is a document of its own; here it is a section. Comments of a shell are no headings.
        let mut code = false;
        for line in guide.body().lines() {
            code ^= line.starts_with("```");
            let deeper = if line.starts_with('#') && !code { "#" } else { "" };
            let _ = writeln!(text, "{deeper}{line}");
        }
        text.push('\n');
    }
    each_area(snapshot, |area, entries| {
        let _ = writeln!(text, "## Capabilities: {area}\n");
        for entry in entries {
            capability(&mut text, snapshot, entry);
        }
    });
    text
}

fn opening() -> String {
    format!("# Assay\n\n> {INSTRUCTIONS}\n\n")
}

fn tools(text: &mut String) {
    let _ = writeln!(text, "## Tools\n");
    for tool in Tool::ALL {
        let _ = writeln!(text, "- {}: {}", tool.name(), tool.description());
    }
    text.push('\n');
}

/// Entries are in the order of areas already.
fn each_area(snapshot: &Snapshot, mut visit: impl FnMut(Area, &[Entry])) {
    for entries in snapshot.registry().entries().chunk_by(|a, b| a.area() == b.area()) {
        if let Some(first) = entries.first() {
            visit(first.area(), entries);
        }
    }
}

fn capability(text: &mut String, snapshot: &Snapshot, entry: &Entry) {
    let meta = entry.port.meta();
    let games = meta.games.iter().map(|game| {
        let tier = snapshot.tier_in(meta.name, *game).map_or("no tier", |tier| tier.as_str());
        format!("{game} {}, {tier}", snapshot.status_in(meta.name, *game))
    });
    let games = games.collect::<Vec<_>>().join("; ");
    let _ = writeln!(text, "### {}\n\n{}\n", meta.name, meta.summary);
    let _ = writeln!(text, "- kind: {}\n- games: {games}\n- units: {}", meta.kind, meta.units);
    let schema = &entry.input_schema;
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let default = match property.get("default") {
            _ if required(name) => "required".to_owned(),
            Some(default) => format!("default {default}"),
            None => "optional".to_owned(),
        };
        let about =
            property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        let _ = writeln!(text, "- argument `{name}`: {}; {default}. {about}", wants(property));
    }
    let _ = writeln!(text, "- example: `{}`\n", meta.example);
}
