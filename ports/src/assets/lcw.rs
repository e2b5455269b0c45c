//! LCW, also called Format80: the codec itself, apart from any capability.

use super::{Fault, repeat};
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

struct Decoder<'a> {
    input: &'a [u8],
    at: usize,
    /// Where the command being done starts.
    command: usize,
    output: Vec<u8>,
    cap: usize,
}

/// Decodes up to the end mark; `relative` takes the two forms by position as distances back.
///
/// # Errors
/// `truncated` without an end mark, `lookbehind` for a copy from where nothing was written, `output_overrun` past `cap`.
pub fn decompress(input: &[u8], relative: bool, cap: usize) -> Result<Decoded, Fault> {
    let start = usize::from(relative && input.first() == Some(&0));
    let mut decoder = Decoder { input, at: start, command: start, output: Vec::new(), cap };
    let mut commands = Commands::default();
    loop {
        decoder.command = decoder.at;
        let command = decoder.byte()?;
        match command {
            0..0x80 => {
                let distance = (command & 15) << 8 | decoder.byte()?;
                decoder.copy((command >> 4) + 3, distance, true)?;
                commands.near_copy += 1;
            }
            0x80 => break,
            0x81..0xC0 => {
                decoder.literal(command & 63)?;
                commands.literal += 1;
            }
            0xFE => {
                let (count, value) = (decoder.word()?, decoder.byte()?);
                decoder.room(count)?;
                decoder.output.resize(decoder.output.len() + count, value as u8);
                commands.fill += 1;
            }
            0xFF => {
                let (count, position) = (decoder.word()?, decoder.word()?);
                decoder.copy(count, position, relative)?;
                commands.long_copy += 1;
            }
            _ => {
                let position = decoder.word()?;
                decoder.copy((command & 63) + 3, position, relative)?;
                commands.copy += 1;
            }
        }
    }
    Ok(Decoded { output: decoder.output, consumed: decoder.at, commands })
}

impl Decoder<'_> {
    fn fault<T>(&self, name: &'static str) -> Result<T, Fault> {
        Err(Fault::new(name, self.command))
    }

    fn byte(&mut self) -> Result<usize, Fault> {
        let Some(byte) = self.input.get(self.at) else { return self.fault("truncated") };
        self.at += 1;
        Ok(usize::from(*byte))
    }

    fn word(&mut self) -> Result<usize, Fault> {
        let low = self.byte()?;
        Ok(low | self.byte()? << 8)
    }

    fn room(&self, count: usize) -> Result<(), Fault> {
        if count > self.cap - self.output.len() { self.fault("output_overrun") } else { Ok(()) }
    }

    fn literal(&mut self, count: usize) -> Result<(), Fault> {
        let Some(bytes) = self.input.get(self.at..self.at + count) else { return self.fault("truncated") };
        self.room(count)?;
        self.output.extend_from_slice(bytes);
        self.at += count;
        Ok(())
    }

    /// Copies what was written, also what this very copy writes.
    fn copy(&mut self, count: usize, place: usize, back: bool) -> Result<(), Fault> {
        let written = self.output.len();
        let from = if back { written.checked_sub(place) } else { Some(place) };
        match from {
            _ if count == 0 => Ok(()),
            Some(from) if from < written => {
                self.room(count)?;
                repeat(&mut self.output, from, count);
                Ok(())
            }
            _ => self.fault("lookbehind"),
        }
    }
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
