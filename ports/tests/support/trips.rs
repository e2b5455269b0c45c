//! What round trips share: how a port is called on made bytes, and bytes that codecs find something in.

use assay_model::{Output, Port};
use assay_ports::assets::hex;
use proptest::prelude::*;
use serde_json::Value;

/// A breakdown, and the attachments.
pub type Given = (Value, Vec<Vec<u8>>);

/// Runs a port on bytes that it must take.
pub fn decode(port: &dyn Port, bytes: &[u8], more: Value) -> Given {
    try_decode(port, bytes, more).unwrap_or_else(|why| panic!("{}: {why}", port.meta().name))
}

/// The same, or why they were refused.
pub fn try_decode(port: &dyn Port, bytes: &[u8], mut more: Value) -> Result<Given, String> {
    more["bytes"] = format!("hex:{}", hex(bytes)).into();
    call(port, &more)
}

/// Runs a port on its arguments.
pub fn call(port: &dyn Port, arguments: &Value) -> Result<Given, String> {
    let mut output = Output::default();
    port.run(arguments.to_string().as_bytes(), &mut output).map_err(|refused| refused.message)?;
    let attachments = output.attachments.into_iter().map(|attachment| attachment.bytes).collect();
    Ok((serde_json::from_slice(&output.json).unwrap(), attachments))
}

/// Bytes in which something comes again: pieces of noise, runs, and pieces of what was before.
pub fn repetitive(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = (0..4_u8, 1..700_usize, any::<prop::sample::Index>(), any::<u8>());
    (prop::collection::vec(piece, 0..24), prop::collection::vec(any::<u8>(), 1..300), any::<bool>()).prop_map(
        move |(pieces, noise, far)| {
            let mut bytes = Vec::new();
            for (what, length, from, value) in pieces {
                match what {
                    0 => bytes.extend(noise.iter().cycle().skip(from.index(300)).take(length % 90)),
                    1 => bytes.extend(std::iter::repeat_n(value & 3, if far { 9 * length } else { length })),
                    2 if !bytes.is_empty() => {
                        let from = from.index(bytes.len());
                        let again: Vec<u8> = bytes[from..].iter().take(length).copied().collect();
                        bytes.extend(again);
                    }
                    _ => bytes.extend((0..length % 40).map(|at| (at as u8).wrapping_mul(value))),
                }
            }
            bytes.truncate(most);
            bytes
        },
    )
}
