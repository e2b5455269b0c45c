//! What keeps the server safe, over the real server and the real binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::http::{Settings, Token, serve};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::num::NonZeroU32;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::http::{ACCEPT, Connection, JSON, Response, Server, request};
use support::synthetic::synthetic;
use support::{assay, command, stderr};

const SECRET: &str = "correct-horse-battery-staple";
const ROUTES: [(&str, &str); 8] = [
    ("POST", "/mcp"),
    ("GET", "/api/v1/tools"),
    ("POST", "/api/v1/tools/find_capabilities"),
    ("GET", "/api/v1/capabilities"),
    ("GET", "/api/v1/openapi.json"),
    ("GET", "/metrics"),
    ("GET", "/problems/not-found"),
    ("GET", "/nothing"),
];

fn small(settings: Settings) -> Server {
    Server::over(Arc::new(synthetic(5)), settings)
}

fn slow(wait: u32) -> Value {
    json!({ "name": "compute_ore_ore_0", "arguments": { "damage": 1, "wait": wait } })
}

#[test]
fn every_route_wants_the_token() {
    let server = small(Settings { token: Some(Token::new(SECRET).unwrap()), ..Settings::default() });
    let right = format!("Bearer {SECRET}");
    let ask = |method: &str, path: &str, token: &str| {
        server.send(method, path, &[JSON, ACCEPT, ("authorization", token)], b"{}")
    };
    for (method, path) in ROUTES {
        let without = server.send(method, path, &[JSON, ACCEPT], b"{}");
        without.problem(401, "unauthorized");
        assert_eq!(without.header("www-authenticate"), Some(r#"Bearer realm="assay""#));
        let wrong = ask(method, path, "Bearer correct-horse-battery-stapl3");
        wrong.problem(401, "unauthorized");
        assert!(wrong.header("www-authenticate").unwrap().contains("invalid_token"));
        let admitted = ask(method, path, &right).status;
        assert!(admitted == 200 || admitted == 400 || admitted == 404, "{path} gives {admitted}");
    }
    assert_eq!(server.get("/api/v1/health").status, 200);
    let document = ask("GET", "/api/v1/openapi.json", &right).json();
    assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], json!("bearer"));
}

