//! The built binary over its standard streams, in the manner of old clients and of new ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};
use support::http::modern;
use support::{bend_vector, command, lock, locked_checkout, vectors, worked_example};

struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Session {
    fn start() -> Self {
        Self::with(&["mcp"])
    }

    fn with(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, next: 0 }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&answer["id"], &answer["jsonrpc"]), (&json!(id), &json!("2.0")), "{line}");
        answer
    }

    fn handshake(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "0" });
        let answer = self.ask(
            "initialize",
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }),
        );
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer["result"].clone()
    }

    /// Closes the input; the server must then end by itself.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

fn worked() -> Value {
    json!({ "name": "run_capability", "arguments": { "name": "compute_damage", "arguments": worked_example() } })
}

fn check_worked(answer: &Value) {
    let result = &answer["result"];
    assert_eq!(result["structuredContent"]["data"]["breakdown"]["result"], json!(75), "{answer}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
}

#[test]
fn legacy_revisions_shake_hands_list_and_call() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut session = Session::start();
        let hello = session.handshake(version);
        assert_eq!(hello["protocolVersion"], json!(version));
        assert_eq!(hello["serverInfo"]["name"], json!("assay"));
        assert!(hello["instructions"].as_str().unwrap().len() <= 512);
        let listed = session.ask("tools/list", json!({}));
        assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 4);
        assert!(listed["result"].get("resultType").is_none());
        let called = session.ask("tools/call", worked());
        if version >= "2025-06-18" {
            check_worked(&called);
        } else {
            let text = called["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(
                serde_json::from_str::<Value>(text).unwrap()["data"]["breakdown"]["result"],
                json!(75)
            );
        }
        session.end();
    }
}

#[test]
fn the_current_revision_needs_no_handshake() {
    let mut session = Session::start();
    let found = session.ask("server/discover", modern(json!({})));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert_eq!(versions.len(), 5, "{found}");
    assert_eq!(
        (&found["result"]["ttlMs"], &found["result"]["cacheScope"]),
        (&json!(3_600_000), &json!("public"))
    );
    let listed = session.ask("tools/list", modern(json!({})));
    let result = &listed["result"];
    assert_eq!(result["tools"].as_array().unwrap().len(), 4, "{listed}");
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(3_600_000), &json!("public")));
    assert_eq!(result["resultType"], json!("complete"));
    check_worked(&session.ask("tools/call", modern(worked())));
    let wrong = session.ask("tools/call", modern(json!({ "name": "nothing" })));
    assert_eq!(wrong["error"]["code"], json!(-32602), "{wrong}");
    let unknown = session.ask("initialize", modern(json!({})));
    assert_eq!(unknown["error"]["code"], json!(-32601), "{unknown}");
    session.end();
}

#[test]
fn long_results_are_whole_for_old_clients_and_structured_for_new_ones() {
    let describe = json!({ "name": "describe_capability",
        "arguments": { "name": "compute_damage", "detail": "docs" } });
    let mut session = Session::start();
    session.handshake("2025-11-25");
    let new = session.ask("tools/call", describe.clone());
    session.end();
    let mut session = Session::start();
    session.handshake("2024-11-05");
    let old = session.ask("tools/call", describe);
    session.end();
    let text = |answer: &Value| answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert!(text(&new).len() < 8 * 1024 && text(&old).len() > 8 * 1024);
    assert!(old["result"].get("structuredContent").is_none());
    let whole: Value = serde_json::from_str(&text(&old)).unwrap();
    assert_eq!(whole["data"], new["result"]["structuredContent"]["data"]);
}

