//! Resources, prompts and completions over the protocol, in the manner of old clients and of new ones.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::guides;
use assay_gateway::resources::{PAGE, TEMPLATES};
use assay_gateway::surface::Tool;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use support::http::modern;
use support::rpc::{ask, handshake};
use support::{call, gateway};

const ERA: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Answers to requests (method and parameters) in one era, in order.
fn answers(era: &str, requests: &[(&str, Value)]) -> Vec<Value> {
    let new = era == "2026-07-28";
    let mut messages: Vec<Value> = if new { Vec::new() } else { handshake(era).to_vec() };
    for (id, (method, params)) in requests.iter().enumerate() {
        let params = if new { modern(params.clone()) } else { params.clone() };
        messages.push(json!({ "jsonrpc": "2.0", "id": id + 1, "method": method, "params": params }));
    }
    let lines = ask(Arc::clone(gateway()), &messages);
    let skip = usize::from(!new);
    lines[skip..].iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn one(method: &str, params: Value) -> Value {
    answers(ERA[0], &[(method, params)]).remove(0)
}

fn read(uri: &str) -> Value {
    one("resources/read", json!({ "uri": uri }))
}

/// The text of a resource.
fn content(uri: &str) -> String {
    let answer = read(uri);
    let contents = answer["result"]["contents"].as_array().unwrap_or_else(|| panic!("{uri}: {answer}"));
    assert_eq!((contents.len(), &contents[0]["uri"]), (1, &json!(uri)));
    assert_eq!(contents[0]["_meta"]["snapshot_sequence"], json!(1), "{answer}");
    assert!(contents[0]["_meta"]["ut"].as_u64().unwrap() > 0);
    contents[0]["text"].as_str().unwrap().to_owned()
}

fn data(uri: &str) -> Value {
    let envelope: Value = serde_json::from_str(&content(uri)).unwrap();
    assert_eq!((&envelope["ok"], &envelope["snapshot_sequence"]), (&json!(true), &json!(1)));
    envelope["data"].clone()
}

#[test]
fn both_eras_list_the_same_and_only_constants_may_be_kept() {
    for era in ERA {
        let asked = answers(
            era,
            &[
                ("resources/list", json!({})),
                ("resources/templates/list", json!({})),
                ("prompts/list", json!({})),
                ("resources/read", json!({ "uri": "oracle://status" })),
            ],
        );
        let results: Vec<&Value> = asked.iter().map(|answer| &answer["result"]).collect();
        let listed = results[0]["resources"].as_array().unwrap();
        assert_eq!(listed[0]["uri"], json!("oracle://status"), "{}", results[0]);
        assert_eq!(results[0]["_meta"]["snapshot_sequence"], json!(1));
        assert_eq!(results[1]["resourceTemplates"].as_array().unwrap().len(), TEMPLATES.len());
        assert!(results[1].get("nextCursor").is_none(), "{}", results[1]);
        assert_eq!(results[2]["prompts"].as_array().unwrap().len(), guides::all().len());
        if era == "2026-07-28" {
            let lifetimes: Vec<&Value> = results.iter().map(|result| &result["ttlMs"]).collect();
            assert_eq!(lifetimes, [&json!(0), &json!(3_600_000), &json!(3_600_000), &json!(0)]);
        }
    }
}

#[test]
fn the_list_is_paged_without_gaps_and_everything_on_it_can_be_read() {
    let snapshot = gateway().snapshot().unwrap();
    let (mut uris, mut cursor): (Vec<String>, Value) = (Vec::new(), Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let result = one("resources/list", params)["result"].clone();
        let page = result["resources"].as_array().unwrap();
        assert!(page.len() <= PAGE);
        uris.extend(page.iter().map(|resource| resource["uri"].as_str().unwrap().to_owned()));
        match result.get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
        assert_eq!(page.len(), PAGE, "only the last page is short");
    }
    let distinct: BTreeSet<&String> = uris.iter().collect();
    assert_eq!(distinct.len(), uris.len());
    for entry in snapshot.registry().entries() {
        assert!(uris.contains(&format!("oracle://capability/{}", entry.name())), "{}", entry.name());
    }
    let requests: Vec<(&str, Value)> =
        uris.iter().map(|uri| ("resources/read", json!({ "uri": uri }))).collect();
    for (uri, answer) in uris.iter().zip(answers(ERA[0], &requests)) {
        let text = answer["result"]["contents"][0]["text"].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{uri}: {answer}");
    }
}

#[test]
fn they_show_what_the_tools_show() {
    let name = "compute_prone_damage";
    assert_eq!(
        data(&format!("oracle://capability/{name}")),
        call(Tool::Describe, &json!({ "name": name }))["data"]
    );
    let area = json!({ "area": "combat", "limit": 25 });
    let found = call(Tool::Find, &area)["data"].clone();
    let catalog = data("oracle://catalog/combat?limit=25");
    assert_eq!(catalog, found);
    let verified = call(Tool::Verify, &json!({ "selection": format!("combat/{name}") }))["data"].clone();
    assert_eq!(data(&format!("oracle://status/{name}")), verified);
    let schema: Value =
        serde_json::from_str(&content(&format!("oracle://capability/{name}/schema"))).unwrap();
    assert_eq!(schema, gateway().snapshot().unwrap().registry().get(name).unwrap().input_schema);
    let docs = call(Tool::Describe, &json!({ "name": name, "detail": "docs" }))["data"].clone();
    assert_eq!(docs["spec"], json!(content(&format!("oracle://spec/{name}"))));
    let case = data(&format!("oracle://case/combat/{name}/yr-half"));
    assert_eq!(
        (
            &case["id"],
            &case["input"]["damage"],
            &case["port"]["breakdown"]["result"],
            &case["result"]["verdict"]
        ),
        (&json!(format!("combat/{name}/yr-half")), &json!(100), &json!(50), &json!("pass")),
        "{case}"
    );
    assert_eq!(content("oracle://guide/gate-ci"), guides::named("gate-ci").unwrap().text);
    let status = data("oracle://status");
    let all = gateway().snapshot().unwrap().registry().entries().len();
    assert_eq!((&status["counts"]["capabilities"], &status["waiting"]), (&json!(all), &Value::Null));
}

#[test]
fn the_catalog_is_paged_from_one_to_a_thousand() {
    let all = gateway().snapshot().unwrap().registry().entries().len();
    let whole = data("oracle://catalog?limit=1000");
    assert_eq!((&whole["count"], &whole["next_cursor"]), (&json!(all), &Value::Null));
    let names = |page: &Value| {
        let rows = page["capabilities"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&data("oracle://catalog")).len(), all.min(PAGE));
    let (mut paged, mut uri) = (Vec::new(), "oracle://catalog?limit=7".to_owned());
    loop {
        let page = data(&uri);
        paged.extend(names(&page));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        uri = format!("oracle://catalog?limit=7&cursor={cursor}");
    }
    assert_eq!(paged, names(&whole));
    for limit in ["0", "1001", "-1", "x", "7.0"] {
        let refused = read(&format!("oracle://catalog?limit={limit}"));
        assert_eq!(refused["error"]["code"], json!(-32602), "{refused}");
    }
}

#[test]
fn what_is_not_there_is_said_in_the_words_of_each_era() {
    let missing = json!({ "uri": "oracle://capability/compute_prone_damag" });
    for (era, code) in ERA.into_iter().zip([-32002, -32602]) {
        let answer = answers(era, &[("resources/read", missing.clone())]).remove(0);
        assert_eq!(answer["error"]["code"], json!(code), "{answer}");
        assert_eq!(answer["error"]["data"]["nearest"][0], json!("compute_prone_damage"), "{answer}");
    }
    for uri in [
        "oracle://nothing",
        "oracle://capability/compute_prone_damage/more/of/it",
        "oracle://capability/compute_prone_damage/",
        "oracle://capability/%ff",
        "oracle://catalog/nowhere",
        "oracle://catalog?page=2",
        "oracle://case/combat/compute_prone_damage/never",
        "oracle://case/math/compute_prone_damage/yr-half",
        "oracle://guide/never",
        "oracle://spec/never",
        "oracle://status/get_guide",
        "http://example.com/",
        "",
    ] {
        let answer = read(uri);
        assert_eq!(answer["error"]["code"], json!(-32002), "{uri}: {answer}");
    }
    for method in ["resources/list", "resources/templates/list", "prompts/list"] {
        for cursor in ["", "never", "MXxhYmN8"] {
            let answer = one(method, json!({ "cursor": cursor }));
            assert_eq!(answer["error"]["code"], json!(-32602), "{method} {cursor}: {answer}");
        }
    }
    let foreign = data("oracle://catalog?limit=2")["next_cursor"].as_str().unwrap().to_owned();
    for uri in [format!("oracle://catalog/combat?cursor={foreign}"), "oracle://catalog?cursor=zz".to_owned()]
    {
        assert_eq!(read(&uri)["error"]["code"], json!(-32602));
    }
    let misshapen = one("resources/read", json!({ "uri": 5 }));
    assert_eq!(misshapen["error"]["code"], json!(-32602), "{misshapen}");
}

#[test]
fn guides_are_prompts_and_take_the_capability_that_they_are_for() {
    let prompt = one("prompts/get", json!({ "name": "gate-ci" }));
    let messages = prompt["result"]["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
    assert!(messages[0]["content"]["text"].as_str().unwrap().starts_with("# Gate CI"));
    let with = json!({ "name": "run-a-capability", "arguments": { "capability": "compute_damage" } });
    let messages = one("prompts/get", with)["result"]["messages"].clone();
    let resource = &messages[1]["content"]["resource"];
    assert_eq!(resource["uri"], json!("oracle://capability/compute_damage"), "{messages}");
    assert!(resource["text"].as_str().unwrap().contains("\"schema\""));
    for wrong in [
        json!({ "name": "never" }),
        json!({ "name": "gate-ci", "arguments": { "capability": "compute_damage" } }),
        json!({ "name": "verify-a-port", "arguments": { "capability": "never" } }),
        json!({ "name": "verify-a-port", "arguments": { "port": "compute_damage" } }),
    ] {
        let answer = one("prompts/get", wrong.clone());
        assert_eq!(answer["error"]["code"], json!(-32602), "{wrong}: {answer}");
    }
}

#[test]
fn names_are_completed() {
    let complete = |of: Value, argument: Value, settled: Value| {
        let params = json!({ "ref": of, "argument": argument, "context": { "arguments": settled } });
        one("completion/complete", params)
    };
    let template = |uri: &str| json!({ "type": "ref/resource", "uri": uri });
    let argument = |name: &str, typed: &str| json!({ "name": name, "value": typed });
    let values = |answer: &Value| {
        let values =
            answer["result"]["completion"]["values"].as_array().unwrap_or_else(|| panic!("{answer}"));
        values.iter().map(|value| value.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let names =
        complete(template("oracle://capability/{name}"), argument("name", "compute_prone"), json!({}));
    assert_eq!(values(&names)[0], "compute_prone_damage");
    let inside = complete(template("oracle://spec/{name}"), argument("name", "PRONE"), json!({}));
    assert!(values(&inside).contains(&"compute_prone_damage".to_owned()));
    let everything = complete(template("oracle://status/{name}"), argument("name", ""), json!({}));
    let all = gateway().snapshot().unwrap().registry().entries().len();
    assert_eq!(everything["result"]["completion"]["total"], json!(all));
    assert_eq!(everything["result"]["completion"]["hasMore"], json!(all > 100));
    let case = "oracle://case/{area}/{capability}/{case}";
    let settled = json!({ "area": "combat", "capability": "compute_prone_damage" });
    let cases = complete(template(case), argument("case", "yr-ha"), settled);
    assert_eq!(values(&cases), ["yr-half"]);
    let capabilities =
        complete(template(case), argument("capability", "compute"), json!({ "area": "combat" }));
    assert!(values(&capabilities).contains(&"compute_damage".to_owned()));
    let areas =
        complete(template("oracle://catalog/{area}{?limit,cursor}"), argument("area", "com"), json!({}));
    assert_eq!(values(&areas), ["combat"]);
    let prompt = json!({ "type": "ref/prompt", "name": "verify-a-port" });
    assert!(!values(&complete(prompt, argument("capability", "compute"), json!({}))).is_empty());
    let guide = complete(template("oracle://guide/{name}"), argument("name", "gate"), json!({}));
    assert_eq!(values(&guide), ["gate-ci"]);
    for (of, what) in [
        (template("oracle://nothing/{name}"), "name"),
        (template("oracle://capability/{name}"), "game"),
        (json!({ "type": "ref/prompt", "name": "never" }), "capability"),
        (json!({ "type": "ref/prompt", "name": "gate-ci" }), "capability"),
    ] {
        let answer = complete(of, argument(what, ""), json!({}));
        assert_eq!(answer["error"]["code"], json!(-32602), "{answer}");
    }
}
