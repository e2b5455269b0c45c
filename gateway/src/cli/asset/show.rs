//! `assay asset show`: a picture or a sound out of a file.

use super::super::output::{self, plain};
use super::super::{PASS, out};
use super::Show;
use super::open::{Chosen, decode, decode_part, file, port, whole};
use crate::assets::sniff::Decoder;
use crate::media::{self, Palette, Shape};
use assay_model::{Bytes, Game, Port, Tree};
use assay_ports::assets::pal_decode::{PalDecodeInput, pal_decode};
use std::path::Path;

/// Bytes of a palette file at most: far more than one has, so that the decoder can say what is odd.
const MAX_PALETTE: u64 = 64 << 10;

pub(super) fn command(show: &Show) -> Result<u8, String> {
    let chosen = Chosen::find(&show.file, show.entry.as_deref())?;
    let name = plain(&chosen.name).into_owned();
    let format = chosen.format.ok_or_else(|| format!("show {name}: nobody knows this format"))?;
    let (port, decoder, shape) = shown(format.decoders).ok_or_else(|| {
        format!("show {name}: it is {}, which has no picture and no sound here", format.name)
    })?;
    let palette = show.pal.as_deref().map(palette).transpose()?;
    if palette.is_none() && matches!(shape, Shape::Frames | Shape::Filled | Shape::Cells | Shape::Voxels) {
        output::note("without --pal the colours are greys");
    }
    let decoded = match (&chosen.part, decoder.each) {
        (Some(part), _) => decode_part(port, decoder, &chosen, part),
        (None, Some(_)) => return Err(format!("show {name}: {}", several(&chosen))),
        (None, None) => decode(port, decoder, &chosen.reader, |extension| chosen.beside(extension)),
    };
    let decoded = decoded.map_err(|why| format!("decode {name}: {why}"))?;
    let seen = media::shown(decoder.capability, &decoded.breakdown, &decoded.attachments, palette.as_ref());
    let seen = seen.map_err(|why| format!("show {name}: {why}"))?;
    fits(&show.out, &seen.media_type)?;
    out::bytes(&show.out, &show.file, &seen.bytes)?;
    Ok(PASS)
}

/// What to do about a file of several parts, none of which was asked for.
fn several(chosen: &Chosen) -> String {
    let index = chosen.decoders().iter().find(|decoder| decoder.each.is_none());
    let listed = index.and_then(|decoder| {
        decode(port(decoder.capability)?, decoder, &chosen.reader, |_| None)
            .ok()
            .map(|listed| listed.breakdown)
    });
    let entries = listed.as_ref().and_then(|listed| listed.get("entries"));
    let entries = if let Some(Tree::List(entries)) = entries { entries.as_slice() } else { &[] };
    let names: Vec<&str> = entries.iter().filter_map(|entry| entry.get("name")?.as_str()).take(3).collect();
    format!("it holds {} sounds; name one, or its number from 0: {}, …", entries.len(), names.join(", "))
}

/// A name that says another format than what is written would mislead whoever opens it.
fn fits(out: &Path, media_type: &str) -> Result<(), String> {
    let extension = out.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match (extension.as_deref(), media_type) {
        (Some("wav"), "image/png") => Err(format!("write {}: it is a picture; name a .png", out.display())),
        (Some("png"), "audio/wav") => Err(format!("write {}: it is a sound; name a .wav", out.display())),
        _ => Ok(()),
    }
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
