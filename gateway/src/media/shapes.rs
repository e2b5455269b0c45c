//! From the bytes of a decoder to a picture. Whatever the bytes and the breakdown say, the worst that happens is an error.

use super::canvas::{Canvas, Pixels, Sheet};
use assay_model::Tree;

/// Side of one colour of a swatch, in pixels.
const SWATCH: usize = 16;

/// A whole number of the breakdown.
pub(super) fn number(tree: &Tree, name: &str) -> Option<i64> {
    match tree.get(name) {
        Some(Tree::Int(value)) => Some(*value),
        _ => None,
    }
}

fn side(tree: &Tree, name: &str) -> Result<u32, String> {
    let found = number(tree, name).and_then(|value| u32::try_from(value).ok());
    found.ok_or_else(|| format!("the breakdown has no `{name}`"))
}

fn list<'a>(tree: &'a Tree, name: &str) -> Result<&'a [Tree], String> {
    match tree.get(name) {
        Some(Tree::List(items)) => Ok(items),
        _ => Err(format!("the breakdown has no list `{name}`")),
    }
}

/// Takes `length` bytes off the front.
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Result<&'a [u8], String> {
    let (front, rest) = bytes.split_at_checked(length).ok_or("its bytes end too early")?;
    *bytes = rest;
    Ok(front)
}

/// Sixteen rows of sixteen colours.
pub(super) fn swatch(colours: &[u8]) -> Result<Canvas, String> {
    if colours.len() != 768 {
        return Err(format!("{} bytes are no palette", colours.len()));
    }
    let edge = 16 * SWATCH;
    let index = |pixel: usize| (pixel / edge / SWATCH * 16 + pixel % edge / SWATCH) as u8;
    let pixels: Vec<u8> = (0..edge * edge).map(index).collect();
    Canvas::of(edge as u32, edge as u32, Pixels::Indexed, &pixels)
}

/// A picture whose sides the breakdown has; the number of bytes tells indexes from colours.
pub(super) fn picture(breakdown: &Tree, bytes: &[u8]) -> Result<Canvas, String> {
    let (width, height) = (side(breakdown, "width")?, side(breakdown, "height")?);
    let area = u64::from(width) * u64::from(height);
    let kind = if bytes.len() as u64 == area { Pixels::Indexed } else { Pixels::Rgb };
    Canvas::of(width, height, kind, bytes)
}

/// A contact sheet of frames that have their own sides.
pub(super) fn frames(breakdown: &Tree, mut bytes: &[u8]) -> Result<Canvas, String> {
    let layout = breakdown.get("layout").unwrap_or(breakdown);
    let placed = list(layout, "frames")?;
    let mut sheet = Sheet::new(placed.len(), side(layout, "width")?, side(layout, "height")?)?;
    for (tile, frame) in placed.iter().enumerate() {
        let mut word = || {
            take(&mut bytes, 2)
                .map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
        };
        let (width, height) = (word()?, word()?);
        let empty = frame.get("empty") == Some(&Tree::Bool(true));
        let pixels = take(&mut bytes, if empty { 0 } else { width * height })?;
        let at = |name| number(frame, name).ok_or_else(|| format!("frame {tile} has no `{name}`"));
        sheet.lay(tile, at("x")?, at("y")?, width, pixels);
    }
    Ok(sheet.done())
}

/// A contact sheet of frames that fill the canvas.
pub(super) fn filled(breakdown: &Tree, bytes: &[u8]) -> Result<Canvas, String> {
    let layout = breakdown.get("layout").unwrap_or(breakdown);
    let (width, height) = (side(layout, "width")?, side(layout, "height")?);
    let area = usize::try_from(u64::from(width) * u64::from(height)).unwrap_or(usize::MAX);
    if area == 0 || !bytes.len().is_multiple_of(area) {
        return Err(format!("{} bytes are no frames of {width} by {height}", bytes.len()));
    }
    let mut sheet = Sheet::new(bytes.len() / area, width, height)?;
    for (tile, frame) in bytes.chunks(area).enumerate() {
        sheet.lay(tile, 0, 0, width as usize, frame);
    }
    Ok(sheet.done())
}

/// What one cell of a template lays where.
struct Piece<'a> {
    x: i64,
    y: i64,
    /// Pixels of a row, or `None` for a diamond.
    width: Option<usize>,
    pixels: &'a [u8],
}

