//! The assay command and its MCP gateway.
