//! Bytes that mean harm: whatever they are, the answer is a result or an error.

use super::archives::{mix, palette, sprite, template};
use assay_gateway::assets::names::Names;
use assay_gateway::assets::{Archive, enter, sniff};
use assay_gateway::media::{SHOWN, shown};
use assay_model::{Output, PortError, ReadAt, Tree};
use proptest::prelude::*;
use std::sync::Arc;

struct Memory(Vec<u8>);

impl ReadAt for Memory {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, PortError> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        let length = buffer.len().min(self.0.len() - start);
        buffer[..length].copy_from_slice(&self.0[start..start + length]);
        Ok(length)
    }
}

fn reader(bytes: Vec<u8>) -> Arc<dyn ReadAt> {
    Arc::new(Memory(bytes))
}

/// A good file with a few bytes changed, and cut or not.
fn spoiled() -> impl Strategy<Value = Vec<u8>> {
    let inner = mix(&[("unittem.pal", &palette()), ("mouse.shp", &sprite())]);
    let good = vec![mix(&[("cache.mix", &inner), ("a.tem", &template())]), sprite(), template(), palette()];
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    (prop::sample::select(good), changes, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(mut bytes, changes, end, cut)| {
            for (place, byte) in changes {
                // Most of what is worth spoiling stands in the first bytes.
                let place = place.index(bytes.len().min(96));
                bytes[place] = byte;
            }
            if cut {
                bytes.truncate(end.index(bytes.len()));
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn archives_names_and_sniffing_survive_anything(bytes in spoiled(), noise in prop::collection::vec(any::<u8>(), 0..400)) {
        for bytes in [bytes, noise] {
            let bytes = reader(bytes);
            let _ = sniff::format(&bytes, "x.shp");
            let _ = Names::default().add_file(&*bytes);
            let _ = enter(Arc::clone(&bytes), "cache.mix").and_then(|inner| enter(inner, "0x1"));
            let Ok(archive) = Archive::open(Arc::clone(&bytes)) else { continue };
            for entry in &archive.list().entries {
                if let Ok(inside) = archive.bytes(entry) {
                    prop_assert!(inside.length() <= bytes.length());
                    let mut last = [0; 4];
                    prop_assert!(inside.read_at(inside.length(), &mut last).is_ok_and(|read| read == 0));
                    let read = inside.read_at(0, &mut last);
                    prop_assert_eq!(read.ok(), Some(inside.length().min(4) as usize));
                }
            }
        }
    }

    #[test]
    fn whatever_decodes_can_be_shown_or_is_refused(bytes in spoiled()) {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let input = format!("{{\"bytes\":\"hex:{digits}\"}}");
        for port in assay_ports::ALL.iter().filter(|port| SHOWN.iter().any(|(name, _)| *name == port.meta().name)) {
            let mut output = Output::default();
            if port.run(input.as_bytes(), &mut output).is_err() {
                continue;
            }
            let breakdown = Tree::from_json(&output.json).unwrap();
            if let Ok(picture) = shown(port.meta().name, &breakdown, &output.attachments, None) {
                prop_assert!(picture.bytes.starts_with(b"\x89PNG") || picture.bytes.starts_with(b"RIFF"));
            }
        }
    }
}

/// The strategy reaches what it is for: some of what it makes still decodes.
#[test]
fn good_files_are_shown() {
    for (name, bytes) in
        [("shp_ts_decode", sprite()), ("tmp_ts_decode", template()), ("pal_decode", palette())]
    {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let port = assay_ports::ALL.iter().find(|port| port.meta().name == name).unwrap();
        let mut output = Output::default();
        port.run(format!("{{\"bytes\":\"hex:{digits}\"}}").as_bytes(), &mut output).unwrap();
        let breakdown = Tree::from_json(&output.json).unwrap();
        let picture = shown(name, &breakdown, &output.attachments, None).unwrap();
        assert_eq!(picture.media_type, "image/png", "{name}");
    }
}
