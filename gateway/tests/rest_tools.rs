//! REST over the real server: the same calls in plain requests.

mod support;

use assay_gateway::http::{Settings, document};
use assay_gateway::surface::Tool;
use assay_gateway::toolset::Toolset;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use support::http::{JSON, Response, Server};
use support::synthetic::synthetic;
use support::{call, worked_example};

/// One server over the embedded corpus for the tests that only ask.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

fn small(settings: Settings) -> Server {
    Server::over(Arc::new(synthetic(20)), settings)
}

/// A reply that fits the schema the document announces for it.
fn checked(path: &str, method: &str, response: &Response) -> Value {
    let body = response.json();
    let document = document(Toolset::ALL, false);
    let responses = &document["paths"][path][method]["responses"];
    let schema = &responses[response.status.to_string()]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{path} does not announce {}", response.status);
    if let Err(error) = jsonschema::validate(schema, &body) {
        panic!("{path} answers against its own schema: {error}");
    }
    body
}

#[test]
fn every_tool_answers_with_the_data_of_the_envelope() {
    let calls = [
        (Tool::Find, json!({ "query": "damage", "limit": 3 })),
        (Tool::Describe, json!({ "name": "compute_damage", "detail": "docs" })),
        (Tool::Run, json!({ "name": "compute_damage", "arguments": worked_example() })),
        (Tool::Verify, json!({ "selection": "combat/compute_damage" })),
    ];
    for (tool, arguments) in calls {
        let path = format!("/api/v1/tools/{}", tool.name());
        let body = checked(&path, "post", &server().post(&path, &arguments));
        let envelope = call(tool, &arguments);
        assert_eq!((&body["ok"], &body["result"]), (&json!(true), &envelope["data"]), "{path}");
        assert_eq!(body["snapshot_sequence"], json!(1));
        assert!(body["ut"].is_u64() && body.get("data").is_none() && body.get("images").is_none());
        let text = body["text"].as_str().unwrap();
        let text: Value = serde_json::from_str(text).unwrap();
        assert_eq!(text["ok"], json!(true));
    }
    let empty = server().send("POST", "/api/v1/tools/find_capabilities", &[], b"");
    assert_eq!((empty.status, &empty.json()["ok"]), (200, &json!(true)), "nothing is an empty object");
}

#[test]
fn wrong_arguments_are_422_and_what_the_domain_refuses_is_200() {
    let server = small(Settings::default());
    let post = |arguments: &Value| {
        let response = server.post("/api/v1/tools/run_capability", arguments);
        let body = checked("/api/v1/tools/run_capability", "post", &response);
        (response.status, body["errno"].clone(), body["outcome"].clone())
    };
    let own = |damage: i32| json!({ "name": "compute_ore_ore_0", "arguments": { "damage": damage } });
    assert_eq!(post(&json!({})), (422, json!("EINVAL"), json!("rejected")));
    assert_eq!(post(&json!([1])), (422, json!("EINVAL"), json!("rejected")));
    assert_eq!(
        post(&own(5000)),
        (422, json!("EINVAL"), json!("rejected")),
        "also the capability's own schema"
    );
    assert_eq!(
        post(&json!({ "name": "nothing", "arguments": "{}" })),
        (200, json!("ENOENT"), json!("rejected"))
    );
    let text = json!({ "name": "compute_ore_ore_0", "arguments": "[1]" });
    assert_eq!(post(&text), (200, json!("EINVAL"), json!("rejected")), "no schema says what the text holds");
    let cursor = server.post("/api/v1/tools/find_capabilities", &json!({ "cursor": "AAAA" }));
    assert_eq!((cursor.status, &cursor.json()["errno"]), (200, &json!("EINVAL")));
    assert_eq!(post(&json!({ "name": "nothing" })), (200, json!("ENOENT"), json!("rejected")));
    assert_eq!(post(&own(-1)), (200, json!("EOPNOTSUPP"), json!("refused")));
    assert_eq!(post(&own(13)), (200, json!("EIO"), json!("failed")));
    let broken = server.post("/api/v1/tools/run_capability", &own(13));
    assert!(!broken.text().contains("secret"), "{broken:?}");
    let listed =
        server.post("/api/v1/tools/find_capabilities", &json!({ "limit": 99, "kind": "magic" })).json();
    let pointers: Vec<&str> =
        listed["errors"].as_array().unwrap().iter().map(|e| e["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/kind", "/limit"]);
}

