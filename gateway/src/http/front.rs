//! `/mcp`: Streamable HTTP for all five revisions on one endpoint.
//!
//! The protocol library answers single requests, each for itself and in JSON. What it leaves out is here: sessions for
//! the clients that shake hands, batches for the one revision that has them, and errors that are JSON-RPC.

use super::App;
use super::message::{
    INVALID_REQUEST, PARSE_ERROR, VERSION, error_body, id_of, method_of, modern, modern_header, shaped,
};
use super::problem::Problem;
use super::session::{Running, Sessions};
use super::tied::Tied;
use crate::toolset::Toolset;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt as _, Collected, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use std::sync::Arc;

/// The header with the id of a session.
pub const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The only revision with batches.
const BATCHES: &str = "2025-03-26";
/// Messages in one batch.
const BATCH: usize = 64;

/// What can answer on the endpoint.
pub trait Handler: ServerHandler + Clone + Sync {}

impl<S: ServerHandler + Clone + Sync> Handler for S {}

/// The endpoint over any handler.
pub struct Front<S> {
    /// One service for each set of tools that a request can ask for.
    services: Vec<StreamableHttpService<S, NeverSessionManager>>,
    sessions: Arc<Sessions>,
    app: Arc<App>,
}

impl<S: Handler> Front<S> {
    /// An endpoint whose handlers are made by `handler`.
    pub fn new(app: &Arc<App>, handler: impl Fn(Toolset) -> S) -> Self {
        // Host and Origin are checked for all routes before, and bodies are read here.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(app.settings.body)
            .with_cancellation_token(app.cancel.clone());
        let service = |toolset: Toolset| {
            let handler = handler(toolset.within(app.settings.toolset));
            StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config.clone())
        };
        Self {
            services: Toolset::every().map(service).collect(),
            sessions: Arc::clone(&app.sessions),
            app: Arc::clone(app),
        }
    }
}

/// Any request to the endpoint.
pub async fn handle<S: Handler>(State(front): State<Arc<Front<S>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let answered = match parts.method {
        Method::POST => front.post(parts, body).await,
        Method::DELETE => front.delete(&parts.headers),
        _ => Err(not_allowed("POST, DELETE")),
    };
    answered.unwrap_or_else(|refusal| *refusal)
}

/// A reply that ends the work early.
type Refusal = Box<Response>;

type Answer = Result<Response, Refusal>;

