//! Real archives and map packs, where the environment names a folder of them: `ASSAY_CORPUS`. `EXPECTED.tsv` there lists
//! file, capability, summary and the SHA-1 of what is decoded. The files are not part of the repository.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "the test opens the files; the ports take their bytes")]

use assay_model::Bytes;
use assay_ports::assets::mix_key::{MixKeyInput, mix_key};
use assay_ports::assets::mix_list::{MixListInput, mix_list};
use assay_ports::assets::pack_chunks::{Codec, PackInput, pack_chunks};
use assay_ports::assets::sha1::sha1;
use assay_ports::assets::{hex, mix_checksum};
use std::path::Path;

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
    let input = PackInput { game: assay_model::Game::Yr, bytes, codec, max_output: 16 << 20 };
    pack_chunks(&input).ok().map(|pack| pack.output)
}

/// The digest that a line of the list should have; nothing where the capability is not of this file, an empty text for what
/// cannot be decoded.
fn digest(file: Vec<u8>, capability: &str, summary: &str) -> Option<String> {
    let pack = |name: &str, codec: Codec| {
        let bytes = unpacked(&section(&file, name), codec);
        bytes.map_or(String::new(), |bytes| hex(&sha1(&bytes)))
    };
    match capability {
        "mix_list" => {
            let bytes = Bytes::Inline(file.into());
            let list =
                mix_list(&MixListInput { game: assay_model::Game::Yr, bytes: bytes.clone(), strict: false })
                    .unwrap();
            let words = list.entries.iter().flat_map(|entry| [entry.id, entry.offset, entry.size]);
            let input = mix_checksum::MixChecksumInput { game: assay_model::Game::Yr, bytes };
            let checked = mix_checksum::mix_checksum(&input).unwrap();
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
            Some(hex(&sha1(&words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())))
        }
        "mix_key" => {
            let source = Bytes::Inline(file[4..84].into());
            let key = mix_key(&MixKeyInput { game: assay_model::Game::Yr, source }).unwrap();
            assert_eq!(summary, format!("key={}", key.key_hex));
            let bytes: Bytes = serde_json::from_value(format!("hex:{}", key.key_hex).into()).unwrap();
            Some(hex(&sha1(&bytes.range(0, 56).unwrap())))
        }
        "map_isomappack" => Some(pack("IsoMapPack5", Codec::Lzo)),
        "map_preview" => Some(pack("PreviewPack", Codec::Lzo)),
        "map_overlay" => Some(pack(summary.split(' ').next().unwrap(), Codec::Lcw)),
        _ => None,
    }
}

#[test]
fn the_corpus_decodes_to_what_is_expected() {
    let Some(folder) = std::env::var_os("ASSAY_CORPUS") else {
        println!("ASSAY_CORPUS is not set: no real file is looked at");
        return;
    };
    let folder = Path::new(&folder);
    let expected = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let (mut right, mut wrong) = (0, Vec::new());
    for line in expected.lines().skip(1) {
        let [name, capability, summary, wanted] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let Ok(file) = std::fs::read(folder.join(name)) else { panic!("no {name}") };
        match digest(file, capability, summary) {
            None => {}
            Some(found) if found == wanted || (found.is_empty() && summary.starts_with("REJECT")) => {
                right += 1;
            }
            Some(found) => wrong.push(format!("{name} {capability}: {found}, not {wanted}")),
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty() && right > 0, "{right} right; {}", wrong.join("\n"));
}
