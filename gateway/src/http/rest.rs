//! REST: the four tools as plain requests, and capabilities as resources. Projections of the same calls as everywhere.
//!
//! A reply is `{ok, result, text, images?, …}`: the envelope with its `data` called `result`. Domain failures stay in it
//! with status 200; arguments that a schema refuses are 422 with the same envelope.

use super::limits::Held;
use super::problem::{Kind, Problem};
use super::{App, documents, json};
use crate::control::Control;
use crate::envelope::{Refusal, Reply, Stage, abridged, map, text};
use crate::mcp::offered;
use crate::surface::Tool;
use crate::toolset::Toolset;
use assay_model::{Errno, Tree};
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::sync::Arc;

type Answer = Result<Response, Problem>;
type Name = Result<Path<String>, PathRejection>;

/// `GET /api/v1/health`: never waits, for the corpus neither.
pub async fn health(State(app): State<Arc<App>>) -> Response {
    let version = env!("CARGO_PKG_VERSION");
    let (status, body) = match app.gateway.ready() {
        None => (StatusCode::OK, json!({ "ok": true, "status": "starting", "version": version })),
        Some(Ok(snapshot)) => (
            StatusCode::OK,
            json!({ "ok": true, "status": "ready", "version": version,
                "snapshot_sequence": snapshot.sequence(), "ut": snapshot.ut(),
                "capabilities": snapshot.registry().entries().len() }),
        ),
        Some(Err(_)) => {
            (StatusCode::SERVICE_UNAVAILABLE, json!({ "ok": false, "status": "failing", "version": version }))
        }
    };
    (status, json(body.to_string())).into_response()
}

/// `GET /api/v1/openapi.json`.
pub async fn openapi(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    documents::reply(app.openapi.clone(), &headers)
}

/// `GET /api/v1/tools`: as MCP lists them, or as OpenAI's function calling takes them.
pub async fn tools(State(app): State<Arc<App>>, headers: HeaderMap, RawQuery(query): RawQuery) -> Answer {
    acceptable(&headers)?;
    let toolset = toolset(&app, query.as_deref())?;
    let formats: Vec<String> = values(query.as_deref(), "format");
    let tools = match formats.as_slice() {
        [] => json!(offered(toolset)),
        [format] if format == "mcp" => json!(offered(toolset)),
        [format] if format == "openai" => toolset.tools().map(function).collect(),
        _ => return Err(Problem::new(Kind::MalformedRequest, "format is mcp or openai, once")),
    };
    Ok(json(json!({ "tools": tools }).to_string()))
}

/// A tool as a function of OpenAI's interface. Not strict: that would forbid arguments that are open until described.
fn function(tool: Tool) -> Value {
    json!({ "type": "function", "function": {
        "name": tool.name(), "description": tool.description(), "parameters": tool.input_schema(), "strict": false,
    } })
}

/// `POST /api/v1/tools/{name}`.
pub async fn call(State(app): State<Arc<App>>, name: Name, request: Request) -> Answer {
    let name = named(name)?;
    let (parts, body) = request.into_parts();
    let toolset = toolset(&app, parts.uri.query())?;
    let tool = Tool::named(&name).filter(|tool| toolset.holds(*tool)).ok_or_else(|| {
        let names: Vec<&str> = toolset.tools().map(Tool::name).collect();
        Problem::new(Kind::NotFound, format!("no tool is called so; there are {}", names.join(", ")))
    })?;
    acceptable(&parts.headers)?;
    let (arguments, _held) = arguments(&app, &parts.headers, body).await?;
    shown(&app, tool, arguments, false).await
}

