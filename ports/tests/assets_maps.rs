//! Hostile maps and lists, and what holds for every text, cell and waypoint.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
#[expect(dead_code, reason = "texts count nothing in bytes")]
mod hostile;

use assay_model::{Output, Port};
use assay_ports::{assets, map};
use hostile::damage;
use proptest::prelude::*;
use serde_json::{Value, json};

const CAP: usize = 64 << 20;

const TERRAIN: &str =
    "[Map]\nSize=0,0,6,6\n[IsoMapPack5]\n1=HgAaACsDAAQAAAAAAAAAAAQABAD//wAA\n2=AQIAAAAAABEAAA==\n";
const OVERLAY: &str = "[Map]\nSize=0,0,6,6\n[Basic]\nNewINIFormat=4\n[OverlayPack]\n\
    1=CwD///4ECP+BZv769/+ABQD///7///+ABQD///7///+ABQD///7///+ABQAEAP4EAP+A\n";
const PREVIEW: &str = "[Preview]\nSize=0,0,2,1\n[PreviewPack]\n1=CgAGABf/AAAAAP8RAAA=\n";
const DIGEST: &str = "[A]\r\nx=1\r\n\r\n[Digest]\r\n1=OSNPSV5Qc/RtWu0SCRpeD6b5CO4=\r\n";
const TUBES: &str = "[Tubes]\n0=10,10,2,12,11,2,3,-1\n1=12,11,6,10,10,7,6,-1,-1\n";
const OBJECTS: &str = "[Infantry]\n0=A,E1,256,50,63,1,Guard,64,None,0,-1,0,1,0\n[Units]\n\
    0=A,CAR,256,47,100,192,Sleep,None,0,-1,0,-1,1,1\n[Aircraft]\n0=A,ORCA,1,2,3,4,Guard\n[Structures]\n\
    0=A,GAPOWR,256,1,2,0,None,1,0,1,0,0,None,None,None,0,0\n";
const LIST: &str =
    "[MultiMaps]\n1=EB1\n[EB1]\nDescription=NAME:X\nCD=0,1\nMaxPlayers=4\nGameMode=standard, duel\n";
const SETTINGS: &str = "[RandomMap]\nDescription=52,61,d83d,\nWidth=2\nSeed=1234\nResources=9\n";

/// Every decoder with what it needs besides bytes, and small files that decode.
fn decoders() -> Vec<(&'static dyn Port, &'static str, Vec<u8>)> {
    let mut table = b" FSC\x03\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0 LBL\x01\0\0\0\x02\0\0\0AB".to_vec();
    table.extend_from_slice(b"WRTS\x02\0\0\0\xb7\xff\x96\xff\x02\0\0\0xy");
    vec![
        (&assets::map_isomappack::PORT, "", TERRAIN.into()),
        (&assets::map_overlay::PORT, "", OVERLAY.into()),
        (&assets::map_preview::PORT, "", PREVIEW.into()),
        (&assets::map_digest::PORT, "", DIGEST.into()),
        (&assets::map_tubes::PORT, "", TUBES.into()),
        (&assets::map_objects::PORT, "", OBJECTS.into()),
        (&assets::pkt_list::PORT, "", LIST.into()),
        (&assets::randmap_sed::PORT, "", SETTINGS.into()),
        (&assets::csf_lookup::PORT, r#","label":"ab","fold":true"#, table),
    ]
}

fn call(port: &dyn Port, input: &str) -> Option<Value> {
    let mut output = Output::default();
    port.run(input.as_bytes(), &mut output).ok()?;
    assert!(output.attachments.iter().map(|attachment| attachment.bytes.len()).sum::<usize>() <= 2 * CAP);
    Some(serde_json::from_slice(&output.json).unwrap())
}

/// Runs a decoder over bytes. What comes out must stay within the cap.
fn run(port: &dyn Port, more: &str, bytes: &[u8]) -> Option<Value> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    call(port, &format!("{{\"bytes\":\"hex:{digits}\"{more}}}"))
}

