//! What a file is, by its bytes and else by its name, and which capabilities decode it.
//!
//! One row a format. A decoder that is registered later needs its name in a row here and nothing else; a name that no
//! registry has is passed over.

use assay_model::ReadAt;

/// Where the bytes of an argument come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file, without so many bytes at its beginning.
    File(u64),
    /// The file beside it that has this extension.
    Beside(&'static str),
}

/// One argument of a decoder, and where its bytes come from.
pub type Argument = (&'static str, Origin);

/// A capability and what it takes.
pub struct Decoder {
    /// Its name.
    pub capability: &'static str,
    /// Its arguments that hold bytes.
    pub arguments: &'static [Argument],
    /// The argument that counts what is inside, where one run gives one part: it runs with 0, 1, … until there is none.
    pub each: Option<&'static str>,
    /// The stage that says why the part that it decodes is not in the file; left out when it is.
    pub absent: Option<&'static str>,
}

/// A file format.
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// Extensions, in lower case.
    pub extensions: &'static [&'static str],
    /// Whether bytes are of this format; formats without a mark go by their extension.
    mark: Option<fn(&Probe<'_>) -> bool>,
    /// What decodes it.
    pub decoders: &'static [Decoder],
}

/// A capability that takes the whole file as `bytes`.
const fn whole(capability: &'static str) -> Decoder {
    Decoder { capability, arguments: &[("bytes", Origin::File(0))], each: None, absent: None }
}

/// All formats; the first whose mark fits wins, then the first whose extension does.
pub static FORMATS: &[Format] = &[
    // What stands before the index of an encrypted archive: flags and key source, and nothing more.
    Format {
        name: "key of an archive",
        extensions: &[],
        mark: Some(|p| p.0.length() == 84 && (p.u16(0), p.u16(2)) == (Some(0), Some(2))),
        decoders: &[Decoder {
            capability: "mix_key",
            arguments: &[("source", Origin::File(4))],
            each: None,
            absent: None,
        }],
    },
    Format {
        name: "VXL",
        extensions: &["vxl"],
        mark: Some(|p| p.starts(b"Voxel Animation\0")),
        decoders: &[whole("vxl_decode")],
    },
    Format {
        name: "CSF",
        extensions: &["csf"],
        mark: Some(|p| p.starts(b" FSC")),
        decoders: &[whole("csf_decode")],
    },
    Format {
        name: "IDX",
        extensions: &["idx"],
        mark: Some(|p| p.starts(b"GABA")),
        decoders: &[
            whole("idx_list"),
            Decoder {
                capability: "bag_decode",
                arguments: &[("index", Origin::File(0)), ("bag", Origin::Beside("bag"))],
                each: Some("entry"),
                absent: None,
            },
        ],
    },
    Format {
        name: "FNT",
        extensions: &["fnt"],
        mark: Some(|p| p.starts(b"fonT")),
        decoders: &[whole("fnt_decode")],
    },
    Format {
        name: "VQA",
        extensions: &["vqa"],
        mark: Some(|p| p.starts(b"FORM") && p.at(8, b"WVQA")),
        decoders: &[whole("vqa_header")],
    },
    Format {
        name: "Bink",
        extensions: &["bik"],
        mark: Some(|p| p.starts(b"BIKi") || p.starts(b"BIKf")),
        decoders: &[],
    },
    Format { name: "WAV", extensions: &["wav"], mark: Some(|p| p.starts(b"RIFF")), decoders: &[] },
    Format {
        name: "text palette",
        extensions: &[],
        mark: Some(|p| p.starts(b"JASC-PAL")),
        decoders: &[whole("pal_decode")],
    },
    Format {
        name: "names of an archive",
        extensions: &[],
        mark: Some(|p| p.starts(b"XCC by Olaf")),
        decoders: &[whole("xcc_local_db")],
    },
    Format {
        name: "PCX",
        extensions: &["pcx"],
        mark: Some(|p| p.starts(&[10, 5, 1, 8])),
        decoders: &[whole("pcx_decode")],
    },
    Format {
        name: "saved game",
        extensions: &["sav"],
        mark: Some(|p| p.starts(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])),
        decoders: &[whole("save_inspect")],
    },
    Format { name: "PAL", extensions: &["pal"], mark: Some(palette), decoders: &[whole("pal_decode")] },
    // Under the same extensions as those of TS; its pixels are 24 by 24.
    Format {
        name: "template (TD, RA1)",
        extensions: &["win"],
        mark: Some(|p| {
            (p.u16(0), p.u16(2)) == (Some(24), Some(24)) && p.u16(4).is_some_and(|count| count > 0)
        }),
        decoders: &[],
    },
    Format {
        name: "TMP (TS)",
        extensions: &["tem", "sno", "urb", "des", "lun", "ubn"],
        mark: Some(template),
        decoders: &[whole("tmp_ts_decode")],
    },
    Format {
        name: "AUD",
        extensions: &["aud"],
        mark: Some(|p| p.u32(16) == Some(0xDEAF)),
        decoders: &[whole("aud_decode")],
    },
    Format {
        name: "SHP (TS)",
        extensions: &["shp", "sha"],
        mark: Some(sprite),
        decoders: &[whole("shp_ts_decode")],
    },
    Format { name: "SHP (TD)", extensions: &[], mark: Some(old_sprite), decoders: &[whole("shp_td_decode")] },
    Format {
        name: "MIX",
        extensions: &["mix", "mmx", "yro"],
        mark: Some(archive),
        decoders: &[whole("mix_list")],
    },
    Format {
        name: "map",
        extensions: &["map", "mpr", "yrm"],
        mark: None,
        decoders: &[
            whole("map_isomappack"),
            whole("map_overlay"),
            Decoder { absent: Some("no_preview"), ..whole("map_preview") },
            whole("map_digest"),
        ],
    },
    Format { name: "HVA", extensions: &["hva"], mark: None, decoders: &[whole("hva_decode")] },
    Format { name: "VPL", extensions: &["vpl"], mark: None, decoders: &[whole("vpl_decode")] },
    Format {
        name: "names of all games",
        extensions: &[],
        mark: Some(names),
        decoders: &[whole("xcc_global_db")],
    },
];

