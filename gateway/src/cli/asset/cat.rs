//! `assay asset cat`: a file out of an archive, in pieces.

use super::super::PASS;
use super::Cat;
use super::open::entry;
use assay_model::ReadAt;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal as _, Write};

/// Bytes that are copied at a time.
const PIECE: usize = 64 << 10;

pub(super) fn command(cat: &Cat) -> Result<u8, String> {
    let reader = entry(&cat.file, Some(&cat.entry))?;
    match &cat.out {
        Some(out) => {
            let failed = |error: io::Error| format!("write {}: {error}", out.display());
            copy(&*reader, &mut File::create(out).map_err(failed)?)?.map_err(failed)?;
        }
        None if io::stdout().is_terminal() => {
            return Err("write bytes to a terminal: name a file with --out".to_owned());
        }
        None => match copy(&*reader, &mut io::stdout().lock())? {
            // A reader that left is not told of.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                return Err(format!("write the result: {error}"));
            }
            _ => {}
        },
    }
    Ok(PASS)
}

/// Copies everything. The outer error is of the source, the inner one of where it goes.
fn copy(reader: &dyn ReadAt, out: &mut impl Write) -> Result<io::Result<()>, String> {
    let (mut offset, mut piece) = (0, vec![0; PIECE]);
    while offset < reader.length() {
        let read = reader.read_at(offset, &mut piece).map_err(|why| why.message)?;
        if let Err(error) = out.write_all(&piece[..read]) {
            return Ok(Err(error));
        }
        offset += read as u64;
    }
    Ok(out.flush())
}
