//! What the conformance suite asks for by name, as the data that it is.

use rmcp::model::Tool;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// One red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A wave file without a sample.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// A value of the protocol from its JSON.
pub fn parsed<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the fixture is of the protocol")
}

/// A whole result from its JSON. Clients from before 2026-07-28 do not see that it says so.
pub fn complete<T: DeserializeOwned>(mut value: Value) -> T {
    value["resultType"] = json!("complete");
    parsed(value)
}

/// The member of an object.
pub fn named(object: Value, name: &str) -> Option<Value> {
    object.get(name).cloned()
}

/// Every tool of the fixture.
pub fn tools() -> Vec<Tool> {
    let plain = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_error_handling",
        "test_tool_with_logging",
        "test_tool_with_progress",
        "test_logging_tool",
        "test_missing_capability",
    ];
    let tool = |name: &str, schema: Value| {
        parsed(json!({ "name": name, "description": "For the conformance suite.", "inputSchema": schema }))
    };
    let open = || json!({ "type": "object", "properties": {} });
    let header = json!({ "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } } });
    let mut tools: Vec<Tool> =
        plain.iter().chain(super::rounds::TOOLS).map(|name| tool(name, open())).collect();
    tools.push(tool("test_custom_header", header));
    tools.push(tool("json_schema_2020_12_tool", rich_schema()));
    tools
}

/// A schema with the vocabulary of 2020-12 that the suite looks for.
fn rich_schema() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "addressDef", "type": "object", "properties": { "street": text, "city": text } } },
        "properties": {
            "name": text, "address": { "$ref": "#/$defs/address" }, "phone": text, "email": text,
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

/// What the tools give that do nothing else.
pub fn results() -> Value {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
    let resource = |uri: &str, kind: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": kind, "text": text } });
    let content = |items: &[Value]| json!({ "content": items });
    let mixed =
        resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#);
    let mut error = content(&[text("This tool intentionally returns an error for testing")]);
    error["isError"] = json!(true);
    json!({
        "test_simple_text": content(&[text("This is a simple text response for testing.")]),
        "test_image_content": content(std::slice::from_ref(&image)),
        "test_audio_content": content(&[json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" })]),
        "test_embedded_resource": content(&[resource(
            "test://embedded-resource", "text/plain", "This is an embedded resource content.",
        )]),
        "test_multiple_content_types": content(&[text("Multiple content types test:"), image, mixed]),
        "test_error_handling": error,
        "test_logging_tool": content(&[text("done, without a word in any log")]),
        "test_missing_capability": content(&[text("the capability is there")]),
        "test_custom_header": content(&[text("the header fits")]),
        "json_schema_2020_12_tool": content(&[text("ok")]),
    })
}

/// The list of resources.
pub fn resources() -> Value {
    let one = |uri: &str, kind: &str| json!({ "uri": uri, "name": uri, "mimeType": kind });
    let all = [
        one("test://static-text", "text/plain"),
        one("test://static-binary", "image/png"),
        one("test://watched-resource", "text/plain"),
    ];
    json!({ "resources": all, "ttlMs": 0, "cacheScope": "private" })
}

/// The list of templates.
pub fn templates() -> Value {
    let one = json!({ "uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "application/json" });
    json!({ "resourceTemplates": [one], "ttlMs": 0, "cacheScope": "private" })
}

/// What is in a resource.
pub fn contents(uri: &str) -> Option<Value> {
    let text = |kind: &str, text: &str| json!({ "uri": uri, "mimeType": kind, "text": text });
    let contents = match uri {
        "test://static-text" => text("text/plain", "This is the content of the static text resource."),
        "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
        "test://watched-resource" => text("text/plain", "watched"),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            text("application/json", &data.to_string())
        }
    };
    Some(json!({ "contents": [contents], "ttlMs": 0, "cacheScope": "private" }))
}

/// The list of prompts.
pub fn prompts() -> Value {
    let one = |name: &str, arguments: &[&str]| {
        let arguments: Vec<Value> = arguments
            .iter()
            .map(|name| json!({ "name": name, "description": "A text.", "required": true }))
            .collect();
        json!({ "name": name, "description": "For the conformance suite.", "arguments": arguments })
    };
    let all = [
        one("test_simple_prompt", &[]),
        one("test_prompt_with_arguments", &["arg1", "arg2"]),
        one("test_prompt_with_embedded_resource", &["resourceUri"]),
        one("test_prompt_with_image", &[]),
        one(super::rounds::PROMPT, &[]),
    ];
    json!({ "prompts": all, "ttlMs": 0, "cacheScope": "private" })
}

/// The messages of a prompt.
pub fn messages(name: &str, arguments: &Value) -> Option<Vec<Value>> {
    let user = |content: Value| json!({ "role": "user", "content": content });
    let text = |text: &str| user(json!({ "type": "text", "text": text }));
    let given = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
    Some(match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            vec![text(&format!("Prompt with arguments: arg1='{}', arg2='{}'", given("arg1"), given("arg2")))]
        }
        "test_prompt_with_embedded_resource" => vec![
            user(
                json!({ "type": "resource", "resource": { "uri": given("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing." } }),
            ),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![
            user(json!({ "type": "image", "data": PNG, "mimeType": "image/png" })),
            text("Please analyze the image above."),
        ],
        super::rounds::PROMPT => vec![text("The context was given.")],
        _ => return None,
    })
}
