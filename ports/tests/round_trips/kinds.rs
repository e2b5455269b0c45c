//! Made files are told by their bytes alone, as far as their formats have a mark or a layout.

use crate::trips::decode;
use assay_ports::assets::asset_sniff;
use serde_json::json;

#[test]
fn made_files_are_of_their_kinds() {
    let kinds = [
        ("unittem.pal", "pal"),
        ("disc.shp", "shp_ts"),
        ("disc-td.shp", "shp_td"),
        ("clear01.tem", "tmp_ts"),
        ("clear01.sno", "tmp_ts"),
        ("cube.vxl", "vxl"),
        ("ramp.pcx", "pcx"),
        ("colours.pcx", "pcx"),
        ("game.fnt", "fnt"),
        ("movie.vqa", "vqa"),
        ("hello.aud", "aud"),
        ("duet.aud", "aud"),
        ("old.aud", "aud"),
        ("audio.idx", "idx"),
        ("made.csf", "csf"),
        ("rules.ini", "ini"),
        ("SAVE01.SAV", "save"),
        ("ra2.mix", "mix"),
        ("locked.mix", "mix"),
        ("classic.mix", "mix"),
        ("local mix database.dat", "xcc_database"),
    ];
    let files = assay_fixtures::all().unwrap();
    for (name, kind) in kinds {
        let (_, bytes) = files.iter().find(|(file, _)| file == name).unwrap();
        let (sniffed, _) = decode(&asset_sniff::PORT, bytes, json!({}));
        assert_eq!(sniffed["kind"], json!(kind), "{name}");
    }
}