impl<S: Handler> Front<S> {
    fn delete(&self, headers: &HeaderMap) -> Answer {
        if modern_header(headers) {
            return Err(not_allowed("POST"));
        }
        if self.sessions.close(session_id(headers, &Value::Null)?) {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        Err(unknown_session(&Value::Null))
    }

    async fn post(&self, parts: Parts, body: Body) -> Answer {
        let toolset = super::rest::asked(parts.uri.query());
        let toolset = toolset.map_err(|detail| refuse(StatusCode::BAD_REQUEST, &Value::Null, &detail))?;
        let read = self.app.limits.read(&parts.headers, body).await;
        let (body, _held) = read.map_err(|problem| in_json_rpc(&problem))?;
        let message: Value = serde_json::from_slice(&body).map_err(|error| {
            let detail = format!("the body is not JSON: {error}");
            error_reply(StatusCode::BAD_REQUEST, &Value::Null, PARSE_ERROR, &detail)
        })?;
        if let Value::Array(messages) = message {
            return self.batch(toolset, parts, messages).await;
        }
        shaped(&message).map_err(|detail| refuse(StatusCode::BAD_REQUEST, id_of(&message), detail))?;
        if modern(&parts.headers, &message) {
            return Ok(self.forward(toolset, parts, body.into(), id_of(&message)).await);
        }
        if method_of(&message) == "initialize" {
            return self.open(toolset, parts, body.into(), &message).await;
        }
        let (session, parts) = self.in_session(parts, id_of(&message))?;
        Ok(self.in_turn(toolset, parts, &session, body.into(), &message).await)
    }

    /// Shakes hands; when that succeeds there is a session.
    async fn open(&self, toolset: Toolset, parts: Parts, body: Bytes, message: &Value) -> Answer {
        let response = self.forward(toolset, parts, body, id_of(message)).await;
        let (mut head, body) = response.into_parts();
        let body = whole(body).await;
        let hello: Value = serde_json::from_slice(&body).unwrap_or_default();
        if let Some(version) = hello.pointer("/result/protocolVersion").and_then(Value::as_str) {
            let id = self.sessions.open(version).and_then(|id| HeaderValue::try_from(id).ok());
            let id = id.ok_or_else(|| {
                let mut full = refuse(
                    StatusCode::SERVICE_UNAVAILABLE,
                    id_of(message),
                    "there are too many sessions; end one with DELETE, or try again later",
                );
                full.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
                full
            })?;
            head.headers.insert(SESSION, id);
        }
        Ok(Response::from_parts(head, Body::from(body)))
    }

    /// The session of a request, which then says the session's revision if it said none.
    fn in_session(&self, mut parts: Parts, id: &Value) -> Result<(String, Parts), Refusal> {
        let session = session_id(&parts.headers, id)?.to_owned();
        let version = self.sessions.version(&session).ok_or_else(|| unknown_session(id))?;
        match parts.headers.get(VERSION) {
            Some(given) if given.as_bytes() != version.as_bytes() => {
                let detail = format!("this session agreed on MCP-Protocol-Version {version}");
                return Err(refuse(StatusCode::BAD_REQUEST, id, &detail));
            }
            Some(_) => {}
            None => {
                let value = HeaderValue::try_from(version);
                parts.headers.extend(value.ok().map(|value| (VERSION, value)));
            }
        }
        Ok((session, parts))
    }

    /// One message of a session. A request can be cancelled by another message, and is then answered with nothing.
    async fn in_turn(
        &self,
        toolset: Toolset,
        parts: Parts,
        session: &str,
        body: Bytes,
        message: &Value,
    ) -> Response {
        if method_of(message) == "notifications/cancelled"
            && let Some(request) = message.pointer("/params/requestId")
        {
            self.sessions.cancel(session, &request.to_string());
        }
        let id = id_of(message);
        if id.is_null() {
            return self.forward(toolset, parts, body, id).await;
        }
        let running = self.sessions.start(session, id.to_string());
        let stop = running.stop().clone();
        tokio::select! {
            response = self.forward(toolset, parts, body, id) => tied(response, running),
            // Dropping what waits for the answer stops the work.
            () = stop.cancelled() => StatusCode::ACCEPTED.into_response(),
        }
    }

    /// Messages in one body, answered in order.
    async fn batch(&self, toolset: Toolset, parts: Parts, messages: Vec<Value>) -> Answer {
        let none = Value::Null;
        if modern_header(&parts.headers) {
            return Err(refuse(StatusCode::BAD_REQUEST, &none, "this revision has no batches"));
        }
        let (session, parts) = self.in_session(parts, &none)?;
        if parts.headers.get(VERSION).is_none_or(|version| version.as_bytes() != BATCHES.as_bytes()) {
            let detail = format!("only revision {BATCHES} has batches");
            return Err(refuse(StatusCode::BAD_REQUEST, &none, &detail));
        }
        if messages.is_empty() || messages.len() > BATCH {
            let detail = format!("a batch has 1 to {BATCH} messages");
            return Err(refuse(StatusCode::BAD_REQUEST, &none, &detail));
        }
        let mut replies = Vec::new();
        for mut message in messages {
            let detail = match shaped(&message) {
                Ok(()) if method_of(&message) == "initialize" => "a batch cannot shake hands",
                Ok(()) => {
                    // A batch is answered in one piece.
                    if let Some(Value::Object(meta)) = message.pointer_mut("/params/_meta") {
                        meta.remove("progressToken");
                    }
                    let body = message.to_string().into();
                    let reply = self.in_turn(toolset, parts.clone(), &session, body, &message).await;
                    let reply = whole(reply.into_body()).await;
                    replies.extend(serde_json::from_slice::<Value>(&reply));
                    continue;
                }
                Err(detail) => detail,
            };
            replies.push(error_body(id_of(&message), INVALID_REQUEST, detail));
        }
        if replies.is_empty() {
            return Ok(StatusCode::ACCEPTED.into_response());
        }
        Ok(super::json(Value::Array(replies).to_string()))
    }

    /// Lets the protocol library answer; what it says in plain text becomes a JSON-RPC error.
    async fn forward(&self, toolset: Toolset, parts: Parts, body: Bytes, id: &Value) -> Response {
        let service = &self.services[toolset.index()];
        let response = service.handle(Request::from_parts(parts, Full::new(body))).await.map(Body::new);
        let kind =
            response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let json = kind.starts_with(b"application/json");
        if json || !(response.status().is_client_error() || response.status().is_server_error()) {
            return response;
        }
        let status = response.status();
        let said = whole(response.into_body()).await;
        *refuse(status, id, &String::from_utf8_lossy(&said))
    }
}

/// A response that keeps its request cancellable while it streams.
fn tied(response: Response, running: Running) -> Response {
    let streams =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !streams {
        return response;
    }
    let stop = running.stop().clone().cancelled_owned();
    response.map(|body| Body::new(Tied::new(body, running).until(stop)))
}

async fn whole(body: Body) -> Bytes {
    // These bodies are in memory already.
    body.collect().await.map(Collected::to_bytes).unwrap_or_default()
}

fn session_id<'a>(headers: &'a HeaderMap, id: &Value) -> Result<&'a str, Refusal> {
    headers.get(SESSION).and_then(|session| session.to_str().ok()).ok_or_else(|| {
        let detail = "no session: send initialize first and its Mcp-Session-Id from then on, or speak revision \
                      2026-07-28, which needs none";
        refuse(StatusCode::BAD_REQUEST, id, detail)
    })
}

fn unknown_session(id: &Value) -> Refusal {
    refuse(StatusCode::NOT_FOUND, id, "this session does not exist, or not any more; send initialize again")
}

fn not_allowed(methods: &'static str) -> Refusal {
    let detail = "there is no stream to open here; requests are sent with POST";
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, &Value::Null, detail);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    response
}

fn refuse(status: StatusCode, id: &Value, detail: &str) -> Refusal {
    error_reply(status, id, INVALID_REQUEST, detail)
}

/// A problem with the body, in the language of this endpoint.
fn in_json_rpc(problem: &Problem) -> Refusal {
    let plain = problem.clone().into_response();
    let mut response = refuse(plain.status(), &Value::Null, problem.detail());
    response
        .headers_mut()
        .extend(plain.headers().get(header::RETRY_AFTER).map(|after| (header::RETRY_AFTER, after.clone())));
    response
}

fn error_reply(status: StatusCode, id: &Value, code: i32, detail: &str) -> Refusal {
    let mut response = super::json(error_body(id, code, detail).to_string());
    *response.status_mut() = status;
    Box::new(response)
}
