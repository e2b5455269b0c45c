//! Assay's decoders beside those of others, on the same bytes in one run: `cargo run --release`, from this folder. With a
//! folder of real files that has an `EXPECTED.tsv`, who is right on them: `cargo run --release -- FOLDER`.
//!
//! Measured on two cores on 2026-12-01, as how often our time it takes (and how often ours the floor):
//!
//! | bytes | assay | peer | floor |
//! |---|---|---|---|
//! | LCW, 1 MiB of art | 405 µs, 2.6 GB/s | cnc-formats 1.30 | 25 |
//! | LCW, 1 MiB of noise | 40 µs | cnc-formats 1.00 | 2.4 |
//! | LZO1X, 1 MiB of art | 199 µs, 5.3 GB/s | lzokay 1.98 | 12 |
//! | LZO1X, 1 MiB of noise | 23 µs | lzokay 0.97 | 1.3 |
//! | MIX index of 65,535 entries, ids rising | 158 µs | cnc-formats 1.27, ra2-mix 4.12 | 14 |
//! | the same in no order | 655 µs | cnc-formats 1.41, ra2-mix 1.00 | 58 |
//! | SHP(TD), 48 frames | 9.9 µs; 138 µs with checksums | cnc-formats 1.68 | 6.7 |
//!
//! Every row is the best of many runs over one buffer; the floor is a copy of the bytes that come out. What a peer gives is
//! compared first: a row of a peer that gives something else says so.

mod corpus;
mod made;

use assay_model::{Bytes, Game};
use assay_ports::assets::{lcw, lzo, mix_list, shp_td_decode};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one row is measured.
const PERIOD: Duration = Duration::from_millis(600);

/// The shortest of many runs.
fn best<T>(mut run: impl FnMut() -> T) -> Duration {
    let (started, mut best) = (Instant::now(), Duration::MAX);
    while started.elapsed() < PERIOD {
        let one = Instant::now();
        black_box(run());
        best = best.min(one.elapsed());
    }
    best
}

/// One line of the table: megabytes that come out a second, and how often the time of the first row it takes.
struct Table {
    bytes: usize,
    ours: Option<Duration>,
}

impl Table {
    fn new(title: &str, bytes: usize, stored: usize) -> Self {
        println!("\n{title}: {stored} bytes to {bytes}");
        Self { bytes, ours: None }
    }

    fn row<T>(&mut self, name: &str, right: bool, run: impl FnMut() -> T) {
        let time = best(run);
        let ours = *self.ours.get_or_insert(time);
        let speed = self.bytes as f64 / time.as_secs_f64() / 1e6;
        let ratio = time.as_secs_f64() / ours.as_secs_f64();
        let verdict = if right { "" } else { "  gives other bytes" };
        println!(
            "  {name:<24} {:>10.1} µs {speed:>9.0} MB/s  x{ratio:.2}{verdict}",
            time.as_secs_f64() * 1e6
        );
    }

    fn floor(&mut self, output: &[u8]) {
        self.row("floor: copy", true, || black_box(output).to_vec());
    }
}

fn lcw(name: &str, bytes: &[u8]) {
    let stored = assay_fixtures::codecs::lcw::encode(bytes);
    let mut table = Table::new(&format!("LCW, {name}"), bytes.len(), stored.len());
    let ours = || lcw::decompress(&stored, false, bytes.len()).map(|decoded| decoded.output);
    table.row("assay", ours().is_ok_and(|output| output == bytes), ours);
    let theirs = || cnc_formats::lcw::decompress(&stored, bytes.len());
    table.row("cnc-formats", theirs().is_ok_and(|output| output == bytes), theirs);
    table.floor(bytes);
}

fn lzo(name: &str, bytes: &[u8]) {
    let stored = lzokay::compress::compress(bytes).expect("a buffer in memory");
    let mut table = Table::new(&format!("LZO1X, {name}"), bytes.len(), stored.len());
    let ours = || lzo::decompress(&stored, bytes.len()).map(|decoded| decoded.output);
    table.row("assay", ours().is_ok_and(|output| output == bytes), ours);
    let theirs = || {
        let mut output = vec![0; bytes.len()];
        lzokay::decompress::decompress(&stored, &mut output).map(|_| output)
    };
    table.row("lzokay", theirs().is_ok_and(|output| output == bytes), theirs);
    table.floor(bytes);
}

fn mix(name: &str, count: u16, rising: bool) {
    let archive = made::archive(count, rising);
    let bytes = Bytes::Inline(archive.as_slice().into());
    let input = mix_list::MixListInput { game: Game::Yr, bytes, strict: false };
    let count = usize::from(count);
    let mut table = Table::new(&format!("MIX index of {count} entries, {name}"), 12 * count, archive.len());
    let ours = || mix_list::mix_list(&input);
    table.row("assay", ours().is_ok_and(|list| list.entries.len() == count), ours);
    let theirs = || cnc_formats::mix::MixArchive::parse(&archive);
    table.row("cnc-formats", theirs().is_ok_and(|list| list.file_count() == count), theirs);
    // It takes the files out as well: it has no listing alone.
    let database = ra2_mix::MixDatabase::default();
    let theirs = || ra2_mix::MixPackage::decode(&archive, &database);
    table.row("ra2-mix", theirs().is_ok_and(|package| package.files.len() == count), theirs);
    table.floor(&archive);
}

/// A sprite of TD or RA1: key frames, deltas to them, and deltas to the frame before.
fn sprite() {
    let (width, height, count) = (64, 64, 48);
    let bytes = made::sprite(width, height, count);
    let input = shp_td_decode::ShpTdDecodeInput {
        game: Game::Ra1,
        bytes: Bytes::Inline(bytes.as_slice().into()),
        palette_flag: false,
    };
    let pixels = usize::from(width) * usize::from(height) * usize::from(count);
    let mut table =
        Table::new(&format!("SHP(TD), {count} frames of {width} by {height}"), pixels, bytes.len());
    let ours = || shp_td_decode::shp_td_decode(&input);
    let right = ours().map(|shp| shp.data).unwrap_or_default();
    let alone = || shp_td_decode::pixels(&input);
    table.row("assay", alone().is_ok_and(|shp| shp.data == right), alone);
    table.row("assay, with checksums", right.len() == pixels, ours);
    let theirs = || cnc_formats::shp::ShpFile::parse(&bytes).and_then(|shp| shp.decode_frames());
    table.row("cnc-formats", theirs().is_ok_and(|frames| frames.concat() == right), theirs);
    table.floor(&right);
}

fn main() -> std::io::Result<()> {
    if let Some(folder) = std::env::args_os().nth(1) {
        return corpus::table(folder.as_ref());
    }
    for (name, bytes) in [("art", made::art(1 << 20)), ("noise", made::noise(1 << 20))] {
        lcw(name, &bytes);
        lzo(name, &bytes);
    }
    mix("ids rise, as the games write them", u16::MAX, true);
    mix("ids in no order", u16::MAX, false);
    sprite();
    Ok(())
}
