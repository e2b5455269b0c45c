//! File formats and codecs: bytes in, a description out, decoded bytes as an attachment.

use assay_model::{Attachment, Bytes, Errno, Game, PortError};

pub mod asset_sniff;
mod base64;
pub mod blowfish;
pub mod blowfish_ecb;
mod codec;
pub mod compute_voxel_place;
pub(crate) mod crc;
pub mod csf_decode;
pub mod csf_fold;
pub mod csf_lookup;
pub mod fnt_decode;
pub mod format40;
pub mod format40_apply;
pub mod hva_decode;
pub mod ini_text;
pub mod inspect_file_search;
pub mod inspect_voxel_normal;
pub mod lcw;
pub mod lcw_decompress;
pub mod lzo;
pub mod lzo1x_decompress;
pub mod map_digest;
pub mod map_isomappack;
pub mod map_objects;
pub mod map_overlay;
pub mod map_preview;
pub mod map_tubes;
pub mod mix_checksum;
pub mod mix_id;
pub mod mix_key;
pub mod mix_list;
pub mod mix_retrieve;
pub mod pack_chunks;
pub mod pal_decode;
pub mod pcx_decode;
pub mod pi_table;
pub mod pkt_list;
pub mod randmap_sed;
pub mod save_inspect;
pub mod sha1;
pub mod shp_td_decode;
pub mod shp_ts_decode;
pub mod shp_ts_list;
pub(crate) mod source;
pub mod tmp_ts_decode;
pub mod voxel_normals;
pub mod vpl_decode;
pub mod vpl_shade;
pub mod vqa_header;
pub mod vxl_decode;
pub mod vxl_inspect;
pub mod xcc_global_db;
pub mod xcc_local_db;
pub mod zero_run_row;

/// Most bytes that a decoder takes as a whole: 32 MiB.
pub const MAX_INPUT: u64 = 32 << 20;

/// Most bytes that a caller may ask a codec to write: 64 MiB.
const MAX_OUTPUT: u32 = 64 << 20;

/// What a codec writes at most unless it is told: 16 MiB.
fn usual_output() -> u32 {
    16 << 20
}

/// The bytes that a codec may write.
///
/// # Errors
/// `EINVAL` at `max_output` beyond [`MAX_OUTPUT`].
fn output_cap(max_output: u32) -> Result<usize, PortError> {
    if max_output > MAX_OUTPUT {
        return Err(PortError::invalid("max_output", format!("must be at most {MAX_OUTPUT}")));
    }
    Ok(max_output as usize)
}

/// Holds what a stream gave against the size that a header states.
///
/// # Errors
/// `EINVAL` at `expected_len` for another size.
fn of_stated_size(output: &[u8], expected: Option<u32>) -> Result<u32, PortError> {
    let length = output.len() as u32;
    if expected.is_some_and(|expected| expected != length) {
        return Err(PortError::invalid("expected_len", format!("size_mismatch: the stream has {length}")));
    }
    Ok(length)
}

/// Why a stream cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the failure, one word: `truncated`, `lookbehind` and so on.
    pub name: &'static str,
    /// Offset in the input of the command or field concerned.
    pub at: usize,
}

impl Fault {
    /// A failure at an offset of the input.
    #[must_use]
    pub const fn new(name: &'static str, at: usize) -> Self {
        Self { name, at }
    }

    /// The same as what a port says of its argument `field`.
    #[must_use]
    pub fn refusal(&self, field: &str) -> PortError {
        PortError::invalid(field, format!("{}: at byte {} of the input", self.name, self.at))
    }
}

/// All bytes of an argument.
///
/// # Errors
/// `EFBIG` at `field` beyond `limit` bytes; what the source says when it cannot be read.
pub fn whole(bytes: &Bytes, field: &str, limit: u64) -> Result<Vec<u8>, PortError> {
    if bytes.length() > limit {
        let message = format!("{} bytes are more than {limit}", bytes.length());
        return Err(PortError { errno: Errno::Efbig, field: field.to_owned(), message });
    }
    bytes.range(0, bytes.length() as usize)
}

/// Decoded bytes as an artefact.
#[must_use]
pub fn artefact(name: &str, bytes: &[u8]) -> Attachment {
    Attachment {
        name: name.to_owned(),
        media_type: "application/octet-stream".to_owned(),
        bytes: bytes.to_vec(),
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The game of an input that names none.
fn yr() -> Game {
    Game::Yr
}
