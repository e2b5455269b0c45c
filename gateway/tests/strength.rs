//! `assay strength` on made results: what passes, what fails, and what it says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const ROW: &str = "combat/compute_prone_damage";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Exit code, standard output, standard error.
fn assay(results: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.arg("--root").arg(root()).args(["strength", "--results"]).arg(results).args(arguments);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The columns of the plan for one row.
fn plan(results: &Path) -> Vec<String> {
    let (code, out, _) = assay(results, &["--plan", ROW]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 1, "{out}");
    lines[0].split('\t').map(str::to_owned).collect()
}

/// Lays down one finished part with two mutants: the first is caught, the second as said.
fn part(results: &Path, key: &str, second: &str) {
    let folder = results.join(format!("{ROW}.rs/0-of-1"));
    let out = folder.join("mutants.out");
    fs::create_dir_all(out.join("log")).unwrap();
    let mutant = |line: u32, summary: &str| {
        format!(
            r#"{{"scenario":{{"Mutant":{{"name":"ports/src/{ROW}.rs:{line}:5: delete ! in f","file":"ports/src/{ROW}.rs",
            "function":{{"function_name":"f"}},"span":{{"start":{{"line":{line},"column":5}}}}}}}},
            "summary":"{summary}","log_path":"log/{line}.log"}}"#
        )
    };
    let document = format!(r#"{{"outcomes":[{},{}]}}"#, mutant(70, "CaughtMutant"), mutant(71, second));
    fs::write(out.join("outcomes.json"), document).unwrap();
    let log = format!("test\nassay-judge caught {ROW}/yr-half\nassay-judge end 9\n");
    fs::write(out.join("log/70.log"), &log).unwrap();
    fs::write(out.join("log/71.log"), if second == "MissedMutant" { "assay-judge end 9\n" } else { &log })
        .unwrap();
    fs::write(folder.join("key"), key.replace(',', "\n")).unwrap();
}

#[test]
fn current_results_are_shown_and_checked() {
    let results = TempDir::new().unwrap();
    let columns = plan(results.path());
    assert_eq!((columns[0].as_str(), columns[1].as_str()), (&*format!("ports/src/{ROW}.rs"), ROW));
    let suites: Vec<&str> = columns[4].split(',').collect();
    assert!(
        suites.contains(&ROW) && suites.contains(&"combat/compute_damage"),
        "what reaches it: {suites:?}"
    );
    assert!(!suites.contains(&"math/compute_crc32"), "what does not: {suites:?}");
    part(results.path(), &columns[3], "CaughtMutant");
    let (code, out, error) = assay(results.path(), &["--check", "--matrix", "compute_prone_damage"]);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.contains("yr-half"), "{out}");
    assert!(out.contains("catch nothing: "), "{out}");
    assert_eq!(plan(results.path())[5], "-", "nothing to try again");
}

#[test]
fn a_survivor_below_the_floor_fails_the_check_and_nothing_else() {
    let results = TempDir::new().unwrap();
    part(results.path(), &plan(results.path())[3], "MissedMutant");
    let (code, out, _) = assay(results.path(), &["--check", ROW]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("combat/compute_prone_damage is at 50 %, below its floor"), "{out}");
    assert!(out.contains("compute_prone_damage.rs:71:5\n      delete ! in f"), "{out}");
    assert_eq!(assay(results.path(), &[ROW]).0, 0, "showing is no gate");
    let (code, out, _) = assay(results.path(), &["--format", "json", ROW]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &value["passes"], &value["survivors"][0]["line"]), (0, &false.into(), &71.into()));
}

#[test]
fn missing_and_old_results_fail_the_check() {
    let results = TempDir::new().unwrap();
    let (code, out, _) = assay(results.path(), &["--check", ROW]);
    assert_eq!(code, 1);
    assert!(out.contains("has no results of today's file"), "{out}");
    let key = plan(results.path())[3].clone();
    // The keys of the suites as they were under other ports.
    let (text, _) = key.split_once(',').unwrap();
    part(results.path(), &format!("{text},{ROW} 0 0,combat/compute_damage 0 0"), "MissedMutant");
    let (code, out, _) = assay(results.path(), &["--check", ROW]);
    assert_eq!(code, 1);
    assert!(out.contains("has 2 results older than its ports or cases"), "{out}");
    let again = plan(results.path())[5].clone();
    let pattern = "^ports/src/combat/compute_prone_damage\\.rs:70:5: delete ! in f$";
    assert!(again.starts_with(pattern), "{again}");
    fs::remove_file(results.path().join(format!("{ROW}.rs/0-of-1/key"))).unwrap();
    let (_, out, _) = assay(results.path(), &["--check", ROW]);
    assert!(out.contains("has no results"), "an interrupted part does not count: {out}");
}

#[test]
fn names_that_mean_nothing_and_broken_results_are_usage() {
    let results = TempDir::new().unwrap();
    let (code, _, error) = assay(results.path(), &["compute_nothing"]);
    assert_eq!(code, 2);
    assert!(error.contains("`compute_nothing`: neither a capability nor a file"), "{error}");
    part(results.path(), &plan(results.path())[3], "CaughtMutant");
    let outcomes = results.path().join(format!("{ROW}.rs/0-of-1/mutants.out/outcomes.json"));
    fs::write(outcomes, "{").unwrap();
    let (code, _, error) = assay(results.path(), &[ROW]);
    assert_eq!(code, 2);
    assert!(error.contains("failed to read"), "{error}");
}

#[test]
fn without_results_the_record_is_shown() {
    let results = TempDir::new().unwrap();
    let (code, out, _) = assay(results.path(), &[]);
    assert_eq!(code, 0);
    assert!(out.contains("combat/compute_prone_damage"), "{out}");
    assert!(out.contains("as recorded in ports/strength.toml"), "{out}");
}
