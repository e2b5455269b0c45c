//! What comes back when a call is right, wrong, or impossible.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::surface::Tool;
use assay_model::{Area, Kind};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::{call, gateway, worked_example};

fn run(arguments: Value) -> Value {
    call(Tool::Run, &json!({ "name": "compute_damage", "arguments": arguments }))
}

#[test]
fn every_violation_comes_at_once_with_a_hint() {
    let reply = run(json!({ "weapon_damage": "x", "distance": -1, "cellspread": 2.0, "game": "RA2" }));
    assert_eq!(
        (&reply["ok"], &reply["data"], &reply["errno"]),
        (&json!(false), &Value::Null, &json!("EINVAL"))
    );
    assert_eq!((&reply["outcome"], &reply["retryable"]), (&json!("rejected"), &json!(false)));
    let errors = reply["errors"].as_array().unwrap();
    let rows: Vec<[&str; 3]> = errors
        .iter()
        .map(|error| ["pointer", "keyword", "hint"].map(|key| error[key].as_str().unwrap()))
        .collect();
    assert_eq!(
        rows,
        [
            ["/cellspread", "additionalProperties", "did you mean `cell_spread`?"],
            ["/distance", "minimum", "an integer from 0 to 2147483647"],
            ["/game", "enum", "one of TS, YR"],
            ["/weapon_damage", "type", "an integer from -2147483648 to 2147483647"],
        ]
    );
    assert!(errors.iter().all(|error| !error["message"].as_str().unwrap().is_empty()));
    assert!(reply["hint"].as_str().unwrap().contains("describe_capability compute_damage"));
}

#[test]
fn an_unknown_name_brings_the_three_nearest() {
    for tool in [Tool::Run, Tool::Describe] {
        let reply = call(tool, &json!({ "name": "compute_damge" }));
        assert_eq!((&reply["ok"], &reply["errno"]), (&json!(false), &json!("ENOENT")));
        let nearest = reply["nearest"].as_array().unwrap();
        assert_eq!((nearest.len(), &nearest[0]), (3, &json!("compute_damage")));
        assert!(reply["hint"].as_str().unwrap().contains("compute_damage"));
    }
}

