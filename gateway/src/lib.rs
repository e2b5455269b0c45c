//! The assay command and its MCP gateway: one registry behind a command line and four tools.
//!
//! [`tools::dispatch`] answers a call from a [`snapshot::Snapshot`]; it is synchronous and knows no transport. [`mcp`],
//! [`http`] and [`cli`] are faces of it and declare nothing of their own.

pub mod assets;
pub mod cli;
pub mod control;
pub mod corpus;
pub mod cursor;
pub mod documents;
pub mod encode;
pub mod envelope;
pub mod eyes;
pub mod guides;
pub mod http;
pub mod made;
pub mod mcp;
pub mod media;
pub mod pool;
pub mod port_sources;
pub mod resources;
pub mod search;
pub mod services;
pub mod skeleton;
pub mod snapshot;
pub mod surface;
pub mod tools;
pub mod toolset;
pub mod validate;
