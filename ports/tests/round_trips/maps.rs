//! Packed sections of maps, and the text around them.

use crate::trips::call;
use assay_fixtures::maps::objects::{self, Crew, Object, Role};
use assay_fixtures::maps::pack::{self, Codec, Overlay, Tile};
use assay_fixtures::maps::text::{self, Map, Tube};
use assay_model::Port;
use assay_ports::assets::{map_digest, map_isomappack, map_objects, map_overlay, map_preview, map_tubes};
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

fn object() -> impl Strategy<Value = Object> {
    let crew = || {
        ("[A-Z][a-z]{1,8}", any::<u16>(), any::<i32>()).prop_map(|(mission, veterancy, group)| Crew {
            mission,
            veterancy,
            group,
        })
    };
    let structure = (any::<[bool; 3]>(), any::<u8>(), prop::collection::vec("[A-Z]{1,6}", 0..=3))
        .prop_map(|(switches, spotlight, upgrades)| Role::Structure { switches, spotlight, upgrades });
    let role = prop_oneof![
        (crew(), any::<u8>(), any::<bool>())
            .prop_map(|(crew, place, high)| Role::Infantry(crew, place, high)),
        (crew(), any::<bool>(), any::<i32>())
            .prop_map(|(crew, high, follows)| Role::Unit(crew, high, follows)),
        crew().prop_map(Role::Aircraft),
        structure,
    ];
    (["[A-Z]{1,9}", "[A-Z]{1,9}", "[0-9]{1,8}"], 0..=256_u16, (0..512_u16, 0..512_u16), any::<u8>(), role)
        .prop_map(|([owner, kind, tag], health, cell, facing, role)| Object {
            owner,
            kind,
            health,
            cell,
            facing,
            tag,
            role,
        })
}

/// The section of an object, and what a reader says of it, but for its key.
fn listed(object: &Object) -> (&'static str, Value) {
    let mut wanted = json!({
        "owner": object.owner, "type": object.kind, "health": object.health, "x": object.cell.0,
        "y": object.cell.1, "facing": object.facing, "tag": object.tag, "rest": ["1", "0"],
    });
    let (section, more) = match &object.role {
        Role::Infantry(crew, place, high) => {
            ("infantry", json!({ "crew": crew_of(crew), "sub_cell": place, "high": u8::from(*high) }))
        }
        Role::Unit(crew, high, follows) => {
            ("units", json!({ "crew": crew_of(crew), "high": u8::from(*high), "follows": follows }))
        }
        Role::Aircraft(crew) => ("aircraft", json!({ "crew": crew_of(crew) })),
        Role::Structure { switches, spotlight, upgrades } => {
            let [sell, rebuild, powered] = switches.map(u8::from);
            let mut types = upgrades.clone();
            types.resize(3, "None".to_owned());
            let all = json!({ "sell": sell, "rebuild": rebuild, "powered": powered, "upgrades": upgrades.len(),
                "spotlight": spotlight, "upgrade_types": types });
            ("structures", all)
        }
    };
    for (key, value) in more.as_object().unwrap() {
        if key == "crew" {
            wanted.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        } else {
            wanted[key] = value.clone();
        }
    }
    (section, wanted)
}

fn crew_of(crew: &Crew) -> Value {
    json!({ "mission": crew.mission, "veterancy": crew.veterancy, "group": crew.group })
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
            (&json!(ended), &json!(0), &json!(if ended { 4 } else { 0 }))
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

    #[test]
    fn objects_of_every_sort(objects in prop::collection::vec(object(), 0..12)) {
        let sections = objects::sections(&objects).unwrap();
        let text: String = sections.iter().map(|(name, lines)| text::ini(name, lines).unwrap()).collect();
        let (map, _) = read(&map_objects::PORT, &text);
        prop_assert_eq!((&map["total"], &map["faults"]), (&json!(objects.len()), &json!([])));
        for name in ["infantry", "units", "aircraft", "structures"] {
            let wanted: Vec<Value> = objects
                .iter()
                .map(listed)
                .filter(|(section, _)| *section == name)
                .map(|(_, object)| object)
                .collect();
            let mut found = map[name].clone();
            for (number, object) in found.as_array_mut().unwrap().iter_mut().enumerate() {
                prop_assert_eq!(object["key"].take(), json!(number.to_string()));
                object.as_object_mut().unwrap().remove("key");
            }
            prop_assert_eq!(&found, &json!(wanted));
        }
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
    let aircraft = Object {
        owner: "A".to_owned(),
        kind: "B".to_owned(),
        health: 256,
        cell: (511, 0),
        facing: 0,
        tag: "None".to_owned(),
        role: Role::Aircraft(Crew { mission: "Guard".to_owned(), veterancy: 0, group: -1 }),
    };
    let wrong = |object: Object| objects::sections(&[object]).unwrap_err().to_string();
    assert!(objects::sections(std::slice::from_ref(&aircraft)).is_ok());
    assert!(wrong(Object { health: 257, ..aircraft.clone() }).contains("at most 256"));
    assert!(wrong(Object { cell: (0, 512), ..aircraft.clone() }).contains("at most 511"));
    for owner in ["", " ", "a,b"] {
        assert!(
            wrong(Object { owner: owner.to_owned(), ..aircraft.clone() }).contains("would move"),
            "{owner:?}"
        );
    }
    let upgrades = vec!["U".to_owned(); 4];
    let role = Role::Structure { switches: [true; 3], spotlight: 0, upgrades };
    assert!(wrong(Object { role, ..aircraft }).contains("at most 3"));
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
