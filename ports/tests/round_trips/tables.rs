//! String tables.

use crate::trips::decode;
use assay_fixtures::tables::csf::{self, Label, Table, Text};
use assay_ports::assets::csf_decode;
use proptest::prelude::*;
use serde_json::json;

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
    fn string_tables(labels in prop::collection::vec(label(), 0..12), version in 2..4_u32, language in 0..10_u32) {
        let table = Table { version, language, labels };
        let file = csf::encode(&table).unwrap();
        let (read, output) = decode(&csf_decode::PORT, &file, json!({}));
        prop_assert_eq!((&read["version"], &read["language"], &read["trailing"]), (&json!(version), &json!(language), &json!(0)));
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
            first.extend(label.texts.first().into_iter().flat_map(|text| &text.characters).flat_map(|c| c.to_le_bytes()));
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
    assert_eq!(Label::spoken("A", "é", "s").texts[0].characters, [0xE9]);
}
