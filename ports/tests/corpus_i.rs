//! Real files against their known digests, when the environment variable `ASSAY_CORPUS` names a folder with
//! `EXPECTED.tsv` in it: file, capability, summary, SHA-1 of the decoded bytes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "the test opens the files; the ports take their bytes")]

#[path = "support/corpus.rs"]
#[expect(
    dead_code,
    reason = "the summaries of these rows are not compared, and one attachment needs no name"
)]
mod corpus;

use assay_model::{Bytes, Game, Port};
use assay_ports::assets;
use assay_ports::assets::inspect_voxel_normal::{VoxelNormalInput, inspect_voxel_normal};
use assay_ports::assets::tmp_ts_decode::{TmpTsDecodeInput, tmp_ts_decode};
use assay_ports::assets::vxl_decode::{VxlDecodeInput, vxl_decode};
use corpus::{folder, rows, run, sha1};
use std::fs;
use std::path::Path;

/// The decoders whose files are compared.
static DECODERS: [&dyn Port; 7] = [
    &assets::csf_decode::PORT,
    &assets::hva_decode::PORT,
    &assets::pal_decode::PORT,
    &assets::pcx_decode::PORT,
    &assets::shp_ts_decode::PORT,
    &assets::tmp_ts_decode::PORT,
    &assets::vxl_decode::PORT,
];

/// The digest of what a port decodes; `-` when it refuses.
fn digest(port: &dyn Port, file: &Path) -> String {
    match run(port, &fs::read(file).unwrap(), "") {
        Ok((_, output)) => sha1(output.attachments.first().map_or(&[], |attachment| &attachment.bytes)),
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
    let Some(folder) = folder() else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for row in rows(&folder, &DECODERS.map(|port| port.meta().name)) {
        let port = DECODERS.iter().find(|port| port.meta().name == row.capability).unwrap();
        let given = digest(*port, &folder.join(&row.file));
        if given == row.sha1 {
            right += 1;
        } else {
            wrong.push(format!("{}: {given}, not {}", row.file, row.sha1));
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right > 0, "no file of these formats");
}

/// The bytes of all files of a capability.
fn files(folder: &Path, capability: &str) -> Vec<(String, Bytes)> {
    let rows = rows(folder, &[capability]).into_iter();
    let file = |file: String| {
        let bytes = Bytes::Inline(fs::read(folder.join(&file)).unwrap().into());
        (file, bytes)
    };
    let files: Vec<_> = rows.map(|row| file(row.file)).collect();
    assert!(!files.is_empty(), "no file of {capability}");
    files
}

#[test]
fn real_templates_have_their_sections_in_sequence() {
    let Some(folder) = folder() else { return };
    for (file, bytes) in files(&folder, "tmp_ts_decode") {
        let tmp = tmp_ts_decode(&TmpTsDecodeInput { game: Game::Yr, bytes }).unwrap();
        assert!(tmp.cells.iter().all(|cell| cell.in_sequence && cell.at_place), "{file}");
        assert_eq!((tmp.overlapping, tmp.trailing), (0, 0), "{file}");
    }
}

#[test]
fn real_voxels_have_vectors() {
    let Some(folder) = folder() else { return };
    for (file, bytes) in files(&folder, "vxl_decode") {
        let vxl = vxl_decode(&VxlDecodeInput { game: Game::Yr, bytes, strict: true }).unwrap();
        for (limb, voxels) in vxl.layout.limbs.iter().zip(&vxl.limbs) {
            let Some(index) = voxels.highest_normal else { continue };
            let normal = VoxelNormalInput { game: Game::Yr, table: limb.normals, index };
            assert!(inspect_voxel_normal(&normal).unwrap().in_table, "{file}: {} of {}", index, limb.normals);
        }
    }
}
