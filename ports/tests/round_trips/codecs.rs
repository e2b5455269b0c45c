//! LCW, LZO1X, Format40 and rows of zero runs.

use crate::trips::{call, decode, repetitive, try_decode};
use assay_fixtures::Error;
use assay_fixtures::codecs as made;
use assay_fixtures::maps::pack::{self as made_pack, Codec};
use assay_ports::assets::{
    blowfish_ecb, format40, hex, lcw, lcw_decompress, lzo, lzo1x_decompress, pack_chunks, zero_run_row,
};
use proptest::prelude::*;
use serde_json::json;

/// A change to a frame: where, for how many bytes, by what, and whether by the same for all of them.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, u8, bool)> {
    (any::<prop::sample::Index>(), 1..500_usize, any::<u8>(), any::<bool>())
}

/// Bytes without an end in sight: every place has another value than those that it could be taken for.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7_u32;
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn lcw(bytes in repetitive(70_000)) {
        for (relative, stream) in
            [(false, made::lcw::encode(&bytes)), (true, made::lcw::encode_relative(&bytes))]
        {
            let decoded = lcw::decompress(&stream, relative, bytes.len()).unwrap();
            prop_assert_eq!(&decoded.output, &bytes);
            prop_assert_eq!(decoded.consumed, stream.len());
            prop_assert!(
                stream.len() <= bytes.len() + bytes.len() / 63 + 3,
                "{} for {}",
                stream.len(),
                bytes.len()
            );
            if let Some(short) = bytes.len().checked_sub(1) {
                prop_assert_eq!(
                    lcw::decompress(&stream, relative, short).unwrap_err().name,
                    "output_overrun"
                );
            }
        }
    }

    #[test]
    fn lzo1x(bytes in repetitive(70_000)) {
        let stream = made::lzo::encode(&bytes);
        let decoded = lzo::decompress(&stream, bytes.len()).unwrap();
        prop_assert_eq!(&decoded.output, &bytes);
        prop_assert_eq!(decoded.consumed, stream.len());
        prop_assert!(
            stream.len() <= bytes.len() + bytes.len() / 255 + 16,
            "{} for {}",
            stream.len(),
            bytes.len()
        );
        if let Some(short) = bytes.len().checked_sub(1) {
            prop_assert_eq!(lzo::decompress(&stream, short).unwrap_err().name, "output_overrun");
        }
    }

    #[test]
    fn format40(from in repetitive(40_000), changes in prop::collection::vec(change(), 0..12)) {
        let mut to = from.clone();
        for (at, length, value, alike) in changes.into_iter().filter(|_| !from.is_empty()) {
            let at = at.index(from.len());
            for (place, byte) in to[at..].iter_mut().take(length).enumerate() {
                *byte ^= if alike { value } else { value.wrapping_add(place as u8) };
            }
        }
        let delta = made::format40::encode(&from, &to).unwrap();
        let mut frame = from.clone();
        let applied = format40::apply(&mut frame, &delta).unwrap();
        prop_assert_eq!(applied.consumed, delta.len());
        prop_assert!(frame == to && applied.cursor <= from.len());
        format40::apply(&mut frame, &delta).unwrap();
        prop_assert!(frame == from, "a delta undoes itself");
    }

    #[test]
    fn zero_run(pixels in repetitive(4000), over in any::<u8>()) {
        let codes = made::zero_run::encode(&pixels, 0).unwrap();
        let (row, given) = decode(&zero_run_row::PORT, &codes, json!({ "width": pixels.len() }));
        prop_assert_eq!(&given[0], &pixels);
        prop_assert_eq!(
            (&row["used"], &row["unread"], &row["clipped"]),
            (&json!(codes.len()), &json!(0), &json!(0))
        );
        if let Ok(longer) = made::zero_run::encode(&pixels, over) {
            let (row, given) = decode(&zero_run_row::PORT, &longer, json!({ "width": pixels.len() }));
            prop_assert_eq!(&given[0], &pixels);
            prop_assert_eq!(&row["clipped"], &json!(over));
        }
    }

    /// Any key that both ciphers take; games use 56 bytes.
    #[test]
    fn blowfish(
        key in prop::collection::vec(any::<u8>(), 4..=56),
        blocks in prop::collection::vec(any::<[u8; 8]>(), 0..20),
    ) {
        let plain = blocks.as_flattened();
        let encrypted = made::cipher::encode(&key, plain).unwrap();
        for (direction, from, to) in [("decrypt", &encrypted[..], plain), ("encrypt", plain, &encrypted)] {
            let [key, data] = [&key, from].map(|bytes| format!("hex:{}", hex(bytes)));
            let arguments = json!({ "key": key, "data": data, "direction": direction });
            prop_assert_eq!(&call(&blowfish_ecb::PORT, &arguments).unwrap().1[0], to);
        }
        let ragged = [plain, &[0][..]].concat();
        prop_assert!(made::cipher::encode(&key, &ragged).is_err());
        prop_assert!(made::cipher::encode(&key[..3], plain).is_err());
    }

    #[test]
    fn packs(bytes in repetitive(40_000)) {
        for (codec, name) in [(Codec::Lzo, "lzo"), (Codec::Lcw, "lcw")] {
            let packed = made_pack::chunks(&bytes, codec).unwrap();
            let (pack, given) = decode(&pack_chunks::PORT, &packed, json!({ "codec": name }));
            prop_assert_eq!(&given[0], &bytes);
            prop_assert_eq!(&pack["trailing"], &json!(0));
            let chunks = pack["chunks"].as_array().unwrap();
            prop_assert_eq!(chunks.len(), bytes.len().div_ceil(8192));
        }
    }
}

