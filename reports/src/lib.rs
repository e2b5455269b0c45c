//! Verification reports as text, JSON, JUnit and GitHub annotations.
