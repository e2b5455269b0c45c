//! LCW, also called Format80: the codec itself, apart from any capability.

use super::Fault;
use super::codec::Codec;
use schemars::JsonSchema;
use serde::Serialize;

/// Commands of a stream by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commands {
    /// Bytes taken from the stream: `0x81` to `0xBF`.
    pub literal: u32,
    /// Copies from up to 4095 bytes back: below `0x80`.
    pub near_copy: u32,
    /// Copies of 3 to 64 bytes by position: `0xC0` to `0xFD`.
    pub copy: u32,
    /// Copies of any length by position: `0xFF`.
    pub long_copy: u32,
    /// Repeats of one byte: `0xFE`.
    pub fill: u32,
}

/// A decoded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The bytes.
    pub output: Vec<u8>,
    /// Bytes of the input up to and with the end mark.
    pub consumed: usize,
    /// Commands before it.
    pub commands: Commands,
}

/// Decodes up to the end mark; `relative` takes the two forms by position as distances back.
///
/// # Errors
/// `truncated` without an end mark, `lookbehind` for a copy from where nothing was written, `output_overrun` past `cap`.
pub fn decompress(input: &[u8], relative: bool, cap: usize) -> Result<Decoded, Fault> {
    decompress_onto(Vec::new(), input, relative, cap)
}

/// The same behind bytes that are there already and that the stream cannot see.
pub(super) fn decompress_onto(
    output: Vec<u8>,
    input: &[u8],
    relative: bool,
    cap: usize,
) -> Result<Decoded, Fault> {
    let start = usize::from(relative && input.first() == Some(&0));
    let mut codec = Codec::new(input, start, output, cap);
    let mut commands = Commands::default();
    loop {
        let command = codec.command()?;
        match command {
            0..0x80 => {
                let distance = (command & 15) << 8 | codec.byte()?;
                codec.back((command >> 4) + 3, distance)?;
                commands.near_copy += 1;
            }
            0x80 => break,
            0x81..0xC0 => {
                codec.literal(command & 63)?;
                commands.literal += 1;
            }
            0xFE => {
                let (count, value) = (codec.word()?, codec.byte()?);
                codec.fill(count, value)?;
                commands.fill += 1;
            }
            0xFF => {
                let (count, place) = (codec.word()?, codec.word()?);
                // Nothing from nowhere is allowed.
                if count > 0 {
                    placed(&mut codec, count, place, relative)?;
                }
                commands.long_copy += 1;
            }
            _ => {
                let place = codec.word()?;
                placed(&mut codec, (command & 63) + 3, place, relative)?;
                commands.copy += 1;
            }
        }
    }
    let (output, consumed) = codec.finish();
    Ok(Decoded { output, consumed, commands })
}

/// A copy whose place is a distance back in the relative form and else counts from the start.
fn placed(codec: &mut Codec<'_>, count: usize, place: usize, relative: bool) -> Result<(), Fault> {
    if relative { codec.back(count, place) } else { codec.copy(count, place) }
}

/// Encodes: greedy, with runs, the last place of every three bytes, and literals. What it gives decodes to `bytes`; other
/// encoders choose other commands.
#[must_use]
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut places = vec![usize::MAX; 1 << 16];
    let (mut output, mut literal, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let run = bytes[at..].iter().take(0xFFFF).take_while(|byte| **byte == bytes[at]).count();
        let (from, length) = longest(bytes, at, &mut places);
        let taken = if run > 4 && run >= length {
            flush(&mut output, &bytes[literal..at]);
            output.extend([0xFE, run as u8, (run >> 8) as u8, bytes[at]]);
            run
        } else if length > 5 {
            flush(&mut output, &bytes[literal..at]);
            output.extend([0xFF, length as u8, (length >> 8) as u8, from as u8, (from >> 8) as u8]);
            length
        } else if (3..=10).contains(&length) && at - from < 0x1000 {
            flush(&mut output, &bytes[literal..at]);
            output.extend([((length - 3) << 4 | (at - from) >> 8) as u8, (at - from) as u8]);
            length
        } else {
            at += 1;
            continue;
        };
        at += taken;
        literal = at;
    }
    flush(&mut output, &bytes[literal..]);
    output.push(0x80);
    output
}

/// Where the three bytes at `at` were last seen, and how far the match goes; 0 without one.
fn longest(bytes: &[u8], at: usize, places: &mut [usize]) -> (usize, usize) {
    let Some([a, b, c]) = bytes.get(at..at + 3) else { return (0, 0) };
    let key = (usize::from(*a) << 8 ^ usize::from(*b) << 4 ^ usize::from(*c)) & 0xFFFF;
    let from = std::mem::replace(&mut places[key], at);
    if from > 0xFFFF {
        return (0, 0);
    }
    let pairs = bytes[from..].iter().zip(&bytes[at..]).take(0xFFFF);
    (from, pairs.take_while(|(before, now)| before == now).count())
}

fn flush(output: &mut Vec<u8>, literals: &[u8]) {
    for run in literals.chunks(63) {
        output.push(0x80 | run.len() as u8);
        output.extend_from_slice(run);
    }
}