/// Every command of LCW comes out, and what is beyond the reach of a position is written without one.
#[test]
fn lcw_has_every_command() {
    let mut bytes = noise(66_000);
    bytes.extend_from_within(10..40);
    bytes.extend_from_within(100..400);
    bytes.extend_from_within(66_000 + 5..66_000 + 9);
    bytes.extend([9; 300]);
    let stream = made::lcw::encode(&bytes);
    let (counts, given) = decode(&lcw_decompress::PORT, &stream, json!({ "expected_len": bytes.len() }));
    assert_eq!(given[0], bytes);
    assert_eq!((&counts["consumed"], &counts["trailing"]), (&json!(stream.len()), &json!(0)));
    for (kind, count) in counts["commands"].as_object().unwrap() {
        assert!(count.as_u64().unwrap() > 0, "no {kind} in {}", counts["commands"]);
    }
}

/// Every family of LZO1X instructions comes out, and every way to say how long a run or match is.
#[test]
fn lzo_has_every_instruction() {
    let mut bytes = noise(300);
    for (back, length) in [(20, 5), (250, 60), (100, 8), (100, 9), (100, 33), (100, 34), (100, 900)] {
        let from = bytes.len() - back;
        let again: Vec<u8> = bytes[from..].iter().cycle().take(length).copied().collect();
        bytes.extend(again);
        bytes.extend(noise(bytes.len() % 23).iter().map(|byte| !byte));
    }
    // A pair behind two literals; three bytes again from just beyond the reach of the near match.
    bytes.extend([0xF1, 0xE2, 0xD3, 0xC4, 0xB5, 0xA6, 0x97, 0xF1, 0xE2, 0xD3]);
    bytes.extend([1, 2, 0xC4, 0xB5]);
    bytes.extend(&noise(4000)[1000..]);
    for back in [2060, 2200, 2500, 3000] {
        let from = bytes.len() - back;
        bytes.extend_from_within(from..from + 3);
        bytes.extend([1, 250, !bytes[from + 3], 251, 3]);
    }
    bytes.extend(noise(40_000).iter().rev().map(|byte| byte.rotate_left(3)));
    for (back, length) in [(17_000, 4), (30_000, 9), (40_000, 10), (20_000, 700)] {
        let from = bytes.len() - back;
        bytes.extend_from_within(from..from + length);
        bytes.extend([3, 1, 4, 1, 5]);
    }
    let stream = made::lzo::encode(&bytes);
    let (counts, given) = decode(&lzo1x_decompress::PORT, &stream, json!({ "expected_len": bytes.len() }));
    assert!(given[0] == bytes);
    assert_eq!(counts["consumed"], json!(stream.len()));
    for (kind, count) in counts["commands"].as_object().unwrap() {
        assert!(count.as_u64().unwrap() > 0, "no {kind} in {}", counts["commands"]);
    }
    for length in [0, 1, 3, 4, 18, 19, 238, 239, 273, 274, 528, 529, 2000] {
        let bytes = noise(length);
        assert!(lzo::decompress(&made::lzo::encode(&bytes), length).unwrap().output == bytes, "{length}");
    }
}

