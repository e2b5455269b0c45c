//! Arguments that name files and uploads in place of bytes, and what comes back as a picture.

use super::archives::{mix, palette};
use super::support::http::Server;
use super::support::rpc::{ask, handshake};
use super::support::{self, call_on};
use super::{place, seen};
use assay_gateway::assets::{Assets, Limits};
use assay_gateway::http::Settings;
use assay_gateway::snapshot::Gateway;
use assay_gateway::surface::Tool;
use assay_model::Bytes;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Runs a capability on the place's gateway.
fn run(name: &str, arguments: &Value) -> Value {
    call_on(&place().gateway, Tool::Run, &json!({ "name": name, "arguments": arguments }))
}

fn palette_of(bytes: &Value) -> Value {
    run("pal_decode", &json!({ "bytes": bytes }))
}

/// What a refusal says: errno, field, message.
fn refused(reply: &Value) -> (String, String, String) {
    assert_eq!(reply["ok"], json!(false), "{reply}");
    let word = |name: &str| reply[name].as_str().unwrap_or_default().to_owned();
    (word("errno"), word("field"), word("message"))
}

#[test]
fn an_argument_may_name_a_file_or_an_entry_in_place_of_bytes() {
    let inline: String = palette().iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = palette_of(&json!(format!("hex:{inline}")))["data"]["breakdown"].clone();
    assert_eq!(expected["largest"], json!(63));
    for bytes in [
        json!("host:a.pal"),
        json!({ "path": "a.pal" }),
        json!({ "path": "sub/../a.pal" }),
        json!({ "path": "ra2.mix", "entry": ["cache.mix", "unittem.pal"] }),
        json!({ "path": "ra2.mix", "entry": ["CACHE.MIX", "Odd Name.pal"] }),
    ] {
        assert_eq!(palette_of(&bytes)["data"]["breakdown"], expected, "{bytes}");
    }
    if cfg!(unix) {
        assert_eq!(palette_of(&json!({ "path": "near.pal" }))["data"]["breakdown"], expected);
    }
    let listed = run("mix_list", &json!({ "bytes": { "path": "ra2.mix", "entry": "cache.mix" } }));
    let entries = listed["data"]["breakdown"]["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    let id = entries[0]["id"].as_u64().unwrap();
    let by_id = json!({ "path": "ra2.mix", "entry": ["cache.mix", format!("{id:#x}")] });
    assert_eq!(palette_of(&by_id)["data"]["breakdown"], expected);
    // What was asked for is what a full reply gives back, not the bytes.
    let full = json!({ "name": "pal_decode", "arguments": { "bytes": by_id }, "response_detail": "full" });
    assert_eq!(call_on(&place().gateway, Tool::Run, &full)["data"]["input"]["bytes"], by_id);
}

#[test]
fn no_path_leaves_its_folder_and_nothing_but_a_file_is_read() {
    let mut paths = vec![
        ("nothing.pal", "ENOENT"),
        ("a.pal/x", "ENOENT"),
        ("../secret.pal", "EACCES"),
        ("sub/../../secret.pal", "EACCES"),
        ("/etc/passwd", "EACCES"),
        ("a\0.pal", "EINVAL"),
    ];
    if cfg!(unix) {
        paths.extend([
            ("out.pal", "EACCES"),
            ("far.pal", "EACCES"),
            ("up/secret.pal", "EACCES"),
            // Elsewhere a folder cannot be opened at all.
            ("sub", "EINVAL"),
            (".", "EINVAL"),
            // Opening it would wait for somebody to write.
            ("pipe.pal", "EINVAL"),
        ]);
    }
    let hidden = place().all.path().to_str().unwrap();
    for (path, errno) in paths {
        for bytes in [json!({ "path": path }), json!(format!("host:{path}"))] {
            let (given, field, message) = refused(&palette_of(&bytes));
            assert_eq!((given.as_str(), field.as_str()), (errno, "bytes"), "{bytes}: {message}");
            assert!(!message.contains(hidden), "{message} tells where the folder is");
        }
    }
}

#[test]
fn entries_that_are_not_there_are_told_apart() {
    let entry = |path: &str, entry: Value| refused(&palette_of(&json!({ "path": path, "entry": entry })));
    assert_eq!(entry("ra2.mix", json!("no.pal")).0, "ENOENT");
    assert_eq!(entry("ra2.mix", json!(["cache.mix", "0x12345678"])).0, "ENOENT");
    let (errno, _, message) = entry("a.pal", json!("no.pal"));
    assert_eq!(errno, "EINVAL");
    assert!(message.contains("no archive"), "{message}");
    assert_eq!(entry("ra2.mix", json!("größe.pal")).0, "EOPNOTSUPP");
    let outcomes = ["cache.mix", "mouse.shp", "rules.ini"].map(|name| {
        run("mix_list", &json!({ "bytes": { "path": "cut.mix", "entry": name } }))["message"].to_string()
    });
    assert!(outcomes.iter().any(|message| message.contains("ends inside entry")), "{outcomes:?}");
    let wrong = |bytes: Value| refused(&palette_of(&bytes));
    assert!(wrong(json!({ "path": "a.pal", "upload": "a" })).2.contains("exactly one"));
    assert!(wrong(json!({ "file": "a.pal" })).2.contains("file"), "the schema names what is wrong");
    assert_eq!(wrong(json!({ "path": "a.pal", "entry": vec!["a"; 9] })).0, "EINVAL");
}

#[test]
fn without_a_folder_no_path_is_opened() {
    let reply = support::call(
        Tool::Run,
        &json!({ "name": "pal_decode", "arguments": { "bytes": { "path": "a.pal" } } }),
    );
    let (errno, field, message) = refused(&reply);
    assert_eq!((errno.as_str(), field.as_str()), ("EACCES", "bytes"));
    assert!(message.contains("--assets"), "{message}");
}

#[test]
fn the_schema_of_bytes_says_where_they_may_come_from() {
    let described = call_on(&place().gateway, Tool::Describe, &json!({ "name": "mix_list" }));
    let bytes = &described["data"]["schema"]["properties"]["bytes"];
    assert_eq!(bytes["type"], json!(["string", "object"]));
    for member in ["path", "upload", "entry"] {
        assert!(bytes["properties"][member]["description"].is_string(), "{member} in {bytes}");
    }
    assert_eq!(bytes["additionalProperties"], json!(false));
    let service = call_on(&place().gateway, Tool::Describe, &json!({ "name": "upload_asset" }));
    assert!(service["data"]["notes"]["idempotent"].as_str().unwrap().contains("memory"), "{service}");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold("hex:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

#[test]
fn an_upload_in_pieces_is_used_over_rest_and_refused_with_its_errno() {
    let limits = Limits { file: 4096, store: 4500, ..Limits::default() };
    let none: [&Path; 0] = [];
    let gateway = Gateway::new(None).opening(Assets::new(&none, limits).unwrap());
    let server = Server::over(Arc::new(gateway), Settings::default());
    let post = |name: &str, body: &Value| server.post(&format!("/api/v1/capabilities/{name}"), body).json();
    let upload = |body: Value| post("upload_asset", &body);
    let errno = |body: Value| upload(body)["errno"].clone();
    let file = mix(&[("unittem.pal", &palette())]);
    let (first, second) = file.split_at(500);
    let total = file.len();
    assert_eq!(errno(json!({ "id": "m", "total": 4097, "bytes": "hex:00" })), "EFBIG");
    assert_eq!(errno(json!({ "id": "m", "total": total, "offset": 500, "bytes": "hex:00" })), "ENOENT");
    let begun =
        upload(json!({ "id": "m", "total": total, "bytes": hex(first) }))["result"]["breakdown"].clone();
    assert_eq!((&begun["received"], &begun["complete"]), (&json!(500), &json!(false)));
    let use_it = json!({ "bytes": { "upload": "m", "entry": "unittem.pal" } });
    let early = post("pal_decode", &use_it);
    assert_eq!((&early["errno"], &early["retryable"]), (&json!("EBUSY"), &json!(true)));
    assert_eq!(errno(json!({ "id": "m", "total": total, "offset": 501, "bytes": "hex:00" })), "EINVAL");
    assert_eq!(errno(json!({ "id": "m", "total": total, "offset": 499, "bytes": "hex:0000" })), "EINVAL");
    assert_eq!(errno(json!({ "id": "m", "total": total, "bytes": "hex:ff" })), "EEXIST");
    assert_eq!(errno(json!({ "id": "n", "total": 4500, "bytes": "hex:00" })), "EFBIG");
    assert_eq!(errno(json!({ "id": "n", "total": 4096, "bytes": "hex:00" })), "ENOSPC");
    let done = upload(json!({ "id": "m", "total": total, "offset": 500, "bytes": hex(second) }));
    assert_eq!(done["result"]["breakdown"]["complete"], json!(true), "{done}");
    assert_eq!(post("pal_decode", &use_it)["result"]["breakdown"]["largest"], json!(63));
    assert_eq!(upload(json!({ "id": "m", "remove": true }))["result"]["breakdown"]["removed"], json!(true));
    assert_eq!(post("pal_decode", &use_it)["errno"], "ENOENT");
    assert_eq!(errno(json!({ "id": "m", "remove": true })), "ENOENT");
    assert_eq!(errno(json!({ "id": "m", "total": 1 })), "EINVAL", "no piece");
    assert_eq!(errno(json!({ "id": "m", "bytes": "hex:00" })), "EINVAL", "no total");
    assert_eq!(errno(json!({ "id": "a/b", "total": 1, "bytes": "hex:00" })), "EINVAL");
    assert_eq!(errno(json!({ "id": "m", "total": 1, "bytes": { "path": "x" } })), "EINVAL");
}

fn decoded(base64: &Value) -> Vec<u8> {
    let bytes: Bytes = serde_json::from_value(json!(format!("base64:{}", base64.as_str().unwrap()))).unwrap();
    bytes.range(0, bytes.length() as usize).unwrap()
}

#[test]
fn a_picture_comes_as_an_attachment_as_content_and_as_an_image() {
    let arguments = json!({ "name": "pal_decode", "arguments": { "bytes": { "path": "a.pal" } }, "response_detail": "full" });
    let full = call_on(&place().gateway, Tool::Run, &arguments);
    let attachments = full["data"]["attachments"].as_array().unwrap();
    let kinds: Vec<&Value> = attachments.iter().map(|attachment| &attachment["media_type"]).collect();
    assert_eq!(kinds, ["application/octet-stream", "image/png"]);
    let png = decoded(&attachments[1]["base64"]);
    let (width, height, colours, pixels) = seen(&png);
    assert_eq!((width, height), (256, 256));
    assert_eq!(colours.unwrap()[3..6], [4, 0, 62 << 2]);
    assert_eq!((pixels[0], pixels[16], pixels[256 * 16]), (0, 1, 16));

    let server = Server::over(Arc::clone(&place().gateway), Settings::default());
    let image = server.post("/api/v1/tools/run_capability", &arguments).json()["images"][0].clone();
    assert_eq!(image["name"], "rgb8_shift.png");
    assert_eq!(decoded(&image["data"]), png);

    let [hello, ready] = handshake("2025-06-18");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "run_capability", "arguments": arguments } });
    let answers = ask(Arc::clone(&place().gateway), &[hello, ready, call]);
    let answer: Value = serde_json::from_str(&answers[1]).unwrap();
    let content = answer["result"]["content"].as_array().unwrap();
    assert_eq!((&content[1]["type"], &content[1]["mimeType"]), (&json!("image"), &json!("image/png")));
    assert_eq!(decoded(&content[1]["data"]), png);
    assert_eq!(content.len(), 2);
    assert_eq!(answer["result"]["structuredContent"]["data"], full["data"], "the same as everywhere");
}

