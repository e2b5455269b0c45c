//! LZO1X: the codec itself, apart from any capability.

use super::Fault;
use super::codec::Codec;
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
    codec: Codec<'a>,
    commands: Commands,
}

/// Decodes up to the end mark.
///
/// # Errors
/// `truncated`, `lookbehind` for a match from before the start, `output_overrun` past `cap`, `unterminated` for an end mark
/// with another length than its own.
pub fn decompress(input: &[u8], cap: usize) -> Result<Decoded, Fault> {
    decompress_onto(Vec::new(), input, cap)
}

/// The same behind bytes that are there already and that the stream cannot see.
pub(super) fn decompress_onto(output: Vec<u8>, input: &[u8], cap: usize) -> Result<Decoded, Fault> {
    // A first byte above 17 is a run of its own kind, and no command.
    let first = input.first().copied().map(usize::from).filter(|first| *first > 17);
    let codec = Codec::new(input, usize::from(first.is_some()), output, cap);
    let mut decoder = Decoder { codec, commands: Commands::default() };
    // Literals just copied; four stands for more as well.
    let mut literals = 0;
    if let Some(first) = first {
        decoder.run(first - 17)?;
        literals = (first - 17).min(4);
    }
    loop {
        let command = decoder.codec.command()?;
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
    let (output, consumed) = decoder.codec.finish();
    Ok(Decoded { output, consumed, commands: decoder.commands })
}

impl Decoder<'_> {
    /// A length of the command itself, or, where that is 0, `base`, 255 for every zero byte, and the byte after them.
    fn length(&mut self, given: usize, base: usize) -> Result<usize, Fault> {
        if given > 0 {
            return Ok(given);
        }
        let mut length = base;
        loop {
            match self.codec.byte()? {
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
        self.codec.literal(count)?;
        self.commands.literal_bytes += count as u32;
        Ok(())
    }

    /// A match, and the number of literals behind it; nothing at the end mark.
    fn matched(&mut self, command: usize, literals: usize) -> Result<Option<usize>, Fault> {
        match command {
            0..16 => {
                let distance = (self.codec.byte()? << 2) + (command >> 2) + 1;
                if literals == 4 {
                    self.commands.three += 1;
                    self.codec.back(3, distance + 2048)?;
                } else {
                    self.commands.two += 1;
                    self.codec.back(2, distance)?;
                }
                Ok(Some(command & 3))
            }
            16..32 => {
                let count = self.length(command & 7, 7)?;
                let word = self.codec.word()?;
                let distance = (command & 8) << 11 | word >> 2;
                if distance == 0 {
                    return if count == 1 { Ok(None) } else { self.codec.fault("unterminated") };
                }
                self.commands.far += 1;
                self.codec.back(count + 2, distance + 16_384)?;
                Ok(Some(word & 3))
            }
            32..64 => {
                let count = self.length(command & 31, 31)?;
                let word = self.codec.word()?;
                self.commands.middle += 1;
                self.codec.back(count + 2, (word >> 2) + 1)?;
                Ok(Some(word & 3))
            }
            _ => {
                let distance = (self.codec.byte()? << 3) + (command >> 2 & 7) + 1;
                self.commands.near += 1;
                self.codec.back((command >> 5) + 1, distance)?;
                Ok(Some(command & 3))
            }
        }
    }
}
