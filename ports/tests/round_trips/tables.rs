//! String tables, lists of maps and sounds, settings of random maps, saved games.

use crate::trips::{call, decode};
use assay_fixtures::sounds::bag::{self, Form, Sound};
use assay_fixtures::tables::csf::{self, Label, Table, Text};
use assay_fixtures::tables::lists::{self, Heard, Listed};
use assay_fixtures::tables::save;
use assay_ports::assets::{csf_decode, csf_lookup, hex, pkt_list, randmap_sed, save_inspect};
use assay_ports::audio::sound_ini_list;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

fn label() -> impl Strategy<Value = Label> {
    let extra = prop::option::of(prop::collection::vec(any::<u8>(), 0..10));
    let text = (prop::collection::vec(any::<u16>(), 0..30), extra)
        .prop_map(|(characters, extra)| Text { characters, extra });
    (prop::collection::vec(any::<u8>(), 0..20), prop::collection::vec(text, 0..3))
        .prop_map(|(name, texts)| Label { name, texts })
}

/// One letter a byte.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn string_tables(
        labels in prop::collection::vec(label(), 0..12),
        version in 2..4_u32,
        language in 0..10_u32,
    ) {
        let table = Table { version, language, labels };
        let file = csf::encode(&table).unwrap();
        let (read, output) = decode(&csf_decode::PORT, &file, json!({}));
        prop_assert_eq!(
            (&read["version"], &read["language"], &read["trailing"]),
            (&json!(version), &json!(language), &json!(0))
        );
        let mut first = Vec::new();
        for (number, label) in table.labels.iter().enumerate() {
            let found = &read["labels"][number];
            prop_assert_eq!(&found["name"], &json!(latin(&label.name)));
            prop_assert_eq!(found["strings"].as_array().unwrap().len(), label.texts.len());
            for (text, found) in label.texts.iter().zip(found["strings"].as_array().unwrap()) {
                prop_assert_eq!(&found["text"], &json!(String::from_utf16_lossy(&text.characters)));
                let extra = text.extra.as_ref().map(|extra| json!(latin(extra)));
                prop_assert_eq!(found.get("extra"), extra.as_ref());
            }
            first.extend_from_slice(&label.name);
            first.push(0);
            first.extend(
                label
                    .texts
                    .first()
                    .into_iter()
                    .flat_map(|text| &text.characters)
                    .flat_map(|c| c.to_le_bytes()),
            );
            first.extend([0, 0]);
        }
        prop_assert!(output[0] == first, "broken pairs of characters come back as well");
    }
}

#[test]
fn tables_have_limits() {
    let table = Table { version: 3, language: 0, labels: vec![Label::default(); csf::MOST_LABELS + 1] };
    let limit = "1000001 labels of a string table, at most 1000000 can be written: give less";
    assert_eq!(csf::encode(&table).unwrap_err().to_string(), limit);
    let label = Label { name: Vec::new(), texts: vec![Text::default(); csf::MOST_TEXTS + 1] };
    let limit = "1000001 texts of a string table, at most 1000000 can be written: give less";
    let table = Table { version: 3, language: 0, labels: vec![label] };
    assert_eq!(csf::encode(&table).unwrap_err().to_string(), limit);
    assert_eq!(Label::spoken("A", "é", "s").texts[0].characters, [0xE9]);
}

