//! `assay strength`: what the golden cases catch.

use super::arguments::Strength;
use crate::snapshot::Gateway;

pub(super) fn command(_gateway: &Gateway, _arguments: &Strength) -> Result<u8, String> {
    Err("failed to run: this command is being written".to_owned())
}
