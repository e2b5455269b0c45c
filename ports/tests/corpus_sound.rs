//! Real sounds, sprites, fonts, lookups, movies and name databases against their known digests, when the environment variable
//! `ASSAY_CORPUS` names their folder.

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
use assay_ports::assets::fnt_decode::{FntDecodeInput, fnt_decode};
use assay_ports::assets::vpl_shade::{VplShadeInput, vpl_shade};
use assay_ports::audio::bag_decode::{BagDecodeInput, bag_decode};
use assay_ports::audio::idx_list::{IdxListInput, idx_list};
use assay_ports::audio::{aud_decode, idx_list};
use corpus::{folder, rows, sha1};
use std::fs;
use std::path::Path;

/// A file, its port, and stages with the figures that the list has of them.
type Figures<'a> = (&'a str, &'a dyn Port, &'a [(&'a str, i64)]);

fn bytes(file: &Path) -> Bytes {
    Bytes::Inline(fs::read(file).unwrap().into())
}

/// What a port says of a file, and its attachment.
fn run(port: &dyn Port, file: &Path) -> (serde_json::Value, Vec<u8>) {
    let (said, mut output) = corpus::run(port, &fs::read(file).unwrap(), "").unwrap();
    (said, output.attachments.pop().map(|attachment| attachment.bytes).unwrap_or_default())
}

/// The samples of every sound of a bag, in the order of its index.
fn bag(index: &Path) -> Vec<u8> {
    let (index_bytes, bag) = (bytes(index), bytes(&index.with_extension("bag")));
    let list =
        idx_list(&IdxListInput { game: Game::Yr, bytes: index_bytes.clone(), bag_size: None }).unwrap();
    let sound = |entry| {
        let (index, bag) = (index_bytes.clone(), bag.clone());
        bag_decode(&BagDecodeInput { game: Game::Yr, index, bag, name: None, entry: Some(entry) })
            .unwrap()
            .data
    };
    (0..list.count).flat_map(sound).collect()
}

/// Compression 1 is listed by its own eight bits, which a sample has above its low ones.
fn aud(file: &Path) -> Vec<u8> {
    let (said, pcm) = run(&aud_decode::PORT, file);
    if said["bits"] == 16 {
        return pcm;
    }
    pcm.chunks_exact(2).map(|sample| sample[1] ^ 0x80).collect()
}

/// The names of a bag as they are digested.
fn names(file: &Path) -> Vec<u8> {
    let (said, _) = run(&idx_list::PORT, file);
    let names = said["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap());
    names.flat_map(|name| format!("{}\n", name.to_lowercase()).into_bytes()).collect()
}

/// How the bytes come out of a file that a row digests.
type Listed = fn(&Path) -> Vec<u8>;

/// The capabilities whose rows are compared.
const LISTED: [(&str, Listed); 9] = [
    ("aud_decode", aud),
    ("bag_decode", bag),
    ("idx_list", names),
    ("fnt_decode", |file| run(&assets::fnt_decode::PORT, file).1),
    ("shp_td_decode", |file| run(&assets::shp_td_decode::PORT, file).1),
    ("vpl_decode", |file| run(&assets::vpl_decode::PORT, file).1),
    ("vqa_header", |file| run(&assets::vqa_header::PORT, file).1),
    ("xcc_local_db", |file| run(&assets::xcc_local_db::PORT, file).1),
    ("xcc_global_db", |file| run(&assets::xcc_global_db::PORT, file).1),
];

#[test]
fn real_files_have_their_digests() {
    let Some(folder) = folder() else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for row in rows(&folder, &LISTED.map(|(capability, _)| capability)) {
        let (_, listed) = LISTED.iter().find(|(capability, _)| *capability == row.capability).unwrap();
        let found = sha1(&listed(&folder.join(&row.file)));
        if found == row.sha1 {
            right += 1;
        } else {
            wrong.push(format!("{} {}: {found}, not {}", row.file, row.capability, row.sha1));
        }
    }
    println!("{right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty() && right > 0, "{right} right; {}", wrong.join("\n"));
}

#[test]
fn real_files_say_what_is_printed_of_them() {
    let Some(folder) = folder() else { return };
    let figures: &[Figures<'_>] = &[
        ("aud/nuyell7.aud", &aud_decode::PORT, &[("/rate", 22050), ("/chunks", 10), ("/pcm/samples", 18625)]),
        (
            "aud/grenade1.aud",
            &aud_decode::PORT,
            &[("/compression", 99), ("/chunks", 4), ("/pcm/samples", 3504)],
        ),
        ("aud/sealc4tick2.aud", &aud_decode::PORT, &[("/flags", 2), ("/chunks", 1), ("/pcm/samples", 501)]),
        (
            "idx_bag/audio01.idx",
            &idx_list::PORT,
            &[("/version", 2), ("/count", 86), ("/entries/0/flags", 12)],
        ),
        (
            "shp_td/windmill.shp",
            &assets::shp_td_decode::PORT,
            &[("/width", 60), ("/height", 60), ("/count", 16)],
        ),
        (
            "fnt/kia6pt.fnt",
            &assets::fnt_decode::PORT,
            &[("/glyphs", 256), ("/cell_width", 6), ("/cell_height", 9)],
        ),
        (
            "fnt/game.fnt",
            &assets::fnt_decode::PORT,
            &[("/glyphs", 29951), ("/mapped", 34342), ("/slot_bytes", 49)],
        ),
        (
            "vpl/test.vpl",
            &assets::vpl_decode::PORT,
            &[("/remap_first", 16), ("/remap_last", 31), ("/pages", 32)],
        ),
        (
            "vqa/VINIFERA.VQA",
            &assets::vqa_header::PORT,
            &[("/version", 3), ("/flags", 0x15), ("/frames", 240)],
        ),
        (
            "vqa/VINIFERA.VQA",
            &assets::vqa_header::PORT,
            &[("/width", 640), ("/max_blocks", 4000), ("/rate", 22050)],
        ),
        ("xccdb/local_mix_database.dat", &assets::xcc_local_db::PORT, &[("/size", 13871), ("/count", 1107)]),
        (
            "xccdb/global_mix_database.dat",
            &assets::xcc_global_db::PORT,
            &[("/lists/0/count", 2070), ("/trailing", 0)],
        ),
        ("xccdb/global_mix_database.dat", &assets::xcc_global_db::PORT, &[("/lists/3/count", 14386)]),
    ];
    for (file, port, stages) in figures {
        let (said, _) = run(*port, &folder.join(file));
        for (stage, wanted) in *stages {
            assert_eq!(
                said.pointer(stage).and_then(serde_json::Value::as_i64),
                Some(*wanted),
                "{file} {stage}"
            );
        }
    }
    assert_eq!(bag(&folder.join("idx_bag/audio01.idx")).len(), 2 * 2_716_407);
}

/// Rows of a glyph as they are printed: a dot where it is clear.
fn picture(folder: &Path, font: &str, code: u16) -> Vec<String> {
    let input =
        FntDecodeInput { game: Game::Yr, bytes: bytes(&folder.join("fnt").join(font)), code: Some(code) };
    let rows = fnt_decode(&input).unwrap().glyph.unwrap().rows;
    let dot =
        |colour: &u8| if *colour == 0 { '.' } else { char::from_digit(u32::from(*colour), 16).unwrap() };
    rows.iter().map(|row| row.iter().map(dot).collect()).collect()
}

#[test]
fn real_glyphs_and_shades_are_as_printed() {
    let Some(folder) = folder() else { return };
    assert_eq!(picture(&folder, "5pntthin.fnt", 65), [".1..", "1.1.", "111.", "1.1.", "1.1."]);
    let eight = picture(&folder, "8point.fnt", 65);
    assert_eq!((eight.len(), eight[0].as_str()), (9, "..333.."));
    let unicode: Vec<_> =
        picture(&folder, "game.fnt", 65).into_iter().filter(|row| row.contains('1')).collect();
    assert_eq!(unicode[..3], ["..111..", "..111..", ".11.11."]);
    assert_eq!(unicode[6..], ["1111111", "11...11", "11...11"]);
    for (level, colour, wanted) in [
        (0, 0, 11),
        (0, 1, 198),
        (0, 16, 23),
        (0, 31, 31),
        (0, 255, 255),
        (8, 16, 16),
        (8, 100, 100),
        (31, 0, 10),
        (31, 31, 26),
        (31, 100, 15),
    ] {
        let bytes = bytes(&folder.join("vpl/test.vpl"));
        let shade = vpl_shade(&VplShadeInput { game: Game::Yr, bytes, level, colour }).unwrap();
        assert_eq!(shade.result, wanted, "page {level}, colour {colour}");
    }
}