#[test]
fn a_breakdown_alone_carries_no_picture() {
    assert!(palette_of(&json!("host:a.pal"))["data"].get("attachments").is_none());
}

#[test]
fn a_batch_may_send_a_file_and_use_it() {
    let runs = json!({ "runs": [
        { "name": "upload_asset", "arguments": { "id": "batch.pal", "total": 768, "bytes": hex(&palette()) } },
        { "name": "pal_decode", "arguments": { "bytes": { "upload": "batch.pal" } } },
        { "name": "pal_decode", "arguments": { "bytes": { "upload": "another.pal" } } },
    ], "stop_on_error": true });
    let given = run("execute_batch", &runs)["data"]["breakdown"].clone();
    assert_eq!((&given["succeeded"], &given["failed"]), (&json!(2), &json!(1)), "{given}");
    assert_eq!(given["results"][1]["data"]["breakdown"]["largest"], json!(63));
    assert_eq!(given["results"][2]["errno"], json!("ENOENT"));
    let found = call_on(&place().gateway, Tool::Find, &json!({ "query": "upload a file" }));
    assert_eq!(found["data"]["services"][0]["name"], json!("upload_asset"), "{found}");
}

/// Only the index is read, so a file may be larger than any memory.
#[cfg(unix)]
#[test]
fn a_large_file_is_read_where_it_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.mix");
    std::fs::write(&file, mix(&[("unittem.pal", &palette())])).unwrap();
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(64 << 30).unwrap();
    let assets = Assets::new(&[folder.path()], Limits::default()).unwrap();
    let gateway = Gateway::new(None).opening(assets);
    let run = |name: &str, bytes: Value| {
        call_on(&gateway, Tool::Run, &json!({ "name": name, "arguments": { "bytes": bytes } }))
    };
    let listed = run("mix_list", json!("host:large.mix"))["data"]["breakdown"].clone();
    assert_eq!((&listed["count"], &listed["warnings"]), (&json!(1), &json!(["size_mismatch"])), "{listed}");
    let entry = run("pal_decode", json!({ "path": "large.mix", "entry": "unittem.pal" }));
    assert_eq!(entry["data"]["breakdown"]["largest"], json!(63));
    let whole = run("pal_decode", json!("host:large.mix"));
    assert_eq!(refused(&whole).0, "EFBIG", "a decoder takes no more than it says");
}
