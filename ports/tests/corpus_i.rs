//! Real files against their known digests, when the environment variable `ASSAY_CORPUS` names a folder with
//! `EXPECTED.tsv` in it: file, capability, summary, SHA-1 of the decoded bytes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "the test opens the files; the ports take their bytes")]

use assay_model::{Output, Port};
use assay_ports::assets;
use std::path::Path;
use std::{env, fs};

/// The SHA-1 of some bytes, in hexadecimal digits (FIPS 180-4).
fn sha1(bytes: &[u8]) -> String {
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    let mut state = [0x6745_2301_u32, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    for block in message.chunks(64) {
        let mut words = [0_u32; 80];
        for (word, bytes) in words.iter_mut().zip(block.chunks(4)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for at in 16..80 {
            words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (round, word) in words.iter().enumerate() {
            let (mixed, constant) = match round / 20 {
                0 => (b & c | !b & d, 0x5A82_7999),
                1 => (b ^ c ^ d, 0x6ED9_EBA1),
                2 => (b & c | b & d | c & d, 0x8F1B_BCDC),
                _ => (b ^ c ^ d, 0xCA62_C1D6_u32),
            };
            let sum = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, sum.wrapping_add(constant).wrapping_add(*word));
        }
        for (kept, new) in state.iter_mut().zip([a, b, c, d, e]) {
            *kept = kept.wrapping_add(new);
        }
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn port(capability: &str) -> Option<&'static dyn Port> {
    Some(match capability {
        "csf_decode" => &assets::csf_decode::PORT,
        "hva_decode" => &assets::hva_decode::PORT,
        "pal_decode" => &assets::pal_decode::PORT,
        "pcx_decode" => &assets::pcx_decode::PORT,
        "shp_ts_decode" => &assets::shp_ts_decode::PORT,
        "tmp_ts_decode" => &assets::tmp_ts_decode::PORT,
        "vxl_decode" => &assets::vxl_decode::PORT,
        _ => return None,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of what a port decodes; `-` when it refuses.
fn digest(port: &dyn Port, file: &Path) -> String {
    let bytes = hex(&fs::read(file).unwrap());
    let mut output = Output::default();
    let input = format!("{{\"bytes\":\"hex:{bytes}\"}}");
    match port.run(input.as_bytes(), &mut output) {
        Ok(()) => sha1(output.attachments.first().map_or(&[], |attachment| &attachment.bytes)),
        Err(_) => "-".to_owned(),
    }
}

#[test]
fn the_digest_is_sha1() {
    assert_eq!(sha1(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_eq!(sha1(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

#[test]
fn real_files_have_their_digests() {
    let Some(folder) = env::var_os("ASSAY_CORPUS") else {
        println!("skipped: ASSAY_CORPUS names no folder of real files");
        return;
    };
    let folder = Path::new(&folder);
    let (mut right, mut wrong) = (0, Vec::new());
    for line in fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, capability, _, expected] = fields[..] else { panic!("not four fields: {line}") };
        let Some(port) = port(capability) else { continue };
        let given = digest(port, &folder.join(file));
        if given == expected {
            right += 1;
        } else {
            wrong.push(format!("{file}: {given}, not {expected}"));
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right > 0, "no file of these formats");
}
