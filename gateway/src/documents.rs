//! What a machine reads before it connects: `llms.txt`, the server card and the catalogs that lead to it. All of it comes
//! from the registry, and the same snapshot gives the same bytes: neither clock nor sequence number is in them.

mod card;
mod llms;

use crate::snapshot::Snapshot;

/// Where the gateway is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site<'a> {
    /// Scheme and authority without a slash at the end: `https://assay.example.com`.
    pub origin: &'a str,
    /// Whether a bearer token is needed.
    pub token: bool,
}

/// A finished document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its media type, with the character set where that is not fixed.
    pub media_type: &'static str,
    /// Value of `Cache-Control`. What a new snapshot may change is asked for again each time.
    pub cache_control: &'static str,
    /// The text.
    pub text: String,
}

/// Paths of all documents, aliases included.
pub const PATHS: [&str; 7] = [
    "/llms.txt",
    "/llms-full.txt",
    "/mcp/server-card",
    "/.well-known/mcp.json",
    "/.well-known/mcp/server-card",
    "/.well-known/mcp/catalog.json",
    "/.well-known/ai-catalog.json",
];

/// The constants of a binary may be kept for an hour.
const CONSTANT: &str = "public, max-age=3600";
/// Anything else is asked for again, which costs nothing while its tag fits.
const LIVE: &str = "no-cache";

impl Document {
    /// One in JSON that may be another at the next start.
    #[must_use]
    pub const fn json(text: String) -> Self {
        Self { media_type: "application/json", cache_control: LIVE, text }
    }

    /// A strong entity tag, quotes included.
    #[must_use]
    pub fn etag(&self) -> String {
        format!("\"{}\"", &blake3::hash(self.text.as_bytes()).to_hex()[..32])
    }
}

/// Whether the document at a path says only who and where, so that whoever has no token yet may read it.
#[must_use]
pub fn is_public(path: &str) -> bool {
    PATHS.contains(&path) && !path.starts_with("/llms")
}

/// The document at a path.
#[must_use]
pub fn document(path: &str, snapshot: &Snapshot, site: Site<'_>) -> Option<Document> {
    let (media_type, cache_control, text) = match path {
        "/llms.txt" => ("text/plain; charset=utf-8", LIVE, llms::short(snapshot, site)),
        "/llms-full.txt" => ("text/plain; charset=utf-8", LIVE, llms::full(snapshot, site)),
        "/mcp/server-card" | "/.well-known/mcp.json" | "/.well-known/mcp/server-card" => {
            (card::MEDIA_TYPE, CONSTANT, card::card(site))
        }
        "/.well-known/mcp/catalog.json" => ("application/json", CONSTANT, card::catalog(site, "draft")),
        "/.well-known/ai-catalog.json" => ("application/json", CONSTANT, card::catalog(site, "1.0")),
        _ => return None,
    };
    Some(Document { media_type, cache_control, text })
}