#[test]
fn an_input_that_ends_at_once_is_no_failure_and_a_session_cannot_start_in_the_middle() {
    for (first, success) in [("", true), (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false)]
    {
        let mut child = command(&["mcp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.take().unwrap(), "{first}").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.success(), output.stdout.is_empty()), (success, true));
        assert_eq!(String::from_utf8_lossy(&output.stderr).contains("failed to open a session"), !success);
    }
}

#[test]
fn a_checkout_under_watch_is_served_as_it_is_now() {
    let folder = tempfile::tempdir().unwrap();
    locked_checkout(folder.path());
    let root = folder.path().to_str().unwrap();
    let mut session = Session::with(&["mcp", "--watch", "--root", root]);
    session.handshake("2025-11-25");
    let sequence = |session: &mut Session| {
        let found =
            session.ask("tools/call", json!({ "name": "find_capabilities", "arguments": { "limit": 1 } }));
        found["result"]["structuredContent"]["snapshot_sequence"].as_u64().unwrap()
    };
    assert_eq!(sequence(&mut session), 1);
    bend_vector(folder.path(), &vectors());
    lock(folder.path());
    let started = Instant::now();
    while sequence(&mut session) == 1 && started.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(sequence(&mut session), 2);
    let verified = session.ask("tools/call", json!({ "name": "verify_spec", "arguments": {} }));
    assert_eq!(verified["result"]["structuredContent"]["data"]["verdict"], json!("fail"), "{verified}");
    session.end();
    let refused = command(&["mcp", "--watch"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--root"), "{refused:?}");
}

#[test]
fn progress_comes_between_and_a_cancelled_call_ends_early() {
    let mut session = Session::start();
    session.handshake("2025-11-25");
    let verify = |id: u64, selection: &str| {
        let params = json!({ "name": "verify_spec", "arguments": { "selection": selection },
            "_meta": { "progressToken": id } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    };
    let line = |session: &mut Session| -> Value {
        let mut line = String::new();
        session.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    session.send(&verify(51, "math"));
    let (mut told, mut before) = (0, 0.0);
    let counts = loop {
        let message = line(&mut session);
        if message.get("id").is_some() {
            break message["result"]["structuredContent"]["data"]["counts"].clone();
        }
        let params = &message["params"];
        let now = params["progress"].as_f64().unwrap();
        assert!(params["progressToken"] == json!(51) && now > before, "{message}");
        (told, before) = (told + 1, now);
    };
    assert!(told > 0 && counts["pass"].as_u64().unwrap() > 0);
    // All there is takes long enough to be stopped after its first sign of life.
    session.send(&verify(52, ""));
    assert_eq!(line(&mut session)["params"]["progressToken"], json!(52));
    session.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 52 } }),
    );
    session.send(&json!({ "jsonrpc": "2.0", "id": 53, "method": "ping" }));
    let pong = loop {
        let message = line(&mut session);
        // What was cancelled is not answered, or answered with nothing judged.
        assert!(message["id"] != json!(52) || message["result"]["isError"] != json!(false), "{message}");
        if message["id"] == json!(53) {
            break message;
        }
    };
    assert_eq!(pong["result"], json!({}));
    session.end();
}

/// The largest input that a capability takes inline, which HTTP carries too.
#[test]
fn a_message_of_22_mib_is_answered() {
    let mut session = Session::start();
    session.handshake("2025-11-25");
    let bytes = format!("base64:{}", "A".repeat((16 << 20) / 3 * 4));
    let arguments =
        json!({ "name": "asset_sniff", "arguments": { "bytes": bytes }, "response_detail": "summary" });
    let answer = session.ask("tools/call", json!({ "name": "run_capability", "arguments": arguments }));
    assert_eq!(answer["result"]["isError"], json!(false), "{answer}");
    session.end();
}

/// Printed, not gated: a busy machine is not a slow program.
#[test]
fn the_tool_list_does_not_wait_for_the_corpus() {
    let mut best = [Duration::MAX; 2];
    for _ in 0..5 {
        let started = Instant::now();
        let mut session = Session::start();
        session.handshake("2025-11-25");
        session.ask("tools/list", json!({}));
        best[0] = best[0].min(started.elapsed());
        session.ask("tools/call", json!({ "name": "find_capabilities", "arguments": {} }));
        best[1] = best[1].min(started.elapsed());
        session.end();
    }
    println!("spawn to tools/list {:?}, to the first find {:?}", best[0], best[1]);
}
