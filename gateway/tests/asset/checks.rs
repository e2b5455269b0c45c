//! `assay asset check`, and the tables that it goes by.

use super::archives::{mix, sprite};
use super::place;
use super::support::{assay, stderr, stdout};
use assay_gateway::assets::sniff::FORMATS;
use assay_gateway::media::{SHOWN, shape};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder to check: what the place has that decodes.
fn checked(more: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.pal", "ra2.mix"] {
        fs::copy(place().folder().join(name), folder.path().join(name)).unwrap();
    }
    for (name, bytes) in more {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn check(folder: &TempDir, more: &[&str]) -> (Option<i32>, Value) {
    let arguments = [&["asset", "check", folder.path().to_str().unwrap(), "--format", "json"], more].concat();
    let output = assay(&arguments);
    (output.status.code(), serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| json!(stderr(&output))))
}

#[test]
fn check_decodes_everything_and_says_what_does_not() {
    let (code, report) = check(&checked(&[]), &[]);
    assert_eq!(code, Some(0), "{report}");
    // The palette, two in the archive in the archive, both archives, and the sprite.
    assert_eq!((&report["files"], &report["decoded"]), (&json!(2), &json!(6)), "{report}");
    assert_eq!(report["capabilities"]["pal_decode"]["decoded"], json!(3));
    assert_eq!(report["undecoded"], json!({ "INI": 1 }), "rules.ini");
    let broken = &sprite()[..33];
    let folder = checked(&[("bad.shp", broken), ("x.mix", &mix(&[("mouse.shp", broken)]))]);
    let (code, report) = check(&folder, &[]);
    assert_eq!(code, Some(1), "{report}");
    let failed = report["failed"].as_array().unwrap();
    let paths: Vec<&Value> = failed.iter().map(|row| &row["path"]).collect();
    assert_eq!(paths, ["bad.shp", "x.mix/mouse.shp"]);
    assert_eq!((&failed[0]["capability"], &failed[0]["errno"]), (&json!("shp_ts_decode"), &json!("EINVAL")));
    assert!(failed[0]["message"].as_str().unwrap().contains("truncated"), "{report}");
    let text = assay(&["asset", "check", folder.path().to_str().unwrap()]);
    assert!(stdout(&text).contains("x.mix/mouse.shp  shp_ts_decode"), "{}", stdout(&text));
    assert!(stderr(&text).is_empty(), "progress is for terminals");
    let (code, report) = check(&tempfile::tempdir().unwrap(), &[]);
    assert_eq!((code, &report["ok"]), (Some(2), &json!(false)), "nothing is never a pass");
    let text = assay(&["asset", "check", tempfile::tempdir().unwrap().path().to_str().unwrap()]);
    assert!(stderr(&text).contains("nothing has a decoder"), "{}", stderr(&text));
}

#[test]
fn a_damaged_archive_is_told_by_its_digest() {
    let files = assay_fixtures::all().unwrap();
    let has_digest = |bytes: &[u8]| bytes[..2] == [0, 0] && bytes[2] & 1 == 1;
    let (_, bytes) = files.iter().find(|(name, bytes)| name.ends_with(".mix") && has_digest(bytes)).unwrap();
    assert_eq!(check(&checked(&[("digest.mix", bytes)]), &[]).0, Some(0));
    // The last byte of the body stands before the digest of 20.
    let mut damaged = bytes.clone();
    let last = damaged.len() - 21;
    damaged[last] ^= 1;
    let (code, report) = check(&checked(&[("digest.mix", &damaged)]), &[]);
    let failed = report["failed"].as_array().unwrap();
    let told = failed.iter().find(|row| row["capability"] == "mix_checksum").unwrap();
    assert_eq!((code, &told["path"]), (Some(1), &json!("digest.mix")));
    assert!(told["message"].as_str().unwrap().contains("damaged: "), "{told}");
}

