//! The description of the REST paths: OpenAPI 3.1, generated from the same four tools.
//!
//! A tool's schemas stand in it as they are, because 3.1 takes JSON Schema 2020-12 unchanged.

use super::problem::{Kind, MEDIA_TYPE};
use crate::surface::{INSTRUCTIONS, Tool};
use crate::toolset::Toolset;
use serde_json::{Map, Value, json};

/// The document for a server that offers `toolset`, with or without a token.
#[must_use]
pub fn document(toolset: Toolset, token: bool) -> Value {
    let mut paths = Map::new();
    paths.insert("/api/v1/health".to_owned(), health());
    let mut own = plain("get_openapi", "This document");
    own["get"]["responses"]["304"] = json!({ "description": "It is the one that If-None-Match names." });
    paths.insert("/api/v1/openapi.json".to_owned(), own);
    paths.insert("/api/v1/tools".to_owned(), tools());
    for tool in toolset.tools() {
        paths.insert(format!("/api/v1/tools/{}", tool.name()), json!({ "post": call(tool) }));
    }
    for (path, operations) in capabilities(toolset) {
        paths.insert(path.to_owned(), operations);
    }
    let mut document = json!({
        "openapi": "3.1.1",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Assay", "version": env!("CARGO_PKG_VERSION"), "description": INSTRUCTIONS,
            "license": { "name": "MIT or Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": [
            { "name": "tools", "description": "The four tools, called with their arguments." },
            { "name": "capabilities", "description": "The same, with capabilities as resources." },
            { "name": "server" },
        ],
        "paths": paths,
        "components": { "schemas": { "Problem": problem() }, "responses": problems() },
    });
    if token {
        document["components"]["securitySchemes"] =
            json!({ "token": { "type": "http", "scheme": "bearer" } });
        document["security"] = json!([{ "token": [] }]);
        document["paths"]["/api/v1/health"]["get"]["security"] = json!([]);
    }
    document
}

fn call(tool: Tool) -> Value {
    let schema = tool.input_schema();
    let required = schema.get("required").is_some();
    json!({
        "operationId": tool.name(),
        "summary": tool.title(),
        "description": tool.description(),
        "tags": ["tools"],
        "parameters": [toolsets()],
        "requestBody": {
            "required": required,
            "description": "Nothing is the same as an empty object.",
            "content": { "application/json": { "schema": schema } },
        },
        "responses": with_problems(tool, &[
            Kind::MalformedRequest, Kind::MalformedJson, Kind::NotFound, Kind::NotAcceptable, Kind::TooLarge,
            Kind::UnsupportedMediaType,
        ]),
    })
}

/// The paths under `/api/v1/capabilities`, as far as their tools are offered.
fn capabilities(toolset: Toolset) -> Vec<(&'static str, Value)> {
    let mut paths = Vec::new();
    if toolset.holds(Tool::Find) {
        let operation = json!({
            "operationId": "list_capabilities",
            "summary": "List or search the capabilities",
            "tags": ["capabilities"],
            "parameters": parameters(Tool::Find, &[]),
            "responses": with_problems(Tool::Find, &[Kind::MalformedRequest, Kind::NotAcceptable]),
        });
        paths.push(("/api/v1/capabilities", json!({ "get": operation })));
    }
    let mut one = json!({ "parameters": [{
        "name": "name", "in": "path", "required": true,
        "schema": Tool::Describe.input_schema()["properties"]["name"],
    }] });
    let read = [Kind::MalformedRequest, Kind::NotAcceptable];
    if toolset.holds(Tool::Describe) {
        one["get"] = json!({
            "operationId": "get_capability",
            "summary": Tool::Describe.title(),
            "tags": ["capabilities"],
            "parameters": parameters(Tool::Describe, &["name"]),
            "responses": with_missing(Tool::Describe, &read),
        });
    }
    if toolset.holds(Tool::Run) {
        let body = json!({ "schema": Tool::Run.input_schema()["properties"]["arguments"] });
        one["post"] = json!({
            "operationId": "post_capability",
            "summary": Tool::Run.title(),
            "tags": ["capabilities"],
            "parameters": parameters(Tool::Run, &["name", "arguments"]),
            "requestBody": { "required": false, "content": { "application/json": body } },
            "responses": with_missing(
                Tool::Run,
                &[Kind::MalformedRequest, Kind::NotAcceptable, Kind::TooLarge, Kind::UnsupportedMediaType],
            ),
        });
    }
    if one.as_object().is_some_and(|one| one.len() > 1) {
        paths.push(("/api/v1/capabilities/{name}", one));
    }
    paths
}

/// The arguments of a tool as parameters of the query.
fn parameters(tool: Tool, without: &[&str]) -> Vec<Value> {
    let schema = tool.input_schema();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let own = properties.filter(|(name, _)| !without.contains(&name.as_str())).map(|(name, schema)| {
        let mut parameter = json!({ "name": name, "in": "query", "schema": schema });
        if schema["type"] == "array" {
            // Words between commas.
            parameter["explode"] = json!(false);
        }
        parameter
    });
    own.chain([toolsets()]).collect()
}

fn toolsets() -> Value {
    json!({
        "name": "toolsets", "in": "query", "explode": false,
        "description": "Only these tools, within those that the server offers.",
        "schema": { "type": "array", "minItems": 1, "items": { "enum": ["discover", "run", "verify", "all"] } },
    })
}

/// The envelope of a tool as REST gives it.
fn envelope(tool: Tool) -> Value {
    let mut schema = tool.output_schema();
    if let Some(properties) = schema["properties"].as_object_mut() {
        let data = properties.remove("data").unwrap_or_default();
        properties.insert("result".to_owned(), data);
        properties.insert("text".to_owned(), json!({ "type": "string" }));
        if tool == Tool::Run {
            let text = json!({ "type": "string" });
            let image = json!({ "type": "object", "properties": { "name": text, "media_type": text, "data": text },
                "required": ["name", "media_type", "data"] });
            properties.insert("images".to_owned(), json!({ "type": "array", "items": image }));
        }
    }
    schema["required"] = json!(["ok", "result", "text", "snapshot_sequence", "ut"]);
    schema
}

fn with_problems(tool: Tool, kinds: &[Kind]) -> Value {
    let content = json!({ "application/json": { "schema": envelope(tool) } });
    let mut responses = json!({
        "200": { "description": "The reply; `ok` is false when the domain refused.", "content": content },
        "422": { "description": "A schema refuses the arguments; every violation is listed.", "content": content },
        "default": { "$ref": "#/components/responses/default" },
    });
    for kind in kinds {
        let status = kind.facts().0.as_str().to_owned();
        responses[&status] = json!({ "$ref": format!("#/components/responses/{status}") });
    }
    responses
}

/// The same where the path names a capability that may not exist.
fn with_missing(tool: Tool, kinds: &[Kind]) -> Value {
    let mut responses = with_problems(tool, kinds);
    let content = json!({ "application/json": { "schema": envelope(tool) },
        MEDIA_TYPE: { "schema": { "$ref": "#/components/schemas/Problem" } } });
    responses["404"] = json!({ "description": "There is no such capability; the nearest names are in the reply.", "content": content });
    responses
}

/// One response for each status that a problem has, and one for all others.
fn problems() -> Value {
    let content = json!({ MEDIA_TYPE: { "schema": { "$ref": "#/components/schemas/Problem" } } });
    let mut responses = Map::new();
    for kind in Kind::ALL {
        let (status, _, title, _) = kind.facts();
        let response = json!({ "description": title, "content": content });
        responses.entry(status.as_str()).or_insert(response);
    }
    responses.insert("default".to_owned(), json!({ "description": "What went wrong", "content": content }));
    Value::Object(responses)
}

fn problem() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "description": "RFC 9457",
        "properties": {
            "type": { "type": "string", "format": "uri-reference" }, "title": text,
            "status": { "type": "integer" }, "detail": text, "errno": text,
        },
        "required": ["type", "title", "status", "detail"],
    })
}

