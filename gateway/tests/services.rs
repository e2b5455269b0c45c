//! Service entries: callable and describable like a capability, and counted nowhere.

mod support;

use assay_gateway::control::Control;
use assay_gateway::guides;
use assay_gateway::services::{self, BATCH_BYTES, BATCH_RUNS};
use assay_gateway::surface::Tool;
use assay_model::Errno;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use support::{assay, call, gateway, stdout, worked_example};

fn run(name: &str, arguments: &Value) -> Value {
    call(Tool::Run, &json!({ "name": name, "arguments": arguments }))
}

fn batch(arguments: &Value) -> Value {
    let reply = run("execute_batch", arguments);
    assert_eq!(reply["ok"], json!(true), "{reply}");
    reply["data"]["breakdown"].clone()
}

fn damage(points: i64) -> Value {
    let mut arguments = worked_example();
    arguments["weapon_damage"] = json!(points);
    json!({ "name": "compute_damage", "arguments": arguments })
}

#[test]
fn each_is_described_and_its_example_runs_and_repeats() {
    let registry = gateway().snapshot().unwrap();
    for service in services::ALL {
        assert!(registry.registry().get(service.name).is_none(), "{} is a capability too", service.name);
        let described = call(Tool::Describe, &json!({ "name": service.name }))["data"].clone();
        assert_eq!((&described["name"], &described["area"]), (&json!(service.name), &json!("service")));
        assert!(described.get("status").is_none() && described.get("games").is_none(), "{described}");
        assert!(jsonschema::draft202012::meta::is_valid(&described["schema"]));
        assert_eq!(described["schema"]["additionalProperties"], json!(false));
        assert!(service.summary.len() <= 160 && service.summary.ends_with('.'));
        let first = run(service.name, &described["example"]);
        assert_eq!((&first["ok"], &first["data"]["service"]), (&json!(true), &json!(true)), "{first}");
        assert!(first["data"].get("trust").is_none(), "there is nothing to trust in {}", service.name);
        assert_eq!(run(service.name, &described["example"]), first);
    }
}

