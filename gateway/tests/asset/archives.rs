//! Small files of the games' formats, made by hand.

use assay_ports::assets::mix_id::{IdRule, id_of};

/// An archive with flags and nothing else, its entries in the order in which games look for them.
pub fn mix(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut entries: Vec<(u32, &[u8])> =
        files.iter().map(|(name, bytes)| (id_of(name.as_bytes(), IdRule::Ts).unwrap().1, *bytes)).collect();
    entries.sort_by_key(|(id, _)| *id as i32);
    let body: Vec<u8> = entries.iter().flat_map(|(_, bytes)| bytes.to_vec()).collect();
    let mut file = vec![0; 4];
    file.extend((entries.len() as u16).to_le_bytes());
    file.extend((body.len() as u32).to_le_bytes());
    let mut offset = 0_u32;
    for (id, bytes) in entries {
        for word in [id, offset, bytes.len() as u32] {
            file.extend(word.to_le_bytes());
        }
        offset += bytes.len() as u32;
    }
    file.extend(body);
    file
}

/// A palette whose colours are (n, 0, 63 - n), for the low six bits n of an index.
pub fn palette() -> Vec<u8> {
    (0..=u8::MAX).flat_map(|index| [index & 63, 0, 63 - (index & 63)]).collect()
}

/// A sprite of one frame of 2 by 1 pixels at (1, 0) on a canvas of 3 by 1.
pub fn sprite() -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0_u16, 3, 1, 1, 1, 0, 2, 1] {
        file.extend(word.to_le_bytes());
    }
    // Kind, colour on the radar, what nobody reads, and where the pixels begin.
    file.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(32_u32.to_le_bytes());
    file.extend([5, 6]);
    file
}

/// A template of one place with a flat diamond of 48 by 24 pixels, none of them clear.
pub fn template() -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    // The grid, the diamond's sides, and where the one cell begins.
    let mut file = words(&[1, 1, 48, 24, 20]);
    // Place, sections that are not there, sides of the extra picture, flags; then level, land, ramp, colours.
    file.extend(words(&[0; 10]));
    file.extend([0; 12]);
    file.extend([7; 48 * 24 / 2]);
    file
}
