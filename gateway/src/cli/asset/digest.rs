//! The digests that tables have of what decodes.

use super::open::{Reader, whole};
use assay_model::{Attachment, Tree};
use assay_ports::assets::ini_text::Ini;
use assay_ports::assets::{MAX_INPUT, hex, sha1::sha1};

/// SHA-1 of everything that came out. What has no attachment is digested by what it says, where a table of digests does so.
pub(super) fn of(capability: &str, breakdown: &Tree, attachments: &[Attachment]) -> Vec<String> {
    if let Some(said) = said(capability, breakdown) {
        return vec![hex(&sha1(&said))];
    }
    let mut found: Vec<String> = attachments.iter().map(|attachment| hex(&sha1(&attachment.bytes))).collect();
    // A codec of eight bits comes out as sixteen here, and tables may have it as it is.
    if let (Some(Tree::Int(8)), [sound]) = (breakdown.get("bits"), attachments) {
        let bytes: Vec<u8> = sound.bytes.as_chunks::<2>().0.iter().map(|[_, high]| high ^ 0x80).collect();
        found.push(hex(&sha1(&bytes)));
    }
    found
}

/// What a table digests of a breakdown: the index of an archive as three words an entry, the names of a bag, a key.
fn said(capability: &str, breakdown: &Tree) -> Option<Vec<u8>> {
    let entries = || match breakdown.get("entries") {
        Some(Tree::List(entries)) => Some(entries.iter()),
        _ => None,
    };
    match capability {
        "mix_list" => {
            let words = entries()?.flat_map(|entry| ["id", "offset", "size"].map(|name| entry.get(name)));
            let words = words.flat_map(|word| match word {
                Some(Tree::Int(word)) => u32::try_from(*word).unwrap_or(0).to_le_bytes(),
                _ => [0; 4],
            });
            Some(words.collect())
        }
        "idx_list" => {
            let names = entries()?.filter_map(|entry| entry.get("name").and_then(Tree::as_str));
            Some(names.flat_map(|name| (name.to_lowercase() + "\n").into_bytes()).collect())
        }
        "mix_key" => {
            let digits = breakdown.get("key_hex").and_then(Tree::as_str)?.as_bytes();
            let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
            Some(
                digits.as_chunks::<2>().0.iter().map(|[high, low]| value(*high) << 4 | value(*low)).collect(),
            )
        }
        _ => None,
    }
}

/// SHA-1 of INI text: `[name]` a line, and `key=value` a line for each of its keys, without comments and blanks around
/// them, in the order of the file and in its characters.
///
/// # Errors
/// It has more than 32 MiB, or cannot be read.
pub(super) fn ini(reader: &Reader) -> Result<String, String> {
    let file = whole(&**reader, MAX_INPUT)?;
    let mut said = Vec::with_capacity(file.len());
    for section in Ini::parse(&file).sections {
        said.extend([b"[", section.name.trim_ascii(), b"]\n"].concat());
        for (key, value) in section.entries {
            said.extend([key, b"=", value, b"\n"].concat());
        }
    }
    Ok(hex(&sha1(&said)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_model::{PortError, ReadAt};
    use std::sync::Arc;

    #[test]
    fn sounds_of_eight_bits_have_the_digest_of_their_codec_too() {
        let breakdown = Tree::from_json(br#"{"bits":8}"#).unwrap();
        let bytes = vec![0, 0x80, 0, 0x7f];
        let sound = Attachment { name: "pcm".to_owned(), media_type: String::new(), bytes: bytes.clone() };
        let found = of("x_decode", &breakdown, &[sound]);
        assert_eq!(found, [hex(&sha1(&bytes)), hex(&sha1(&[0, 0xff]))]);
    }

    struct Memory(&'static [u8]);
    impl ReadAt for Memory {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&self, _: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
            buffer.copy_from_slice(self.0);
            Ok(buffer.len())
        }
    }

    #[test]
    fn ini_text_has_the_digest_of_its_bare_lines() {
        let text = b"lost=1\r\n[ A ] ;x\r\nk = v ; c\n=z\nq=\n[a]b\nk=2\nk=\xe4=3";
        let bare = b"[A]\nk=v\nq=\n[a]\nk=2\nk=\xe4=3\n";
        let reader: Reader = Arc::new(Memory(text));
        assert_eq!(ini(&reader).unwrap(), hex(&sha1(bare)));
    }
}
