//! Hostile sounds, sprites, fonts, lookups, movies and name databases: whatever is in them, a decoder gives a breakdown or a
//! refusal, and no more than its cap.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/hostile.rs"]
mod hostile;

use assay_fixtures::archives::xcc;
use assay_fixtures::pictures::fnt::{self, Glyph, Layout, Slot};
use assay_fixtures::pictures::pal;
use assay_fixtures::pictures::shp_td::{self, Form};
use assay_fixtures::pictures::vqa::{self, Film};
use assay_fixtures::sounds::aud;
use assay_fixtures::tables::save;
use assay_model::{Bytes, Errno, Game, Output, Port, PortError};
use assay_ports::assets::vqa_header::{VqaHeaderInput, vqa_header};
use assay_ports::audio::aud_decode::{AudDecodeInput, aud_decode};
use assay_ports::audio::bag_decode::{BagDecodeInput, bag_decode};
use assay_ports::audio::decode_ima_adpcm::{ImaInput, decode_ima_adpcm};
use assay_ports::audio::sound_ini_list::{SoundIniInput, SoundIniKind, sound_ini_list};
use assay_ports::audio::westwood::Clamp;
use assay_ports::{assets, audio};
use hostile::{damage, lie};
use proptest::prelude::*;

const CAP: usize = 64 << 20;

