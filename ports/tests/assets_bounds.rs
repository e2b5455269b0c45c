//! Bounds that only a large file reaches: little input that would ask for much work, lists that are shown whole, and films longer
//! than what is read of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use assay_model::{Bytes, Errno, Game, PortError, ReadAt};
use assay_ports::assets::hva_decode::{HvaDecodeInput, hva_decode};
use assay_ports::assets::shp_ts_decode::{Kind2, ShpTsDecode, ShpTsDecodeInput, shp_ts_decode};
use assay_ports::assets::shp_ts_list::{ShpTsListInput, shp_ts_list};
use assay_ports::assets::vqa_header::{VqaHeaderInput, vqa_header};
use assay_ports::assets::vxl_decode::{VxlDecodeInput, vxl_decode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn inline(bytes: Vec<u8>) -> Bytes {
    Bytes::Inline(bytes.into())
}

/// Asserts that a file was refused because it asks for too much.
fn too_much<T>(result: Result<T, PortError>) {
    let error = result.map(|_| ()).unwrap_err();
    assert_eq!((error.errno, error.field.as_str()), (Errno::Efbig, "bytes"));
    assert!(error.message.starts_with("output_overrun: "), "{}", error.message);
}

/// Frames of one pixel that share a row of 32768 bytes: its length, 16382 runs of no pixel, the pixel, a byte that nothing reads.
fn idle_rows(frames: u16) -> Vec<u8> {
    let mut file: Vec<u8> = [0, 1, 1, frames].iter().flat_map(|word: &u16| word.to_le_bytes()).collect();
    let row = 8 + 24 * u32::from(frames);
    for _ in 0..frames {
        let mut header = [0; 24];
        (header[4], header[6], header[8]) = (1, 1, 3);
        header[20..].copy_from_slice(&row.to_le_bytes());
        file.extend(header);
    }
    file.extend(0x8000_u16.to_le_bytes());
    file.extend([0; 2 * 16_382]);
    file.extend([7, 0]);
    file
}

fn sprite(bytes: Vec<u8>) -> Result<ShpTsDecode, PortError> {
    shp_ts_decode(&ShpTsDecodeInput { game: Game::Yr, bytes: inline(bytes), kind2: Kind2::Raw })
}

#[test]
fn rows_of_nothing_that_frames_share_are_counted_for_each() {
    // 2048 rows of 32768 bytes are 64 MiB.
    let shown = sprite(idle_rows(2048)).unwrap();
    assert!(shown.frames.iter().all(|frame| (frame.pixels, frame.clear) == (1, 0)));
    assert_eq!(shown.layout.overlapping, 2047);
    too_much(sprite(idle_rows(2049)));
    too_much(shp_ts_list(&ShpTsListInput { game: Game::Yr, bytes: inline(idle_rows(2049)) }));
}

#[test]
fn the_most_matrices_are_shown() {
    let mut file = vec![0; 24 + 16 * 512 + 48 * 131_072];
    file[16..20].copy_from_slice(&256_u32.to_le_bytes());
    file[20..24].copy_from_slice(&512_u32.to_le_bytes());
    let shown = hva_decode(&HvaDecodeInput { game: Game::Yr, bytes: inline(file) }).unwrap();
    assert_eq!((shown.sections.len(), shown.matrices.len(), shown.trailing), (512, 131_072, 0));
    let last = shown.matrices.last().unwrap();
    assert_eq!((last.frame, last.section), (255, 511));
}

/// A voxel file of one column, two high, whose body holds nothing but spans of nothing.
fn idle_spans(spans: usize) -> Vec<u8> {
    let body = 8 + 3 * spans;
    let mut file = b"Voxel Animation\0".to_vec();
    for word in [0, 1, 1, body as u32] {
        file.extend(u32::to_le_bytes(word));
    }
    file.resize(file.len() + 28 + body, 0);
    let mut tail = [0; 92];
    tail[4] = 4;
    tail[8] = 8;
    tail[88..].copy_from_slice(&[1, 1, 2, 4]);
    file.extend(tail);
    file
}

#[test]
fn spans_of_nothing_end_with_the_body_or_with_the_cap() {
    let decode = |spans| {
        vxl_decode(&VxlDecodeInput { game: Game::Yr, bytes: inline(idle_spans(spans)), strict: false })
    };
    // Sixteen bytes a span: 4194304 are the most.
    let cut = decode(4_194_304).map(|_| ()).unwrap_err();
    assert!(cut.message.starts_with("truncated: "), "{}", cut.message);
    too_much(decode(4_194_305));
}

/// A film in pieces; what lies between them is never to be read.
struct Film {
    length: u64,
    pieces: Vec<(u64, Vec<u8>)>,
    read: AtomicU64,
}

impl ReadAt for Film {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        let piece = self.pieces.iter().find(|(at, piece)| (*at..at + piece.len() as u64).contains(&offset));
        let (at, piece) = piece.unwrap();
        buffer.copy_from_slice(&piece[(offset - at) as usize..][..buffer.len()]);
        Ok(buffer.len())
    }
}

/// A film of a chunk of 3 GiB and a list of `frames` frames behind it, which all begin at 2.
fn long_film(frames: u32) -> Film {
    let (pictures, list) = (3_u32 << 30, 4 * frames);
    let behind = 70 + u64::from(pictures);
    let length = behind + 8 + u64::from(list);
    let mut head = b"FORM".to_vec();
    head.extend((length as u32 - 8).to_be_bytes());
    head.extend(b"WVQAVQHD\0\0\0\x2A");
    head.resize(62, 0);
    (head[26], head[30]) = (4, 4);
    head.extend(b"VQFR");
    head.extend(pictures.to_be_bytes());
    let mut index = b"FINF".to_vec();
    index.extend(list.to_be_bytes());
    (0..frames).for_each(|_| index.extend([1, 0, 0, 0]));
    Film { length, pieces: vec![(0, head), (behind, index)], read: AtomicU64::new(0) }
}

#[test]
fn a_film_of_gigabytes_is_walked_over() {
    // 40000 words are more than one piece of the list.
    let film = Arc::new(long_film(40_000));
    let input = VqaHeaderInput { game: Game::Ts, bytes: Bytes::Reader(Arc::<Film>::clone(&film)) };
    let shown = vqa_header(&input).unwrap();
    assert_eq!(shown.chunks.iter().map(|chunk| chunk.size).collect::<Vec<_>>(), [3 << 30, 160_000]);
    assert_eq!((shown.indexed, shown.outside, shown.trailing), (40_000, 0, 0));
    assert!(shown.form_matches);
    assert_eq!(shown.frame_offsets, [2; 64]);
    assert_eq!(film.read.load(Ordering::Relaxed), 62 + 8 + 8 + 160_000);
}
