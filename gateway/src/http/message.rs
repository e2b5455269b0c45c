//! JSON-RPC messages before the protocol library sees them: their shape, their id, and the era they belong to.

use axum::http::{HeaderMap, HeaderName};
use serde_json::{Value, json};

/// The body is no JSON.
pub const PARSE_ERROR: i32 = -32700;
/// The body is JSON, and no request.
pub const INVALID_REQUEST: i32 = -32600;

/// The header with the revision.
pub const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// From this revision on there are no sessions.
const STATELESS: &str = "2026-07-28";
const META_VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// The method of a message, empty for an answer.
pub fn method_of(message: &Value) -> &str {
    message.get("method").and_then(Value::as_str).unwrap_or_default()
}

/// The id of a message, null for one that has none.
pub fn id_of(message: &Value) -> &Value {
    message.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64()).unwrap_or(&Value::Null)
}

/// Whether a value is a JSON-RPC message at all.
pub fn shaped(message: &Value) -> Result<(), &'static str> {
    let Value::Object(members) = message else { return Err("a message is an object") };
    if members.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err("`jsonrpc` is not \"2.0\"");
    }
    if members.contains_key("id") && id_of(message).is_null() {
        return Err("`id` is neither text nor an integer");
    }
    let answer = members.contains_key("result") || members.contains_key("error");
    match members.get("method") {
        Some(Value::String(_)) => {}
        None if answer => {}
        _ => return Err("`method` is missing, or no text"),
    }
    match members.get("params") {
        None | Some(Value::Object(_)) => Ok(()),
        Some(_) => Err("`params` is not an object"),
    }
}

/// Whether a message belongs to a revision without sessions.
pub fn modern(headers: &HeaderMap, message: &Value) -> bool {
    modern_header(headers)
        || method_of(message) == "server/discover"
        || message.pointer(META_VERSION).is_some()
}

/// Also true for what is no revision at all: the protocol library refuses it and names those that it knows.
pub fn modern_header(headers: &HeaderMap) -> bool {
    headers.get(VERSION).is_some_and(|version| version.as_bytes() >= STATELESS.as_bytes())
}

/// A JSON-RPC error.
pub fn error_body(id: &Value, code: i32, detail: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": detail } })
}