/// A port, what it needs besides the bytes under test, the name of their argument, and a small file that decodes.
type Decoder = (&'static dyn Port, &'static str, &'static str, Vec<u8>);

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn index() -> Vec<u8> {
    let mut index = b"GABA".to_vec();
    index.extend(words(&[2, 2]));
    for (name, flags, chunk) in [(b"beep", 12_u32, 6), (b"duo\0", 13, 16)] {
        index.extend_from_slice(name);
        index.resize(index.len() + 12, 0);
        index.extend(words(&[0, 16, 22050, flags, chunk]));
    }
    index
}

fn aud(compression: u8, flags: u8, data: &[u8], gives: u16) -> Vec<u8> {
    aud::stored(22_050, [flags, compression], &[(data, gives)]).unwrap()
}

fn sprite() -> Vec<u8> {
    let frames: [(Form, &[u8]); 3] = [
        (Form::Key, &[1, 2, 3, 4]),
        (Form::AgainstKey, &[0xFE, 2, 3, 4]),
        (Form::AgainstPrevious, &[0xFE, 2, 3, 0x14]),
    ];
    shp_td::encode(2, 2, &frames).unwrap()
}

fn font(layout: Layout) -> Vec<u8> {
    fnt::old(layout, [2, 2], &[Glyph { width: 1, top: 1, pixels: vec![5] }]).unwrap()
}

fn unicode_font() -> Vec<u8> {
    fnt::unicode(1, 2, 3, &[Slot { characters: vec![65], width: 5, rows: vec![0xA8, 0x50] }]).unwrap()
}

fn lookup() -> Vec<u8> {
    pal::shades([16, 31], &[[9; 3]; 256], &[[9; 256]]).unwrap()
}

fn movie() -> Vec<u8> {
    let film = Film { version: 3, flags: 0x15, width: 8, height: 4, block: [4, 4], ..Film::default() };
    vqa::encode(&film, &[b"one", b"two!"]).unwrap()
}

fn names() -> (Vec<u8>, Vec<u8>) {
    (xcc::local(6, &["a", "b"]).unwrap(), xcc::global(&[&[("a", "b")], &[], &[], &[]]).unwrap())
}

fn save() -> Vec<u8> {
    save::encode("GI").unwrap()
}

fn decoders() -> Vec<Decoder> {
    const INDEX: &str = r#","index":"hex:474142410200000001000000626565700000000000000000000000000000000006000000225600000c00000006000000","name":"beep""#;
    const BAG: &str = r#","bag":"hex:0a000000f6ff000070000000f0000000","entry":1"#;
    let (local, global) = names();
    vec![
        (&audio::decode_ima_adpcm::PORT, r#","index":88"#, "bytes", vec![0x77, 0xFF]),
        (&audio::aud_decode::PORT, "", "bytes", aud(99, 2, &[0x77, 0x70], 8)),
        (&audio::aud_decode::PORT, "", "bytes", aud(99, 3, &[0x77, 0x70], 8)),
        (&audio::aud_decode::PORT, "", "bytes", aud(1, 0, &[0x80, 0xF0, 0x43, 0xFF, 0xFF, 0, 0, 0xC1], 11)),
        (
            &audio::aud_decode::PORT,
            r#","westwood_clamp":"written""#,
            "bytes",
            aud(1, 0, &[0x00, 0xE4, 0xBF], 5),
        ),
        (&audio::idx_list::PORT, "", "bytes", index()),
        (&audio::bag_decode::PORT, BAG, "index", index()),
        (&audio::bag_decode::PORT, INDEX, "bag", [&[0; 6][..], &[100, 0, 0, 0, 0x70, 8]].concat()),
        (&assets::shp_td_decode::PORT, "", "bytes", sprite()),
        (&assets::shp_td_decode::PORT, r#","palette_flag":true"#, "bytes", sprite()),
        (&assets::fnt_decode::PORT, r#","code":0"#, "bytes", font(Layout::Td)),
        (&assets::fnt_decode::PORT, r#","code":0"#, "bytes", font(Layout::Ts)),
        (&assets::vpl_decode::PORT, "", "bytes", lookup()),
        (&assets::vpl_shade::PORT, r#","level":3,"colour":7"#, "bytes", lookup()),
        (&assets::vqa_header::PORT, "", "bytes", movie()),
        (&assets::xcc_local_db::PORT, "", "bytes", local),
        (&assets::xcc_global_db::PORT, r#","find":"a""#, "bytes", global),
        (&assets::save_inspect::PORT, "", "bytes", save()),
        (&audio::sound_ini_list::PORT, "", "bytes", b"[SoundList]\n1=A\n[A] ;x\nSounds=$a b\n".to_vec()),
        (
            &audio::sound_ini_list::PORT,
            r#","list":"themes","text":"[Themes]\n1=A\n[A]\nSound=a\n""#,
            "index",
            index(),
        ),
    ]
}

/// Runs a decoder; whether it gave a breakdown. What comes out must stay within the cap.
fn run((port, more, argument, _): &Decoder, bytes: &[u8]) -> bool {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let input = format!("{{\"{argument}\":\"hex:{digits}\"{more}}}");
    let mut output = Output::default();
    let decoded = port.run(input.as_bytes(), &mut output).is_ok();
    assert!(output.attachments.iter().map(|attachment| attachment.bytes.len()).sum::<usize>() <= CAP);
    decoded
}

#[test]
fn the_files_to_be_spoilt_decode() {
    for decoder in decoders() {
        assert!(run(&decoder, &decoder.3), "{}{}", decoder.0.meta().name, decoder.1);
    }
}

/// What every small file is, by its bytes alone; some have no mark and too little of a layout.
#[test]
fn the_files_are_told_apart() {
    let kinds: Vec<String> = [
        index(),
        aud(99, 2, &[0x77, 0x70], 8),
        sprite(),
        unicode_font(),
        movie(),
        names().0,
        save(),
        b"[SoundList]\n1=A\n".to_vec(),
        lookup(),
    ]
    .iter()
    .map(|file| {
        let mut output = Output::default();
        let input = format!("{{\"bytes\":\"hex:{}\"}}", assets::hex(file));
        assert!(assets::asset_sniff::PORT.run(input.as_bytes(), &mut output).is_ok());
        String::from_utf8_lossy(&output.json).split('"').nth(3).unwrap_or_default().to_owned()
    })
    .collect();
    assert_eq!(kinds, ["idx", "aud", "shp_td", "fnt", "vqa", "xcc_database", "save", "ini", "unknown"]);
}

#[test]
fn a_font_with_a_spoilt_map_is_decoded_or_refused() {
    let font = unicode_font();
    let decoder: Decoder = (&assets::fnt_decode::PORT, r#","code":65"#, "bytes", font.clone());
    assert!(run(&decoder, &font));
    for at in (4..28).chain([28, 28 + 2 * 65, 28 + 2 * 65_535 + 1, font.len() - 1]) {
        for value in [0, 1, 2, 0x7F, 0xFF] {
            let mut spoilt = font.clone();
            spoilt[at] = value;
            run(&decoder, &spoilt);
        }
    }
    assert!(!run(&decoder, &font[..font.len() - 1]), "a slot that is cut");
    for at in [28, 28 + 2 * 65_535] {
        let mut spoilt = font.clone();
        spoilt[at] = 1;
        assert!(run(&decoder, &spoilt), "a second character of the slot");
        spoilt[at] = 2;
        assert!(!run(&decoder, &spoilt), "a character of slot 2 of one");
    }
}

/// Runs a port on bytes in memory, which JSON would be too long for.
fn refusal<B>(decoded: Result<B, PortError>) -> Errno {
    decoded.map_or_else(|refused| refused.errno, |_| Errno::Eio)
}

fn inline(bytes: Vec<u8>) -> Bytes {
    Bytes::Inline(bytes.into())
}

#[test]
fn chunks_that_promise_more_than_the_cap_are_refused() {
    // Each chunk repeats one value 64 times from a byte: 64 MiB of samples from about one of file.
    let mut file = vec![0x22, 0x56];
    file.extend(words(&[u32::MAX, u32::MAX]));
    file.extend([0, 1]);
    for _ in 0..700 {
        file.extend(1023_u16.to_le_bytes());
        file.extend(65_472_u16.to_le_bytes());
        file.extend([0xAF, 0xDE, 0, 0]);
        file.extend([0xFF; 1023]);
    }
    let input = AudDecodeInput { game: Game::Td, bytes: inline(file), westwood_clamp: Clamp::Running };
    assert_eq!(refusal(aud_decode(&input)), Errno::Efbig);
}

#[test]
fn what_would_be_longer_than_the_cap_is_refused_before_it_is_made() {
    let large = vec![0; (16 << 20) + 1];
    let nibbles = |bytes| ImaInput { game: Game::Yr, bytes, predictor: 0, index: 0, nibbles: None };
    assert_eq!(refusal(decode_ima_adpcm(&nibbles(inline(large.clone())))), Errno::Efbig);
    let mut index = index();
    index[12 + 20..12 + 24].copy_from_slice(&(large.len() as u32).to_le_bytes());
    let sound = |bag| BagDecodeInput {
        game: Game::Yr,
        index: inline(index.clone()),
        bag,
        name: None,
        entry: Some(0),
    };
    assert_eq!(refusal(bag_decode(&sound(inline(large)))), Errno::Efbig);
    let text = SoundIniInput {
        game: Game::Yr,
        text: None,
        bytes: Some(inline(vec![b'x'; (2 << 20) + 1])),
        list: SoundIniKind::Sounds,
        index: None,
    };
    assert_eq!(refusal(sound_ini_list(&text)), Errno::Efbig);
}

#[test]
fn a_movie_of_more_chunks_than_are_read_is_refused() {
    let mut file = movie();
    file[4..8].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF]);
    file.truncate(62);
    for _ in 0..1 << 18 {
        file.extend(*b"VQFR\0\0\0\0");
    }
    let input = |bytes| VqaHeaderInput { game: Game::Ts, bytes };
    assert!(vqa_header(&input(inline(file.clone()))).is_ok_and(|movie| movie.chunks.len() == 1 << 18));
    file.extend(*b"VQFR\0\0\0\0");
    assert_eq!(refusal(vqa_header(&input(inline(file)))), Errno::Einval);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_byte_string_is_too_much(bytes in prop::collection::vec(any::<u8>(), 0..1200)) {
        for decoder in decoders() {
            run(&decoder, &bytes);
        }
        let sniffed: Decoder = (&assets::asset_sniff::PORT, "", "bytes", Vec::new());
        prop_assert!(run(&sniffed, &bytes), "anything is of some kind");
    }

    #[test]
    fn spoilt_files_are_decoded_or_refused(damage in damage(prop_oneof![any::<u8>(), Just(0), Just(255)])) {
        for decoder in decoders() {
            run(&decoder, &damage.to(decoder.3.clone()));
        }
    }

    #[test]
    fn lying_counts_are_decoded_or_refused(lie in lie()) {
        for decoder in decoders() {
            run(&decoder, &lie.to(decoder.3.clone()));
        }
    }

    /// A sound that decodes has as many samples as its chunks say, but for what the last one leaves open.
    #[test]
    fn samples_are_as_many_as_the_chunks_say(data in prop::collection::vec(any::<u8>(), 1..300), last in -1..=1_i32) {
        let gives = (4 * data.len() as i32 + 2 * last) as u16;
        let file = aud(99, 2, &data, gives);
        let input = format!("{{\"bytes\":\"hex:{}\"}}", assets::hex(&file));
        let mut output = Output::default();
        audio::aud_decode::PORT.run(input.as_bytes(), &mut output).map_err(|error| TestCaseError::fail(error.message))?;
        let samples = 2 * data.len() - usize::from(last < 0);
        prop_assert_eq!(output.attachments[0].bytes.len(), 2 * samples);
    }
}
