//! `assay bisect` over a made-up history: the "builds" are shell scripts of each commit, so nothing is compiled.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::{command, stderr, stdout};

const CASE: &str = "combat/toy/half";

fn git(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args([
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@t",
        "-c",
        "commit.gpgsign=false",
    ]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn write(root: &Path, path: &str, text: &str) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

/// A report about the one case, as some assay would give it.
fn report(stage: &str) -> String {
    let result = match stage {
        "pass" => r#"{"id":"combat/toy/half","verdict":"pass"}"#.to_owned(),
        stage => format!(
            r#"{{"id":"combat/toy/half","verdict":"fail","failure":{{"stage":"{stage}","message":"is 1"}}}}"#
        ),
    };
    format!(r#"{{"results":[{result}],"problems":[]}}"#)
}

/// A repository of commits, each with ports that come to a stage, `pass`, or `broken` for one that does not build; the
/// same stage twice is a commit that left the ports alone. Every build leaves a line in `../builds`, beside the root.
fn history(root: &Path, stages: &[&str]) -> Vec<String> {
    git(root, &["init", "--quiet", "--initial-branch", "main"]);
    write(root, ".gitignore", "/target\n");
    write(root, "oracles/sources.toml", "");
    write(root, "golden/combat/toy/cases.toml", "");
    for covered in ["ports/Cargo.toml", "harness/model/Cargo.toml", "harness/model/src/lib.rs"] {
        write(root, covered, "");
    }
    write(
        root,
        "assay.sh",
        "#!/bin/sh\n[ \"$1 $2 $3\" = 'verify combat/toy/half --root' ] || exit 2\ncat ports/src/lib.rs\n",
    );
    write(
        root,
        "build.sh",
        "echo built >> \"$BUILDS\"\n! grep -q broken ports/src/lib.rs || exit 1\nchmod +x assay.sh\necho noise\necho assay.sh\n",
    );
    let commit = |(index, stage): (usize, &&str)| {
        let text = if *stage == "broken" { format!("broken {index}") } else { report(stage) };
        write(root, "ports/src/lib.rs", &text);
        write(root, "notes.txt", &index.to_string());
        git(root, &["add", "--all"]);
        git(root, &["commit", "--quiet", "--message", &format!("step {index}")]);
        git(root, &["rev-parse", "HEAD"])
    };
    stages.iter().enumerate().map(commit).collect()
}

struct Made {
    folder: tempfile::TempDir,
    commits: Vec<String>,
}

impl Made {
    fn new(stages: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("checkout");
        fs::create_dir(&root).unwrap();
        let commits = history(&root, stages);
        Self { folder, commits }
    }

    fn bisect(&self, more: &[&str]) -> Output {
        let root = self.folder.path().join("checkout");
        let words = ["bisect", CASE, "--root", root.to_str().unwrap(), "--build", "sh build.sh"];
        let mut command = command(&[&words[..], more].concat());
        command.env("BUILDS", self.folder.path().join("builds"));
        command.output().unwrap()
    }

    /// The answer as JSON; nothing is left of the worktree, and the checkout is as it was.
    fn found(&self, more: &[&str]) -> (i32, Value) {
        let root = self.folder.path().join("checkout");
        let output = self.bisect(&[&["--good", &self.commits[0], "--format", "json"][..], more].concat());
        let value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        assert_eq!(git(&root, &["worktree", "list"]).lines().count(), 1);
        assert_eq!(git(&root, &["status", "--short"]), "");
        assert_eq!(git(&root, &["symbolic-ref", "HEAD"]), "refs/heads/main");
        let left = fs::read_dir(root.join("target/bisect")).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["outcomes"]);
        (output.status.code().unwrap(), value)
    }

    fn builds(&self) -> usize {
        fs::read_to_string(self.folder.path().join("builds")).unwrap_or_default().lines().count()
    }
}

#[test]
fn the_commit_that_changed_the_stage_is_named_and_known_ports_are_not_built_again() {
    let made = Made::new(&["pass", "pass", "pass", "late", "late", "early", "early", "early"]);
    let (code, found) = made.found(&[]);
    assert_eq!((code, found["commit"].as_str()), (0, Some(made.commits[3].as_str())));
    assert_eq!(
        (found["before"]["verdict"].as_str(), found["after"]["stage"].as_str()),
        (Some("pass"), Some("late"))
    );
    assert!(found["candidates"][0]["subject"].as_str().unwrap().ends_with("step 3"), "{found}");
    // Three states of the ports, so at most three builds, however many commits were looked at.
    assert_eq!((made.builds(), found["built"].as_u64()), (3, Some(3)));
    let (_, again) = made.found(&[]);
    assert_eq!((made.builds(), again["built"].as_u64()), (3, Some(0)));
    assert_eq!(again["commit"], found["commit"]);
    // Between two ways of failing it is the stage that counts.
    let good = ["--good", &made.commits[3], "--bad", &made.commits[6]];
    let output = made.bisect(&good);
    let text = stdout(&output);
    assert!(output.status.success() && text.contains("step 5"), "{text}{}", stderr(&output));
    assert!(
        text.contains("before fail at `late`: is 1") && text.contains("after  fail at `early`: is 1"),
        "{text}"
    );
}

#[test]
fn revisions_that_do_not_build_are_gone_around() {
    let made = Made::new(&["pass", "broken", "pass", "broken", "x", "broken", "x"]);
    let (code, found) = made.found(&[]);
    let names = |found: &Value| {
        let commits = found["candidates"].as_array().unwrap().iter();
        commits.map(|it| it["commit"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((code, names(&found)), (1, made.commits[3..=4].to_vec()), "either of the two");
    assert_eq!(found["commit"], "");
    assert!(found["skipped"].as_u64().unwrap() >= 1);
}

#[test]
fn a_case_of_another_corpus_is_judged_anew() {
    let made = Made::new(&["pass", "x"]);
    made.found(&[]);
    assert_eq!(made.builds(), 2);
    let root = made.folder.path().join("checkout");
    write(&root, "golden/combat/toy/cases.toml", "# changed\n");
    let output = made.bisect(&["--good", &made.commits[0]]);
    assert!(output.status.success() && made.builds() == 4, "{}", stderr(&output));
}

#[test]
fn what_cannot_be_searched_says_why() {
    let made = Made::new(&["pass", "pass", "broken", "x"]);
    let commits = &made.commits;
    for (words, why) in [
        (vec!["--good", "no-such-revision"], "failed to find revision `no-such-revision`"),
        (vec!["--good=--help"], "failed to find revision"),
        (vec!["--good", "HEAD"], "the good revision is the bad one"),
        (vec!["--good", &commits[3], "--bad", &commits[0]], "does not lead to"),
        (vec!["--good", &commits[0], "--bad", &commits[1]], "comes to the same at both ends: pass"),
        (vec!["--good", &commits[2]], "has no outcome: it does not build"),
    ] {
        let output = made.bisect(&words);
        assert_eq!(output.status.code(), Some(2), "{why}");
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
        let root = made.folder.path().join("checkout");
        assert_eq!(git(&root, &["worktree", "list"]).lines().count(), 1);
    }
}

/// What a run that was killed left behind goes with the next one.
#[test]
fn worktrees_of_runs_that_are_gone_are_taken_away() {
    let made = Made::new(&["pass", "x"]);
    let root = made.folder.path().join("checkout");
    // No process has the highest number that there can be.
    let place = root.join("target/bisect/tree-4194305");
    git(&root, &["worktree", "add", "--quiet", "--detach", place.to_str().unwrap(), "HEAD"]);
    let (code, _) = made.found(&[]);
    assert_eq!(code, 0);
}
