//! `assay asset show`: a picture or a sound out of a file.

use super::super::{PASS, output};
use super::Show;
use super::open::{decode, entry, file, port, whole};
use crate::assets::sniff::{self, Decoder};
use crate::media::{self, Palette, Shape};
use assay_model::{Bytes, Game, Port};
use assay_ports::assets::pal_decode::{PalDecodeInput, pal_decode};
use std::io::Write as _;
use std::path::Path;

/// Bytes of a palette file at most: far more than one has, so that the decoder can say what is odd.
const MAX_PALETTE: u64 = 64 << 10;

pub(super) fn command(show: &Show) -> Result<u8, String> {
    let reader = entry(&show.file, show.entry.as_deref())?;
    let name = show.entry.clone().unwrap_or_else(|| show.file.display().to_string());
    let format =
        sniff::format(&reader, &name).ok_or_else(|| format!("show {name}: nobody knows this format"))?;
    let (port, decoder, shape) = shown(format.decoders).ok_or_else(|| {
        format!("show {name}: it is {}, which has no picture and no sound here", format.name)
    })?;
    let palette = show.pal.as_deref().map(palette).transpose()?;
    if palette.is_none() && matches!(shape, Shape::Frames | Shape::Filled | Shape::Cells | Shape::Voxels) {
        output::note("without --pal the colours are greys");
    }
    let beside = |extension: &str| {
        let place = show.entry.is_none().then(|| show.file.with_extension(extension))?;
        file(&place).ok()
    };
    let decoded = decode(port, decoder, &reader, beside).map_err(|why| format!("decode {name}: {why}"))?;
    let seen = media::shown(decoder.capability, &decoded.breakdown, &decoded.attachments, palette.as_ref());
    let seen = seen.map_err(|why| format!("show {name}: {why}"))?;
    let failed = |error| format!("write {}: {error}", show.out.display());
    if show.out == Path::new("-") {
        std::io::stdout().write_all(&seen.bytes).map_err(failed)?;
    } else {
        std::fs::write(&show.out, &seen.bytes).map_err(failed)?;
    }
    Ok(PASS)
}

/// The first decoder of a format that this build has and whose bytes can be shown.
fn shown(decoders: &'static [Decoder]) -> Option<(&'static dyn Port, &'static Decoder, Shape)> {
    decoders
        .iter()
        .find_map(|decoder| Some((port(decoder.capability)?, decoder, media::shape(decoder.capability)?)))
}

/// A palette as the games have it.
fn palette(path: &Path) -> Result<Palette, String> {
    let failed = |why: String| format!("read the palette {}: {why}", path.display());
    let bytes = whole(&*file(path)?, MAX_PALETTE).map_err(failed)?;
    let input = PalDecodeInput { game: Game::Yr, bytes: Bytes::Inline(bytes.into()) };
    let decoded = pal_decode(&input).map_err(|why| failed(why.message))?;
    Palette::of(&decoded.data).ok_or_else(|| failed("it has not 256 colours".to_owned()))
}
