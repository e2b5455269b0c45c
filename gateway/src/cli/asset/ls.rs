//! `assay asset ls`: the index of an archive, with names where they are known.

use super::super::arguments::DocumentFormat;
use super::super::output::{self, FAINT, WARN, paint, plain};
use super::super::{PASS, render};
use super::Ls;
use super::open::{entry, file};
use crate::assets::Archive;
use crate::assets::names::{Names, Within};
use crate::envelope::{list, map, text, unsigned};
use assay_model::Tree;
use assay_ports::assets::mix_list::{Layout, MixList};
use std::fmt::Write as _;

pub(super) fn command(ls: &Ls) -> Result<u8, String> {
    let mut given = Names::default();
    for path in &ls.names {
        let read = given.add_file(&*file(path)?);
        let none = read.map_err(|why| format!("read names in {}: {why}", path.display()))?;
        if none > 0 {
            output::note(&format!(
                "{none} names in {} are none of a file: ASCII without a folder, then nothing or a tab",
                path.display()
            ));
        }
    }
    // What the archive says of itself wins, then what the user gave, then what the rules make.
    given.merge(Names::generated());
    let reader = entry(&ls.file, ls.entry.as_deref())?;
    let archive = Archive::open(reader).map_err(|why| format!("list {}: {}", label(ls), why.message))?;
    let names = given.within(&archive);
    output::result(&match ls.format {
        DocumentFormat::Text => table(&archive, &names),
        DocumentFormat::Json => document(&archive, &names).to_string(),
    })?;
    Ok(PASS)
}

/// What is listed, as errors call it.
fn label(ls: &Ls) -> String {
    let inside = ls.entry.iter().map(|entry| format!("/{entry}"));
    std::iter::once(ls.file.display().to_string()).chain(inside).collect()
}

fn table(archive: &Archive, names: &Within<'_>) -> String {
    let index = archive.list();
    let heading = ["ID", "POSITION", "SIZE", "NAME"].map(str::to_owned).to_vec();
    let rows = index.entries.iter().map(|entry| {
        let name = plain(names.of(entry.id).unwrap_or("-")).into_owned();
        let position = index.body_offset + u64::from(entry.offset);
        vec![format!("0x{:08x}", entry.id), position.to_string(), entry.size.to_string(), name]
    });
    let mut shown = render::table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>());
    let _ = writeln!(shown, "{}", paint(FAINT, &facts(index, known(archive, names))));
    for warning in &index.warnings {
        let _ = writeln!(shown, "{} {warning}", paint(WARN, "warning"));
    }
    shown
}

fn known(archive: &Archive, names: &Within<'_>) -> usize {
    archive.list().entries.iter().filter(|entry| names.of(entry.id).is_some()).count()
}

fn layout(index: &MixList) -> &'static str {
    match index.kind {
        Layout::Classic => "classic",
        Layout::Flagged => "flagged",
    }
}

fn facts(index: &MixList, known: usize) -> String {
    let encrypted = if index.encrypted { ", encrypted index" } else { "" };
    let checksum = if index.has_checksum { ", SHA-1 of the body" } else { "" };
    format!(
        "{} entries, {known} with a name, {} bytes of body, {}{encrypted}{checksum}",
        index.count,
        index.body_size,
        layout(index)
    )
}

fn document(archive: &Archive, names: &Within<'_>) -> Tree {
    let index = archive.list();
    let entries = index.entries.iter().map(|entry| {
        map([
            ("id", unsigned(entry.id.into())),
            ("name", names.of(entry.id).map_or(Tree::Null, text)),
            ("position", unsigned(index.body_offset + u64::from(entry.offset))),
            ("size", unsigned(entry.size.into())),
        ])
    });
    map([
        ("kind", text(layout(index))),
        ("flags", unsigned(index.flags.into())),
        ("encrypted", Tree::Bool(index.encrypted)),
        ("has_checksum", Tree::Bool(index.has_checksum)),
        ("body_offset", unsigned(index.body_offset)),
        ("body_size", unsigned(index.body_size.into())),
        ("count", unsigned(index.count.into())),
        ("named", unsigned(known(archive, names) as u64)),
        ("warnings", list(&index.warnings)),
        ("entries", Tree::List(entries.collect())),
    ])
}
