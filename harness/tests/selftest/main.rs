//! The harness tests itself: made-up ports judged by a made-up spec and suite, all in memory.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which clippy does not count as tests")]

mod altered;
mod comparing;
mod corpus;
mod covering;
mod determinism;
mod explaining;
mod known;
mod linting;
mod loading;
mod locking;
mod renewing;
mod selecting;
mod sharding;
mod standing;
mod support;
mod sweeps;
mod verdicts;
mod watching;
