//! Hostile maps and lists, and what holds for every text, cell and waypoint.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
#[expect(dead_code, reason = "texts count nothing in bytes")]
mod hostile;

use assay_fixtures::tables::csf::{self, Label, Table};
use assay_model::{Errno, Output, Port, PortError};
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

/// What a decoder says of a text that it refuses.
fn refusal(port: &dyn Port, text: &str) -> PortError {
    port.run(json!({ "bytes": text }).to_string().as_bytes(), &mut Output::default()).unwrap_err()
}

/// What it says of one that it takes.
fn taken(port: &dyn Port, text: &str) -> Value {
    call(port, &json!({ "bytes": text }).to_string()).unwrap()
}

fn refused_as(port: &dyn Port, text: &str, errno: Errno, name: &str) {
    let refusal = refusal(port, text);
    assert_eq!((refusal.errno, refusal.field.as_str()), (errno, "bytes"));
    assert!(refusal.message.starts_with(&format!("{name}: ")), "{}", refusal.message);
}

#[test]
fn a_text_has_a_million_headers_and_lines_at_most() {
    let port = &assets::randmap_sed::PORT;
    let (headers, lines) = ("[a]\n".repeat(500_000), "a=\na=b\n;[]\n".repeat(499_998));
    let most = format!("{headers}{lines}[RandomMap]\nSeed=7\n");
    assert_eq!(taken(port, &most)["settings"][3]["value"], 7);
    refused_as(port, &format!("{most}[a]\n"), Errno::Einval, "bad_count");
    refused_as(port, &format!("{most}a=b"), Errno::Einval, "bad_count");
}

#[test]
fn a_list_of_maps_has_65535_lines_at_most_each_of_which_is_looked_up_quickly() {
    let port = &assets::pkt_list::PORT;
    let lines: String = (0..65_535).map(|number| format!("{number}=M{number}\n")).collect();
    let maps: String = (0..65_535).rev().map(|number| format!("[M{number}]\nCD={number}\n")).collect();
    let list = taken(port, &format!("{maps}[MultiMaps]\n{lines}"));
    assert_eq!((&list["count"], &list["maps"][65_534]["cd"][0]), (&json!(65_535), &json!(65_534)));
    assert!(
        list["missing"].as_array().unwrap().is_empty() && list["unlisted"].as_array().unwrap().is_empty()
    );
    refused_as(port, &format!("[MultiMaps]\n{lines}x=y\n"), Errno::Einval, "bad_count");
}

#[test]
fn a_map_that_is_listed_often_is_read_once_and_told_within_bounds() {
    let port = &assets::pkt_list::PORT;
    let of = |length: usize, times: usize| {
        let (lines, text) = ("1=A\n".repeat(times), "x".repeat(length));
        format!("[MultiMaps]\n{lines}[A]\nDescription={text}\n")
    };
    // Each line tells its key, the name and the description.
    assert_eq!(taken(port, &of(1022, 1024))["maps"][1023]["description"].as_str().unwrap().len(), 1022);
    refused_as(port, &of(1023, 1024), Errno::Efbig, "output_overrun");
    refused_as(port, &of((1 << 20) - 1, 1), Errno::Efbig, "output_overrun");
    for key in ["CD", "GameMode"] {
        let text = format!("[MultiMaps]\n1=A\n[A]\n{key}={}1\n", "1,".repeat(1 << 19));
        refused_as(port, &text, Errno::Efbig, "output_overrun");
    }
    // What is not told may be as long as it likes.
    let (lines, others) = ("1=A\n".repeat(65_535), "x=y\n".repeat(500_000));
    assert_eq!(taken(port, &format!("[MultiMaps]\n{lines}[A]\n{others}"))["count"], 65_535);
}

#[test]
fn a_map_has_65535_lines_of_objects_at_most() {
    let port = &assets::map_objects::PORT;
    let lines = |section: &str, number| format!("[{section}]\n{}", "1=a\n".repeat(number));
    let most = ["Infantry", "Units", "Aircraft"].map(|section| lines(section, 20_000)).concat();
    let map = taken(port, &format!("{most}{}", lines("Structures", 5_535)));
    assert_eq!(map["faults"].as_array().unwrap().len(), 65_535);
    refused_as(port, &format!("{most}{}", lines("Structures", 5_536)), Errno::Einval, "bad_count");
}

#[test]
fn a_map_has_65535_tunnels_at_most() {
    let port = &assets::map_tubes::PORT;
    let most = format!("[Tubes]\n{}", "0=1,1,2,2,1,2,-1\n".repeat(65_535));
    assert_eq!(taken(port, &most)["count"], 65_535);
    refused_as(port, &format!("{most}0=a\n"), Errno::Einval, "bad_count");
}

#[test]
fn what_is_wrong_is_said_in_short() {
    let long = "ä9".repeat(100_000);
    let texts: [(&dyn Port, String); 6] = [
        (&assets::randmap_sed::PORT, format!("[RandomMap]\nWidth={long}\n")),
        (&assets::randmap_sed::PORT, format!("[RandomMap]\nDescription={long}\n")),
        (&assets::map_objects::PORT, format!("[Basic]\nNewINIFormat={long}\n")),
        (&assets::map_overlay::PORT, format!("[Map]\nSize=0,0,6,6\n[Basic]\nNewINIFormat={long}\n")),
        (&assets::map_preview::PORT, format!("[Preview]\nSize={long}\n[PreviewPack]\n1=AAAA\n")),
        (&assets::map_digest::PORT, format!("[Digest]\n{long}={long}\n")),
    ];
    for (port, text) in texts {
        let refusal = refusal(port, &text);
        assert!(refusal.message.len() < 250 && refusal.message.contains("ä9…"), "{}", refusal.message);
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
