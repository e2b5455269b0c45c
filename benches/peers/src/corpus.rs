//! Who is right on real files: every line of `EXPECTED.tsv` that a peer has a decoder for, by the SHA-1 of what it gives.
//!
//! What is hashed is the same for all: pixels, samples, matrices, entries of an index. A peer that refuses a file, or panics on
//! it, is counted apart from one that gives something else.

use assay_model::{Bytes, Game, Output, Port};
use assay_ports::assets::pack_chunks::{Chunk, Codec, PackInput, pack_chunks};
use assay_ports::assets::sha1::sha1;
use assay_ports::assets::{hex, lcw, lzo};
use cnc_formats as cnc;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Bytes that a decoder gives, as the list hashes them; `None` for a refusal.
type Decode = fn(&[u8]) -> Option<Vec<u8>>;

/// Right, other bytes, refused.
#[derive(Clone, Copy, Default)]
struct Tally([u32; 3]);

impl Tally {
    fn count(&mut self, given: Option<Vec<u8>>, right: impl Fn(&[u8]) -> bool) {
        let column = match given {
            Some(bytes) if right(&bytes) => 0,
            Some(_) => 1,
            None => 2,
        };
        self.0[column] += 1;
    }

    fn text(self) -> String {
        let [right, other, refused] = self.0;
        if right + other + refused == 0 { "-".to_owned() } else { format!("{right}/{other}/{refused}") }
    }
}

/// What `cnc-formats` has for a capability.
fn cnc_formats(capability: &str) -> Option<Decode> {
    Some(match capability {
        "mix_list" => |file| {
            let archive = cnc::mix::MixArchive::parse(file).ok()?;
            // It keeps entries in an order of its own; the files have the signed one.
            let mut entries: Vec<_> = archive.entries().iter().collect();
            entries.sort_by_key(|entry| entry.crc.to_raw() as i32);
            let words = entries.into_iter().flat_map(|entry| [entry.crc.to_raw(), entry.offset, entry.size]);
            Some(words.flat_map(u32::to_le_bytes).collect())
        },
        "shp_ts_decode" => |file| {
            let mut all = Vec::new();
            for frame in cnc::shp_ts::ShpTsFile::parse(file).ok()?.frames {
                all.extend(frame.header.cx.to_le_bytes());
                all.extend(frame.header.cy.to_le_bytes());
                all.extend(frame.pixels().ok()?);
            }
            Some(all)
        },
        "shp_td_decode" => |file| Some(cnc::shp::ShpFile::parse(file).ok()?.decode_frames().ok()?.concat()),
        "pal_decode" => |file| Some(cnc::pal::Palette::parse(file).ok()?.to_rgb8_array().concat()),
        "tmp_ts_decode" => |file| {
            let mut all = Vec::new();
            for tile in cnc::tmp::TsTmpFile::parse(file).ok()?.tiles {
                all.push(u8::from(tile.is_some()));
                let Some(tile) = tile else { continue };
                let parts = [Some(tile.iso_pixels), tile.z_data, tile.extra_pixels];
                all.extend(parts.into_iter().flatten().flatten());
            }
            Some(all)
        },
        "hva_decode" => |file| {
            let hva = cnc::hva::HvaFile::parse(file).ok()?;
            Some(hva.transforms.iter().flatten().flat_map(|value| value.to_le_bytes()).collect())
        },
        "csf_decode" => |file| {
            let table = cnc::csf::CsfFile::parse(file).ok()?;
            // Its labels have no order: they are put into that of the file, where each has to be found.
            let mut at: Vec<(usize, Vec<u8>)> = Vec::new();
            for (label, strings) in &table.labels {
                let place = file.windows(label.len()).position(|window| window == label.as_bytes())?;
                let text = strings.first().map_or("", |string| string.value.as_str());
                let units = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes);
                at.push((place, label.bytes().chain([0]).chain(units).collect()));
            }
            at.sort();
            Some(at.into_iter().flat_map(|(_, bytes)| bytes).collect())
        },
        "fnt_decode" => |file| {
            let mut all = Vec::new();
            for glyph in cnc::fnt::FntFile::parse(file).ok()?.glyphs {
                all.extend([glyph.width, glyph.y_offset, glyph.data_rows]);
                let rows = 0..glyph.data_rows;
                all.extend(
                    rows.flat_map(|y| (0..glyph.width).map(move |x| (x, y))).map(|(x, y)| glyph.pixel(x, y)),
                );
            }
            Some(all)
        },
        "idx_list" => |file| {
            let index = cnc::bag_idx::IdxFile::parse(file).ok()?;
            let names = index.entries().iter().map(|entry| entry.name.to_lowercase() + "\n");
            Some(names.collect::<String>().into_bytes())
        },
        "aud_decode" => |file| {
            let aud = cnc::aud::AudFile::parse(file).ok()?;
            // Chunks are the caller's affair: marks and sizes go, and the data are one stream.
            let (mut left, mut data) = (aud.compressed_data, Vec::new());
            while let Some((header, rest)) = left.split_first_chunk::<8>() {
                let length = usize::from(u16::from_le_bytes([header[0], header[1]])).min(rest.len());
                data.extend(&rest[..length]);
                left = &rest[length..];
            }
            let samples = cnc::aud::decode_adpcm(&data, aud.header.is_stereo(), 0);
            Some(samples.into_iter().flat_map(i16::to_le_bytes).collect())
        },
        _ => return None,
    })
}

