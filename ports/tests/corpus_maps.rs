//! Real maps, a real list of maps and real string tables against what is known of them, when the environment variable
//! `ASSAY_CORPUS` names their folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "the test opens the files; the ports take their bytes")]

#[path = "support/corpus.rs"]
mod corpus;

use assay_ports::assets;
use corpus::{attached, folder, rows, run, sha1};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn number(value: &Value) -> String {
    value.as_i64().unwrap().to_string()
}

#[test]
fn the_digest_is_sha1() {
    assert_eq!(sha1(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_eq!(sha1(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    // Padding on both sides of a block's end.
    assert_eq!(sha1(&[b'a'; 55]), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    assert_eq!(sha1(&[b'a'; 56]), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    assert_eq!(sha1(&[b'a'; 64]), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
}

#[test]
fn terrain_is_what_it_is_known_to_be() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["map_isomappack"]) {
        let bytes = fs::read(folder.join(&row.file)).unwrap();
        let (map, output) = run(&assets::map_isomappack::PORT, &bytes, "").unwrap();
        assert_eq!(attached(&output, "records"), row.sha1, "{}", row.file);
        assert_eq!(map["sha1"], json!(row.sha1), "{}", row.file);
        let size = format!("0,0,{},{}", map["width"], map["height"]);
        assert_eq!((size.as_str(), &*number(&map["records"])), (row.word("size"), row.word("records")));
        assert_eq!(*number(&map["tail"]), *row.word("tail"), "{}", row.file);
        assert_eq!(map["ended"], json!(row.word("tail") == "4"), "{}", row.file);
        let (cells, records) = (map["cells"].as_i64().unwrap(), map["records"].as_i64().unwrap());
        assert_eq!(map["missing"], json!(cells - records), "{}", row.file);
        assert_eq!([&map["outside"], &map["duplicates"]], [&json!(0); 2], "{}", row.file);
    }
}

#[test]
fn overlays_are_what_they_are_known_to_be() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["map_overlay"]) {
        let bytes = fs::read(folder.join(&row.file)).unwrap();
        let (map, output) = run(&assets::map_overlay::PORT, &bytes, "").unwrap();
        let first = row.summary.starts_with("OverlayPack ");
        let (name, used) = if first { ("overlay", "used") } else { ("data", "with_data") };
        assert_eq!(attached(&output, name), row.sha1, "{}", row.file);
        assert_eq!(number(&map[used]), row.word("used"), "{} {name}", row.file);
        assert_eq!((&map["read"], &map["wide"]), (&json!(true), &json!(false)), "{}", row.file);
    }
}

#[test]
fn previews_are_what_they_are_known_to_be() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["map_preview"]) {
        let bytes = fs::read(folder.join(&row.file)).unwrap();
        let (map, output) = run(&assets::map_preview::PORT, &bytes, "").unwrap();
        if row.sha1 == "-" {
            assert_eq!(map["no_preview"], json!("dummy"), "{}", row.file);
            continue;
        }
        assert_eq!(attached(&output, "rgb"), row.sha1, "{}", row.file);
        let size = format!("0,0,{},{}", map["width"], map["height"]);
        assert_eq!((size.as_str(), &*number(&map["output_len"])), (row.word("size"), row.word("bytes")));
    }
}

#[test]
fn digests_match_where_they_are_known_to() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["map_digest"]) {
        let bytes = fs::read(folder.join(&row.file)).unwrap();
        let (map, _) = run(&assets::map_digest::PORT, &bytes, "").unwrap();
        let form = match (row.word("match_crlf"), row.word("match_lf")) {
            ("True", _) => json!("crlf"),
            (_, "True") => json!("lf"),
            _ => Value::Null,
        };
        assert_eq!((&map["stored"], &map["form"]), (&json!(row.word("stored")), &form), "{}", row.file);
    }
}

#[test]
fn objects_and_tunnels_of_real_maps_are_read_whole() {
    let Some(folder) = folder() else { return };
    let mut total = 0;
    for row in rows(&folder, &["map_digest"]) {
        let bytes = fs::read(folder.join(&row.file)).unwrap();
        let (map, _) = run(&assets::map_objects::PORT, &bytes, "").unwrap();
        assert_eq!(map["faults"], json!([]), "{}", row.file);
        total += map["total"].as_i64().unwrap();
        let (map, _) = run(&assets::map_tubes::PORT, &bytes, "").unwrap();
        assert_eq!(map["broken"], json!(0), "{}", row.file);
    }
    assert!(total > 100, "{total} objects");
}