#[test]
fn transport_errors_are_problem_details() {
    let server = small(Settings { body: 1000, ..Settings::default() });
    let find = "/api/v1/tools/find_capabilities";
    let post = |headers: &[(&str, &str)], body: &str| server.send("POST", find, headers, body.as_bytes());
    for broken in ["{", "{}{}", "nul", r#"{"query":"a","query":"b"}"#, r#"{"query":"\ud800"}"#] {
        post(&[JSON], broken).problem(400, "malformed-json");
    }
    server.send("POST", find, &[JSON], b"{\"query\":\"\xff\"}").problem(400, "malformed-json");
    post(&[JSON], &"[".repeat(900)).problem(400, "malformed-json");
    post(&[("content-type", "text/plain")], "{}").problem(415, "unsupported-media-type");
    post(&[], "{}").problem(415, "unsupported-media-type");
    post(&[JSON], &" ".repeat(1001)).problem(413, "too-large");
    post(&[JSON, ("accept", "text/html, application/json;q=0")], "{}").problem(406, "not-acceptable");
    assert_eq!(post(&[JSON, ("accept", "text/html, application/*;q=0.1")], "{}").status, 200);
    assert_eq!(post(&[("content-type", "Application/JSON; charset=utf-8")], "{}").status, 200);
    server.post("/api/v1/tools/delete_everything", &json!({})).problem(404, "not-found");
    server.get("/api/v1/tools/%ff").problem(405, "method-not-allowed");
    server.post("/api/v1/tools/%ff", &json!({})).problem(400, "malformed-request");
    server.get("/api/v2").problem(404, "not-found");
    server.get("/api/v1/tools?format=xml").problem(400, "malformed-request");
    server.get("/api/v1/tools?toolsets=none").problem(400, "malformed-request");
    let wrong = server.get(find);
    wrong.problem(405, "method-not-allowed");
    assert_eq!(wrong.header("allow"), Some("POST"));
    let explained = server.get(wrong.json()["type"].as_str().unwrap());
    assert_eq!(explained.status, 200);
}

#[test]
fn tools_are_listed_as_mcp_and_as_functions() {
    let listed = server().get("/api/v1/tools").json();
    let mcp = server().modern("tools/list", json!({})).json();
    assert_eq!(listed["tools"], mcp["result"]["tools"], "one list, two transports");
    let functions = server().get("/api/v1/tools?format=openai").json();
    for (function, tool) in functions["tools"].as_array().unwrap().iter().zip(Tool::ALL) {
        assert_eq!(function["type"], json!("function"));
        let function = &function["function"];
        assert_eq!(function["name"], json!(tool.name()));
        assert_eq!((&function["parameters"], &function["strict"]), (&tool.input_schema(), &json!(false)));
    }
}