/// The format of some bytes under a name.
#[must_use]
pub fn format(bytes: &dyn ReadAt, name: &str) -> Option<&'static Format> {
    let probe = Probe(bytes);
    let marked = FORMATS.iter().find(|format| format.mark.is_some_and(|mark| mark(&probe)));
    marked.or_else(|| by_name(name))
}

/// The format that goes with an extension.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Format> {
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()))
}

/// Bytes that are looked into. What cannot be read is not there.
struct Probe<'a>(&'a dyn ReadAt);

impl Probe<'_> {
    fn array<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let mut array = [0; N];
        (self.0.read_at(at, &mut array).ok()? == N).then_some(array)
    }

    fn u16(&self, at: u64) -> Option<u64> {
        self.array(at).map(|bytes| u16::from_le_bytes(bytes).into())
    }

    fn u32(&self, at: u64) -> Option<u64> {
        self.array(at).map(|bytes| u32::from_le_bytes(bytes).into())
    }

    fn at(&self, at: u64, expected: &[u8]) -> bool {
        let mut found = vec![0; expected.len()];
        self.0.read_at(at, &mut found).is_ok_and(|read| read == expected.len()) && found == expected
    }

    fn starts(&self, expected: &[u8]) -> bool {
        self.at(0, expected)
    }

    fn length(&self) -> u64 {
        self.0.length()
    }
}

/// 768 bytes of six bits.
fn palette(probe: &Probe<'_>) -> bool {
    probe.length() == 768 && probe.array::<768>(0).is_some_and(|bytes| bytes.iter().all(|byte| *byte < 0x40))
}

/// A grid of diamonds of the size of a game's.
fn template(probe: &Probe<'_>) -> bool {
    let word = |at| probe.u32(at).unwrap_or(0);
    let places = word(0).saturating_mul(word(4));
    matches!((word(8), word(12)), (48, 24) | (60, 30)) && (1..=4096).contains(&places)
}

