//! `assay lint`: every slip at its line, and what is mechanical mended.

use super::arguments::{Lint, LintFormat};
use super::{BROKEN, PASS, output};
use crate::corpus::{checkout, embedded, from_root, write};
use crate::snapshot::Gateway;
use assay_harness::lint::{lint, mend};
use assay_harness::{Registry, Selection, nearest};
use assay_model::{Files, Problem};
use assay_reports::lint::{Linted, github, json, sarif, text};
use std::path::Path;

pub(super) fn command(gateway: &Gateway, arguments: &Lint) -> Result<u8, String> {
    let root = checkout(gateway.root());
    let failed = |problem: Problem| format!("failed to read the checkout: {problem}");
    let (mut specs, mut golden) = match &root {
        Some(root) => from_root(root).map_err(failed)?,
        None => embedded(),
    };
    let mut registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let files = wanted(&registry, &specs, &golden, &arguments.what)?;
    let mut fixed = Vec::new();
    if arguments.fix {
        let root = root.as_deref().ok_or("failed to find a checkout to mend; name it with --root")?;
        fixed = fix(root, &registry, &mut specs, &mut golden, &files)?;
        if !fixed.is_empty() {
            registry = Registry::new(assay_ports::ALL, &specs, &golden);
        }
    }
    let mut problems = lint(&registry, &specs, &golden);
    // A file that is missing is wanted when its suite is.
    let known = |file: &str| specs.texts.contains_key(file) || golden.texts.contains_key(file);
    problems.retain(|problem| {
        arguments.what.is_empty()
            || files.contains(&problem.file)
            || !known(&problem.file) && means(&problem.file, &arguments.what)
    });
    let linted = Linted { problems, fixed, files: files.len() };
    output::result(&match arguments.format {
        LintFormat::Text => text(&linted),
        LintFormat::Json => json(&linted),
        LintFormat::Github => github(&linted),
        LintFormat::Sarif => sarif(&linted),
    })?;
    Ok(if linted.errors() > 0 { BROKEN } else { PASS })
}

/// The files that are asked for: all of them, or those of capabilities and those that are named.
fn wanted(
    registry: &Registry,
    specs: &Files,
    golden: &Files,
    what: &[String],
) -> Result<Vec<String>, String> {
    let all: Vec<&String> = specs.texts.keys().chain(golden.texts.keys()).collect();
    let mut files: Vec<String> = Vec::new();
    for word in what {
        let before = files.len();
        let file = word.trim_start_matches("./");
        if all.iter().any(|path| *path == file) {
            files.push(file.to_owned());
            continue;
        }
        files.extend(
            all.iter().filter(|path| means(path, std::slice::from_ref(word))).map(|path| (*path).clone()),
        );
        if files.len() == before {
            let names = registry.entries().iter().map(assay_harness::Entry::name);
            let near = nearest(word, names, 3).join(", ");
            let near = if near.is_empty() { near } else { format!("; nearest: {near}") };
            return Err(format!("failed to lint `{word}`: no capability and no file is called so{near}"));
        }
    }
    Ok(if what.is_empty() { all.into_iter().cloned().collect() } else { files })
}

/// Whether a file belongs to a capability that one of the words means.
fn means(path: &str, what: &[String]) -> bool {
    let inside = path.strip_prefix("oracles/specs/").or_else(|| path.strip_prefix("golden/"));
    let mut parts = inside.unwrap_or_default().split('/');
    let (Some(area), Some(name)) = (parts.next(), parts.next()) else { return false };
    let capability = format!("{area}/{}", name.trim_end_matches(".md"));
    what.iter().any(|word| word.parse::<Selection>().is_ok_and(|selection| selection.means(&capability)))
}

/// Mends the files on disk and in hand.
fn fix(
    root: &Path,
    registry: &Registry,
    specs: &mut Files,
    golden: &mut Files,
    files: &[String],
) -> Result<Vec<Problem>, String> {
    let mut fixed = Vec::new();
    for (path, text) in specs.texts.iter_mut().chain(&mut golden.texts) {
        if !files.contains(path) {
            continue;
        }
        match mend(registry, path, text) {
            Ok(None) => {}
            Ok(Some(mut mended)) => {
                write(&root.join(path), &mended.text)?;
                *text = mended.text;
                fixed.append(&mut mended.done);
            }
            Err(problem) => output::error(&problem.to_string()),
        }
    }
    Ok(fixed)
}