#[test]
fn the_files_to_be_spoilt_decode() {
    for (port, more, bytes) in decoders() {
        assert!(run(port, more, &bytes).is_some(), "{}", port.meta().name);
    }
}

#[test]
fn text_and_its_bytes_are_the_same_input() {
    for (port, more, bytes) in decoders() {
        let Ok(text) = String::from_utf8(bytes.clone()) else { continue };
        let as_text = call(port, &format!("{{\"bytes\":{}{more}}}", json!(text)));
        assert_eq!(as_text, run(port, more, &bytes), "{}", port.meta().name);
    }
}

/// Bytes in base 64, a line for every 69 of them.
fn lines(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |group: &[u8]| {
        let word = (0..3).fold(0, |word, at| word << 8 | usize::from(*group.get(at).unwrap_or(&0)));
        let digit =
            |at: usize| if at > group.len() { '=' } else { char::from(DIGITS[word >> (18 - 6 * at) & 63]) };
        (0..4).map(digit).collect::<String>()
    };
    let rows = bytes.chunks(69).map(|row| row.chunks(3).map(digits).collect::<String>());
    rows.enumerate().map(|(number, row)| format!("{}={row}\n", number + 1)).collect()
}

/// A pack section of chunks of 8192 bytes; LZO holds nothing but literals.
fn pack(name: &str, bytes: &[u8], lzo: bool) -> String {
    let mut packed = Vec::new();
    for chunk in bytes.chunks(8192) {
        let stream = if lzo {
            let more = chunk.len().saturating_sub(19);
            let zeros = vec![0; more / 255];
            match chunk.len() {
                length @ 0..4 => [&[17 + length as u8], chunk, &[17, 0, 0]].concat(),
                length @ 4..19 => [&[length as u8 - 3], chunk, &[17, 0, 0]].concat(),
                _ => [&[0], &zeros[..], &[(more % 255) as u8 + 1], chunk, &[17, 0, 0]].concat(),
            }
        } else {
            assets::lcw::compress(chunk)
        };
        for size in [stream.len(), chunk.len()] {
            packed.extend_from_slice(&(size as u16).to_le_bytes());
        }
        packed.extend(stream);
    }
    format!("[{name}]\n{}", lines(&packed))
}

