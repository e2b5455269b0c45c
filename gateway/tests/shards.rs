//! Many machines: shards, merged reports and receipts as the command gives them, and the CI snippets that use them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use support::{bend_vector, checkout, command, lock, locked_checkout, stderr, stdout, vectors};

/// Small, and of two suites.
const SELECTION: [&str; 2] = ["compute_prone_damage", "compute_distance"];

fn at(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).env("SOURCE_DATE_EPOCH", "1796070000").output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Runs every shard of three and gives the files.
fn shards(folder: &Path, more: &[&str]) -> Vec<String> {
    let shard = |index: usize| {
        let (shard, file) = (format!("{index}/3"), format!("part-{index}.json"));
        let words = [&["verify"][..], &SELECTION, &["--shard", &shard, "--report", &file], more].concat();
        let output = at(folder, &words);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains(&format!("shard {shard}: ")), "{}", stderr(&output));
        file
    };
    (1..=3).map(shard).collect()
}

fn merge(folder: &Path, files: &[String], more: &[&str]) -> Output {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    at(folder, &[&["report", "merge"][..], &files, more].concat())
}

#[test]
fn merged_shards_are_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let files = shards(folder.path(), &[]);
    let merged = merge(
        folder.path(),
        &files,
        &["--format", "json", "--report", "all.json", "--receipt", "receipt.json"],
    );
    assert_eq!(code(&merged), 0, "{}", stderr(&merged));
    let whole = at(folder.path(), &[&["verify", "--format", "json"][..], &SELECTION].concat());
    assert_eq!(stdout(&merged), stdout(&whole));
    assert_eq!(fs::read_to_string(folder.path().join("all.json")).unwrap(), stdout(&whole));
    let checked = at(folder.path(), &["receipt", "verify", "receipt.json"]);
    assert!(code(&checked) == 0 && stdout(&checked).starts_with("holds"), "{}", stdout(&checked));
}

