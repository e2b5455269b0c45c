//! Palettes, tiles, models, pictures, fonts and films.

use crate::trips::{Given, decode, repetitive};
use assay_fixtures::pictures::fnt::{self, Glyph, Layout, Slot};
use assay_fixtures::pictures::pal::{self, Colour};
use assay_fixtures::pictures::pcx::{self, Pixels};
use assay_fixtures::pictures::tmp::{self, Cell, Extra, Template};
use assay_fixtures::pictures::voxel::{self, IDENTITY, Limb};
use assay_fixtures::pictures::vqa::{self, Film};
use assay_model::Port;
use assay_ports::assets::{
    fnt_decode, hva_decode, pal_decode, pcx_decode, tmp_ts_decode, vpl_decode, vpl_shade, vqa_header,
    vxl_decode,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn read(port: &dyn Port, bytes: &[u8]) -> Given {
    decode(port, bytes, json!({}))
}

/// Bytes of that number.
fn bytes(count: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), count)
}

fn colours(most: u8) -> impl Strategy<Value = [Colour; 256]> {
    prop::collection::vec(prop::array::uniform3(0..=most), 256)
        .prop_map(|colours| colours.try_into().unwrap())
}

/// A cell of a diamond of 8 rows, or none.
fn cell() -> impl Strategy<Value = Option<Cell>> {
    let extra =
        (0..9_u32, 1..9_u32, -90..90, -90..90, any::<bool>()).prop_flat_map(|(width, height, x, y, deep)| {
            let size = (width * height) as usize;
            (bytes(size), bytes(size)).prop_map(move |(pixels, depth)| Extra {
                x,
                y,
                width,
                height,
                pixels,
                depth: deep.then_some(depth),
            })
        });
    let head = (any::<[u8; 3]>(), any::<[[u8; 3]; 2]>(), any::<bool>());
    let cell = (head, bytes(64), prop::option::of(bytes(64)), prop::option::of(extra)).prop_map(
        |(([level, land, ramp], radar, damaged), pixels, depth, mut extra)| {
            if let Some(extra) = extra.as_mut().filter(|_| depth.is_none()) {
                extra.depth = None;
            }
            Cell { level, land, ramp, radar, pixels, depth, extra, damaged }
        },
    );
    prop::option::of(cell)
}

fn limb() -> impl Strategy<Value = Limb> {
    let size = prop::array::uniform3(1..7_u8);
    (size, "[a-z]{0,16}", 1..5_u8, prop::array::uniform12(-9_f32..9.0)).prop_flat_map(
        |(size, name, normals, transform)| {
            let [wide, deep, high] = size;
            let place = (0..wide, 0..deep, 0..high).prop_map(|(x, y, z)| [x, y, z]);
            prop::collection::btree_map(place, any::<[u8; 2]>(), 0..60).prop_map(move |voxels| Limb {
                name: name.clone(),
                size,
                scale: 0.25,
                transform,
                bounds: [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]],
                normals,
                voxels,
            })
        },
    )
}