#[test]
fn beyond_this_machine_nothing_is_served_without_a_token() {
    let settings = || Settings { address: "0.0.0.0:0".parse().unwrap(), ..Settings::default() };
    let gateway = Arc::new(synthetic(1));
    let refused = serve(gateway, settings(), |_| unreachable!("it must not listen"), std::future::ready(()));
    let message = refused.unwrap_err();
    assert!(message.contains("needs a bearer token"), "{message}");
    let output = assay(&["serve", "--http", "0.0.0.0:0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("failed to listen on 0.0.0.0:0"), "{}", stderr(&output));
    let secured = Settings { token: Some(Token::new(SECRET).unwrap()), ..settings() };
    let server = small(secured);
    let mut here = Connection::to(([127, 0, 0, 1], server.address.port()).into());
    assert_eq!(here.send("GET", "/api/v1/health", &[], b"").status, 200);
}

#[test]
fn foreign_names_and_pages_are_refused_on_every_route() {
    let server = small(Settings { origins: vec!["https://app.example".to_owned()], ..Settings::default() });
    for (method, path) in ROUTES.into_iter().chain([("GET", "/api/v1/health"), ("OPTIONS", "/mcp")]) {
        let ask =
            |headers: &[(&str, &str)]| server.send(method, path, &[&[JSON, ACCEPT], headers].concat(), b"{}");
        ask(&[("host", "evil.example")]).problem(403, "forbidden-host");
        ask(&[("host", "localhost"), ("host", "localhost")]).problem(400, "malformed-request");
        ask(&[("origin", "http://evil.example")]).problem(403, "forbidden-origin");
        ask(&[("origin", "null")]).problem(403, "forbidden-origin");
        let admitted = ask(&[("host", "127.0.0.1:1"), ("origin", "https://app.example")]);
        assert_ne!(admitted.status, 403, "{path}");
        let allowed = admitted.header("access-control-allow-origin");
        assert_eq!(allowed, Some("https://app.example"), "{path}");
    }
    let asked = [
        ("origin", "http://localhost:3000"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,mcp-session-id"),
    ];
    let preflight = server.send("OPTIONS", "/mcp", &asked, b"");
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-headers"), Some("content-type,mcp-session-id"));
    assert!(
        preflight
            .header("access-control-expose-headers")
            .is_none_or(|names| names.contains("mcp-session-id"))
    );
}

#[test]
fn bodies_above_the_limit_are_refused_on_every_transport() {
    let server = small(Settings { body: 4096, ..Settings::default() });
    let long = vec![b' '; 4097];
    server.send("POST", "/mcp", &[JSON, ACCEPT], &long).refused(413, -32600, &Value::Null);
    for path in ["/api/v1/tools/run_capability", "/api/v1/capabilities/compute_ore_ore_0"] {
        server.send("POST", path, &[JSON], &long).problem(413, "too-large");
    }
    // One that does not say its length is stopped while it comes.
    let mut connection = server.connect();
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                accept: application/json, text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    connection.stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..5 {
        connection.stream.write_all(format!("400\r\n{}\r\n", " ".repeat(0x400)).as_bytes()).unwrap();
    }
    assert_eq!(connection.head().unwrap().status, 413);
}

#[test]
fn the_usual_limit_is_24_mib_and_inputs_of_that_size_arrive() {
    let server = small(Settings::default());
    let padded = |length: usize| {
        let mut body = br#"{"limit":1}"#.to_vec();
        body.resize(length, b' ');
        server.send("POST", "/api/v1/tools/find_capabilities", &[JSON], &body)
    };
    assert_eq!(padded(24 << 20).status, 200);
    padded((24 << 20) + 1).problem(413, "too-large");
}

#[test]
fn too_many_requests_are_told_when_to_come_again() {
    let server = small(Settings { rate: NonZeroU32::new(5), ..Settings::default() });
    let answers: Vec<Response> = (0..40).map(|_| server.get("/api/v1/tools")).collect();
    let refused: Vec<&Response> = answers.iter().filter(|answer| answer.status != 200).collect();
    assert!(answers[..10].iter().all(|answer| answer.status == 200), "a burst is let through");
    assert!(!refused.is_empty());
    for answer in refused {
        answer.problem(429, "too-many-requests");
        assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    }
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(server.get("/api/v1/tools").status, 200);
}

#[test]
fn more_requests_at_a_time_than_there_are_places_are_turned_away() {
    let server = small(Settings { requests: 2, ..Settings::default() });
    let mut busy: Vec<Connection> = (0..2).map(|_| server.connect()).collect();
    for connection in &mut busy {
        let body = slow(3000).to_string();
        connection.write("POST", "/api/v1/tools/run_capability", &[JSON], body.as_bytes());
    }
    // Whoever looked whether both have a place would take one from them.
    std::thread::sleep(Duration::from_secs(1));
    let turned = server.get("/api/v1/tools");
    turned.problem(503, "overloaded");
    assert_eq!(turned.header("retry-after"), Some("1"));
    for connection in &mut busy {
        assert_eq!(connection.head().unwrap().status, 200);
    }
    assert_eq!(server.get("/api/v1/tools").status, 200, "the places were given back");
}

#[test]
fn heavy_calls_leave_the_light_ones_quick() {
    let server = small(Settings::default());
    let mut busy: Vec<Connection> = (0..16).map(|_| server.connect()).collect();
    for connection in &mut busy {
        let body = slow(300).to_string();
        connection.write("POST", "/api/v1/tools/run_capability", &[JSON], body.as_bytes());
    }
    std::thread::sleep(Duration::from_millis(100));
    let started = Instant::now();
    assert_eq!(server.post("/api/v1/tools/find_capabilities", &json!({})).status, 200);
    assert_eq!(server.get("/api/v1/health").status, 200);
    let light = started.elapsed();
    for connection in &mut busy {
        assert_eq!(connection.head().unwrap().status, 200);
    }
    let heavy = started.elapsed();
    assert!(light * 2 < heavy, "the light ones took {light:?}, the heavy ones {heavy:?}");
}

#[test]
fn slow_and_silent_callers_are_cut_off() {
    let limit = Duration::from_millis(300);
    let server = small(Settings { header_timeout: limit, request_timeout: limit, ..Settings::default() });
    let cut_off = |said: &str| {
        let mut connection = server.connect();
        connection.stream.write_all(said.as_bytes()).unwrap();
        let started = Instant::now();
        let mut rest = Vec::new();
        // Reset or closed: both are an end.
        let _ = connection.stream.read_to_end(&mut rest);
        assert!(started.elapsed() < Duration::from_secs(20), "{said:?} was left open");
        String::from_utf8(rest).unwrap()
    };
    assert_eq!(cut_off(""), "");
    let half = cut_off("GET /api/v1/health HTTP/1.1\r\nhost: local");
    assert!(half.is_empty() || half.starts_with("HTTP/1.1 408"), "{half}");
    let idle = cut_off("GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(idle.starts_with("HTTP/1.1 200"), "{idle}");
    let body = "POST /api/v1/tools/find_capabilities HTTP/1.1\r\nhost: localhost\r\n\
                content-type: application/json\r\ncontent-length: 10\r\n\r\n{";
    let late = cut_off(body);
    assert!(late.starts_with("HTTP/1.1 503") && late.contains("/problems/timed-out"), "{late}");
    server.post("/api/v1/tools/run_capability", &slow(5000)).problem(503, "timed-out");
}

#[test]
fn a_caller_that_does_not_read_is_cut_off() {
    let server = small(Settings { write_timeout: Duration::from_millis(300), ..Settings::default() });
    let mut deaf = server.connect();
    deaf.stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    // More replies than the buffers of both ends hold.
    for _ in 0..2000 {
        deaf.write("GET", "/api/v1/openapi.json", &[], b"");
    }
    server.eventually("assay_http_connections 1");
    drop(deaf);
}

#[test]
fn a_head_that_never_ends_is_refused() {
    let server = small(Settings::default());
    let mut connection = server.connect();
    let long = format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "y".repeat(400_000));
    let _ = connection.stream.write_all(long.as_bytes());
    // The refusal may be lost when the connection is reset under what is still on its way.
    assert!(connection.head().is_none_or(|head| head.status == 431));
}

#[test]
fn connections_beyond_the_limit_wait_for_a_place() {
    let server = small(Settings { connections: 1, ..Settings::default() });
    let first = server.connect();
    let mut second = server.connect();
    second.stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    second.write("GET", "/api/v1/health", &[], b"");
    assert!(second.head().is_none(), "there was no place");
    drop(first);
    second.stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(second.head().unwrap().status, 200);
}

#[test]
fn what_is_under_way_finishes_before_the_end() {
    let mut server = small(Settings::default());
    let mut busy = server.connect();
    busy.write("POST", "/api/v1/tools/run_capability", &[JSON], slow(2000).to_string().as_bytes());
    // The one that asks for the metrics is under way as well.
    server.eventually("assay_http_requests_in_flight 2");
    server.stop();
    let mut answer = busy.head().unwrap();
    busy.body(&mut answer);
    assert_eq!((answer.status, &answer.json()["ok"]), (200, &json!(true)));
    server.join();
    assert!(std::net::TcpStream::connect(server.address).is_err());
}

#[test]
fn the_end_does_not_wait_longer_than_the_deadline() {
    let mut server = small(Settings { shutdown: Duration::from_millis(200), ..Settings::default() });
    let mut busy = server.connect();
    busy.write("POST", "/api/v1/tools/run_capability", &[JSON], slow(30_000).to_string().as_bytes());
    server.eventually("assay_http_requests_in_flight 2");
    let started = Instant::now();
    server.stop();
    server.join();
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

#[test]
fn metrics_are_prometheus_text_and_bounded() {
    let server = small(Settings::default());
    for n in 0..20 {
        server.get(&format!("/made-up/{n}"));
        server.send(&format!("MADE{n}"), "/api/v1/health", &[], b"");
    }
    server.post("/api/v1/tools/find_capabilities", &json!({}));
    let metrics = server.get("/metrics");
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4"));
    for line in metrics.text().lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("assay_") && value.parse::<f64>().is_ok(), "{line}");
    }
    let has = |line: &str| metrics.text().lines().any(|known| known == line);
    assert!(has(r#"assay_http_requests_total{method="GET",route="none",status="404"} 20"#));
    assert!(has(r#"assay_http_requests_total{method="other",route="/api/v1/health",status="405"} 20"#));
    assert!(has(r#"assay_call_duration_seconds_count{outcome="ok",tool="find_capabilities"} 1"#));
    assert!(has("assay_snapshot_sequence 1"));
    assert!(metrics.body.len() < 16 * 1024);
}

/// `assay serve` and the address that its log names.
fn spawn(
    arguments: &[&str],
    prepare: impl FnOnce(&mut Command),
) -> (Child, BufReader<ChildStderr>, Connection) {
    let mut command = command(&[&["serve", "--http", "127.0.0.1:0"], arguments].concat());
    prepare(&mut command);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    let event: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let connection = Connection::to(event["address"].as_str().unwrap().parse().unwrap());
    (child, log, connection)
}

#[cfg(unix)]
#[test]
fn the_binary_serves_logs_without_secrets_and_ends_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, SECRET).unwrap();
    let (mut child, mut log, mut connection) =
        spawn(&["--token-file", file.to_str().unwrap(), "--toolsets", "discover"], |command| {
            command.env("ASSAY_LOG", "trace");
        });
    let right = format!("Bearer {SECRET}");
    let list = request(1, "tools/list", json!({ "note": "in-the-body" })).to_string();
    let headers = [JSON, ACCEPT, ("authorization", right.as_str())];
    assert_eq!(connection.send("POST", "/mcp?key=in-the-query", &headers, list.as_bytes()).status, 400);
    let tools = connection.send("GET", "/api/v1/tools", &headers, b"").json();
    assert_eq!(tools["tools"].as_array().unwrap().len(), 2);
    let wrong = [("authorization", "Bearer another-secret-word")];
    assert_eq!(connection.send("GET", "/api/v1/tools", &wrong, b"").status, 401);
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut lines = String::new();
    log.read_to_string(&mut lines).unwrap();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<&Value> = events.iter().filter(|event| event["message"] == json!("request")).collect();
    let statuses: Vec<&Value> = requests.iter().map(|event| &event["status"]).collect();
    assert_eq!(statuses, [&json!(400), &json!(200), &json!(401)], "{lines}");
    assert!(requests.iter().all(|event| event["id"].is_string() && event["micros"].is_u64()));
    for secret in [SECRET, "another-secret-word", "in-the-query", "in-the-body"] {
        assert!(!lines.contains(secret), "{secret} is in the log");
    }
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "", "standard output is for results");
}

#[test]
fn the_token_of_the_environment_counts_and_a_bad_one_stops_the_start() {
    let (mut child, _log, mut connection) = spawn(&[], |command| {
        command.env("ASSAY_TOKEN", SECRET);
    });
    assert_eq!(connection.send("GET", "/api/v1/tools", &[], b"").status, 401);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut short = command(&["serve", "--http", "127.0.0.1:0"]);
    let output = short.env("ASSAY_TOKEN", "too-short").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("failed to use the token") && !stderr(&output).contains("too-short"));
    for wrong in [
        &["serve", "--http", "nowhere"][..],
        &["serve", "--toolsets", "everything"],
        &["serve", "--token-file", "x"],
        &["serve", "--http", "127.0.0.1:0", "--allow-origin", "app.example"],
    ] {
        assert_eq!(assay(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn without_an_address_it_serves_standard_input_and_output() {
    let mut child = command(&["serve", "--toolsets", "verify"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let list = request(1, "tools/list", support::http::modern(json!({})));
    writeln!(child.stdin.take().unwrap(), "{list}").unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tools = answer["result"]["tools"].as_array().unwrap();
    assert_eq!((tools.len(), &tools[0]["name"]), (1, &json!("verify_spec")));
}