#[test]
fn costs_are_measured_and_divide() {
    let folder = tempfile::tempdir().unwrap();
    let measured = at(folder.path(), &[&["verify", "--write-costs", "costs.txt"][..], &SELECTION].concat());
    assert_eq!(code(&measured), 0, "{}", stderr(&measured));
    let costs = fs::read_to_string(folder.path().join("costs.txt")).unwrap();
    let ids: BTreeSet<&str> =
        costs.lines().filter_map(|line| line.split_once(' ')).map(|(_, id)| id).collect();
    let report: Value = serde_json::from_str(&stdout(&at(
        folder.path(),
        &[&["verify", "--format", "json"][..], &SELECTION].concat(),
    )))
    .unwrap();
    for result in report["results"].as_array().unwrap() {
        assert!(ids.contains(result["id"].as_str().unwrap()), "{result}");
    }
    let files = shards(folder.path(), &["--costs", "costs.txt"]);
    assert_eq!(code(&merge(folder.path(), &files, &[])), 0);
    fs::write(folder.path().join("costs.txt"), "x").unwrap();
    let wrong = at(folder.path(), &["verify", "--shard", "1/3", "--costs", "costs.txt"]);
    assert!(
        code(&wrong) == 2 && stderr(&wrong).contains("failed to read costs.txt: line 1"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn what_is_missing_twice_or_cut_is_no_run() {
    let folder = tempfile::tempdir().unwrap();
    let files = shards(folder.path(), &[]);
    let refused = |files: &[String], why: &str| {
        let output = merge(folder.path(), files, &[]);
        let said = stderr(&output);
        assert!(code(&output) == 2 && said.contains(why) && stdout(&output).is_empty(), "{why}: {said}");
    };
    refused(&files[..2], "shard 3 of 3 is missing");
    refused(&[files.clone(), files[..1].to_vec()].concat(), "shard 1 of 3 is there 2 times");
    refused(&[files[..2].to_vec(), vec!["none.json".to_owned()]].concat(), "failed to read none.json");
    let last = folder.path().join(&files[2]);
    let text = fs::read_to_string(&last).unwrap();
    fs::write(&last, &text[..text.len() / 2]).unwrap();
    refused(&files, "failed to read part-3.json: is no report");
    fs::write(&last, text.replace("\"verdict\": \"pass\"", "\"verdict\": \"skipped\"")).unwrap();
    refused(&files, "part-3.json");
    // And a machine that asks for a part of nothing hears so.
    for (words, why) in [
        (vec!["verify", "--shard", "4/3"], "there is no shard 4 of 3"),
        (vec!["verify", "--shard", "1/2", "status=verified"], "a status is earned by whole suites"),
        (vec!["verify", "compute_prone_damage", "--shard", "1/5000"], "cannot be divided into 5000 shards"),
    ] {
        let output = at(folder.path(), &words);
        assert!(code(&output) == 2 && stderr(&output).contains(why), "{why}: {}", stderr(&output));
    }
}

/// The first suite of the selection alone: the rest of this file is about the receipt.
fn receipt(folder: &Path, more: &[&str]) -> Value {
    let words = [&["verify", "compute_prone_damage", "--receipt", "receipt.json"][..], more].concat();
    let output = at(folder, &words);
    assert!(code(&output) < 2, "{}", stderr(&output));
    serde_json::from_str(&fs::read_to_string(folder.join("receipt.json")).unwrap()).unwrap()
}

#[test]
fn a_receipt_is_stable_and_holds() {
    let folder = tempfile::tempdir().unwrap();
    let first = receipt(folder.path(), &["--jobs", "1"]);
    assert_eq!(first, receipt(folder.path(), &["--jobs", "1"]));
    assert_eq!(first["predicate"]["assay"]["time"], "2026-11-30T20:20:00Z");
    let assay = &first["predicate"]["configuration"][0];
    assert_eq!(assay["annotations"]["threads"], 1);
    assert!(assay["annotations"]["toolchain"].as_str().unwrap().starts_with("rustc "));
    assert_eq!(assay["digest"]["sha256"].as_str().unwrap().len(), 64);
    // Threads are named and change nothing else.
    let mut other = receipt(folder.path(), &["--jobs", "2"]);
    other["predicate"]["configuration"][0]["annotations"]["threads"] = 1.into();
    assert_eq!(first, other);
    let held = at(folder.path(), &["receipt", "verify", "receipt.json", "--format", "json"]);
    let said: Value = serde_json::from_str(&stdout(&held)).unwrap();
    assert_eq!((code(&held), said["outcome"].as_str(), said["format"].as_u64()), (0, Some("holds"), Some(1)));
}

#[test]
fn what_a_receipt_no_longer_says_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let good = receipt(folder.path(), &[]);
    let suite = "/predicate/assay/suites/combat~1compute_prone_damage/digest";
    let said = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        fs::write(folder.path().join("changed.json"), value.to_string()).unwrap();
        let output = at(folder.path(), &["receipt", "verify", "changed.json"]);
        (code(&output), stdout(&output))
    };
    let zeros = "0".repeat(64);
    for (exit, headline, reason, change) in [
        (
            1,
            "other results",
            "combat/compute_prone_damage: ",
            &(|value: &mut Value| {
                *value.pointer_mut(suite).unwrap() = zeros.as_str().into();
            }) as &dyn Fn(&mut Value),
        ),
        (2, "another port", "it is about ports 000", &|value| {
            value["subject"][0]["digest"]["blake3"] = zeros.as_str().into();
        }),
        (2, "another corpus", "it is about corpus 000", &|value| {
            value["subject"][1]["digest"]["blake3"] = zeros.as_str().into();
        }),
        (2, "malformed", "is a `x`", &|value| value["_type"] = "x".into()),
        (2, "malformed", "says WARNED", &|value| value["predicate"]["result"] = "WARNED".into()),
    ] {
        let (code, told) = said(change);
        assert!(
            code == exit && told.starts_with(headline) && told.contains(reason),
            "{headline}: {code} {told}"
        );
    }
}

/// A receipt of a failure holds, and is no pass.
#[test]
fn a_red_run_has_a_red_receipt() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("checkout");
    checkout(&root);
    let id = bend_vector(&root, &vectors());
    let suite = id.rsplit_once('/').unwrap().0;
    let root = root.to_str().unwrap();
    let words = ["verify", suite, "--root", root, "--receipt", "receipt.json"];
    assert_eq!(code(&at(folder.path(), &words)), 1);
    let held = at(folder.path(), &["receipt", "verify", "receipt.json", "--root", root]);
    assert!(code(&held) == 1 && stdout(&held).starts_with("holds, and what it records is a failure"));
    let other = at(folder.path(), &["receipt", "verify", "receipt.json"]);
    assert!(code(&other) == 2 && stdout(&other).starts_with("another corpus"), "{}", stdout(&other));
}

#[test]
fn threads_and_order_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let words =
        [&["determinism", "--threads", "1,3", "--orders", "1", "--repeat", "2"][..], &SELECTION].concat();
    let output = at(folder.path(), &words);
    let text = stdout(&output);
    assert!(code(&output) == 0 && text.contains("in 8 runs") && text.contains("shuffle 1"), "{text}");
    let output = at(folder.path(), &[&words[..], &["--format", "json"]].concat());
    let said: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((said["same"].as_bool(), said["runs"].as_array().unwrap().len()), (Some(true), 8));
    let nothing = at(folder.path(), &["determinism", "tag=no-such-tag"]);
    assert!(code(&nothing) == 2 && stdout(&nothing).contains("no case ran"), "{}", stdout(&nothing));
}

/// The lines of a snippet that call assay, in order: of `run`, `script` and `args`.
fn lines(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| lines(item, found)),
        Value::Object(members) => {
            for (key, value) in members {
                if matches!(key.as_str(), "run" | "script" | "args") {
                    let texts = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                    let texts = texts.iter().filter_map(Value::as_str).flat_map(str::lines);
                    found.extend(texts.filter(|line| line.starts_with("assay ")).map(str::to_owned));
                } else {
                    lines(value, found);
                }
            }
        }
        _ => {}
    }
}

