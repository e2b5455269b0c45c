//! Hostile maps and lists, and what holds for every text, cell and waypoint.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
#[expect(dead_code, reason = "texts count nothing in bytes")]
mod hostile;

use assay_fixtures::tables::csf::{self, Label, Table};
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
    let labels = vec![Label::spoken("AB", "Hi", "xy")];
    let table = csf::encode(&Table { version: 3, language: 0, labels }).unwrap();
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