fn health() -> Value {
    let schema = json!({
        "type": "object",
        "properties": {
            "ok": { "type": "boolean" }, "status": { "enum": ["starting", "ready", "failing"] },
            "version": { "type": "string" }, "snapshot_sequence": { "type": "integer" },
            "ut": { "type": "integer" }, "capabilities": { "type": "integer" },
        },
        "required": ["ok", "status", "version"],
    });
    let content = json!({ "application/json": { "schema": schema } });
    json!({ "get": {
        "operationId": "get_health", "summary": "Whether the server is ready", "tags": ["server"],
        "responses": {
            "200": { "description": "It serves, or is about to.", "content": content },
            "503": { "description": "The corpus cannot be read.", "content": content },
            "default": { "$ref": "#/components/responses/default" },
        },
    } })
}

fn tools() -> Value {
    let mut item = plain("list_tools", "The tools, as MCP lists them or as functions for OpenAI's interface");
    let schema = json!({ "type": "object", "properties": { "tools": { "type": "array", "items": { "type": "object" } } },
        "required": ["tools"] });
    item["get"]["parameters"] = json!([{ "name": "format", "in": "query", "schema": { "enum": ["mcp", "openai"], "default": "mcp" } }, toolsets()]);
    item["get"]["responses"]["200"]["content"]["application/json"]["schema"] = schema;
    for status in ["400", "406"] {
        item["get"]["responses"][status] = json!({ "$ref": format!("#/components/responses/{status}") });
    }
    item
}

fn plain(id: &str, summary: &str) -> Value {
    json!({ "get": {
        "operationId": id, "summary": summary, "tags": ["server"],
        "responses": {
            "200": { "description": "As asked.", "content": { "application/json": { "schema": { "type": "object" } } } },
            "default": { "$ref": "#/components/responses/default" },
        },
    } })
}