/// An archive of plain layout whose entries have these places and sizes.
fn overlapping(entries: &[(u32, u32)], body: &[u8]) -> Vec<u8> {
    let mut bytes = (entries.len() as u16).to_le_bytes().to_vec();
    bytes.extend((body.len() as u32).to_le_bytes());
    for (id, (offset, size)) in entries.iter().enumerate() {
        for word in [id as u32, *offset, *size] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.extend(body);
    bytes
}

#[test]
fn entries_that_share_their_bytes_cost_them_once() {
    let sprite = sprite();
    let length = sprite.len() as u32;
    let same = overlapping(&vec![(0, length); 1000], &sprite);
    let (code, report) = check(&checked(&[("same.mix", &same)]), &[]);
    let decoded = &report["capabilities"]["shp_ts_decode"]["decoded"];
    // One of it, beside the one of the place.
    assert_eq!((code, decoded), (Some(0), &json!(2)), "{report}");
    let body = vec![0; 100_000];
    let shifted: Vec<(u32, u32)> = (0..1000).map(|at| (at, 99_000)).collect();
    let (code, report) = check(&checked(&[("shifted.mix", &overlapping(&shifted, &body))]), &[]);
    assert_eq!(code, Some(1));
    assert!(report.to_string().contains("entries that overlap"), "{report}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_one_row() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = checked(&[]);
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o0)).unwrap();
    let open_to_us = fs::read_dir(&closed).is_ok();
    let (code, report) = check(&folder, &[]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    if open_to_us {
        println!("skipped: this user reads every folder");
        return;
    }
    assert_eq!((code, &report["failed"][0]["path"]), (Some(1), &json!("closed")), "{report}");
    assert_eq!(report["decoded"], json!(6), "the rest is looked into all the same");
}

/// A folder of every format that there is a decoder for, made by encoders that know nothing of the decoders.
#[test]
fn made_files_decode_by_what_is_chosen_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let files = assay_fixtures::all().unwrap();
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (code, report) = check(&folder, &[]);
    assert_eq!(
        (code, &report["failed"], &report["files"]),
        (Some(0), &json!([]), &json!(files.len())),
        "{report}"
    );
    // Every decoder of the tables has had something to decode.
    for decoder in FORMATS.iter().flat_map(|format| format.decoders).map(|decoder| decoder.capability) {
        let decoded = &report["capabilities"][decoder]["decoded"];
        assert!(decoded.as_u64().is_some_and(|decoded| decoded > 0), "{decoder}: {report}");
    }
    // A bag goes with its index, and of texts those alone that the tables have a row for.
    let texts = files
        .iter()
        .filter(|(name, _)| [".ini", ".pkt", ".Sed"].iter().any(|end| name.ends_with(end)))
        .count();
    let (rules, bag) = (2, 1);
    let undecoded = report["undecoded"].as_object().unwrap().values();
    let undecoded: u64 = undecoded.map(|count| count.as_u64().unwrap()).sum();
    assert!(undecoded <= (texts + rules + bag) as u64, "the rules are in two archives as well: {report}");
    assert!(files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 300_000);
    assert_eq!(files, assay_fixtures::all().unwrap(), "the same again");
}

