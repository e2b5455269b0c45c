//! Exit codes and streams of the command.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::corpus::embedded;
use serde_json::Value;
use std::io::Write as _;
use std::process::Stdio;
use support::{assay, bend, checkout, command, edit, stderr, stdout, worked_example};

fn code(arguments: &[&str]) -> i32 {
    assay(arguments).status.code().unwrap()
}

#[test]
fn exit_codes_tell_pass_refusal_and_usage_apart() {
    let worked = worked_example().to_string();
    for (expected, arguments) in [
        (0, vec!["--version"]),
        (0, vec!["--help"]),
        (0, vec!["list"]),
        (0, vec!["find", "shell", "hurts", "tank"]),
        (0, vec!["describe", "compute_damage"]),
        (0, vec!["run", "compute_damage", "--args", &worked]),
        (
            1,
            vec![
                "run",
                "compute_damage",
                "--args",
                r#"{"weapon_damage":1,"verses":"f64:0x7ff0000000000000"}"#,
            ],
        ),
        (2, vec!["run", "compute_damage", "--args", r#"{"weapon_damage":"x"}"#]),
        (2, vec!["run", "compute_damage", "--args", "@/no/such/file"]),
        (2, vec!["run", "compute_damge"]),
        (2, vec!["describe", "compute_damge"]),
        (2, vec![]),
        (2, vec!["explode"]),
        (2, vec!["verify", "--game", "RA3"]),
        (2, vec!["verify", "no_such_thing"]),
        (2, vec!["verify", "a/b/c/d"]),
        (2, vec!["verify", "compute_prone_damage", "--expect-corpus", "000000000000"]),
        (2, vec!["list", "--root", "/no/such/folder"]),
        (2, vec!["mcp", "--root", "/no/such/folder"]),
    ] {
        assert_eq!(code(&arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_green_corpus_passes() {
    let output = assay(&["verify"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn every_format_and_switch_works_on_a_part() {
    let part = "compute_prone_damage";
    for format in ["text", "json", "junit", "github"] {
        assert_eq!(code(&["verify", part, "--format", format]), 0, "{format}");
    }
    let report: Value = serde_json::from_str(&stdout(&assay(&["verify", part, "--format", "json"]))).unwrap();
    let digest = report["corpus_digest"].as_str().unwrap();
    for (expected, switches) in [
        (0, vec!["--expect-corpus", digest]),
        (0, vec!["--expect-corpus", &digest[..12]]),
        (2, vec!["--expect-corpus", &digest[..11]]),
        (0, vec!["--jobs", "1", "--deny", "skipped"]),
        (0, vec!["--game", "yr", "--tier", "verified"]),
        (0, vec!["game=TS"]),
        (2, vec!["--tag", "no-such-tag"]),
    ] {
        let arguments = [&["verify", part], &switches[..]].concat();
        assert_eq!(code(&arguments), expected, "{switches:?}");
    }
}

#[test]
fn results_go_to_standard_output_and_complaints_to_standard_error() {
    let good = assay(&["run", "compute_damage", "--format", "json", "--args", r#"{"weapon_damage":1}"#]);
    let envelope: Value = serde_json::from_str(&stdout(&good)).unwrap();
    assert_eq!((&envelope["ok"], stderr(&good).as_str()), (&Value::Bool(true), ""));
    let bad = assay(&["run", "compute_damge"]);
    assert_eq!(stdout(&bad), "");
    assert!(
        stderr(&bad).contains("ENOENT") && stderr(&bad).contains("nearest: compute_damage"),
        "{}",
        stderr(&bad)
    );
    let both = assay(&["run", "compute_damge", "--format", "json"]);
    let envelope: Value = serde_json::from_str(&stdout(&both)).unwrap();
    assert_eq!(envelope["errno"], "ENOENT");
    assert!(!stdout(&good).contains('\u{1b}'));
}

#[test]
fn arguments_come_from_files_and_standard_input_too() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, "{}", worked_example()).unwrap();
    let from_file = assay(&["run", "compute_damage", "--args", &format!("@{}", file.path().display())]);
    let mut child = command(&["run", "compute_damage", "--args", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(worked_example().to_string().as_bytes()).unwrap();
    let from_input = child.wait_with_output().unwrap();
    assert_eq!(stdout(&from_file), stdout(&from_input));
    let lines = stdout(&from_file);
    assert!(
        lines.lines().any(|line| line.trim_start().starts_with("result") && line.ends_with(" 75")),
        "{lines}"
    );
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    for arguments in [vec!["list"], vec!["describe", "compute_damage", "--detail", "docs"], vec!["--help"]] {
        let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn drift_from_a_recorded_value_exits_1_and_names_the_stage() {
    let folder = tempfile::tempdir().unwrap();
    checkout(folder.path());
    let (_, golden) = embedded();
    let path = golden.texts.keys().find(|path| path.ends_with(".jsonl")).unwrap();
    edit(folder.path(), path, |text| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut vector: Value = serde_json::from_str(&lines[1]).unwrap();
        assert!(bend(&mut vector["out"]), "{vector}");
        lines[1] = vector.to_string();
        lines.join("\n") + "\n"
    });
    let capability = path.split('/').nth(2).unwrap();
    let verify = |format: &str| {
        assay(&["verify", capability, "--format", format, "--root", folder.path().to_str().unwrap()])
    };
    let output = verify("text");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    for word in ["stage", "expected", "actual", "assay verify"] {
        assert!(stdout(&output).contains(word), "{}", stdout(&output));
    }
    let report: Value = serde_json::from_str(&stdout(&verify("json"))).unwrap();
    assert_eq!(report["counts"]["fail"], 1);
    assert!(stdout(&verify("github")).contains("::error"));
    // Another corpus is worse than drift.
    let root = folder.path().to_str().unwrap();
    assert_eq!(code(&["verify", capability, "--root", root, "--expect-corpus", "000000000000"]), 2);
}

#[test]
fn a_checkout_is_locked_checked_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    checkout(folder.path());
    let root = folder.path().to_str().unwrap();
    assert_eq!(code(&["lock", "--check", "--root", root]), 2, "the schemas are not there yet");
    let locked = assay(&["lock", "--root", root]);
    assert_eq!(locked.status.code(), Some(0), "{}", stderr(&locked));
    assert!(folder.path().join("golden/schema/cases.schema.json").is_file());
    assert_eq!(code(&["lock", "--check", "--root", root]), 0);
    assert_eq!(code(&["verify", "compute_prone_damage", "--root", root]), 0);
    // From inside, without --root, it is the checkout that is locked, and the embedded corpus that is verified.
    let inside = folder.path().join("ports");
    let output = command(&["lock", "--check"]).current_dir(&inside).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let sources = "oracles/sources.toml";
    edit(folder.path(), sources, |text| format!("{text}\n# changed\n"));
    let output = command(&["verify", "compute_prone_damage"]).current_dir(&inside).output().unwrap();
    assert!(stderr(&output).contains("differs from the checkout"), "{}", stderr(&output));
    assert!(stdout(&output).contains("differs from the checkout"), "{}", stdout(&output));
    edit(folder.path(), "golden/combat/compute_damage/cases.toml", |text| {
        text.replacen("[[case]]", "[[cse]]", 1)
    });
    let broken = assay(&["lock", "--root", root]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(stderr(&broken).contains("golden/combat/compute_damage/cases.toml:"), "{}", stderr(&broken));
    assert_eq!(code(&["verify", "compute_damage", "--root", root]), 2);
}
