//! Discovery documents: from the registry alone, the same bytes each time, and in the shape that clients expect.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::corpus::Corpus;
use assay_gateway::documents::{Document, PATHS, Site, document};
use assay_gateway::mcp::tools;
use assay_gateway::services;
use assay_gateway::snapshot::Snapshot;
use assay_gateway::surface::INSTRUCTIONS;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::gateway;

const SITE: Site<'_> = Site { origin: "https://assay.example.com", token: false };

fn get(path: &str) -> Document {
    document(path, &gateway().snapshot().unwrap(), SITE).unwrap()
}

fn read(path: &str) -> Value {
    serde_json::from_str(&get(path).text).unwrap()
}

#[test]
fn the_same_snapshot_gives_the_same_bytes_and_so_does_another_of_the_same_corpus() {
    let again = Snapshot::new(assay_ports::ALL, &Corpus::open(None).unwrap(), 7);
    let mut tags = BTreeSet::new();
    for path in PATHS {
        let one = get(path);
        assert_eq!(document(path, &again, SITE).unwrap(), one, "{path}");
        assert!(one.etag().len() == 34 && one.etag().starts_with('"') && one.etag().ends_with('"'));
        assert!(one.text.ends_with('\n'), "{path}");
        tags.insert(one.etag());
    }
    // The card has three addresses.
    assert_eq!(tags.len(), PATHS.len() - 2);
    let snapshot = gateway().snapshot().unwrap();
    assert_eq!(document("/robots.txt", &snapshot, SITE), None);
    let elsewhere = Site { origin: "http://127.0.0.1:1", ..SITE };
    assert_ne!(document("/llms.txt", &snapshot, elsewhere).unwrap().etag(), get("/llms.txt").etag());
}

#[test]
fn the_card_says_who_and_where_and_lists_no_tools_of_its_own_accord() {
    let card = read("/mcp/server-card");
    assert_eq!(card["name"], json!("com.example.assay/assay"));
    assert_eq!(
        (&card["remotes"][0]["type"], &card["remotes"][0]["url"]),
        (&json!("streamable-http"), &json!("https://assay.example.com/mcp"))
    );
    assert_eq!(card["remotes"][0]["supportedProtocolVersions"].as_array().unwrap().len(), 5);
    assert!(card["remotes"][0].get("headers").is_none());
    assert!(card["description"].as_str().unwrap().len() <= 100);
    for key in ["tools", "resources", "prompts", "capabilities"] {
        assert!(card.get(key).is_none(), "{key}");
    }
    let names: Vec<String> = tools().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(card["_meta"]["com.example.assay/tools"], json!(names));
    for alias in ["/.well-known/mcp.json", "/.well-known/mcp/server-card"] {
        assert_eq!(get(alias), get("/mcp/server-card"));
    }
    assert_eq!(get("/mcp/server-card").media_type, "application/mcp-server-card+json");
    let guarded = document("/mcp/server-card", &gateway().snapshot().unwrap(), Site { token: true, ..SITE });
    let guarded: Value = serde_json::from_str(&guarded.unwrap().text).unwrap();
    let header = &guarded["remotes"][0]["headers"][0];
    assert_eq!((&header["name"], &header["isSecret"]), (&json!("Authorization"), &json!(true)));
}

#[test]
fn the_catalogs_lead_to_the_card() {
    for path in ["/.well-known/mcp/catalog.json", "/.well-known/ai-catalog.json"] {
        let catalog = read(path);
        let entries = catalog["entries"].as_array().unwrap();
        assert_eq!((entries.len(), &entries[0]["type"]), (1, &json!("application/mcp-server-card+json")));
        assert_eq!(entries[0]["identifier"], json!("urn:air:assay.example.com:assay"));
        let url = entries[0]["url"].as_str().unwrap().strip_prefix(SITE.origin).unwrap();
        assert!(PATHS.contains(&url), "{url}");
    }
}

#[test]
fn llms_txt_links_everything_and_the_full_one_says_it() {
    let (short, full) = (get("/llms.txt").text, get("/llms-full.txt").text);
    for text in [&short, &full] {
        assert!(text.starts_with(&format!("# Assay\n\n> {INSTRUCTIONS}\n")), "{}", &text[..200]);
    }
    for entry in gateway().snapshot().unwrap().registry().entries() {
        let (name, summary) = (entry.name(), entry.port.meta().summary);
        let link = format!("- [{name}]({}/api/v1/capabilities/{name}): {summary}\n", SITE.origin);
        assert_eq!(short.matches(&link).count(), 1, "{name}");
        assert_eq!(full.matches(&format!("### {name}\n")).count(), 1, "{name}");
        assert!(full.contains(entry.port.meta().example), "{name}");
        for argument in entry.input_schema["properties"].as_object().unwrap().keys() {
            assert!(full.contains(&format!("- argument `{argument}`: ")), "{name} {argument}");
        }
    }
    for service in services::ALL {
        assert!(short.contains(&format!("- [{}](", service.name)));
    }
    // Every line of the index is a heading, a quotation, a list item with a link or a tool, or empty.
    for line in short.lines().filter(|line| !line.is_empty()) {
        assert!(
            ["# ", "## ", "> ", "- ["].iter().any(|start| line.starts_with(start)) || line.starts_with("- "),
            "{line}"
        );
    }
    println!("llms.txt {} bytes, llms-full.txt {} bytes", short.len(), full.len());
}