/// The voxels of a limb as they come out: columns of a row one after the other, from below.
fn listed(limb: &Limb) -> Vec<u8> {
    let mut voxels: Vec<_> =
        limb.voxels.iter().map(|([x, y, z], [colour, normal])| [*y, *x, *z, *colour, *normal]).collect();
    voxels.sort_unstable();
    voxels.into_iter().flat_map(|[y, x, z, colour, normal]| [x, y, z, colour, normal]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn palettes(
        colours in colours(63),
        ramp in any::<[u8; 2]>(),
        pages in prop::collection::vec(bytes(256), 1..5),
        colour in any::<u8>(),
    ) {
        let (palette, output) = read(&pal_decode::PORT, &pal::encode(&colours).unwrap());
        let shifted: Vec<u8> = colours.as_flattened().iter().map(|value| value << 2).collect();
        prop_assert_eq!(&output[0], &shifted);
        prop_assert_eq!(&palette["over_range"], &json!(0));
        let pages: Vec<[u8; 256]> = pages.into_iter().map(|page| page.try_into().unwrap()).collect();
        let (shades, output) = read(&vpl_decode::PORT, &pal::shades(ramp, &colours, &pages).unwrap());
        prop_assert_eq!(&output[0], pages.as_flattened());
        prop_assert_eq!((&shades["remap_first"], &shades["remap_last"]), (&json!(ramp[0]), &json!(ramp[1])));
        let file = pal::shades(ramp, &colours, &pages).unwrap();
        for (level, page) in pages.iter().enumerate() {
            let (shade, _) = decode(&vpl_shade::PORT, &file, json!({ "level": level, "colour": colour }));
            prop_assert_eq!(&shade["result"], &json!(page[usize::from(colour)]));
            prop_assert_eq!(&shade["remapped"], &json!((ramp[0]..=ramp[1]).contains(&colour)));
        }
    }

    #[test]
    fn pictures(width in 1..50_u16, pixels in repetitive(2500), palette in colours(255)) {
        let height = (pixels.len() / usize::from(width)) as u16;
        prop_assume!(height > 0);
        let pixels = &pixels[..usize::from(width) * usize::from(height)];
        let (shown, output) =
            read(&pcx_decode::PORT, &pcx::encode(width, height, Pixels::Indexed(pixels, &palette)).unwrap());
        prop_assert_eq!(&output[0], pixels);
        prop_assert_eq!(&output[1], palette.as_flattened());
        prop_assert_eq!(
            (&shown["unread"], &shown["width"], &shown["height"]),
            (&json!(0), &json!(width), &json!(height))
        );
        let colours: Vec<Colour> = pixels.iter().map(|pixel| palette[usize::from(*pixel)]).collect();
        let (shown, output) =
            read(&pcx_decode::PORT, &pcx::encode(width, height, Pixels::Colours(&colours)).unwrap());
        prop_assert_eq!(&output[0], colours.as_flattened());
        prop_assert_eq!(&shown["unread"], &json!(0));
    }

    #[test]
    fn templates(columns in 1..4_u32, cells in prop::collection::vec(cell(), 1..9)) {
        let rows = (cells.len() as u32).div_ceil(columns);
        let mut cells = cells;
        cells.resize((rows * columns) as usize, None);
        let template = Template { columns, rows, side: 8, cells };
        let (shown, output) = read(&tmp_ts_decode::PORT, &tmp::encode(&template).unwrap());
        let mut wanted = Vec::new();
        for cell in &template.cells {
            wanted.push(u8::from(cell.is_some()));
            let Some(cell) = cell else { continue };
            let extra = cell.extra.as_ref();
            let parts = [
                Some(&cell.pixels),
                cell.depth.as_ref(),
                extra.map(|extra| &extra.pixels),
                extra.and_then(|extra| extra.depth.as_ref()),
            ];
            parts.into_iter().flatten().for_each(|part| wanted.extend(part));
        }
        prop_assert!(output[0] == wanted, "{}", shown);
        let there = template.cells.iter().flatten();
        for (read, cell) in shown["cells"].as_array().unwrap().iter().zip(there) {
            prop_assert_eq!(&read["at_place"], &json!(true));
            let same = [
                ("level", json!(cell.level)),
                ("land", json!(cell.land)),
                ("ramp", json!(cell.ramp)),
                ("radar_left", json!(cell.radar[0])),
                ("radar_right", json!(cell.radar[1])),
            ];
            prop_assert!(same.iter().all(|(key, value)| read[*key] == *value), "{}", read);
            if let Some(extra) = &cell.extra {
                let place = ["x", "y", "w", "h"].map(|key| read["extra"][key].as_i64().unwrap());
                let wanted: [i64; 4] =
                    [extra.x.into(), extra.y.into(), extra.width.into(), extra.height.into()];
                prop_assert_eq!(place, wanted);
            }
        }
    }

    #[test]
    fn models(limbs in prop::collection::vec(limb(), 1..4), palette in colours(255)) {
        let (shown, output) = decode(
            &vxl_decode::PORT,
            &voxel::vxl([16, 31], &palette, &limbs).unwrap(),
            json!({ "strict": true }),
        );
        prop_assert_eq!(&output[0], &limbs.iter().flat_map(listed).collect::<Vec<u8>>());
        for (limb, read) in limbs.iter().zip(shown["limbs"].as_array().unwrap()) {
            prop_assert_eq!(&read["voxels"], &json!(limb.voxels.len()));
            prop_assert_eq!((&read["wrong_repeats"], &read["wrong_ends"]), (&json!(0), &json!(0)));
        }
        for (limb, read) in limbs.iter().zip(shown["layout"]["limbs"].as_array().unwrap()) {
            prop_assert_eq!((&read["name"], &read["size"]), (&json!(limb.name), &json!(limb.size)));
        }
    }

    #[test]
    fn movements(
        names in prop::collection::vec("[a-z ]{0,16}", 1..5),
        values in prop::collection::vec(prop::array::uniform12(any::<f32>()), 1..12),
    ) {
        let sections: Vec<&str> = names.iter().map(String::as_str).collect();
        let frames: Vec<Vec<voxel::Matrix>> =
            values.chunks_exact(sections.len()).map(<[_]>::to_vec).collect();
        prop_assume!(!frames.is_empty());
        let (shown, output) = read(&hva_decode::PORT, &voxel::hva("made", &sections, &frames).unwrap());
        let wanted: Vec<u8> =
            frames.iter().flatten().flatten().flat_map(|value| value.to_le_bytes()).collect();
        prop_assert_eq!(&output[0], &wanted);
        prop_assert_eq!(
            (&shown["sections"], &shown["trailing"], &shown["source"]),
            (&json!(sections), &json!(0), &json!("made"))
        );
    }

    #[test]
    fn fonts(
        glyphs in prop::collection::vec((0..12_u8, 0..9_u8, 0..5_u8, bytes(108)), 1..40),
        stride in 1..4_u8,
        letters in prop::collection::btree_map(any::<u16>(), (any::<u8>(), bytes(15)), 1..9),
    ) {
        let glyphs: Vec<Glyph> = glyphs
            .into_iter()
            .map(|(width, rows, top, pixels)| {
                let rows = if width == 0 { 0 } else { rows };
                let pixels =
                    pixels[..usize::from(width) * usize::from(rows)].iter().map(|pixel| pixel & 15).collect();
                Glyph { width, top, pixels }
            })
            .collect();
        let wanted: Vec<u8> = glyphs
            .iter()
            .flat_map(|glyph| {
                let rows = glyph.pixels.len().checked_div(glyph.width.into()).unwrap_or(0) as u8;
                [&[glyph.width, glyph.top, rows][..], &glyph.pixels].concat()
            })
            .collect();
        for layout in [Layout::Td, Layout::Ts] {
            let (shown, output) = read(&fnt_decode::PORT, &fnt::old(layout, [12, 14], &glyphs).unwrap());
            prop_assert_eq!(&output[0], &wanted);
            prop_assert_eq!(
                (&shown["glyphs"], &shown["cell_height"], &shown["trailing"]),
                (&json!(glyphs.len()), &json!(12), &json!(0))
            );
        }
        let rows = 15 / stride;
        let slots: Vec<Slot> = letters
            .iter()
            .map(|(letter, (width, bits))| Slot {
                characters: vec![*letter],
                width: *width,
                rows: bits[..usize::from(stride * rows)].to_vec(),
            })
            .collect();
        let (shown, output) = read(&fnt_decode::PORT, &fnt::unicode(stride, rows, 16, &slots).unwrap());
        let wanted: Vec<u8> =
            slots.iter().flat_map(|slot| [&[slot.width][..], &slot.rows].concat()).collect();
        prop_assert_eq!(&output[0], &wanted);
        prop_assert_eq!((&shown["mapped"], &shown["slot_fits"]), (&json!(slots.len()), &json!(true)));
    }

    #[test]
    fn films(
        frames in prop::collection::vec(repetitive(60), 0..9),
        sizes in any::<[u16; 4]>(),
        rate in any::<u8>(),
    ) {
        let film = Film {
            version: 2,
            flags: 1,
            width: sizes[0] & 0xFFFC,
            height: sizes[1],
            block: [4, 2],
            rate,
            parts: 8,
            colours: sizes[2],
            blocks: sizes[3],
            sound_rate: 22_050,
            channels: 2,
            bits: 16,
        };
        let borrowed: Vec<&[u8]> = frames.iter().map(Vec::as_slice).collect();
        let (shown, _) = read(&vqa_header::PORT, &vqa::encode(&film, &borrowed).unwrap());
        let same = [
            ("version", 2),
            ("frames", frames.len()),
            ("width", film.width.into()),
            ("height", film.height.into()),
            ("fps", rate.into()),
            ("colours", film.colours.into()),
            ("max_blocks", film.blocks.into()),
            ("rate", 22_050),
            ("channels", 2),
            ("bits", 16),
            ("trailing", 0),
            ("outside", 0),
        ];
        prop_assert!(same.iter().all(|(key, value)| shown[*key] == json!(value)), "{}", shown);
        prop_assert_eq!(&shown["form_matches"], &json!(true));
        let chunks = shown["chunks"].as_array().unwrap().iter().filter(|chunk| chunk["id"] == "VQFR");
        let (places, sizes): (Vec<&Value>, Vec<&Value>) =
            chunks.map(|chunk| (&chunk["offset"], &chunk["size"])).unzip();
        prop_assert_eq!(json!(places), shown["frame_offsets"].clone());
        prop_assert_eq!(json!(sizes), json!(frames.iter().map(Vec::len).collect::<Vec<_>>()));
    }
}

#[test]
fn art_has_limits() {
    let palette = [[0_u8; 3]; 256];
    let refused = |made: Result<Vec<u8>, assay_fixtures::Error>| made.unwrap_err().to_string();
    let mut bright = palette;
    bright[255][2] = 64;
    assert_eq!(
        refused(pal::encode(&bright)),
        "64 as a value of a palette, at most 63 can be written: give less"
    );
    assert!(refused(pal::shades([0, 0], &palette, &[])).contains("there is none"));
    assert!(pal::shades([0, 0], &palette, &[[0; 256]; 129]).is_err());
    assert!(refused(pcx::encode(0, 1, Pixels::Colours(&[]))).contains("1 at least"));
    assert!(refused(pcx::encode(2, 1, Pixels::Colours(&[[0; 3]]))).contains("there have to be 2"));
    let template =
        |columns, rows, side, cell| tmp::encode(&Template { columns, rows, side, cells: vec![cell] });
    assert!(template(1, 1, 8, None).is_ok());
    for wrong in [
        template(1, 0, 8, None),
        template(1, 2, 8, None),
        template(1, 1, 7, None),
        template(4097, 1, 8, None),
    ] {
        refused(wrong);
    }
    let high = Extra { width: 1, height: 4097, pixels: vec![0; 4097], ..Extra::default() };
    let cell = Cell { pixels: vec![0; 64], extra: Some(high), ..Cell::default() };
    assert!(refused(template(1, 1, 8, Some(cell))).contains("at most 4096"));
    let deep = Extra { width: 1, height: 1, pixels: vec![0], depth: Some(vec![0]), ..Extra::default() };
    let cell = Cell { pixels: vec![0; 64], extra: Some(deep), ..Cell::default() };
    assert!(refused(template(1, 1, 8, Some(cell))).contains("one flag stands for both"));
    let limb = Limb {
        name: "a name of 17 byte".to_owned(),
        size: [1; 3],
        scale: 1.0,
        transform: IDENTITY,
        bounds: [[0.0; 3]; 2],
        normals: 4,
        voxels: BTreeMap::new(),
    };
    let model = |limb: Limb| refused(voxel::vxl([0, 0], &palette, &[limb]));
    assert!(model(limb.clone()).contains("at most 16"));
    let named = Limb { name: String::new(), ..limb };
    for wrong in [
        Limb { size: [1, 0, 1], ..named.clone() },
        Limb { normals: 5, ..named.clone() },
        Limb { voxels: [([0, 1, 0], [1, 1])].into(), ..named },
    ] {
        assert!(model(wrong).contains("beyond its size"));
    }
    refused(voxel::vxl([0, 0], &palette, &[]));
    refused(voxel::hva("", &["a"], &[]));
    assert!(refused(voxel::hva("", &["a"], &[vec![]])).contains("there have to be 1"));
    let glyph = Glyph { width: 255, top: 0, pixels: vec![16; 255 * 255] };
    assert!(refused(fnt::old(Layout::Td, [1, 1], std::slice::from_ref(&glyph))).contains("at most 15"));
    assert!(refused(fnt::old(Layout::Ts, [1, 1], &[glyph.clone(), glyph])).contains("bytes of a font"));
    assert!(fnt::old(Layout::Ts, [1, 1], &vec![Glyph::default(); 257]).is_err());
    assert!(vqa::encode(&Film { width: 6, block: [4, 2], ..Film::default() }, &[]).is_err());
}

/// The model that other readers read alike: two columns of three voxels in all.
#[test]
fn spans_are_those_of_real_models() {
    let voxels = [([0, 0, 0], [10, 1]), ([0, 0, 1], [11, 2]), ([1, 0, 1], [12, 3])].into();
    let limb = Limb {
        name: String::new(),
        size: [2, 1, 3],
        scale: 1.0,
        transform: IDENTITY,
        bounds: [[0.0; 3]; 2],
        normals: 4,
        voxels,
    };
    let file = voxel::vxl([16, 31], &[[0; 3]; 256], &[limb]).unwrap();
    let body = "000000000a000000090000001100000000020a010b020201000001010c0301010000";
    assert_eq!(assay_ports::assets::hex(&file[830..864]), body);
}
