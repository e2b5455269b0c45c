//! Real archives and map packs against their known digests, when the environment variable `ASSAY_CORPUS` names their folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "the test opens the files; the ports take their bytes")]

#[path = "support/corpus.rs"]
#[expect(dead_code, reason = "these ports are called as functions, and their summaries hold whole texts")]
mod corpus;

use assay_model::{Bytes, Game};
use assay_ports::assets::mix_checksum::{MixChecksumInput, mix_checksum};
use assay_ports::assets::mix_key::{MixKeyInput, mix_key};
use assay_ports::assets::mix_list::{MixListInput, mix_list};
use assay_ports::assets::pack_chunks::{Codec, PackInput, pack_chunks};
use corpus::{Row, folder, rows, sha1};
use std::fs;

/// The values of a section of an INI file, joined.
fn section(file: &[u8], name: &str) -> String {
    let text: String = file.iter().map(|byte| char::from(*byte)).collect();
    let mut inside = false;
    let mut joined = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == format!("[{name}]");
        } else if let (true, Some((_, value))) = (inside, line.split_once('=')) {
            joined.push_str(value.trim());
        }
    }
    joined
}

/// A packed section, unpacked.
fn unpacked(text: &str, codec: Codec) -> Option<Vec<u8>> {
    let bytes: Bytes = serde_json::from_value(format!("base64:{text}").into()).ok()?;
    let input = PackInput { game: Game::Yr, bytes: bytes.into(), codec, max_output: 16 << 20 };
    pack_chunks(&input).ok().map(|pack| pack.output)
}

/// The digest of the entries, after the summary has been held against the header.
fn archive(file: Vec<u8>, summary: &str) -> String {
    let bytes = Bytes::Inline(file.into());
    let list = mix_list(&MixListInput { game: Game::Yr, bytes: bytes.clone(), strict: false }).unwrap();
    let checked = mix_checksum(&MixChecksumInput { game: Game::Yr, bytes }).unwrap();
    let says = match checked.matches {
        Some(true) => "sha1_ok=True",
        Some(false) => "sha1_ok=False",
        None => "sha1_ok=-",
    };
    for part in [
        format!("flags=0x{:08x} count={} ", list.flags, list.count),
        format!("body_offset={} body_size={} ", list.body_offset, list.body_size),
        says.to_owned(),
    ] {
        assert!(summary.contains(&part), "{part} in {summary}");
    }
    let words = list.entries.iter().flat_map(|entry| [entry.id, entry.offset, entry.size]);
    sha1(&words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}

/// The digest of a key, after the summary has been held against its digits.
fn key(file: &[u8], summary: &str) -> String {
    let source = Bytes::Inline(file[4..84].into());
    let key = mix_key(&MixKeyInput { game: Game::Yr, source }).unwrap();
    assert_eq!(summary, format!("key={}", key.key_hex));
    let bytes: Bytes = serde_json::from_value(format!("hex:{}", key.key_hex).into()).unwrap();
    sha1(&bytes.range(0, 56).unwrap())
}

/// The digest of what a row is about; `-` for what cannot be decoded.
fn digest(row: &Row, file: Vec<u8>) -> String {
    let pack = |name: &str, codec: Codec| {
        unpacked(&section(&file, name), codec).map_or_else(|| "-".to_owned(), |bytes| sha1(&bytes))
    };
    match row.capability.as_str() {
        "mix_list" => archive(file, &row.summary),
        "mix_key" => key(&file, &row.summary),
        "map_isomappack" => pack("IsoMapPack5", Codec::Lzo),
        "map_preview" => pack("PreviewPack", Codec::Lzo),
        "map_overlay" => pack(row.summary.split(' ').next().unwrap(), Codec::Lcw),
        other => panic!("no digest of {other}"),
    }
}

#[test]
fn the_corpus_decodes_to_what_is_expected() {
    let Some(folder) = folder() else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for row in rows(&folder, &["mix_list", "mix_key", "map_isomappack", "map_preview", "map_overlay"]) {
        let found = digest(&row, fs::read(folder.join(&row.file)).unwrap());
        if found == row.sha1 {
            right += 1;
        } else {
            wrong.push(format!("{} {}: {found}, not {}", row.file, row.capability, row.sha1));
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty() && right > 0, "{right} right; {}", wrong.join("\n"));
}
