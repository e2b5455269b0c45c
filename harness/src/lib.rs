//! Loads golden suites, runs ports against them, compares, and says which stage drifted first.