#[test]
fn a_real_list_of_maps_is_read_whole() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder, &["ini_parse"]);
    let row = rows.iter().find(|row| row.file.ends_with(".pkt")).unwrap();
    let (list, _) = run(&assets::pkt_list::PORT, &fs::read(folder.join(&row.file)).unwrap(), "").unwrap();
    let (maps, unlisted) = (list["maps"].as_array().unwrap(), list["unlisted"].as_array().unwrap());
    let found = maps.iter().filter(|map| map["found"] == json!(true)).count();
    assert_eq!((1 + found + unlisted.len()).to_string(), row.word("sections"));
    assert!(maps.iter().all(|map| map["unknown_modes"] == json!([])), "{maps:?}");
}

fn folded(folder: &Path, file: &str) -> (usize, usize) {
    let bytes = fs::read(folder.join(file)).unwrap();
    let (table, _) = run(&assets::csf_decode::PORT, &bytes, "").unwrap();
    let (loaded, _) = run(&assets::csf_decode::PORT, &bytes, ",\"fold\":true").unwrap();
    let (labels, loaded) = (table["labels"].as_array().unwrap(), loaded["labels"].as_array().unwrap());
    let mut changed = 0;
    for (label, loaded) in labels.iter().zip(loaded) {
        let input = json!({ "text": label["strings"][0]["text"] }).to_string();
        let mut output = assay_model::Output::default();
        assay_model::Port::run(&assets::csf_fold::PORT, input.as_bytes(), &mut output).unwrap();
        let fold: Value = serde_json::from_slice(&output.json).unwrap();
        assert_eq!(fold["folded"], loaded["strings"][0]["text"], "{label}");
        changed += usize::from(fold["changed"] == json!(true));
    }
    (labels.len(), changed)
}

#[test]
fn as_many_texts_are_folded_as_are_known_to() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["csf_decode"]) {
        let (labels, changed) = folded(&folder, &row.file);
        assert_eq!((&*labels.to_string(), &*changed.to_string()), (row.word("labels"), row.word("folded")));
    }
}

#[test]
fn every_label_of_a_real_table_is_found() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder, &["csf_decode"]);
    let smallest = rows.iter().min_by_key(|row| row.word("labels").parse::<u32>().unwrap()).unwrap();
    let bytes = fs::read(folder.join(&smallest.file)).unwrap();
    let (table, _) = run(&assets::csf_decode::PORT, &bytes, "").unwrap();
    for label in table["labels"].as_array().unwrap() {
        let name = label["name"].as_str().unwrap().to_ascii_lowercase();
        let more = format!(",\"label\":{}", json!(name));
        let (text, _) = run(&assets::csf_lookup::PORT, &bytes, &more).unwrap();
        assert_eq!(text["found"], json!(true), "{name}");
        if text["matches"] == json!(1) {
            assert_eq!(text["text"], label["strings"][0]["text"], "{name}");
        }
    }
}

#[test]
fn names_that_a_real_table_repeats_are_told() {
    let Some(folder) = folder() else { return };
    for row in rows(&folder, &["csf_decode"]) {
        let (table, _) =
            run(&assets::csf_decode::PORT, &fs::read(folder.join(&row.file)).unwrap(), "").unwrap();
        let (count, repeated) = (table["label_count"].as_u64().unwrap(), table["repeated"].as_u64().unwrap());
        assert_eq!((count - repeated).to_string(), row.word("distinct"), "{}", row.file);
        let told = table.get("repeats").map_or(&[][..], |repeats| repeats.as_array().unwrap());
        let more: u64 = told.iter().map(|repeat| repeat["count"].as_u64().unwrap() - 1).sum();
        assert_eq!(more, repeated, "{}", row.file);
        for repeat in told {
            let of = |place: &str| {
                let place = repeat[place].as_u64().unwrap() as usize;
                table["labels"][place]["name"].as_str().unwrap().to_ascii_uppercase()
            };
            assert_eq!(of("first"), of("last"), "{}", row.file);
        }
    }
}
