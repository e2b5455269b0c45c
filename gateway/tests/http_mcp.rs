//! MCP over Streamable HTTP, in the manner of clients of all five revisions.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::http::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::http::{ACCEPT, ALL_REVISIONS, JSON, Server, initialize, modern, request};
use support::synthetic::synthetic;

const NULL: Value = Value::Null;

fn small(settings: Settings) -> Server {
    Server::over(Arc::new(synthetic(20)), settings)
}

fn run(damage: i64) -> Value {
    json!({ "name": "run_capability",
        "arguments": { "name": "compute_ore_ore_0", "arguments": { "damage": damage } } })
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn every_revision_lists_and_calls_on_one_endpoint() {
    let server = small(Settings::default());
    for version in ALL_REVISIONS {
        let session = (version < "2026-07-28").then(|| server.session(version));
        let ask = |method: &str, params: Value| match &session {
            Some(session) => session.ask(method, params),
            None => server.modern(method, params),
        };
        let listed = ask("tools/list", json!({}));
        assert_eq!(
            (listed.status, listed.header("content-type")),
            (200, Some("application/json")),
            "{version}"
        );
        assert_eq!(names(&listed.json()).len(), 4);
        assert_eq!(listed.json()["result"].get("resultType").is_some(), session.is_none());
        let called = ask("tools/call", run(5)).json();
        let result = &called["result"];
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text["data"]["breakdown"]["result"], json!(5), "{called}");
        assert_eq!(result.get("structuredContent").is_some(), version >= "2025-06-18", "{version}");
        ask("tools/call", json!({ "name": "delete_everything" })).refused(200, -32602, &json!(7));
        ask("tools/call", json!({ "name": 5 })).refused(200, -32602, &json!(7));
    }
    let discovered = server.modern("server/discover", json!({})).json();
    assert_eq!(discovered["result"]["supportedVersions"].as_array().unwrap().len(), 5);
    server.modern("engine/explode", json!({})).refused(404, -32601, &json!(7));
    server.modern("initialize", json!({})).refused(404, -32601, &json!(7));
}

#[test]
fn a_session_is_issued_checked_and_ended() {
    let server = small(Settings::default());
    let list = request(1, "tools/list", json!({}));
    server.mcp(&[], &list).refused(400, -32600, &json!(1));
    let unknown = ("mcp-session-id", "00000000-0000-4000-8000-000000000000");
    server.mcp(&[unknown], &list).refused(404, -32600, &json!(1));
    let (first, second) = (server.session("2025-06-18"), server.session("2025-11-25"));
    assert_ne!(first.id, second.id);
    let id = ("mcp-session-id", first.id.as_str());
    assert_eq!(server.mcp(&[id], &list).status, 200, "the revision is known from the session");
    server.mcp(&[id, ("mcp-protocol-version", "2025-11-25")], &list).refused(400, -32600, &json!(1));
    server.mcp(&[id, ("mcp-protocol-version", "1999-01-01")], &list).refused(400, -32600, &json!(1));
    let end = |headers: &[(&str, &str)]| server.send("DELETE", "/mcp", headers, b"");
    assert_eq!(end(&[id]).status, 204);
    assert_eq!(end(&[id]).status, 404);
    end(&[]).refused(400, -32600, &NULL);
    assert_eq!(end(&[id, ("mcp-protocol-version", "2026-07-28")]).status, 405);
    server.mcp(&[id], &list).refused(404, -32600, &json!(1));
    assert_eq!(second.ask("tools/list", json!({})).status, 200, "another session goes on");
}

#[test]
fn there_are_no_more_sessions_than_the_limit_and_quiet_ones_expire() {
    // Long enough that none expires while the next is opened.
    let idle = Duration::from_secs(3);
    let server = small(Settings { sessions: 2, session_idle: idle, ..Settings::default() });
    let (first, _second) = (server.session("2025-06-18"), server.session("2025-06-18"));
    let full = server.mcp(&[], &initialize("2025-06-18"));
    full.refused(503, -32600, &json!(0));
    assert!(full.header("retry-after").is_some() && full.header("mcp-session-id").is_none());
    std::thread::sleep(idle + Duration::from_millis(100));
    first.ask("tools/list", json!({})).refused(404, -32600, &json!(7));
    server.session("2025-06-18");
}

#[test]
fn an_initialize_that_fails_opens_nothing() {
    let server = small(Settings { sessions: 1, ..Settings::default() });
    for params in [json!({}), json!({ "protocolVersion": 5 })] {
        let refused = server.mcp(&[], &request(1, "initialize", params));
        assert!(
            refused.json()["error"].is_object() && refused.header("mcp-session-id").is_none(),
            "{refused:?}"
        );
    }
    server.session("2025-06-18");
}

