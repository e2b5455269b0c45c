//! The same few bytes before any question, and the same answers, on every transport and for every catalog.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::http::Settings;
use assay_gateway::snapshot::Gateway;
use assay_gateway::surface::INSTRUCTIONS;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use support::http::{ACCEPT, ALL_REVISIONS, JSON, Server, initialize, modern, request};
use support::synthetic::synthetic;
use support::{command, worked_example};

/// Bytes of a reply to `tools/list`, so that they only shrink; the promise is 12 KiB.
const RATCHET: usize = 6 * 1024;

/// The binary over its standard streams, after a handshake unless the revision needs none.
struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    modern: bool,
}

impl Pipe {
    fn start(version: &str) -> Self {
        let mut child = command(&["serve"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut session = Self { child, input, output, modern: version >= "2026-07-28" };
        if !session.modern {
            session.line(&initialize(version));
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(session.input.as_mut().unwrap(), "{ready}").unwrap();
        }
        session
    }

    fn line(&mut self, message: &Value) -> String {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self, method: &str, params: Value) -> String {
        let params = if self.modern { modern(params) } else { params };
        self.line(&request(7, method, params))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        drop(self.input.take());
        let ended = self.child.wait();
        assert!(std::thread::panicking() || ended.unwrap().success());
    }
}

/// One server over the embedded corpus for the tests that only ask.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

/// The replies of both eras to `tools/list`, byte for byte.
fn listings(server: &Server) -> [String; 2] {
    let session = server.session("2025-11-25");
    let legacy = session.ask("tools/list", json!({})).text().to_owned();
    [legacy, server.modern("tools/list", json!({})).text().to_owned()]
}

#[test]
fn the_list_is_small_and_the_same_bytes_on_every_transport_and_for_every_catalog() {
    let embedded = listings(server());
    for count in [10, 10_000] {
        let server = Server::over(Arc::new(synthetic(count)), Settings::default());
        assert_eq!(listings(&server), embedded, "{count} capabilities");
    }
    for (version, listed) in ["2025-11-25", "2026-07-28"].into_iter().zip(&embedded) {
        assert_eq!(Pipe::start(version).ask("tools/list", json!({})), *listed, "{version}");
        assert!(listed.len() <= RATCHET, "{} bytes", listed.len());
        let answer: Value = serde_json::from_str(listed).unwrap();
        let tools = answer["result"]["tools"].as_array().unwrap();
        let descriptions: usize = tools.iter().map(|tool| tool["description"].as_str().unwrap().len()).sum();
        assert!(tools.len() == 4 && descriptions <= 2048);
    }
    println!("tools/list: {} bytes before 2026-07-28, {} from then on", embedded[0].len(), embedded[1].len());
}

#[test]
fn the_greeting_is_the_same_on_both_transports() {
    let server = server();
    let over_http = server.mcp(&[], &initialize("2025-11-25"));
    assert_eq!(Pipe::start("2026-07-28").line(&initialize("2025-11-25")), over_http.text());
    assert_eq!(over_http.json()["result"]["instructions"], json!(INSTRUCTIONS));
    assert!(INSTRUCTIONS.len() <= 512);
    let discovered = server.modern("server/discover", json!({}));
    assert_eq!(Pipe::start("2026-07-28").ask("server/discover", json!({})), discovered.text());
}

/// The `data` of a reply of MCP.
fn data(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let structured = &answer["result"]["structuredContent"];
    if structured.is_null() {
        return serde_json::from_str::<Value>(text).unwrap()["data"].clone();
    }
    structured["data"].clone()
}

#[test]
fn the_same_call_gives_the_same_data_on_every_transport() {
    let server = server();
    let calls = [
        ("find_capabilities", json!({ "query": "how much does a shell hurt a tank" })),
        ("describe_capability", json!({ "name": "compute_damage", "detail": "docs" })),
        ("run_capability", json!({ "name": "compute_damage", "arguments": worked_example() })),
        ("verify_spec", json!({ "selection": "combat/compute_damage", "detail": "all" })),
    ];
    let [first, .., last] = ALL_REVISIONS;
    let mut streams = [first, last].map(Pipe::start);
    let legacy = ALL_REVISIONS.into_iter().filter(|version| *version != last);
    let sessions: Vec<_> = legacy.map(|version| server.session(version)).collect();
    for (tool, arguments) in calls {
        let params = json!({ "name": tool, "arguments": arguments });
        let expected = server.post(&format!("/api/v1/tools/{tool}"), &arguments).json()["result"].clone();
        assert!(expected.is_object());
        assert_eq!(data(&server.modern("tools/call", params.clone()).json()), expected, "{tool}");
        for session in &sessions {
            let answer = session.ask("tools/call", params.clone()).json();
            assert_eq!(data(&answer), expected, "{tool} in a session of {}", session.version);
        }
        let batch = sessions[1].send(&json!([request(1, "tools/call", params.clone())])).json();
        assert_eq!(data(&batch[0]), expected, "{tool} in a batch");
        for stream in &mut streams {
            let answer = stream.ask("tools/call", params.clone());
            assert_eq!(data(&serde_json::from_str(&answer).unwrap()), expected, "{tool} over stdio");
        }
    }
}

/// Without `TCP_NODELAY` a reply waits 40 ms for an acknowledgement. A busy machine is slow at times, so the best of
/// several runs counts.
#[test]
fn replies_do_not_wait_for_acknowledgements() {
    let server = Server::over(Arc::new(synthetic(100)), Settings::default());
    let list = request(7, "tools/list", modern(json!({}))).to_string();
    let headers = [JSON, ACCEPT, ("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    let best = (0..5)
        .map(|_| {
            let mut connection = server.connect();
            let started = Instant::now();
            for _ in 0..20 {
                assert_eq!(connection.send("POST", "/mcp", &headers, list.as_bytes()).status, 200);
            }
            started.elapsed() / 20
        })
        .min()
        .unwrap();
    println!("a list over a kept connection takes {best:?}");
    assert!(best < Duration::from_millis(10), "{best:?}");
}

/// Printed, not gated.
#[test]
fn the_list_over_http_does_not_wait_for_the_corpus() {
    let started = Instant::now();
    let server = Server::over(Arc::new(Gateway::new(None)), Settings::default());
    assert_eq!(server.modern("tools/list", json!({})).status, 200);
    println!("start to tools/list {:?}", started.elapsed());
    assert_eq!(server.get("/api/v1/health").status, 200);
}