/// A template as it stands on the map: each cell where it says, raised by its level.
pub(super) fn cells(breakdown: &Tree, mut bytes: &[u8]) -> Result<Canvas, String> {
    let (wide, high) = (side(breakdown, "cell_width")?, side(breakdown, "cell_height")?);
    let places = u64::from(side(breakdown, "width")?) * u64::from(side(breakdown, "height")?);
    let area = wide as usize * high as usize / 2;
    let mut present = list(breakdown, "cells")?.iter();
    let mut pieces = Vec::new();
    for _ in 0..places {
        if take(&mut bytes, 1)? == [0] {
            continue;
        }
        let cell = present.next().ok_or("it has more cells than its breakdown")?;
        let at = |tree: &Tree, name| number(tree, name).ok_or_else(|| format!("a cell has no `{name}`"));
        let raised = at(cell, "level")? * i64::from(high / 2);
        let pixels = take(&mut bytes, area)?;
        pieces.push(Piece { x: at(cell, "x")?, y: at(cell, "y")? - raised, width: None, pixels });
        if cell.get("depth").is_some() {
            take(&mut bytes, area)?;
        }
        if let Some(extra) = cell.get("extra") {
            let (w, h) = (side(extra, "w")? as usize, side(extra, "h")? as usize);
            let pixels = take(&mut bytes, w * h)?;
            pieces.push(Piece { x: at(extra, "x")?, y: at(extra, "y")? - raised, width: Some(w), pixels });
            if extra.get("depth").is_some() {
                take(&mut bytes, w * h)?;
            }
        }
    }
    assemble(&pieces, i64::from(wide), i64::from(high))
}

/// Lays diamonds, then what goes beyond them, on a canvas that just holds all.
fn assemble(pieces: &[Piece<'_>], wide: i64, high: i64) -> Result<Canvas, String> {
    let ends = |piece: &Piece<'_>| match piece.width {
        None => (wide, high - 1),
        Some(0) => (0, 0),
        Some(width) => (width as i64, (piece.pixels.len() / width) as i64),
    };
    let edges = pieces.iter().map(|piece| {
        let (width, height) = ends(piece);
        (piece.x, piece.y, piece.x + width, piece.y + height)
    });
    let around = edges.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)));
    let (left, top, right, bottom) = around.ok_or("it has no cells")?;
    let side = |length: i64| u32::try_from(length).unwrap_or(u32::MAX);
    let mut canvas = Canvas::new(side(right - left), side(bottom - top), Pixels::Sprite)?;
    for piece in pieces.iter().filter(|piece| piece.width.is_none()) {
        diamond(&mut canvas, piece.x - left, piece.y - top, high, piece.pixels);
    }
    for piece in pieces {
        if let Some(width) = piece.width {
            canvas.lay(piece.x - left, piece.y - top, width, piece.pixels);
        }
    }
    Ok(canvas)
}

/// Rows of 4, 8, … pixels and back, each in the middle.
fn diamond(canvas: &mut Canvas, left: i64, top: i64, high: i64, mut pixels: &[u8]) {
    for row in 0..high - 1 {
        let width = 4 * if row < high / 2 { row + 1 } else { high - 1 - row };
        let Ok(line) = take(&mut pixels, width as usize) else { return };
        canvas.lay(left + high - width / 2, top + row, width as usize, line);
    }
}

/// Each limb from above, from the side and from the front, with the voxel that is nearest.
pub(super) fn voxels(breakdown: &Tree, mut bytes: &[u8]) -> Result<Canvas, String> {
    let layout = breakdown.get("layout").unwrap_or(breakdown);
    let sizes = list(layout, "limbs")?.iter().map(size).collect::<Result<Vec<_>, _>>()?;
    let counts = list(breakdown, "limbs")?.iter().map(|limb| side(limb, "voxels"));
    let counts = counts.collect::<Result<Vec<_>, _>>()?;
    let longest = sizes.iter().flatten().copied().max().unwrap_or(0);
    let mut sheet = Sheet::new(3 * counts.len(), longest.into(), longest.into())?;
    for (limb, (count, [_, y, z])) in counts.iter().zip(sizes).enumerate() {
        // Nearest last: a voxel lies over those that were laid before it.
        let mut found: Vec<&[u8]> = take(&mut bytes, 5 * *count as usize)?.chunks(5).collect();
        let mut view =
            |tile: usize, across: usize, down: usize, height: u8, depth: usize, nearest_high: bool| {
                found.sort_by_key(|voxel| if nearest_high { voxel[depth] } else { u8::MAX - voxel[depth] });
                for voxel in &found {
                    let below = i64::from(height) - 1 - i64::from(voxel[down]);
                    sheet.lay(3 * limb + tile, voxel[across].into(), below, 1, &voxel[3..4]);
                }
            };
        view(0, 0, 1, y, 2, true);
        view(1, 0, 2, z, 1, false);
        view(2, 1, 2, z, 0, true);
    }
    Ok(sheet.done())
}