#[test]
fn what_is_no_request_is_refused_in_json_rpc() {
    let server = small(Settings::default());
    let send = |body: &str| server.send("POST", "/mcp", &[JSON, ACCEPT], body.as_bytes());
    for broken in ["", "{", "[1,", "\u{feff}{}", "{\"jsonrpc\":\"2.0\"}}"] {
        send(broken).refused(400, -32700, &NULL);
    }
    server.send("POST", "/mcp", &[JSON, ACCEPT], b"\xff\xfe").refused(400, -32700, &NULL);
    for (wrong, id) in [
        ("1", NULL),
        (r#"{"id":1,"method":"ping"}"#, json!(1)),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a")),
        (r#"{"jsonrpc":"2.0","id":1}"#, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, json!(1)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, NULL),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, NULL),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#, json!(1)),
    ] {
        send(wrong).refused(400, -32600, &id);
    }
    let session = server.session("2025-11-25");
    session.ask("engine/explode", json!({})).refused(200, -32601, &json!(7));
    assert_eq!(session.ask("ping", json!({})).json()["result"], json!({}));
    let list = request(1, "tools/list", json!({})).to_string();
    let own = [("mcp-session-id", session.id.as_str())];
    let plain = |more: &[(&str, &str)]| server.send("POST", "/mcp", &[&own, more].concat(), list.as_bytes());
    plain(&[ACCEPT, ("content-type", "text/plain")]).refused(415, -32600, &json!(1));
    plain(&[JSON, ("accept", "text/html")]).refused(406, -32600, &json!(1));
    let version = ("mcp-protocol-version", "2031-01-01");
    let message = request(1, "tools/list", json!({}));
    assert_eq!(server.mcp(&[version], &message).status, 400);
    let mismatch = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call")];
    server.mcp(&mismatch, &request(1, "tools/list", modern(json!({})))).refused(400, -32020, &json!(1));
    for method in ["GET", "HEAD", "PUT", "PATCH"] {
        let refused = server.send(method, "/mcp", &[ACCEPT], b"");
        assert_eq!((refused.status, refused.header("allow")), (405, Some("POST, DELETE")), "{method}");
    }
}

#[test]
fn batches_belong_to_one_revision_and_are_answered_in_order() {
    let server = small(Settings::default());
    let batch = json!([
        request(1, "tools/call", run(1)),
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        5,
        request(2, "tools/call", json!({ "name": "verify_spec", "arguments": {}, "_meta": { "progressToken": 1 } })),
        { "jsonrpc": "2.0", "id": 3 },
        initialize("2025-03-26"),
        request(4, "engine/explode", json!({})),
    ]);
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        server.session(version).send(&batch).refused(400, -32600, &NULL);
    }
    server.mcp(&[("mcp-protocol-version", "2026-07-28")], &batch).refused(400, -32600, &NULL);
    server.mcp(&[], &batch).refused(400, -32600, &NULL);
    let session = server.session("2025-03-26");
    let answer = session.send(&batch).json();
    let seen: Vec<(Value, Value)> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| (reply["id"].clone(), reply["error"]["code"].clone()))
        .collect();
    let code = |id: Value, code: i32| (id, json!(code));
    assert_eq!(
        seen,
        [
            (json!(1), NULL),
            code(NULL, -32600),
            (json!(2), NULL),
            code(json!(3), -32600),
            code(json!(0), -32600),
            code(json!(4), -32601)
        ]
    );
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let quiet = session.send(&json!([note, note]));
    assert_eq!((quiet.status, quiet.body.len()), (202, 0));
    session.send(&json!([])).refused(400, -32600, &NULL);
    session.send(&json!(vec![note; 65])).refused(400, -32600, &NULL);
    assert_eq!(
        session.send(&json!(vec![request(1, "ping", json!({})); 64])).json().as_array().unwrap().len(),
        64
    );
}

