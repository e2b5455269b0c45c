//! Specs, sources, tiers and the exact derivation interpreter: the judge that never sees a port.
