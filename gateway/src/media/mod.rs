//! What decoders give, as people see and hear it: palette indexes become a PNG, samples a WAV.
//!
//! A decoder's attachment is raw bytes, and its breakdown says what they mean. Which decoder gives what is one row of
//! [`SHOWN`]; nothing here decodes a file of the games.

mod canvas;
mod shapes;
mod sound;

pub use canvas::{Canvas, MAX_PIXELS, Palette, Pixels};

use assay_model::{Attachment, Tree};

/// What the first attachment of a capability holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 256 colours of three bytes.
    Swatch,
    /// One picture: a byte a pixel, with the attachment `palette` if there is one, or three bytes a pixel.
    Picture,
    /// Frames with their own sides before their pixels, each at its place on a canvas.
    Frames,
    /// Frames that all fill the canvas.
    Filled,
    /// Diamonds on a grid, with what goes beyond them.
    Cells,
    /// Voxels of limbs, seen from above, from the side and from the front.
    Voxels,
    /// Samples.
    Sound,
}

/// Which capability gives what.
pub static SHOWN: &[(&str, Shape)] = &[
    ("aud_decode", Shape::Sound),
    ("bag_decode", Shape::Sound),
    ("map_preview", Shape::Picture),
    ("pal_decode", Shape::Swatch),
    ("pcx_decode", Shape::Picture),
    ("shp_td_decode", Shape::Filled),
    ("shp_ts_decode", Shape::Frames),
    ("tmp_ts_decode", Shape::Cells),
    ("vxl_decode", Shape::Voxels),
];

/// What a capability gives, if it can be shown.
#[must_use]
pub fn shape(capability: &str) -> Option<Shape> {
    SHOWN.iter().find(|(name, _)| *name == capability).map(|(_, shape)| *shape)
}

/// The picture or sound in the attachments of a run. Indexes get the colours of `palette`, and greys without one.
///
/// # Errors
/// Why there is none: nothing to see, a picture above [`MAX_PIXELS`], or a breakdown that does not say what the bytes are.
/// A fragment that fits after "failed to show it: ".
pub fn shown(
    capability: &str,
    breakdown: &Tree,
    attachments: &[Attachment],
    palette: Option<&Palette>,
) -> Result<Attachment, String> {
    let shape = shape(capability).ok_or_else(|| format!("{capability} gives no picture and no sound"))?;
    let raw = attachments.first().ok_or_else(|| format!("{capability} gave no bytes"))?;
    if shape == Shape::Sound {
        let bytes = sound::wav(breakdown, &raw.bytes)?;
        return Ok(Attachment {
            name: format!("{}.wav", raw.name),
            media_type: "audio/wav".to_owned(),
            bytes,
        });
    }
    let own = attachments.iter().find(|attachment| attachment.name == "palette");
    let own = own.and_then(|attachment| Palette::of(&attachment.bytes));
    let canvas = match shape {
        Shape::Swatch => shapes::swatch(&raw.bytes),
        Shape::Picture => shapes::picture(breakdown, &raw.bytes),
        Shape::Frames => shapes::frames(breakdown, &raw.bytes),
        Shape::Filled => shapes::filled(breakdown, &raw.bytes),
        Shape::Cells => shapes::cells(breakdown, &raw.bytes),
        Shape::Voxels => shapes::voxels(breakdown, &raw.bytes),
        Shape::Sound => Err("a sound is no picture".to_owned()),
    }?;
    // A swatch shows its own colours; a picture that brings some is meant to have them.
    let own = if shape == Shape::Swatch { Palette::of(&raw.bytes) } else { own };
    let bytes = canvas.png(own.as_ref().or(palette))?;
    Ok(Attachment { name: format!("{}.png", raw.name), media_type: "image/png".to_owned(), bytes })
}
