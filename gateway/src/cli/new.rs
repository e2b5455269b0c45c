//! `assay new`: skeletons, written into a checkout.

use super::arguments::{New, NewCapability, NewCase};
use super::output::{self, FAINT, paint};
use super::{BROKEN, PASS, lock};
use crate::corpus::from_root;
use crate::skeleton::{Edit, Plan, capability, case};
use crate::snapshot::Gateway;
use assay_harness::Registry;
use std::path::Path;

pub(super) fn command(gateway: &Gateway, arguments: &New) -> Result<u8, String> {
    let root = lock::checkout(gateway)?;
    match arguments {
        New::Capability(wanted) => new_capability(&root, wanted),
        New::Case(wanted) => new_case(&root, wanted),
    }
}

fn new_capability(root: &Path, arguments: &NewCapability) -> Result<u8, String> {
    let wanted = capability::Wanted {
        name: arguments.name.clone(),
        area: arguments.area,
        kind: arguments.kind,
        games: arguments.game.clone(),
    };
    let plan = capability::plan(root, &wanted)?;
    plan.write(root)?;
    let mut text = String::new();
    let mut say = |word: &str, path: &str, what: &str| {
        text.push_str(&format!("{word} {path:<48}  {}\n", paint(FAINT, what)));
    };
    for (path, _) in &plan.create {
        let what = match path.rsplit('.').next() {
            Some("md") => "the spec: write the clauses first",
            Some("toml") => "the suite: then the cases",
            _ if *path == wanted.port() => "the port: last",
            _ => "the modules of the area",
        };
        say("wrote  ", path, what);
    }
    for edit in &plan.edit {
        let what = if edit.path.ends_with(".toml") {
            "a lead to be replaced by what you read"
        } else {
            "registered"
        };
        say("changed", &edit.path, what);
    }
    let name = &wanted.name;
    text.push_str(&format!(
        "next:\n  cargo run --release -- lint --root . {name}\n  cargo run --release -- lock\n  \
         cargo run --release -- watch {name}\n"
    ));
    output::result(&text)?;
    Ok(PASS)
}

fn new_case(root: &Path, arguments: &NewCase) -> Result<u8, String> {
    let (specs, mut golden) =
        from_root(root).map_err(|problem| format!("failed to read the checkout: {problem}"))?;
    let registry = Registry::new(assay_ports::ALL, &specs, &golden);
    let entry = case::entry(&registry, &arguments.capability)?;
    let path = case::cases(entry);
    let old =
        golden.texts.get(&path).cloned().ok_or_else(|| format!("failed to read {path}: it is missing"))?;
    let new = case::append(&registry, &old, &arguments.capability, arguments.id.as_deref(), arguments.game)?;
    golden.texts.insert(path.clone(), new.text.clone());
    let renewed = registry.renew(&specs, &golden);
    // What was wrong before is told again by whoever looks; the case itself adds nothing to it.
    let added: Vec<_> = renewed
        .problems()
        .iter()
        .filter(|problem| problem.file == path && problem.line >= new.line)
        .collect();
    if !added.is_empty() {
        for problem in added {
            output::error(&problem.to_string());
        }
        output::error("failed to write the case: nothing was changed");
        return Ok(BROKEN);
    }
    Plan { create: Vec::new(), edit: vec![Edit { path: path.clone(), old, new: new.text }] }.write(root)?;
    let name = entry.name();
    output::result(&format!(
        "wrote {path}:{}  case `{}`\nIts values are placeholders, so `assay verify` is red until you have replaced them.\nnext:\n  \
         cargo run --release -- watch {name}\n  cargo run --release -- lint --root . {name}\n  cargo run --release -- lock\n",
        new.line, new.id
    ))?;
    Ok(PASS)
}
