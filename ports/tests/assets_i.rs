//! Hostile files: whatever is in them, a decoder gives a breakdown or a refusal, and no more than its cap.

#[path = "support/hostile.rs"]
mod hostile;

use assay_model::{Output, Port};
use assay_ports::assets;
use hostile::{damage, lie};
use proptest::prelude::*;

const CAP: usize = 64 << 20;

/// Every decoder with what it needs besides bytes, and small files that decode.
fn decoders() -> Vec<(&'static dyn Port, &'static str, Vec<u8>)> {
    let shp = [&[0, 0, 4, 0, 3, 0, 1, 0][..], &[0, 0, 0, 0, 4, 0, 3, 0, 3], &[0; 11], &[32, 0, 0, 0]];
    let shp = [&shp.concat()[..], &[6, 0, 9, 0, 2, 5, 4, 0, 0, 4, 6, 0, 1, 2, 3, 4]].concat();
    let mut csf = b" FSC\x03\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0 LBL\x01\0\0\0\x02\0\0\0AB".to_vec();
    csf.extend_from_slice(b"WRTS\x02\0\0\0\xb7\xff\x96\xff\x02\0\0\0xy");
    let mut hva = vec![0; 24 + 32 + 4 * 48];
    (hva[16], hva[20]) = (2, 2);
    let mut pcx = vec![0; 128];
    pcx[..4].copy_from_slice(&[10, 5, 1, 8]);
    (pcx[8], pcx[10], pcx[65], pcx[66]) = (2, 1, 3, 4);
    pcx.extend_from_slice(&[0xC3, 5, 0, 0xC8, 200, 1, 2, 0xCC, 3]);
    let mut tmp = vec![1, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 20, 0, 0, 0];
    tmp.resize(20 + 52 + 40, 7);
    tmp[20..72].fill(0);
    (tmp[28], tmp[32], tmp[36], tmp[48], tmp[52], tmp[56]) = (84, 68, 88, 2, 2, 3);
    let mut vxl = b"Voxel Animation\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x22\0\0\0".to_vec();
    vxl.resize(60, 0);
    vxl.extend_from_slice(&[0, 0, 0, 0, 10, 0, 0, 0, 9, 0, 0, 0, 17, 0, 0, 0]);
    vxl.extend_from_slice(&[0, 2, 10, 1, 11, 2, 2, 1, 0, 0, 1, 1, 12, 3, 1, 1, 0, 0]);
    vxl.extend_from_slice(&[0, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0, 0]);
    vxl.resize(94 + 88, 0);
    vxl.extend_from_slice(&[2, 1, 3, 4]);
    vec![
        (&assets::zero_run_row::PORT, r#","width":7"#, vec![9, 0, 2, 5, 0, 9]),
        (&assets::shp_ts_list::PORT, "", shp.clone()),
        (&assets::shp_ts_decode::PORT, "", shp.clone()),
        (&assets::shp_ts_decode::PORT, r#","kind2":"zero_run""#, shp),
        (&assets::pal_decode::PORT, "", vec![63; 768]),
        (&assets::csf_decode::PORT, "", csf),
        (&assets::hva_decode::PORT, "", hva),
        (&assets::pcx_decode::PORT, "", pcx),
        (&assets::tmp_ts_decode::PORT, "", tmp),
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
