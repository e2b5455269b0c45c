//! What the byte codecs share: a stream that is read command by command, and an output that refers back to itself.

use super::Fault;

/// A stream being decoded.
pub(super) struct Codec<'a> {
    input: &'a [u8],
    /// Bytes read.
    at: usize,
    /// Where the command being done starts; faults say this place.
    command: usize,
    /// What is written; the bytes before `start` are not of this stream.
    output: Vec<u8>,
    start: usize,
    /// Bytes that it may write.
    cap: usize,
}

impl<'a> Codec<'a> {
    /// Begins at byte `at` of a stream that may write `cap` bytes behind `output`.
    pub(super) const fn new(input: &'a [u8], at: usize, output: Vec<u8>, cap: usize) -> Self {
        let start = output.len();
        Self { input, at, command: 0, output, start, cap }
    }

    /// The output, and how many bytes of the stream it took.
    pub(super) fn finish(self) -> (Vec<u8>, usize) {
        (self.output, self.at)
    }

    /// A failure of the command being done.
    pub(super) const fn fault<T>(&self, name: &'static str) -> Result<T, Fault> {
        Err(Fault::new(name, self.command))
    }

    /// The first byte of the next command.
    #[inline]
    pub(super) fn command(&mut self) -> Result<usize, Fault> {
        self.command = self.at;
        self.byte()
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Result<usize, Fault> {
        let Some(byte) = self.input.get(self.at) else { return self.fault("truncated") };
        self.at += 1;
        Ok(usize::from(*byte))
    }

    /// Sixteen bits, the low byte first.
    #[inline]
    pub(super) fn word(&mut self) -> Result<usize, Fault> {
        let low = self.byte()?;
        Ok(low | self.byte()? << 8)
    }

    fn written(&self) -> usize {
        self.output.len() - self.start
    }

    /// Refuses `count` bytes that the output has no room for.
    #[inline]
    fn room(&self, count: usize) -> Result<(), Fault> {
        if count > self.cap - self.written() { self.fault("output_overrun") } else { Ok(()) }
    }

    /// Writes `count` bytes of the stream.
    #[inline]
    pub(super) fn literal(&mut self, count: usize) -> Result<(), Fault> {
        let Some(bytes) = self.input.get(self.at..self.at + count) else { return self.fault("truncated") };
        self.room(count)?;
        self.output.extend_from_slice(bytes);
        self.at += count;
        Ok(())
    }

    /// Writes one byte `count` times.
    #[inline]
    pub(super) fn fill(&mut self, count: usize, value: usize) -> Result<(), Fault> {
        self.room(count)?;
        self.output.resize(self.output.len() + count, value as u8);
        Ok(())
    }

    /// Writes `count` bytes from `distance` back on.
    #[inline]
    pub(super) fn back(&mut self, count: usize, distance: usize) -> Result<(), Fault> {
        match self.written().checked_sub(distance) {
            Some(from) => self.copy(count, from),
            None => self.fault("lookbehind"),
        }
    }

    /// Writes `count` bytes from `from` of what the stream wrote on, also those that this very copy writes. A piece ends where the
    /// output did, and the next is longer.
    #[inline]
    pub(super) fn copy(&mut self, count: usize, from: usize) -> Result<(), Fault> {
        if from >= self.written() {
            return self.fault("lookbehind");
        }
        self.room(count)?;
        let from = self.start + from;
        let mut left = count;
        while left > 0 {
            let piece = left.min(self.output.len() - from);
            self.output.extend_from_within(from..from + piece);
            left -= piece;
        }
        Ok(())
    }
}