/// Both forms of every command of Format40: counts on both sides of what the short one holds, and of what the long one
/// does.
#[test]
fn format40_has_every_form() {
    for count in [1, 127, 128, 255, 256, 0x3FFF, 0x4000, 0x7FFF, 0x8000, 0x1_0000] {
        let from = vec![0; count + 2];
        for change in [vec![5; count], noise(count).iter().map(|byte| byte | 1).collect(), vec![0; count]] {
            let to = [&[9][..], &change, &[9]].concat();
            let delta = made::format40::encode(&from, &to).unwrap();
            let mut frame = from.clone();
            assert_eq!(format40::apply(&mut frame, &delta).unwrap().consumed, delta.len());
            assert!(frame == to, "{count}");
        }
    }
    let forms = |from: &[u8], to: &[u8]| made::format40::encode(from, to).unwrap();
    assert_eq!(forms(&[0; 4], &[0; 4]), [0x80, 0, 0]);
    assert_eq!(forms(&[0; 4], &[0xAA, 0xBB, 0xCC, 0]), [3, 0xAA, 0xBB, 0xCC, 0x80, 0, 0]);
    assert_eq!(forms(&[1; 9], &[6; 9]), [0, 9, 7, 0x80, 0, 0]);
    assert_eq!(forms(&[0; 3], &[0, 0, 9]), [0x82, 1, 9, 0x80, 0, 0]);
    let long = [&vec![0; 300][..], &[5; 300]].concat();
    assert_eq!(forms(&[0; 600], &long), [0x80, 44, 1, 0x80, 0x2C, 0xC1, 5, 0x80, 0, 0]);
    let sizes = Error::Size { what: "bytes of the changed frame", found: 1, wanted: 2 };
    assert_eq!(made::format40::encode(&[0; 2], &[0]), Err(sizes));
}

#[test]
fn rows_have_limits() {
    assert_eq!(made::zero_run::encode(&[9, 0, 0, 5], 0), Ok(vec![9, 0, 2, 5]));
    assert_eq!(made::zero_run::encode(&[9, 0, 0], 2), Ok(vec![9, 0, 4]));
    assert_eq!(made::zero_run::encode(&[0; 256], 254), Ok(vec![0, 255, 0, 255]));
    let refused = |pixels: &[u8], over| made::zero_run::encode(pixels, over).unwrap_err().to_string();
    for (pixels, over) in [(&[9][..], 1), (&[], 1), (&[0; 256], 255)] {
        assert!(refused(pixels, over).contains("end it in clear pixels"));
    }
    assert!(made::zero_run::encode(&[1; 65_533], 0).is_ok());
    let most = "65534 bytes of a packed row, at most 65533 can be written: give less";
    assert_eq!(refused(&[1; 65_534], 0), most);
    assert_eq!(
        try_decode(&zero_run_row::PORT, &[9], json!({ "width": 2 })).unwrap_err(),
        "short_row: 1 of 2 pixels before the codes end"
    );
}
