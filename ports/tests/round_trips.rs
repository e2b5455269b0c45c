//! There and back: what the fixtures' encoders write, the ports' decoders read again, whole and to the last byte.
//!
//! The two sides share no code, so a round trip is two readings of one rule.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "support/trips.rs"]
mod trips;

#[path = "round_trips/archives.rs"]
mod archives;
#[path = "round_trips/art.rs"]
mod art;
#[path = "round_trips/codecs.rs"]
mod codecs;
#[path = "round_trips/kinds.rs"]
mod kinds;
#[path = "round_trips/maps.rs"]
mod maps;
#[path = "round_trips/pictures.rs"]
mod pictures;
#[path = "round_trips/sounds.rs"]
mod sounds;
#[path = "round_trips/tables.rs"]
mod tables;
