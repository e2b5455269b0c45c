//! Packed sections of maps, and the text around them.

use crate::trips::call;
use assay_fixtures::maps::pack::{self, Codec, Overlay, Tile};
use assay_fixtures::maps::text::{self, Map, Tube};
use assay_model::Port;
use assay_ports::assets::{map_digest, map_isomappack, map_overlay, map_preview, map_tubes};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn read(port: &dyn Port, text: &str) -> (Value, Vec<Vec<u8>>) {
    call(port, &json!({ "bytes": text })).unwrap_or_else(|why| panic!("{}: {why}", port.meta().name))
}

fn tile() -> impl Strategy<Value = Tile> {
    (1..512_u16, 0..512_u16, any::<i32>(), any::<[u8; 3]>())
        .prop_map(|(x, y, tile, [sub, level, ice])| Tile { x, y, tile, sub, level, ice })
}

fn overlays() -> impl Strategy<Value = BTreeMap<(u16, u16), (u8, u8)>> {
    prop::collection::btree_map((0..512_u16, 0..512_u16), (0..255_u8, any::<u8>()), 0..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn terrain(tiles in prop::collection::vec(tile(), 0..2000), ended in any::<bool>()) {
        let bytes = pack::terrain(&tiles, ended);
        let section = pack::section("IsoMapPack5", &bytes, Codec::Lzo).unwrap();
        let (map, output) = read(&map_isomappack::PORT, &format!("[Map]\nSize=0,0,200,200\n{section}"));
        prop_assert_eq!(&output[0], &bytes);
        prop_assert_eq!(
            (&map["ended"], &map["trailing"], &map["tail"]),
            (&json!(ended), &json!(0), &json!(0))
        );
        let found = map["tiles"].as_array().unwrap();
        prop_assert_eq!(found.len(), tiles.len());
        for (found, tile) in found.iter().zip(&tiles) {
            let same = [
                ("x", i64::from(tile.x)),
                ("y", i64::from(tile.y)),
                ("tile", i64::from(tile.tile)),
                ("sub", i64::from(tile.sub)),
                ("level", i64::from(tile.level)),
                ("ice", i64::from(tile.ice)),
            ];
            prop_assert!(same.iter().all(|(key, value)| found[*key] == json!(value)), "{}", found);
        }
    }

    #[test]
    fn overlays_on_cells(cells in overlays()) {
        let list: Vec<Overlay> = cells
            .iter()
            .map(|((y, x), (number, data))| Overlay { x: *x, y: *y, number: *number, data: *data })
            .collect();
        let (numbers, data) = pack::planes(&list).unwrap();
        let packs = [("OverlayPack", &numbers), ("OverlayDataPack", &data)]
            .map(|(name, plane)| pack::section(name, plane, Codec::Lcw).unwrap());
        let (map, output) = read(&map_overlay::PORT, &format!("[Map]\nSize=0,0,200,200\n{}", packs.concat()));
        prop_assert!(output[0] == numbers && output[1] == data);
        let found = map["cells"].as_array().unwrap();
        prop_assert_eq!(found.len(), list.len());
        for (found, cell) in found.iter().zip(&list) {
            let same =
                [("x", cell.x), ("y", cell.y), ("overlay", cell.number.into()), ("data", cell.data.into())];
            prop_assert!(same.iter().all(|(key, value)| found[*key] == json!(value)), "{}", found);
        }
    }

    #[test]
    fn previews(
        width in 1..60_u16,
        height in 1..60_u16,
        noise in prop::collection::vec(any::<u8>(), 1..400),
    ) {
        let rgb: Vec<u8> =
            noise.into_iter().cycle().take(3 * usize::from(width) * usize::from(height)).collect();
        let (map, output) = read(&map_preview::PORT, &pack::preview(width, height, &rgb).unwrap());
        prop_assert_eq!(&output[0], &rgb);
        prop_assert_eq!((&map["width"], &map["height"]), (&json!(width), &json!(height)));
    }

    /// All of it in one file, and the digest over the rest.
    #[test]
    fn whole_maps(
        tiles in prop::collection::vec(tile(), 0..50),
        cells in overlays(),
        steps in prop::collection::vec(0..8_u8, 1..40),
    ) {
        let overlays: Vec<Overlay> = cells
            .iter()
            .map(|((y, x), (number, data))| Overlay { x: *x, y: *y, number: *number, data: *data })
            .collect();
        let tubes = vec![Tube { entry: (200, 200), facing: steps[0], steps: steps.clone() }];
        let sections = vec![("Waypoints".to_owned(), text::pairs(&[("0", "50001"), ("98", "1050")]))];
        let map = Map {
            width: 60,
            height: 50,
            theater: "SNOW".to_owned(),
            tiles,
            ended: true,
            overlays,
            preview: Some((2, 1, vec![1, 2, 3, 4, 5, 6])),
            tubes,
            sections,
            digest: true,
        };
        let text = text::encode(&map).unwrap();
        prop_assert_eq!(&read(&map_digest::PORT, &text).0["form"], &json!("crlf"));
        prop_assert_eq!(&read(&map_isomappack::PORT, &text).0["records"], &json!(map.tiles.len()));
        prop_assert_eq!(&read(&map_overlay::PORT, &text).0["used"], &json!(map.overlays.len()));
        prop_assert_eq!(&read(&map_preview::PORT, &text).1[0], &[1, 2, 3, 4, 5, 6]);
        let tubes = read(&map_tubes::PORT, &text).0;
        prop_assert_eq!(&tubes["tubes"][0]["walk_ok"], &json!(true), "{}", tubes);
    }
}

#[test]
fn maps_have_limits() {
    let refused = |map: &Map| text::encode(map).unwrap_err().to_string();
    let limit = "513 cells of width and height, at most 512 can be written: give less";
    assert_eq!(refused(&Map { width: 500, height: 13, ..Map::default() }), limit);
    let overlay = Overlay { x: 512, ..Overlay::default() };
    assert!(refused(&Map { overlays: vec![overlay], ..Map::default() }).contains("at most 511"));
    assert!(pack::preview(2, 1, &[0; 5]).unwrap_err().to_string().contains("there have to be 6"));
    assert!(pack::chunks(&vec![0; pack::MOST + 1], Codec::Lzo).is_err());
    let tube = |facing, steps| Map { tubes: vec![Tube { entry: (1, 1), facing, steps }], ..Map::default() };
    assert!(text::encode(&tube(7, vec![2; 99])).is_ok());
    for (facing, steps) in [(8, vec![2]), (0, vec![8]), (0, vec![7, 7]), (0, vec![2; 100])] {
        refused(&tube(facing, steps));
    }
    for (name, key, value) in [
        ("a]", "k", "v"),
        ("a", "k=", "v"),
        ("a", "k", "v;"),
        ("a", "k", "v\n"),
        ("a", " k", "v"),
        ("a", "[k", "v"),
    ] {
        assert!(text::ini(name, &text::pairs(&[(key, value)])).is_err(), "{name} {key} {value}");
    }
}
