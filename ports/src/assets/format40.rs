//! Format40, the XOR delta: the codec itself, apart from any capability.

use super::Fault;
use schemars::JsonSchema;
use serde::Serialize;

/// Commands of a delta by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Commands {
    /// Bytes of the delta over bytes of the frame: `0x01` to `0x7F`, and the long form.
    pub literal: u32,
    /// One byte over many: `0x00`, and the long form.
    pub fill: u32,
    /// Bytes that stay: `0x81` to `0xFF`, and the long form.
    pub skip: u32,
}

/// What a delta did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Bytes of the delta up to and with the end mark.
    pub consumed: usize,
    /// Where the cursor stood at the end.
    pub cursor: usize,
    /// Commands before it.
    pub commands: Commands,
}

struct Delta<'a> {
    delta: &'a [u8],
    at: usize,
    command: usize,
    frame: &'a mut [u8],
    cursor: usize,
}

/// Applies a delta to a frame in place.
///
/// # Errors
/// `truncated` for a delta without an end mark or with fewer bytes than a command asks for, `output_overrun` for a cursor past
/// the frame. The frame is then half done.
pub fn apply(frame: &mut [u8], delta: &[u8]) -> Result<Applied, Fault> {
    let mut state = Delta { delta, at: 0, command: 0, frame, cursor: 0 };
    let mut commands = Commands::default();
    loop {
        state.command = state.at;
        match state.byte()? {
            0 => {
                let (count, value) = (state.byte()?, state.byte()?);
                state.fill(count, value as u8)?;
                commands.fill += 1;
            }
            count @ 1..0x80 => {
                state.literal(count)?;
                commands.literal += 1;
            }
            0x80 => match state.byte()? | state.byte()? << 8 {
                0 => break,
                count @ 1..0x8000 => {
                    state.reach(count)?;
                    commands.skip += 1;
                }
                count @ 0x8000..0xC000 => {
                    state.literal(count & 0x3FFF)?;
                    commands.literal += 1;
                }
                count => {
                    let value = state.byte()?;
                    state.fill(count & 0x3FFF, value as u8)?;
                    commands.fill += 1;
                }
            },
            count => {
                state.reach(count & 0x7F)?;
                commands.skip += 1;
            }
        }
    }
    Ok(Applied { consumed: state.at, cursor: state.cursor, commands })
}

impl Delta<'_> {
    fn byte(&mut self) -> Result<usize, Fault> {
        let byte = self.delta.get(self.at).ok_or(Fault::new("truncated", self.command))?;
        self.at += 1;
        Ok(usize::from(*byte))
    }

    /// The next bytes of the frame; the cursor moves behind them.
    fn reach(&mut self, count: usize) -> Result<&mut [u8], Fault> {
        let start = self.cursor;
        self.cursor += count;
        self.frame.get_mut(start..start + count).ok_or(Fault::new("output_overrun", self.command))
    }

    fn fill(&mut self, count: usize, value: u8) -> Result<(), Fault> {
        self.reach(count)?.iter_mut().for_each(|byte| *byte ^= value);
        Ok(())
    }

    fn literal(&mut self, count: usize) -> Result<(), Fault> {
        let delta = self.delta;
        let bytes = delta.get(self.at..self.at + count).ok_or(Fault::new("truncated", self.command))?;
        self.at += count;
        self.reach(count)?.iter_mut().zip(bytes).for_each(|(byte, with)| *byte ^= with);
        Ok(())
    }
}
