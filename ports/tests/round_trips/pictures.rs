//! Sprites of both layouts.

use crate::trips::{decode, repetitive};
use assay_fixtures::pictures::shp_td::{self, Form};
use assay_fixtures::pictures::shp_ts::{self, Frame, Kind, Sprite};
use assay_ports::assets::{shp_td_decode, shp_ts_decode};
use proptest::prelude::*;
use serde_json::json;

/// Frames of any size on a canvas that holds them, with pixels that have runs.
fn frame() -> impl Strategy<Value = Frame> {
    let kind = prop_oneof![
        Just(Kind::Plain),
        Just(Kind::PlainClear),
        Just(Kind::Rows),
        Just(Kind::Smallest),
        (0..9_u8).prop_map(Kind::Packed)
    ];
    (0..40_u16, 0..30_u16, 0..50_i16, 0..50_i16, any::<[u8; 3]>(), kind, repetitive(1200)).prop_map(
        |(width, height, x, y, colour, kind, pixels)| {
            let size = usize::from(width) * usize::from(height);
            let pixels = pixels.into_iter().chain(std::iter::repeat(0)).take(size).collect();
            Frame { x, y, width, height, pixels, colour, kind }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn sprites(frames in prop::collection::vec(frame(), 0..8)) {
        let sprite = Sprite { width: 100, height: 90, frames };
        let file = shp_ts::encode(&sprite).unwrap();
        let (shown, output) = decode(&shp_ts_decode::PORT, &file, json!({}));
        let mut wanted: Vec<u8> = Vec::new();
        for (number, frame) in sprite.frames.iter().enumerate() {
            wanted.extend(frame.width.to_le_bytes());
            wanted.extend(frame.height.to_le_bytes());
            wanted.extend(&frame.pixels);
            let read = &shown["layout"]["frames"][number];
            prop_assert_eq!(
                (&read["x"], &read["y"], &read["colour"]),
                (&json!(frame.x), &json!(frame.y), &json!(frame.colour))
            );
            prop_assert_eq!(&shown["frames"][number]["unread"], &json!(0));
        }
        prop_assert!(output[0] == wanted);
        let layout = &shown["layout"];
        prop_assert_eq!(
            (&layout["width"], &layout["height"], &layout["count"]),
            (&json!(100), &json!(90), &json!(sprite.frames.len()))
        );
        prop_assert_eq!(
            (&layout["outside"], &layout["overlapping"], &layout["trailing"]),
            (&json!(0), &json!(0), &json!(0))
        );
    }

    /// What a crop leaves out is clear, and it goes back to its place.
    #[test]
    fn crops(width in 1..30_u16, pixels in repetitive(600)) {
        let rows = pixels.len() / usize::from(width);
        let pixels = &pixels[..rows * usize::from(width)];
        let frame = Frame::cropped(width, pixels).unwrap();
        let mut canvas = vec![0; pixels.len()];
        for (number, row) in frame.pixels.chunks(usize::from(frame.width).max(1)).enumerate() {
            let at = (frame.y as usize + number) * usize::from(width) + frame.x as usize;
            canvas[at..at + row.len()].copy_from_slice(row);
        }
        prop_assert_eq!(canvas, pixels);
    }

    #[test]
    fn old_sprites(
        width in 0..20_u16,
        height in 0..20_u16,
        pictures in prop::collection::vec(repetitive(400), 0..8),
        forms in prop::collection::vec(0..3_u8, 8),
    ) {
        let size = usize::from(width) * usize::from(height);
        let pictures: Vec<Vec<u8>> = pictures
            .into_iter()
            .map(|pixels| pixels.into_iter().chain(std::iter::repeat(7)).take(size).collect())
            .collect();
        let mut before = Form::Key;
        let frames: Vec<(Form, &[u8])> = pictures
            .iter()
            .zip(&forms)
            .enumerate()
            .map(|(number, (pixels, form))| {
                before = match form {
                    0 => Form::Key,
                    _ if number == 0 => Form::Key,
                    1 => Form::AgainstKey,
                    _ if before == Form::Key => Form::AgainstKey,
                    _ => Form::AgainstPrevious,
                };
                (before, pixels.as_slice())
            })
            .collect();
        let file = shp_td::encode(width, height, &frames).unwrap();
        let (shown, output) = decode(&shp_td_decode::PORT, &file, json!({}));
        prop_assert!(output[0] == pictures.concat());
        prop_assert_eq!((&shown["end_matches"], &shown["end"]), (&json!(true), &json!(file.len())));
        let read = shown["frames"].as_array().unwrap();
        prop_assert_eq!(read.len(), frames.len());
        for (number, (frame, (form, _))) in read.iter().zip(&frames).enumerate() {
            let formats = match form {
                Form::Key => (0x80, 0),
                Form::AgainstKey => (0x40, 0x80),
                Form::AgainstPrevious => (0x20, 0x48),
            };
            prop_assert_eq!(
                (&frame["format"], &frame["reference_format"]),
                (&json!(formats.0), &json!(formats.1))
            );
            let end = read.get(number + 1).map_or(file.len() as u64, |next| next["offset"].as_u64().unwrap());
            prop_assert_eq!(frame["offset"].as_u64().unwrap() + frame["consumed"].as_u64().unwrap(), end);
        }
    }
}

/// Kinds 0, 1 and 3: whichever is smallest.
#[test]
fn the_smallest_kind_is_taken() {
    let kinds = [(vec![7; 64], 0), ([vec![0], vec![7; 63]].concat(), 1), (vec![0; 64], 3)];
    let frames = kinds.iter().map(|(pixels, _)| Frame {
        width: 8,
        height: 8,
        pixels: pixels.clone(),
        ..Frame::default()
    });
    let file = shp_ts::encode(&Sprite { width: 8, height: 8, frames: frames.collect() }).unwrap();
    let (shown, _) = decode(&shp_ts_decode::PORT, &file, json!({}));
    for (number, (_, kind)) in kinds.iter().enumerate() {
        assert_eq!(shown["layout"]["frames"][number]["kind"], json!(kind));
    }
}

#[test]
fn sprites_have_limits() {
    let frame = |width, height, pixels| Frame { width, height, pixels, ..Frame::default() };
    let refused = |frames| shp_ts::encode(&Sprite { width: 1, height: 1, frames }).unwrap_err().to_string();
    assert_eq!(
        refused(vec![Frame::default(); 65_536]),
        "65536 frames of a sprite, at most 65535 can be written: give less"
    );
    assert_eq!(refused(vec![frame(2, 2, vec![1; 3])]), "3 pixels of a frame, there have to be 4");
    assert!(refused(vec![frame(32_768, 1, vec![1; 32_768])]).contains("at most 32767"));
    let packed =
        Frame { kind: Kind::Packed(0), ..frame(32_767, 1, [1, 0].repeat(16_384)[..32_767].to_vec()) };
    assert!(shp_ts::encode(&Sprite { width: 1, height: 1, frames: vec![packed] }).is_ok());
    let old = |frames: &[(Form, &[u8])]| shp_td::encode(1, 1, frames).unwrap_err().to_string();
    assert!(old(&[(Form::AgainstKey, &[1])]).contains("no key frame"));
    assert!(
        old(&[(Form::Key, &[1]), (Form::AgainstPrevious, &[1])]).contains("follows one frame of form 40")
    );
    assert!(old(&[(Form::Key, &[1, 2])]).contains("there have to be 1"));
}
