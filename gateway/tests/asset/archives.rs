//! Small files of the games' formats.

use assay_fixtures::archives::mix::{self, Options};
use assay_fixtures::archives::name::{Name, Rule};
use assay_fixtures::pictures::pal;
use assay_fixtures::pictures::shp_ts::{self, Frame, Kind, Sprite};
use assay_fixtures::pictures::tmp::{self, Cell, Template};

/// An archive with flags and nothing else; files lie in the order in which games look for them.
pub fn mix(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut files: Vec<_> = files.iter().map(|(name, bytes)| (Name::Text(name), *bytes)).collect();
    files.sort_by_key(|(name, _)| name.id(Rule::Ts).unwrap().cast_signed());
    mix::encode(&files, &Options::flagged()).unwrap()
}

/// A palette whose colours are (n, 0, 63 - n), for the low six bits n of an index.
pub fn palette() -> Vec<u8> {
    pal::encode(&std::array::from_fn(|index| [index as u8 & 63, 0, 63 - (index as u8 & 63)])).unwrap()
}

/// A sprite of one frame of 2 by 1 pixels at (1, 0) on a canvas of 3 by 1.
pub fn sprite() -> Vec<u8> {
    let pixels = vec![5, 6];
    let frame = Frame { x: 1, width: 2, height: 1, pixels, kind: Kind::PlainClear, ..Frame::default() };
    shp_ts::encode(&Sprite { width: 3, height: 1, frames: vec![frame] }).unwrap()
}

/// A template of one place with a flat diamond of 48 by 24 pixels, none of them clear.
pub fn template() -> Vec<u8> {
    let cell = Cell { pixels: vec![7; 48 * 24 / 2], ..Cell::default() };
    tmp::encode(&Template { columns: 1, rows: 1, side: 24, cells: vec![Some(cell)] }).unwrap()
}
