//! What a client reads before it asks anything stays small, free of provenance, and the same for any catalog.

mod support;

use assay_gateway::mcp::tools;
use assay_gateway::snapshot::Gateway;
use assay_gateway::surface::{INSTRUCTIONS, Tool};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use support::rpc::{ask, handshake};
use support::synthetic::synthetic;
use support::{call_on, gateway};

const NAMES: [&str; 4] = ["find_capabilities", "describe_capability", "run_capability", "verify_spec"];

fn listing(gateway: Arc<Gateway>) -> String {
    let [initialize, initialized] = handshake("2025-11-25");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    ask(gateway, &[initialize, initialized, list]).remove(1)
}

#[test]
fn four_tools_in_order_within_budget() {
    let listed = listing(Arc::new(Gateway::new(None)));
    println!("tools/list is {} bytes", listed.len());
    assert!(listed.len() <= 6 * 1024, "{} bytes", listed.len());
    let answer: Value = serde_json::from_str(&listed).unwrap();
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    let descriptions: usize = tools.iter().map(|tool| tool["description"].as_str().unwrap().len()).sum();
    println!("descriptions are {descriptions} bytes, instructions {}", INSTRUCTIONS.len());
    assert!(descriptions <= 2048 && INSTRUCTIONS.len() <= 512);
    for tool in tools {
        let hints = &tool["annotations"];
        assert_eq!(
            (
                &hints["readOnlyHint"],
                &hints["destructiveHint"],
                &hints["idempotentHint"],
                &hints["openWorldHint"]
            ),
            (&json!(true), &json!(false), &json!(true), &json!(false))
        );
        assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty()));
        assert_eq!(tool["inputSchema"]["additionalProperties"], json!(false));
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert!(jsonschema::draft202012::meta::is_valid(schema));
            assert_eq!(schema["type"], json!("object"));
        }
    }
    assert_eq!(tools.len(), Tool::ALL.len());
}

#[test]
fn always_on_text_names_no_source_of_knowledge() {
    let text = format!("{} {INSTRUCTIONS}", serde_json::to_string(&tools()).unwrap()).to_lowercase();
    for part in [
        "0x",
        "sub_",
        "http",
        ".md",
        ".exe",
        "docs/",
        "/home",
        "corpus/",
        "disassembl",
        "decompil",
        "reverse",
    ] {
        assert!(!text.contains(part), "`{part}` in the always-on text");
    }
    let names = [
        "gamemd", "ghidra", "ida", "vera", "vera20k", "phobos", "ares", "otamaa", "opents", "antares",
        "github",
    ];
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        assert!(!names.contains(&word), "`{word}` in the always-on text");
    }
}

#[test]
fn the_surface_is_the_same_at_ten_and_at_ten_thousand_capabilities() {
    let many = Arc::new(synthetic(10_000));
    let started = Instant::now();
    let found =
        call_on(&many, Tool::Find, &json!({ "query": "what a missile makes of a bridge", "limit": 25 }));
    println!("find among 10,000 takes {:?} with the first verification", started.elapsed());
    assert_eq!(found["data"]["capabilities"].as_array().unwrap().len(), 25);
    let few = listing(Arc::new(synthetic(10)));
    assert_eq!(few, listing(many));
    assert_eq!(few, listing(Arc::new(Gateway::new(None))));
}

#[test]
fn pages_have_neither_gaps_nor_repeats() {
    let gateway = synthetic(60);
    for query in [json!({}), json!({ "query": "ore warhead facing" }), json!({ "area": "combat" })] {
        let mut arguments = query.clone();
        arguments["limit"] = json!(7);
        let mut names: Vec<String> = Vec::new();
        let mut count = 0;
        for page in 0..20 {
            let found = call_on(&gateway, Tool::Find, &arguments);
            let data = &found["data"];
            count = data["count"].as_u64().unwrap();
            names.extend(
                data["capabilities"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| row["name"].as_str().unwrap().to_owned()),
            );
            match data["next_cursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => break,
            }
            assert!(page < 19, "the pages do not end");
        }
        let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!((names.len() as u64, distinct.len()), (count, names.len()), "{query}");
        arguments["query"] = json!("something else");
        let other = call_on(&gateway, Tool::Find, &arguments);
        assert_eq!((&other["errno"], &other["errors"][0]["pointer"]), (&json!("EINVAL"), &json!("/cursor")));
    }
}

