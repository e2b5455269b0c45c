//! What a file is, and which capabilities decode it.
//!
//! `asset_sniff` says of which kind the bytes are. Here stands what it has no kind for, a mark or an extension, and one row
//! a format. A decoder that is registered later needs its name in a row here and nothing else; a name that no registry has
//! is passed over.

use assay_model::{Bytes, Game, ReadAt};
use assay_ports::assets::asset_sniff::{AssetKind, AssetSniffInput, asset_sniff};
use assay_ports::assets::ini_text::Ini;
use std::sync::Arc;

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
    /// The stage that is false when the file is damaged, and left out when it has nothing to be held to.
    pub holds: Option<&'static str>,
}

/// A file format.
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// Extensions, in lower case.
    pub extensions: &'static [&'static str],
    /// What it is known by.
    known: Known,
    /// What decodes it.
    pub decoders: &'static [Decoder],
}

/// What a format is known by.
enum Known {
    /// The kind that `asset_sniff` gives.
    Kind(AssetKind),
    /// INI text with this section.
    Section(&'static str),
    /// A mark in bytes that are of no kind.
    Mark(fn(&Probe<'_>) -> bool),
    /// Its extension alone.
    Name,
}

/// A capability that takes the whole file as `bytes`.
const fn whole(capability: &'static str) -> Decoder {
    Decoder { capability, arguments: &[("bytes", Origin::File(0))], each: None, absent: None, holds: None }
}

/// All formats. Of several that fit, one whose extension the file has wins, else the first.
pub static FORMATS: &[Format] = &[
    Format {
        name: "VXL",
        extensions: &["vxl"],
        known: Known::Kind(AssetKind::Vxl),
        decoders: &[whole("vxl_decode")],
    },
    Format {
        name: "CSF",
        extensions: &["csf"],
        known: Known::Kind(AssetKind::Csf),
        decoders: &[whole("csf_decode")],
    },
    Format {
        name: "IDX",
        extensions: &["idx"],
        known: Known::Kind(AssetKind::Idx),
        decoders: &[
            whole("idx_list"),
            Decoder {
                capability: "bag_decode",
                arguments: &[("index", Origin::File(0)), ("bag", Origin::Beside("bag"))],
                each: Some("entry"),
                absent: None,
                holds: None,
            },
        ],
    },
    // Those of TD and TS have no mark.
    Format {
        name: "FNT",
        extensions: &["fnt"],
        known: Known::Kind(AssetKind::Fnt),
        decoders: &[whole("fnt_decode")],
    },
    Format {
        name: "VQA",
        extensions: &["vqa"],
        known: Known::Kind(AssetKind::Vqa),
        decoders: &[whole("vqa_header")],
    },
    Format { name: "Bink", extensions: &["bik"], known: Known::Kind(AssetKind::Bink), decoders: &[] },
    Format { name: "WAV", extensions: &["wav"], known: Known::Kind(AssetKind::Wav), decoders: &[] },
    Format {
        name: "text palette",
        extensions: &[],
        known: Known::Kind(AssetKind::TextPalette),
        decoders: &[whole("pal_decode")],
    },
    Format {
        name: "names of an archive",
        extensions: &[],
        known: Known::Kind(AssetKind::XccDatabase),
        decoders: &[whole("xcc_local_db")],
    },
    Format {
        name: "PCX",
        extensions: &["pcx"],
        known: Known::Kind(AssetKind::Pcx),
        decoders: &[whole("pcx_decode")],
    },
    Format {
        name: "saved game",
        extensions: &["sav"],
        known: Known::Kind(AssetKind::Save),
        decoders: &[whole("save_inspect")],
    },
    Format {
        name: "PAL",
        extensions: &["pal"],
        known: Known::Kind(AssetKind::Pal),
        decoders: &[whole("pal_decode")],
    },
    Format {
        name: "TMP (TS)",
        extensions: &["tem", "sno", "urb", "des", "lun", "ubn"],
        known: Known::Kind(AssetKind::TmpTs),
        decoders: &[whole("tmp_ts_decode")],
    },
    Format {
        name: "SHP (TS)",
        extensions: &["shp", "sha"],
        known: Known::Kind(AssetKind::ShpTs),
        decoders: &[whole("shp_ts_decode")],
    },
    Format {
        name: "SHP (TD)",
        extensions: &[],
        known: Known::Kind(AssetKind::ShpTd),
        decoders: &[whole("shp_td_decode")],
    },
    Format {
        name: "MIX",
        extensions: &["mix", "mmx", "yro"],
        known: Known::Kind(AssetKind::Mix),
        decoders: &[whole("mix_list"), Decoder { holds: Some("match"), ..whole("mix_checksum") }],
    },
    Format {
        name: "AUD",
        extensions: &["aud"],
        known: Known::Kind(AssetKind::Aud),
        decoders: &[whole("aud_decode")],
    },
    Format { name: "INI", extensions: &["ini"], known: Known::Kind(AssetKind::Ini), decoders: &[] },
    Format {
        name: "map",
        extensions: &["map", "mpr", "yrm"],
        known: Known::Section("IsoMapPack5"),
        decoders: &[
            whole("map_isomappack"),
            whole("map_overlay"),
            Decoder { absent: Some("no_preview"), ..whole("map_preview") },
            whole("map_objects"),
            whole("map_tubes"),
            whole("map_digest"),
        ],
    },
    Format {
        name: "list of maps",
        extensions: &["pkt"],
        known: Known::Section("MultiMaps"),
        decoders: &[whole("pkt_list")],
    },
    Format {
        name: "settings of a random map",
        extensions: &[],
        known: Known::Section("RandomMap"),
        decoders: &[whole("randmap_sed")],
    },
    Format {
        name: "list of sounds",
        extensions: &[],
        known: Known::Section("SoundList"),
        decoders: &[whole("sound_ini_list")],
    },
    // What stands before the index of an encrypted archive: flags and key source, and nothing more.
    Format {
        name: "key of an archive",
        extensions: &[],
        known: Known::Mark(|p| p.0.length() == 84 && (p.u16(0), p.u16(2)) == (Some(0), Some(2))),
        decoders: &[Decoder {
            capability: "mix_key",
            arguments: &[("source", Origin::File(4))],
            each: None,
            absent: None,
            holds: None,
        }],
    },
    // Under the same extensions as those of TS; its pixels are 24 by 24.
    Format {
        name: "template (TD, RA1)",
        extensions: &["win"],
        known: Known::Mark(|p| {
            (p.u16(0), p.u16(2)) == (Some(24), Some(24)) && p.u16(4).is_some_and(|count| count > 0)
        }),
        decoders: &[],
    },
    Format {
        name: "names of all games",
        extensions: &[],
        known: Known::Mark(names),
        decoders: &[whole("xcc_global_db")],
    },
    Format { name: "HVA", extensions: &["hva"], known: Known::Name, decoders: &[whole("hva_decode")] },
    Format { name: "VPL", extensions: &["vpl"], known: Known::Name, decoders: &[whole("vpl_decode")] },
];

/// The format of some bytes under a name: by their kind or, in text, by a section, else by a mark, else by the extension.
#[must_use]
pub fn format(bytes: &Arc<dyn ReadAt>, name: &str) -> Option<&'static Format> {
    let named = |format: &&Format| format.extends(name);
    let kind = kind(bytes);
    let of_kind = |format: &&Format| matches!(format.known, Known::Kind(known) if known == kind);
    if kind == AssetKind::Ini {
        let own = |format: &&Format| matches!(format.known, Known::Section(_)) && format.extends(name);
        let all = || FORMATS.iter();
        return all().find(own).or_else(|| by_section(bytes)).or_else(|| all().find(of_kind));
    }
    let probe = Probe(&**bytes);
    let marked = |format: &&Format| matches!(format.known, Known::Mark(mark) if mark(&probe));
    let mut all = [&of_kind as &dyn Fn(&&Format) -> bool, &marked, &named].into_iter();
    all.find_map(|wanted| FORMATS.iter().find(wanted))
}

/// The first format that has one of its sections in a text.
fn by_section(text: &Arc<dyn ReadAt>) -> Option<&'static Format> {
    let text = Bytes::Reader(Arc::clone(text));
    let text = text.range(0, usize::try_from(text.length()).ok()?).ok()?;
    let sections = Ini::parse(&text).sections;
    let has = |name: &str| sections.iter().any(|section| section.name.eq_ignore_ascii_case(name.as_bytes()));
    FORMATS.iter().find(|format| matches!(format.known, Known::Section(name) if has(name)))
}

/// What the capability says. The three games are alike, and what cannot be read is of no kind.
fn kind(bytes: &Arc<dyn ReadAt>) -> AssetKind {
    let input = AssetSniffInput { game: Game::Yr, bytes: Bytes::Reader(Arc::clone(bytes)) };
    asset_sniff(&input).map_or(AssetKind::Unknown, |sniffed| sniffed.kind)
}

impl Format {
    /// Whether it is INI text.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self.known, Known::Kind(AssetKind::Ini) | Known::Section(_))
    }

