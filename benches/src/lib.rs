//! Benches of ports, search and verification, each beside its floor: the same work in a bare loop over typed inputs.
//!
//! `cargo bench -p assay-benches` prints both; the ratio is what the machinery around a port costs. Wall time is for
//! people and gates nothing.
