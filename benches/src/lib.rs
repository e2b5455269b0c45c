//! Benches of ports, search and verification beside their floors.