#[test]
fn they_are_found_beside_the_hits_and_counted_nowhere() {
    let find = |arguments: &Value| call(Tool::Find, arguments)["data"].clone();
    let names = |data: &Value| {
        let rows = data["services"].as_array().into_iter().flatten();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = find(&json!({}));
    assert_eq!(all["count"], json!(gateway().snapshot().unwrap().registry().entries().len()));
    assert!(names(&all).is_empty());
    let services = find(&json!({ "area": "service" }));
    assert_eq!((&services["count"], names(&services).len()), (&json!(0), services::ALL.len()));
    assert_eq!(names(&find(&json!({ "query": "execute batch" })))[0], "execute_batch");
    assert_eq!(names(&find(&json!({ "query": "get_guide" })))[0], "get_guide");
    let filtered = find(&json!({ "query": "get_guide", "games": ["YR"] }));
    assert!(names(&filtered).is_empty(), "a service is for no game: {filtered}");
    let damage = find(&json!({ "query": "how much does a shell hurt a tank" }));
    assert!(names(&damage).is_empty(), "{damage}");
    assert!(!stdout(&assay(&["list"])).contains("get_guide"));
}

#[test]
fn guides_are_listed_and_given() {
    let listed = run("get_guide", &json!({}))["data"]["breakdown"]["guides"].clone();
    assert_eq!(listed.as_array().unwrap().len(), guides::all().len());
    for guide in guides::all() {
        let given = run("get_guide", &json!({ "name": guide.name }))["data"]["breakdown"].clone();
        assert_eq!((&given["text"], &given["uri"]), (&json!(guide.text), &json!(guide.uri())));
    }
    let wrong = run("get_guide", &json!({ "name": "gate" }));
    assert_eq!(
        (&wrong["errno"], &wrong["errors"][0]["pointer"]),
        (&json!("EINVAL"), &json!("/name")),
        "{wrong}"
    );
    let described = stdout(&assay(&["describe", "get_guide"]));
    assert!(
        described.contains("ARGUMENTS") && !described.contains("GAME") && !described.contains("units"),
        "{described}"
    );
    let printed = assay(&["run", "get_guide", "--args", r#"{"name":"gate-ci"}"#]);
    assert!(printed.status.success() && stdout(&printed).contains("# Gate CI"));
}

#[test]
fn a_batch_gives_what_the_single_calls_give_in_their_order() {
    let runs = [damage(100), damage(60), json!({ "name": "get_guide" }), damage(7)];
    let given = batch(&json!({ "runs": runs }));
    assert_eq!((&given["count"], &given["succeeded"], &given["not_run"]), (&json!(4), &json!(4), &json!(0)));
    for (index, (one, result)) in runs.iter().zip(given["results"].as_array().unwrap()).enumerate() {
        let alone = call(Tool::Run, one);
        assert_eq!((&result["index"], &result["data"]), (&json!(index), &alone["data"]), "{result}");
    }
}

#[test]
fn a_failing_run_is_an_element_and_stops_the_rest_only_when_told() {
    let runs = [
        damage(100),
        json!({ "name": "compute_damage", "arguments": { "weapon_damage": "many" } }),
        json!({ "name": "compute_damge" }),
        json!({ "name": "execute_batch", "arguments": { "runs": [{ "name": "get_guide" }] } }),
        damage(50),
    ];
    let all = batch(&json!({ "runs": runs }));
    assert_eq!(
        (&all["succeeded"], &all["failed"], &all["not_run"]),
        (&json!(2), &json!(3), &json!(0)),
        "{all}"
    );
    let errno = |index: usize| all["results"][index]["errno"].clone();
    assert_eq!([errno(1), errno(2), errno(3)], [json!("EINVAL"), json!("ENOENT"), json!("EPERM")]);
    assert_eq!(all["results"][1]["errors"][0]["pointer"], json!("/weapon_damage"));
    assert_eq!(all["results"][2]["nearest"][0], json!("compute_damage"));
    assert_eq!((&all["results"][4]["ok"], &all["ended_early"]), (&json!(true), &Value::Null));
    let stopped = batch(&json!({ "runs": runs, "stop_on_error": true }));
    assert_eq!(
        (&stopped["succeeded"], &stopped["failed"], &stopped["not_run"]),
        (&json!(1), &json!(1), &json!(3))
    );
    assert_eq!(stopped["results"].as_array().unwrap().len(), 2);
    assert_eq!(stopped["ended_early"], json!("a run failed"));
}

#[test]
fn a_batch_tells_how_far_it_is_and_can_be_stopped() {
    let call = json!({ "name": "execute_batch", "arguments": { "runs": vec![damage(5); 4] } });
    let told = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&told);
    let control = Control::listening(move |done, total| listener.lock().unwrap().push((done, total)));
    assert!(gateway().call_with(Tool::Run, &call, &control).ok());
    assert_eq!(*told.lock().unwrap(), [(1, 4), (2, 4), (3, 4), (4, 4)]);
    control.stop();
    let stopped = gateway().call_with(Tool::Run, &call, &control).outcome.unwrap_err();
    assert_eq!((stopped.errno, stopped.retryable()), (Errno::Etimedout, true));
    assert_eq!(told.lock().unwrap().len(), 4, "nothing ran any more");
}

#[test]
fn a_batch_is_bounded() {
    let refused = |arguments: Value| {
        let reply = run("execute_batch", &arguments);
        assert_eq!((&reply["ok"], &reply["errno"]), (&json!(false), &json!("EINVAL")), "{reply}");
        reply["errors"][0]["pointer"].clone()
    };
    assert_eq!(refused(json!({})), json!("/runs"));
    assert_eq!(refused(json!({ "runs": [] })), json!("/runs"));
    assert_eq!(refused(json!({ "runs": vec![damage(1); BATCH_RUNS + 1] })), json!("/runs"));
    assert_eq!(
        refused(json!({ "runs": [{ "name": "get_guide", "argument": {} }] })),
        json!("/runs/0/argument")
    );
    assert_eq!(refused(json!({ "runs": [damage(1)], "stop": true })), json!("/stop"));
    // Each of these gives about 100 KiB, and all of them too much.
    let draws = json!({ "name": "simulate_random_stream", "arguments": { "seed": 1, "draws": 10_000 } });
    let alone = call(Tool::Run, &draws).to_string().len();
    assert!(alone * BATCH_RUNS > 2 * BATCH_BYTES, "no longer a large reply: {alone} bytes");
    let large = batch(&json!({ "runs": vec![draws; BATCH_RUNS] }));
    let done = large["results"].as_array().unwrap().len();
    assert!((1..BATCH_RUNS).contains(&done) && large.to_string().len() < 2 * BATCH_BYTES, "{done} runs");
    assert!(large["ended_early"].as_str().unwrap().contains("too large"), "{}", large["ended_early"]);
    assert_eq!(large["not_run"], json!(BATCH_RUNS - done));
}
