//! Hostile files: whatever is in them, a decoder gives a breakdown or a refusal, and no more than its cap.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
mod hostile;

use assay_fixtures::pictures::pcx::{self, Pixels};
use assay_fixtures::pictures::shp_ts::{self, Frame, Kind, Sprite};
use assay_fixtures::pictures::tmp::{self, Cell, Extra, Template};
use assay_fixtures::pictures::voxel::{self, IDENTITY, Limb};
use assay_fixtures::tables::csf::{self, Label, Table};
use assay_model::{Bytes, Game, Output, Port, PortError};
use assay_ports::assets;
use assay_ports::assets::csf_decode::{CsfDecode, CsfDecodeInput, csf_decode};
use hostile::{damage, lie};
use proptest::prelude::*;

const CAP: usize = 64 << 20;

fn shp() -> Vec<u8> {
    let pixels = vec![9, 0, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4];
    let frame = Frame { width: 4, height: 3, pixels, kind: Kind::Packed(0), ..Frame::default() };
    shp_ts::encode(&Sprite { width: 4, height: 3, frames: vec![frame] }).unwrap()
}

fn csf() -> Vec<u8> {
    csf::encode(&Table { version: 3, language: 0, labels: vec![Label::spoken("AB", "Hi", "xy")] }).unwrap()
}

fn pcx() -> Vec<u8> {
    let colours: Vec<[u8; 3]> = (0..6).map(|at| [5, 200 + at, at]).collect();
    pcx::encode(3, 2, Pixels::Colours(&colours)).unwrap()
}

/// A cell of 8 by 4 pixels with depths, and beside it a picture that has them as well.
fn tmp() -> Vec<u8> {
    let extra = Extra { x: 1, y: -2, width: 2, height: 2, pixels: vec![7; 4], depth: Some(vec![7; 4]) };
    let (pixels, depth) = (vec![7; 16], Some(vec![7; 16]));
    let cell = Cell { pixels, depth, extra: Some(extra), ..Cell::default() };
    tmp::encode(&Template { columns: 1, rows: 1, side: 4, cells: vec![Some(cell)] }).unwrap()
}

/// Two columns of three voxels in all.
fn vxl() -> Vec<u8> {
    let limb = Limb {
        name: String::new(),
        size: [2, 1, 3],
        scale: 1.0,
        transform: IDENTITY,
        bounds: [[0.0; 3]; 2],
        normals: 4,
        voxels: [([0, 0, 0], [10, 1]), ([0, 0, 1], [11, 2]), ([1, 0, 1], [12, 3])].into(),
    };
    voxel::vxl([0, 0], &[[0; 3]; 256], &[limb]).unwrap()
}

/// Every decoder with what it needs besides bytes, and small files that decode.
fn decoders() -> Vec<(&'static dyn Port, &'static str, Vec<u8>)> {
    let hva = voxel::hva("", &["", ""], &[vec![[0.0; 12]; 2], vec![[0.0; 12]; 2]]).unwrap();
    let (shp, vxl) = (shp(), vxl());
    vec![
        (&assets::zero_run_row::PORT, r#","width":7"#, vec![9, 0, 2, 5, 0, 9]),
        (&assets::shp_ts_list::PORT, "", shp.clone()),
        (&assets::shp_ts_decode::PORT, "", shp.clone()),
        (&assets::shp_ts_decode::PORT, r#","kind2":"zero_run""#, shp),
        (&assets::pal_decode::PORT, "", vec![63; 768]),
        (&assets::csf_decode::PORT, "", csf()),
        (&assets::hva_decode::PORT, "", hva),
        (&assets::pcx_decode::PORT, "", pcx()),
        (&assets::tmp_ts_decode::PORT, "", tmp()),
        (&assets::vxl_inspect::PORT, "", vxl.clone()),
        (&assets::vxl_decode::PORT, "", vxl.clone()),
        (&assets::vxl_decode::PORT, r#","strict":true"#, vxl),
    ]
}

/// Runs a decoder; whether it gave a breakdown. What comes out must stay within the cap.
fn run(port: &dyn Port, more: &str, bytes: &[u8]) -> bool {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let input = format!("{{\"bytes\":\"hex:{digits}\"{more}}}");
    let mut output = Output::default();
    let decoded = port.run(input.as_bytes(), &mut output).is_ok();
    assert!(output.attachments.iter().map(|attachment| attachment.bytes.len()).sum::<usize>() <= 2 * CAP);
    decoded
}

#[test]
fn the_files_to_be_spoilt_decode() {
    for (port, more, bytes) in decoders() {
        assert!(run(port, more, &bytes), "{}{more}", port.meta().name);
    }
}

fn table(bytes: Vec<u8>) -> Result<CsfDecode, PortError> {
    csf_decode(&CsfDecodeInput { game: Game::Yr, bytes: Bytes::Inline(bytes.into()), fold: false })
}

#[test]
fn a_string_table_has_at_most_a_million_texts() {
    let texts = |count: u32| {
        let label = Label { name: b"A".to_vec(), texts: Vec::new() };
        let mut bytes = csf::encode(&Table { version: 3, language: 0, labels: vec![label] }).unwrap();
        bytes[12..16].copy_from_slice(&count.to_le_bytes());
        bytes[28..32].copy_from_slice(&count.to_le_bytes());
        bytes.extend(b" RTS\0\0\0\0".repeat(count as usize));
        table(bytes)
    };
    assert_eq!(texts(1_000_000).unwrap().labels[0].strings.len(), 1_000_000);
    assert_eq!(texts(1_000_001).unwrap_err().name(), Some("bad_count"));
}

#[test]
fn the_first_256_repeated_names_are_listed() {
    let once: Vec<Label> = (0..300).rev().map(|number| Label::new(&format!("N{number}"), "")).collect();
    let labels = [once.clone(), once].concat();
    let read = table(csf::encode(&Table { version: 3, language: 0, labels }).unwrap()).unwrap();
    assert_eq!((read.repeated, read.repeats.len()), (300, 256));
    for (place, repeat) in (0..).zip(&read.repeats) {
        assert_eq!((repeat.count, repeat.first, repeat.last), (2, place, 300 + place));
        assert_eq!(repeat.name, format!("N{}", 299 - place));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_byte_string_is_too_much(bytes in prop::collection::vec(any::<u8>(), 0..1200)) {
        for (port, more, _) in decoders() {
            run(port, more, &bytes);
        }
    }

    #[test]
    fn spoilt_files_are_decoded_or_refused(damage in damage(prop_oneof![any::<u8>(), Just(0), Just(255)])) {
        for (port, more, bytes) in decoders() {
            run(port, more, &damage.to(bytes));
        }
    }

    #[test]
    fn lying_counts_are_decoded_or_refused(lie in lie()) {
        for (port, more, bytes) in decoders() {
            run(port, more, &lie.to(bytes));
        }
    }
}
