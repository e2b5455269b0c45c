//! The sound codec of Westwood from 1992 on, eight bits a sample. The codec itself, apart from any capability.

use crate::assets::source::fault;
use assay_model::PortError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What two bits add.
const TWO_BITS: [i32; 4] = [-2, -1, 0, 1];

/// What four bits add.
const FOUR_BITS: [i32; 16] = [-9, -8, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 8];

/// What becomes of a value that leaves 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clamp {
    /// As RA1 does: after a step of two or four bits it is held and goes on from there, after one of five bits it wraps round
    /// (clamp.1).
    #[default]
    Program,
    /// As some readers do: it is always held, and goes on from there.
    Running,
    /// As other readers do: the sample alone is held, and the value goes on beyond the range.
    Written,
}

/// A chunk on its way out.
pub struct Decoder<'a> {
    rest: &'a [u8],
    current: i32,
    wanted: usize,
    clamp: Clamp,
    /// The samples, 0 to 255, silence at 128.
    pub output: Vec<u8>,
    /// Samples that were held at an end of the range.
    pub clamped: u64,
    /// Samples that wrapped round.
    pub wrapped: u64,
}

impl<'a> Decoder<'a> {
    /// A chunk of `data` that should give `wanted` samples.
    #[must_use]
    pub fn new(data: &'a [u8], wanted: usize, clamp: Clamp) -> Self {
        let output = Vec::with_capacity(wanted);
        Self { rest: data, current: 0x80, wanted, clamp, output, clamped: 0, wrapped: 0 }
    }

    /// Decodes until the samples are there, and gives the bytes left over.
    ///
    /// # Errors
    /// `truncated` for a command without its data, `output_overrun` for more samples than the chunk says, `size_mismatch` for
    /// fewer.
    pub fn run(&mut self) -> Result<usize, PortError> {
        // Equal sizes mean a chunk that is not packed (copy.1).
        if self.rest.len() == self.wanted {
            self.output.extend_from_slice(self.rest);
            return Ok(0);
        }
        while self.output.len() < self.wanted {
            let Some((command, rest)) = self.rest.split_first() else {
                let message = format!("{} samples of {}", self.output.len(), self.wanted);
                return Err(fault("size_mismatch", message));
            };
            self.rest = rest;
            self.command(*command)?;
        }
        Ok(self.rest.len())
    }

    fn command(&mut self, command: u8) -> Result<(), PortError> {
        let count = usize::from(command & 0x3F) + 1;
        match command >> 6 {
            0 => {
                self.room(4 * count)?;
                for byte in self.take(count)? {
                    for shift in [0, 2, 4, 6] {
                        self.step(TWO_BITS[usize::from(byte >> shift & 3)]);
                    }
                }
            }
            1 => {
                self.room(2 * count)?;
                for byte in self.take(count)? {
                    self.step(FOUR_BITS[usize::from(byte & 15)]);
                    self.step(FOUR_BITS[usize::from(byte >> 4)]);
                }
            }
            // Five bits with a sign; a sample was wanted, so there is room for one.
            2 if command & 0x20 != 0 => self.single(i32::from((command << 3).cast_signed() >> 3)),
            2 => {
                self.room(count)?;
                let bytes = self.take(count)?;
                self.output.extend_from_slice(bytes);
                self.current = bytes.last().map_or(self.current, |byte| i32::from(*byte));
            }
            _ => {
                self.room(count)?;
                for _ in 0..count {
                    self.step(0);
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, add: i32) {
        let wanted = self.current + add;
        let held = wanted.clamp(0, 255);
        self.clamped += u64::from(held != wanted);
        self.current = if self.clamp == Clamp::Written { wanted } else { held };
        self.output.push(held as u8);
    }

    /// A step of five bits: the one that the program adds without a look at the carry.
    fn single(&mut self, add: i32) {
        if self.clamp != Clamp::Program {
            return self.step(add);
        }
        let round = (self.current + add) as u8;
        self.wrapped += u64::from(i32::from(round) != self.current + add);
        self.current = i32::from(round);
        self.output.push(round);
    }

    fn room(&self, count: usize) -> Result<(), PortError> {
        if self.output.len() + count > self.wanted {
            return Err(fault(
                "output_overrun",
                format!("more samples than the {} of the chunk", self.wanted),
            ));
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], PortError> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(fault("truncated", "a command asks for more bytes than the chunk has"));
        };
        self.rest = rest;
        Ok(bytes)
    }
}
