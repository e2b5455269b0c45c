//! MIX archives of every layout.

use crate::trips::{call, decode};
use assay_fixtures::archives::mix::{self, KEY, Options};
use assay_fixtures::archives::name::{Name, Rule};
use assay_fixtures::archives::xcc;
use assay_ports::assets::mix_id::{IdRule, id_of};
use assay_ports::assets::{hex, mix_checksum, mix_key, mix_list, mix_retrieve, xcc_global_db, xcc_local_db};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Files with different names.
fn files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    prop::collection::btree_map(
        "[a-z0-9 ]{1,12}\\.[a-z]{3}",
        prop::collection::vec(any::<u8>(), 0..200),
        1..20,
    )
}

fn options() -> impl Strategy<Value = Options> {
    let key =
        prop::option::of(prop::collection::vec(any::<u8>(), KEY).prop_map(|key| key.try_into().unwrap()));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, key, 0..5_u32, prop::option::of(0..16_u32)).prop_map(
        |((flagged, classic, checksum, sorted), key, alignment, database)| Options {
            flagged,
            rule: if classic || !flagged { Rule::Classic } else { Rule::Ts },
            checksum: checksum && flagged,
            key: key.filter(|_| flagged),
            sorted,
            alignment: 1 << alignment,
            database,
        },
    )
}

/// Lists the archive, and takes every file out by name and by id.
fn whole(files: &BTreeMap<String, Vec<u8>>, options: &Options) -> Result<Value, TestCaseError> {
    let given: Vec<(Name<'_>, &[u8])> =
        files.iter().map(|(name, bytes)| (Name::Text(name), bytes.as_slice())).collect();
    let archive = mix::encode(&given, options).unwrap();
    let (list, _) = decode(&mix_list::PORT, &archive, json!({ "strict": true }));
    let count = files.len() + usize::from(options.database.is_some());
    prop_assert_eq!(&list["count"], &json!(count));
    prop_assert_eq!(&list["trailing"], &json!(0));
    prop_assert_eq!(&list["encrypted"], &json!(options.key.is_some()));
    prop_assert!(list["alignment"].as_u64().unwrap() >= options.alignment as u64);
    prop_assert!(!options.sorted || list["sorted_signed"] == true);
    let rule = if options.rule == Rule::Ts { "ts" } else { "classic" };
    for (name, bytes) in files {
        let (found, output) = decode(&mix_retrieve::PORT, &archive, json!({ "name": name }));
        prop_assert_eq!(&output[0], bytes);
        prop_assert_eq!(&found["rule"], &json!(rule));
        let (by_id, output) = decode(&mix_retrieve::PORT, &archive, json!({ "id": found["id"] }));
        prop_assert_eq!(&output[0], bytes);
        prop_assert_eq!(&by_id["position"], &found["position"]);
    }
    if let Some(game) = options.database {
        let (_, output) = decode(&mix_retrieve::PORT, &archive, json!({ "name": xcc::LOCAL }));
        let (names, _) = decode(&xcc_local_db::PORT, &output[0], json!({}));
        let wanted: Vec<&str> = files.keys().map(String::as_str).chain([xcc::LOCAL]).collect();
        prop_assert_eq!((&names["names"], &names["game_code"]), (&json!(wanted), &json!(game)));
    }
    let (digest, _) = decode(&mix_checksum::PORT, &archive, json!({}));
    prop_assert_eq!(digest["has_checksum"].as_bool(), Some(options.checksum));
    prop_assert!(!options.checksum || digest["match"] == true);
    Ok(list)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn archives(files in files(), options in options()) {
        // Two names of one id are possible and no fault of anybody's.
        let rule = if options.rule == Rule::Ts { IdRule::Ts } else { IdRule::Classic };
        let mut ids: Vec<u32> = files.keys().map(|name| id_of(name.as_bytes(), rule).unwrap().1).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assume!(ids.len() == files.len());
        whole(&files, &options)?;
    }

    #[test]
    fn ids(name in "[ -~]{0,40}") {
        for (ours, theirs) in [(Rule::Classic, IdRule::Classic), (Rule::Ts, IdRule::Ts)] {
            prop_assert_eq!(Name::Text(&name).id(ours).unwrap(), id_of(name.as_bytes(), theirs).unwrap().1);
        }
    }

    #[test]
    fn keys(key in prop::collection::vec(any::<u8>(), KEY)) {
        let key: [u8; KEY] = key.try_into().unwrap();
        let source = format!("hex:{}", hex(&mix::key_source(&key)));
        let (found, _) = call(&mix_key::PORT, &json!({ "source": source })).unwrap();
        prop_assert_eq!(&found["key_hex"], &json!(hex(&key)));
    }

    #[test]
    fn name_databases(
        lists in prop::array::uniform4(prop::collection::vec(("[ -~]{1,20}", "[ -~]{0,20}"), 0..9)),
    ) {
        let borrowed: Vec<Vec<(&str, &str)>> =
            lists.iter().map(|list| list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()).collect();
        let database = xcc::global(&[&borrowed[0], &borrowed[1], &borrowed[2], &borrowed[3]]).unwrap();
        let (found, output) = decode(&xcc_global_db::PORT, &database, json!({}));
        let names: Vec<&str> = lists.iter().flatten().map(|(name, _)| name.as_str()).collect();
        prop_assert_eq!(&output[0], &names.join("\n").into_bytes());
        prop_assert_eq!(&found["trailing"], &json!(0));
        let counts: Vec<usize> = lists.iter().map(Vec::len).collect();
        let read: Vec<&Value> =
            found["lists"].as_array().unwrap().iter().map(|list| &list["count"]).collect();
        prop_assert_eq!(json!(read), json!(counts));
    }
}