/// How many machines a snippet asks for.
fn machines(document: &Value) -> Option<u64> {
    let of = |pointer| document.pointer(pointer);
    let matrix =
        of("/jobs/shard/strategy/matrix/shard").and_then(Value::as_array).map(|list| list.len() as u64);
    matrix.or_else(|| of("/verify/parallel")?.as_u64()).or_else(|| of("/spec/completions")?.as_u64())
}

/// Starts a line as its runner would, on machine `index` of three.
fn runner(folder: &Path, line: &str, index: usize) -> Child {
    let line = line.replace("${{ matrix.shard }}", &index.to_string());
    assert!(!line.contains("${{"), "{line}: an expression that this test does not know");
    // An image has the corpus compiled in; here it is the one of the test.
    let line = if line.contains("--root") { line } else { line.replacen("assay ", "assay --root . ", 1) };
    let assay = PathBuf::from(env!("CARGO_BIN_EXE_assay"));
    let path = format!("{}:{}", assay.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &line.replace("/reports/", "")]).current_dir(folder).env("PATH", path);
    shell.env("CI_NODE_INDEX", index.to_string()).env("CI_NODE_TOTAL", "3");
    shell.env("JOB_COMPLETION_INDEX", (index - 1).to_string());
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A checkout without sweeps, and without the one case that is slow on purpose: an unoptimised port on a busy machine may
/// need longer for it than a call may take, and that is no fault of a shard.
fn quick_checkout(root: &Path) {
    locked_checkout(root);
    let place = root.join("golden/assets/vxl_decode/cases.toml");
    let text = fs::read_to_string(&place).unwrap();
    let blocks = text.split("\n[[").filter(|block| !block.contains("\"bomb-of-spans\""));
    fs::write(&place, blocks.collect::<Vec<_>>().join("\n[[")).unwrap();
    fs::remove_file(root.join("golden/index.lock")).unwrap();
    lock(root);
}

/// Every snippet is YAML, asks for three machines, and does what it says: its lines are run as they stand, on a checkout.
#[test]
fn the_ci_snippets_work_as_they_stand() {
    let snippets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/snippets");
    let root = tempfile::tempdir().unwrap();
    quick_checkout(root.path());
    let mut tried = 0;
    for entry in fs::read_dir(snippets).unwrap() {
        let place = entry.unwrap().path();
        let name = place.display().to_string();
        let text = fs::read_to_string(&place).unwrap();
        let documents: Vec<Value> =
            serde_saphyr::from_multiple(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(documents.iter().find_map(machines), Some(3), "{name}");
        let mut found = Vec::new();
        documents.iter().for_each(|document| lines(document, &mut found));
        found.sort_by_key(|line| line.starts_with("assay report"));
        let [shard, merge] = found.as_slice() else { panic!("{name}: {found:?}") };
        assert!(shard.starts_with("assay verify ") && shard.contains("--shard"), "{name}: {shard}");
        // At the same time, as the machines would.
        let started: Vec<_> = (1..=3).map(|index| runner(root.path(), shard, index)).collect();
        for machine in started {
            let output = machine.wait_with_output().unwrap();
            assert_eq!(code(&output), 0, "{name}: {}{}", stdout(&output), stderr(&output));
        }
        let merged = || runner(root.path(), merge, 1).wait_with_output().unwrap();
        let output = merged();
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        assert!(!merge.contains("junit") || root.path().join("junit.xml").is_file());
        // Without one of the machines it is red.
        for (index, why) in [(1, "shard 1 of 3 is missing"), (2, "shard 1, 2 of 3 is missing")] {
            fs::remove_file(root.path().join(format!("part-{index}.json"))).unwrap();
            if tried == 0 {
                let output = merged();
                assert!(code(&output) == 2 && stderr(&output).contains(why), "{name}: {}", stderr(&output));
            }
        }
        fs::remove_file(root.path().join("part-3.json")).unwrap();
        tried += 1;
    }
    assert_eq!(tried, 3);
}

/// The workflows of this repository are YAML too, and every script that they start is there.
#[test]
fn the_workflows_start_what_there_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut scripts = BTreeSet::new();
    for entry in fs::read_dir(root.join(".github/workflows")).unwrap() {
        let place = entry.unwrap().path();
        let text = fs::read_to_string(&place).unwrap();
        let value: Value =
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
        assert!(value["jobs"].is_object() && value["permissions"].is_object(), "{}", place.display());
        let words = text.split_whitespace().filter(|word| word.starts_with(".ci/"));
        scripts.extend(words.map(|word| word.trim_end_matches(['.', ',', ')', '"', '`']).to_owned()));
    }
    assert!(scripts.contains(".ci/targets") && scripts.contains(".ci/strength"), "{scripts:?}");
    for script in scripts {
        assert!(root.join(&script).is_file(), "{script}");
    }
}
