//! Bytes to measure with, the same in every run.

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

/// A sprite whose frames are: one key frame in eight, then by turns a delta to it and deltas to the frame before.
pub fn sprite(width: u16, height: u16, count: u16) -> Vec<u8> {
    let size = usize::from(width) * usize::from(height);
    let mut spread = Spread(3);
    let (mut table, mut data): (Vec<[u32; 2]>, Vec<u8>) = (Vec::new(), Vec::new());
    let start = 14 + 8 * (u32::from(count) + 2);
    let (mut key, mut run) = (0, 0);
    for number in 0..u32::from(count) {
        let at = start + data.len() as u32;
        let (format, reference) = match number % 8 {
            0 => {
                key = at;
                data.extend(assay_ports::assets::lcw::compress(
                    &art(size + 64 * number as usize)[64 * number as usize..],
                ));
                (0x80, 0)
            }
            1 | 4 => {
                run = number;
                (0x40, key | 0x80 << 24)
            }
            _ => (0x20, run | 0x48 << 24),
        };
        if format != 0x80 {
            delta(&mut data, size, &mut spread);
        }
        table.push([at | format << 24, reference]);
    }
    table.extend([[start + data.len() as u32, 0], [0, 0]]);
    let mut bytes: Vec<u8> =
        [count, 0, 0, width, height, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.extend(table.iter().flatten().flat_map(|word| word.to_le_bytes()));
    bytes.extend(data);
    bytes
}

/// Changes in a frame: skips, changed bytes and changed runs, as a turning unit has them.
fn delta(data: &mut Vec<u8>, size: usize, spread: &mut Spread) {
    let mut left = size;
    while left > 300 {
        let skip = 1 + spread.next() as u8 % 127;
        data.push(0x80 | skip);
        let count = 1 + spread.next() as u8 % 40;
        if count % 3 == 0 {
            data.extend([0, count, spread.next() as u8 | 1]);
        } else {
            data.push(count);
            data.extend((0..count).map(|_| spread.next() as u8));
        }
        left -= usize::from(skip) + usize::from(count);
    }
    data.extend([0x80, 0, 0]);
}
