//! `assay asset cat`: a file out of an archive, in pieces.

use super::super::{PASS, out};
use super::Cat;
use super::open::entry;
use assay_model::ReadAt;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are copied at a time.
const PIECE: usize = 64 << 10;

pub(super) fn command(cat: &Cat) -> Result<u8, String> {
    let reader = entry(&cat.file, Some(&cat.entry))?;
    let to = cat.out.as_deref().unwrap_or(Path::new("-"));
    out::write(to, &cat.file, &mut |to| copy(&*reader, to))?;
    Ok(PASS)
}

/// Copies everything. The outer error is of the source, the inner one of where it goes.
fn copy(reader: &dyn ReadAt, out: &mut dyn Write) -> Result<io::Result<()>, String> {
    let (mut offset, mut piece) = (0, vec![0; PIECE]);
    while offset < reader.length() {
        let read = reader.read_at(offset, &mut piece).map_err(|why| format!("read it: {}", why.message))?;
        if let Err(error) = out.write_all(&piece[..read]) {
            return Ok(Err(error));
        }
        offset += read as u64;
    }
    Ok(out.flush())
}
