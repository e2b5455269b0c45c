//! LZO1X: the codec itself, apart from any capability.

use super::{Fault, repeat};
use schemars::JsonSchema;
use serde::Serialize;

/// What a stream held, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commands {
    /// Runs of literals with a command of their own.
    pub runs: u32,
    /// Bytes taken from the stream, in runs and behind matches.
    pub literal_bytes: u32,
    /// Matches of two bytes, after one to three literals.
    pub two: u32,
    /// Matches of three bytes from 2049 to 3072 back, after four literals or more.
    pub three: u32,
    /// Matches of 3 to 8 bytes from up to 2048 back.
    pub near: u32,
    /// Matches from up to 16384 back.
    pub middle: u32,
    /// Matches from 16385 to 49151 back.
    pub far: u32,
}

/// A decoded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The bytes.
    pub output: Vec<u8>,
    /// Bytes of the input up to and with the end mark.
    pub consumed: usize,
    /// What it held.
    pub commands: Commands,
}

struct Decoder<'a> {
    input: &'a [u8],
    at: usize,
    command: usize,
    output: Vec<u8>,
    cap: usize,
    commands: Commands,
}

/// Decodes up to the end mark.
///
/// # Errors
/// `truncated`, `lookbehind` for a match from before the start, `output_overrun` past `cap`, `unterminated` for an end mark
/// with another length than its own.
pub fn decompress(input: &[u8], cap: usize) -> Result<Decoded, Fault> {
    let commands = Commands::default();
    let mut decoder = Decoder { input, at: 0, command: 0, output: Vec::new(), cap, commands };
    // Literals just copied; four stands for more as well.
    let mut literals = 0;
    if let Some(first) = input.first().copied().map(usize::from).filter(|first| *first > 17) {
        decoder.at = 1;
        decoder.run(first - 17)?;
        literals = (first - 17).min(4);
    }
    loop {
        decoder.command = decoder.at;
        let command = decoder.byte()?;
        if command < 16 && literals == 0 {
            let count = decoder.length(command, 15)? + 3;
            decoder.run(count)?;
            literals = 4;
            continue;
        }
        let Some(trailing) = decoder.matched(command, literals)? else { break };
        decoder.literal(trailing)?;
        literals = trailing;
    }
    Ok(Decoded { output: decoder.output, consumed: decoder.at, commands: decoder.commands })
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

    /// A length of the command itself, or, where that is 0, `base`, 255 for every zero byte, and the byte after them.
    fn length(&mut self, given: usize, base: usize) -> Result<usize, Fault> {
        if given > 0 {
            return Ok(given);
        }
        let mut length = base;
        loop {
            match self.byte()? {
                0 => length += 255,
                last => return Ok(length + last),
            }
        }
    }

    fn run(&mut self, count: usize) -> Result<(), Fault> {
        self.commands.runs += 1;
        self.literal(count)
    }

    fn literal(&mut self, count: usize) -> Result<(), Fault> {
        let Some(bytes) = self.input.get(self.at..self.at + count) else { return self.fault("truncated") };
        if count > self.cap - self.output.len() {
            return self.fault("output_overrun");
        }
        self.output.extend_from_slice(bytes);
        self.at += count;
        self.commands.literal_bytes += count as u32;
        Ok(())
    }

    /// A match, and the number of literals behind it; nothing at the end mark.
    fn matched(&mut self, command: usize, literals: usize) -> Result<Option<usize>, Fault> {
        match command {
            0..16 => {
                let distance = (self.byte()? << 2) + (command >> 2) + 1;
                if literals == 4 {
                    self.commands.three += 1;
                    self.copy(3, distance + 2048)?;
                } else {
                    self.commands.two += 1;
                    self.copy(2, distance)?;
                }
                Ok(Some(command & 3))
            }
            16..32 => {
                let count = self.length(command & 7, 7)?;
                let word = self.word()?;
                let distance = (command & 8) << 11 | word >> 2;
                if distance == 0 {
                    return if count == 1 { Ok(None) } else { self.fault("unterminated") };
                }
                self.commands.far += 1;
                self.copy(count + 2, distance + 16_384)?;
                Ok(Some(word & 3))
            }
            32..64 => {
                let count = self.length(command & 31, 31)?;
                let word = self.word()?;
                self.commands.middle += 1;
                self.copy(count + 2, (word >> 2) + 1)?;
                Ok(Some(word & 3))
            }
            _ => {
                let distance = (self.byte()? << 3) + (command >> 2 & 7) + 1;
                self.commands.near += 1;
                self.copy((command >> 5) + 1, distance)?;
                Ok(Some(command & 3))
            }
        }
    }

    /// Copies what was written, also what this very copy writes.
    fn copy(&mut self, count: usize, distance: usize) -> Result<(), Fault> {
        let Some(from) = self.output.len().checked_sub(distance) else { return self.fault("lookbehind") };
        if count > self.cap - self.output.len() {
            return self.fault("output_overrun");
        }
        repeat(&mut self.output, from, count);
        Ok(())
    }
}
