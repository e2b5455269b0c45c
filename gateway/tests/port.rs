//! Ports in other processes, through the command: the compiled-in ones served to themselves, and the examples.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use support::{assay, stderr, stdout};

/// A file among the examples, as the only words after a program.
fn example(program: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../harness/examples/ports").join(file);
    format!("{program} '{}'", path.display())
}

fn own() -> String {
    format!("'{}' port serve", env!("CARGO_BIN_EXE_assay"))
}

/// Whether a program is there. The gate needs nothing but Rust and a shell.
fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let output = assay(arguments);
    let text = stdout(&output);
    let value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}{}", stderr(&output)));
    (output.status.code().unwrap(), value)
}

#[test]
fn the_compiled_in_ports_served_to_themselves_are_the_compiled_in_ports() {
    // Not the decoders whose largest cases take as long as a call may, where the machine is busy.
    let quick = ["combat", "economy", "math", "movement", "rules", "timing", "csf_decode", "mix_list"];
    let verify = |more: &[&str], selection: &[&str]| {
        json(&[&["verify", "--format", "json"], more, selection].concat())
    };
    let command = own();
    let port = ["--port", command.as_str(), "--timeout", "60"];
    let ((code, ours), (theirs_code, theirs)) = (verify(&[], &quick), verify(&port, &quick));
    assert_eq!((code, theirs_code), (0, 0), "{}", theirs["problems"]);
    for same in ["counts", "sweep_points", "standings", "corpus_digest"] {
        assert_eq!(ours[same], theirs[same], "{same}");
    }
    assert_eq!(
        (theirs["port"]["name"].as_str(), theirs["port"]["starts"].as_u64()),
        (Some("assay"), Some(1))
    );
    // Where the cases show the order of every stage, an answer has the same bytes after the way through the pipe.
    let plain = ["economy", "movement", "rules", "timing", "csf_decode"];
    assert_eq!(verify(&[], &plain).1["result_digest"], verify(&port, &plain).1["result_digest"]);
}

/// What an example passes: everything that it offers, and nothing else ran.
fn passes(command: &str, capabilities: &[&str]) {
    let (code, report) = json(&["verify", "--port", command, "--format", "json"]);
    let failing: Vec<&Value> =
        report["results"].as_array().unwrap().iter().filter(|r| !r["failure"].is_null()).collect();
    assert_eq!((code, report["verdict"].as_str()), (0, Some("pass")), "{failing:#?} {}", report["problems"]);
    let ran = report["results"].as_array().unwrap().iter().filter(|result| result["verdict"] != "skipped");
    let mut names: Vec<&str> = ran.map(|result| result["capability"].as_str().unwrap()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, capabilities);
    let output = assay(&["port", "check", command]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn the_example_in_shell_passes() {
    if there("sh") || cfg!(unix) {
        passes(&example("sh", "port.sh"), &["compute_refinery_pile"]);
    }
}

#[test]
fn the_example_in_python_passes() {
    let all = ["compute_ammo_reload", "compute_crc32", "compute_minutes_to_frames", "compute_refinery_pile"];
    if there("python3") {
        passes(&example("python3", "port.py"), &all);
    }
}

#[test]
fn the_example_in_javascript_passes() {
    let all = ["compute_ammo_reload", "compute_facing_bucket", "compute_refinery_pile"];
    if there("node") {
        passes(&example("node", "port.js"), &all);
    }
}

#[test]
fn several_ports_are_compared() {
    let shell = example("sh", "port.sh");
    let (code, both) =
        json(&["compare", "compute_refinery_pile", "--port", &shell, "--port", &own(), "--format", "json"]);
    assert_eq!(code, 0);
    let names: Vec<&str> =
        both["ports"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["assay", "example-shell", "assay#2"]);
    assert_eq!(both["agreements"], serde_json::json!([]));
    let text = stdout(&assay(&["verify", "compute_refinery_pile", "--port", &shell, "--port", &own()]));
    assert!(text.contains("port example-shell 1 (POSIX shell), 1 capability"), "{text}");
    assert!(text.contains("capability                     example-shell"), "{text}");
    let (code, all) =
        json(&["verify", "compute_refinery_pile", "--port", &shell, "--port", &own(), "--format", "json"]);
    assert_eq!((code, all["reports"].as_array().unwrap().len()), (0, 2));
}

#[test]
fn what_cannot_be_judged_is_exit_2() {
    for (arguments, said) in [
        (vec!["verify", "--port", "no-such-port"], "failed to start `no-such-port`"),
        (vec!["verify", "--port", "false"], "it ended with status 1 before it said hello"),
        (vec!["verify", "--known", "x.toml"], "--port"),
        (vec!["verify", "--port", "false", "--known", "/no/such/list"], "failed to read known failures"),
        (vec!["compare"], "name a port"),
        (vec!["port", "check", "no-such-port"], "failed to start `no-such-port`"),
    ] {
        let output = assay(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
    }
    // It runs, and does nothing that was asked for.
    let output = assay(&["verify", "compute_damage", "--port", &example("sh", "port.sh")]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stdout(&output).contains("the port does not offer compute_damage"), "{}", stdout(&output));
}

#[test]
fn the_reference_and_the_schemas_are_printed() {
    let (code, schemas) = json(&["port", "schema"]);
    assert_eq!((code, schemas.as_object().unwrap().len()), (0, 5));
    assert_eq!(schemas["run.reply"]["additionalProperties"], false);
    assert!(stdout(&assay(&["port", "protocol"])).starts_with("# Port protocol 1\n"));
}

#[test]
fn a_check_says_what_is_wrong_in_text_and_json() {
    let (code, check) = json(&["port", "check", "sh -c 'echo ready; sleep 9'", "--format", "json"]);
    assert_eq!((code, check["steps"][0]["finding"].as_str()), (1, Some("wrong")));
    let text = stdout(&assay(&["port", "check", "sh -c 'echo ready; sleep 9'"]));
    assert!(text.starts_with("wrong  hello  the first line on its standard output is no hello"), "{text}");
}