#[test]
fn a_cursor_survives_a_new_snapshot() {
    let (before, after) = (synthetic(20), synthetic(40));
    let first = call_on(&before, Tool::Find, &json!({ "limit": 5 }));
    let cursor = first["data"]["next_cursor"].clone();
    let next = call_on(&after, Tool::Find, &json!({ "limit": 5, "cursor": cursor }));
    assert_eq!(next["data"]["capabilities"].as_array().unwrap().len(), 5);
    let last = &first["data"]["capabilities"][4]["name"];
    assert!(next["data"]["capabilities"].as_array().unwrap().iter().all(|row| row["name"] != *last));
}

#[test]
fn protocol_errors_are_protocol_errors_and_tool_errors_are_results() {
    let [initialize, initialized] = handshake("2025-11-25");
    let call = |id: u32, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
    let answers = ask(
        Arc::new(synthetic(10)),
        &[
            initialize,
            initialized,
            call(1, json!({ "name": "delete_everything", "arguments": {} })),
            call(2, json!({ "name": "find_capabilities", "arguments": "query" })),
            call(3, json!({ "name": 5 })),
            json!({ "jsonrpc": "2.0", "id": 4, "method": "engine/explode" }),
            call(5, json!({ "name": "find_capabilities", "arguments": { "limit": 99 } })),
            call(6, json!({ "name": "find_capabilities" })),
            call(
                7,
                json!({ "name": "run_capability",
            "arguments": { "name": "compute_ore_ore_0", "arguments": { "damage": -1 } } }),
            ),
        ],
    );
    let answers: Vec<Value> = answers.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (index, code) in [(1, -32602), (2, -32602), (3, -32602), (4, -32601)] {
        assert_eq!(answers[index]["error"]["code"], json!(code), "{}", answers[index]);
    }
    let result = |index: usize| &answers[index]["result"];
    assert_eq!(
        (&result(5)["isError"], &result(5)["structuredContent"]["errno"]),
        (&json!(true), &json!("EINVAL"))
    );
    assert_eq!((&result(6)["isError"], &result(6)["structuredContent"]["ok"]), (&json!(false), &json!(true)));
    let refused = &result(7)["structuredContent"];
    assert_eq!(
        (&refused["errno"], &refused["field"], &refused["outcome"]),
        (&json!("EOPNOTSUPP"), &json!("damage"), &json!("refused"))
    );
    let text = result(7)["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), *refused);
}

#[test]
fn a_panic_inside_is_an_eio_that_says_nothing_of_the_inside() {
    let gateway = synthetic(3);
    let run = |damage: i32| {
        let arguments = json!({ "name": "compute_ore_ore_0", "arguments": { "damage": damage } });
        call_on(&gateway, Tool::Run, &arguments)
    };
    let broken = run(13);
    assert_eq!(
        (&broken["ok"], &broken["errno"], &broken["outcome"]),
        (&json!(false), &json!("EIO"), &json!("failed"))
    );
    assert!(!broken.to_string().contains("secret"), "{broken}");
    assert_eq!(run(14)["data"]["breakdown"]["result"], json!(14));
    assert_eq!(run(14)["data"]["trust"]["status"], json!("partial"), "nothing judges it");
}

#[test]
fn the_embedded_registry_is_what_the_gateway_serves() {
    let snapshot = gateway().snapshot().unwrap();
    assert_eq!(snapshot.registry().entries().len(), assay_ports::ALL.len());
    assert_eq!(snapshot.sequence(), 1);
}
