//! The search for a file name: its order holds whoever has the name.

use assay_ports::assets::inspect_file_search::{FileSearchInput, Kept, Place, inspect_file_search};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// The 106 archives in the order of mounting.
fn archives() -> Vec<String> {
    let mut names: Vec<String> = (0..100).rev().map(|slot| format!("EXPANDMD{slot:02}.MIX")).collect();
    names.extend(["RA2MD", "RA2", "CACHEMD", "CACHE", "LOCALMD", "LOCAL"].map(|stem| format!("{stem}.MIX")));
    names
}

fn kept() -> impl Strategy<Value = Option<Kept>> {
    option::weighted(0.2, prop_oneof![Just(Kept::Present), Just(Kept::Absent)])
}

proptest! {
    /// Every place that has the name answers, or comes later; those before the answer have nothing; and the order is one.
    #[test]
    fn the_first_place_in_order_answers(
        cached in kept(),
        open_file in prop::bool::weighted(0.2),
        loose: bool,
        mounted in vec(any::<bool>(), 106),
        holding in vec(prop::bool::weighted(0.05), 106),
        turn: bool,
    ) {
        let all = archives();
        let pick = |wanted: &[bool]| -> Vec<String> {
            all.iter().zip(wanted).filter(|(_, wanted)| **wanted).map(|(name, _)| name.clone()).collect()
        };
        let holding: Vec<bool> = holding.iter().zip(&mounted).map(|(holds, there)| *holds && *there).collect();
        let (mut holders, mut there) = (pick(&holding), pick(&mounted));
        let mut whole = vec!["cache".to_owned(), "open_file".to_owned()];
        whole.extend(there.iter().cloned());
        whole.push("loose".to_owned());
        let mut having: Vec<String> = holders.clone();
        having.extend(cached.map(|_| "cache".to_owned()));
        having.extend(open_file.then(|| "open_file".to_owned()));
        having.extend(loose.then(|| "loose".to_owned()));
        if turn {
            holders.reverse();
            there.reverse();
        }
        let input = FileSearchInput {
            game: assay_model::Game::Yr,
            name: "rules.ini".to_owned(),
            cached,
            open_file,
            archives: holders,
            mounted: Some(there),
            loose,
        };
        let search = inspect_file_search(&input).unwrap();
        let rank = search.rank as usize;
        prop_assert_eq!(&search.tried[..], &whole[..rank]);
        let later: Vec<String> = whole[rank..].iter().filter(|place| having.contains(place)).cloned().collect();
        prop_assert_eq!(&search.not_asked, &later);
        let (last, before) = search.tried.split_last().unwrap();
        prop_assert!(before.iter().all(|place| !having.contains(place)));
        prop_assert_eq!(search.answered_by == Place::Nowhere, !having.contains(last));
        prop_assert_eq!(search.exists, search.answered_by != Place::Nowhere && cached != Some(Kept::Absent));
        prop_assert_eq!(search.archive.is_some(), search.answered_by == Place::Archive);
    }

    /// Any text as a name or an archive gives a breakdown or a refusal.
    #[test]
    fn any_text_is_told_or_refused(name in "\\PC{0,300}", archive in "(?i)(expandmd)?[a-z0-9+ü]{0,4}(\\.mix)?") {
        let text = serde_json::json!({"name": name, "archives": [archive]}).to_string();
        let input: FileSearchInput = serde_json::from_str(&text).unwrap();
        if let Ok(search) = inspect_file_search(&input) {
            prop_assert!(name.is_ascii() && !name.is_empty() && name.len() <= 260);
            prop_assert!(archives().contains(search.archive.as_ref().unwrap()));
        }
    }
}