#[test]
fn check_compares_with_digests() {
    // SHA-1 of 768 times 0, which a palette of zeros decodes to, and of `[A]` LF `k=v` LF.
    let zeros = "025a14a110e180aa74754a185dd7a06e11d380d5";
    let lines = "8a1568aabedb6c884ca69aa010d74246ed8c5016";
    let folder = checked(&[
        ("zero.pal", &[0; 768]),
        ("text.pal", b"JASC-PAL\r\n"),
        ("a.ini", b"; of a mod\r\n[A]\r\nk = v ; a value\r\n"),
    ]);
    // The table that lies in the folder is taken without being named.
    let table = folder.path().join("EXPECTED.tsv");
    let write = |rows: &[(&str, &str, &str, &str)]| {
        let mut text = "file\tcapability\tsummary\tsha1\n".to_owned();
        for (file, capability, summary, sha1) in rows {
            text += &format!("{file}\t{capability}\t{summary}\t{sha1}\n");
        }
        fs::write(&table, text).unwrap();
    };
    let given = |sha1: &str| {
        write(&[
            ("zero.pal", "pal_decode", "max=0", sha1),
            ("text.pal", "pal_decode", "REJECT (text)", "-"),
            ("a.ini", "ini_parse", "sections=1 pairs=1", lines),
            ("a.pal", "no_decoder", "", "-"),
        ]);
        check(&folder, &[])
    };
    let (code, report) = given(&zeros.replace('0', "1"));
    assert_eq!(code, Some(1), "{report}");
    let why = report["expected"]["differ"][0]["message"].as_str().unwrap();
    assert!(why.contains(zeros), "{why}");
    let (code, report) = given(zeros);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!((&report["expected"]["agree"], &report["failed"]), (&json!(3), &json!([])));
    assert_eq!(report["expected"]["not_compared"][0]["capability"], "no_decoder");
    assert_eq!((&report["expected"]["files"], &report["expected"]["files_agree"]), (&json!(4), &json!(3)));
    write(&[("zero.pal", "pal_decode", "REJECT", "-"), ("gone.pal", "pal_decode", "", "-")]);
    let (code, report) = check(&folder, &["--expected", table.to_str().unwrap()]);
    assert_eq!((code, report["expected"]["differ"].as_array().unwrap().len()), (Some(1), 2), "{report}");
    write(&[("a.pal", "no_decoder", "", "-")]);
    let (code, report) = check(&checked(&[]), &["--expected", table.to_str().unwrap()]);
    assert_eq!((code, &report["ok"]), (Some(2), &json!(false)), "nothing was compared: {report}");
    fs::write(&table, "zero.pal\tpal_decode\tmax=0\t-\n").unwrap();
    let (code, said) = check(&folder, &[]);
    assert!(
        code == Some(2) && said.as_str().unwrap().contains(":1: the first line must have headings"),
        "{said}"
    );
    fs::write(&table, "head\nfile only\n").unwrap();
    let (code, said) = check(&folder, &["--expected", table.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(said.as_str().unwrap().contains(":2: four columns"), "{said}");
}

/// What the tables promise of decoders that this build has.
#[test]
fn each_decoder_of_the_tables_takes_what_the_table_gives() {
    let snapshot = place().gateway.snapshot().unwrap();
    let registry = snapshot.registry();
    let mut found = 0;
    for decoder in FORMATS.iter().flat_map(|format| format.decoders) {
        let Some(entry) = registry.get(decoder.capability) else { continue };
        found += 1;
        let given: Vec<&str> = decoder.arguments.iter().map(|(argument, _)| *argument).collect();
        for name in &given {
            assert!(!entry.input_schema["properties"][name].is_null(), "{}: no `{name}`", decoder.capability);
        }
        for name in entry.input_schema["required"].as_array().into_iter().flatten() {
            assert!(given.contains(&name.as_str().unwrap()), "{} wants {name}", decoder.capability);
        }
    }
    assert!(found >= 8, "{found} decoders");
    let shown = SHOWN.iter().filter(|(name, _)| registry.get(name).is_some()).count();
    assert!(shown >= 5 && shape("pal_decode").is_some() && shape("mix_list").is_none(), "{shown}");
}

#[test]
fn real_files_decode_to_their_digests() {
    let Some(folder) = std::env::var_os("ASSAY_CORPUS") else {
        println!("skipped: ASSAY_CORPUS names no folder of real files");
        return;
    };
    let folder = Path::new(&folder);
    let output = assay(&["asset", "check", folder.to_str().unwrap(), "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    println!("{report:#}");
    assert_eq!(report["expected"]["differ"], json!([]));
    assert_eq!(report["expected"]["not_compared"], json!([]));
    assert_eq!(report["expected"]["files_agree"], report["expected"]["files"]);
    assert!(report["expected"]["agree"].as_u64().unwrap() >= 30, "{report}");
}