/// What `ra2-mix` has: the files of an archive, here put together in the order of their bytes.
fn ra2_mix(file: &[u8]) -> Option<Vec<u8>> {
    let package = ra2_mix::MixPackage::decode(file, &ra2_mix::MixDatabase::default()).ok()?;
    Some(sorted(package.files.into_values().collect()))
}

fn sorted(mut files: Vec<Vec<u8>>) -> Vec<u8> {
    files.sort();
    files.concat()
}

/// A run of one of our ports.
fn run(name: &str, file: &[u8]) -> Option<Output> {
    let port: &dyn Port = *assay_ports::ALL.iter().find(|port| port.meta().name == name)?;
    let mut output = Output::default();
    port.run(format!(r#"{{"bytes":"hex:{}"}}"#, hex(file)).as_bytes(), &mut output).ok()?;
    Some(output)
}

/// What our port gives, as the list hashes it.
fn ours(name: &str, file: &[u8]) -> Option<Vec<u8>> {
    let output = run(name, file)?;
    let said: serde_json::Value = serde_json::from_slice(&output.json).ok()?;
    let entries = said.get("entries").and_then(serde_json::Value::as_array);
    Some(match (name, entries) {
        ("mix_list", Some(entries)) => {
            let words =
                entries.iter().flat_map(|entry| ["id", "offset", "size"].map(|key| entry[key].as_u64()));
            words.flatten().flat_map(|word| (word as u32).to_le_bytes()).collect()
        }
        ("idx_list", Some(entries)) => {
            let names = entries.iter().filter_map(|entry| entry["name"].as_str());
            names.map(|name| name.to_lowercase() + "\n").collect::<String>().into_bytes()
        }
        // The list has the bytes of eight-bit sounds, and our samples have sixteen.
        ("aud_decode", _) if said["bits"] == 8 => {
            let samples = output.attachments.into_iter().next()?.bytes;
            samples.chunks_exact(2).map(|sample| sample[1] ^ 0x80).collect()
        }
        _ => output.attachments.into_iter().next()?.bytes,
    })
}

/// The files of an archive, in the order of their bytes.
fn files(file: &[u8]) -> Option<Vec<u8>> {
    let said: serde_json::Value = serde_json::from_slice(&run("mix_list", file)?.json).ok()?;
    let body = said["body_offset"].as_u64()? as usize;
    let range = |entry: &serde_json::Value| {
        let start = body + entry["offset"].as_u64()? as usize;
        file.get(start..start + entry["size"].as_u64()? as usize).map(<[u8]>::to_vec)
    };
    Some(sorted(said["entries"].as_array()?.iter().filter_map(range).collect()))
}

/// The values of a section of an INI file, joined.
fn section(file: &[u8], name: &str) -> String {
    let text = String::from_utf8_lossy(file);
    let inside = text.lines().skip_while(|line| line.trim() != format!("[{name}]")).skip(1);
    let lines = inside.take_while(|line| !line.trim().starts_with('['));
    lines.filter_map(|line| line.split_once('=')).map(|(_, value)| value.trim()).collect()
}

/// The chunks of a packed section of a map: stored bytes, and the size that they are of.
fn chunks(file: &[u8], name: &str, codec: Codec) -> Option<Vec<(Vec<u8>, usize)>> {
    let bytes: Bytes = serde_json::from_value(format!("base64:{}", section(file, name)).into()).ok()?;
    let stored = bytes.range(0, bytes.length() as usize).ok()?;
    let pack =
        pack_chunks(&PackInput { game: Game::Yr, bytes: bytes.into(), codec, max_output: 64 << 20 }).ok()?;
    let part = |chunk: &Chunk| {
        let start = chunk.offset as usize + 4;
        (stored[start..start + usize::from(chunk.compressed)].to_vec(), usize::from(chunk.uncompressed))
    };
    Some(pack.chunks.iter().map(part).collect())
}

/// A peer's answer; a panic is a refusal.
fn guarded(decode: impl FnOnce() -> Option<Vec<u8>>) -> Option<Vec<u8>> {
    catch_unwind(AssertUnwindSafe(decode)).ok().flatten()
}

/// Prints the table of a folder.
pub fn table(folder: &Path) -> std::io::Result<()> {
    // A peer that panics is counted; its message would hide the table.
    std::panic::set_hook(Box::new(|_| {}));
    let mut rows: BTreeMap<String, [Tally; 4]> = BTreeMap::new();
    for line in fs::read_to_string(folder.join("EXPECTED.tsv"))?.lines().skip(1) {
        let [name, capability, _, digest] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let file = fs::read(folder.join(name))?;
        if matches!(capability, "map_isomappack" | "map_overlay" | "map_preview") {
            maps(&file, capability, &mut rows);
        } else if let Some(theirs) = cnc_formats(capability) {
            // A file that is no good is right to be refused.
            let right = |bytes: &[u8]| hex(&sha1(bytes)) == digest;
            let row = rows.entry(capability.to_owned()).or_default();
            if digest != "-" {
                row[0].count(ours(capability, &file), right);
                row[1].count(guarded(|| theirs(&file)), right);
            }
            if capability == "mix_list" {
                let all = files(&file);
                row[3].count(guarded(|| ra2_mix(&file)), |bytes| Some(bytes) == all.as_deref());
            }
        }
    }
    println!("files or chunks: right/other bytes/refused");
    println!("{:<18}{:>12}{:>14}{:>12}{:>10}", "", "assay", "cnc-formats", "lzokay", "ra2-mix");
    for (name, [ours, cnc, lzokay, mix]) in rows {
        println!("{name:<18}{:>12}{:>14}{:>12}{:>10}", ours.text(), cnc.text(), lzokay.text(), mix.text());
    }
    Ok(())
}

/// Chunks of the packs, where there is no doubt about what they hold: two decoders have to agree.
fn maps(file: &[u8], capability: &str, rows: &mut BTreeMap<String, [Tally; 4]>) {
    let (names, codec): (&[&str], _) = match capability {
        "map_overlay" => (&["OverlayPack", "OverlayDataPack"], Codec::Lcw),
        "map_preview" => (&["PreviewPack"], Codec::Lzo),
        _ => (&["IsoMapPack5"], Codec::Lzo),
    };
    let name = format!("{capability}, chunks");
    for (stored, size) in names.iter().filter_map(|name| chunks(file, name, codec)).flatten() {
        let row = rows.entry(name.clone()).or_default();
        let whole = |bytes: &[u8]| bytes.len() == size;
        if codec == Codec::Lcw {
            let ours = lcw::decompress(&stored, false, size).ok().map(|decoded| decoded.output);
            row[1].count(guarded(|| cnc::lcw::decompress(&stored, size).ok()), |bytes| {
                Some(bytes) == ours.as_deref()
            });
            row[0].count(ours, whole);
        } else {
            let ours = lzo::decompress(&stored, size).ok().map(|decoded| decoded.output);
            let theirs = || {
                let mut output = vec![0; size];
                lzokay::decompress::decompress(&stored, &mut output).ok().map(|_| output)
            };
            row[2].count(guarded(theirs), |bytes| Some(bytes) == ours.as_deref());
            row[0].count(ours, whole);
        }
    }
}
