//! `assay lint` as a command: exit codes, forms, mending on disk.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use assay_gateway::corpus::embedded;
use serde_json::Value;
use std::path::Path;
use support::{assay, stderr, stdout};

const SUITE: &str = "golden/combat/compute_prone_damage/cases.toml";

/// Writes the embedded corpus as a checkout, with one file changed.
fn checkout(root: &Path, path: &str, change: impl Fn(&str) -> String) {
    let (specs, golden) = embedded();
    for (file, text) in specs.texts.iter().chain(&golden.texts) {
        let place = root.join(file);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        let text = if file == path { change(text) } else { text.clone() };
        std::fs::write(place, text).unwrap();
    }
}

#[test]
fn the_corpus_is_clean() {
    let output = assay(&["lint"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("clean in "), "{}", stdout(&output));
}

#[test]
fn a_slip_is_told_in_every_form_and_mended_where_that_is_mechanical() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    checkout(folder.path(), SUITE, |text| {
        let moved = text.replacen("[[case]]\nid", "[[case]]\ntitel = \"x\"\nid", 1);
        moved.trim_end().to_owned() + "\n\n\n"
    });
    let run = |more: &[&str]| assay(&[&["lint", "--root", root], more].concat());
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains(&format!("{SUITE}:")) && text.contains("error[unknown-key]: unknown key `titel`"),
        "{text}"
    );
    assert!(text.contains("warning[layout]") && text.contains("1 error, 1 warning in "), "{text}");
    let json: Value = serde_json::from_str(&stdout(&run(&["--format", "json"]))).unwrap();
    assert_eq!((json["errors"].as_u64(), json["warnings"].as_u64()), (Some(1), Some(1)));
    assert!(stdout(&run(&["--format", "github"])).starts_with(&format!("::error file={SUITE},line=")));
    let sarif: Value = serde_json::from_str(&stdout(&run(&["--format", "sarif"]))).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 2);
    // Narrowed to what is sound, it is clean; a name that is none is a slip of its own.
    assert_eq!(run(&["compute_damage"]).status.code(), Some(0));
    assert_eq!(run(&["combat/*"]).status.code(), Some(2));
    assert_eq!(run(&[SUITE]).status.code(), Some(2));
    let unknown = run(&["compute_prune_damage"]);
    assert!(stderr(&unknown).contains("nearest: compute_prone_damage"), "{}", stderr(&unknown));
    // What is mechanical is mended on disk, the rest is left.
    let fixed = run(&["--fix"]);
    assert_eq!(fixed.status.code(), Some(2));
    let text = stdout(&fixed);
    assert!(text.contains(&format!("mended {SUITE}: layout ×1")) && text.contains("1 error in "), "{text}");
    let on_disk = std::fs::read_to_string(folder.path().join(SUITE)).unwrap();
    assert!(on_disk.ends_with('\n') && !on_disk.ends_with("\n\n") && on_disk.contains("titel"));
    let again: Value = serde_json::from_str(&stdout(&run(&["--fix", "--format", "json"]))).unwrap();
    assert_eq!(again["fixed"].as_array().map(Vec::len), Some(0));
}