/// No flags, and the headers of at least one frame, whose data begins in the file as far as the first ones go.
fn sprite(probe: &Probe<'_>) -> bool {
    let Some(count) = probe.u16(6) else { return false };
    let headers = 8 + 24 * count;
    let inside = |frame: u64| probe.u32(8 + 24 * frame + 20).is_some_and(|offset| offset <= probe.length());
    probe.u16(0) == Some(0) && count > 0 && headers <= probe.length() && (0..count.min(64)).all(inside)
}

/// A count, and behind the places of that many frames the place of the end.
fn old_sprite(probe: &Probe<'_>) -> bool {
    let count = probe.u16(0).unwrap_or(0);
    let end = probe.u32(14 + 8 * count).map(|word| word & 0x00FF_FFFF);
    count > 0 && end == Some(probe.length())
}

/// A count, and after it text in which every name and every description ends in 0.
fn names(probe: &Probe<'_>) -> bool {
    let text =
        |bytes: [u8; 64]| bytes.contains(&0) && bytes.iter().all(|byte| matches!(byte, 0 | b' '..=b'~'));
    probe.u32(0).is_some_and(|count| (1..1 << 20).contains(&count)) && probe.array(4).is_some_and(text)
}

/// A header that accounts for the whole file, or a flag that says the index is encrypted.
fn archive(probe: &Probe<'_>) -> bool {
    let Some(first) = probe.u32(0) else { return false };
    let (at, flags) = if first & 0xFFFF == 0 { (4, first) } else { (0, 0) };
    if flags & !0x0003_0000 != 0 {
        return false;
    }
    if flags & 0x0002_0000 != 0 {
        return probe.length() >= 92;
    }
    let (Some(count), Some(body)) = (probe.u16(at), probe.u32(at + 2)) else { return false };
    let sum = if flags & 0x0001_0000 == 0 { 0 } else { 20 };
    count > 0 && at + 6 + 12 * count + body + sum == probe.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_model::PortError;

    struct Memory(Vec<u8>);
    impl ReadAt for Memory {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
            let rest = self.0.get(offset as usize..).unwrap_or_default();
            let length = rest.len().min(buffer.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            Ok(length)
        }
    }

    fn name(bytes: &[u8], file: &str) -> &'static str {
        format(&Memory(bytes.to_vec()), file).map_or("nothing", |format| format.name)
    }

    #[test]
    fn bytes_win_over_names_and_names_over_nothing() {
        assert_eq!(name(&[0; 768], "x"), "PAL");
        assert_eq!(name(&[0x40; 768], "x"), "nothing");
        assert_eq!(name(&[0x40; 768], "x.PAL"), "PAL", "the decoder will say what is odd about it");
        assert_eq!(name(b"JASC-PAL\r\n0100", "x.pal"), "text palette");
        assert_eq!(name(b"Voxel Animation\0", "x.shp"), "VXL");
        assert_eq!(name(b"FORM\0\0\0\0WVQA", "x"), "VQA");
        assert_eq!(name(b"FORM\0\0\0\0WAVE", "x"), "nothing");
        assert_eq!(name(b"", "x.hva"), "HVA");
        assert_eq!(name(b"", "shp"), "nothing");
        let template: Vec<u8> = [2_u32, 3, 60, 30].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(name(&template, "x.shp"), "TMP (TS)");
        assert_eq!(name(&[24, 0, 24, 0, 1, 0, 1, 0], "x.sno"), "template (TD, RA1)");
        let mix = [
            2, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 2,
            3, 4, 5,
        ];
        assert_eq!(name(&mix, "x"), "MIX");
        assert_eq!(name(&mix[..mix.len() - 1], "x"), "nothing");
        let database = [&[2, 0, 0, 0][..], &b"a.shp\0one\0b.shp\0\0".repeat(5)].concat();
        assert_eq!(name(&database, "x.dat"), "names of all games");
        assert_eq!(name(&database[1..], "x.dat"), "nothing");
        let mut frame = vec![0_u8; 32];
        frame[6] = 1;
        assert_eq!(name(&frame, "x"), "SHP (TS)");
        frame[28] = 33;
        assert_eq!(name(&frame, "x"), "nothing", "its frame begins beyond the end");
    }
}