/// `GET /api/v1/capabilities`.
pub async fn find(State(app): State<Arc<App>>, headers: HeaderMap, RawQuery(query): RawQuery) -> Answer {
    let mut arguments = Map::new();
    for (name, value) in pairs(query.as_deref()).filter(|(name, _)| name != "toolsets") {
        let value = match name.as_str() {
            "limit" => value.parse::<i64>().map_or(Value::String(value), Value::from),
            "games" => {
                let given = arguments.get("games").and_then(Value::as_array).cloned().unwrap_or_default();
                let words = value.split(',').filter(|word| !word.is_empty()).map(Value::from);
                Value::Array(given.into_iter().chain(words).collect())
            }
            _ => Value::String(value),
        };
        arguments.insert(name, value);
    }
    projected(&app, &headers, query.as_deref(), Tool::Find, arguments).await
}

/// `GET /api/v1/capabilities/{name}`.
pub async fn describe(
    State(app): State<Arc<App>>,
    name: Name,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Answer {
    let arguments = with_name(named(name)?, query.as_deref());
    projected(&app, &headers, query.as_deref(), Tool::Describe, arguments).await
}

/// `POST /api/v1/capabilities/{name}`: the body is the arguments of the capability.
pub async fn run(State(app): State<Arc<App>>, name: Name, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    let mut outer = with_name(named(name)?, parts.uri.query());
    let (arguments, _held) = arguments(&app, &parts.headers, body).await?;
    outer.insert("arguments".to_owned(), arguments);
    projected(&app, &parts.headers, parts.uri.query(), Tool::Run, outer).await
}

fn named(name: Name) -> Result<String, Problem> {
    let malformed = |_| Problem::new(Kind::MalformedRequest, "the name in the path is not UTF-8");
    name.map(|Path(name)| name).map_err(malformed)
}

/// The query as arguments, and the name from the path, which the query cannot replace.
fn with_name(name: String, query: Option<&str>) -> Map<String, Value> {
    let query = pairs(query).filter(|(name, _)| name != "toolsets" && name != "arguments");
    let mut arguments: Map<String, Value> = query.map(|(name, value)| (name, Value::String(value))).collect();
    arguments.insert("name".to_owned(), Value::String(name));
    arguments
}

async fn projected(
    app: &App,
    headers: &HeaderMap,
    query: Option<&str>,
    tool: Tool,
    arguments: Map<String, Value>,
) -> Answer {
    acceptable(headers)?;
    if !toolset(app, query)?.holds(tool) {
        return Err(Problem::new(Kind::NotFound, format!("{} is not offered", tool.name())));
    }
    shown(app, tool, Value::Object(arguments), true).await
}

/// Calls and shows the reply. Where the path names the capability, one that does not exist is a 404.
async fn shown(app: &App, tool: Tool, arguments: Value, by_path: bool) -> Answer {
    let reply = app.pool.call(&app.gateway, tool, arguments, Control::default()).await;
    let reply = reply.map_err(|broken| Problem::new(Kind::Internal, broken))?;
    let status = match &reply.outcome {
        Err(refusal) if refusal.outcome == Stage::Rejected => match refusal.errno {
            Errno::Einval if by_schema(refusal) => StatusCode::UNPROCESSABLE_ENTITY,
            Errno::Enoent if by_path => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        },
        _ => StatusCode::OK,
    };
    Ok((status, json(body(&reply).to_string())).into_response())
}

/// Whether a schema refuses the arguments. What no schema can say, such as that a cursor belongs to another query, is
/// the domain's refusal.
fn by_schema(refusal: &Refusal) -> bool {
    let errors = refusal.details.iter().find(|(name, _)| name == "errors");
    let Some((_, Tree::List(errors))) = errors else { return false };
    let beyond =
        |error: &Tree| matches!(error.get("keyword").and_then(Tree::as_str), Some("cursor" | "format"));
    !errors.iter().all(beyond)
}

/// The envelope as REST gives it.
fn body(reply: &Reply) -> Tree {
    let envelope = reply.envelope();
    let shown = text(abridged(&envelope));
    let Tree::Map(members) = envelope else { return envelope };
    let mut members = members.into_iter();
    let (ok, data) = (members.next(), members.next());
    let data = data.map_or(Tree::Null, |(_, data)| data);
    let images = images(&data);
    let mut body: Vec<(String, Tree)> = ok.into_iter().collect();
    body.extend([("result".to_owned(), data), ("text".to_owned(), shown)]);
    if !images.is_empty() {
        body.push(("images".to_owned(), Tree::List(images)));
    }
    body.extend(members);
    Tree::Map(body)
}

/// The attachments that a page can show, as it needs them.
fn images(data: &Tree) -> Vec<Tree> {
    let Some(Tree::List(attachments)) = data.get("attachments") else { return Vec::new() };
    let word = |attachment: &Tree, key: &str| attachment.get(key).and_then(Tree::as_str).map(text);
    let image = |attachment: &Tree| {
        let kind = word(attachment, "media_type")
            .filter(|kind| kind.as_str().is_some_and(|k| k.starts_with("image/")))?;
        let (name, data) = (word(attachment, "name")?, word(attachment, "base64")?);
        Some(map([("name", name), ("media_type", kind), ("data", data)]))
    };
    attachments.iter().filter_map(image).collect()
}

/// The arguments in a body: nothing is an empty object. What they occupy is held until the reply.
async fn arguments(app: &App, headers: &HeaderMap, body: Body) -> Result<(Value, Held), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
    let declared = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    let (bytes, held) = app.limits.read(headers, body).await?;
    match declared.as_deref() {
        Some("application/json") => {}
        None if bytes.is_empty() => {}
        _ => return Err(Problem::new(Kind::UnsupportedMediaType, "the body must be application/json")),
    }
    if bytes.is_empty() {
        return Ok((Value::Object(Map::new()), held));
    }
    // A tree refuses a key that stands twice, of which any other reader would quietly drop one.
    let tree = Tree::from_json(&bytes);
    let malformed = |error| Problem::new(Kind::MalformedJson, format!("the body is not JSON: {error}"));
    Ok((crate::envelope::value(&tree.map_err(malformed)?), held))
}

