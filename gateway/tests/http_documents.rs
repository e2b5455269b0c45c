//! Discovery documents and resources over the real server, also while the checkout behind them changes.

mod support;

use assay_gateway::documents::{PATHS, Site, document, is_public};
use assay_gateway::http::{Settings, Token};
use assay_gateway::snapshot::Gateway;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::http::{JSON, Server};
use support::{bend_vector, gateway, lock, locked_checkout, vectors};

#[test]
fn documents_are_what_the_registry_gives_and_are_not_sent_twice() {
    let server = Server::over(Arc::clone(gateway()), Settings::default());
    let snapshot = gateway().snapshot().unwrap();
    let site = Site { origin: "http://localhost", token: false };
    for path in PATHS {
        let wanted = document(path, &snapshot, site).unwrap();
        let first = server.get(path);
        assert_eq!((first.status, first.text()), (200, wanted.text.as_str()), "{path}");
        assert_eq!(first.header("content-type"), Some(wanted.media_type));
        assert_eq!(first.header("cache-control"), Some(wanted.cache_control));
        let tag = first.header("etag").unwrap().to_owned();
        assert_eq!(tag, wanted.etag());
        for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let again = server.send("GET", path, &[("if-none-match", &known)], b"");
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
        }
        assert_eq!(server.send("GET", path, &[("if-none-match", "\"other\"")], b"").status, 200);
        assert_eq!(server.send("POST", path, &[JSON], b"{}").status, 405, "{path}");
        let elsewhere = server.send("GET", path, &[("host", "evil.example.com")], b"");
        assert_eq!(elsewhere.status, 403, "{path}: {elsewhere:?}");
    }
}

#[test]
fn the_description_of_the_paths_is_not_sent_twice_either() {
    let path = "/api/v1/openapi.json";
    let server = Server::over(Arc::clone(gateway()), Settings::default());
    let first = server.get(path);
    assert_eq!((first.status, first.header("cache-control")), (200, Some("no-cache")));
    let tag = first.header("etag").unwrap();
    let again = server.send("GET", path, &[("if-none-match", tag)], b"");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
    let limited = Settings { toolset: "run".parse().unwrap(), ..Settings::default() };
    let other = Server::over(Arc::clone(gateway()), limited);
    let another = other.send("GET", path, &[("if-none-match", tag)], b"");
    assert!(another.status == 200 && another.header("etag") != Some(tag), "{another:?}");
}

/// What ends TLS in front may pass on the public name or call by its own; documents name the public one both times.
#[test]
fn behind_a_proxy_the_documents_name_the_public_address() {
    let proxied =
        Settings { public_url: Some("https://Assay.example.com/".to_owned()), ..Settings::default() };
    let server = Server::over(Arc::clone(gateway()), proxied);
    for host in ["localhost", "assay.example.com"] {
        let headers = [("host", host), ("origin", "https://assay.example.com")];
        let card = server.send("GET", "/mcp/server-card", &headers, b"");
        assert_eq!(card.json()["remotes"][0]["url"], json!("https://assay.example.com/mcp"), "{card:?}");
        let index = server.send("GET", "/llms.txt", &headers, b"");
        assert!(index.text().contains("(https://assay.example.com/llms-full.txt)"), "{host}");
    }
    let elsewhere = server.send("GET", "/llms.txt", &[("host", "evil.example.com")], b"");
    assert_eq!(elsewhere.status, 403);
}

#[test]
fn who_has_no_token_learns_who_it_is_and_not_what_is_there() {
    let secured = Settings {
        token: Some(Token::new("0123456789abcdef0123456789abcdef").unwrap()),
        ..Settings::default()
    };
    let server = Server::over(Arc::clone(gateway()), secured);
    for path in PATHS {
        let status = server.get(path).status;
        assert_eq!(status, if is_public(path) { 200 } else { 401 }, "{path}");
    }
    let card = server.get("/mcp/server-card").json();
    assert_eq!(card["remotes"][0]["headers"][0]["name"], json!("Authorization"));
}

#[test]
fn resources_are_the_same_on_every_transport() {
    let server = Server::over(Arc::clone(gateway()), Settings::default());
    let session = server.session("2025-11-25");
    let snapshot = gateway().snapshot().unwrap();
    for uri in ["oracle://status", "oracle://capability/compute_damage", "oracle://guide/gate-ci"] {
        let wanted = assay_gateway::resources::read(&snapshot, None, uri).unwrap();
        let old = session.ask("resources/read", json!({ "uri": uri })).json();
        let new = server.modern("resources/read", json!({ "uri": uri })).json();
        for answer in [old, new] {
            assert_eq!(answer["result"]["contents"][0]["text"], json!(wanted.text), "{uri}: {answer}");
        }
    }
    let listed = server.modern("resources/list", json!({})).json();
    assert_eq!(listed["result"]["ttlMs"], json!(0), "{listed}");
}

#[test]
fn a_change_of_the_checkout_reaches_every_route() {
    let folder = tempfile::tempdir().unwrap();
    locked_checkout(folder.path());
    let gateway = Arc::new(Gateway::new(Some(folder.path().to_owned())));
    let _watcher = gateway.watch(|_| (), |_| ()).unwrap();
    let server = Server::over(Arc::clone(&gateway), Settings::default());
    let find = || server.get("/api/v1/capabilities?limit=1").json()["snapshot_sequence"].clone();
    assert_eq!(find(), json!(1));
    let before = server.get("/llms-full.txt");
    bend_vector(folder.path(), &vectors());
    lock(folder.path());
    let started = Instant::now();
    while find() == json!(1) && started.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(find(), json!(2));
    assert_eq!(server.get("/api/v1/health").json()["snapshot_sequence"], json!(2));
    let verified = server.post("/api/v1/tools/verify_spec", &json!({})).json();
    assert_eq!((&verified["result"]["verdict"], &verified["snapshot_sequence"]), (&json!("fail"), &json!(2)));
    let after =
        server.send("GET", "/llms-full.txt", &[("if-none-match", before.header("etag").unwrap())], b"");
    let changed = after.status == 200 && after.text() != before.text();
    // A capability that was only partial before may read the same.
    assert!(changed || (after.status, after.body.len()) == (304, 0), "{after:?}");
    let card = server.get("/mcp/server-card");
    assert_eq!(card.header("etag"), server.get("/.well-known/mcp.json").header("etag"));
}
