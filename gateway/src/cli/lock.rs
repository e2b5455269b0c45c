//! `assay lock`: writes what the corpus holds, and the editor schemas of its files.

use super::arguments::Lock;
use super::output;
use super::{BROKEN, PASS};
use crate::corpus::{self, from_root, write};
use crate::snapshot::Gateway;
use assay_harness::{Registry, lock, schemas};
use assay_model::Problem;
use std::fs;
use std::path::PathBuf;

pub(super) fn command(gateway: &Gateway, arguments: &Lock) -> Result<u8, String> {
    let root = checkout(gateway)?;
    let (specs, golden) =
        from_root(&root).map_err(|problem| format!("failed to read the checkout: {problem}"))?;
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let old = golden.texts.get(lock::PATH).map(String::as_str);
    let text = match lock::update(old, &registry, &arguments.reread) {
        Ok(text) => text,
        Err(problems) => return Ok(refuse(&problems)),
    };
    let mut stale = Vec::new();
    for (path, text) in std::iter::once((lock::PATH.to_owned(), text)).chain(schemas()) {
        let place = root.join(&path);
        if fs::read_to_string(&place).is_ok_and(|current| current == text) {
            continue;
        }
        if !arguments.check {
            write(&place, &text)?;
        }
        stale.push(path);
    }
    let say = |word: &str| stale.iter().map(|path| format!("{word} {path}\n")).collect::<String>();
    if stale.is_empty() {
        output::result("everything is up to date")?;
    } else if arguments.check {
        output::error(&format!("failed the check: run `assay lock`\n{}", say("  out of date:").trim_end()));
        return Ok(BROKEN);
    } else {
        output::result(&say("wrote"))?;
    }
    Ok(PASS)
}

/// The checkout that is named by `--root`, or the one around the working directory.
pub(super) fn checkout(gateway: &Gateway) -> Result<PathBuf, String> {
    corpus::checkout(gateway.root())
        .ok_or_else(|| "failed to find a checkout here; name it with --root".to_owned())
}

fn refuse(problems: &[Problem]) -> u8 {
    for problem in problems {
        output::error(&problem.to_string());
    }
    output::error("failed to lock: nothing was written");
    BROKEN
}
