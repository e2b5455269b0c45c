//! The server card, and the catalogs that name it. A card says who and where, never which tools: those are listed live, and
//! stand here under a key of our own only.

use super::Site;
use crate::mcp;
use crate::surface::Tool;
use serde_json::{Value, json};

/// Media type of a server card.
pub const MEDIA_TYPE: &str = "application/mcp-server-card+json";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const TITLE: &str = "Assay";
/// At most a hundred characters.
const DESCRIPTION: &str =
    "Engine systems of TS, RA2 and YR as callable functions, checked against golden cases.";

/// The card.
pub fn card(site: Site<'_>) -> String {
    let mut remote = json!({
        "type": "streamable-http",
        "url": format!("{}/mcp", site.origin),
        "supportedProtocolVersions": mcp::versions(),
    });
    if site.token {
        remote["headers"] = json!([{
            "name": "Authorization", "description": "Bearer and the token.", "isRequired": true, "isSecret": true,
        }]);
    }
    let namespace = namespace(site.origin);
    let tools: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
    let card = json!({
        "$schema": SCHEMA,
        "name": format!("{namespace}/assay"),
        "title": TITLE,
        "description": DESCRIPTION,
        "version": env!("CARGO_PKG_VERSION"),
        "remotes": [remote],
        "_meta": { format!("{namespace}/tools"): tools },
    });
    pretty(&card)
}

/// A catalog with the card as its one entry.
pub fn catalog(site: Site<'_>, version: &str) -> String {
    let catalog = json!({
        "specVersion": version,
        "entries": [{
            "identifier": format!("urn:air:{}:assay", publisher(site.origin)),
            "displayName": TITLE,
            "type": MEDIA_TYPE,
            "url": format!("{}/mcp/server-card", site.origin),
        }],
    });
    pretty(&catalog)
}

fn pretty(document: &Value) -> String {
    format!("{document:#}\n")
}

/// The domain that publishes; `localhost` where there is none.
fn publisher(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, authority)| authority);
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    // The last label of a domain is never a number, that of an address is.
    let top = host.rsplit('.').next().unwrap_or_default();
    let domain = host.split('.').all(label) && top.bytes().any(|byte| byte.is_ascii_alphabetic());
    if domain { host } else { "localhost" }
}

/// The same in reverse, as names in cards have it.
fn namespace(origin: &str) -> String {
    publisher(origin).rsplit('.').collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_domain_and_addresses_are_local() {
        for (origin, publisher_is, namespace_is) in [
            ("https://assay.example.com", "assay.example.com", "com.example.assay"),
            ("http://assay.example.com:8080", "assay.example.com", "com.example.assay"),
            ("http://localhost:8080", "localhost", "localhost"),
            ("http://127.0.0.1:8080", "localhost", "localhost"),
            ("http://[::1]:8080", "localhost", "localhost"),
            ("http://a b/", "localhost", "localhost"),
        ] {
            assert_eq!(publisher(origin), publisher_is, "{origin}");
            assert_eq!(namespace(origin), namespace_is, "{origin}");
        }
        assert!(DESCRIPTION.len() <= 100);
    }
}