#[test]
fn capabilities_are_projections_of_find_describe_and_run() {
    let path = "/api/v1/capabilities";
    let all = checked(path, "get", &server().get("/api/v1/capabilities?limit=25"));
    assert_eq!(all["result"], call(Tool::Find, &json!({ "limit": 25 }))["data"]);
    let some =
        server().get("/api/v1/capabilities?query=how%20far&area=combat&games=YR,TS&games=RA2&limit=2").json();
    let arguments = json!({ "query": "how far", "area": "combat", "games": ["YR", "TS", "RA2"], "limit": 2 });
    assert_eq!(some["result"], call(Tool::Find, &arguments)["data"]);
    let none = server().get("/api/v1/capabilities?games=&limit=1");
    assert_eq!(none.json()["result"], call(Tool::Find, &json!({ "games": [], "limit": 1 }))["data"]);
    for wrong in ["?limit=ten", "?limit=26", "?colour=red", "?games=C64"] {
        assert_eq!(server().get(&format!("{path}{wrong}")).status, 422, "{wrong}");
    }
    let one = "/api/v1/capabilities/{name}";
    let described = server().get("/api/v1/capabilities/compute_damage?detail=evidence");
    let arguments = json!({ "name": "compute_damage", "detail": "evidence" });
    assert_eq!(checked(one, "get", &described)["result"], call(Tool::Describe, &arguments)["data"]);
    let ran = server().post("/api/v1/capabilities/compute_damage?response_detail=full", &worked_example());
    let arguments =
        json!({ "name": "compute_damage", "arguments": worked_example(), "response_detail": "full" });
    assert_eq!(checked(one, "post", &ran)["result"], call(Tool::Run, &arguments)["data"]);
    for missing in [
        server().get("/api/v1/capabilities/compute_damag"),
        server().post("/api/v1/capabilities/compute_damag?name=compute_damage", &json!({})),
    ] {
        assert_eq!((missing.status, missing.json()["nearest"][0].clone()), (404, json!("compute_damage")));
    }
    assert_eq!(server().post("/api/v1/capabilities/compute_damage", &json!([])).status, 422);
}

#[test]
fn the_server_says_how_it_is() {
    let server = small(Settings::default());
    let health = checked("/api/v1/health", "get", &server.get("/api/v1/health"));
    assert_eq!((&health["status"], &health["capabilities"]), (&json!("ready"), &json!(20)));
    let nowhere = std::env::temp_dir().join("no-checkout-is-here");
    let failing =
        Server::over(Arc::new(assay_gateway::snapshot::Gateway::new(Some(nowhere))), Settings::default());
    let answer = failing.post("/api/v1/tools/find_capabilities", &json!({})).json();
    assert_eq!((&answer["errno"], &answer["snapshot_sequence"]), (&json!("EIO"), &json!(0)));
    let health = failing.get("/api/v1/health");
    assert_eq!((health.status, &health.json()["status"]), (503, &json!("failing")));
}

#[test]
fn toolsets_limit_what_is_listed_called_and_described() {
    let server = small(Settings { toolset: "discover".parse().unwrap(), ..Settings::default() });
    let listed = server.get("/api/v1/tools?toolsets=all").json();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 2);
    let run = json!({ "name": "compute_ore_ore_0", "arguments": { "damage": 1 } });
    server.post("/api/v1/tools/run_capability?toolsets=run", &run).problem(404, "not-found");
    server.post("/api/v1/capabilities/compute_ore_ore_0", &json!({ "damage": 1 })).problem(404, "not-found");
    assert_eq!(server.get("/api/v1/capabilities/compute_ore_ore_0").status, 200);
    let narrowed = "/api/v1/tools/find_capabilities?toolsets=run";
    server.post(narrowed, &json!({})).problem(404, "not-found");
    let document = server.get("/api/v1/openapi.json").json();
    assert!(document["paths"].get("/api/v1/tools/run_capability").is_none());
    assert!(document["paths"]["/api/v1/capabilities/{name}"].get("post").is_none());
}

/// Every `$ref` below a value.
fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn the_document_describes_every_operation_once() {
    let document = server().get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], json!("3.1.1"));
    let paths = document["paths"].as_object().unwrap();
    let mut ids = BTreeSet::new();
    for (path, item) in paths {
        for (method, operation) in
            item.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters")
        {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id), "{id} stands twice");
            assert!(
                operation["summary"].is_string() && operation["responses"]["200"].is_object(),
                "{method} {path}"
            );
        }
    }
    for tool in Tool::ALL {
        let operation = &paths[&format!("/api/v1/tools/{}", tool.name())]["post"];
        assert_eq!(operation["operationId"], json!(tool.name()));
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(*schema, tool.input_schema());
    }
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        assert!(
            document.pointer(reference.strip_prefix('#').unwrap()).is_some(),
            "{reference} leads nowhere"
        );
    }
    assert!(document.get("security").is_none());
    let secured = assay_gateway::http::document(Toolset::ALL, true);
    assert_eq!(secured["security"], json!([{ "token": [] }]));
}
