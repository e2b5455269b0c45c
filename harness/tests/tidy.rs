//! House rules that a compiler does not know: who may depend on whom, what the JSON library must and must not do, and
//! how the tree looks.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command
        .manifest_path(root().join("Cargo.toml"))
        // Packages of other platforms are never downloaded, so they cannot be looked at without the network.
        .other_options(["--locked", "--offline", "--filter-platform", &host()].map(str::to_owned));
    command.exec().unwrap()
}

/// The triple of this machine.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// The crates of the workspace by name.
fn crates(metadata: &Metadata) -> BTreeMap<String, &Package> {
    metadata.workspace_packages().into_iter().map(|package| (package.name.to_string(), package)).collect()
}

/// Names of what a crate depends on, of the kinds that `wanted` takes.
fn needs(package: &Package, wanted: impl Fn(DependencyKind) -> bool) -> BTreeSet<&str> {
    package.dependencies.iter().filter(|d| wanted(d.kind)).map(|d| d.name.as_str()).collect()
}

#[test]
fn dependencies_between_crates_go_one_way() {
    let (model, oracles, harness, reports, ports, fixtures) =
        ("assay-model", "assay-oracles", "assay-harness", "assay-reports", "assay-ports", "assay-fixtures");
    // Crate, what it may use, and what its tests may use besides.
    let arrows: [(&str, &[&str], &[&str]); 8] = [
        (model, &[], &[]),
        // An encoder that leaned on a decoder would prove nothing about it, nor the other way round.
        (fixtures, &[], &[]),
        (ports, &[model], &[fixtures]),
        (oracles, &[model], &[]),
        (harness, &[model, oracles], &[ports]),
        (reports, &[model], &[]),
        ("assay-gateway", &[model, oracles, harness, reports, ports], &[fixtures]),
        ("assay-benches", &[model, oracles, harness, reports, ports, "assay-gateway"], &[fixtures]),
    ];
    let metadata = metadata();
    let crates = crates(&metadata);
    let known: BTreeSet<&str> = arrows.iter().map(|(name, _, _)| *name).collect();
    assert_eq!(known, crates.keys().map(String::as_str).collect(), "the crates of the workspace");
    for (name, may, tests_may) in arrows {
        for (dev, allowed) in [(false, may.to_vec()), (true, [may, tests_may].concat())] {
            let used = needs(crates[name], |kind| (kind == DependencyKind::Development) == dev);
            let wrong: Vec<_> =
                used.iter().filter(|d| known.contains(**d) && !allowed.contains(*d)).collect();
            assert!(wrong.is_empty(), "{name} uses {wrong:?} (as a dev-dependency: {dev})");
        }
    }
}

#[test]
fn the_model_needs_serde_and_schemars_alone() {
    let metadata = metadata();
    let used = needs(crates(&metadata)["assay-model"], |_| true);
    assert_eq!(used, ["schemars", "serde", "serde_json"].into());
}

#[test]
fn json_numbers_are_read_exactly_and_key_order_is_not_hidden_in_a_feature() {
    let metadata = metadata();
    let json = metadata.packages.iter().find(|package| package.name.as_str() == "serde_json").unwrap();
    let nodes = &metadata.resolve.as_ref().unwrap().nodes;
    let features = &nodes.iter().find(|node| node.id == json.id).unwrap().features;
    let has = |name: &str| features.iter().any(|feature| feature.as_str() == name);
    assert!(has("float_roundtrip") && !has("preserve_order"), "{features:?}");
    // Whoever builds a crate alone gets the same: each asks for the feature itself.
    for (name, package) in crates(&metadata) {
        for dependency in package.dependencies.iter().filter(|d| d.name == "serde_json") {
            assert!(dependency.features.iter().any(|feature| feature == "float_roundtrip"), "{name}");
        }
    }
    // And it does what it says, on values that the default reader gets wrong by one place.
    for text in ["1.2345678901234567e22", "0.30000000000000004", "9007199254740993.5", "5e-324"] {
        let read: f64 = serde_json::from_str(text).unwrap();
        assert_eq!(read.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
}

/// A server that anyone may call must not be able to call anyone.
#[test]
fn nothing_in_the_tree_fetches_or_speaks_tls() {
    let metadata = metadata();
    let clients = ["curl", "isahc", "native-tls", "openssl", "reqwest", "ring", "rustls", "ureq"];
    let names = metadata.packages.iter().map(|package| package.name.as_str());
    let found: Vec<&str> = names.filter(|name| clients.contains(name)).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_top_level_is_the_layout_of_the_architecture_and_nothing_else() {
    let folders = ["benches", "gateway", "golden", "harness", "oracles", "ports", "reports"];
    let mut found: Vec<String> = Vec::new();
    for entry in fs::read_dir(root()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() && !name.starts_with('.') && name != "target" {
            found.push(name);
        }
    }
    found.sort();
    assert_eq!(found, folders);
    for file in
        ["Cargo.toml", "Cargo.lock", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    {
        assert!(root().join(file).is_file(), "{file} is missing");
    }
}

/// Every `.rs` file of the workspace.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_module_says_what_it_is_for_and_no_test_is_put_aside() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    assert!(files.len() > 30, "{} sources", files.len());
    // Written in two parts, so that this file does not break its own rule.
    let banned = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[ign", "ore"),
        concat!("#[should_", "panic"),
    ];
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        assert!(text.starts_with("//!"), "{name} does not open with what it is for");
        for word in banned {
            assert!(!text.contains(word), "{name} has `{word}`");
        }
    }
}

#[test]
fn editor_schemas_are_those_of_the_types() {
    let mut stale = Vec::new();
    let schemas = assay_harness::schemas();
    for (path, text) in &schemas {
        if fs::read_to_string(root().join(path)).ok().as_ref() != Some(text) {
            stale.push(path);
        }
    }
    assert!(stale.is_empty(), "run `assay lock`: {stale:?} are not what the types say");
    let kept = fs::read_dir(root().join(assay_harness::schema::FOLDER)).unwrap().count();
    assert_eq!(kept, schemas.len(), "a schema that nothing generates");
}
