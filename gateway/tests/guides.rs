//! Every command and every call that stands in a guide works as it stands there.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::guides::{self, Guide};
use assay_gateway::snapshot::Gateway;
use assay_gateway::surface::Tool;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use support::{call_on, gateway, locked_checkout};

/// The fenced blocks of a language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), None::<(String, String)>);
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language.to_owned(), String::new())),
            (None, None) => {}
            (Some((_, block)), None) => {
                block.push_str(line);
                block.push('\n');
            }
            (Some(_), Some(_)) => found.extend(open.take()),
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    found.into_iter().filter(|(of, _)| of == language).map(|(_, block)| block).collect()
}

/// Runs a block in a checkout, with the built binary as `assay`.
fn shell(root: &Path, block: &str) {
    let binary = Path::new(env!("CARGO_BIN_EXE_assay")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-euc", block]).current_dir(root).env("PATH", path).output().unwrap();
    assert!(
        output.status.success(),
        "{block}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn each(check: impl Fn(&Guide)) {
    guides::all().iter().for_each(check);
}

/// Each guide in a checkout of its own, all at once: most of it is waiting for a new process.
#[test]
fn the_commands_run_in_order_in_a_checkout() {
    std::thread::scope(|scope| {
        for guide in guides::all() {
            scope.spawn(|| {
                let folder = tempfile::tempdir().unwrap();
                locked_checkout(folder.path());
                let commands = blocks(guide.text, "sh");
                assert!(commands.len() >= 3, "{} has {} blocks", guide.name, commands.len());
                for block in &commands {
                    shell(folder.path(), block);
                }
            });
        }
    });
}

#[test]
fn the_calls_are_answered() {
    each(|guide| {
        for block in blocks(guide.text, "json") {
            let request: Value =
                serde_json::from_str(&block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
            let tool = Tool::named(request["name"].as_str().unwrap()).unwrap();
            let reply = call_on(gateway(), tool, &request["arguments"]);
            assert_eq!(reply["ok"], json!(true), "{block}\n{reply}");
            let results = reply["data"]["breakdown"]["results"].as_array();
            assert!(results.is_none_or(|results| results.iter().all(|result| result["ok"] == json!(true))));
        }
    });
    let calls: usize = guides::all().iter().map(|guide| blocks(guide.text, "json").len()).sum();
    assert!(calls >= 6, "{calls}");
}

#[test]
fn resources_that_are_named_are_there() {
    let snapshot = gateway().snapshot().unwrap();
    each(|guide| {
        let uris = guide.text.split('`').filter(|word| word.starts_with("oracle://"));
        for uri in uris {
            let read = assay_gateway::resources::read(&snapshot, None, uri);
            assert!(read.is_ok(), "{}: {uri}: {read:?}", guide.name);
        }
    });
}

/// The checks above see what is wrong.
#[test]
fn a_block_that_fails_is_noticed() {
    let text = "```sh\nfalse\ntrue\n```\n\n```json\n{}\n```\n";
    assert_eq!(
        (blocks(text, "sh"), blocks(text, "json")),
        (vec!["false\ntrue\n".to_owned()], vec!["{}\n".to_owned()])
    );
    let folder = tempfile::tempdir().unwrap();
    let failed = std::panic::catch_unwind(|| shell(folder.path(), &blocks(text, "sh")[0]));
    assert!(failed.is_err());
    let unread = Gateway::new(Some(folder.path().to_owned())).call(Tool::Find, &json!({}));
    assert!(!unread.ok(), "a folder without a checkout answers nothing");
}
