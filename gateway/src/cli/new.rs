//! `assay new`: skeletons.

use super::arguments::New;
use crate::snapshot::Gateway;

pub(super) fn command(_gateway: &Gateway, _arguments: &New) -> Result<u8, String> {
    Err("failed to run: this command is being written".to_owned())
}