/// A letter or sign that INI text is made of.
fn sign() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(b"[]=;,-\n\r 0159AZaz+/\xff".to_vec()), any::<u8>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_byte_string_is_too_much(bytes in prop::collection::vec(sign(), 0..1200)) {
        for (port, more, _) in decoders() {
            run(port, more, &bytes);
        }
    }

    #[test]
    fn spoilt_files_are_decoded_or_refused(damage in damage(sign())) {
        for (port, more, bytes) in decoders() {
            run(port, more, &damage.to(bytes));
        }
    }

    #[test]
    fn lying_numbers_are_decoded_or_refused(number in any::<i64>(), at in any::<prop::sample::Index>()) {
        let number = number.to_string();
        for (port, more, bytes) in decoders() {
            let at = at.index(bytes.len());
            let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let spoilt = [&bytes[..at], number.as_bytes(), &bytes[at + digits..]].concat();
            run(port, more, &spoilt);
        }
    }

    #[test]
    fn terrain_comes_back_as_it_was_packed(
        records in prop::collection::vec((1..512_u16, 0..512_u16, any::<i32>(), any::<[u8; 3]>()), 0..2000),
        end in any::<bool>(),
    ) {
        let mut bytes: Vec<u8> = Vec::new();
        for (x, y, tile, rest) in &records {
            bytes.extend(x.to_le_bytes().into_iter().chain(y.to_le_bytes()).chain(tile.to_le_bytes()).chain(*rest));
        }
        if end {
            bytes.extend([0; 4]);
        }
        let text = format!("[Map]\nSize=0,0,200,200\n{}", pack("IsoMapPack5", &bytes, true));
        let map = call(&assets::map_isomappack::PORT, &json!({ "bytes": text }).to_string()).unwrap();
        prop_assert_eq!(&map["ended"], &json!(end));
        let tiles = map["tiles"].as_array().unwrap();
        prop_assert_eq!(tiles.len(), records.len());
        for (tile, (x, y, number, [sub, level, ice])) in tiles.iter().zip(&records) {
            let same = [("x", i64::from(*x)), ("y", i64::from(*y)), ("tile", i64::from(*number)),
                ("sub", i64::from(*sub)), ("level", i64::from(*level)), ("ice", i64::from(*ice))];
            prop_assert!(same.iter().all(|(key, value)| tile[*key] == json!(value)), "{}", tile);
        }
    }

    #[test]
    fn overlays_come_back_as_they_were_packed(
        cells in prop::collection::btree_map(0..512 * 512_usize, (0..255_u8, any::<u8>()), 0..300),
    ) {
        let (mut overlay, mut data) = (vec![255; 512 * 512], vec![0; 512 * 512]);
        for (at, (number, frame)) in &cells {
            (overlay[*at], data[*at]) = (*number, *frame);
        }
        let packs = [pack("OverlayPack", &overlay, false), pack("OverlayDataPack", &data, false)].concat();
        let text = format!("[Map]\nSize=0,0,200,200\n{packs}");
        let map = call(&assets::map_overlay::PORT, &json!({ "bytes": text }).to_string()).unwrap();
        let found = map["cells"].as_array().unwrap();
        prop_assert_eq!(found.len(), cells.len());
        for (cell, (at, (number, frame))) in found.iter().zip(&cells) {
            let same = [("x", at % 512), ("y", at / 512), ("overlay", usize::from(*number)), ("data", usize::from(*frame))];
            prop_assert!(same.iter().all(|(key, value)| cell[*key] == json!(value)), "{}", cell);
        }
    }

    #[test]
    fn folding_twice_is_folding_once(text in "[ \t\nab]{0,40}") {
        let fold = |text: &str| call(&assets::csf_fold::PORT, &json!({ "text": text }).to_string()).unwrap();
        let once = fold(&text);
        let folded = once["folded"].as_str().unwrap();
        prop_assert_eq!(&fold(folded)["changed"], &json!(false));
        let dropped: u64 =
            ["leading", "repeated", "before_break", "trailing"].iter().map(|key| once[*key].as_u64().unwrap()).sum();
        prop_assert_eq!(folded.len() as u64 + dropped, text.len() as u64);
        let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
        prop_assert_eq!(letters(folded), letters(&text), "nothing but blanks goes");
    }

    #[test]
    fn a_cell_comes_back_from_each_of_its_numbers(x in 0..512_u32, y in 0..512_u32) {
        let port = &map::compute_map_cell_number::PORT;
        let cell = call(port, &json!({ "x": x, "y": y }).to_string()).unwrap();
        for (form, stage) in [("map", "map_number"), ("array", "array_index"), ("packed", "packed")] {
            let input = json!({ "number": cell[stage], "form": form });
            prop_assert_eq!(call(port, &input.to_string()).unwrap(), cell.clone());
        }
    }

    #[test]
    fn a_waypoint_comes_back_from_its_letters(number in prop_oneof![-1..702, -1..=321_272_405]) {
        let port = &map::parse_waypoint::PORT;
        for game in ["YR", "TS"] {
            let Some(waypoint) = call(port, &json!({ "game": game, "number": number }).to_string()) else {
                prop_assert!(game == "TS" && number > 701);
                continue;
            };
            let input = json!({ "game": game, "letters": waypoint["letters"] });
            prop_assert_eq!(call(port, &input.to_string()).unwrap(), waypoint);
        }
    }
}
