//! Bytes to measure with, the same in every run.

use assay_fixtures::pictures::shp_td::{self, Form};

/// A generator of no quality whatever, which is enough to spread bytes.
struct Spread(u64);

impl Spread {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
}

/// What drawn art looks like to a codec: runs of nothing, shaded rows, and rows much like the one before.
pub fn art(length: usize) -> Vec<u8> {
    let (mut spread, mut bytes) = (Spread(1), Vec::with_capacity(length + 512));
    while bytes.len() < length {
        match spread.next() % 4 {
            0 => bytes.extend(std::iter::repeat_n(0, 16 + spread.next() as usize % 90)),
            1 => {
                let shade = (spread.next() % 200) as u8;
                bytes.extend((0..24).map(|step| shade + step / 3));
            }
            2 => bytes.extend((0..8).map(|_| (spread.next() % 256) as u8)),
            _ => {
                let from = bytes.len().saturating_sub(120);
                let row: Vec<u8> = bytes[from..].to_vec();
                bytes.extend(row);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

/// What no codec makes smaller.
pub fn noise(length: usize) -> Vec<u8> {
    let mut spread = Spread(7);
    (0..length).map(|_| spread.next() as u8).collect()
}

/// An archive in the layout of TS and later: a byte a file. Ids rise as the games' search wants it, or are scattered.
pub fn archive(count: u16, rising: bool) -> Vec<u8> {
    let mut ids: Vec<i32> = (0..u32::from(count)).map(|at| at.wrapping_mul(2_654_435_761) as i32).collect();
    if rising {
        ids.sort_unstable();
    }
    let mut bytes = vec![0, 0, 0, 0];
    bytes.extend(count.to_le_bytes());
    bytes.extend(u32::from(count).to_le_bytes());
    for (at, id) in ids.into_iter().enumerate() {
        for word in [id as u32, at as u32, 1] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes.resize(bytes.len() + usize::from(count), 1);
    bytes
}

/// A sprite of TD whose frames are: one key frame in eight, then by turns a change of it and changes of the frame before.
pub fn sprite(width: u16, height: u16, count: u16) -> Vec<u8> {
    let size = usize::from(width) * usize::from(height);
    let mut spread = Spread(3);
    let mut frames: Vec<(Form, Vec<u8>)> = Vec::new();
    for number in 0..usize::from(count) {
        let start = 64 * number;
        let frame = match number % 8 {
            0 => (Form::Key, art(start + size)[start..].to_vec()),
            at => {
                let (form, back) =
                    if at == 1 || at == 4 { (Form::AgainstKey, at) } else { (Form::AgainstPrevious, 1) };
                (form, turned(&frames[number - back].1, &mut spread))
            }
        };
        frames.push(frame);
    }
    let frames: Vec<(Form, &[u8])> = frames.iter().map(|(form, pixels)| (*form, pixels.as_slice())).collect();
    shp_td::encode(width, height, &frames).expect("a sprite within the limits")
}

/// A frame with changed bytes and changed runs between what stays, as a turning unit has them.
fn turned(frame: &[u8], spread: &mut Spread) -> Vec<u8> {
    let (mut turned, mut at) = (frame.to_vec(), 0);
    while at + 300 < turned.len() {
        at += 1 + spread.next() as usize % 127;
        let count = 1 + spread.next() as usize % 40;
        let flip = spread.next() as u8 | 1;
        for byte in &mut turned[at..at + count] {
            *byte ^= if count % 3 == 0 { flip } else { spread.next() as u8 };
        }
        at += count;
    }
    turned
}