fn acceptable(headers: &HeaderMap) -> Result<(), Problem> {
    let mut given = headers.get_all(header::ACCEPT).iter().peekable();
    let fits = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let refused = parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
        !refused && matches!(kind.as_str(), "*/*" | "application/*" | "application/json")
    };
    let any = given.peek().is_none()
        || given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(fits);
    if any { Ok(()) } else { Err(Problem::new(Kind::NotAcceptable, "replies are application/json")) }
}

/// The tools that a request may use: what the query asks for within what the server offers.
fn toolset(app: &App, query: Option<&str>) -> Result<Toolset, Problem> {
    let asked = asked(query).map_err(|detail| Problem::new(Kind::MalformedRequest, detail))?;
    Ok(asked.within(app.settings.toolset))
}

/// The tools that a query asks for: all, unless it says which.
pub fn asked(query: Option<&str>) -> Result<Toolset, String> {
    let asked = values(query, "toolsets");
    if asked.is_empty() { Ok(Toolset::ALL) } else { asked.join(",").parse() }
}

/// The parameters of a query, decoded.
fn pairs(query: Option<&str>) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
}

fn values(query: Option<&str>, wanted: &str) -> Vec<String> {
    pairs(query).filter(|(name, _)| name == wanted).map(|(_, value)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_among_the_attachments_come_as_images() {
        let data = r#"{"breakdown":{},"attachments":[
            {"name":"palette.bin","media_type":"application/octet-stream","base64":"AA=="},
            {"name":"frame.png","media_type":"image/png","base64":"iVBO"},
            {"name":"large.png","media_type":"image/png","base64":null}]}"#;
        let outcome = Ok(Tree::from_json(data.as_bytes()).unwrap());
        let body = body(&Reply { outcome, snapshot_sequence: 3, ut: 9 });
        let names: Vec<&str> = body.entries().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ok", "result", "text", "images", "snapshot_sequence", "ut"]);
        let images = body.get("images").unwrap().to_string();
        assert_eq!(images, r#"[{"name":"frame.png","media_type":"image/png","data":"iVBO"}]"#);
    }
}
