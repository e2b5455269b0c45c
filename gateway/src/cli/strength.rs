//! `assay strength`: which changes of the ports the golden cases catch. `.ci/strength` measures, this shows and judges.

mod plan;
mod stored;

use super::arguments::{Format, Strength};
use super::{BROKEN, DRIFT, PASS, lock, output};
use crate::corpus::{from_root, write};
use crate::snapshot::Gateway;
use assay_harness::Registry;
use assay_harness::date;
use assay_model::Files;
use assay_reports::strength::{
    Assessment, Record, Row, Shown, State, Unit, assess, merge, strength_json, strength_text,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) fn command(gateway: &Gateway, arguments: &Strength) -> Result<u8, String> {
    let root = lock::checkout(gateway)?;
    let (specs, golden) =
        from_root(&root).map_err(|problem| format!("failed to read the checkout: {problem}"))?;
    let units = units(&root, &specs, &golden)?;
    let all: BTreeSet<String> = units.iter().map(|unit| unit.row.clone()).collect();
    let units = chosen(units, &arguments.capability)?;
    let cases = cases(&Registry::new(assay_ports::ALL, &specs, &golden));
    let results = arguments.results.clone().unwrap_or_else(|| root.join("target/strength/results"));
    let row = |unit: &Unit| Ok(merge(unit, &stored::runs(&results, unit)?, &cases));
    let rows = units.iter().map(row).collect::<Result<Vec<Row>, String>>()?;
    if arguments.plan {
        let lines: String = units.iter().zip(&rows).map(|(unit, row)| line(unit, row)).collect();
        output::result(&lines)?;
        return Ok(PASS);
    }
    let assessment = assess(rows, &record(&root)?);
    if arguments.record {
        return store(&root, &assessment, &all);
    }
    let problems = arguments.check || !assessment.is_empty();
    match arguments.format {
        Format::Text => {
            let shown = Shown { matrix: arguments.matrix, problems };
            output::result(&strength_text(&assessment, &cases, shown))?;
        }
        Format::Json => output::result(&strength_json(&assessment, &cases))?,
    }
    Ok(if arguments.check && !assessment.passes() { DRIFT } else { PASS })
}

fn units(root: &Path, specs: &Files, golden: &Files) -> Result<Vec<Unit>, String> {
    let mut ports = Files { origin: root.display().to_string(), ..Files::default() };
    sources(root, "ports/src", &mut ports)
        .map_err(|error| format!("failed to read the ports of the checkout: {error}"))?;
    let suite = |port: &&dyn assay_model::Port| format!("{}/{}", port.meta().area, port.meta().name);
    let suites: Vec<String> = assay_ports::ALL.iter().map(suite).collect();
    Ok(plan::units(&ports, specs, golden, &suites))
}

/// Reads the Rust files below a folder.
fn sources(root: &Path, folder: &str, into: &mut Files) -> Result<(), std::io::Error> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            sources(root, &path, into)?;
        } else if path.ends_with(".rs") {
            into.texts.insert(path, fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}

/// The units that are named: by capability, `area/capability`, or path; all of them when none is.
fn chosen(units: Vec<Unit>, names: &[String]) -> Result<Vec<Unit>, String> {
    let named = |unit: &Unit, name: &String| {
        let ends =
            |path: &str| path == name || path.strip_suffix(name.as_str()).is_some_and(|p| p.ends_with('/'));
        ends(&unit.row) || ends(&unit.file)
    };
    if let Some(name) = names.iter().find(|name| !units.iter().any(|unit| named(unit, name))) {
        return Err(format!("failed to find `{name}`: neither a capability nor a file of ports/src"));
    }
    let wanted = |unit: &Unit| names.is_empty() || names.iter().any(|name| named(unit, name));
    Ok(units.into_iter().filter(wanted).collect())
}

/// The cases of the corpus as the gate names them: a vector file is one.
fn cases(registry: &Registry) -> BTreeSet<String> {
    registry.ids().filter_map(|id| id.split('.').next()).map(str::to_owned).collect()
}

/// A line of the plan for `.ci/strength`: file, row, digest of the file, key, suites, and a pattern of the mutants that
/// have to be tried again, or `-`.
fn line(unit: &Unit, row: &Row) -> String {
    let suites = unit.suites.keys().map(String::as_str).collect::<Vec<_>>().join(",");
    let old = row.mutants.iter().filter(|mutant| mutant.state == State::Old);
    let again: Vec<String> = old.map(|mutant| format!("^{}$", escaped(&mutant.name))).collect();
    let again = if again.is_empty() { "-".to_owned() } else { again.join("|") };
    format!("{}\t{}\t{}\t{}\t{suites}\t{again}\n", unit.file, unit.row, unit.text, stored::key(unit))
}

/// Text as a regular expression that matches it alone.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation()
            && !matches!(c, '_' | '<' | '>' | '"' | '\'' | '/' | ':' | ',' | '=' | '!' | ';' | '%' | '@')
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn record(root: &Path) -> Result<Record, String> {
    let place = root.join(stored::RECORD);
    if !place.exists() {
        return Ok(Record::default());
    }
    let failed = |error: String| format!("failed to read {}: {error}", stored::RECORD);
    Record::parse(&fs::read_to_string(place).map_err(|error| failed(error.to_string()))?).map_err(failed)
}

fn store(root: &Path, assessment: &Assessment, all: &BTreeSet<String>) -> Result<u8, String> {
    // A clock before 1970 is no reason to fail.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    match stored::raised(assessment, all, &date::of(now)) {
        Ok(text) => {
            let place = root.join(stored::RECORD);
            write(&place, &text)?;
            output::result(&format!("wrote {}", stored::RECORD))?;
            Ok(PASS)
        }
        Err(message) => {
            output::error(&message);
            Ok(BROKEN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_name_is_a_pattern_of_itself() {
        let name = "ports/src/a.rs:1:2: replace << with >> in X::f (a|b) [c] {d} *e+ ?f ^g $h \\i -> j";
        let expected = "ports/src/a\\.rs:1:2: replace << with >> in X::f \\(a\\|b\\) \\[c\\] \\{d\\} \\*e\\+ \\?f \\^g \\$h \\\\i \\-> j";
        assert_eq!(escaped(name), expected);
    }

    #[test]
    fn the_record_names_every_capability_and_only_shared_files_beside() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let record = record(&root).unwrap();
        let port = |port: &&dyn assay_model::Port| format!("{}/{}", port.meta().area, port.meta().name);
        let all: BTreeSet<String> = assay_ports::ALL.iter().map(port).collect();
        let (shared, capabilities): (BTreeSet<String>, BTreeSet<String>) =
            record.floors.into_keys().partition(|name| name.ends_with(".rs"));
        assert_eq!(capabilities, all);
        for file in shared {
            assert!(root.join("ports/src").join(&file).is_file(), "{file} is gone: record anew");
        }
    }
}