#[test]
fn progress_rises_and_comes_at_most_ten_times_a_second() {
    let server = Server::start();
    let call = |token: bool| {
        let mut params = json!({ "name": "verify_spec", "arguments": { "selection": "combat/*" } });
        if token {
            params["_meta"] = json!({ "progressToken": "p" });
        }
        params
    };
    let session = server.session("2025-11-25");
    let quiet = session.ask("tools/call", call(false)).json();
    for modern in [true, false] {
        let started = Instant::now();
        let answer = if modern {
            server.modern("tools/call", call(true))
        } else {
            session.ask("tools/call", call(true))
        };
        let most = started.elapsed().as_millis() / 100 + 2;
        let mut events = answer.events();
        let last = events.pop().unwrap();
        assert_eq!(last["result"]["structuredContent"]["data"], quiet["result"]["structuredContent"]["data"]);
        assert!(!events.is_empty() && events.len() as u128 <= most, "{} of {most}", events.len());
        let mut before = 0.0;
        for event in events {
            assert_eq!(event["method"], json!("notifications/progress"));
            let params = &event["params"];
            let (now, total) = (params["progress"].as_f64().unwrap(), params["total"].as_f64().unwrap());
            assert!(now > before && now <= total && params["progressToken"] == json!("p"), "{event}");
            before = now;
        }
    }
}

const STOPPED: &str = r#"assay_call_duration_seconds_count{outcome="rejected",tool="verify_spec"} "#;

#[test]
fn cancelling_stops_the_work_and_answers_nothing() {
    let server = Server::start();
    let session = server.session("2025-11-25");
    let everything = |id: u64, token: bool| {
        let meta = if token { json!({ "progressToken": 1 }) } else { json!({}) };
        request(id, "tools/call", json!({ "name": "verify_spec", "arguments": {}, "_meta": meta }))
    };
    let own = [JSON, ACCEPT, ("mcp-session-id", session.id.as_str())];
    let open = |message: &Value| {
        let mut connection = server.connect();
        connection.write("POST", "/mcp", &own, message.to_string().as_bytes());
        connection
    };
    let cancel = |id: u64| {
        let params = json!({ "requestId": id });
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }))
    };
    // The one that asks for the metrics is under way as well.
    let under_way = || {
        server.eventually("assay_http_requests_in_flight 2");
        std::thread::sleep(Duration::from_millis(100));
    };
    let mut plain = open(&everything(1, false));
    under_way();
    assert_eq!(cancel(99).status, 202, "what does not run is not cancelled");
    assert_eq!(cancel(1).status, 202);
    assert_eq!(plain.head().unwrap().status, 202);
    server.eventually(&format!("{STOPPED}1"));
    let mut streamed = open(&everything(2, true));
    let mut head = streamed.head().unwrap();
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    assert_eq!(cancel(2).status, 202);
    streamed.body(&mut head);
    assert!(head.events().iter().all(|event| event["method"] == json!("notifications/progress")));
    server.eventually(&format!("{STOPPED}2"));
    // Going away is how clients of the current revision cancel.
    let gone = open(&everything(3, false));
    under_way();
    drop(gone);
    server.eventually(&format!("{STOPPED}3"));
    let mut streamed = open(&everything(4, true));
    streamed.head().unwrap();
    drop(streamed);
    server.eventually(&format!("{STOPPED}4"));
    let mut ended = open(&everything(5, false));
    under_way();
    assert_eq!(server.send("DELETE", "/mcp", &own, b"").status, 204);
    assert_eq!(ended.head().unwrap().status, 202);
    server.eventually(&format!("{STOPPED}5"));
}

#[test]
fn toolsets_limit_what_is_listed_and_called() {
    let server = small(Settings { toolset: "discover,run".parse().unwrap(), ..Settings::default() });
    let ask = |query: &str, method: &str, params: Value| {
        let headers = [JSON, ACCEPT, ("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let headers = [&headers[..], &[("mcp-name", name.as_str())]].concat();
        let body = request(7, method, modern(params)).to_string();
        server.send("POST", &format!("/mcp{query}"), &headers, body.as_bytes())
    };
    let listed = |query: &str| {
        let answer = ask(query, "tools/list", json!({})).json();
        names(&answer).iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(""), ["find_capabilities", "describe_capability", "run_capability"]);
    assert_eq!(listed("?toolsets=run"), ["run_capability"]);
    assert_eq!(listed("?toolsets=run,verify"), ["run_capability"], "a request cannot widen what is offered");
    assert_eq!(listed("?toolsets=run&toolsets=discover").len(), 3);
    assert_eq!(listed("?toolsets=all").len(), 3);
    ask("?toolsets=everything", "tools/list", json!({})).refused(400, -32600, &NULL);
    assert_eq!(ask("", "tools/call", run(2)).status, 200);
    ask("?toolsets=discover", "tools/call", run(2)).refused(200, -32602, &json!(7));
    ask("", "tools/call", json!({ "name": "verify_spec", "arguments": {} })).refused(200, -32602, &json!(7));
}
