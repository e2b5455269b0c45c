//! Compiles specs and cases into the binary, so that it can judge its own ports wherever it stands.
//!
//! Writes a list of `(path, include_str!(…))` pairs. Vectors above [`LARGEST`] stay outside: they are for CI, which has
//! the checkout.
//!
//! Also notes what the binary is made from and with, for reports and receipts.

#[path = "src/port_sources.rs"]
mod port_sources;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Bytes of a bulk vector file that is still compiled in.
const LARGEST: u64 = 256 * 1024;

type Outcome<T> = Result<T, Box<dyn Error>>;

#[derive(Default)]
struct Lists {
    specs: Vec<String>,
    golden: Vec<String>,
    left_out: Vec<String>,
}

fn main() -> Outcome<()> {
    // Asked for at run time: a shared target folder may hold the build script of another checkout.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?;
    let root = Path::new(&manifest).join("..").canonicalize()?;
    let mut lists = Lists::default();
    for folder in ["oracles/specs", "oracles/tables", "golden"] {
        walk(&root, folder, &mut lists)?;
    }
    for file in ["oracles/sources.toml", "ports/known-failures.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(file).display());
        if root.join(file).is_file() {
            keep(&root, file, &mut lists)?;
        }
    }
    let mut code = String::new();
    for (name, files) in [("SPECS", &mut lists.specs), ("GOLDEN", &mut lists.golden)] {
        files.sort();
        writeln!(code, "pub static {name}: &[(&str, &str)] = &[")?;
        for file in files {
            let place = root.join(&*file);
            writeln!(
                code,
                "    ({file:?}, include_str!({:?})),",
                place.to_str().ok_or("a path is not UTF-8")?
            )?;
        }
        writeln!(code, "];")?;
    }
    lists.left_out.sort();
    writeln!(code, "pub static LEFT_OUT: &[&str] = &{:?};", lists.left_out)?;
    let out = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    fs::write(Path::new(&out).join("corpus.rs"), code)?;
    note(&root)
}

/// What `src/made.rs` tells.
fn note(root: &Path) -> Outcome<()> {
    for covered in port_sources::COVERED.into_iter().chain(["Cargo.lock"]) {
        println!("cargo::rerun-if-changed={}", root.join(covered).display());
    }
    let variable = |name: &str| std::env::var(name).map_err(|error| format!("{name}: {error}"));
    let toolchain = Command::new(variable("RUSTC")?).arg("-V").output()?;
    let notes = [
        ("PORTS", port_sources::digest(root)?),
        ("LOCKFILE", blake3::hash(&fs::read(root.join("Cargo.lock"))?).to_hex().to_string()),
        ("TOOLCHAIN", String::from_utf8(toolchain.stdout)?.trim().to_owned()),
        ("TARGET", variable("TARGET")?),
        ("OPT_LEVEL", variable("OPT_LEVEL")?),
        ("PROFILE", variable("PROFILE")?),
    ];
    for (name, value) in notes {
        println!("cargo::rustc-env=ASSAY_{name}={value}");
    }
    Ok(())
}

/// Every folder is watched by itself, so that a new file is noticed too.
fn walk(root: &Path, folder: &str, lists: &mut Lists) -> Outcome<()> {
    let place = root.join(folder);
    println!("cargo::rerun-if-changed={}", place.display());
    if !place.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|_| "a file name is not UTF-8")?;
        let path = format!("{folder}/{name}");
        if entry.file_type()?.is_dir() {
            walk(root, &path, lists)?;
        } else {
            println!("cargo::rerun-if-changed={}", entry.path().display());
            keep(root, &path, lists)?;
        }
    }
    Ok(())
}

/// Files that the harness reads, and nothing else: no editor schema, no stray note.
fn keep(root: &Path, path: &str, lists: &mut Lists) -> Outcome<()> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let specs = path.starts_with("oracles/");
    let wanted = match path.split('/').nth(1) {
        Some("specs") => extension == "md",
        Some("tables") => extension == "json",
        _ => matches!(extension, "toml" | "jsonl" | "lock"),
    };
    if !wanted {
        return Ok(());
    }
    let large = extension == "jsonl" && fs::metadata(root.join(path))?.len() > LARGEST;
    let list = if large {
        &mut lists.left_out
    } else if specs {
        &mut lists.specs
    } else {
        &mut lists.golden
    };
    list.push(path.to_owned());
    Ok(())
}