    /// Whether a file of this name has an extension of the format.
    fn extends(&self, name: &str) -> bool {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        extension.is_some_and(|extension| self.extensions.contains(&extension.as_str()))
    }
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
}

/// A count, and after it text in which every name and every description ends in 0.
fn names(probe: &Probe<'_>) -> bool {
    let text =
        |bytes: [u8; 64]| bytes.contains(&0) && bytes.iter().all(|byte| matches!(byte, 0 | b' '..=b'~'));
    probe.u32(0).is_some_and(|count| (1..1 << 20).contains(&count)) && probe.array(4).is_some_and(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_model::PortError;
    use std::sync::atomic::{AtomicU64, Ordering};

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
        let bytes: Arc<dyn ReadAt> = Arc::new(Memory(bytes.to_vec()));
        format(&bytes, file).map_or("nothing", |format| format.name)
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
        let text = b"; rules\n[General]\n";
        assert_eq!((name(text, "x.ini"), name(text, "0x1"), name(text, "a.MPR")), ("INI", "INI", "map"));
        assert_eq!(name(b"[Map]\n[IsoMapPack5]\n", "0x1"), "map", "whatever it is called");
        assert_eq!(name(b"[SoundList]\n1=A\n", "x.ini"), "list of sounds");
        assert_eq!(name(b"[MultiMaps]\n1=A\n", "x.map"), "map", "its decoders will say what is missing");
        assert_eq!(name(b"[MultiMaps]\n1=A\n", "0x2"), "list of maps");
        assert_eq!(name(b"rules", "x.map"), "map", "its decoders will say what is missing");
        let key = [&[0, 0, 2, 0][..], &[1; 80]].concat();
        assert_eq!((name(&key, "x"), name(&key[..83], "x")), ("key of an archive", "nothing"));
    }

    #[test]
    fn every_kind_has_its_row() {
        let template: Vec<u8> = [1_u32, 1, 48, 24].iter().flat_map(|word| word.to_le_bytes()).collect();
        let old_sprite = [&[1, 0][..], &[1; 12], &[2; 8], &[38, 0, 0, 0], &[0; 12]].concat();
        let sound = [&[1; 16][..], &[0xAF, 0xDE, 0, 0]].concat();
        let rows: [(&[u8], &str); 18] = [
            (b"Voxel Animation\0", "VXL"),
            (b" FSC", "CSF"),
            (b"GABA", "IDX"),
            (b"fonT", "FNT"),
            (b"FORM\0\0\0\0WVQA", "VQA"),
            (b"BIKi", "Bink"),
            (b"RIFF", "WAV"),
            (b"JASC-PAL", "text palette"),
            (b"XCC by Olaf", "names of an archive"),
            (&[10, 5, 1, 8], "PCX"),
            (&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "saved game"),
            (&[0; 768], "PAL"),
            (&template, "TMP (TS)"),
            (&[&[0; 6][..], &[1, 0], &[0; 24]].concat(), "SHP (TS)"),
            (&old_sprite, "SHP (TD)"),
            (&[0; 10], "MIX"),
            (&sound, "AUD"),
            (b"[A]", "INI"),
        ];
        for (bytes, row) in rows {
            assert_eq!(name(bytes, "x"), row);
        }
    }

    /// Everything, and how many bytes of it were read.
    struct Counted(Memory, AtomicU64);

    impl ReadAt for Counted {
        fn length(&self) -> u64 {
            self.0.length()
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
            let read = self.0.read_at(offset, buffer)?;
            self.1.fetch_add(read as u64, Ordering::Relaxed);
            Ok(read)
        }
    }

    #[test]
    fn the_index_of_an_archive_is_read_once_and_its_body_never() {
        let index = 12 * 0xFFFF;
        for flags in [&[][..], &[0; 4]] {
            // 65,535 empty files, and a body that belongs to none of them.
            let head = [flags, &[0xFF, 0xFF, 0, 0, 0x20, 0]].concat();
            let bytes = [head, vec![0; index + (0x20 << 16)]].concat();
            let counted = Arc::new(Counted(Memory(bytes), AtomicU64::new(0)));
            let reader: Arc<dyn ReadAt> = Arc::clone(&counted) as _;
            assert_eq!(format(&reader, "x").map(|format| format.name), Some("MIX"));
            let read = counted.1.load(Ordering::Relaxed);
            assert!((index as u64..index as u64 + 1024).contains(&read), "{read} bytes were read");
        }
    }

    #[test]
    fn of_what_is_no_text_little_is_read() {
        let counted = Arc::new(Counted(Memory(vec![1; 16 << 20]), AtomicU64::new(0)));
        let reader: Arc<dyn ReadAt> = Arc::clone(&counted) as _;
        assert!(format(&reader, "x").is_none());
        let read = counted.1.load(Ordering::Relaxed);
        assert!(read < 16 << 10, "{read} bytes were read");
    }
}
