//! Known failures, disputes and tombstones as exit codes of `assay verify` and `assay lock`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use serde_json::Value;
use std::path::Path;
use support::{assay, bend_vector, checkout, edit, stderr, stdout, vectors};

const LIST: &str = "ports/known-failures.toml";

/// A checkout in which one recorded value is wrong, so that the port drifts from it.
struct Bent {
    root: tempfile::TempDir,
    path: String,
    good: String,
    id: String,
}

impl Bent {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        checkout(root.path());
        let path = vectors();
        let good = std::fs::read_to_string(root.path().join(&path)).unwrap();
        let id = bend_vector(root.path(), &path);
        Self { root, path, good, id }
    }

    fn verify(&self) -> (i32, Value) {
        let capability = self.id.split('/').nth(1).unwrap();
        let output =
            assay(&["verify", capability, "--format", "json", "--root", self.root.path().to_str().unwrap()]);
        let report = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        (output.status.code().unwrap(), report)
    }

    fn list(&self, id: &str, digest: &str, expires: &str) {
        let text = format!(
            "[[known]]\nid = \"{id}\"\nreason = \"being mended\"\ndigest = \"{digest}\"\nexpires = \"{expires}\"\n"
        );
        std::fs::write(self.root.path().join(LIST), text).unwrap();
    }

    /// Verdict and message of the bent case.
    fn said(&self, report: &Value) -> (String, String) {
        let results = report["results"].as_array().unwrap();
        let result = results.iter().find(|result| result["id"] == self.id.as_str()).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&result["verdict"]), text(&result["failure"]["message"]))
    }
}

#[test]
fn the_list_of_known_failures_only_shrinks() {
    let bent = Bent::new();
    let (code, report) = bent.verify();
    assert_eq!((code, bent.said(&report).0.as_str()), (1, "fail"));
    // The digest to pin is the failure's own, in every format.
    let failing = report["results"].as_array().unwrap().iter().find(|r| r["id"] == bent.id.as_str()).unwrap();
    let digest = failing["failure"]["digest"].as_str().unwrap().to_owned();
    let text = stdout(&assay(&["verify", &bent.id, "--root", bent.root.path().to_str().unwrap()]));
    assert!(text.contains(&format!("digest    {digest}")), "{text}");
    // Fails as it is pinned.
    bent.list(&bent.id, &digest, "9999-12-31");
    let (code, report) = bent.verify();
    assert_eq!((code, bent.said(&report).0.as_str()), (0, "known-failure"));
    let capability = bent.id.split('/').nth(1).unwrap();
    assert_eq!(report["standings"][capability]["status"], "partial");
    // Fails in another way.
    bent.list(&bent.id, "00", "9999-12-31");
    let (code, report) = bent.verify();
    let (verdict, message) = bent.said(&report);
    assert_eq!((code, verdict.as_str()), (1, "fail"));
    assert!(message.ends_with("; a known failure, but not with this output"), "{message}");
    // Has expired.
    bent.list(&bent.id, &digest, "2020-01-01");
    let (code, report) = bent.verify();
    let (verdict, message) = bent.said(&report);
    assert_eq!((code, verdict.as_str()), (1, "fail"));
    assert!(message.ends_with("; a known failure that expired on 2020-01-01"), "{message}");
    // Was mended, and is still listed.
    bent.list(&bent.id, &digest, "9999-12-31");
    std::fs::write(bent.root.path().join(&bent.path), &bent.good).unwrap();
    let (code, report) = bent.verify();
    assert_eq!((code, bent.said(&report).0.as_str()), (1, "unexpected-pass"));
    // Is no case at all.
    bent.list(&format!("{}x", bent.id), &digest, "9999-12-31");
    let (code, report) = bent.verify();
    assert_eq!(code, 2);
    assert!(report["problems"][0]["message"].as_str().unwrap().contains("no suite has a case"), "{report}");
}

/// The first case whose value was recorded by itself, so that nothing but the port contradicts another value.
const SUITE: &str = "golden/combat/compute_warhead_damage/cases.toml";

fn run(root: &Path, arguments: &[&str]) -> (i32, String) {
    let output = assay(&[arguments, &["--root", root.to_str().unwrap()]].concat());
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

#[test]
fn a_case_leaves_by_way_of_a_tombstone_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    checkout(root);
    let text = std::fs::read_to_string(root.join(SUITE)).unwrap();
    let (head, rest) = text.split_once("[[case]]").unwrap();
    let (first, others) = rest.split_once("[[case]]").unwrap();
    let id = first.split('"').nth(1).unwrap();
    let without = format!("{head}[[case]]{others}");
    let tombstone = format!("\n[[removed]]\nid = \"{id}\"\nreason = \"it said the same as another\"\n");
    let complaint = format!("case `{id}` is gone");
    edit(root, SUITE, |_| without.clone());
    // Also in a run of its suite alone, in a run of another there is no reason to.
    for (arguments, expected) in
        [(vec!["verify"], 2), (vec!["verify", "compute_warhead_damage"], 2), (vec!["lock"], 2)]
    {
        let (code, said) = run(root, &arguments);
        assert_eq!((code, said.contains(&complaint)), (expected, true), "{arguments:?}: {said}");
    }
    assert_eq!(run(root, &["verify", "compute_prone_damage"]).0, 0);
    edit(root, SUITE, |text| text + &tombstone);
    assert_eq!(run(root, &["verify", "compute_warhead_damage"]).0, 0);
    assert_eq!(run(root, &["lock"]).0, 0);
    assert_eq!(run(root, &["verify", "compute_warhead_damage"]).0, 0);
    // The id is never used again, neither beside the tombstone nor in its place.
    for again in [format!("{text}{tombstone}"), text.clone()] {
        edit(root, SUITE, |_| again);
        for arguments in [vec!["verify", "compute_warhead_damage"], vec!["lock"]] {
            let (code, said) = run(root, &arguments);
            assert_eq!(code, 2, "{said}");
            let named = said.contains(&format!("`{id}` was removed"))
                || said.contains(&format!("tombstone of `{id}` is gone"));
            assert!(named, "{said}");
        }
    }
}

#[test]
fn a_dispute_takes_a_case_out_of_the_gate_and_its_clause_out_of_verified() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    checkout(root);
    let suite = "golden/combat/compute_prone_damage/cases.toml";
    let dispute = "\ndisputed = { issue = \"https://example.org/1\", reason = \"a second run gives 51\", opened = \"2026-11-30\" }\n";
    edit(root, suite, |text| {
        text.replacen("\nderivation = \"@step\"\n", &format!("{dispute}derivation = \"@step\"\n"), 1)
    });
    let (code, said) = run(root, &["verify", "compute_prone_damage", "--format", "json"]);
    assert_eq!(code, 0, "{said}");
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["counts"]["disputed"], 1);
    let missing = report["standings"]["compute_prone_damage"]["missing"].to_string();
    assert!(missing.contains("clause gate.1: combat/compute_prone_damage/yr-half is disputed"), "{missing}");
    assert_eq!(run(root, &["verify", "compute_prone_damage", "--require", "verified"]).0, 1);
    // A run of nothing but the disputed case is green too.
    assert_eq!(run(root, &["verify", "combat/compute_prone_damage/yr-half"]).0, 0);
}