/// A letter that INI text takes as it is.
fn plain() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_]{1,12}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever the case of the letters that are asked for.
    #[test]
    fn labels_are_found(
        texts in prop::collection::btree_map("[A-Z]{1,8}", "\\PC{0,20}", 1..9),
        pick in any::<prop::sample::Index>(),
    ) {
        let labels: Vec<Label> = texts.iter().map(|(name, text)| Label::spoken(name, text, "s")).collect();
        let file = csf::encode(&Table { version: 3, language: 0, labels }).unwrap();
        let (name, text) = texts.iter().nth(pick.index(texts.len())).unwrap();
        let (found, _) = decode(&csf_lookup::PORT, &file, json!({ "label": name.to_ascii_lowercase() }));
        prop_assert_eq!(
            (&found["text"], &found["extra"], &found["label"]),
            (&json!(text), &json!("s"), &json!(name))
        );
        let (missing, _) = decode(&csf_lookup::PORT, &file, json!({ "label": "no such label" }));
        prop_assert_eq!((&missing["found"], &missing["labels"]), (&json!(false), &json!(texts.len())));
    }

    #[test]
    fn saved_games(title in "\\PC{0,120}") {
        let file = save::encode(&title).unwrap();
        let (read, _) = decode(&save_inspect::PORT, &file, json!({}));
        prop_assert_eq!(&read["title"], &json!(title));
        prop_assert_eq!((&read["small"], &read["streams"][0]["name"]), (&json!(true), &json!(save::STREAM)));
    }

    #[test]
    fn lists_of_maps(
        names in prop::collection::btree_set(plain(), 0..8),
        players in any::<[u8; 2]>(),
        label in plain(),
    ) {
        let maps: Vec<Listed> = names
            .iter()
            .filter(|name| !name.eq_ignore_ascii_case("multimaps"))
            .map(|name| Listed {
                name: name.clone(),
                description: label.clone(),
                players,
                modes: vec!["standard".to_owned(), "duel".to_owned()],
            })
            .collect();
        let distinct: BTreeSet<String> = maps.iter().map(|map| map.name.to_ascii_lowercase()).collect();
        prop_assume!(distinct.len() == maps.len());
        let (read, _) = call(&pkt_list::PORT, &json!({ "bytes": lists::pkt(&maps).unwrap() })).unwrap();
        prop_assert_eq!(
            (&read["count"], &read["missing"], &read["unlisted"]),
            (&json!(maps.len()), &json!([]), &json!([]))
        );
        for (map, read) in maps.iter().zip(read["maps"].as_array().unwrap()) {
            let same = [
                ("name", json!(map.name)),
                ("description", json!(label)),
                ("min_players", json!(players[0])),
                ("max_players", json!(players[1])),
                ("modes", json!(["standard", "duel"])),
                ("cd", json!([0, 1])),
            ];
            prop_assert!(same.iter().all(|(key, value)| read[*key] == *value), "{}", read);
        }
    }

    /// What entries play, and which of it is in no bag.
    #[test]
    fn lists_of_sounds(
        entries in prop::collection::btree_map("[A-Z]{1,9}x", prop::collection::btree_set("[a-z]{1,9}", 1..6), 0..8),
        mark in prop::sample::select(vec!["", "$", "#", "$#"]),
    ) {
        let sections: Vec<_> = entries
            .iter()
            .map(|(name, files)| {
                let files: Vec<String> = files.iter().map(|file| format!("{mark}{file}")).collect();
                (
                    name.clone(),
                    vec![("Sounds".to_owned(), files.join(" ")), ("Volume".to_owned(), "80".to_owned())],
                )
            })
            .collect();
        let kept: BTreeSet<&String> = entries.values().flatten().step_by(2).collect();
        let sound = |name: &&String| Sound {
            name: (*name).clone(),
            rate: 1,
            stereo: false,
            form: Form::Plain,
            samples: vec![0],
        };
        let index = bag::encode(&kept.iter().map(sound).collect::<Vec<_>>()).unwrap().index;
        let arguments = json!({
            "text": lists::heard(Heard::Sounds, &sections).unwrap(),
            "index": format!("hex:{}", hex(&index)),
        });
        let (read, _) = call(&sound_ini_list::PORT, &arguments).unwrap();
        let none = json!([]);
        prop_assert_eq!(
            (&read["listed"], &read["without_section"], &read["unlisted"]),
            (&json!(entries.len()), &none, &none)
        );
        for ((name, files), read) in entries.iter().zip(read["entries"].as_array().unwrap()) {
            prop_assert_eq!((&read["name"], &read["files"]), (&json!(name), &json!(files)));
        }
        let missing: BTreeSet<&String> =
            entries.values().flatten().filter(|file| !kept.contains(file)).collect();
        let found: BTreeSet<String> = serde_json::from_value(read["missing"].clone()).unwrap();
        prop_assert_eq!(found.iter().collect::<BTreeSet<_>>(), missing);
    }

    #[test]
    fn settings(title in "[ -~]{0,20}", seed in 0..65_536_i32, width in 0..4_i32) {
        let text = lists::sed(&title, &[("Seed", seed), ("Width", width)]).unwrap();
        let (read, _) = call(&randmap_sed::PORT, &json!({ "bytes": text })).unwrap();
        prop_assert_eq!(&read["description"], &json!(title));
        let setting = |key: &str| {
            read["settings"].as_array().unwrap().iter().find(|one| one["key"] == key).cloned().unwrap()
        };
        prop_assert_eq!(
            (&setting("Seed")["value"], &setting("Width")["value"]),
            (&json!(seed), &json!(width))
        );
        prop_assert_eq!(&read["out_of_range"], &json!(0));
    }
}

#[test]
fn saved_games_have_a_limit() {
    assert!(save::encode(&"x".repeat(255)).is_ok());
    let limit = "257 16-bit characters of a title and its end, at most 256 can be written: give less";
    assert_eq!(save::encode(&"x".repeat(256)).unwrap_err().to_string(), limit);
}
