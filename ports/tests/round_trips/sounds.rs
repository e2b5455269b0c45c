//! Sounds: what was written without a loss comes back, and of the others what the encoder says that a decoder hears.

use crate::trips::{call, decode};
use assay_fixtures::codecs::ima::State;
use assay_fixtures::codecs::westwood;
use assay_fixtures::sounds::aud;
use assay_fixtures::sounds::bag::{self, Form, Sound};
use assay_ports::assets::hex;
use assay_ports::audio::{aud_decode, bag_decode, idx_list};
use proptest::prelude::*;
use serde_json::json;

fn pcm(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

/// Samples that rise and fall, with leaps.
fn wave(most: usize) -> impl Strategy<Value = Vec<i16>> {
    let piece = (any::<i16>(), -600..600_i16, 1..200_usize);
    prop::collection::vec(piece, 0..20).prop_map(move |pieces| {
        let line = |(from, slope, length): (i16, i16, usize)| {
            (0..length).map(move |at| from.saturating_add(slope.saturating_mul(at as i16)))
        };
        let mut samples: Vec<i16> = pieces.into_iter().flat_map(line).collect();
        samples.truncate(most);
        samples
    })
}

/// Samples of 8 bits in which every command of Westwood's finds something: leaps, steps of every size, pauses.
fn low_wave() -> impl Strategy<Value = Vec<u8>> {
    let piece = (0..5_u8, prop::collection::vec(any::<u8>(), 1..80));
    prop::collection::vec(piece, 0..80).prop_map(|pieces| {
        let mut samples: Vec<u8> = Vec::new();
        for (what, bytes) in pieces {
            let mut current = samples.last().copied().unwrap_or(0x80);
            let wide = [1, 4, 16, 32, 256][usize::from(what)];
            for byte in bytes {
                let change = (i16::from(byte) % wide) - wide / 2;
                current = (i16::from(current) + change).clamp(0, 255) as u8;
                samples.push(current);
            }
        }
        samples
    })
}

fn sound() -> impl Strategy<Value = Sound> {
    let form = prop_oneof![
        Just(Form::Plain),
        (2..9_u32).prop_map(|chunk| Form::Ima(8 * chunk)),
        Just(Form::Ima(512))
    ];
    ("[a-z]{1,15}", any::<bool>(), form, wave(3000), 1..48_000_u32).prop_map(
        |(name, stereo, form, mut samples, rate)| {
            if stereo {
                samples.truncate(samples.len() / 2 * 2);
            }
            Sound { name, rate, stereo, form, samples }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn ima(samples in wave(4000), rate in 1..u16::MAX, stereo in any::<bool>()) {
        let samples = if stereo { &samples[..samples.len() / 4 * 4] } else { &samples[..] };
        let (file, heard) = aud::ima(rate, stereo, samples).unwrap();
        prop_assert_eq!(heard.len(), samples.len());
        let (shown, output) = decode(&aud_decode::PORT, &file, json!({}));
        prop_assert!(output[0] == pcm(&heard), "{}", shown);
        let same = [
            ("rate", json!(rate)),
            ("channels", json!(1 + u8::from(stereo))),
            ("bits", json!(16)),
            ("compression", json!(99)),
            ("sums_match", json!(true)),
            ("trailing", json!(0)),
            ("unread", json!(0)),
            ("short_by", json!(0)),
            ("spare", json!(samples.len() % 2)),
        ];
        prop_assert!(same.iter().all(|(key, value)| shown[*key] == *value), "{}", shown);
    }

    #[test]
    fn westwood_without_a_loss(samples in low_wave(), rate in 1..u16::MAX) {
        let file = aud::westwood(rate, &samples).unwrap();
        let wanted: Vec<i16> = samples.iter().map(|sample| (i16::from(*sample) - 128) * 256).collect();
        for clamp in ["running", "written"] {
            let (shown, output) =
                decode(&aud_decode::PORT, &file, json!({ "game": "TD", "westwood_clamp": clamp }));
            prop_assert!(output[0] == pcm(&wanted), "{}", shown);
            let same = [
                ("chunks", json!(samples.len().div_ceil(2048))),
                ("bits", json!(8)),
                ("sums_match", json!(true)),
                ("trailing", json!(0)),
                ("unread", json!(0)),
            ];
            prop_assert!(same.iter().all(|(key, value)| shown[*key] == *value), "{}", shown);
        }
    }

    #[test]
    fn bags(sounds in prop::collection::vec(sound(), 0..6)) {
        let written = bag::encode(&sounds).unwrap();
        let (index, _) = decode(&idx_list::PORT, &written.index, json!({ "bag_size": written.bag.len() }));
        prop_assert_eq!(
            (&index["count"], &index["reach"]),
            (&json!(sounds.len()), &json!(written.bag.len()))
        );
        for (number, (sound, heard)) in sounds.iter().zip(&written.heard).enumerate() {
            let [index, bag] = [&written.index, &written.bag].map(|file| format!("hex:{}", hex(file)));
            let arguments = json!({ "index": index, "bag": bag, "entry": number });
            let (shown, output) = call(&bag_decode::PORT, &arguments).map_err(TestCaseError::fail)?;
            prop_assert!(output[0] == pcm(heard), "{}", shown);
            prop_assert_eq!(&shown["unread"], &json!(0));
            prop_assert_eq!(
                (&shown["entry"]["name"], &shown["entry"]["rate"]),
                (&json!(sound.name), &json!(sound.rate))
            );
            prop_assert!(heard.len() >= sound.samples.len());
            prop_assert!(sound.form != Form::Plain || *heard == sound.samples);
        }
    }

    /// Once the step fits, what is heard is never further from a sample than the step was.
    #[test]
    fn ima_comes_near(start in any::<i16>(), slope in -40..40_i16) {
        let mut state = State { predictor: start, index: 30 };
        for at in 0..200_i16 {
            let sample = start.saturating_add(slope.saturating_mul(at));
            state.nibble(sample);
            prop_assert!(
                i32::from(sample).abs_diff(state.predictor.into()) < 150,
                "{} for {}",
                state.predictor,
                sample
            );
        }
    }
}

/// Every command of Westwood's, by its first bits.
#[test]
fn westwood_has_every_command() {
    let streams: [(&[u8], &[u8]); 5] = [
        (&[0x80; 64], &[0xFF]),
        (&[0x7E, 0x7D, 0x7D, 0x7E], &[0x00, 0xE4]),
        (&[0x7F, 0x76, 0x6D, 0x75], &[0x41, 0x07, 0xF0]),
        (&[0x8F], &[0xAF]),
        (&[1, 200, 3], &[0x82, 1, 200, 3]),
    ];
    for (samples, stream) in streams {
        assert_eq!(westwood::encode(samples), stream, "{samples:?}");
    }
    assert!(westwood::encode(&[]).is_empty());
}

#[test]
fn sounds_have_limits() {
    assert!(aud::ima(1, true, &[0; 6]).unwrap_err().to_string().contains("there have to be 4"));
    let sound = |name: &str, stereo, form, count| Sound {
        name: name.to_owned(),
        rate: 1,
        stereo,
        form,
        samples: vec![0; count],
    };
    let refused = |sound: Sound| bag::encode(&[sound]).unwrap_err().to_string();
    assert!(refused(sound("a name of 17 byte", false, Form::Plain, 1)).contains("at most 16"));
    assert!(refused(sound("a", true, Form::Plain, 3)).contains("there have to be 2"));
    for (stereo, chunk) in [(false, 4), (true, 15), (true, 20), (false, 0)] {
        assert!(
            refused(sound("a", stereo, Form::Ima(chunk), 2)).contains("must hold a head and a step"),
            "{chunk}"
        );
    }
    assert!(refused(sound("a", false, Form::Ima(u32::MAX), 2)).contains("at most 65535"));
    assert!(bag::encode(&[sound("a name of 16 byt", false, Form::Ima(5), 7)]).is_ok());
}