#[test]
fn arguments_may_be_json_text_with_integral_floats_but_no_key_twice() {
    let object = run(worked_example());
    let text = run(json!(worked_example().to_string()));
    assert_eq!(object["data"], text["data"]);
    assert_eq!(run(json!({ "weapon_damage": 100.0 }))["data"], run(json!({ "weapon_damage": 100 }))["data"]);
    let twice = run(json!(r#"{"weapon_damage":1,"weapon_damage":2}"#));
    assert_eq!((&twice["errno"], &twice["errors"][0]["pointer"]), (&json!("EINVAL"), &json!("/arguments")));
    assert!(twice["message"].as_str().unwrap().contains("duplicate key"));
    assert_eq!(run(json!("[1]"))["errno"], json!("EINVAL"));
    assert_eq!(run(json!("{"))["errno"], json!("EINVAL"));
    let number = run(json!(5));
    assert_eq!(
        (&number["errors"][0]["pointer"], number["errors"].as_array().unwrap().len()),
        (&json!("/arguments"), 1)
    );
    let missing = call(Tool::Run, &json!({ "name": "compute_damage" }));
    assert_eq!(missing["errors"][0]["pointer"], json!("/weapon_damage"));
}

#[test]
fn wrong_arguments_of_a_tool_are_a_readable_result() {
    let reply = call(Tool::Find, &json!({ "limit": 99, "kind": "magic", "querry": "x" }));
    assert_eq!((&reply["errno"], reply["errors"].as_array().unwrap().len()), (&json!("EINVAL"), 3));
    let area = call(Tool::Find, &json!({ "area": "warfare" }));
    assert_eq!(area["errors"][0]["pointer"], json!("/area"));
    assert!(area["message"].as_str().unwrap().contains("combat"));
    assert_eq!(call(Tool::Describe, &json!({}))["errors"][0]["pointer"], json!("/name"));
    assert_eq!(
        call(Tool::Verify, &json!({ "selection": "a/b/c/d" }))["errors"][0]["pointer"],
        json!("/selection")
    );
    assert_eq!(call(Tool::Find, &json!({ "cursor": "AAAA" }))["errors"][0]["pointer"], json!("/cursor"));
}

#[test]
fn details_of_a_run() {
    let with = |detail: &str| {
        let arguments = json!({ "name": "simulate_random_stream", "arguments": example("simulate_random_stream"),
            "response_detail": detail });
        call(Tool::Run, &arguments)["data"].clone()
    };
    let (plain, summary, full) = (with("breakdown"), with("summary"), with("full"));
    assert_eq!(full["breakdown"], plain["breakdown"]);
    assert!(full["attachments"].is_array() && plain.get("attachments").is_none());
    let given = example("simulate_random_stream");
    assert!(given.as_object().unwrap().iter().all(|(name, value)| full["input"][name] == *value));
    assert!(full["input"].as_object().unwrap().len() > given.as_object().unwrap().len());
    for (name, value) in plain["breakdown"].as_object().unwrap() {
        let short = &summary["breakdown"][name];
        match value {
            Value::Array(items) => {
                assert_eq!(short["count"], json!(items.len()));
                assert_eq!(short["truncated"], json!(items.len() > 3));
                assert_eq!(short["sample"], json!(items.iter().take(3).collect::<Vec<_>>()));
            }
            value => assert_eq!(short, value),
        }
    }
}

fn example(name: &str) -> Value {
    let snapshot = gateway().snapshot().unwrap();
    serde_json::from_str(snapshot.registry().get(name).unwrap().port.meta().example).unwrap()
}

#[test]
fn a_run_says_how_far_to_trust_it() {
    let data = run(worked_example())["data"].clone();
    let snapshot = gateway().snapshot().unwrap();
    assert_eq!(data["trust"]["corpus_digest"], json!(snapshot.registry().corpus_digest()));
    for word in ["status", "tier"] {
        assert!(data["trust"][word].is_string(), "{data}");
    }
    assert!(data["caveats"].is_array());
}

#[test]
fn finding_filters_on_pairs_of_game_and_status() {
    // Page after page.
    let names = |mut arguments: Value| -> Vec<String> {
        let mut names = Vec::new();
        loop {
            let reply = call(Tool::Find, &arguments);
            let rows = reply["data"]["capabilities"].as_array().unwrap();
            names.extend(rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()));
            let cursor = &reply["data"]["next_cursor"];
            if cursor.is_null() {
                return names;
            }
            arguments["cursor"] = cursor.clone();
        }
    };
    let snapshot = gateway().snapshot().unwrap();
    for game in ["TS", "YR", "RA1"] {
        let game_word = game.parse().unwrap();
        for status in ["verified", "partial"] {
            let found = names(json!({ "games": [game], "status": status, "limit": 25 }));
            let entries = snapshot.registry().entries().iter().map(|entry| entry.port.meta());
            let expected: Vec<&str> = entries
                .filter(|meta| meta.games.contains(&game_word))
                .filter(|meta| snapshot.status_in(meta.name, game_word).as_str() == status)
                .map(|meta| meta.name)
                .collect();
            assert_eq!(found, expected, "{game} {status}");
        }
    }
    assert!(names(json!({ "area": "movement" })).iter().all(|name| name.contains("facing")));
    assert!(names(json!({ "kind": "simulate" })).iter().all(|name| name.starts_with("simulate_")));
}

#[test]
fn nothing_found_says_what_there_is() {
    let reply = call(Tool::Find, &json!({ "query": "sourdough" }));
    let data = &reply["data"];
    assert_eq!(
        (&data["count"], &data["capabilities"], &data["next_cursor"]),
        (&json!(0), &json!([]), &Value::Null)
    );
    let snapshot = gateway().snapshot().unwrap();
    let metas = || snapshot.registry().entries().iter().map(|entry| entry.port.meta());
    let areas: BTreeSet<Area> = metas().map(|meta| meta.area).collect();
    let kinds: BTreeSet<Kind> = metas().map(|meta| meta.kind).collect();
    assert_eq!(data["areas"], json!(areas));
    assert_eq!(data["kinds"], json!(kinds));
}

#[test]
fn matches_are_small() {
    let reply =
        gateway().call(Tool::Find, &json!({ "query": "damage facing random ore" })).envelope().to_string();
    println!("a full page of matches is {} bytes", reply.len());
    assert!(reply.len() <= 4 * 1024, "{}", reply.len());
}

#[test]
fn verify_spec_runs_a_selection_live() {
    let reply = call(Tool::Verify, &json!({ "selection": "movement" }));
    assert_eq!(reply["ok"], json!(true));
    assert_eq!(reply["data"]["areas"].as_object().unwrap().keys().collect::<Vec<_>>(), ["movement"]);
    let nothing = call(Tool::Verify, &json!({ "selection": "no_such_thing" }));
    assert_eq!((&nothing["ok"], &nothing["data"]["verdict"]), (&json!(true), &json!("broken")));
    let all =
        call(Tool::Verify, &json!({ "selection": "compute_prone_damage", "detail": "all", "limit": 5 }));
    assert_eq!(all["data"]["cases"].as_array().unwrap().len(), 5);
    let cursor = &all["data"]["next_cursor"];
    let next = call(
        Tool::Verify,
        &json!({ "selection": "compute_prone_damage", "detail": "all", "limit": 5, "cursor": cursor }),
    );
    assert!(next["data"]["cases"][0]["id"].as_str() > all["data"]["cases"][4]["id"].as_str());
}

#[test]
fn a_green_verification_is_short_and_the_same_every_time() {
    let reply = gateway().call(Tool::Verify, &json!({}));
    let text = reply.envelope().to_string();
    let envelope: Value = serde_json::from_str(&text).unwrap();
    println!("verify_spec answers in {} bytes", text.len());
    assert_eq!(envelope["data"]["verdict"], json!("pass"), "{text}");
    assert!(text.len() < 2048, "{}", text.len());
    let part = || call(Tool::Verify, &json!({ "selection": "compute_prone_damage" }))["data"].clone();
    assert_eq!(part(), part());
}
