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
