//! A picture in memory, and the same as PNG.

use png::{BitDepth, ColorType, Encoder};

/// Pixels of one picture at most.
pub const MAX_PIXELS: u64 = 32 << 20;

/// 256 colours: red, green and blue in eight bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette(Vec<u8>);

impl Palette {
    /// Takes 768 bytes of whole colours; `None` for any other number.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        (bytes.len() == 768).then(|| Self(bytes.to_vec()))
    }

    /// Greys, for indexes whose palette nobody gave.
    fn greys() -> Self {
        Self((0..=u8::MAX).flat_map(|level| [level; 3]).collect())
    }
}

/// What the pixels of a canvas are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// One byte, an index of a palette; 0 is clear.
    Sprite,
    /// The same with 0 as a colour.
    Indexed,
    /// Red, green and blue.
    Rgb,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: u32,
    height: u32,
    kind: Pixels,
    pixels: Vec<u8>,
}

impl Canvas {
    /// A picture of zeros.
    ///
    /// # Errors
    /// No pixel at all, or more than [`MAX_PIXELS`].
    pub fn new(width: u32, height: u32, kind: Pixels) -> Result<Self, String> {
        let area = u64::from(width) * u64::from(height);
        if area == 0 {
            return Err("it has no pixels".to_owned());
        }
        if area > MAX_PIXELS {
            return Err(format!("a picture of {width} by {height} pixels is above {MAX_PIXELS} in all"));
        }
        let bytes = area * if kind == Pixels::Rgb { 3 } else { 1 };
        // Bounded just above, so it fits.
        Ok(Self { width, height, kind, pixels: vec![0; bytes as usize] })
    }

    /// A picture of bytes that are there.
    ///
    /// # Errors
    /// As [`Canvas::new`], and bytes of another number.
    pub fn of(width: u32, height: u32, kind: Pixels, bytes: &[u8]) -> Result<Self, String> {
        let mut canvas = Self::new(width, height, kind)?;
        if bytes.len() != canvas.pixels.len() {
            return Err(format!("{} bytes are no picture of {width} by {height}", bytes.len()));
        }
        canvas.pixels.copy_from_slice(bytes);
        Ok(canvas)
    }

    /// Sets one index; what lies beyond the edges is dropped.
    pub fn set(&mut self, x: i64, y: i64, index: u8) {
        let inside =
            |place: i64, side: u32| usize::try_from(place).ok().filter(|place| *place < side as usize);
        if let (Some(x), Some(y)) = (inside(x, self.width), inside(y, self.height)) {
            self.pixels[y * self.width as usize + x] = index;
        }
    }

    /// Lays rows of `width` indexes over what is there; 0 leaves it.
    pub fn lay(&mut self, x: i64, y: i64, width: usize, indexes: &[u8]) {
        if width == 0 {
            return;
        }
        for (down, row) in indexes.chunks(width).enumerate() {
            for (right, index) in row.iter().enumerate().filter(|(_, index)| **index != 0) {
                self.set(x + right as i64, y + down as i64, *index);
            }
        }
    }

    /// The picture as PNG. Indexes keep being indexes, with the palette beside them.
    ///
    /// # Errors
    /// None for a canvas that was made here; what the encoder says.
    pub fn png(&self, palette: Option<&Palette>) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_depth(BitDepth::Eight);
        if self.kind == Pixels::Rgb {
            encoder.set_color(ColorType::Rgb);
        } else {
            encoder.set_color(ColorType::Indexed);
            encoder.set_palette(palette.cloned().unwrap_or_else(Palette::greys).0);
            if self.kind == Pixels::Sprite {
                encoder.set_trns(vec![0]);
            }
        }
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.pixels)?;
            writer.finish()
        });
        written.map_err(|error| format!("no PNG comes of it: {error}"))?;
        Ok(bytes)
    }
}

/// Equal tiles in rows, with a clear line between them, about as wide as high.
pub struct Sheet {
    canvas: Canvas,
    columns: u64,
    tile: (u32, u32),
}

impl Sheet {
    /// Room for `count` tiles.
    ///
    /// # Errors
    /// As [`Canvas::new`].
    pub fn new(count: usize, width: u32, height: u32) -> Result<Self, String> {
        if count == 0 || width == 0 || height == 0 {
            return Err("it has no pixels".to_owned());
        }
        let (step_x, step_y) = (u64::from(width) + 1, u64::from(height) + 1);
        let count = count as u64;
        let mut columns = 1;
        while columns < count && columns * step_x < count.div_ceil(columns) * step_y {
            columns += 1;
        }
        let side = |tiles: u64, step: u64| u32::try_from(tiles * step - 1).unwrap_or(u32::MAX);
        let canvas =
            Canvas::new(side(columns, step_x), side(count.div_ceil(columns), step_y), Pixels::Sprite)?;
        Ok(Self { canvas, columns, tile: (width, height) })
    }

    /// Lays indexes into a tile; what lies beyond its edges is dropped.
    pub fn lay(&mut self, tile: usize, x: i64, y: i64, width: usize, indexes: &[u8]) {
        if width == 0 {
            return;
        }
        let (left, top) = self.corner(tile);
        let (wide, high) = (i64::from(self.tile.0), i64::from(self.tile.1));
        for (down, row) in indexes.chunks(width).enumerate() {
            let y = y + down as i64;
            for (right, index) in row.iter().enumerate().filter(|(_, index)| **index != 0) {
                let x = x + right as i64;
                if (0..wide).contains(&x) && (0..high).contains(&y) {
                    self.canvas.set(left + x, top + y, *index);
                }
            }
        }
    }

    fn corner(&self, tile: usize) -> (i64, i64) {
        let tile = tile as u64;
        let (column, row) = (tile % self.columns, tile / self.columns);
        ((column * (u64::from(self.tile.0) + 1)) as i64, (row * (u64::from(self.tile.1) + 1)) as i64)
    }

    /// The sheet as a picture.
    #[must_use]
    pub fn done(self) -> Canvas {
        self.canvas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_about_square_and_keeps_tiles_apart() {
        let mut sheet = Sheet::new(5, 2, 2).unwrap();
        assert_eq!(sheet.columns, 3);
        // The second tile, laid so that one column of it falls off.
        sheet.lay(1, 1, 0, 2, &[7, 8, 9, 0]);
        let canvas = sheet.done();
        assert_eq!((canvas.width, canvas.height), (8, 5));
        assert_eq!(canvas.pixels[..8], [0, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!(canvas.pixels[8..16], [0, 0, 0, 0, 9, 0, 0, 0]);
        assert!(canvas.pixels[16..].iter().all(|pixel| *pixel == 0));
    }

    #[test]
    fn pictures_without_pixels_and_with_too_many_are_refused() {
        assert!(Canvas::new(0, 5, Pixels::Rgb).is_err());
        assert!(Canvas::new(65_535, 65_535, Pixels::Sprite).unwrap_err().contains("above"));
        assert!(Canvas::new(u32::MAX, u32::MAX, Pixels::Rgb).is_err());
        assert!(Sheet::new(65_535, u32::MAX, u32::MAX).is_err());
        assert!(Sheet::new(0, 1, 1).is_err());
        assert!(Canvas::of(2, 2, Pixels::Rgb, &[0; 4]).is_err());
    }
}
