//! Fuzzes the decoder that `ASSAY_DECODER` names.

#![no_main]

use assay_fuzz::Decoder;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static DECODER: LazyLock<Decoder> = LazyLock::new(|| {
    let name = std::env::var("ASSAY_DECODER").expect("ASSAY_DECODER names a decoder");
    let named = Decoder::all().into_iter().find(|decoder| decoder.name() == name);
    named.unwrap_or_else(|| panic!("ASSAY_DECODER={name} takes no bytes or is not registered"))
});

fuzz_target!(|data: &[u8]| DECODER.run(data));