fn size(limb: &Tree) -> Result<[u8; 3], String> {
    let sides: Vec<u8> = list(limb, "size")?
        .iter()
        .filter_map(|side| match side {
            Tree::Int(side) => u8::try_from(*side).ok(),
            _ => None,
        })
        .collect();
    sides.try_into().map_err(|_| "a limb has no three sides".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(json: &str) -> Tree {
        Tree::from_json(json.as_bytes()).unwrap()
    }

    /// The pixels of a picture that was read back by the decoder of the crate.
    fn seen(canvas: &Canvas) -> (u32, u32, Vec<u8>) {
        let png = canvas.png(None).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info.width, info.height, pixels)
    }

    #[test]
    fn a_diamond_has_its_rows_in_the_middle() {
        // The smallest diamond that has three rows: 8 by 4, in 16 pixels.
        let mut bytes = vec![1];
        bytes.extend(1..=16);
        let breakdown =
            r#"{"width":1,"height":1,"cell_width":8,"cell_height":4,"cells":[{"x":0,"y":0,"level":0}]}"#;
        let (width, height, pixels) = seen(&cells(&tree(breakdown), &bytes).unwrap());
        assert_eq!((width, height), (8, 3));
        assert_eq!(pixels[..8], [0, 0, 1, 2, 3, 4, 0, 0]);
        assert_eq!(pixels[8..16], [5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(pixels[16..], [0, 0, 13, 14, 15, 16, 0, 0]);
        assert!(cells(&tree(breakdown), &bytes[..16]).unwrap_err().contains("too early"));
    }

    #[test]
    fn what_goes_beyond_a_diamond_makes_the_canvas_larger() {
        let mut bytes = vec![0, 1];
        bytes.extend([1; 16]);
        bytes.extend([9, 0]);
        let breakdown = r#"{"width":2,"height":1,"cell_width":8,"cell_height":4,
            "cells":[{"x":4,"y":2,"level":1,"extra":{"x":4,"y":0,"w":1,"h":2}}]}"#;
        let (width, height, pixels) = seen(&cells(&tree(breakdown), &bytes).unwrap());
        assert_eq!((width, height), (8, 5), "the extra begins two pixels above the diamond");
        assert_eq!((pixels[0], pixels[8]), (9, 0));
        assert_eq!(pixels[16..24], [0, 0, 1, 1, 1, 1, 0, 0]);
    }

    #[test]
    fn frames_lie_at_their_places() {
        let breakdown = r#"{"layout":{"width":3,"height":2,"frames":[{"x":1,"y":1,"empty":false},{"x":0,"y":0,"empty":true}]}}"#;
        let bytes = [2, 0, 1, 0, 5, 6, 9, 0, 9, 0];
        let (width, height, pixels) = seen(&frames(&tree(breakdown), &bytes).unwrap());
        assert_eq!((width, height), (7, 2));
        assert_eq!(pixels[7..], [0, 5, 6, 0, 0, 0, 0]);
        assert!(frames(&tree(breakdown), &bytes[..9]).is_err());
    }

    #[test]
    fn voxels_are_seen_from_three_sides() {
        let breakdown = r#"{"layout":{"limbs":[{"size":[2,2,2]}]},"limbs":[{"voxels":2}]}"#;
        // Two voxels in one column: the upper one is seen from above.
        let bytes = [0, 0, 0, 5, 0, 0, 0, 1, 6, 0];
        let (width, height, pixels) = seen(&voxels(&tree(breakdown), &bytes).unwrap());
        assert_eq!((width, height), (5, 5));
        // Above: x to the right, y up.
        assert_eq!((pixels[5], pixels[0]), (6, 0));
        // Side: x to the right, z up.
        assert_eq!((pixels[3], pixels[8]), (6, 5));
        assert!(voxels(&tree(breakdown), &bytes[..9]).is_err());
    }

    #[test]
    fn pictures_have_one_byte_a_pixel_or_three() {
        let breakdown = tree(r#"{"width":2,"height":1}"#);
        assert_eq!(seen(&picture(&breakdown, &[1, 2]).unwrap()), (2, 1, vec![1, 2]));
        assert_eq!(seen(&picture(&breakdown, &[1, 2, 3, 4, 5, 6]).unwrap()).2, [1, 2, 3, 4, 5, 6]);
        assert!(picture(&breakdown, &[1, 2, 3]).is_err());
        assert!(picture(&tree("{}"), &[1]).unwrap_err().contains("`width`"));
        let (width, _, pixels) = seen(&swatch(&[0; 768]).unwrap());
        assert_eq!((width, pixels[0], pixels[16], pixels[256 * 16]), (256, 0, 1, 16));
    }
}
