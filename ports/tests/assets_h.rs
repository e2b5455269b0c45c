//! Archives and codecs under hostile input: no panic, nothing beyond the cap. Round trips: round_trips.rs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
mod hostile;

use assay_fixtures::archives::mix::{self, Options};
use assay_fixtures::archives::name::Name;
use assay_fixtures::codecs;
use assay_model::{Bytes, Errno, Game, Output, Port};
use assay_ports::assets::blowfish::Blowfish;
use assay_ports::assets::pack_chunks::{Codec, PackInput};
use assay_ports::assets::{
    blowfish_ecb, format40, format40_apply, hex, lcw, lcw_decompress, lzo, lzo1x_decompress, mix_checksum,
    mix_key, mix_list, mix_retrieve, pack_chunks,
};
use hostile::{damage, lie};
use proptest::prelude::*;

/// An archive of the files given, in their order.
fn archive(files: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let files: Vec<_> = files.iter().map(|(id, bytes)| (Name::Id(*id), bytes.as_slice())).collect();
    mix::encode(&files, &Options { sorted: false, ..Options::flagged() }).unwrap()
}

/// Runs a port; whatever it answers, it must answer.
fn run(port: &dyn Port, arguments: &str) -> Option<Output> {
    let mut output = Output::default();
    port.run(arguments.as_bytes(), &mut output).ok().map(|()| output)
}

fn files() -> impl Strategy<Value = Vec<(u32, Vec<u8>)>> {
    prop::collection::vec((any::<u32>(), prop::collection::vec(any::<u8>(), 0..20)), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn codecs_take_anything(bytes in prop::collection::vec(any::<u8>(), 0..200), cap in 0_usize..400) {
        if let Ok(decoded) = lcw::decompress(&bytes, cap % 2 == 0, cap) {
            prop_assert!(decoded.output.len() <= cap && decoded.consumed <= bytes.len());
        }
        if let Ok(decoded) = lzo::decompress(&bytes, cap) {
            prop_assert!(decoded.output.len() <= cap && decoded.consumed <= bytes.len());
        }
        let data = hex(&bytes);
        for port in [&lcw_decompress::PORT as &dyn Port, &lzo1x_decompress::PORT, &mix_list::PORT, &mix_checksum::PORT] {
            run(port, &format!(r#"{{"bytes":"hex:{data}"}}"#));
        }
        for codec in ["lzo", "lcw"] {
            run(&pack_chunks::PORT, &format!(r#"{{"bytes":"hex:{data}","codec":"{codec}","max_output":400}}"#));
        }
        run(&format40_apply::PORT, &format!(r#"{{"base":"hex:{data}","delta":"hex:{data}"}}"#));
        run(&mix_key::PORT, &format!(r#"{{"source":"hex:{data}"}}"#));
    }

    #[test]
    fn damaged_lcw_is_answered(bytes in prop::collection::vec(0_u8..3, 1..400), damage in damage(any::<u8>())) {
        let packed = damage.to(codecs::lcw::encode(&bytes));
        if let Ok(decoded) = lcw::decompress(&packed, false, 4096) {
            prop_assert!(decoded.output.len() <= 4096);
        }
    }

    #[test]
    fn damaged_lzo_is_answered(bytes in prop::collection::vec(0_u8..3, 1..400), damage in damage(any::<u8>())) {
        let packed = damage.to(codecs::lzo::encode(&bytes));
        if let Ok(decoded) = lzo::decompress(&packed, 4096) {
            prop_assert!(decoded.output.len() <= 4096);
        }
    }

    #[test]
    fn archives_give_what_they_hold(files in files(), pick in any::<prop::sample::Index>()) {
        let archive = archive(&files);
        let (id, _) = files[pick.index(files.len())];
        let first = files.iter().find(|file| file.0 == id).unwrap();
        let arguments = format!(r#"{{"bytes":"hex:{}","id":{id}}}"#, hex(&archive));
        let output = run(&mix_retrieve::PORT, &arguments).unwrap();
        prop_assert_eq!(&output.attachments[0].bytes, &first.1);
    }

    #[test]
    fn damaged_archives_are_answered(
        files in files(),
        damage in damage(any::<u8>()),
        lie in lie(),
        id in any::<u32>(),
    ) {
        for bytes in [damage.to(archive(&files)), lie.to(archive(&files))] {
            let data = hex(&bytes);
            run(&mix_list::PORT, &format!(r#"{{"bytes":"hex:{data}"}}"#));
            run(&mix_checksum::PORT, &format!(r#"{{"bytes":"hex:{data}"}}"#));
            run(&mix_retrieve::PORT, &format!(r#"{{"bytes":"hex:{data}","id":{id}}}"#));
        }
    }

    #[test]
    fn a_delta_twice_gives_the_frame_back(
        frame in prop::collection::vec(any::<u8>(), 40..80),
        delta in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut changed = frame.clone();
        let delta: Vec<u8> = delta.into_iter().chain([0x80, 0, 0]).collect();
        if format40::apply(&mut changed, &delta).is_ok() {
            prop_assert_eq!(changed.len(), frame.len());
            format40::apply(&mut changed, &delta).unwrap();
            prop_assert_eq!(&changed, &frame);
        }
    }

    #[test]
    fn blowfish_goes_there_and_back(key in prop::collection::vec(any::<u8>(), 1..=56), data in prop::collection::vec(any::<u8>(), 0..64)) {
        let cipher = Blowfish::new(&key);
        let mut bytes = data.clone();
        cipher.apply(&mut bytes, false);
        cipher.apply(&mut bytes, true);
        prop_assert_eq!(&bytes, &data);
        let arguments = format!(r#"{{"key":"hex:{}","data":"hex:{}"}}"#, hex(&key), hex(&data));
        prop_assert_eq!(run(&blowfish_ecb::PORT, &arguments).is_some(), data.len() % 8 == 0);
    }
}

/// Three bytes that ask for 65535 and a run of zero bytes that asks for millions stop at the cap.
#[test]
fn bombs_stop_at_the_cap() {
    let bomb = [0xFE, 0xFF, 0xFF, 0x41].repeat(1000);
    assert_eq!(lcw::decompress(&bomb, false, 100_000).unwrap_err().name, "output_overrun");
    let mut bomb = vec![0x12, 0x41, 0x20];
    bomb.resize(100_000, 0);
    bomb.extend([1, 0, 0, 0x11, 0, 0]);
    assert_eq!(lzo::decompress(&bomb, 1 << 20).unwrap_err().name, "output_overrun");
}

/// A section may have 65536 chunks, far more than any map; every one takes a place in the result.
#[test]
fn a_pack_has_a_bound_of_chunks() {
    let chunk = [3, 0, 1, 0, 0x81, 0x41, 0x80];
    let unpacked = |chunks: usize| {
        let bytes = Bytes::Inline(chunk.repeat(chunks).into());
        pack_chunks::pack_chunks(&PackInput {
            game: Game::Yr,
            bytes: bytes.into(),
            codec: Codec::Lcw,
            max_output: 1 << 20,
        })
    };
    let pack = unpacked(65_536).unwrap();
    assert_eq!((pack.chunks.len(), pack.output_len), (65_536, 65_536));
    let error = unpacked(65_537).unwrap_err();
    assert_eq!((error.errno, error.name()), (Errno::Einval, Some("bad_count")), "{error}");
}
